"""Dongjintian, from its page alone."""

from oracles import Oracle

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west


class Dongjintian(Oracle):
    FIELDS = ("holes", "store", "hand", "at", "heading")
    OPTIONS = {
        "rows": 4, "columns": 5, "seeds": 5, "players": 4, "relay_back": False,
        "quiet_turns": 100, "max_turns": 600, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        self.R, self.C = self.o["rows"], self.o["columns"]
        self.holes = [self.o["seeds"]] * (self.R * self.C)
        self.store = [0] * self.o["players"]
        self.quiet = 0
        self.nobody_sows()

    def nobody_sows(self):
        self.hand, self.at, self.heading, self.phase, self.laps, self.fresh = 0, -1, -1, 0, 0, False

    def neighbour(self, hole, way):
        row, column = hole // self.C + STEPS[way][0], hole % self.C + STEPS[way][1]
        return row * self.C + column if 0 <= row < self.R and 0 <= column < self.C else None

    def ways(self):
        """Return the directions in which the next seed may fall."""
        free = self.heading == -1 or (self.fresh and self.o["relay_back"])
        return [
            way
            for way in range(4)
            if self.neighbour(self.at, way) is not None and (free or way != (self.heading + 2) % 4)
        ]

    def legal(self):
        if self.phase == 0:
            return [hole for hole, held in enumerate(self.holes) if held]
        return [len(self.holes) + way for way in self.ways()]

    def play(self, action):
        if self.phase == 0:
            self.lift(action)
        else:
            self.drop(action - len(self.holes))
        while self.at >= 0 and len(self.ways()) == 1:
            self.drop(self.ways()[0])
        self.phase = int(self.at >= 0)

    def lift(self, hole):
        self.at, self.hand, self.holes[hole], self.fresh = hole, self.holes[hole], 0, True

    def drop(self, way):
        self.at, self.heading, self.fresh = self.neighbour(self.at, way), way, False
        self.holes[self.at] += 1
        self.hand -= 1
        if self.hand == 0:
            self.laps += 1
            self.relay_or_capture()

    def relay_or_capture(self):
        ahead = self.neighbour(self.at, self.heading)
        if self.laps == self.o["max_laps"] or ahead is None:
            return self.end_turn(False)
        if self.holes[ahead]:
            return self.lift(ahead)
        beyond = self.neighbour(ahead, self.heading)
        caught = self.holes[beyond] if beyond is not None else 0
        if caught:
            self.store[self.to_move] += caught
            self.holes[beyond] = 0
        return self.end_turn(caught > 0)

    def end_turn(self, captured):
        self.nobody_sows()
        self.turn += 1
        self.quiet = 0 if captured else self.quiet + 1
        players = self.o["players"]
        self.to_move = (self.to_move + 1) % players
        if sum(self.holes) < 2 or self.quiet >= self.o["quiet_turns"] or self.turn >= self.o["max_turns"]:
            self.end(self.store, range(players), self.R * self.C * self.o["seeds"])
