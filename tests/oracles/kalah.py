"""Kalah, from its page alone."""

from oracles.rows import Rows


class Kalah(Rows):
    OPTIONS = {"columns": 6, "seeds": 4, "max_turns": 500}

    def play(self, action):
        p, W = self.to_move, self.W
        # The mover's ring: all holes, with "store" after the mover's last one.
        ring = [*self.row(p), "store", *self.row(1 - p)]
        place = action
        hand, self.holes[ring[place]] = self.holes[ring[place]], 0
        for _ in range(hand):
            place = (place + 1) % len(ring)
            if ring[place] == "store":
                self.store[p] += 1
            else:
                self.holes[ring[place]] += 1
        last = ring[place]
        if last in self.row(p) and self.holes[last] == 1 and self.holes[2 * W - 1 - last]:
            self.take(last, p)
            self.take(2 * W - 1 - last, p)
        empty = not (self.full(0) and self.full(1))
        if last != "store" or empty:
            self.turn += 1
            self.to_move = 1 - p
        if empty or self.turn >= self.o["max_turns"]:
            self.end(self.counts())
