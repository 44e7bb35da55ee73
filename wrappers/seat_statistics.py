"""Episode statistics of vector environments by seat."""

from time import perf_counter
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from mancala_envs.evaluation import Score


class SeatStatistics(RecordEpisodeStatistics):
    """Gymnasium's `RecordEpisodeStatistics`, with results by seat, in any autoreset mode.

    `infos["episode"]` has `r`, `l` and `t` as in Gymnasium, and two more arrays (n,). `seat` is the agent's seat.
    `result` is the sign of the last reward: 1 for a win, 0 for a draw, -1 for a loss; it is 0 for a truncated episode.
    `scores` and `returns` cover all episodes since the wrapper was made. Apply it directly to the vector environment;
    it needs `infos["seat"]`.

    Args:
        env: the vector environment.
        buffer_length: number of episodes that Gymnasium's queues hold.
        stats_key: key of the statistics in the infos.
    """

    def __init__(self, env: Any, buffer_length: int = 100, stats_key: str = "episode") -> None:
        super().__init__(env, buffer_length, stats_key)
        self._key = stats_key
        self.scores: dict[int, Score] = {}
        """Scores by seat."""
        self._sums: dict[int, float] = {}

    @property
    def returns(self) -> dict[int, float]:
        """Mean return of an episode, by seat."""
        return {seat: total / self.scores[seat].games for seat, total in self._sums.items()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step the environment."""
        same_step = self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        if same_step:
            self._restart(self.prev_dones)
        observations, rewards, terminated, truncated, infos = super().step(actions)
        over = terminated | truncated
        if over.any():
            seats = (infos["final_info"] if same_step else infos)["seat"]
            results = np.sign(rewards) * terminated
            episode = infos[self._key]
            episode["seat"], episode["result"] = np.where(over, seats, 0), results.astype(np.int64)
            for seat in np.unique(seats[over]).tolist():
                here = over & (seats == seat)
                won, drawn, lost = (int((results[here] == result).sum()) for result in (1, 0, -1))
                self.scores[seat] = self.scores.get(seat, Score(0, 0, 0)) + Score(won, drawn, lost)
                self._sums[seat] = self._sums.get(seat, 0.0) + float(episode["r"][here].sum())
        return observations, rewards, terminated, truncated, infos

    def _restart(self, begun: Any) -> None:
        """Restart the statistics of episodes (n,) that have begun, as Gymnasium 1.4 does; earlier ones lose a step."""
        self.episode_start_times[begun] = perf_counter()
        self.episode_returns[begun] = self.episode_lengths[begun] = 0
        self.prev_dones = np.zeros_like(begun)
