"""Peralikatuma and Kotu Ellima, from their pages alone."""

from oracles.points import JumpingGame, forty_nine

# The points of player 0's soldiers in Peralikatuma, and the empty points.
ROOMS = [*range(30, 35), *range(37, 42), *range(43, 49), 6, 13, 20, 21, 29, 36, 22]
MIDDLE = [23, 24, 25]


class War(JumpingGame):
    """Base of both games."""

    FIELDS = ("board", "taken", "moving", "quiet")
    done = 392

    def arrange(self, mine, empty):
        self.lay_out(*forty_nine())
        self.board = [0 if point in empty else 1 if point in mine else 2 for point in range(self.N)]
        self.soldiers = self.N - len(empty)
        self.taken = [0, 0]

    def number(self, player, start, way):
        """Return the number of an action, which is relative to the player's side of the board."""
        return 8 * start + way if player == 0 else 8 * (48 - start) + (way + 4) % 8

    def end_turn(self, progress):
        self.next_player(progress)
        if not self.legal():
            self.end_won(1 - self.to_move, self.soldiers, self.taken)
        elif self.is_too_long():
            self.end_won(None, self.soldiers, self.taken)


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
