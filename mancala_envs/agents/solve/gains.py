"""What a solved game is about: how much a player has won at its end, and how much he still can. They know no game.

Gains are integers: the lead in the game's score where the reward is the margin, else 1, 0 or -1. A game of two is worth
to one player what it costs the other.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import key_words
from mancala_envs.core import outcome
from mancala_envs.core.binding import in_python
from mancala_envs.core.contract import assured, share
from mancala_envs.core.game import Game, States
from mancala_envs.core.options import LARGEST
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

Bounds = tuple[int, int]
"""What player 0 gains at least and at most; equal where it is proven."""


@rule
def gain(s, p, unit):
    """What player p has won in a game that is over; `unit`: what a reward of 1 counts for."""
    won = share(s, p) * unit
    return np.int64(won + 0.5) if won >= 0 else np.int64(won - 0.5)


@rule
def lead_assured(s, p, counts):
    """Player p's lead in what nobody can take away any more; 0 where nothing `counts` but who has won."""
    return np.int64(assured(s, p)) - np.int64(assured(s, 1 - p)) if counts else np.int64(0)


@rule
def at_stake(s, unit, counts):
    """By how much leads may still change, at most, either way."""
    return unit - np.int64(assured(s, 0)) - np.int64(assured(s, 1)) if counts else np.int64(unit)


@dataclass(frozen=True)
class Measure:
    """How a game's gains are counted. `unit`: what a reward of 1 counts for; `counts`: whether gains are leads in the
    score, of which what was won before can be told apart; `endless`: whether quiet turns have no bound either."""

    unit: int
    counts: bool
    endless: bool = False

    @classmethod
    def of(cls, game: Game, endless: bool = False) -> "Measure":
        """Raises ValueError for a game that this cannot solve, saying why."""
        for fault, holds in (
            ("has not two players", game.num_players != 2 or game.num_deciding != 2),
            ("has chance", game.has_chance),
            ("has secrets", game.has_secrets),
            ("pays for rounds besides", game.campaign and bool(game.options["round_reward"])),
        ):
            if holds:
                raise ValueError(
                    f"{game.header} {fault}: only games of two without chance, secrets and such pay are solved"
                )
        if game.options.get("reward") != "margin" or game.book.result.whole is outcome.whole:
            return cls(1, False, endless)
        return cls(int(in_python(game.book.result.whole)(game.init(1, 0)[0])), not game.campaign, endless)

    def keyed(self, game: Game) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """`key_words` of a game whose turns have no end; histories belong to it, and where gains are leads what was
        gained before does not; nor does what stays as it is in a single round."""
        besides = [count for count, bound in self._bounds if bound in (game.dtype.names or ())]
        if not game.campaign:
            besides.extend(("round_number", "winner"))
        if self.counts:
            besides.extend(game.book.positions.counters)
        return key_words(game, besides, game.dtype.itemsize)

    def unbounded(self, game: Game, state: States) -> States:
        """The one position without these bounds, where its record has them: what is proven of it, by lines that end,
        holds with any bound that they keep to."""
        state = np.array(state).reshape(1)
        for _, bound in self._bounds:
            if bound in (game.dtype.names or ()):
                state[bound] = LARGEST
        return state

    @property
    def _bounds(self) -> list[tuple[str, str]]:
        """What is counted only to end a game by it, and the number at which it does."""
        return [("turn", "max_turns"), *([("quiet", "quiet_turns")] if self.endless else [])]
