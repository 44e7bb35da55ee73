"""Base of the oracles of all races: throwing, using throws, passing and the end of the game."""

from oracles import Oracle

THROWS_OF_A_TURN = 16
PASSES = 4000


class Race(Oracle):
    """A race; subclasses define `side` and `row` (of a player), `goal`, `throw`, `use`, and `target` or `uses`.

    `target(index, piece)` is the place that a piece reaches by a throw, None if the throw cannot be used.
    """

    FIELDS = ("pieces", "throws")
    OPTIONS = {"use": "must"}

    def start(self, pieces, values, players):
        self.pieces, self.values, self.players = pieces, values, players
        self.throws = [0] * values
        self.done = values * len(pieces[0])
        self.to_move = -1
        self.next_player()

    def row(self, player):
        return player

    def is_home(self, player):
        return all(place == self.goal for place in self.pieces[self.row(player)])

    def next_player(self):
        """Pass the turn to the next player who can use one of their throws."""
        player, passes = self.to_move, 0
        while True:
            player = (player + 1) % self.players
            if self.is_home(player):
                continue
            self.to_move = player
            self.throws = [0] * self.values
            self.throw()
            if self.uses():
                return
            passes += 1
            if passes == PASSES:
                self.over(None)
                return

    def may_stop(self):
        return self.o["use"] == "may"

    def uses(self):
        return [
            index * len(self.pieces[0]) + piece
            for index in range(self.values)
            if self.throws[index]
            for piece in self.lowest(self.to_move)
            if self.target(index, piece) is not None
        ]

    def legal(self):
        return sorted([*self.uses(), *([self.done] if self.may_stop() else [])])

    def play(self, action):
        if action == self.done:
            return self.end_turn()
        self.use(action)
        side = self.side(self.to_move)
        if all(self.is_home(player) for player in range(self.players) if self.side(player) == side):
            self.turn += 1
            return self.over(side)
        if not self.uses():
            return self.end_turn()
        if len(self.legal()) == 1:
            return self.play(self.legal()[0])
        return None

    def end_turn(self):
        self.turn += 1
        if self.turn >= self.o["max_turns"]:
            return self.over(None)
        return self.next_player()

    def over(self, winner):
        """End the game; `winner` is a side, or None for a draw."""
        self.throws = [0] * self.values
        seats = [self.side(player) for player in range(self.players)]
        sums = [0] * len(set(seats))
        for row, pieces in enumerate(self.pieces):
            sums[self.side(row)] += sum(pieces)
        whole = sum(map(len, self.pieces)) * self.goal
        self.end([int(side == winner) for side in range(len(sums))], whole, sums, seats)

    def alike(self, player):
        """Return for each piece what makes it equal to others."""
        return self.pieces[self.row(player)]

    def lowest(self, player):
        """Return the pieces that can be chosen: the first of each group of equal pieces."""
        alike = self.alike(player)
        return [i for i, which in enumerate(alike) if which not in alike[:i]]


def mouths(result):
    """Return the number of cowries that lie mouth up in the result of a throw."""
    return bin(result).count("1")
