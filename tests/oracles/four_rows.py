"""Hus, Omweso and Bao, from their pages alone, on a board of four lines of holes as it lies on the table."""

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
        return self.take([self.cell(number)])

    def add(self, k, seeds):
        """Add seeds to a hole of the player to move."""
        row, column = self.cell(self.own(k))
        self.table[row][column] += seeds

    def take(self, cells):
        """Empty these cells; return the number of their seeds."""
        seeds = sum(self.table[row][column] for row, column in cells)
        for row, column in cells:
            self.table[row][column] = 0
        return seeds

    def own(self, k, player=None):
        return 2 * self.W * (self.to_move if player is None else player) + k % (2 * self.W)

    def walk(self, k, seeds, step=1):
        """Sow for the player to move; return the relative hole of the last seed."""
        for _ in range(seeds):
            k = (k + step) % (2 * self.W)
            self.add(k, 1)
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
            self.end([self.count(0), self.count(1)])

    def lost(self, player):
        self.end_won(1 - player, 1)


class Hus(FourRows):
    FIELDS = ("holes", "store")
    OPTIONS = {"columns": 8, "capture": "inner", "max_turns": 400, "max_laps": 256}

    def set_up(self):
        self.W = self.o["columns"]
        self.store = [0, 0]
        ring = [2] * self.W + [2] * (self.W // 2) + [0] * (self.W // 2)
        self.lay(ring + ring)

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
                hand = self.take(pair)
            else:
                hand = self.empty(self.own(k))
        self.finish_turn()


class Omweso(FourRows):
    FIELDS = ("holes", "store", "stock", "hand", "at", "ends")
    OPTIONS = {"start": "fours", "reverse": "full", "two_ends": True, "max_turns": 400, "max_laps": 256}
    LEFT = (0, 1, 14, 15)

    def set_up(self):
        self.store, self.stock = [0, 0], [0, 0]
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
            self.add(k, 1)
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
                seeds = self.take(pair)
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


class Bao(FourRows):
    """Holes are relative holes of a player; a direction is a step, 1 anticlockwise or -1 clockwise."""

    FIELDS = ("holes", "store", "stock", "house", "blocked", "target", "hand", "at", "heading")
    OPTIONS = {
        "start": "standard", "first_kichwa": "kept", "singles": "house", "house_lost": "emptied", "house_mtaji": "off",
        "takasia": "on", "max_turns": 300, "max_laps": 256,
    }  # fmt: skip
    FRONT = range(8, 16)
    INWARD = {15: -1, 14: -1, 9: 1, 8: 1}
    heading = -1

    def set_up(self):
        self.store = [0, 0]
        self.blocked = self.target = -1
        five, stock = {"standard": (6, 22), "malawi": (8, 20), "beginners": (0, 0)}[self.o["start"]]
        self.stock, self.house = [stock, stock], [int(five > 0)] * 2
        self.lay(([0] * 9 + [2, 2, five] + [0] * 4) * 2 if five else [2] * 32)
        self.calm()

    def calm(self):
        self.phase = self.hand = self.laps = 0
        self.pause = None

    def fields(self):
        found = super().fields()
        found["at"], found["heading"] = (self.own(self.pause[0]), int(self.pause[1] < 0)) if self.pause else (-1, -1)
        return found

    def count_at(self, player, k):
        return self.at(self.own(k, player))

    def front(self, player, least=1):
        return [k for k in self.FRONT if self.count_at(player, k) >= least]

    def victim(self, player, k):
        """Return the enemy's relative hole that a front hole faces if it holds seeds, otherwise None."""
        if k not in self.FRONT:
            return None
        (row, column) = self.cell(self.own(k, player))
        faced = next(n for n in self.FRONT if self.cell(self.own(n, 1 - player)) == (3 - row, column))
        return faced if self.count_at(1 - player, faced) else None

    def awake(self, player):
        return bool(self.house[player]) and self.count_at(player, 11) >= 6

    def captures(self, player):
        """Return the beginnings that capture: {(hole, step): the enemy's hole}."""
        found = {}
        for k in range(16):
            for step in (1, -1):
                seeds = self.count_at(player, k)
                if self.stock[player]:
                    end = k if seeds and self.INWARD.get(k, step) == step else None
                else:
                    end = (k + step * seeds) % 16 if 2 <= seeds <= 15 else None
                if end is not None and self.count_at(player, end) and self.victim(player, end) is not None:
                    found[k, step] = self.victim(player, end)
        return found

    def takatas(self):
        p = self.to_move
        if self.stock[p]:
            holes = [k for k in self.front(p) if not (k == 11 and self.awake(p))] or self.front(p)
            if self.o["singles"] == "last" or not self.house[p]:
                holes = [k for k in holes if self.count_at(p, k) > 1] or holes
        else:
            open_ = [k for k in self.front(p, 2) if self.own(k) != self.blocked]
            holes = open_ or [k for k in range(8) if self.count_at(p, k) > 1]
        found = {(k, step) for k in holes for step in (1, -1)}
        if self.front(p) in ([8], [15]):
            found -= {(8, -1), (15, 1)}
        return found

    def beginnings(self):
        found = self.captures(self.to_move)
        wanted = [b for b, k in found.items() if self.target == self.own(k, 1 - self.to_move)]
        return set(wanted or found or self.takatas())

    def legal(self):
        if self.phase:
            return [32, 33] if self.phase == 1 else [34, 35]
        return sorted(k + 16 * (step < 0) for k, step in self.beginnings())

    def play(self, action):
        p = self.to_move
        if self.phase:
            (k, step), hand, laps = self.pause, self.hand, self.laps
            self.calm()
            self.laps = laps
            if action in (32, 33):
                return self.sow_from_kichwa(hand, 1 if action == 32 else -1, "mtaji")
            if action == 34:
                return self.over("namua", True)
            return self.sow(k, self.pick_up(k), step, "namua", True)
        k, step = action % 16, -1 if action >= 16 else 1
        capturing = bool(self.captures(p))
        if not self.stock[p]:
            return self.sow(k, self.pick_up(k), step, "mtaji", capturing)
        awake = self.awake(p)
        self.stock[p] -= 1
        self.add(k, 1)
        if capturing:
            hand = self.seize(k, "namua")
            if not self.front(1 - p):
                return self.crush(hand)
            return self.sow_from_kichwa(hand, step, "namua")
        if k == 11 and awake:
            self.add(k, -2)
            if self.o["house_lost"] == "below_six" and self.count_at(p, 11) < 6:
                self.house[p] = 0
            return self.sow(k, 2, step, "namua", False)
        return self.sow(k, self.pick_up(k), step, "namua", False)

    def pick_up(self, k):
        if k == 11:
            self.house[self.to_move] = 0
        return self.empty(self.own(k))

    def seize(self, k, stage):
        p, prey = self.to_move, self.victim(self.to_move, k)
        if prey == 11:
            self.house[1 - p] = 0
        if stage == "mtaji":
            self.house[p] = 0
        return self.empty(self.own(prey, 1 - p))

    def sow_from_kichwa(self, hand, step, stage):
        return self.sow(7 if step > 0 else 0, hand, step, stage, True)

    def sow(self, k, hand, step, stage, capturing):
        p = self.to_move
        while True:
            k = self.walk(k, hand, step)
            self.laps += 1
            if self.laps == self.o["max_laps"] or self.count_at(p, k) == 1:
                return self.over(stage, capturing)
            if capturing and self.victim(p, k) is not None:
                hand = self.seize(k, stage)
                if not self.front(1 - p):
                    return self.crush(hand)
                if self.o["first_kichwa"] == "choice" and stage == "mtaji" and self.laps == 1 and 10 <= k <= 13:
                    self.phase, self.hand, self.pause = 1, hand, (k, step)
                    return None
                step = self.INWARD.get(k, step)
                k = 7 if step > 0 else 0
                continue
            if not capturing and self.own(k) == self.blocked:
                return self.over(stage, capturing)
            if k == 11 and self.awake(p):
                if stage == "namua" and capturing:
                    self.phase, self.pause = 2, (k, step)
                    return None
                if not capturing and (stage == "namua" or self.o["house_mtaji"] == "takata"):
                    return self.over(stage, capturing)
            hand = self.pick_up(k)

    def crush(self, hand):
        loser = 1 - self.to_move
        self.store[self.to_move] = hand
        self.turn += 1
        self.blocked = self.target = -1
        self.calm()
        self.lost(loser)

    def over(self, stage, capturing):
        p, e = self.to_move, 1 - self.to_move
        self.calm()
        self.turn += 1
        self.target = self.blocked if self.o["takasia"] == "forced" else -1
        self.blocked, self.to_move = -1, e
        if not self.beginnings():
            self.target = -1
            return self.lost(e)
        if self.turn >= self.o["max_turns"]:
            self.target = -1
            sides = [self.count(player) + self.stock[player] for player in (0, 1)]
            return self.end(sides)
        if stage == "mtaji" and not capturing and self.o["takasia"] != "off" and not self.captures(e):
            prey = set(self.captures(p).values())
            if len(prey) == 1:
                k = prey.pop()
                spared = self.front(e) == [k] or self.front(e, 2) == [k] or (k == 11 and self.house[e])
                if self.count_at(e, k) > 1 and not spared:
                    self.blocked = self.own(k, e)
        return None


class Baokujifunza(Bao):
    OPTIONS = {**Bao.OPTIONS, "start": "beginners"}
