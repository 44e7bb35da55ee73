"""Sowing on a grid of holes in directions that the mover chooses, shared by Dongjintian and Zigulzoqge."""

from oracles import Oracle

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west


class Grid(Oracle):
    """Base of both games; subclasses define `ways`, the directions of the next step, `liftable`, `lift` and `step`."""

    def lay_out(self, rows, columns, seeds, players):
        self.R, self.C = rows, columns
        self.holes = [seeds] * (rows * columns)
        self.store = [0] * players
        self.quiet = 0
        self.nobody_sows()

    def nobody_sows(self):
        self.hand, self.at, self.heading, self.phase, self.laps = 0, -1, -1, 0, 0

    def neighbour(self, hole, way):
        """Return the hole that a step reaches, or None."""
        row, column = hole // self.C + STEPS[way][0], hole % self.C + STEPS[way][1]
        return row * self.C + column if 0 <= row < self.R and 0 <= column < self.C else None

    def onward(self, free=False):
        """Return the directions of steps on the board, only if `free` also back to where the last step came from."""
        back = None if free or self.heading == -1 else (self.heading + 2) % 4
        return [way for way in range(4) if way != back and self.neighbour(self.at, way) is not None]

    def legal(self):
        if self.phase == 0:
            return self.liftable(self.to_move)
        return [len(self.holes) + way for way in self.ways()]

    def play(self, action):
        if self.phase == 0:
            self.lift(action)
        else:
            self.step(action - len(self.holes))
        while self.at >= 0 and len(self.ways()) == 1:
            self.step(self.ways()[0])
        self.phase = int(self.at >= 0)

    def lift(self, hole):
        self.at, self.hand, self.holes[hole] = hole, self.holes[hole], 0

    def drop(self):
        self.holes[self.at] += 1
        self.hand -= 1

    def capture(self, hole):
        self.store[self.to_move] += self.holes[hole]
        self.holes[hole] = 0

    def is_over(self, captured):
        """Count a turn; return whether the game is over."""
        self.nobody_sows()
        self.turn += 1
        self.quiet = 0 if captured else self.quiet + 1
        return sum(self.holes) < 2 or self.is_too_long()
