"""Puhulmutu, Walak-pussa, Kotu-baendum and Daramutu, from their pages alone."""

from oracles import Oracle

FIELDS = ("holes", "kind", "owner", "direction", "few", "store", "seeds_owned")
FIELDS += ("to_move", "phase", "turn", "round_number")


def Reference(name, campaign=False, **options):
    """Return one game in progress; none of the four has chance."""
    games = {game.name(): game for game in (Puhulmutu, WalakPussa, KotuBaendum, Daramutu)}
    return games[name](None, campaign, **options)


class Olinda(Oracle):
    """Base of the four games; subclasses define `sow`."""

    FIELDS = tuple(field for field in FIELDS if field not in Oracle.HEAD)
    OPTIONS = {
        "columns": 7, "seeds": 4, "reading": "parker", "fours": True, "cutting": "none", "max_turns": 400,
        "max_laps": 256, "quiet_turns": 100, "equal": "continue", "max_rounds": 30,
    }  # fmt: skip

    def set_up(self):
        self.W = self.o["columns"]
        self.summary = self.o["reading"] == "summary"
        self.holes = [self.o["seeds"]] * 2 * self.W
        self.seeds_owned = [self.W * self.o["seeds"]] * 2
        self.direction, self.few, self.store, self.cut = 0, [0, 0], [0, 0], 0
        self.clear_marks()
        self.quiet = self.first = 0

    @property
    def state(self):
        """The attributes by name."""
        return vars(self)

    def clear_marks(self):
        self.kind = [0] * 2 * self.W
        self.owner = [0] * self.W + [1] * self.W

    # Geometry.

    def row(self, p):
        return [p * self.W + i for i in range(self.W)]

    def along(self, p, d):
        return self.row(p) if d >= 0 else self.row(p)[::-1]

    def circuit(self, h, kinds=(1,)):
        """Return the holes in the order of sowing from the one after h on, without those of some kinds."""
        ring = [(h + i * self.direction) % (2 * self.W) for i in range(1, 2 * self.W + 1)]
        return [n for n in ring if self.kind[n] not in kinds]

    def after(self, h, kinds=(1,)):
        return self.circuit(h, kinds)[0]

    def plain(self, h):
        return self.kind[h] == 0 and self.holes[h] > 0

    # Holes that can be lifted.

    def liftable(self, h, d):
        p = self.to_move
        if not self.plain(h):
            return False
        others = [g for g in self.row(p) if g != h and self.plain(g)]
        if self.summary and self.holes[h] == 1 and any(self.holes[g] > 1 for g in others):
            return False
        front = [g for g in self.along(p, d) if self.kind[g] != 1][-1]
        return not (h == front and self.holes[h] == 1 and others)

    def lifts(self):
        found = set()
        for d in (1, -1):
            if self.direction == -d:
                continue
            can = [h for h in self.row(self.to_move) if self.liftable(h, d)]
            if self.name() == "kotu_baendum" and self.round_number == 1 and self.turn < 2:
                playable = [h for h in self.row(self.to_move) if self.kind[h] != 1]
                can = [h for h in can if h in (playable[0], playable[-1])] or can
            if self.cut == 2 * self.W + 1:
                can = [h for h in can if h in self.along(self.to_move, d)[3:]]
            found |= {h % self.W + (0 if d > 0 else self.W) for h in can}
        return sorted(found)

    def legal(self):
        if self.ended:
            return []
        base = 2 * self.W
        if self.phase == 0:
            return self.lifts()
        if self.phase == 1:
            return [base + i for i, k in enumerate((4, 2, 1)) if self.can_set_out(k)]
        if self.phase == 2:
            return [base + 3, base + 4]
        cuts = [base + 3] if self.o["cutting"] == "borrow" else self.moves()
        return [*cuts, base + 4]

    # Play.

    def play(self, a):
        base = 2 * self.W
        if self.phase == 0:
            d = 1 if a < self.W else -1
            self.direction = d
            self.turn_from(self.to_move * self.W + a % self.W)
        elif self.phase == 1:
            self.few[self.to_move] = (0, 2, 1)[a - base]
            self.phase = 2
        elif self.phase == 2:
            self.set_out(1 if a == base + 3 else -1)
        elif a == base + 3:
            self.borrow()
        else:
            self.move_or_stop(a)

    def turn_from(self, h, loan=()):
        self.phase = 0
        p, before = self.to_move, self.store[self.to_move]
        self.sow(h)
        ate = self.store[p] > before
        for mine in loan:
            self.pay_back(mine)
        self.cut = 0
        self.turn += 1
        self.quiet = 0 if ate else self.quiet + 1
        self.to_move = 1 - p
        stuck = not any(self.plain(g) for g in self.row(1 - p))
        if stuck or self.is_too_long():
            self.end_round()

    def drop(self, h, n):
        """Sow n seeds from hole h on, skipping full holes; return the last hole."""
        few = self.few[self.to_move]
        full = few or 3
        if (self.name() == "daramutu" and not self.o["fours"]) or (self.name() == "walak_pussa" and not few):
            full = None
        for left in range(n, 0, -1):
            ring = self.circuit(h)
            open_ = [g for g in ring if not (self.kind[g] == 0 and self.holes[g] == full)]
            h = open_[0] if left > 1 and open_ else ring[0]
            self.holes[h] += 1
        return h

    def lap(self, h):
        n = self.holes[h]
        self.holes[h] = 0
        return self.drop(h, n)

    def take(self, h):
        self.store[self.to_move] += self.holes[h]
        self.holes[h] = 0

    # Between rounds.

    def end_round(self):
        lying = [sum(n for n, o in zip(self.holes, self.owner, strict=True) if o == p) for p in (0, 1)]
        own = [self.store[p] + lying[p] for p in (0, 1)]
        self.seeds_owned = own
        tie = own[0] == own[1]
        last = self.round_number >= self.o["max_rounds"] or 0 in own or (tie and self.o["equal"] == "draw")
        if last or not self.campaign:
            if self.campaign:
                self.o["reward"] = "win"  # "at its end, also with reward=margin"
            self.end(own)
            return
        self.turn = self.quiet = self.direction = 0
        self.few = [0, 0]
        self.round_number += 1
        self.clear_marks()
        if tie:
            assert own[0] == 4 * self.W
            self.first = 1 - self.first
            self.holes, self.store, self.to_move = [4] * 2 * self.W, [0, 0], self.first
            return
        self.first = 0 if own[0] < own[1] else 1
        self.holes, self.store, self.to_move, self.phase = [0] * 2 * self.W, own[:], self.first, 1
        ways = [k for k in (4, 2, 1) if self.can_set_out(k)]
        if own[self.first] >= 12 or len(ways) == 1:
            self.phase = 2
            self.few[self.first] = 0 if own[self.first] >= 12 else ways[0] % 4

    def can_set_out(self, k):
        n = self.seeds_owned[self.to_move]
        if k < 4:
            return n - k * (self.W - 1) <= 4
        return n > 3 or (n == 3 and not (self.summary and self.round_number == 2))

    def set_out(self, d):
        D, O = self.to_move, 1 - self.to_move  # noqa: E741
        self.direction, self.phase = d, 0
        mine, theirs = self.along(D, d), self.along(O, d)
        n, k = self.seeds_owned[D], self.few[D]
        for h in theirs:
            self.holes[h] = 4
        self.store[O] = self.seeds_owned[O] - 4 * self.W
        self.store[D] = 0
        if k:
            twos = min(n // k, self.W - 1)
            for h in mine[:twos]:
                self.holes[h] = k
            self.holes[mine[-1]] = n - twos * k
        else:
            for h in mine[: n // 4]:
                self.holes[h] = 4
            rest = n % 4
            if rest and self.summary and self.round_number == 2:
                self.store[D] = rest
            elif rest:
                last = mine[n // 4]
                answer = 2 * self.W - 1 - last if self.summary else theirs[-1]
                self.holes[last] = rest
                self.holes[answer] -= rest
                self.store[O] += rest
                for h in (last, answer):
                    self.kind[h] = 2 if self.holes[h] in (1, 2) else 0
        for h in mine:
            if self.holes[h] == 0:
                self.kind[h] = 1
        if self.can_cut():
            self.phase = 3

    # Puhul kapanawa.

    def can_cut(self):
        how = self.o["cutting"]
        mine = self.along(self.to_move, self.direction)
        if how == "borrow":
            lent = all(self.holes[2 * self.W - 1 - h] for h in mine[:2])
            return lent and self.kind[mine[0]] != 1 and self.kind[mine[1]] != 1 and self.plain(mine[2])
        return how == "move" and any(self.liftable(h, self.direction) for h in mine[3:]) and bool(self.moves())

    def moves(self):
        theirs = self.row(1 - self.to_move)
        found = []
        for a in range(2 * self.W):
            source = 2 * self.W - 1 - (self.to_move * self.W + a % self.W)
            goal = source + (1 if a < self.W else -1)
            if self.plain(source) and goal in theirs and self.kind[goal] != 1 and self.cut != 1 + source:
                found.append(a)
        return found

    def borrow(self):
        mine = self.along(self.to_move, self.direction)
        for h in mine[:2]:
            self.holes[h] += 1
            self.holes[2 * self.W - 1 - h] -= 1
        self.turn_from(mine[2], loan=mine[:2])

    def pay_back(self, h):
        p = self.to_move
        givers = [g for g in self.along(p, self.direction) if self.plain(g)]
        if self.holes[h]:
            self.holes[h] -= 1
        elif self.store[p]:
            self.store[p] -= 1
        elif givers:
            self.holes[givers[0]] -= 1
        else:
            return
        self.holes[2 * self.W - 1 - h] += 1

    def move_or_stop(self, a):
        stop = a == 2 * self.W + 4
        if not stop:
            source = 2 * self.W - 1 - (self.to_move * self.W + a % self.W)
            goal = source + (1 if a < self.W else -1)
            self.holes[source] -= 1
            self.holes[goal] += 1
            stop = self.cut > 0
            self.cut = 1 + goal
        if stop or not self.moves():
            self.phase = 0
            self.cut = 2 * self.W + 1 if self.cut else 0
            if len(self.lifts()) == 1:
                self.play(self.lifts()[0])


class Puhulmutu(Olinda):
    FIELDS = (*Olinda.FIELDS, "cut")

    def sow(self, h, opposite=False, fours=True):
        full = self.few[self.to_move] or 3
        for lap in range(1, self.o["max_laps"] + 1):
            h = self.lap(h)
            if lap == self.o["max_laps"]:
                return
            if self.kind[h] != 0 or self.holes[h] == 1:
                if opposite and self.plain(2 * self.W - 1 - h):
                    self.take(2 * self.W - 1 - h)
                return
            if fours and self.holes[h] == full + 1:
                self.take(h)
                h = self.after(h)
                if not self.plain(h):
                    return


class Daramutu(Puhulmutu):
    FIELDS = Olinda.FIELDS

    def sow(self, h):
        super().sow(h, opposite=not self.summary, fours=self.o["fours"])


class KotuBaendum(Olinda):
    def sow(self, h):
        full = self.few[self.to_move] or 3
        for _ in range(self.o["max_laps"] - 1):
            h = self.lap(h)
            if self.kind[h] != 0 or self.holes[h] == 1:
                return
            if self.holes[h] == full + 1:
                if h in (0, self.W - 1, self.W, 2 * self.W - 1):
                    self.kind[h], self.owner[h] = 3, self.to_move
                else:
                    self.take(h)
                return
        self.lap(h)


class WalakPussa(Olinda):
    def sow(self, h):
        few = self.few[self.to_move]
        gone = (1, 2) if self.summary else (1,)
        for _ in range(self.o["max_laps"] - 1):
            h = last = self.lap(h)
            if few and self.kind[h] == 0 and self.holes[h] == few + 1:
                return self.take(h)
            if self.summary and (self.kind[h] == 2 or self.holes[h] == 1):
                return None
            h = self.after(last, gone)
            if not self.plain(h):
                return None if few else self.eat_chain(last, gone)
        self.lap(h)
        return None

    def eat_chain(self, last, gone):
        circuit = self.circuit(last, gone)
        for empty, full in zip(circuit[::2], circuit[1::2], strict=False):
            if self.plain(empty) or not self.plain(full):
                return
            self.take(full)
