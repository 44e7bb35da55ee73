"""Independent implementations of all games, with which tests compare the engine.

Each is written in plain Python from the rules page alone. Nothing here imports the library, and authors read the
library's rules only after the two disagree.
"""

import re


class Oracle:
    """One game in progress; attributes have the names of the position fields on the game's page.

    A subclass defines `FIELDS` (in addition to `HEAD`), `OPTIONS` with the defaults of the page, and the methods that
    raise AssertionError here.
    """

    HEAD = ("to_move", "phase", "turn", "winner", "round_number", "ended")
    FIELDS = ()
    OPTIONS = {}

    def __init__(self, chance, campaign=False, **options):
        self.o = {"reward": "win", **self.OPTIONS, **options}
        self.chance, self.campaign, self.drawn = chance, campaign, []
        self.to_move = self.phase = self.turn = self.ended = 0
        self.round_number, self.winner, self.rewards = 1, -2, None
        self.set_up()

    @classmethod
    def name(cls):
        """Return the name of the game, such as hat_diviyan_keliya for HatDiviyanKeliya."""
        return re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    def set_up(self):
        """Set up the start of the game."""
        raise AssertionError

    def legal(self):
        """Return the legal actions in ascending order."""
        raise AssertionError

    def play(self, action):
        """Play a legal action."""
        raise AssertionError

    def fields(self):
        """Return the position fields of the page by name."""
        return {name: getattr(self, name) for name in (*self.HEAD, *self.FIELDS)}

    def draw(self, what, sides):
        """Draw a uniform result 0..`sides` - 1, and record it for `take_draws`."""
        self.drawn.append([what, sides, self.chance.randrange(sides)])
        return self.drawn[-1][2]

    def take_draws(self):
        """Return the draws since the last call, in the format of the engine's `draws=`."""
        draws, self.drawn = self.drawn, []
        return draws

    def is_too_long(self):
        """Return whether the limit on turns, or that on quiet turns, is reached."""
        return self.turn >= self.o["max_turns"] or self.quiet >= self.o["quiet_turns"]

    def end_won(self, winner, whole=None, margins=None):
        """End an episode of two players that one has won, or none (None)."""
        self.end([int(player == winner) for player in (0, 1)], whole, margins)

    def end(self, counts, whole=None, margins=None, seats=None):
        """End the episode and compute the rewards.

        `counts` are the scores of the sides. A margin reward is the lead in `margins`, by default `counts`, divided by
        `whole`, by default the sum of `counts`. `seats` are the sides of the players, by default one player per side.
        """
        best = max(counts)
        winners = [side for side, count in enumerate(counts) if count == best]
        n, k = len(counts), len(winners)
        self.to_move, self.phase, self.ended = -1, 0, 1
        self.winner = winners[0] if k == 1 else -1
        if self.o["reward"] == "margin":
            scores = counts if margins is None else margins
            pay = [(own - (sum(scores) - own) / (n - 1)) / (whole or sum(counts)) for own in scores]
        elif k == n:
            pay = [0] * n
        else:
            pay = [1 / k if side in winners else -1 / (n - k) for side in range(n)]
        self.rewards = [pay[side] for side in seats or range(n)]
