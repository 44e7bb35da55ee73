"""Hus, from its page alone, on a board of four lines of holes as it lies on the table."""

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
