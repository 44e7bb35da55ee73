"""Congkak, from its page alone."""

from oracles.rows import Rows

LIFT, BURN, ON = 0, 1, 3


class Congkak(Rows):
    FIELDS = ("holes", "burnt", "store", "seeds_owned", "opener", "passed")
    OPTIONS = {
        "columns": 7, "seeds": 7, "direction": "clockwise", "own_seed": "captured", "shoot": "any", "finish": "stores",
        "fill": "store", "first": "winner", "houses": 1, "max_turns": 400, "max_rounds": 30, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        super().set_up()
        self.burnt = [0] * 2 * self.W
        self.seeds_owned = [self.W * self.o["seeds"]] * 2
        self.passed = self.laps = 0

    def circuit(self, p):
        """The places of player p's circuit in the order of sowing, from the store on."""
        step = -1 if self.o["direction"] == "clockwise" else 1
        ring = [*self.row(1 - p)[::step], *self.row(p)[::step]]
        return ["store", *(hole for hole in ring if not self.burnt[hole])]

    def legal(self):
        if self.phase != BURN:
            return super().legal()
        return [hole % self.W for hole in self.row(self.to_move) if not self.burnt[hole]]

    def play(self, action):
        hole = self.to_move * self.W + action
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
                if self.o["shoot"] == "circuit" and place in self.row(1 - p):
                    self.passed = 1
            self.laps += 1
            if self.laps == self.o["max_laps"]:
                return "end"
            if place == "store":
                return "store"
            if self.holes[place] == 1:
                if place in self.row(p) and (self.o["shoot"] == "any" or self.passed):
                    self.catch(p, place)
                return "end"
            hole = place

    def catch(self, p, place):
        facing = 2 * self.W - 1 - place
        prize = self.holes[facing]
        self.take(facing, p)
        if {"captured": prize > 0, "always": True, "never": False}[self.o["own_seed"]]:
            self.take(place, p)

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
        counts = self.counts()
        if not self.further_round(counts):
            return
        self.opener = last if self.o["first"] == "last" else self.next_opener(counts)
        self.burnt = [0] * 2 * self.W
        if self.o["fill"] == "choice":
            self.holes = [0] * 2 * self.W
            self.store = counts[:]
        else:
            for p in (0, 1):
                outward = (self.o["direction"] == "clockwise") == (self.o["fill"] == "store")
                for hole in self.row(p)[:: 1 if outward else -1][self.can_fill(p) :]:
                    self.burnt[hole] = 1
        self.ask_or_fill()

    def can_fill(self, p):
        return min(self.W, self.seeds_owned[p] // self.o["seeds"])

    def ask_or_fill(self):
        for p in (0, 1):
            if sum(self.burnt[hole] for hole in self.row(p)) < self.W - self.can_fill(p):
                self.to_move, self.phase = p, BURN
                return
        for p in (0, 1):
            for hole in self.row(p):
                self.holes[hole] = 0 if self.burnt[hole] else self.o["seeds"]
            self.store[p] = self.seeds_owned[p] - self.in_row(p)
        self.to_move, self.phase = self.opener, LIFT
