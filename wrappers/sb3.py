"""Stable-Baselines3: MaskablePPO on many games in one process, and self-play against a league of snapshots.

Needs stable-baselines3 and sb3-contrib: ``pip install "mancala_envs[train]"``.
"""

import io
from collections.abc import Sequence
from itertools import pairwise
from math import log
from time import monotonic
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from mancala_envs import Game
from mancala_envs.agents import Mixture, NetworkAgent, Policy, Search, ValueNetwork
from mancala_envs.core.extras import needs_extra
from mancala_envs.evaluation import League
from mancala_envs.wrappers.torch_layers import NEVER, SHARPNESS, CountLevels, CountsLinear

with needs_extra():
    import torch
    from sb3_contrib.common.maskable.distributions import MaskableDistribution
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.policies import BasePolicy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.type_aliases import Schedule
    from stable_baselines3.common.vec_env import VecEnv
    from torch import nn


FOLLOWED = 40.0
"""How sharply an `AfterstatePolicy` follows the values of a value network at first, in the unit of SHARPNESS."""


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

        If `seed(s)` was called before, environment i is seeded with s + i. If `set_options(options)` was, these are the
        options of `MancalaVectorEnv.reset`.

        Raises:
            ValueError: if `set_options` got different options for each environment.
        """
        options = self._options[0]
        if any(other is not options for other in self._options) and any(self._options):
            raise ValueError("set_options must get one dict for all environments")
        observations: npt.NDArray[Any] = self.envs.reset(seed=list(self._seeds), options=options or None)[0]
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

    def get_images(self) -> list[Any]:
        """Return a frame of each game, (H, W, 3) uint8, for `render`."""
        return list(self.envs.render() or ())

    def close(self) -> None:
        """Close the environments."""
        self.envs.close()

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
    """Encode every column scaled to 0..1, and counts one-hot as well; the last level is that many or more.

    In sowing games one seed more or less makes a different move, so networks learn faster if they can distinguish
    exact counts.

    Args:
        observation_space: the space of the observations (D,). Columns with a maximum above 1 are counts.
        levels: number of one-hot features for each count; fewer where its maximum is lower.
    """

    def __init__(self, observation_space: gym.spaces.Box, levels: int = 16) -> None:
        counts = CountLevels(observation_space.high, levels)
        super().__init__(observation_space, features_dim=len(counts.high) + counts.number)
        self.counts = counts

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features (n, F) of observations (n, D)."""
        counts = self.counts
        one_hot = counts.high.new_zeros(len(observations), counts.number).scatter_(1, counts(observations), 1.0)
        return torch.cat([observations / counts.high, one_hot], dim=1)


class AfterstatePolicy(MaskableActorCriticPolicy):
    """MaskablePPO policy for `ObserveAfterstates`: one network scores every afterstate, legal ones only.

    The network has two outputs for an afterstate: a score, and a value, what the agent expects from there on. An action
    that ends the game is worth its reward, and any other its reward plus the value of its afterstate. The logit of an
    action is its score plus a constant times what it is worth, so the policy follows the values at once, and scores
    correct it. The value of a position is the mean over the actions, weighted by their probabilities. With several
    outcomes of an action, its score and its value are the means over them.

    If the observation has the `value` of each action by a value network, the policy's values are corrections of these,
    and a weight that it learns says how sharply it follows them. If it has the `exchange` of each action, the network
    reads it as a further column of all outcomes.

    >>> envs = MancalaVecEnv(ObserveAfterstates(MancalaVectorEnv("kalah", 256, autoreset_mode="SameStep")))
    >>> MaskablePPO(AfterstatePolicy, envs)

    Args:
        observation_space: the space of `ObserveAfterstates`.
        action_space: the Discrete space of the actions.
        lr_schedule: the learning rate, by the remaining share of the training.
        net_arch: the widths of the hidden layers.
        levels: number of one-hot features for each count, see `CountsExtractor`.
        values: the value network of the observations, if they have one; saved with the policy.
        more: further arguments of `MaskableActorCriticPolicy`.

    Raises:
        ValueError: if the observations have values and there is no network, or the other way round.
    """

    def __init__(
        self,
        observation_space: gym.spaces.Dict,
        action_space: gym.spaces.Discrete,
        lr_schedule: Schedule,
        net_arch: Sequence[int] = (128, 64),
        levels: int = 16,
        values: ValueNetwork | None = None,
        **more: Any,
    ) -> None:
        self.levels, self.values = levels, values
        super().__init__(observation_space, action_space, lr_schedule, net_arch=list(net_arch), **more)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "levels": self.levels, "values": self.values}

    def _build(self, lr_schedule: Schedule) -> None:
        spaces: Any = self.observation_space
        high, widths = spaces["observation"].high, self.net_arch
        highest = high.reshape(-1, high.shape[-1])[0]
        if "exchange" in spaces.spaces:
            highest = np.append(highest, spaces["exchange"].high[0])
        layers: list[nn.Module] = [CountsLinear(highest, widths[0], self.levels), nn.ReLU()]
        for width, following in pairwise(widths):
            layers += [nn.Linear(width, following), nn.ReLU()]
        self.network = nn.Sequential(*layers, nn.Linear(widths[-1], 2))
        if ("value" in spaces.spaces) != (self.values is not None):
            raise ValueError("ObserveAfterstates and AfterstatePolicy must take values of the same network, or of none")
        self.log_sharpness = nn.Parameter(torch.tensor(log(FOLLOWED))) if self.values else None
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _judged(self, observation: Any) -> tuple[MaskableDistribution, torch.Tensor]:
        """Return the distribution of the actions, and what each of them is worth (n, A)."""
        legal = observation["action_mask"].bool()
        rows = observation["observation"][legal]
        if "exchange" in observation:
            exchanges = observation["exchange"][legal].to(rows.dtype)
            rows = torch.cat([rows, exchanges.view(-1, *[1] * (rows.ndim - 1)).expand(*rows.shape[:-1], 1)], -1)
        scores, values = self.network(rows.flatten(0, -2)).unflatten(0, rows.shape[:-1]).unbind(-1)
        values = torch.where(observation["ended"][legal].bool(), 0.0, values)
        if self.log_sharpness is None:
            values = values + observation["reward"][legal]
        if scores.ndim > 1:  # several outcomes of each action
            scores, values = scores.mean(1), values.mean(1)
        logits = scores + SHARPNESS * values.detach()
        if self.log_sharpness is not None:
            known = observation["value"][legal]  # The reward of the action is part of it.
            logits, values = logits + self.log_sharpness.exp() * known, values + known
        logits = values.new_full(legal.shape, NEVER).masked_scatter(legal, logits)
        worth = values.new_zeros(legal.shape).masked_scatter(legal, values)
        return self.action_dist.proba_distribution(logits), worth

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions (n,), values (n, 1) and log probabilities (n,); the observation has the mask."""
        distribution, worth = self._judged(obs)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, _mean(distribution, worth), distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Any, actions: torch.Tensor, action_masks: Any = None
    ) -> "tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]":  # a string, because the docs are built without torch
        """Return what the actions (n,) are worth (n, 1), their log probabilities (n,), and the entropies (n,).

        PPO fits what is returned first to the returns after these actions, so each return corrects the value of the one
        afterstate that led to it.
        """
        distribution, worth = self._judged(obs)
        return worth.gather(1, actions.long()[:, None]), distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """Return the distribution of the actions."""
        return self._judged(obs)[0]

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Return the values (n, 1) of the positions."""
        return _mean(*self._judged(obs))


def _mean(distribution: MaskableDistribution, worth: torch.Tensor) -> torch.Tensor:
    """Return the mean (n, 1) of `worth` (n, A) over the actions."""
    return (distribution.distribution.probs * worth).sum(1, keepdim=True)


def snapshot(policy: BasePolicy, game: Game | None = None) -> Policy | Search:
    """Return a frozen copy of a policy as an opponent.

    Args:
        policy: the policy, such as `model.policy`.
        game: the game, which only an `AfterstatePolicy` needs: it judges states, not observations.

    Returns:
        A callable that maps (n, D) observations and (n, A) masks to (n,) actions; for an `AfterstatePolicy` an agent
        with a method `act(states, seeds)`.

    Raises:
        ValueError: if an `AfterstatePolicy` is given no game.
    """
    # deepcopy fails on the computation graph that the last update leaves in the policy.
    stored = io.BytesIO()
    policy.save(stored)
    stored.seek(0)
    frozen = type(policy).load(stored, device=policy.device)
    frozen.set_training_mode(False)
    if isinstance(frozen, AfterstatePolicy):
        if game is None:
            raise ValueError("snapshot needs the game of an AfterstatePolicy")
        return NetworkAgent(game, frozen)

    def act(observations: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        chosen: npt.NDArray[np.int64] = frozen.predict(observations, action_masks=masks)[0]
        return chosen

    return act


class SelfPlay(BaseCallback):
    """Callback for self-play: train against the first member of a league, then against the whole league.

    The change comes with the first snapshot of the agent. Further snapshots join the league at regular intervals. A
    second call of `learn` with the same callback continues against the league.

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
        if self.league.snapshots:
            # `learn` begins to count again from zero if `reset_num_timesteps` is True.
            self._next = min(self._next, self.num_timesteps + self.every)
            self._opponents(self.league.mixture())
        else:
            self._opponents(Mixture((self.league.members[0],)))

    def _on_step(self) -> bool:
        for i in np.flatnonzero(self.locals["dones"]):
            self.league.record(self.locals["infos"][i]["opponent"][None], self.locals["rewards"][i])
        return True

    def _on_rollout_end(self) -> None:
        if self.num_timesteps >= self._next:
            self._next = self.num_timesteps + self.every
            self.league.add(snapshot(self.model.policy, self.training_env.get_attr("game")[0]))
            self._opponents(self.league.mixture())

    def _opponents(self, mixture: Mixture) -> None:
        self.training_env.env_method("set_opponent", mixture)
