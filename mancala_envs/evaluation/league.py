"""Self-play: the opponents of a learner, among them its own past, and which of them it should meet next."""

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Mixture, OpponentSpec


class League:
    """Opponents, how the learner fares against each, and the next ones: the harder, the more often.

    Prioritised fictitious self-play (O. Vinyals et al., Nature 575, 2019, Methods): an opponent's weight is
    (1 - win rate) ** power. Members are numbered as they join; episodes tell the number of whom they were played
    against in `infos["opponent"]`, and `record` takes it back.

    Arguments:
        members: the first ones, which stay: names, callables, paths, as environments take them.
        power: 0 makes all alike, 1 or 2 are usual.
        share: part of the episodes against snapshots, once there are any; the others are against `members`.
        keep: how many snapshots are met at a time, the hardest; the newest of equals.
        memory: win rates are of about so many last games against each.

    Raises ValueError for a negative or endless power, a share that is not between 0 and 1, and keep or memory below 1.
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
        self._lasting = len(self.members)
        self._wins, self._games = np.zeros(self._lasting), np.zeros(self._lasting)

    def add(self, snapshot: OpponentSpec) -> int:
        """Take in a snapshot of the learner; returns its number."""
        self.members.append(snapshot)
        self._wins, self._games = np.append(self._wins, 0.0), np.append(self._games, 0.0)
        return len(self.members) - 1

    def record(self, opponents: npt.ArrayLike, rewards: npt.ArrayLike) -> None:
        """Episodes that are over: the numbers of the opponents (k,) or (k, P - 1), and the learner's last rewards (k,).

        Above 0 is a win, 0 half of one. Against several opponents it is a result against each.
        """
        for numbers, reward in zip(np.atleast_1d(opponents), np.atleast_1d(rewards), strict=True):
            for number in np.unique(numbers):
                self._games[number] += 1 - self._games[number] / self.memory
                self._wins[number] += (1 + np.sign(reward)) / 2 - self._wins[number] / self.memory

    @property
    def win_rates(self) -> npt.NDArray[np.float64]:
        """(m,) of the learner against every member, as if it had won one game more and lost one more."""
        rates: npt.NDArray[np.float64] = (self._wins + 1) / (self._games + 2)
        return rates

    def mixture(self) -> Mixture:
        """The next opponents. Raises ValueError as long as there are none."""
        weights = (1 - self.win_rates) ** self.power
        lasting, snapshots = range(self._lasting), range(self._lasting, len(self.members))
        hardest = sorted(snapshots, key=lambda number: (weights[number], number))[-self.keep :]
        if lasting and hardest:
            weights[lasting] *= (1 - self.share) / weights[lasting].sum()
            weights[hardest] *= self.share / weights[hardest].sum()
        numbers = [*lasting, *sorted(hardest)]
        chosen = weights[numbers] / weights[numbers].sum()
        return Mixture(tuple(self.members[k] for k in numbers), tuple(chosen.tolist()), tuple(numbers))
