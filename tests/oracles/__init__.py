"""Every game once more: slow, plain, and written from its page alone. The engine is held against these.

Nothing here imports the library, and whoever writes here has not read its rules before the two disagree.
"""


class Oracle:
    """One game in progress; attributes are named as the fields of its page.

    A game gives `FIELDS` (beyond those of every game), the page's defaults as `OPTIONS`, and the methods below.
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

    def set_up(self):
        """Begin the game."""
        raise AssertionError

    def legal(self):
        """The actions the player to move may take, from the lowest."""
        raise AssertionError

    def play(self, action):
        """Play a legal action."""
        raise AssertionError

    def fields(self):
        """What the page publishes, by name."""
        return {name: getattr(self, name) for name in (*self.HEAD, *self.FIELDS)}

    def draw(self, what, sides):
        """A fair result below `sides`, noted for `told`."""
        self.drawn.append([what, sides, self.chance.randrange(sides)])
        return self.drawn[-1][2]

    def told(self):
        """The draws since last asked, as the engine is told of them."""
        told, self.drawn = self.drawn, []
        return told

    def end(self, counts, seats, whole=None, margins=None):
        """The episode is over. `counts`: of each side; `seats`: the side of each player; `whole`: what a margin is part
        of; `margins`: what margins are reckoned on, if not the counts."""
        best = max(counts)
        winners = [side for side, count in enumerate(counts) if count == best]
        n, k = len(counts), len(winners)
        self.to_move, self.phase, self.ended = -1, 0, 1
        self.winner = winners[0] if k == 1 else -1
        if self.o["reward"] == "margin":
            reckoned = counts if margins is None else margins
            pay = [(own - (sum(reckoned) - own) / (n - 1)) / whole for own in reckoned]
        elif k == n:
            pay = [0] * n
        else:
            pay = [1 / k if side in winners else -1 / (n - k) for side in range(n)]
        self.rewards = [pay[side] for side in seats]
