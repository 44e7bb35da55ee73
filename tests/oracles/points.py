"""Lines, steps and jumps, shared by the oracles of games on points."""

from oracles import Oracle

DIRECTIONS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # north, north-east, ...
MOVE, GO_ON = 0, 2


def lines_of(text):
    """Parse lines of points in the notation of the pages: "0 1 2, 3 4 5"."""
    return [[int(point) for point in line.split()] for line in text.split(",")]


def steps_and_jumps(places, lines):
    """Return the steps {(from, direction): to} and jumps {(from, direction): (over, to)} along lines."""
    steps, jumps = {}, {}
    for line in lines:
        for way in (line, line[::-1]):
            for i, start in enumerate(way[:-1]):
                (row, column), (to_row, to_column) = places[start], places[way[i + 1]]
                towards = tuple((b > a) - (b < a) for a, b in ((row, to_row), (column, to_column)))
                direction = DIRECTIONS.index(towards)
                steps[start, direction] = way[i + 1]
                if i + 2 < len(way):
                    jumps[start, direction] = (way[i + 1], way[i + 2])
    return steps, jumps


def forty_nine():
    """Return the places and lines of the board of 49 points."""
    rows = (
        (2, 4, 6), (3, 4, 5), (0, 2, 3, 4, 5, 6, 8), (1, 2, 3, 4, 5, 6, 7), tuple(range(9)),
        (1, 2, 3, 4, 5, 6, 7), (0, 2, 3, 4, 5, 6, 8), (3, 4, 5), (2, 4, 6),
    )  # fmt: skip
    places = [(row, column) for row, columns in enumerate(rows) for column in columns]
    lines = lines_of(
        "0 1 2, 3 4 5, 7 8 9 10 11, 14 15 16 17 18, 20 21 22 23 24 25 26 27 28, 30 31 32 33 34, 37 38 39 40 41,"
        "43 44 45, 46 47 48, 6 20 36, 13 21 29, 7 14 22 30 37, 8 15 23 31 38, 1 4 9 16 24 32 39 44 47, 10 17 25 33 40,"
        "11 18 26 34 41, 19 27 35, 12 28 42, 0 3 9 17 26 35 42, 7 15 24 33 41, 6 13 22 31 39 45 48, 2 5 9 15 22 29 36,"
        "11 17 24 31 37, 12 19 26 33 39 43 46"
    )
    return places, lines


class PointGame(Oracle):
    """A game in which pieces step along lines; a subclass numbers the actions with `number(player, start, way)`."""

    def lay_out(self, places, lines):
        self.ways, self.leaps = steps_and_jumps(places, lines)
        self.N = len(places)
        self.board = [0] * self.N
        self.quiet = 0

    def number(self, player, start, way):
        return self.N + 8 * start + way

    def steps(self, player):
        """Return the steps of a player as {action: (from, to)}."""
        return {
            self.number(player, start, way): (start, end)
            for (start, way), end in self.ways.items()
            if [self.board[start], self.board[end]] == [1 + player, 0]
        }

    def empty(self):
        return [point for point in range(self.N) if self.board[point] == 0]


class JumpingGame(PointGame):
    """A game in which pieces also jump over an enemy, several times in a turn if `goes_on` says so.

    Subclasses set `done`, the action that stops between two jumps, and define `end_turn`.
    """

    moving = -1

    def jumps(self, player, only=-1):
        """Return the jumps of a player, or of the piece on `only`, as {action: (from, over, to)}."""
        return {
            self.number(player, start, way): (start, over, end)
            for (start, way), (over, end) in self.leaps.items()
            if [self.board[point] for point in (start, over, end)] == [1 + player, 2 - player, 0]
            if only in (-1, start)
        }

    def legal(self):
        free = self.o["capture"] == "free"
        jumps = list(self.jumps(self.to_move, self.moving))
        if self.phase == GO_ON:
            return sorted([*jumps, self.done] if free else jumps)
        return sorted(jumps if jumps and not free else [*jumps, *self.steps(self.to_move)])

    def play(self, action):
        p = self.to_move
        if action == self.done:
            return self.end_turn(True)
        if action in self.steps(p):
            start, end = self.steps(p)[action]
            self.board[start], self.board[end] = 0, 1 + p
            return self.end_turn(False)
        start, over, end = self.jumps(p)[action]
        self.board[start] = self.board[over] = 0
        self.board[end] = 1 + p
        self.taken[p] += 1
        self.quiet = 0
        if not (self.goes_on() and self.jumps(p, end)):
            return self.end_turn(True)
        self.moving, self.phase = end, GO_ON
        if len(self.legal()) == 1:
            return self.play(self.legal()[0])
        return None

    def goes_on(self):
        """Return whether a piece that has jumped may jump again."""
        return True

    def next_player(self, progress):
        self.moving, self.phase = -1, MOVE
        self.turn += 1
        self.quiet = 0 if progress else self.quiet + 1
        self.to_move = 1 - self.to_move
