"""Diviyan Keliya, Hat Diviyan Keliya and Koti Keliya, from their pages alone."""

from oracles import Oracle
from oracles.points import forty_nine, lines_of, steps_and_jumps

MOVE, PLACE, GO_ON = 0, 1, 2
HUNTER, HERD = 1, 2


class Hunt(Oracle):
    """Base of the two hunts with captures."""

    FIELDS = ("board", "hand", "taken", "moving", "quiet")

    def lay_out(self, places, lines, herd, hunters):
        self.ways, self.leaps = steps_and_jumps(places, lines)
        self.N = len(places)
        self.done = 9 * self.N
        self.board = [0] * self.N
        self.hand, self.taken = [hunters, herd], [0, 0]
        self.moving, self.quiet, self.phase = -1, 0, PLACE

    def steps(self, player):
        return {
            self.N + 8 * start + way: (start, end)
            for (start, way), end in self.ways.items()
            if self.board[start] == 1 + player and self.board[end] == 0
        }

    def jumps(self, only=-1):
        return {
            self.N + 8 * start + way: (start, over, end)
            for (start, way), (over, end) in self.leaps.items()
            if [self.board[point] for point in (start, over, end)] == [HUNTER, HERD, 0] and only in (-1, start)
        }

    def placements(self):
        return [point for point in range(self.N) if self.board[point] == 0]

    def legal(self):
        must = self.o["capture"] == "compulsory"
        if self.phase == PLACE:
            return self.placements()
        if self.phase == GO_ON:
            return sorted([*self.jumps(self.moving), *([] if must else [self.done])])
        jumps = list(self.jumps()) if self.to_move == 0 else []
        return sorted(jumps if jumps and must else [*jumps, *self.steps(self.to_move)])

    def play(self, action):
        p = self.to_move
        if self.phase == PLACE:
            self.board[action] = 1 + p
            self.hand[p] -= 1
            return self.end_turn(True)
        if action == self.done:
            return self.end_turn(True)
        if action in self.steps(p):
            start, end = self.steps(p)[action]
            self.board[start], self.board[end] = 0, 1 + p
            return self.end_turn(False)
        start, over, end = self.jumps()[action]
        self.board[start] = self.board[over] = 0
        self.board[end] = HUNTER
        self.taken[0] += 1
        self.quiet = 0
        if self.o["jumps"] == "one" or self.taken[0] >= self.o["goal"] or not self.jumps(end):
            return self.end_turn(True)
        self.moving, self.phase = end, GO_ON
        if len(self.legal()) == 1:
            return self.play(self.legal()[0])
        return None

    def end_turn(self, progress):
        p = self.to_move
        self.moving = -1
        self.turn += 1
        self.quiet = 0 if progress else self.quiet + 1
        self.to_move = 1 - p
        self.phase = PLACE if self.hand[1 - p] else MOVE
        if self.taken[0] >= self.o["goal"]:
            self.end([1, 0], (0, 1))
        elif not self.legal():
            self.end([int(q == p) for q in (0, 1)], (0, 1))
        elif self.quiet >= self.o["quiet_turns"] or self.turn >= self.o["max_turns"]:
            self.end([0, 0], (0, 1))


class DiviyanKeliya(Hunt):
    OPTIONS = {"goal": 8, "jumps": "one", "capture": "free", "quiet_turns": 100, "max_turns": 1000}

    def set_up(self):
        self.lay_out(*forty_nine(), 24, 2)


class HatDiviyanKeliya(Hunt):
    OPTIONS = {"start": "any", "goal": 4, "jumps": "one", "capture": "free", "quiet_turns": 60, "max_turns": 400}

    def set_up(self):
        places = [(0, 4), *((row, column) for row in (1, 2, 3) for column in (4 - row, 4, 4 + row))]
        self.lay_out(places, lines_of("0 1 4 7, 0 2 5 8, 0 3 6 9, 1 2 3, 4 5 6, 7 8 9"), 7, 1)

    def placements(self):
        return [0] if self.turn == 0 and self.o["start"] == "apex" else super().placements()


class KotiKeliya(Oracle):
    FIELDS = ("board", "hand")
    OPTIONS = {"size": 12, "first": "cattle", "reach": 2, "max_turns": 200}
    DIAGONALS = {1: (-1, 1), 3: (1, 1), 5: (1, -1), 7: (-1, -1)}

    def set_up(self):
        self.half = self.o["size"] // 2
        self.N = self.o["size"] * self.half
        self.board = [HERD] * self.half + [0] * (self.N - self.half)
        self.hand = [1, 0]
        self.phase = PLACE

    def place(self, point):
        row = point // self.half
        return row, 2 * (point % self.half) + row % 2

    def beyond(self, point, way, squares=1):
        """Return the point this many squares away, None off the board."""
        row, column = self.place(point)
        row, column = row + squares * self.DIAGONALS[way][0], column + squares * self.DIAGONALS[way][1]
        size = self.o["size"]
        return row * self.half + column // 2 if 0 <= row < size and 0 <= column < size else None

    def free(self, point):
        return point is not None and self.board[point] == 0

    def moves(self):
        """Return the legal moves as {action: (from, to)}."""
        found = {}
        for start in range(self.N):
            if self.board[start] != 1 + self.to_move:
                continue
            for way in (3, 5) if self.to_move else (1, 3, 5, 7):
                if not self.free(self.beyond(start, way)):
                    continue
                found[self.N + 8 * start + way] = start, self.beyond(start, way)
                far = self.beyond(start, way, 2)
                if self.to_move == 0 and self.o["reach"] == 2 and self.free(far):
                    found[self.N + 8 * start + way - 1] = start, far
        return found

    def legal(self):
        if self.phase == PLACE:
            return [point for point in range(self.N) if self.board[point] == 0]
        return sorted(self.moves())

    def play(self, action):
        p = self.to_move
        if self.phase == PLACE:
            self.board[action] = HUNTER
            self.hand[0] = 0
            self.phase = MOVE
            self.to_move = 0 if self.o["first"] == "leopard" else 1
        else:
            start, end = self.moves()[action]
            self.board[start], self.board[end] = 0, 1 + p
            self.to_move = 1 - p
        self.turn += 1
        leopard_row = self.place(self.board.index(HUNTER))[0]
        if not any(self.board[point] == HERD for point in range(leopard_row * self.half)):
            self.end([1, 0], (0, 1))
        elif not self.moves():
            self.end([int(q != self.to_move) for q in (0, 1)], (0, 1))
        elif self.turn >= self.o["max_turns"]:
            self.end([0, 0], (0, 1))
