"""Dongjintian, from its page alone."""

from oracles.grid import Grid


class Dongjintian(Grid):
    FIELDS = ("holes", "store", "hand", "at", "heading")
    OPTIONS = {
        "rows": 4, "columns": 5, "seeds": 5, "players": 4, "relay_back": False,
        "quiet_turns": 100, "max_turns": 600, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        self.lay_out(self.o["rows"], self.o["columns"], self.o["seeds"], self.o["players"])

    def ways(self):
        """Return the directions in which the next seed may fall."""
        return self.onward(self.fresh and self.o["relay_back"])

    def liftable(self, player):
        return [hole for hole, held in enumerate(self.holes) if held]

    def lift(self, hole):
        super().lift(hole)
        self.fresh = True

    def step(self, way):
        """Drop a seed."""
        self.at, self.heading, self.fresh = self.neighbour(self.at, way), way, False
        self.drop()
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
        captured = beyond is not None and self.holes[beyond] > 0
        if captured:
            self.capture(beyond)
        return self.end_turn(captured)

    def end_turn(self, captured):
        self.to_move = (self.to_move + 1) % self.o["players"]
        if self.is_over(captured):
            self.end(self.store, self.R * self.C * self.o["seeds"])
