"""Sokkattan, Pahada Keliya, Asi Keliya and Tayam Sonalu, from their pages alone."""

from oracles.races import THROWS_OF_A_TURN, Race, mouths


class CrossRace(Race):
    """A race on a cross-shaped board; subclasses define `VALUES`, `set_up`, `throw`, `entry` and `may_go`."""

    # The cross: place of home, first and last place on the ring, cells of the ring, cells between two arms.
    LARGE = (84, 8, 76, 68, 17)
    SMALL = (48, 4, 44, 40, 10)
    CROSS = LARGE
    VALUES = ()
    SAFE = ()

    def sit(self, pieces, arms=None):
        self.arms = arms or [[player] * len(row) for player, row in enumerate(pieces)]
        self.K = len(pieces[0])
        self.goal = self.CROSS[0]
        self.start(pieces, len(self.VALUES), len(pieces))

    def side(self, player):
        return player % 2 if self.o.get("teams", True) else player

    def cell(self, player, piece, place):
        """Return the cell of the ring, or None off the ring, where no other player comes."""
        _, first, last, ring, apart = self.CROSS
        return (apart * self.arms[player][piece] + place - first) % ring if first <= place <= last else None

    def opponents(self, cell):
        """Return the pieces (player, number) of the mover's opponents on a cell of the ring."""
        if cell is None:
            return []
        return [
            (player, i)
            for player, row in enumerate(self.pieces)
            if self.side(player) != self.side(self.to_move)
            for i, place in enumerate(row)
            if self.cell(player, i, place) == cell
        ]

    def blocked(self, piece, start, end):
        """Return whether an opponent stands strictly between the two places."""
        return any(self.opponents(self.cell(self.to_move, piece, place)) for place in range(start + 1, end))

    def alike(self, player):
        return list(zip(self.pieces[player], self.arms[player], strict=True))

    def target(self, index, piece):
        place = self.pieces[self.to_move][piece]
        if place == self.goal:
            return None
        end = self.entry(index) if place == 0 else place + self.VALUES[index]
        if end is None or end > self.goal or not self.may_go(index, piece, place, end):
            return None
        return end

    def use(self, action):
        index, piece = divmod(action, self.K)
        end = self.target(index, piece)
        self.throws[index] -= 1
        if self.pieces[self.to_move][piece] == 0:
            self.entering(piece, end)
        self.go(piece, end)

    def entering(self, piece, end):
        """Hook for further effects of entering a piece."""

    def go(self, piece, end):
        p = self.to_move
        self.pieces[p][piece] = end
        if end in self.SAFE:
            return
        struck = self.opponents(self.cell(p, piece, end))
        for player, i in struck:
            self.pieces[player][i] = 0
        for player in range(self.players):
            self.sent_back(player, sum(who == player for who, _ in struck))

    def sent_back(self, player, number):
        """Hook, called with the number of a player's pieces that one move struck."""


class Sokkattan(CrossRace):
    OPTIONS = {
        "players": 4, "counters": 3, "teams": False, "two": "colours", "thrice": "either", "chira": "shut",
        "use": "must", "max_turns": 2000,
    }  # fmt: skip
    VALUES = (1, 2, 3, 4, 6, 10, 12, 25)
    SAFE = (12, 21, 29, 38, 46, 55, 63, 72)
    SHOWN = (6, 10, 2, 3, 4, 25, 12)

    def set_up(self):
        counters, players = self.o["counters"], self.o["players"]
        if players > 2:
            return self.sit([[0] * counters for _ in range(players)])
        if self.o["two"] == "colours":
            arms = [[0] * counters + [2] * counters, [1] * counters + [3] * counters]
        else:
            arms = [[0] * 2 * counters, [2] * 2 * counters]
        return self.sit([[0] * 2 * counters for _ in range(2)], arms)

    def throw(self):
        kept, run = [], []
        for _ in range(THROWS_OF_A_TURN):
            value = self.SHOWN[mouths(self.draw("cowries", 64))]
            kept.append(value)
            if self.o["thrice"] == "same":
                run = [*run, value] if value in run else [value]
            else:
                run = [*run, value] if value in (10, 25) else []
            if len(run) == 3:
                kept, run = kept[:-3], []
            if value not in (6, 10, 12, 25):
                break
        for value in kept:
            self.throws[self.VALUES.index(value)] += 1
            if value in (10, 25):
                self.throws[0] += 1

    def must_enter(self):
        return self.throws[0] > 0 and 0 in self.pieces[self.to_move]

    def may_stop(self):
        return super().may_stop() and not self.must_enter()

    def uses(self):
        if self.must_enter():
            return [piece for piece in self.lowest(self.to_move) if self.pieces[self.to_move][piece] == 0]
        return super().uses()

    def entry(self, index):
        return 1 if index == 0 else None

    def may_go(self, index, piece, place, end):
        shut = self.o["chira"] == "shut" and end in self.SAFE
        return not (shut and self.opponents(self.cell(self.to_move, piece, end)))


class PahadaKeliya(CrossRace):
    OPTIONS = {"past": 2, "edge": "row", "third": "outer", "use": "must", "max_turns": 4000}
    VALUES = (1, 3, 4, 6)
    CORNER = 34

    def set_up(self):
        third = 11 if self.o["third"] == "outer" else 14
        self.bound = 75 if self.o["edge"] == "row" else 76
        self.sit([[6, 7, third, third] for _ in range(4)])
        self.done = 20

    def throw(self):
        result = self.draw("dice", 16)
        self.throws[result // 4] += 1
        self.throws[result % 4] += 1

    def gate_is_shut(self, player):
        partner = self.pieces[(player + 2) % 4]
        return sum(place > self.CORNER for place in partner) < self.o["past"]

    def is_held(self, player):
        waits = any(self.bound - 2 <= place <= self.bound for place in self.pieces[player])
        return self.gate_is_shut(player) and waits

    def entry(self, index):
        return self.VALUES[index]

    def may_go(self, index, piece, place, end):
        p, corner = self.to_move, self.CORNER
        if place <= self.bound < end and self.gate_is_shut(p):
            return False
        if place <= corner and self.is_held((p + 2) % 4):
            return end < corner or (end == corner and self.pieces[p].count(corner) < 2)
        return True

    def pairs(self):
        """Return the actions that move two pieces together from the corner."""
        p, m = self.to_move, (self.to_move + 2) % 4
        if not self.is_held(m) or self.pieces[p].count(self.CORNER) < 2:
            return []
        return [
            16 + index for index in range(4) if self.throws[index] == 2 and not (index == 3 and 74 in self.pieces[m])
        ]

    def uses(self):
        return [*super().uses(), *self.pairs()]

    def use(self, action):
        if action < 16:
            return super().use(action)
        index = action - 16
        self.throws[index] = 0
        two = [i for i, place in enumerate(self.pieces[self.to_move]) if place == self.CORNER][:2]
        for piece in two:
            self.go(piece, self.CORNER + self.VALUES[index])
        return None


class PairsEnter(CrossRace):
    """A race in which pieces struck by one move can re-enter together."""

    def set_up(self):
        self.pairs = [0] * 4
        self.sit([[0] * self.o["counters"] for _ in range(4)])

    def entering(self, piece, end):
        p = self.to_move
        if self.pairs[p]:
            self.pairs[p] -= 1
            second = next(i for i, place in enumerate(self.pieces[p]) if place == 0 and i != piece)
            self.pieces[p][second] = end

    def sent_back(self, player, number):
        self.pairs[player] += number // 2


class AsiKeliya(PairsEnter):
    FIELDS = ("pieces", "throws", "pairs")
    OPTIONS = {"counters": 4, "division": "four", "enter": "first", "use": "must", "max_turns": 2000}
    CROSS = CrossRace.SMALL
    VALUES = (1, 2, 3, 4, 5, 6)
    SAFE = (9, 19, 29, 39)
    END_CELL = 44

    def throw(self):
        sohatara = False
        for _ in range(THROWS_OF_A_TURN):
            result = self.draw("cowries", 64)
            shown = mouths(result)
            if shown == 3 and result < 32:
                sohatara = True
                self.throws[0] += 4
            else:
                if shown:
                    self.throws[shown - 1] += 1
                if shown not in (1, 5):
                    break
        if sohatara and self.o["division"] == "all":
            total = sum(value * number for value, number in zip(self.VALUES, self.throws, strict=True))
            self.throws = [total, 0, 0, 0, 0, 0]

    def entry(self, index):
        value = self.VALUES[index]
        if value not in (1, 5):
            return None
        return value if self.o["enter"] == "count" else 1

    def may_go(self, index, piece, place, end):
        if index > 0 and end > self.END_CELL:
            return False
        return not self.blocked(piece, place, end)


class TayamSonalu(PairsEnter):
    FIELDS = ("pieces", "throws", "pairs", "opened")
    OPTIONS = {"counters": 4, "teams": True, "first": "once", "use": "must", "max_turns": 2000}
    VALUES = (1, 2, 3, 4, 5, 6, 8, 4)
    TAYAM, FIVE, SONAL = 0, 4, 7
    SHOWN = {(0, 1): 0, (0, 2): 1, (1, 1): 1, (1, 2): 2, (2, 2): 3, (0, 4): 7, (1, 4): 4, (2, 4): 5, (4, 4): 6}
    SIDES = (0, 1, 2, 4)

    def set_up(self):
        self.opened = [0] * 4
        super().set_up()

    def throw(self):
        for _ in range(THROWS_OF_A_TURN):
            result = self.draw("dice", 16)
            shown = tuple(sorted((self.SIDES[result // 4], self.SIDES[result % 4])))
            index = self.SHOWN.get(shown)
            if index is not None:
                self.throws[index] += 1
            if index not in (self.TAYAM, self.FIVE, self.SONAL):
                return

    def entry(self, index):
        enters = (self.TAYAM, self.FIVE, self.SONAL) if self.opened[self.to_move] else (self.TAYAM,)
        return 1 if index in enters else None

    def entering(self, piece, end):
        self.opened[self.to_move] = 1
        super().entering(piece, end)

    def may_go(self, index, piece, place, end):
        return not self.blocked(piece, place, end)

    def use(self, action):
        super().use(action)
        if self.o["first"] == "always":
            for player, row in enumerate(self.pieces):
                if not any(0 < place < self.goal for place in row):
                    self.opened[player] = 0
