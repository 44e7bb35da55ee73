"""Pancha Keliya, Pancha Keliya (Complex) and Kawade Kelia, from their pages alone."""

from oracles.races import THROWS_OF_A_TURN, Race, mouths

SPECIAL = (1, 5, 6)


class PanchaRace(Race):
    """Base of the races; a track is a list of square numbers, and pieces on equal numbers share a square."""

    COMMON = {"use": "must", "enter": "count", "own": "together", "safe": "shared"}

    def lay_out(self, tracks, marked, rows, counters, players):
        self.tracks, self.marked, self.K = tracks, marked, counters
        self.goal = len(tracks[0]) + 1
        self.start([[0] * counters for _ in range(rows)], 6, players)

    def side(self, player):
        return player % 2

    def square(self, row, place):
        """Return the number of the square at a place of the track, None off the board."""
        return self.tracks[row % 2][place - 1] if 0 < place < self.goal else None

    def standing(self, square, side):
        """Return the pieces (row, number) of a side on a square."""
        return [
            (row, i)
            for row in range(len(self.pieces))
            for i, place in enumerate(self.pieces[row])
            if row % 2 == side and self.square(row, place) == square
        ]

    def throw(self):
        for number in range(1, THROWS_OF_A_TURN + 1):
            shown = mouths(self.draw("cowries", 64))
            if shown:
                self.throws[shown - 1] += 1
            if self.o.get("again", "special") == "none" or shown not in SPECIAL or number == THROWS_OF_A_TURN:
                return

    def target(self, index, piece):
        side, row, value = self.side(self.to_move), self.row(self.to_move), index + 1
        place = self.pieces[row][piece]
        if place == self.goal:
            return None
        if place == 0:
            if self.o.get("admit", "special") == "special" and value not in SPECIAL:
                return None
            end = value if self.o["enter"] == "count" else 1
        else:
            end = place + value
        if end >= self.goal:
            return self.goal if end == self.goal or self.o.get("leave") == "beyond" else None
        square = self.square(row, end)
        if self.o["own"] == "apart" and set(self.standing(square, side)) - {(row, piece)}:
            return None
        if self.o["safe"] == "shut" and square in self.marked and self.standing(square, 1 - side):
            return None
        return end

    def use(self, action):
        index, piece = divmod(action, self.K)
        row = self.row(self.to_move)
        end = self.target(index, piece)
        self.throws[index] -= 1
        self.pieces[row][piece] = end
        square = self.square(row, end)
        if square is not None and square not in self.marked:
            for other, i in self.standing(square, 1 - row % 2):
                self.pieces[other][i] = 0


class PanchaKeliya(PanchaRace):
    OPTIONS = {**PanchaRace.COMMON, "players": 2, "last": "plain", "max_turns": 1000}

    def set_up(self):
        common = list(range(9, 34))
        marked = {4, 13, 18, 23, 28} | ({33} if self.o["last"] == "safe" else set())
        self.lay_out([[0, 1, 2, 3, 4, *common], [8, 7, 6, 5, 4, *common]], marked, 2, 3, self.o["players"])

    def row(self, player):
        return player % 2


class PanchaKeliyaComplex(PanchaRace):
    OPTIONS = {
        **PanchaRace.COMMON, "counters": 3, "admit": "special", "again": "special", "leave": "exact",
        "max_turns": 2000,
    }  # fmt: skip

    def set_up(self):
        stem, inner = [11, 12, 13, 14, 15], [15, 55, 56, 57, 58, 59]
        tracks = [
            [*range(6), *stem, *range(16, 55), *inner, *range(60, 65), *range(65, 69), 69],
            [*range(10, 4, -1), *stem, *range(54, 15, -1), *inner, *range(70, 75), *range(75, 79), 69],
        ]
        marked = {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 59, 64, 69, 74}
        self.lay_out(tracks, marked, 2, self.o["counters"], 2)


class KawadeKelia(PanchaRace):
    OPTIONS = {
        **PanchaRace.COMMON, "players": 2, "admit": "any", "again": "none", "leave": "exact", "circuit": "right",
        "max_turns": 2000,
    }  # fmt: skip

    def set_up(self):
        right, left = list(range(16, 59)), list(range(58, 15, -1))
        rings = [right, left] if self.o["circuit"] == "right" else [left, right]
        ends = [[0, 1, 2, 3, 4, 5], [10, 9, 8, 7, 6, 5]]
        tracks = [[*ends[s], 11, 12, 13, 14, 15, *rings[s], 15, *range(59, 70)] for s in (0, 1)]
        marked = {5, 15, 64, 21, 32, 43, 54, 26, 27, 37, 38, 48, 49}
        self.lay_out(tracks, marked, self.o["players"], 3, self.o["players"])
