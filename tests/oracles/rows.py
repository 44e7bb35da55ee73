"""Two rows of holes with a store each, shared by the oracles of several games."""

from oracles import Oracle


class Rows(Oracle):
    """Base of games in which player 0 owns the first `columns` holes, and player 1 the others."""

    FIELDS = ("holes", "store")

    def set_up(self):
        self.W = self.o["columns"]
        self.holes = [self.o["seeds"]] * 2 * self.W
        self.store = [0, 0]
        self.opener = 0

    def row(self, player):
        return range(player * self.W, (player + 1) * self.W)

    def in_row(self, player):
        return sum(self.holes[hole] for hole in self.row(player))

    def full(self, player):
        """Return the holes with seeds in a row."""
        return [hole for hole in self.row(player) if self.holes[hole]]

    def legal(self):
        return [hole % self.W for hole in self.full(self.to_move)]

    def take(self, hole, player):
        self.store[player] += self.holes[hole]
        self.holes[hole] = 0

    def counts(self):
        """Return the seeds in the store and in the row of each player."""
        return [self.store[p] + self.in_row(p) for p in (0, 1)]

    def further_round(self, counts):
        """Count a further round of a campaign, or end the episode; return whether there is a further round."""
        if self.campaign:
            self.seeds_owned = counts
            if min(counts) // self.o["seeds"] >= self.o["houses"] and self.round_number < self.o["max_rounds"]:
                self.round_number += 1
                self.turn = 0
                return True
        self.end(counts)
        return False

    def next_opener(self, counts):
        """Return who begins the next round by the option `first`."""
        if self.o["first"] == "alternate" or counts[0] == counts[1]:
            return 1 - self.opener
        winner = counts.index(max(counts))
        return winner if self.o["first"] == "winner" else 1 - winner
