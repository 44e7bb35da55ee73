"""A curriculum for campaigns: start with their last rounds, and move to the beginning as the agent improves."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorWrapper

from mancala_envs import Game, make_game
from mancala_envs.agents import Agent
from mancala_envs.wrappers.forms import Forms

States = npt.NDArray[Any]


def late_starts(game: Game | str, campaigns: int = 256, agent: str = "random", seed: int = 0) -> list[States]:
    """Collect positions at the start of rounds, from campaigns of an agent against itself.

    Args:
        game: a campaign, as `make_game` takes it, such as `"qelat(campaign=True)"`.
        campaigns: number of campaigns to play.
        agent: the agent that plays all seats, such as `"greedy"` (see `mancala_envs.agents.Agent`).
        seed: random seed.

    Returns:
        A list whose entry k has (m,) records of `game`: the starts of rounds from which k + 1 rounds were played to the
        end of the campaign. Starts of first rounds are left out.

    Raises:
        ValueError: if `game` is not a campaign, or there is no such agent.
    """
    game = make_game(game)
    if not game.campaign:
        raise ValueError(f"{game.header} is not a campaign: make it with campaign=True")
    player, states = Agent(game, agent), game.init(campaigns, seed)
    rng = np.random.default_rng(seed)
    starts: list[list[States]] = [[] for _ in range(campaigns)]
    while (states.to_move >= 0).any():
        before = states.round_number.copy()
        game.step(states, player.act(states, int(rng.integers(2**63))))
        for i in np.flatnonzero(states.round_number != before):
            starts[i].append(states[i : i + 1].copy())
    most = max(map(len, starts))
    late = (np.concatenate([rounds[-1 - k] for rounds in starts if len(rounds) > k]) for k in range(most))
    return [batch.view(np.recarray) for batch in late]


class Curriculum(Forms):
    """Start episodes late in campaigns, and earlier as the agent improves: Gymnasium or vector environments.

    The next stage begins when the win rate of the last `episodes` episodes of a stage, draws excluded, reaches
    `threshold`. After the last stage, campaigns begin with the opening that `env` had. The current `stage` is a number
    from 0 to `len(stages)`. An episode is won if its last reward is positive, so apply this wrapper inside those that
    change rewards.

    >>> env = Curriculum(env, late_starts(env.unwrapped.game))

    Args:
        env: an environment of mancala_envs.
        stages: the positions to start from, an array of records for each stage, as from `late_starts`.
        threshold: win rate above 0 and at most 1. Some positions are lost against any play, so 1 may be out of reach.
        episodes: the number of episodes that count for the win rate, at least 1.

    Raises:
        TypeError: if `env` is not a Gymnasium or vector environment of mancala_envs, or a stage is not an array.
        ValueError: if threshold or episodes is out of range, or a stage is empty, is not from the game of `env` with
            its options, or has a position that is over.
    """

    def __init__(self, env: Any, stages: Sequence[States], threshold: float = 0.6, episodes: int = 200) -> None:
        if not hasattr(env.unwrapped, "set_opening"):
            raise TypeError(f"Curriculum takes environments of mancala_envs, got {env}")
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold must be above 0 and at most 1, got {threshold}")
        if episodes < 1:
            raise ValueError(f"episodes must be at least 1, got {episodes}")
        for stage in stages:
            if not isinstance(stage, np.ndarray):
                raise TypeError(f"a stage must be an array of records, got {stage!r}")
            env.unwrapped.game.opening(stage)  # raises for records that cannot be an opening
        super().__init__(env)  # type: ignore[call-arg]  # the wrapper class of the subclass
        self.stages = list(stages)
        self.threshold = threshold
        self.episodes = episodes
        self._last_opening = env.unwrapped.opening
        self._won: deque[bool] = deque(maxlen=episodes)
        self._enter(0)

    def _enter(self, stage: int) -> None:
        self.stage = stage
        self._won.clear()
        self.env.unwrapped.set_opening(self.stages[stage] if stage < len(self.stages) else self._last_opening)

    @property
    def win_rate(self) -> float:
        """Win rate of this stage over the last `episodes` episodes, draws excluded; 0.0 before the first."""
        return sum(self._won) / len(self._won) if self._won else 0.0

    def _record(self, results: npt.NDArray[np.float64]) -> bool:
        """Record the last rewards of episodes of this stage; return whether a new stage begins."""
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
        """Play the agent's action, and record the result of a finished episode."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            self._record(np.array([reward]))
        return observation, reward, terminated, truncated, info


class VectorCurriculum(Curriculum, VectorWrapper):
    """`Curriculum` of a vector environment, in any autoreset mode."""

    def __init__(self, env: Any, stages: Sequence[States], threshold: float = 0.6, episodes: int = 200) -> None:
        self._previous_stage = np.zeros(env.num_envs, np.bool_)
        """(n,): whether the running episode may have started in the previous stage."""
        super().__init__(env, stages, threshold, episodes)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play one action in every environment, and record the results of finished episodes."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        over = terminated | truncated
        new_stage = self._record(rewards[over & ~self._previous_stage])
        self._previous_stage = np.ones_like(over) if new_stage else self._previous_stage & ~over
        return observations, rewards, terminated, truncated, infos
