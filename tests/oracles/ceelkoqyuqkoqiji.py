"""Ceelkoqyuqkoqiji, from its page alone."""

from oracles import Oracle

LIFT, KIND, ANSWER, HUELSHE, FINGER, SELL, BUY_BACK = range(7)
BEATS = {1: 0, 0: 2, 2: 1}  # index beats thumb, thumb little, little index


class Ceelkoqyuqkoqiji(Oracle):
    FIELDS = ("holes", "store", "large", "sold_to", "debt", "hand", "at", "heading", "offered", "thrown")
    OPTIONS = {
        "players": 2, "columns": 5, "seeds": 5, "prices": (7, 6), "first": "chance", "agreement": True,
        "max_turns": 150, "max_laps": 256, "max_rounds": 30,
    }  # fmt: skip

    def set_up(self):
        self.P, self.W, self.S = self.o["players"], self.o["columns"], self.o["seeds"]
        self.hole_price = self.o.get("hole_price", self.S)
        self.debt_limit = self.o.get("debt_limit", self.S)
        self.ring = 2 * self.W + 2
        # The places of the east and west stores on the ring, and their owners.
        self.stores = {self.W: self.P - 2, 2 * self.W + 1: self.P - 1}
        self.owners = list(self.stores.values())
        self.holes = [self.S] * 2 * self.W
        self.store = [0] * self.P
        self.large = [-1, -1]
        self.sold_to = [-1] * 2 * self.W
        self.debt = [[0] * self.P for _ in range(self.P)]
        self.begin_round()

    def begin_round(self):
        self.turn, self.ties = 0, 0
        self.thrown = [-1, -1]
        self.nobody_sows()
        self.phase = LIFT
        if self.o["first"] == "throw":
            self.phase, self.to_move = FINGER, 0
        else:
            self.to_move = 0 if self.o["first"] == "player_0" else self.draw("begins", 2)

    def nobody_sows(self):
        self.hand, self.at, self.heading, self.offered, self.laps = 0, -1, 0, 0, 0

    # The ring.

    def hole_at(self, place):
        """Return the hole at a place of the ring, None for a store."""
        if place in self.stores:
            return None
        return place if place < self.W else place - 1

    def place_of(self, hole):
        return hole if hole < self.W else hole + 1

    def row(self, player):
        return range(player * self.W, (player + 1) * self.W)

    def unsold(self, player):
        return [hole for hole in self.row(player) if self.sold_to[hole] < 0]

    def goat_at_home(self, place):
        """Return the large stone that lies in this store and has never left it, or None."""
        goat = list(self.stores).index(place)
        return goat if self.large[goat] == -1 else None

    def is_full(self, place):
        hole = self.hole_at(place)
        if hole is None:
            return self.goat_at_home(place) is not None
        return self.sold_to[hole] < 0 and (self.holes[hole] > 0 or hole in self.large)

    def take_up(self, place):
        """Take everything from a full place; return the number of small stones and the list of large ones."""
        hole = self.hole_at(place)
        if hole is None:
            return 0, [self.goat_at_home(place)]
        small, self.holes[hole] = self.holes[hole], 0
        return small, [goat for goat in (0, 1) if self.large[goat] == hole]

    # Legal actions.

    def has_something(self, player):
        return any(self.is_full(self.place_of(hole)) for hole in self.unsold(player))

    def kinds(self):
        return [kind for kind in range(3) if (self.hand if kind == 0 else self.large[kind - 1] == 2 * self.W)]

    def may_offer(self):
        lying = sum(self.holes) + sum(0 <= place < 2 * self.W for place in self.large)
        return self.o["agreement"] and not self.offered and lying <= 2 * self.W and -1 not in self.large

    def legal(self):
        p, W = self.to_move, self.W
        if self.phase == LIFT:
            lifts = [hole - p * W for hole in self.unsold(p) if self.is_full(self.place_of(hole))]
            return [*lifts, *(W + i for i in lifts), *([2 * W + 3] if self.may_offer() else [])]
        if self.phase == KIND:
            return [2 * W + kind for kind in self.kinds()]
        if self.phase == ANSWER:
            return [2 * W + 4, 2 * W + 5]
        if self.phase == FINGER:
            return [3 * W + 6, 3 * W + 7, 3 * W + 8]
        no = [2 * W + 5]
        if self.phase == HUELSHE:
            if -1 in self.large:
                no = []
            holes = self.unsold(p)
            holes = holes[: max(1, len(holes) - self.store[p] + 1)]
        elif self.phase == SELL:
            no, holes = [], self.unsold(p)
        else:
            holes = [hole for hole in self.row(p) if self.sold_to[hole] >= 0]
        return [*no, *(2 * W + 6 + hole - p * W for hole in holes)]

    # Play.

    def play(self, action):
        p, W = self.to_move, self.W
        if self.phase == FINGER:
            self.throw_finger(action - 3 * W - 6)
        elif self.phase == KIND:
            self.drop(action - 2 * W)
            self.sow_on()
        elif action < 2 * W:
            self.heading = 1 if action < W else -1
            self.phase = LIFT
            self.lift(self.place_of(p * W + action % W))
            self.sow_on()
        elif action == 2 * W + 3:
            self.offered, self.to_move, self.phase = 1, 1 - p, ANSWER
        elif self.phase == ANSWER:
            self.to_move, self.phase = 1 - p, LIFT
            if action == 2 * W + 4:
                self.players_take_their_rows()
        elif self.phase == HUELSHE:
            if action == 2 * W + 5:
                self.decline()
            else:
                self.huelshe(p * W + action - 2 * W - 6)
        else:
            self.settlement.send(None if action == 2 * W + 5 else p * W + action - 2 * W - 6)

    def throw_finger(self, finger):
        self.thrown[self.to_move] = finger
        if self.to_move == 0:
            self.to_move = 1
            return
        one, other = self.thrown
        if one == other:
            self.ties += 1
            if self.ties < 8:
                self.thrown, self.to_move = [-1, -1], 0
                return
            self.to_move = self.draw("begins", 2)
        else:
            self.to_move = 0 if BEATS[one] == other else 1
        self.phase = LIFT

    def lift(self, place):
        self.hand, goats = self.take_up(place)
        for goat in goats:
            self.large[goat] = 2 * self.W
        self.at = place

    def drop(self, kind):
        """Drop a small stone (0), the mu (1) or the gong (2) on the next place."""
        self.at = (self.at + self.heading) % self.ring
        hole = self.hole_at(self.at)
        taker = self.stores[self.at] if hole is None else self.sold_to[hole]
        if kind == 0:
            self.hand -= 1
            if taker < 0:
                self.holes[hole] += 1
            else:
                self.store[taker] += 1
        else:
            self.large[kind - 1] = hole if taker < 0 else -2 - taker

    def sow_on(self):
        """Continue sowing until the mover must choose a kind of stone or the turn is over."""
        while True:
            kinds = self.kinds()
            if len(kinds) > 1:
                self.phase = KIND
                return
            if kinds:
                self.drop(kinds[0])
                continue
            self.phase = LIFT
            self.laps += 1
            if self.laps == self.o["max_laps"]:
                return self.end_turn()
            following = (self.at + self.heading) % self.ring
            if not self.is_full(following):
                self.capture()
                return self.end_turn()
            self.lift(following)

    def capture(self):
        p = self.to_move
        for number in range(self.W + 1):
            empty = (self.at + self.heading * (2 * number + 1)) % self.ring
            full = (empty + self.heading) % self.ring
            if self.is_full(empty) or not self.is_full(full):
                return
            small, goats = self.take_up(full)
            self.store[p] += small
            for goat in goats:
                self.large[goat] = -2 - p

    def end_turn(self):
        self.nobody_sows()
        self.turn += 1
        if self.turn >= self.o["max_turns"]:
            return self.players_take_their_rows()
        self.to_move = 1 - self.to_move
        self.phase = LIFT
        if not self.has_something(self.to_move):
            self.phase = HUELSHE
            if self.store[self.to_move] == 0:
                self.decline()
        return None

    def huelshe(self, hole):
        p = self.to_move
        for mine in self.unsold(p):
            if mine >= hole and self.store[p] > 0:
                self.holes[mine] += 1
                self.store[p] -= 1
        self.phase, self.offered = LIFT, 1

    # The end of a round.

    def decline(self):
        self.take_row(1 - self.to_move)
        self.end_round()

    def players_take_their_rows(self):
        self.take_row(0)
        self.take_row(1)
        self.end_round()

    def take_row(self, player):
        for hole in self.row(player):
            self.store[player] += self.holes[hole]
            self.holes[hole] = 0
            for goat in (0, 1):
                if self.large[goat] == hole:
                    self.large[goat] = -2 - player

    def end_round(self):
        self.nobody_sows()
        for goat in (0, 1):
            if self.large[goat] == -1:
                self.large[goat] = -2 - self.owners[goat]
        if self.campaign:
            self.settlement = self.settle()
            next(self.settlement)
            return
        counts = self.store[:]
        for goat in (0, 1):
            counts[-2 - self.large[goat]] += self.o["prices"][goat]
        self.end(counts)

    # The settlement is a generator: it yields when a player must choose, and receives the choice.

    def settle(self):
        for goat in (0, 1):
            holder, owner = -2 - self.large[goat], self.owners[goat]
            self.store[owner] -= self.o["prices"][goat]
            self.store[holder] += self.o["prices"][goat]
        self.large = [-1, -1]
        if self.round_number >= self.o["max_rounds"]:
            self.end_campaign(self.worths())
            yield
        self.repay()
        creditor = {}
        for p in (0, 1):
            while self.may_buy_back(p):
                self.to_move, self.phase = p, BUY_BACK
                hole = yield
                if hole is None:
                    break
                creditor[p] = self.sold_to[hole]
                self.pay(p, creditor[p], self.hole_price)
                self.sold_to[hole] = -1
                self.repay()
        while any(self.lacks(p) for p in range(self.P)):
            for p in range(self.P):
                while self.lacks(p):
                    self.borrow(p, creditor.get(p))
                    if not self.lacks(p):
                        break
                    holes = self.unsold(p)
                    hole = holes[0]
                    if len(holes) > 1:
                        self.to_move, self.phase = p, SELL
                        hole = yield
                    buyer = self.richest(q for q in range(self.P) if q != p)
                    self.pay(buyer, p, self.hole_price)
                    self.sold_to[hole] = buyer
                    if not self.unsold(p):
                        self.end_campaign([q != p for q in (0, 1)] if self.P == 2 else self.worths())
                        yield
                    self.repay()
        for p in (0, 1):
            for hole in self.unsold(p):
                self.store[p] -= self.S
                self.holes[hole] = self.S
        self.round_number += 1
        self.begin_round()
        yield

    def needed(self, player):
        return self.S * len(self.unsold(player)) if player < 2 else 0

    def surplus(self, player):
        return max(0, self.store[player] - self.needed(player))

    def lacks(self, player):
        return max(0, self.needed(player) - self.store[player])

    def richest(self, players):
        return max(players, key=lambda q: (self.surplus(q), -q))

    def pay(self, payer, payee, stones):
        self.store[payer] -= stones
        self.store[payee] += stones

    def repay(self):
        while True:
            for i in range(self.P):
                for j in range(i):
                    mutual = min(self.debt[i][j], self.debt[j][i])
                    self.debt[i][j] -= mutual
                    self.debt[j][i] -= mutual
            able = [i for i in range(self.P) if self.surplus(i) and any(self.debt[i])]
            if not able:
                return
            i = able[0]
            j = self.debt[i].index(max(self.debt[i]))
            stones = min(self.surplus(i), self.debt[i][j])
            self.pay(i, j, stones)
            self.debt[i][j] -= stones

    def may_buy_back(self, p):
        s = self.surplus(p)
        return (
            not any(self.debt[p])
            and any(self.sold_to[hole] >= 0 for hole in self.row(p))
            and s >= self.hole_price
            and self.S - (s - self.hole_price) < self.debt_limit
        )

    def borrow(self, p, before_others):
        lenders = sorted((q for q in range(self.P) if q != p), key=lambda q: (q != before_others, -self.surplus(q), q))
        for q in lenders:
            stones = min(self.lacks(p), self.surplus(q))
            if p < 2:
                stones = min(stones, max(0, self.debt_limit - 1 - self.debt[p][q]))
            self.pay(q, p, stones)
            self.debt[p][q] += stones

    def worths(self):
        found = []
        for p in range(self.P):
            owed = sum(self.debt[q][p] for q in range(self.P)) - sum(self.debt[p])
            owned = sum(o == p for o in self.sold_to) + (len(self.unsold(p)) if p < 2 else 0)
            found.append(self.store[p] + owed + self.hole_price * owned)
        return found

    def end_campaign(self, counts):
        self.end(counts, 2 * self.W * (self.S + self.hole_price), self.worths())
