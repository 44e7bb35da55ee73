"""Kalah, from its page alone."""

from oracles import Oracle


class Kalah(Oracle):
    FIELDS = ("holes", "store")
    OPTIONS = {"columns": 6, "seeds": 4, "max_turns": 500}

    def set_up(self):
        self.W = self.o["columns"]
        self.holes = [self.o["seeds"]] * 2 * self.W
        self.store = [0, 0]

    def row(self, player):
        return range(player * self.W, (player + 1) * self.W)

    def legal(self):
        return [hole % self.W for hole in self.row(self.to_move) if self.holes[hole]]

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
            self.store[p] += 1 + self.holes[2 * W - 1 - last]
            self.holes[last] = self.holes[2 * W - 1 - last] = 0
        empty = any(not any(self.holes[hole] for hole in self.row(q)) for q in (0, 1))
        if last != "store" or empty:
            self.turn += 1
            self.to_move = 1 - p
        if empty or self.turn >= self.o["max_turns"]:
            lying = [sum(self.holes[hole] for hole in self.row(q)) for q in (0, 1)]
            self.end([self.store[q] + lying[q] for q in (0, 1)], (0, 1), 2 * W * self.o["seeds"])
