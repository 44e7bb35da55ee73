"""Qelat and Magazeb II, from their pages alone."""

from oracles.rows import Rows

LIFT, GO_ON, TAKE_HOLE = 0, 3, 4
FREE, SPARED = 0, -1


class Qelat(Rows):
    FIELDS = ("holes", "owner", "child", "store", "owned")
    OPTIONS = {
        "columns": 6, "reading": "text", "max_turns": 300, "max_laps": 256,
        "territory": "border", "first": "alternate", "max_rounds": 300,
    }  # fmt: skip

    def set_up(self):
        self.W = self.o["columns"]
        self.owner = [0] * self.W + [1] * self.W
        self.owned = [self.W, self.W]
        self.opener = 0
        self.fill()

    def fill(self):
        self.holes = [4] * 2 * self.W
        self.child = [FREE] * 2 * self.W
        self.store = [0, 0]
        self.turn, self.phase, self.laps = 0, LIFT, 0
        self.to_move = self.opener

    def liftable(self, p):
        return [
            hole
            for hole in range(2 * self.W)
            if self.owner[hole] == p and self.child[hole] in (FREE, SPARED) and self.holes[hole]
        ]

    def legal(self):
        p = self.to_move
        if self.phase == TAKE_HOLE:
            holes = [hole for hole in range(2 * self.W) if self.owner[hole] != p]
        else:
            holes = self.liftable(p)
        return sorted((hole - p * self.W) % (2 * self.W) for hole in holes)

    def play(self, action):
        hole = (action + self.to_move * self.W) % (2 * self.W)
        if self.phase == TAKE_HOLE:
            self.owner[hole] = self.to_move
            if self.owner.count(self.to_move) == self.owned[self.to_move]:
                self.next_round()
        else:
            self.sow(hole)

    def sow(self, hole):
        p = self.to_move
        while True:
            hand, self.holes[hole] = self.holes[hole], 0
            for _ in range(hand):
                hole = (hole + 1) % (2 * self.W)
                self.holes[hole] += 1
            self.laps += 1
            if self.laps == self.o["max_laps"]:
                return self.end_turn()
            held, owner, child = self.holes[hole] - 1, self.owner[hole], self.child[hole]
            if child == 1 + p:
                return self.end_turn()
            if child == 2 - p or (child == SPARED and owner == p):
                eaten = 1 if self.o["reading"] == "summary" or held == 0 else 2
                self.holes[hole] -= eaten
                self.store[p] += eaten
                return self.go_on()
            if owner != p and held == 3:
                if self.owner.count(owner) == 1:
                    self.store[p] += 4
                    self.holes[hole] = 0
                    self.child[hole] = SPARED
                else:
                    self.child[hole] = 1 + p
                return self.end_turn()
            if held == 0:
                return self.end_turn()

    def go_on(self):
        choices = self.liftable(self.to_move)
        if not choices:
            self.end_turn()
        elif len(choices) == 1:
            self.sow(choices[0])
        else:
            self.phase = GO_ON

    def end_turn(self):
        p = self.to_move
        self.turn += 1
        self.phase, self.laps = LIFT, 0
        able = [q for q in (1 - p, p) if self.liftable(q)]
        full = self.turn >= self.o["max_turns"]
        if able and not full:
            self.to_move = able[0]
            return
        counts = self.store[:]
        for held, owner, child in zip(self.holes, self.owner, self.child, strict=True):
            if child > 0:
                counts[child - 1] += held
            elif full:
                counts[owner] += held
        if self.campaign:
            self.settle(counts)
        else:
            self.end(counts, 8 * self.W)

    # The campaign.

    def settle(self, counts):
        before = self.owned
        self.owned = [count // 4 for count in counts]
        rests = [count % 4 for count in counts]
        if 3 in rests:
            self.owned[rests.index(3)] += 1
        elif rests == [2, 2]:
            self.owned[self.draw("hole", 2)] += 1
        if 0 in self.owned or self.round_number >= self.o["max_rounds"]:
            self.end(self.owned)
            return
        self.opener = self.next_opener(counts)
        gainers = [p for p in (0, 1) if self.owned[p] > before[p]]
        if self.o["territory"] == "choice" and gainers:
            self.to_move, self.phase = gainers[0], TAKE_HOLE
            return
        self.next_round()

    def next_round(self):
        if self.o["territory"] == "border":
            p = int(self.owned[1] > self.owned[0])
            kept = [(p * self.W + i) % (2 * self.W) for i in range(self.owned[p])]
            self.owner = [p if hole in kept else 1 - p for hole in range(2 * self.W)]
        self.round_number += 1
        self.fill()
