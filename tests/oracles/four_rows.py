"""Hus and Omweso, from their pages alone, on a board of four lines of holes as it lies on the table."""

from oracles import Oracle


class FourRows(Oracle):
    """A board as rows from North's outer row down to South's, each from South's left to right."""

    W = 8

    def lay(self, seeds):
        """Lay out holes given in the order of the record."""
        self.table = [[0] * self.W for _ in range(4)]
        for number, count in enumerate(seeds):
            row, column = self.cell(number)
            self.table[row][column] = count

    def cell(self, number):
        """Return row and column of a hole of the record."""
        player, k = divmod(number, 2 * self.W)
        row, column = (3, k) if k < self.W else (2, 2 * self.W - 1 - k)
        return (3 - row, self.W - 1 - column) if player else (row, column)

    @property
    def holes(self):
        return [self.at(number) for number in range(4 * self.W)]

    def at(self, number):
        row, column = self.cell(number)
        return self.table[row][column]

    def empty(self, number):
        row, column = self.cell(number)
        count, self.table[row][column] = self.table[row][column], 0
        return count

    def own(self, k, player=None):
        return 2 * self.W * (self.to_move if player is None else player) + k % (2 * self.W)

    def walk(self, k, seeds, step=1):
        """Sow for the player to move; return the relative hole of the last seed."""
        while seeds:
            k = (k + step) % (2 * self.W)
            row, column = self.cell(self.own(k))
            self.table[row][column] += 1
            seeds -= 1
        return k

    def across(self, k):
        """Return the enemy's inner and outer hole in the column of an own inner hole, as cells."""
        row, column = self.cell(self.own(k))
        return ((1, column), (0, column)) if row == 2 else ((2, column), (3, column))

    def count(self, player):
        return sum(self.at(self.own(k, player)) for k in range(2 * self.W))

    def has_a_move(self, player):
        return any(self.at(self.own(k, player)) > 1 for k in range(2 * self.W))

    def finish_turn(self):
        self.turn += 1
        self.to_move = 1 - self.to_move
        if not self.has_a_move(self.to_move):
            self.lost(self.to_move)
        elif self.turn >= self.o["max_turns"]:
            self.end([self.count(0), self.count(1)], (0, 1), self.whole)

    def lost(self, player):
        self.end([0, 1] if player == 0 else [1, 0], (0, 1), 1)


class Hus(FourRows):
    FIELDS = ("holes", "store")
    OPTIONS = {"columns": 8, "capture": "inner", "max_turns": 400, "max_laps": 256}

    def set_up(self):
        self.W = self.o["columns"]
        self.store = [0, 0]
        ring = [2] * self.W + [2] * (self.W // 2) + [0] * (self.W // 2)
        self.lay(ring + ring)
        self.whole = sum(ring) * 2

    def legal(self):
        return [k for k in range(2 * self.W) if self.at(self.own(k)) >= 2]

    def play(self, k):
        hand, laps = self.empty(self.own(k)), 0
        while True:
            k = self.walk(k, hand)
            laps += 1
            if laps == self.o["max_laps"] or self.at(self.own(k)) == 1:
                break
            pair = self.across(k) if k >= self.W else ()
            counts = [self.table[row][column] for row, column in pair]
            if counts and counts[0] and (counts[1] or self.o["capture"] == "inner"):
                hand = sum(counts)
                for row, column in pair:
                    self.table[row][column] = 0
            else:
                hand = self.empty(self.own(k))
        self.finish_turn()


class Omweso(FourRows):
    FIELDS = ("holes", "store", "stock", "hand", "at", "ends")
    OPTIONS = {"start": "fours", "reverse": "full", "two_ends": True, "max_turns": 400, "max_laps": 256}
    LEFT = (0, 1, 14, 15)

    def set_up(self):
        self.store, self.stock = [0, 0], [0, 0]
        self.whole = 64
        self.rest()
        if self.o["start"] == "arrange":
            self.lay([0] * 32)
            self.stock, self.phase = [32, 32], 3
        else:
            self.lay(([4] * 8 + [0] * 8) * 2 if self.o["start"] == "fours" else [2] * 32)

    def rest(self):
        self.phase = self.hand = self.ends = self.laps = 0
        self.at_hole, self.seized = None, set()

    def fields(self):
        found = super().fields()
        found["at"] = -1 if self.at_hole is None else self.own(self.at_hole)
        return found

    def pair_of(self, k):
        """Return the cells of the pair of an own inner hole if both hold seeds."""
        cells = self.across(k) if k >= 8 else ()
        return cells if cells and all(self.table[row][column] for row, column in cells) else ()

    def would_capture(self, k, seeds, lifted):
        """Try a clockwise lap on a copy of the board."""
        kept = [row[:] for row in self.table]
        if lifted:
            self.empty(self.own(k))
        last = self.walk(k, seeds, -1)
        captures = self.at(self.own(last)) > 1 and bool(self.pair_of(last))
        self.table = kept
        return captures

    def legal(self):
        if self.phase == 3:
            return list(range(16))
        if self.phase:
            return [self.at_hole, 16 + self.at_hole]
        lifts = [k for k in range(16) if self.at(self.own(k)) >= 2]
        back = [k for k in lifts if k in self.LEFT and self.would_capture(k, self.at(self.own(k)), True)]
        return lifts + [16 + k for k in back if self.o["reverse"] != "none"]

    def play(self, action):
        k, clockwise = action % 16, action >= 16
        if self.phase == 3:
            row, column = self.cell(self.own(k))
            self.table[row][column] += 1
            self.stock[self.to_move] -= 1
            if not self.stock[self.to_move]:
                self.phase = 3 if self.to_move == 0 else 0
                self.to_move = 1 - self.to_move
            return
        seeds = self.hand if self.phase == 2 else self.empty(self.own(k))
        self.phase = self.hand = 0
        self.at_hole = None
        while True:
            last = self.walk(k, seeds, -1 if clockwise else 1)
            self.laps += 1
            if self.laps == self.o["max_laps"] or self.at(self.own(last)) == 1:
                break
            pair = self.pair_of(last)
            if pair:
                seeds = sum(self.table[row][column] for row, column in pair)
                for row, column in pair:
                    self.table[row][column] = 0
                self.seized.add(last)
                self.ends = (15 in self.seized) + 2 * (8 in self.seized)
                if self.o["two_ends"] and self.ends == 3:
                    self.store[self.to_move] = seeds
                    self.turn += 1
                    loser = 1 - self.to_move
                    self.rest()
                    return self.lost(loser)
                reversible = {"full": clockwise, "any": k in self.LEFT}.get(self.o["reverse"], False)
                if reversible and self.would_capture(k, seeds, False):
                    self.phase, self.at_hole, self.hand = 2, k, seeds
                    return None
            else:
                k = last
                reversible = self.o["reverse"] in ("full", "any") and k in self.LEFT
                if reversible and self.would_capture(k, self.at(self.own(k)), True):
                    self.phase, self.at_hole = 1, k
                    return None
                seeds = self.empty(self.own(k))
            clockwise = False
        self.rest()
        return self.finish_turn()
