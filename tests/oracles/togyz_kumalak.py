"""Togyz Kumalak and Bestemshe, from their page alone."""

from oracles import Oracle


class Bestemshe(Oracle):
    """The common rules. `rows[p][n]` are the seeds in the hole that player p calls n."""

    FIELDS = ("holes", "store")
    OPTIONS = {"columns": 5, "seeds": 5, "end": "majority", "max_turns": 300}

    def set_up(self):
        self.W = self.o["columns"]
        self.rows = [[self.o["seeds"]] * self.W for _ in (0, 1)]
        self.store = [0, 0]

    @property
    def holes(self):
        return self.rows[0] + self.rows[1]

    def legal(self):
        return [n for n, seeds in enumerate(self.rows[self.to_move]) if seeds]

    def play(self, action):
        me = self.to_move
        row, n = me, action
        hand, self.rows[row][n] = self.rows[row][n], 0
        if hand == 1:
            row, n = self.after(row, n)
        while True:
            self.fall(row, n)
            hand -= 1
            if not hand:
                break
            row, n = self.after(row, n)
        if row != me:
            self.last_seed(me, n)
        self.turn += 1
        self.to_move = 1 - me
        majority = self.o["end"] == "majority" and max(self.store) > self.W * self.o["seeds"]
        if majority or not sum(self.rows[1 - me]) or self.turn == self.o["max_turns"]:
            self.end([self.store[p] + sum(self.rows[p]) for p in (0, 1)])

    def after(self, row, n):
        return (row, n + 1) if n + 1 < self.W else (1 - row, 0)

    def fall(self, row, n):
        """Let one seed fall into a hole."""
        self.rows[row][n] += 1

    def last_seed(self, me, n):
        """Capture after a last seed in the opponent's hole n."""
        if self.rows[1 - me][n] in range(2, 256, 2):
            self.take(me, n)

    def take(self, me, n):
        self.store[me] += self.rows[1 - me][n]
        self.rows[1 - me][n] = 0


class TogyzKumalak(Bestemshe):
    """`numbers[p]` is the number of player p's tuzdyk in the other row, None without one."""

    FIELDS = ("holes", "store", "tuzdyk")
    OPTIONS = {
        "columns": 9, "seeds": 9, "end": "majority", "twin": "number", "last_hole": "barred", "least": 2,
        "max_turns": 400,
    }  # fmt: skip

    def set_up(self):
        super().set_up()
        self.numbers = [None, None]

    @property
    def tuzdyk(self):
        south, north = self.numbers
        return [-1 if south is None else self.W + south, -1 if north is None else north]

    def fall(self, row, n):
        owner = 1 - row
        if n == self.numbers[owner]:
            self.store[owner] += 1
        else:
            self.rows[row][n] += 1

    def last_seed(self, me, n):
        if n == self.numbers[me]:
            return
        seeds = self.rows[1 - me][n]
        if seeds in range(self.o["least"], 256, 2):
            self.take(me, n)
        elif seeds == 3 and self.numbers[me] is None and n not in self.barred(me):
            self.numbers[me] = n
            self.take(me, n)

    def barred(self, me):
        """Return the numbers of the opponent's holes that may not become a tuzdyk."""
        last = [self.W - 1] if self.o["last_hole"] == "barred" else []
        theirs = self.numbers[1 - me]
        if theirs is None or self.o["twin"] == "free":
            return last
        return [*last, theirs if self.o["twin"] == "number" else self.W - 1 - theirs]
