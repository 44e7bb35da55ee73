"""How well a policy plays: games against an opponent, with an interval that says how far to trust the number."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from mancala_envs.agents import Policy
from mancala_envs.envs.vector import MancalaVectorEnv

Z95 = 1.959964
"""Half-width of the central 95% of the normal distribution, in standard deviations."""


@dataclass(frozen=True)
class Score:
    """Results of a number of games; a shared first place is a win. Rates are of decided games, `interval` is 95%."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All games, draws included."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """Wins among decided games; 0.5 where none was decided."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95% interval of `win_rate` (E. B. Wilson, JASA 22, 1927)."""
        n = self.wins + self.losses
        if n == 0:
            return 0.0, 1.0
        centre = (self.win_rate + Z95**2 / (2 * n)) / (1 + Z95**2 / n)
        half = Z95 / (1 + Z95**2 / n) * sqrt(self.win_rate * (1 - self.win_rate) / n + Z95**2 / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.win_rate:6.1%} of decided games [{low:.1%}, {high:.1%}] ({self.wins}-{self.draws}-{self.losses})"

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers for a JSON file."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {**counts, "win_rate": self.win_rate, "interval_95": list(self.interval)}


def evaluate(
    policy: Policy,
    game: str,
    opponent: Any = "random",
    seat: int | str = "random",
    games: int = 400,
    seed: int = 0,
    **options: Any,
) -> Score:
    """Play `games` games at once, each to its end, `policy` (on batches) against `opponent`.

    Every game counts, long or short. Arguments as `MancalaVectorEnv`; raises as it does, and IllegalAction where the
    policy plays an illegal action.
    """
    envs = MancalaVectorEnv(
        game, games, opponent=opponent, seat=seat, illegal="raise", autoreset_mode="SameStep", **options
    )
    observations, infos = envs.reset(seed=seed)
    result = np.zeros(games)
    playing = np.ones(games, np.bool_)
    while playing.any():
        # Games that are over start again unseen: the batch keeps its shape and only first games count.
        actions = np.asarray(policy(observations, infos["action_mask"]))
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = (terminated | truncated) & playing
        result[over] = rewards[over]
        playing &= ~over
    return Score(int((result > 0).sum()), int((result == 0).sum()), int((result < 0).sum()))
