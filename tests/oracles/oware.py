"""Oware Abapa, from its page alone."""

from oracles.rows import Rows


class Oware(Rows):
    OPTIONS = {"columns": 6, "seeds": 4, "max_turns": 1000}

    def set_up(self):
        super().set_up()
        self.seen = {self.position()}

    def position(self):
        return *self.holes, *self.store, self.to_move

    def sown(self, hole):
        """Return the holes after sowing from a hole, and the hole of the last seed."""
        holes, last = self.holes[:], hole
        holes[hole] = 0
        for _ in range(self.holes[hole]):
            last = (last + 1) % (2 * self.W)
            if last == hole:
                last = (last + 1) % (2 * self.W)
            holes[last] += 1
        return holes, last

    def legal(self):
        p, W = self.to_move, self.W
        full = self.full(p)
        if not self.full(1 - p):
            full = [hole for hole in full if any(self.sown(hole)[0][other] for other in self.row(1 - p))]
        return [hole % W for hole in full]

    def play(self, action):
        p = self.to_move
        self.holes, last = self.sown(p * self.W + action)
        caught = []
        while last in self.row(1 - p) and self.holes[last] in (2, 3):
            caught.append(last)
            last -= 1
        if caught and set(self.full(1 - p)) - set(caught):
            for hole in caught:
                self.take(hole, p)
            self.seen = set()
        self.turn += 1
        self.to_move = 1 - p
        half = self.W * self.o["seeds"]
        repeats = self.position() in self.seen
        self.seen.add(self.position())
        decided = max(self.store) > half or self.store == [half, half]
        if decided or repeats or not self.legal() or self.turn >= self.o["max_turns"]:
            for hole in range(2 * self.W):
                self.take(hole, hole // self.W)
            self.end(self.store)
