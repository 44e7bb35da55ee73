"""Dam on rows and columns, from its page alone."""

from oracles import Oracle

AROUND = {1: (-1, 1), 3: (1, 1), 5: (1, -1), 7: (-1, -1)}


class Dam(Oracle):
    """Adapter that presents a `Table` as an oracle."""

    OPTIONS = {
        "size": 12, "capture": "must", "crown": "stop", "king_turn": "capture", "lift": "jump",
        "quiet_turns": 120, "max_turns": 1000,
    }  # fmt: skip

    def set_up(self):
        self.table = Table(**{name: value for name, value in self.o.items() if name != "reward"})
        self.pieces = len(self.table.lying)

    def legal(self):
        return sorted(self.table.choices())

    def play(self, action):
        self.table.play(action)
        winner = self.table.winner
        if winner is not None:
            taken = self.table.fields()["taken"]
            self.end([int(player == winner) for player in (0, 1)], (0, 1), self.pieces, taken)

    def fields(self):
        return super().fields() | self.table.fields()


class Table:
    """One game in progress; pieces are on places (row, column)."""

    def __init__(self, size=12, capture="must", crown="stop", king_turn="capture", lift="jump", **bounds):
        self.size, self.capture, self.crown, self.king_turn, self.lift = size, capture, crown, king_turn, lift
        self.bounds = {"quiet_turns": 120, "max_turns": 1000, **bounds}
        full = size // 2 - 1
        rows = {row: 2 if row < full else 1 for row in range(size) if row < full or row >= size - full}
        self.lying = {(r, c): player for r, player in rows.items() for c in range(size) if (r + c) % 2 == 0}
        self.kings, self.jumped = set(), set()
        self.mover, self.turn, self.quiet, self.taken = 1, 0, 0, {1: 0, 2: 0}
        self.moving, self.heading, self.winner = None, None, None

    def number(self, place):
        return place[0] * (self.size // 2) + place[1] // 2

    def seen(self, place):
        """Return the number of a place in the mover's numbering."""
        return self.number(place if self.mover == 1 else (self.size - 1 - place[0], self.size - 1 - place[1]))

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
                    self.lying[here] == self.mover
                    or here in self.jumped
                    or not self.inside(behind)
                    or behind in self.lying
                ):
                    break
                else:
                    jumped.append(here)

    def further(self):
        """Return the continuations of the piece that has captured."""
        ways = [way for way in self.ways(self.moving)]
        if self.heading is None:
            if self.crown == "stop" and self.moving[0] == self.last_row:
                return []
            return [way for way in ways if way[2]]
        down, right = AROUND[self.heading]
        if self.inside((self.moving[0] + down, self.moving[1] + right)):
            return []
        aside = {(self.heading + 2) % 8, (self.heading - 2) % 8}
        return [way for way in ways if way[1] in aside and (way[2] or self.king_turn == "free")]

    @property
    def last_row(self):
        return 0 if self.mover == 1 else self.size - 1

    def choices(self):
        """Return the legal actions and their moves, none when the game is over."""
        if self.winner is not None:
            return {}
        if self.moving:
            found = [(self.moving, way) for way in self.further()]
        else:
            own = [place for place, player in self.lying.items() if player == self.mover]
            found = [(place, way) for place in own for way in self.ways(place)]
            if self.capture == "must" and any(way[2] for _, way in found):
                found = [(place, way) for place, way in found if way[2]]
        n = self.size**2 // 2
        choices = {n * self.seen(place) + self.seen(way[0]): (place, way) for place, way in found}
        if self.moving and (self.heading is not None or self.capture == "free"):
            choices[n * n] = None
        return choices

    def play(self, action):
        chosen = self.choices()[action]
        while chosen and self.go(*chosen):
            choices = list(self.choices().values())
            if len(choices) > 1:
                return
            (chosen,) = choices
        self.end_turn()

    def go(self, place, way):
        """Make a move; return whether the turn continues."""
        end, direction, jumped = way
        self.lying[end] = self.lying.pop(place)
        if place in self.kings:
            self.kings = self.kings - {place} | {end}
        plain = not jumped and not self.moving
        self.quiet = self.quiet + 1 if plain else 0
        self.moving, self.heading = end, direction if end in self.kings else None
        self.taken[self.mover] += len(jumped)
        self.jumped |= set(jumped)
        if self.lift == "jump":
            self.lift_all()
        return bool(jumped) and bool(self.further())

    def lift_all(self):
        for place in self.jumped:
            del self.lying[place]
            self.kings.discard(place)
        self.jumped = set()

    def end_turn(self):
        self.lift_all()
        if self.moving[0] == self.last_row and self.moving not in self.kings:
            self.kings.add(self.moving)
            self.quiet = 0
        self.moving = self.heading = None
        self.turn += 1
        self.mover = 3 - self.mover
        if not self.choices():
            self.winner = 2 - self.mover
        elif self.quiet >= self.bounds["quiet_turns"] or self.turn >= self.bounds["max_turns"]:
            self.winner = -1

    def fields(self):
        """Return the position fields of the page."""
        board = [0] * (self.size**2 // 2)
        for place, player in self.lying.items():
            board[self.number(place)] = player + 2 * (place in self.kings) + 4 * (place in self.jumped)
        over = self.winner is not None
        return {
            "board": board,
            "taken": [self.taken[1], self.taken[2]],
            "moving": self.number(self.moving) if self.moving else -1,
            "heading": self.heading or -1,
            "quiet": self.quiet,
            "turn": self.turn,
            "to_move": -1 if over else self.mover - 1,
            "phase": int(self.moving is not None),
            "winner": self.winner if over else -2,
        }
