"""Stable-Baselines3: MaskablePPO on many games in one process, and self-play against a league of snapshots.

Needs stable-baselines3 and sb3-contrib: ``pip install "mancala_envs[train]"``.
"""

import io
from time import monotonic
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from mancala_envs.agents import Mixture, Policy
from mancala_envs.core.extras import needs_extra
from mancala_envs.evaluation import League

with needs_extra():
    import torch
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.policies import BasePolicy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv


class MancalaVecEnv(VecEnv):
    """A `MancalaVectorEnv` as an SB3 `VecEnv`, with action masks for MaskablePPO and episode statistics.

    Attributes and methods (`get_attr`, `env_method`) are those of the unwrapped vector environment.

    >>> envs = MancalaVecEnv(MancalaVectorEnv("kalah", 256, autoreset_mode="SameStep"))
    >>> MaskablePPO("MlpPolicy", envs).learn(100_000, callback=SelfPlay())

    Args:
        envs: a `MancalaVectorEnv`, wrapped or not, with ``autoreset_mode="SameStep"``, which SB3 requires.

    Raises:
        ValueError: if `envs` has another autoreset mode.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        mode = envs.metadata["autoreset_mode"]
        if mode != AutoresetMode.SAME_STEP:
            raise ValueError(f"envs must have autoreset_mode='SameStep', not {mode.value!r}")
        self.envs: Any = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._returns = np.zeros(self.num_envs)
        self._started = monotonic()

    def __repr__(self) -> str:
        return f"MancalaVecEnv({self.envs!r})"

    def reset(self) -> npt.NDArray[Any]:
        """Start all games and return their first observations (n, D).

        If `seed(s)` was called before, environment i is seeded with s + i.
        """
        observations: npt.NDArray[Any] = self.envs.reset(seed=list(self._seeds))[0]
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = 0
        self._returns[:] = 0
        return observations

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the stored actions.

        Returns:
            Observations (n, D), rewards (n,), dones (n,) and n infos. The info of a finished episode has the keys that
            SB3 requires, and `opponent`.
        """
        observations, rewards, terminated, truncated, infos = self.envs.step(self._actions)
        self._lengths += 1
        self._returns += rewards
        dones = terminated | truncated
        notes: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        seconds = monotonic() - self._started
        for i in np.flatnonzero(dones):
            notes[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": seconds},
                "opponent": infos["final_info"]["opponent"][i],
            }
        self._lengths[dones] = 0
        self._returns[dones] = 0
        return observations, rewards, dones, notes

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the vector environment has the attribute."""
        return hasattr(self.envs.unwrapped, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of the vector environment, once for each index."""
        return [getattr(self.envs.unwrapped, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the vector environment.

        Raises:
            ValueError: if `indices` names only some environments, because all share the attribute.
        """
        if indices is not None and len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} is shared by all environments and cannot be set for some")
        setattr(self.envs.unwrapped, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method of the vector environment once; return for each index its row of the result."""
        result = getattr(self.envs.unwrapped, method_name)(*args, **kwargs)
        chosen = list(self._get_indices(indices))
        return [None] * len(chosen) if result is None else [result[i] for i in chosen]

    def env_is_wrapped(self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: Any = None) -> list[bool]:
        """Return False for each index, because single environments have no wrappers."""
        return [False] * len(list(self._get_indices(indices)))


class CountsExtractor(BaseFeaturesExtractor):
    """Encode every column scaled to 0..1, and counts below `levels` one-hot as well.

    In sowing games one seed more or less makes a different move, so networks learn faster if they can distinguish
    exact counts.

    Args:
        observation_space: the space of the observations (D,). Columns with a maximum above 1 are counts.
        levels: number of one-hot features for each count.
    """

    def __init__(self, observation_space: gym.spaces.Box, levels: int = 16) -> None:
        high = torch.as_tensor(observation_space.high.astype(np.float32))
        counts = torch.nonzero(high > 1).flatten()
        super().__init__(observation_space, features_dim=len(high) + len(counts) * levels)
        self.register_buffer("high", high)
        self.register_buffer("counts", counts)
        self.register_buffer("levels", torch.arange(levels))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features (n, F) of observations (n, D)."""
        one_hot = observations[:, self.counts].unsqueeze(-1) == self.levels
        return torch.cat([observations / self.high, one_hot.flatten(1).float()], dim=1)


def snapshot(policy: BasePolicy) -> Policy:
    """Return a frozen copy of a policy as an opponent: (n, D) observations and (n, A) masks -> (n,) actions."""
    # deepcopy fails on the computation graph that the last update leaves in the policy.
    stored = io.BytesIO()
    policy.save(stored)
    stored.seek(0)
    frozen = type(policy).load(stored, device=policy.device)
    frozen.set_training_mode(False)

    def act(observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        chosen: npt.NDArray[np.int64] = frozen.predict(observations, action_masks=masks)[0]
        return chosen

    return act


class SelfPlay(BaseCallback):
    """Callback for self-play: train against the first member of a league, then against the whole league.

    The change comes with the first snapshot of the agent. Further snapshots join the league at regular intervals.

    Args:
        league: the league; by default `League()`, which has the members random and greedy.
        after: number of decisions before the first snapshot.
        every: number of decisions between snapshots.
    """

    def __init__(self, league: League | None = None, after: int = 400_000, every: int = 200_000) -> None:
        super().__init__()
        self.league = league or League()
        self.every = every
        self._next = after

    def _on_training_start(self) -> None:
        self._opponents(Mixture((self.league.members[0],)))

    def _on_step(self) -> bool:
        for i in np.flatnonzero(self.locals["dones"]):
            self.league.record(self.locals["infos"][i]["opponent"][None], self.locals["rewards"][i])
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self._next:
            self._next = self.num_timesteps + self.every
            self.league.add(snapshot(self.model.policy))
            self._opponents(self.league.mixture())

    def _opponents(self, mixture: Mixture) -> None:
        self.training_env.env_method("set_opponent", mixture)
