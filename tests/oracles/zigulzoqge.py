"""Zigulzoqge, from its page alone."""

from oracles import Oracle

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west
NEXT, CAUGHT, EMPTY = 1, 2, 3  # phases of the search for a capture


class Zigulzoqge(Oracle):
    FIELDS = ("holes", "store", "hand", "at", "heading", "look")
    OPTIONS = {
        "players": 4, "columns": 4, "teams": False, "onward": "path", "lift": "row", "capture": "single",
        "leftover": "row", "quiet_turns": 40, "max_turns": 400, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        self.P, self.C = self.o["players"], self.o["columns"]
        self.holes = [5] * (self.P * self.C)
        self.store = [0] * self.P
        self.quiet = 0
        self.order = [0, 2, 1, 3] if self.o["teams"] else list(range(self.P))
        self.nobody_sows()

    def nobody_sows(self):
        self.hand, self.at, self.heading, self.look, self.phase, self.laps = 0, -1, -1, 0, 0, 0
        self.met, self.captured = [], False

    def neighbour(self, hole, way):
        """Return the hole that a step along the path reaches, or None."""
        row, column = divmod(hole, self.C)
        if way in (0, 2) and column not in (0, self.C - 1):
            return None
        row, column = row + STEPS[way][0], column + STEPS[way][1]
        return row * self.C + column if 0 <= row < self.P and 0 <= column < self.C else None

    def ways(self):
        """Return the directions in which the path can continue."""
        ways = [way for way in range(4) if self.neighbour(self.at, way) is not None]
        if self.heading >= 0:
            ways = [way for way in ways if way != (self.heading + 2) % 4]
        if self.look and self.o["onward"] == "straight" and self.heading in ways:
            return [self.heading]
        return ways

    def liftable(self, player):
        rows = [player]
        if self.o["lift"] == "team":
            rows = [player // 2 * 2, player // 2 * 2 + 1]
        if self.o["lift"] == "any":
            rows = range(self.P)
        return [row * self.C + i for row in rows for i in range(self.C) if self.holes[row * self.C + i]]

    def legal(self):
        if self.phase == 0:
            return self.liftable(self.to_move)
        return [len(self.holes) + way for way in self.ways()]

    def play(self, action):
        if self.phase == 0:
            self.pick_up(action)
        else:
            self.go(action - len(self.holes))
        while self.at >= 0 and len(self.ways()) == 1:
            self.go(self.ways()[0])
        if self.at >= 0:
            self.phase = 2 if self.look else 1

    def pick_up(self, hole):
        self.at, self.hand, self.holes[hole], self.look = hole, self.holes[hole], 0, 0

    def go(self, way):
        """Take a step along the path, to drop a seed or to inspect a hole."""
        self.at, self.heading = self.neighbour(self.at, way), way
        if self.look:
            return self.inspect()
        self.holes[self.at] += 1
        self.hand -= 1
        if self.hand == 0:
            self.laps += 1
            if self.laps == self.o["max_laps"]:
                return self.end_turn()
            self.look, self.met = NEXT, [self.at]
        return None

    def inspect(self):
        full = self.holes[self.at] > 0
        if self.o["capture"] == "chain" and self.at in self.met:
            return self.end_turn()
        self.met.append(self.at)
        if self.look == NEXT and full:
            return self.pick_up(self.at)
        if self.look == CAUGHT:
            if not full:
                return self.end_turn()
            self.store[self.to_move] += self.holes[self.at]
            self.holes[self.at] = 0
            self.captured = True
            if self.o["capture"] == "single":
                return self.end_turn()
            self.look = EMPTY
        elif full:
            return self.end_turn()
        else:
            self.look = CAUGHT
        return None

    def end_turn(self):
        self.quiet = 0 if self.captured else self.quiet + 1
        self.turn += 1
        self.nobody_sows()
        over = sum(self.holes) < 2 or self.quiet >= self.o["quiet_turns"] or self.turn >= self.o["max_turns"]
        if over:
            return self.count()
        place = self.order.index(self.to_move)
        after = self.order[place + 1 :] + self.order[: place + 1]
        self.to_move = next(player for player in after if self.liftable(player))
        return None

    def count(self):
        counts = self.store[:]
        if self.o["leftover"] == "row":
            for hole, held in enumerate(self.holes):
                counts[hole // self.C] += held
        seats = list(range(self.P))
        if self.o["teams"]:
            counts, seats = [counts[0] + counts[1], counts[2] + counts[3]], [0, 0, 1, 1]
        self.end(counts, seats, self.P * self.C * 5)
