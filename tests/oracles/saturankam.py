"""Saturankam, from its page alone."""

from oracles.races import Race

SIDES = (1, 3, 4, 6)
WHOLE = """
 21  20  19  18  17  16  15  14  13
 22  41  42  43  44  45  46  47  12
 23  40  63  64  65  66  67  48  11
 24  39  62  77  78  79  68  49  10
 25  38  61  76  81  80  69  50   9
 26  37  60  75  74  73  70  51   8
 27  36  59  58  57  72  71  52   7
 28  35  34  33  56  55  54  53   6
 29  30  31  32   1   2   3   4   5
"""
SHORT = ((8, 4), (8, 8), (0, 8), (0, 0), (8, 0), (8, 1), (1, 1), (1, 7), (7, 7), (7, 2), (2, 2), (2, 6), (6, 6), (6, 3))
SHORT += ((3, 3), (3, 5), (5, 5), (5, 4), (4, 4))
CROSSED = {(8, 4), (4, 8), (0, 4), (4, 0), (4, 4)}
THE_DOUBLE = 13


def whole_track():
    """Return the squares of the southern player's track; the centre is last."""
    numbers = [int(number) for number in WHOLE.split()]
    return [divmod(numbers.index(number), 9) for number in range(1, 82)]


def short_track():
    squares = [SHORT[0]]
    for corner in SHORT[1:]:
        while squares[-1] != corner:
            squares.append(tuple(a + (b > a) - (b < a) for a, b in zip(squares[-1], corner, strict=True)))
    return squares


def turned(square, quarters):
    for _ in range(quarters):
        square = 8 - square[1], square[0]
    return square


class Saturankam(Race):
    OPTIONS = {"players": 2, "track": "whole", "near": "move", "chop": "over", "use": "must", "max_turns": 1000}

    def set_up(self):
        track = whole_track() if self.o["track"] == "whole" else short_track()
        seats = (0, 2) if self.o["players"] == 2 else range(self.o["players"])
        self.tracks = [[turned(square, seat) for square in track] for seat in seats]
        self.goal = len(track)
        self.start([[1, 1] for _ in seats], 4, self.o["players"])
        self.done = None

    def side(self, player):
        return player

    def throw(self):
        """Throw until a throw can be used or there are no more throws."""
        while True:
            result = self.draw("dice", 16)
            self.throws = [(result // 4 == side) + (result % 4 == side) for side in range(4)]
            if self.uses() or 2 not in self.throws:
                return

    def may_stop(self):
        return False

    def may_go(self, piece, squares):
        place = self.pieces[self.to_move][piece]
        if squares == 0:
            return True
        if not 1 <= place < self.goal or place + squares > self.goal:
            return False
        left = self.goal - place
        return not (left in (1, 3, 4) and (squares == left or self.o["near"] == "stand"))

    def served(self):
        """Return the counters that a double moves out, and those that it takes in."""
        if 2 not in self.throws:
            return [], []
        double = SIDES[self.throws.index(2)]
        pieces = self.pieces[self.to_move]
        out = [i for i, place in enumerate(pieces) if double != 6 and place == self.goal - double]
        return out, [i for i, place in enumerate(pieces) if double == 1 and place == 0]

    def total(self):
        """Return the sum of the thrown sides."""
        return sum(side * number for side, number in zip(SIDES, self.throws, strict=True))

    def uses(self):
        total = self.total()
        found = [a for a in range(total + 1) if self.may_go(0, a) and self.may_go(1, total - a)] if total else []
        return found + ([THE_DOUBLE] if any(self.served()) else [])

    def use(self, action):
        p = self.to_move
        doubled = 2 in self.throws
        if action == THE_DOUBLE:
            out, enter = self.served()
            for i in out:
                self.pieces[p][i] = self.goal
            for i in enter:
                self.pieces[p][i] = 1
        else:
            for i, squares in enumerate((action, self.total() - action)):
                self.go(i, squares)
        self.throws = [0] * 4
        if doubled and not self.is_home(p):
            self.throw()

    def go(self, piece, squares):
        p = self.to_move
        place = self.pieces[p][piece]
        end = place + squares
        self.pieces[p][piece] = end
        passed = range(place + 1, end + 1) if self.o["chop"] == "over" else range(end, end + bool(squares))
        hit = {self.tracks[p][there - 1] for there in passed} - CROSSED
        for other in range(self.players):
            for i, there in enumerate(self.pieces[other]):
                if other != p and 0 < there < self.goal and self.tracks[other][there - 1] in hit:
                    self.pieces[other][i] = 0
