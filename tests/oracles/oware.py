"""Oware Abapa, from its page alone."""

from oracles import Oracle


class Oware(Oracle):
    FIELDS = ("holes", "store")
    OPTIONS = {"columns": 6, "seeds": 4, "max_turns": 1000}

    def set_up(self):
        self.W = self.o["columns"]
        self.holes = [self.o["seeds"]] * 2 * self.W
        self.store = [0, 0]
        self.seen = {self.position()}

    def position(self):
        return *self.holes, *self.store, self.to_move

    def row(self, player):
        return range(player * self.W, (player + 1) * self.W)

    def row_is_empty(self, player, holes):
        return not any(holes[hole] for hole in self.row(player))

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
        p = self.to_move
        full = [hole for hole in self.row(p) if self.holes[hole]]
        if self.row_is_empty(1 - p, self.holes):
            full = [hole for hole in full if not self.row_is_empty(1 - p, self.sown(hole)[0])]
        return [hole % self.W for hole in full]

    def play(self, action):
        p = self.to_move
        self.holes, last = self.sown(p * self.W + action)
        caught = []
        while last in self.row(1 - p) and self.holes[last] in (2, 3):
            caught.append(last)
            last -= 1
        left = [hole for hole in self.row(1 - p) if hole not in caught and self.holes[hole]]
        if caught and left:
            for hole in caught:
                self.store[p] += self.holes[hole]
                self.holes[hole] = 0
            self.seen = set()
        self.turn += 1
        self.to_move = 1 - p
        half = self.W * self.o["seeds"]
        repeats = self.position() in self.seen
        self.seen.add(self.position())
        decided = max(self.store) > half or self.store == [half, half]
        if decided or repeats or not self.legal() or self.turn >= self.o["max_turns"]:
            for q in (0, 1):
                for hole in self.row(q):
                    self.store[q] += self.holes[hole]
                    self.holes[hole] = 0
            self.end(self.store, (0, 1), 2 * half)
