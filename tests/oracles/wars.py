"""Peralikatuma and Kotu Ellima, from their pages alone."""

from oracles import Oracle
from oracles.points import forty_nine, steps_and_jumps

STEPS, JUMPS = steps_and_jumps(*forty_nine())
MOVE, GO_ON, DONE = 0, 2, 392
# The points of player 0's soldiers in Peralikatuma, and the empty points.
ROOMS = [*range(30, 35), *range(37, 42), *range(43, 49), 6, 13, 20, 21, 29, 36, 22]
MIDDLE = [23, 24, 25]


class War(Oracle):
    """Base of both games."""

    FIELDS = ("board", "taken", "moving", "quiet")

    def arrange(self, mine, empty):
        self.board = [0 if point in empty else 1 if point in mine else 2 for point in range(49)]
        self.soldiers = 49 - len(empty)
        self.taken = [0, 0]
        self.moving, self.quiet = -1, 0

    @staticmethod
    def number(player, start, way):
        """Return the number of an action, which is relative to the player's side of the board."""
        return 8 * start + way if player == 0 else 8 * (48 - start) + (way + 4) % 8

    def steps(self, player):
        return {
            self.number(player, start, way): (start, end)
            for (start, way), end in STEPS.items()
            if self.board[start] == 1 + player and self.board[end] == 0
        }

    def jumps(self, player, only=-1):
        return {
            self.number(player, start, way): (start, over, end)
            for (start, way), (over, end) in JUMPS.items()
            if self.board[start] == 1 + player and self.board[over] == 2 - player and self.board[end] == 0
            if only in (-1, start)
        }

    def legal(self):
        p, free = self.to_move, self.o["capture"] == "free"
        jumps = list(self.jumps(p, self.moving))
        if self.phase == GO_ON:
            return sorted([*jumps, DONE] if free else jumps)
        return sorted(jumps if jumps and not free else [*jumps, *self.steps(p)])

    def play(self, action):
        p = self.to_move
        if action == DONE:
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
        onward = self.jumps(p, end)
        if not onward:
            return self.end_turn(True)
        self.moving, self.phase = end, GO_ON
        if len(self.legal()) == 1:
            return self.play(self.legal()[0])
        return None

    def end_turn(self, captured):
        p = self.to_move
        self.moving, self.phase = -1, MOVE
        self.turn += 1
        self.quiet = 0 if captured else self.quiet + 1
        self.to_move = 1 - p
        if not self.legal():
            self.end([int(q == p) for q in (0, 1)], (0, 1), self.soldiers, self.taken)
        elif self.quiet >= self.o["quiet_turns"] or self.turn >= self.o["max_turns"]:
            self.end([0, 0], (0, 1), self.soldiers, self.taken)


class Peralikatuma(War):
    OPTIONS = {"soldiers": 23, "capture": "free", "quiet_turns": 200, "max_turns": 1500}

    def set_up(self):
        if self.o["soldiers"] == 23:
            self.arrange(ROOMS, MIDDLE)
        else:
            self.arrange([*ROOMS, 23], [24])


class KotuEllima(War):
    OPTIONS = {"setup": "diagonal", "capture": "compulsory", "quiet_turns": 100, "max_turns": 1000}

    def set_up(self):
        if self.o["setup"] == "rows":
            self.arrange([*ROOMS, 23], [24])
        else:
            below = [*range(43, 49), 6, 13, 20, 21, 29, 36, 14, 22, 23, 30, 31, 32, 37, 38, 39, 40]
            self.arrange([*below, 33, 41], [24])
