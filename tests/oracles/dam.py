"""Dam on rows and columns, from its page alone."""

from oracles import Oracle

AROUND = {1: (-1, 1), 3: (1, 1), 5: (1, -1), 7: (-1, -1)}


class Dam(Oracle):
    """Pieces lie on places (row, column). `piece` is the one that goes on, and `way` its direction if it is a king."""

    FIELDS = ("board", "taken", "moving", "heading", "quiet")
    OPTIONS = {
        "size": 12, "capture": "must", "crown": "stop", "king_turn": "capture", "lift": "jump",
        "quiet_turns": 120, "max_turns": 1000,
    }  # fmt: skip

    def set_up(self):
        self.size = self.o["size"]
        full = self.size // 2 - 1
        rows = {row: int(row < full) for row in range(self.size) if row < full or row >= self.size - full}
        self.lying = {(r, c): player for r, player in rows.items() for c in range(self.size) if (r + c) % 2 == 0}
        self.pieces = len(self.lying)
        self.kings, self.jumped = set(), set()
        self.quiet, self.taken = 0, [0, 0]
        self.piece = self.way = None

    @property
    def board(self):
        board = [0] * (self.size**2 // 2)
        for place, player in self.lying.items():
            board[self.number(place)] = 1 + player + 2 * (place in self.kings) + 4 * (place in self.jumped)
        return board

    @property
    def moving(self):
        return self.number(self.piece) if self.piece else -1

    @property
    def heading(self):
        return self.way or -1

    def number(self, place):
        return place[0] * (self.size // 2) + place[1] // 2

    def seen(self, place):
        """Return the number of a place in the mover's numbering."""
        return self.number((self.size - 1 - place[0], self.size - 1 - place[1]) if self.to_move else place)

    def inside(self, place):
        return all(0 <= number < self.size for number in place)

    def ways(self, place):
        """Yield (end, direction, places jumped) of every step, jump or leg of the piece on a place."""
        for direction, (down, right) in AROUND.items():
            jumped, here = [], place
            while True:
                here = here[0] + down, here[1] + right
                behind = here[0] + down, here[1] + right
                if not self.inside(here):
                    break
                if here not in self.lying:
                    yield here, direction, tuple(jumped)
                    if place not in self.kings:
                        break
                elif (
                    self.lying[here] == self.to_move
                    or here in self.jumped
                    or not self.inside(behind)
                    or behind in self.lying
                ):
                    break
                else:
                    jumped.append(here)

    def further(self):
        """Return the continuations of the piece that has captured."""
        ways = list(self.ways(self.piece))
        if self.way is None:
            if self.o["crown"] == "stop" and self.piece[0] == self.last_row:
                return []
            return [way for way in ways if way[2]]
        down, right = AROUND[self.way]
        if self.inside((self.piece[0] + down, self.piece[1] + right)):
            return []
        aside = {(self.way + 2) % 8, (self.way - 2) % 8}
        return [way for way in ways if way[1] in aside and (way[2] or self.o["king_turn"] == "free")]

    @property
    def last_row(self):
        return self.size - 1 if self.to_move else 0

    def choices(self):
        """Return the legal actions and their moves."""
        if self.piece:
            found = [(self.piece, way) for way in self.further()]
        else:
            own = [place for place, player in self.lying.items() if player == self.to_move]
            found = [(place, way) for place in own for way in self.ways(place)]
            if self.o["capture"] == "must" and any(way[2] for _, way in found):
                found = [(place, way) for place, way in found if way[2]]
        n = self.size**2 // 2
        choices = {n * self.seen(place) + self.seen(way[0]): (place, way) for place, way in found}
        if self.piece and (self.way is not None or self.o["capture"] == "free"):
            choices[n * n] = None
        return choices

    def legal(self):
        return sorted(self.choices())

    def play(self, action):
        chosen = self.choices()[action]
        while chosen and self.go(*chosen):
            choices = list(self.choices().values())
            if len(choices) > 1:
                self.phase = 1
                return
            (chosen,) = choices
        self.end_turn()

    def go(self, place, way):
        """Make a move; return whether the turn continues."""
        end, direction, jumped = way
        self.lying[end] = self.lying.pop(place)
        if place in self.kings:
            self.kings = self.kings - {place} | {end}
        plain = not jumped and not self.piece
        self.quiet = self.quiet + 1 if plain else 0
        self.piece, self.way = end, direction if end in self.kings else None
        self.taken[self.to_move] += len(jumped)
        self.jumped |= set(jumped)
        if self.o["lift"] == "jump":
            self.lift_all()
        return bool(jumped) and bool(self.further())

    def lift_all(self):
        for place in self.jumped:
            del self.lying[place]
            self.kings.discard(place)
        self.jumped = set()

    def end_turn(self):
        self.lift_all()
        if self.piece[0] == self.last_row and self.piece not in self.kings:
            self.kings.add(self.piece)
            self.quiet = 0
        self.piece = self.way = None
        self.phase = 0
        self.turn += 1
        self.to_move = 1 - self.to_move
        if not self.choices():
            self.end_won(1 - self.to_move, self.pieces, self.taken)
        elif self.is_too_long():
            self.end_won(None, self.pieces, self.taken)
