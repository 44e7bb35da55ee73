"""Zigulzoqge, from its page alone."""

from oracles.grid import Grid

NEXT, CAUGHT, EMPTY = 1, 2, 3  # phases of the search for a capture


class Zigulzoqge(Grid):
    FIELDS = ("holes", "store", "hand", "at", "heading", "look")
    OPTIONS = {
        "players": 4, "columns": 4, "teams": False, "onward": "path", "lift": "row", "capture": "single",
        "leftover": "row", "quiet_turns": 40, "max_turns": 400, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        self.P = self.o["players"]
        self.order = [0, 2, 1, 3] if self.o["teams"] else list(range(self.P))
        self.lay_out(self.P, self.o["columns"], 5, self.P)

    def nobody_sows(self):
        super().nobody_sows()
        self.look, self.met, self.captured = 0, [], False

    def neighbour(self, hole, way):
        if way in (0, 2) and hole % self.C not in (0, self.C - 1):
            return None
        return super().neighbour(hole, way)

    def ways(self):
        """Return the directions in which the path can continue."""
        ways = self.onward()
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

    def play(self, action):
        super().play(action)
        if self.at >= 0:
            self.phase = 2 if self.look else 1

    def lift(self, hole):
        super().lift(hole)
        self.look = 0

    def step(self, way):
        """Take a step along the path, to drop a seed or to inspect a hole."""
        self.at, self.heading = self.neighbour(self.at, way), way
        if self.look:
            return self.inspect()
        self.drop()
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
            return self.lift(self.at)
        if self.look == CAUGHT:
            if not full:
                return self.end_turn()
            self.capture(self.at)
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
        if self.is_over(self.captured):
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
        seats = range(self.P)
        if self.o["teams"]:
            counts, seats = [counts[0] + counts[1], counts[2] + counts[3]], [0, 0, 1, 1]
        self.end(counts, self.P * self.C * 5, seats=seats)
