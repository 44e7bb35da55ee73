"""Pallanguzhi, from its page alone."""

from oracles.rows import Rows


class Pallanguzhi(Rows):
    FIELDS = ("holes", "rubbish", "store", "seeds_owned", "opener", "quiet")
    OPTIONS = {
        "columns": 7, "seeds": 6, "middle": 0, "cow": 4, "cow_owner": "row", "cow_last": "taken", "relay": "next",
        "after": "end", "finish": "stuck", "first": "alternate", "houses": 1, "quiet_turns": 100, "max_turns": 400,
        "max_rounds": 30, "max_laps": 256,
    }  # fmt: skip

    def set_up(self):
        super().set_up()
        if self.o["middle"]:
            self.holes[self.W // 2] = self.holes[self.W + self.W // 2] = self.o["middle"]
        self.rubbish = [0] * 2 * self.W
        self.seeds_owned = [sum(self.holes) // 2] * 2
        self.quiet = 0

    def after(self, hole):
        """The holes in play in the order of sowing, from the one after `hole` on."""
        ring = [h % (2 * self.W) for h in range(hole + 1, hole + 2 * self.W + 1)]
        return [h for h in ring if not self.rubbish[h]]

    def play(self, action):
        p, stored = self.to_move, sum(self.store)
        hole, laps = p * self.W + action, 0
        while hole is not None:
            laps += 1
            hole = self.lap(hole, p, laps == self.o["max_laps"])
        self.turn += 1
        self.quiet = self.quiet + 1 if sum(self.store) == stored else 0
        empty = [not self.full(q) for q in (0, 1)]
        over = {"stuck": empty[1 - p], "row": any(empty), "pass": all(empty)}[self.o["finish"]]
        if over or self.quiet == self.o["quiet_turns"] or self.turn == self.o["max_turns"]:
            self.end_round()
        elif not empty[1 - p]:
            self.to_move = 1 - p

    def lap(self, hole, p, is_last):
        """Sow one lap; return the hole to be lifted for the next one, or None."""
        hand, self.holes[hole] = self.holes[hole], 0
        cow = False
        for left in reversed(range(hand)):
            hole = self.after(hole)[0]
            self.holes[hole] += 1
            cow = self.holes[hole] == self.o["cow"] and not is_last
            if left == 0 and self.o["cow_last"] == "left":
                cow = False
            if cow:
                self.take(hole, p if self.o["cow_owner"] == "sower" else hole // self.W)
        if is_last:
            return None
        if self.o["relay"] == "next":
            following, prize = self.after(hole)[:2]
            if self.holes[following]:
                return following
        else:
            if cow:
                return None
            if self.holes[hole] > 1:
                return hole
            prize = self.after(hole)[0]
        if not self.holes[prize]:
            return None
        self.take(prize, p)
        if self.o["after"] == "end":
            return None
        return next((h for h in self.after(prize) if self.holes[h]), None)

    def end_round(self):
        counts = self.counts()
        if not self.further_round(counts):
            return
        self.quiet = 0
        self.to_move = self.opener = self.next_opener(counts)
        self.rubbish = [int(n >= counts[p] // self.o["seeds"]) for p in (0, 1) for n in range(self.W)]
        self.holes = [0 if out else self.o["seeds"] for out in self.rubbish]
        self.store = [counts[p] - self.in_row(p) for p in (0, 1)]
