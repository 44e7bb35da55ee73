"""A curriculum for campaigns: begin with their last rounds, and move to their beginning as the learner wins."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorWrapper

from mancala_envs.agents import act
from mancala_envs.wrappers.forms import Forms

States = npt.NDArray[Any]


def late_starts(game: Any, campaigns: int = 256, agent: str = "random", seed: int = 0) -> list[States]:
    """Positions at the starts of rounds, from campaigns that `agent` ("random" or "greedy") plays with itself.

    Entry k has those from which it was k + 1 rounds to the end, (m,) records of `game` each; first rounds are not
    among them. Depends on `seed` only. Raises ValueError for a game that is no campaign, and for another agent.
    """
    if not game.campaign:
        raise ValueError(f"{game.header} is no campaign: make it with campaign=True")
    states = game.init(campaigns, seed)
    rng = np.random.default_rng(seed)
    starts: list[list[States]] = [[] for _ in range(campaigns)]
    while (states.to_move >= 0).any():
        before = states.round_number.copy()
        game.step(states, act(game, states, agent, int(rng.integers(2**63))))
        for i in np.flatnonzero(states.round_number != before):
            starts[i].append(states[i : i + 1].copy())
    most = max(map(len, starts))
    late = (np.concatenate([rounds[-1 - k] for rounds in starts if len(rounds) > k]) for k in range(most))
    return [batch.view(np.recarray) for batch in late]


class Curriculum(Forms):
    """Starts episodes late in campaigns, and ever earlier as the learner wins: Gymnasium or vector.

    When the learner has won the part `threshold` of his last `episodes` decided episodes of a stage, the next stage
    begins; after the last one campaigns start as the rules say. An episode is won when its last reward is above 0, so
    put this inside of wrappers that change rewards.

    Arguments:
        env: of mancala_envs.
        stages: positions to start from, a batch of records for each stage, such as `late_starts(env.unwrapped.game)`.
        threshold: above 0, at most 1. Note that some positions are lost however well the learner plays.
        episodes: how many are looked back upon, at least 1.

    `stage` counts from 0 up to `len(stages)`, the start of the rules. Raises TypeError or ValueError for arguments that
    are not allowed.
    """

    def __init__(self, env: Any, stages: Sequence[States], threshold: float = 0.6, episodes: int = 200) -> None:
        if not hasattr(env.unwrapped, "set_starts"):
            raise TypeError(f"Curriculum takes environments of mancala_envs, got {env}")
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold must lie above 0 and be at most 1, got {threshold}")
        if episodes < 1:
            raise ValueError(f"episodes must be at least 1, got {episodes}")
        super().__init__(env)  # type: ignore[call-arg]  # of the form's own kind of wrapper
        self.stages = list(stages)
        self.threshold = threshold
        self.episodes = episodes
        self._won: deque[bool] = deque(maxlen=episodes)
        self._enter(0)

    def _enter(self, stage: int) -> None:
        self.stage = stage
        self._won.clear()
        self.env.unwrapped.set_starts(self.stages[stage] if stage < len(self.stages) else None)

    @property
    def win_rate(self) -> float:
        """Of the episodes of this stage that are looked back upon; 0.0 before the first."""
        return sum(self._won) / len(self._won) if self._won else 0.0

    def _note(self, results: npt.NDArray[np.float64]) -> bool:
        """Look at the last rewards of episodes of this stage; whether a new one begins."""
        self._won.extend(results[results != 0] > 0)
        if self.stage == len(self.stages) or len(self._won) < self.episodes or self.win_rate < self.threshold:
            return False
        self._enter(self.stage + 1)
        return True


class SoloCurriculum(Curriculum, gym.Wrapper, RecordConstructorArgs):
    """`Curriculum` of a Gymnasium environment."""

    def __init__(self, env: Any, stages: Sequence[States], threshold: float = 0.6, episodes: int = 200) -> None:
        RecordConstructorArgs.__init__(self, stages=stages, threshold=threshold, episodes=episodes)
        super().__init__(env, stages, threshold, episodes)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action; what it ends is noted."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            self._note(np.array([reward]))
        return observation, reward, terminated, truncated, info


class VectorCurriculum(Curriculum, VectorWrapper):
    """`Curriculum` of a vector environment, whatever its autoreset mode."""

    def __init__(self, env: Any, stages: Sequence[States], threshold: float = 0.6, episodes: int = 200) -> None:
        self._earlier = np.zeros(env.num_envs, np.bool_)
        """Whose episode may have begun in the stage before."""
        super().__init__(env, stages, threshold, episodes)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One decision of every learner; what it ends is noted."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        over = terminated | truncated
        new_stage = self._note(rewards[over & ~self._earlier])
        self._earlier = np.ones_like(over) if new_stage else self._earlier & ~over
        return observations, rewards, terminated, truncated, infos
