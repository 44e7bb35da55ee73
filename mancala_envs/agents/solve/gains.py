"""Gains, the unit of solutions: a player's gain at the end of a game, and how much leads can still change.

Gains are integers: the lead in the game's score if the reward is the margin, and 1, 0 or -1 otherwise. The gains of the
two players sum to zero. No code here is specific to a game.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import key_words
from mancala_envs.core import outcome
from mancala_envs.core.arguments import States
from mancala_envs.core.binding import in_python
from mancala_envs.core.contract import secured_score, share
from mancala_envs.core.engine import Engine
from mancala_envs.core.options import LARGEST
from mancala_envs.core.rule import rule

Bounds = tuple[int, int]
"""The lower and the upper bound of player 0's gain; they are equal if the gain is proven."""


@rule
def gain(s, p, unit):
    """Return player p's gain in a game that is over; `unit` is the gain that equals a reward of 1."""
    won = share(s, p) * unit
    return np.int64(won + 0.5) if won >= 0 else np.int64(won - 0.5)


@rule
def secured_lead(s, p, by_margin):
    """Return player p's lead in `secured_score`; 0 unless gains are counted `by_margin`."""
    return np.int64(secured_score(s, p)) - np.int64(secured_score(s, 1 - p)) if by_margin else np.int64(0)


@rule
def at_stake(s, unit, by_margin):
    """Return how much the lead of a player can still change, in either direction."""
    return unit - np.int64(secured_score(s, 0)) - np.int64(secured_score(s, 1)) if by_margin else np.int64(unit)


@dataclass(frozen=True)
class Measure:
    """The definition of gains for a game.

    Attributes:
        unit: The gain that equals a reward of 1.
        by_margin: Whether gains are leads in the score, so that earlier captures can be added.
        endless: Whether the limit on quiet turns is lifted, too.
    """

    unit: int
    by_margin: bool
    endless: bool = False

    @classmethod
    def of(cls, game: Engine, endless: bool = False) -> "Measure":
        """Return the measure of a game.

        Raises:
            ValueError: The game cannot be solved; the message says why.
        """
        for fault, holds in (
            ("does not have two players", game.num_players != 2 or game.num_deciding != 2),
            ("has chance", game.has_chance),
            ("has hidden information", game.has_secrets),
            ("pays for rounds", game.campaign and bool(game.options["round_reward"])),
        ):
            if holds:
                raise ValueError(
                    f"{game.header} {fault}: only games for two players without chance, hidden information and rewards "
                    "for rounds can be solved"
                )
        if game.options.get("reward") != "margin" or game.book.result.whole is outcome.whole:
            return cls(1, False, endless)
        return cls(int(in_python(game.book.result.whole)(game.init(1, 0)[0])), not game.campaign, endless)

    def key_words(self, game: Engine) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64]]:
        """Return `common.key_words` of a game without a limit of turns.

        The key covers histories. It leaves out earlier captures if gains are leads, and fields that never change in a
        single round.
        """
        left_out = [count for count, bound in self._bounds if bound in (game.dtype.names or ())]
        if not game.campaign:
            left_out.extend(("round_number", "winner"))
        if self.by_margin:
            left_out.extend(game.book.positions.counters)
        return key_words(game, left_out, game.dtype.itemsize)

    def unbounded(self, game: Engine, state: States) -> States:
        """Return a position without limits of turns. A proof then holds for any limit that its variations keep to."""
        state = np.array(state).reshape(1)
        for _, bound in self._bounds:
            if bound in (game.dtype.names or ()):
                state[bound] = LARGEST
        return state

    @property
    def _bounds(self) -> list[tuple[str, str]]:
        """The fields that only count up to a limit which ends the game, each with that limit."""
        return [("turn", "max_turns"), *([("quiet", "quiet_turns")] if self.endless else [])]
