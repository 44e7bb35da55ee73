"""Diviyan Keliya, Hat Diviyan Keliya and Koti Keliya, from their pages alone."""

from oracles import Oracle
from oracles.points import JumpingGame, forty_nine, lines_of

MOVE, PLACE = 0, 1
HUNTER, HERD = 1, 2


class Hunt(JumpingGame):
    """Base of the two hunts with captures."""

    FIELDS = ("board", "hand", "taken", "moving", "quiet")

    def begin(self, places, lines, herd, hunters):
        self.lay_out(places, lines)
        self.done = 9 * self.N
        self.hand, self.taken = [hunters, herd], [0, 0]
        self.phase = PLACE

    def jumps(self, player, only=-1):
        return super().jumps(player, only) if player == 0 else {}

    def legal(self):
        return self.empty() if self.phase == PLACE else super().legal()

    def play(self, action):
        if self.phase != PLACE:
            return super().play(action)
        self.board[action] = 1 + self.to_move
        self.hand[self.to_move] -= 1
        return self.end_turn(True)

    def goes_on(self):
        return self.o["jumps"] == "many" and self.taken[0] < self.o["goal"]

    def end_turn(self, progress):
        self.next_player(progress)
        self.phase = PLACE if self.hand[self.to_move] else MOVE
        if self.taken[0] >= self.o["goal"]:
            self.end_won(0)
        elif not self.legal():
            self.end_won(1 - self.to_move)
        elif self.is_too_long():
            self.end_won(None)


class DiviyanKeliya(Hunt):
    OPTIONS = {"goal": 8, "jumps": "one", "capture": "free", "quiet_turns": 100, "max_turns": 1000}

    def set_up(self):
        self.begin(*forty_nine(), 24, 2)


class HatDiviyanKeliya(Hunt):
    OPTIONS = {"start": "any", "goal": 4, "jumps": "one", "capture": "free", "quiet_turns": 60, "max_turns": 400}

    def set_up(self):
        places = [(0, 4), *((row, column) for row in (1, 2, 3) for column in (4 - row, 4, 4 + row))]
        self.begin(places, lines_of("0 1 4 7, 0 2 5 8, 0 3 6 9, 1 2 3, 4 5 6, 7 8 9"), 7, 1)

    def empty(self):
        return [0] if self.turn == 0 and self.o["start"] == "apex" else super().empty()


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
            self.end_won(0)
        elif not self.moves():
            self.end_won(1 - self.to_move)
        elif self.turn >= self.o["max_turns"]:
            self.end_won(None)
