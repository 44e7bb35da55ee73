"""Congkak, from its page alone."""

from oracles import Oracle

LIFT, BURN, ON = 0, 1, 3


class Congkak(Oracle):
    FIELDS = ("holes", "burnt", "store", "seeds_owned", "opener", "passed")
    OPTIONS = {
        "columns": 7, "seeds": 7, "direction": "clockwise", "own_seed": "captured", "shoot": "any", "finish": "stores",
        "fill": "store", "first": "winner", "houses": 1, "max_turns": 400, "max_rounds": 30, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        self.W = self.o["columns"]
        self.rows = [list(range(self.W)), list(range(self.W, 2 * self.W))]
        self.holes = [self.o["seeds"]] * 2 * self.W
        self.burnt = [0] * 2 * self.W
        self.store = [0, 0]
        self.seeds_owned = [self.W * self.o["seeds"]] * 2
        self.opener = self.passed = self.laps = 0

    def circuit(self, p):
        """The places of player p's circuit in the order of sowing, from the store on."""
        ring = self.rows[1 - p] + self.rows[p]
        if self.o["direction"] == "clockwise":
            ring = self.rows[1 - p][::-1] + self.rows[p][::-1]
        return ["store", *(hole for hole in ring if not self.burnt[hole])]

    def full(self, p):
        return [hole for hole in self.rows[p] if self.holes[hole]]

    def legal(self):
        p = self.to_move
        holes = [hole for hole in self.rows[p] if not self.burnt[hole]] if self.phase == BURN else self.full(p)
        return [self.rows[p].index(hole) for hole in holes]

    def play(self, action):
        hole = self.rows[self.to_move][action]
        if self.phase == BURN:
            self.burnt[hole] = 1
            self.ask_or_fill()
            return
        while self.lap(hole) == "store":
            ways = self.full(self.to_move)
            if len(ways) > 1:
                self.phase = ON
                return
            if not ways:
                break
            hole = ways[0]
        self.end_turn()

    def lap(self, hole):
        """Sow until the laps stop; return "store" if the player goes on."""
        p = self.to_move
        way = self.circuit(p)
        while True:
            hand, self.holes[hole] = self.holes[hole], 0
            start = way.index(hole)
            for n in range(1, hand + 1):
                place = way[(start + n) % len(way)]
                if place == "store":
                    self.store[p] += 1
                    continue
                self.holes[place] += 1
                if self.o["shoot"] == "circuit" and place in self.rows[1 - p]:
                    self.passed = 1
            self.laps += 1
            if self.laps == self.o["max_laps"]:
                return "end"
            if place == "store":
                return "store"
            if self.holes[place] == 1:
                if place in self.rows[p] and (self.o["shoot"] == "any" or self.passed):
                    self.take(p, place)
                return "end"
            hole = place

    def take(self, p, place):
        facing = dict(zip(self.rows[0], self.rows[1][::-1], strict=True))
        facing |= {there: here for here, there in facing.items()}
        prize, self.holes[facing[place]] = self.holes[facing[place]], 0
        self.store[p] += prize
        if {"captured": prize > 0, "always": True, "never": False}[self.o["own_seed"]]:
            self.store[p] += 1
            self.holes[place] = 0

    def end_turn(self):
        p = self.to_move
        self.turn += 1
        self.phase = self.laps = self.passed = 0
        able = [q for q in (1 - p, p) if self.full(q)]
        short = len(able) < 2 if self.o["finish"] == "row" else not able
        if short or self.turn == self.o["max_turns"]:
            self.end_round(p)
        else:
            self.to_move = able[0]

    def end_round(self, last):
        counts = [self.store[p] + sum(self.holes[hole] for hole in self.rows[p]) for p in (0, 1)]
        everything = 2 * self.W * self.o["seeds"]
        if not self.campaign:
            self.end(counts, (0, 1), everything)
            return
        self.seeds_owned = counts
        if min(counts) // self.o["seeds"] < self.o["houses"] or self.round_number == self.o["max_rounds"]:
            self.end(counts, (0, 1), everything)
            return
        winner = counts.index(max(counts))
        even = counts[0] == counts[1]
        self.opener = {
            "winner": 1 - self.opener if even else winner,
            "loser": 1 - self.opener if even else 1 - winner,
            "alternate": 1 - self.opener,
            "last": last,
        }[self.o["first"]]
        self.round_number += 1
        self.turn = 0
        self.burnt = [0] * 2 * self.W
        if self.o["fill"] == "choice":
            self.holes = [0] * 2 * self.W
            self.store = counts[:]
        else:
            for p in (0, 1):
                outward = (self.o["direction"] == "clockwise") == (self.o["fill"] == "store")
                order = self.rows[p] if outward else self.rows[p][::-1]
                for hole in order[self.can_fill(p) :]:
                    self.burnt[hole] = 1
        self.ask_or_fill()

    def can_fill(self, p):
        return min(self.W, self.seeds_owned[p] // self.o["seeds"])

    def ask_or_fill(self):
        for p in (0, 1):
            if sum(self.burnt[hole] for hole in self.rows[p]) < self.W - self.can_fill(p):
                self.to_move, self.phase = p, BURN
                return
        for p in (0, 1):
            for hole in self.rows[p]:
                self.holes[hole] = 0 if self.burnt[hole] else self.o["seeds"]
            self.store[p] = self.seeds_owned[p] - sum(self.holes[hole] for hole in self.rows[p])
        self.to_move, self.phase = self.opener, LIFT
