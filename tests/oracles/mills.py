"""Nerenchi Keliya and Niranchy, from their pages alone."""

from oracles.points import PointGame, lines_of

PLACES = [
    (0, 0), (0, 3), (0, 6), (1, 1), (1, 3), (1, 5), (2, 2), (2, 3), (2, 4), (3, 0), (3, 1), (3, 2),
    (3, 4), (3, 5), (3, 6), (4, 2), (4, 3), (4, 4), (5, 1), (5, 3), (5, 5), (6, 0), (6, 3), (6, 6),
]  # fmt: skip
STRAIGHT = lines_of(
    "0 1 2, 3 4 5, 6 7 8, 9 10 11, 12 13 14, 15 16 17, 18 19 20, 21 22 23,"
    "0 9 21, 3 10 18, 6 11 15, 1 4 7, 16 19 22, 8 12 17, 5 13 20, 2 14 23"
)
CORNERS = lines_of("0 3 6, 2 5 8, 21 18 15, 23 20 17")
LAY, MOVE, REMOVE = 0, 1, 2


class Mills(PointGame):
    """Base of both games."""

    def set_up(self):
        self.lines = STRAIGHT + (CORNERS if self.o["corners"] else [])
        self.lay_out(PLACES, self.lines)

    def in_row(self, point):
        """Return whether the piece on a point is part of a row of its own kind."""
        return any(point in line and len({self.board[p] for p in line}) == 1 for line in self.lines)


class NerenchiKeliya(Mills):
    FIELDS = ("board", "hand", "taken", "quiet")
    OPTIONS = {
        "placing": "fill", "moves": "line", "protect": False, "end": "all", "corners": False,
        "quiet_turns": 100, "max_turns": 1000,
    }  # fmt: skip

    def set_up(self):
        super().set_up()
        self.fill = self.o["placing"] == "fill"
        self.hand = [22, 22] if self.fill else [9, 9]
        self.taken = [0, 0]

    def steps(self, player):
        if self.o["moves"] == "line":
            return super().steps(player)
        mine = [point for point in range(24) if self.board[point] == 1 + player]
        return {24 + 24 * start + end: (start, end) for start in mine for end in self.empty()}

    def removable(self):
        theirs = [point for point in range(24) if self.board[point] == 2 - self.to_move]
        if self.o["protect"]:
            return [point for point in theirs if not self.in_row(point)] or theirs
        return theirs

    def legal(self):
        if self.phase == LAY:
            return self.empty()
        return sorted(self.steps(self.to_move)) if self.phase == MOVE else self.removable()

    def play(self, action):
        self.decide(action)
        while self.inside and len(self.legal()) == 1:
            self.decide(self.legal()[0])

    def decide(self, action):
        self.inside = False
        if self.phase == LAY:
            self.lay(action)
        elif self.phase == MOVE:
            self.move(*self.steps(self.to_move)[action])
        else:
            self.remove(action)

    def lay(self, point):
        p = self.to_move
        self.board[point] = 1 + p
        self.hand[p] -= 1
        if self.fill:
            self.hand[1 - p] -= 1
        self.quiet = 0
        if self.in_row(point) and self.hand[p]:
            self.inside = True
        else:
            self.end_turn()

    def move(self, start, end):
        self.board[start], self.board[end] = 0, 1 + self.to_move
        if self.in_row(end):
            self.phase, self.inside = REMOVE, True
        else:
            self.quiet += 1
            self.end_turn()

    def remove(self, point):
        p = self.to_move
        self.board[point] = 0
        self.taken[p] += 1
        self.quiet = 0
        left = self.board.count(2 - p)
        if left <= (0 if self.o["end"] == "all" else 2):
            self.turn += 1
            self.over(p)
        else:
            self.phase, self.inside = MOVE, True

    def end_turn(self):
        p = self.to_move
        self.turn += 1
        if self.is_too_long():
            return self.over(None)
        if any(self.hand):
            self.to_move = 1 - p if self.hand[1 - p] else p
        else:
            self.phase = MOVE
            self.to_move = 1 - p if self.steps(1 - p) else p
        return None

    def over(self, winner):
        self.end_won(winner, 22 if self.fill else 18, self.taken)


class Niranchy(Mills):
    FIELDS = ("board", "hand", "quiet")
    OPTIONS = {
        "maker": "both", "moves_after": "one", "men": 12, "blocked": "lose", "corners": True,
        "quiet_turns": 50, "max_turns": 500,
    }  # fmt: skip

    def set_up(self):
        super().set_up()
        self.hand = [self.o["men"]] * 2
        self.makers = {"both": (0, 1), "first": (0,), "second": (1,)}[self.o["maker"]]

    def legal(self):
        return self.empty() if self.phase == LAY else sorted(self.steps(self.to_move))

    def play(self, action):
        p = self.to_move
        if self.phase == LAY:
            point = action
            self.hand[p] -= 1
        else:
            start, point = self.steps(p)[action]
            self.board[start] = 0
            self.quiet += 1
        self.board[point] = 1 + p
        self.turn += 1
        laid = 0 in self.hand if self.o["moves_after"] == "one" else self.hand == [0, 0]
        if p in self.makers and self.in_row(point):
            return self.end_won(p, 1)
        self.to_move = 1 - p
        if laid:
            self.phase = MOVE
            for q in (1 - p, p):
                if self.steps(q):
                    self.to_move = q
                    break
                if q in self.makers and self.o["blocked"] == "lose":
                    return self.end_won(1 - q, 1)
            else:
                return self.end_won(None, 1)
        if self.is_too_long():
            return self.end_won(None, 1)
        return None
