"""The opponents of an agent in self-play, its own snapshots included, and how often it plays each of them."""

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Mixture, OpponentSpec


class League:
    """Opponents with the agent's win rate against each; difficult opponents are sampled more often.

    The weight of an opponent is (1 - win rate) ** power. Members are numbered in the order in which they join.
    Environments report the opponent's number in `infos["opponent"]`; pass it to `record` when an episode ends.

    >>> league = League()
    >>> envs = MancalaVectorEnv("kalah", 64, opponent=league.mixture())

    Source: prioritised fictitious self-play, O. Vinyals et al., Nature 575, 2019, Methods.

    Args:
        members: the first opponents, which are never dropped: names, callables or paths, as environments take them.
        power: exponent of the weights; 0 weights all opponents equally, 1 and 2 are common.
        share: fraction of the episodes against snapshots, once there are any; the rest are against `members`.
        keep: number of snapshots in the mixture: the most difficult ones, and the newest among equals.
        memory: number of recent games against an opponent that its win rate covers, approximately.

    Raises:
        ValueError: if power is negative or infinite, share is not between 0 and 1, or keep or memory is below 1.
    """

    def __init__(
        self,
        members: Sequence[OpponentSpec] = ("random", "greedy"),
        power: float = 1.0,
        share: float = 0.3,
        keep: int = 4,
        memory: int = 200,
    ) -> None:
        if not (0 <= power < inf and 0 < share < 1 and keep >= 1 and memory >= 1):
            raise ValueError(
                "power must be at least 0, share between 0 and 1, keep and memory at least 1, got "
                f"{power=}, {share=}, {keep=}, {memory=}"
            )
        self.members: list[Any] = list(members)
        self.power, self.share, self.keep, self.memory = power, share, keep, memory
        self._num_fixed = len(self.members)
        self._wins, self._games = np.zeros(self._num_fixed), np.zeros(self._num_fixed)

    def add(self, snapshot: OpponentSpec) -> int:
        """Add a snapshot of the agent as an opponent, and return its number."""
        self.members.append(snapshot)
        self._wins, self._games = np.append(self._wins, 0.0), np.append(self._games, 0.0)
        return len(self.members) - 1

    def record(self, opponents: npt.ArrayLike, rewards: npt.ArrayLike) -> None:
        """Record the results of finished episodes. A draw counts as half a win.

        Args:
            opponents: (k,) or (k, P - 1) numbers of the opponents, with P players. Each opponent of an episode gets
                the result once.
            rewards: (k,) the agent's last rewards: positive for a win, zero for a draw, negative for a loss.
        """
        for numbers, reward in zip(np.atleast_1d(opponents), np.atleast_1d(rewards), strict=True):
            for number in np.unique(numbers):
                self._games[number] += 1 - self._games[number] / self.memory
                self._wins[number] += (1 + np.sign(reward)) / 2 - self._wins[number] / self.memory

    @property
    def win_rates(self) -> npt.NDArray[np.float64]:
        """(m,) the agent's win rates against the members, with one win and one loss added to each."""
        rates: npt.NDArray[np.float64] = (self._wins + 1) / (self._games + 2)
        return rates

    @property
    def snapshots(self) -> list[Any]:
        """The members that have been added."""
        return self.members[self._num_fixed :]

    def mixture(self) -> Mixture:
        """Return the opponents for the next episodes, with their weights and numbers.

        Raises:
            ValueError: if the league has no opponents.
        """
        weights = (1 - self.win_rates) ** self.power
        fixed, snapshots = range(self._num_fixed), range(self._num_fixed, len(self.members))
        hardest = sorted(snapshots, key=lambda number: (weights[number], number))[-self.keep :]
        if fixed and hardest:
            weights[fixed] *= (1 - self.share) / weights[fixed].sum()
            weights[hardest] *= self.share / weights[hardest].sum()
        numbers = [*fixed, *sorted(hardest)]
        chosen = weights[numbers] / weights[numbers].sum()
        return Mixture(tuple(self.members[k] for k in numbers), tuple(chosen.tolist()), tuple(numbers))
