"""Stack the last k observations of an agent, for networks without memory.

For a single Gymnasium environment use `gymnasium.wrappers.FrameStackObservation`, which has the same arguments.
"""

from collections import deque
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from mancala_envs.wrappers.forms import AECWrapper
from mancala_envs.wrappers.masks import bare, bare_space, holds_mask

Array = npt.NDArray[Any]


def _checked(stack_size: int, padding_type: str) -> tuple[int, str]:
    if stack_size < 1:
        raise ValueError(f"stack_size must be at least 1, got {stack_size}")
    if padding_type not in ("reset", "zero"):
        raise ValueError(f"padding_type must be 'reset' or 'zero', got {padding_type!r}")
    return stack_size, padding_type


def _stacked(space: gym.Space[Any], stack_size: int) -> gym.spaces.Box:
    if not isinstance(space, gym.spaces.Box):
        raise TypeError(f"observations must be arrays of a Box to be stacked, not of {space}")
    low, high = (np.stack([bound] * stack_size) for bound in (space.low, space.high))
    return gym.spaces.Box(low, high, dtype=space.dtype.type)


class StackObservations(AECWrapper):
    """AEC: stack an agent's observations at its last k - 1 decisions and its current observation, the last row.

    A mask in the observation is not stacked. Apply it outside wrappers that change observations, and inside
    `MaskInInfo`.

    Args:
        env: an AEC environment with Box observations, or dicts of these and a mask.
        stack_size: k, the number of rows, at least 1.
        padding_type: the rows before the agent's first decision: `"zero"`, or `"reset"` for its first observation.

    Raises:
        ValueError: if stack_size or padding_type is not allowed.
        TypeError: if observations are not arrays of a Box.
    """

    def __init__(self, env: Any, stack_size: int, padding_type: str = "reset") -> None:
        super().__init__(env)
        self._stack_size, self._padding_type = _checked(stack_size, padding_type)
        self._previous: dict[str, deque[Array]] = {}
        self._spaces = {agent: self._space(env.observation_space(agent)) for agent in env.possible_agents}

    def _space(self, space: gym.Space[Any]) -> gym.Space[Any]:
        stacked = _stacked(bare_space(space), self._stack_size)
        if isinstance(space, gym.spaces.Dict) and holds_mask(space):
            return gym.spaces.Dict({**space.spaces, "observation": stacked})
        return stacked

    def observation_space(self, agent: str) -> gym.Space[Any]:
        """Return the agent's observation space, the same object at every call."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Reset the environment."""
        self._previous = {agent: deque(maxlen=self._stack_size - 1) for agent in self.possible_agents}
        super().reset(seed=seed, options=options)

    def step(self, action: Any) -> None:
        """Play the selected agent's action, and store the observation it decided on."""
        agent = self.agent_selection
        observation = np.array(bare(self.env.observe(agent)))
        super().step(action)
        self._previous[agent].append(observation)

    def observe(self, agent: str) -> Any:
        """Return the agent's stacked observations."""
        observation = self.env.observe(agent)
        rows = [*self._previous[agent], bare(observation)]
        pad = rows[0] if self._padding_type == "reset" else np.zeros_like(rows[0])
        stacked = np.stack([pad] * (self._stack_size - len(rows)) + rows)
        return stacked if bare(observation) is observation else {**observation, "observation": stacked}


class VectorStackObservations(VectorWrapper):
    """Vector: stack the last k observations (n, k, ...), the current one last, including `final_obs` (k, ...).

    Apply it inside `VectorMaskInObservation`. For the arguments see `StackObservations`.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], stack_size: int, padding_type: str = "reset") -> None:
        super().__init__(env)
        size, self._padding_type = _checked(stack_size, padding_type)
        stacked = _stacked(env.single_observation_space, size)
        self.single_observation_space = stacked
        self.observation_space = batch_space(stacked, env.num_envs)
        self._stack: Array = np.zeros((env.num_envs, *stacked.shape), stacked.dtype)
        self._over = np.zeros(env.num_envs, np.bool_)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Reset the environment."""
        # Read first: wrappers inside may remove it. The environment refuses options that are no dict.
        given = options.get("reset_mask") if isinstance(options, dict) else None
        observations, infos = self.env.reset(seed=seed, options=options)
        fresh = np.ones(self.num_envs, np.bool_) if given is None else given
        self._begin(fresh, observations)
        self._over &= ~fresh
        return self._stack.copy(), infos

    def _begin(self, which: npt.NDArray[np.bool_], observations: Array) -> None:
        first = observations[which]
        self._stack[which] = first[:, None] if self._padding_type == "reset" else 0
        self._stack[which, -1] = first

    def step(self, actions: Any) -> tuple[Array, Any, Any, Any, dict[str, Any]]:
        """Step the environment."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        over = terminated | truncated
        same_step = self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
        if same_step:
            for i in np.flatnonzero(over):
                infos["final_obs"][i] = np.concatenate([self._stack[i, 1:], infos["final_obs"][i][None]])
        self._stack = np.concatenate([self._stack[:, 1:], observations[:, None]], axis=1)
        self._begin(over if same_step else self._over, observations)
        self._over = over
        return self._stack.copy(), rewards, terminated, truncated, infos
