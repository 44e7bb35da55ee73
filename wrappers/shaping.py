"""Reward shaping for campaigns."""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorWrapper

from mancala_envs.wrappers.forms import AECWrapper, Forms, is_over


class ChangeOfWorth(Forms):
    """Reward each player at the end of a round for the change in their worth: AEC, Gymnasium or vector environments.

    Each player also gets `weight` times the change of their share of the total worth (`worth` in the infos) since the
    end of the previous round or the reset. These payments sum to zero over the players. Over a campaign they sum to
    `weight` times the change from its start to its end, whatever the number of rounds. Prolonging a campaign while in
    the lead therefore earns nothing, unlike with `round_reward`. A round in which the campaign is truncated is not
    paid.

    >>> env = ChangeOfWorth(Campaign(gym.make("mancala_envs/Qelat-v0")))

    Args:
        env: an environment of campaigns, with unchanged infos.
        weight: the payment for a change from a share of 0 to a share of 1. The reward for winning the campaign stays 1.

    Raises:
        TypeError: if `env` is not an environment.
        KeyError: raised by `reset` if the infos have no `worth`.
    """

    def __init__(self, env: Any, weight: float = 0.5) -> None:
        self.weight = weight
        super().__init__(env)  # type: ignore[call-arg]  # the wrapper class of the subclass


def share(worth: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return each player's share (..., P) of the total worth."""
    shares: npt.NDArray[np.float64] = worth / worth.sum(axis=-1, keepdims=True)
    return shares


class AECChangeOfWorth(ChangeOfWorth, AECWrapper):
    """`ChangeOfWorth` of an AEC environment."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a campaign."""
        super().reset(seed, options)
        self._update()

    def _update(self) -> None:
        info = self.env.infos[self.env.agent_selection]
        self._share, self._round = share(info["worth"]), info["round_number"]

    def step(self, action: Any) -> None:
        """Play the selected agent's action; at the end of a round, pay all agents."""
        env, agent = self.env, self.env.agent_selection
        was_over = is_over(env, agent)
        super().step(action)
        if was_over:
            return
        info = env.infos[env.agent_selection]
        if info["round_number"] != self._round or env.terminations[env.agent_selection]:
            before = self._share
            self._update()
            for player, paid in zip(env.possible_agents, self.weight * (self._share - before), strict=True):
                env.rewards[player] += float(paid)
                env._cumulative_rewards[player] += float(paid)


class SoloChangeOfWorth(ChangeOfWorth, gym.Wrapper, RecordConstructorArgs):
    """`ChangeOfWorth` of a Gymnasium environment."""

    def __init__(self, env: Any, weight: float = 0.5) -> None:
        RecordConstructorArgs.__init__(self, weight=weight)
        super().__init__(env, weight)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a campaign."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._share, self._round = share(info["worth"]), info["round_number"]
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the agent's action; at the end of a round the reward includes the payment."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if info["round_number"] != self._round or terminated:
            now = share(info["worth"])
            reward = float(reward) + float(self.weight * (now - self._share)[info["seat"]])
            self._share, self._round = now, info["round_number"]
        return observation, reward, terminated, truncated, info


class VectorChangeOfWorth(ChangeOfWorth, VectorWrapper):
    """`ChangeOfWorth` of a vector environment, in any autoreset mode."""

    def __init__(self, env: Any, weight: float = 0.5) -> None:
        super().__init__(env, weight)
        self._share = np.zeros((env.num_envs, env.unwrapped.game.num_players))
        self._round = np.zeros(env.num_envs, np.int64)
        self._waiting = np.zeros(env.num_envs, np.bool_)
        """(n,): whether the campaign is over and the next step starts a new one."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all campaigns, or those of `options["reset_mask"]`."""
        everyone = np.ones(self.num_envs, np.bool_)
        # The environment refuses options that are no dict.
        begun = options.get("reset_mask", everyone) if isinstance(options, dict) else everyone
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(begun, infos)
        self._waiting[begun] = False
        return observations, infos

    def _begin(self, begun: npt.NDArray[np.bool_], infos: dict[str, Any]) -> None:
        self._share[begun] = share(infos["worth"])[begun]
        self._round[begun] = infos["round_number"][begun]

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play one action in every environment; at the end of a round the reward includes the payment."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        over = terminated | truncated
        self._begin(self._waiting, infos)
        now = share(_before_autoreset(infos, "worth"))
        round_number = _before_autoreset(infos, "round_number")
        paying = ((round_number != self._round) | terminated) & ~self._waiting
        change = (now - self._share)[np.arange(self.num_envs), _before_autoreset(infos, "seat")]
        rewards = rewards + np.where(paying, self.weight * change, 0.0)
        self._share[paying], self._round = now[paying], round_number
        mode = self.env.metadata["autoreset_mode"]
        self._waiting = over if mode == AutoresetMode.NEXT_STEP else np.zeros_like(over)
        if mode == AutoresetMode.SAME_STEP:
            self._begin(over, infos)
        return observations, rewards, terminated, truncated, infos


def _before_autoreset(infos: dict[str, Any], name: str) -> npt.NDArray[Any]:
    """Return `infos[name]`, with the final values of campaigns that were reset in this step."""
    values: npt.NDArray[Any] = infos[name].copy()
    if "final_info" in infos:
        ended = infos["_final_info"]
        values[ended] = infos["final_info"][name][ended]
    return values
