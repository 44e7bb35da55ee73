"""Rewards on the way through a campaign."""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorWrapper

from mancala_envs.wrappers.forms import AECWrapper, Forms, is_over


class ChangeOfWorth(Forms):
    """Pays, at the end of every round of a campaign, by what it has changed: AEC, Gymnasium or vector.

    Besides the reward as it is everyone gets `weight` times the change of his part of the worth of all (`worth` in the
    infos) since the last round's end, or since the reset. The payments of all sum to zero, and those of one campaign to
    `weight` times the change from its start to its end, however many rounds it had; so it does not pay to prolong a
    lead, as it does with `round_reward`. A campaign that is truncated in mid-round is not paid for that round.

    Arguments:
        env: that plays campaigns, with their infos as they are.
        weight: what the way from nothing to all pays; a campaign won pays 1 besides.

    Raises TypeError for what is no environment; `reset` raises KeyError where infos have no `worth`.
    """

    def __init__(self, env: Any, weight: float = 0.5) -> None:
        self.weight = weight
        super().__init__(env)  # type: ignore[call-arg]  # of the form's own kind of wrapper


def part(worth: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """(..., P): everyone's part of the worth of all."""
    parts: npt.NDArray[np.float64] = worth / worth.sum(axis=-1, keepdims=True)
    return parts


class AECChangeOfWorth(ChangeOfWorth, AECWrapper):
    """`ChangeOfWorth` of an AEC environment."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a campaign, and remember what everyone is worth."""
        super().reset(seed, options)
        self._look()

    def _look(self) -> None:
        info = self.env.infos[self.env.agent_selection]
        self._part, self._round = part(info["worth"]), info["round_number"]

    def step(self, action: Any) -> None:
        """The selected agent's action, and what everyone gets for the round that ends with it."""
        env, agent = self.env, self.env.agent_selection
        was_over = is_over(env, agent)
        super().step(action)
        if was_over:
            return
        info = env.infos[env.agent_selection]
        if info["round_number"] != self._round or env.terminations[env.agent_selection]:
            before = self._part
            self._look()
            for player, paid in zip(env.possible_agents, self.weight * (self._part - before), strict=True):
                env.rewards[player] += float(paid)
                env._cumulative_rewards[player] += float(paid)


class SoloChangeOfWorth(ChangeOfWorth, gym.Wrapper, RecordConstructorArgs):
    """`ChangeOfWorth` of a Gymnasium environment."""

    def __init__(self, env: Any, weight: float = 0.5) -> None:
        RecordConstructorArgs.__init__(self, weight=weight)
        super().__init__(env, weight)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a campaign, and remember what everyone is worth."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._part, self._round = part(info["worth"]), info["round_number"]
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action; the reward includes what a round that ends pays him."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if info["round_number"] != self._round or terminated:
            now = part(info["worth"])
            reward = float(reward) + float(self.weight * (now - self._part)[info["seat"]])
            self._part, self._round = now, info["round_number"]
        return observation, reward, terminated, truncated, info


class VectorChangeOfWorth(ChangeOfWorth, VectorWrapper):
    """`ChangeOfWorth` of a vector environment, whatever its autoreset mode."""

    def __init__(self, env: Any, weight: float = 0.5) -> None:
        super().__init__(env, weight)
        self._part = np.zeros((env.num_envs, env.unwrapped.game.num_players))
        self._round = np.zeros(env.num_envs, np.int64)
        self._waiting = np.zeros(env.num_envs, np.bool_)
        """Whose campaign is over, and begins anew with the next step."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all campaigns, or those of `options["reset_mask"]`, and remember what everyone is worth."""
        begun = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        observations, infos = self.env.reset(seed=seed, options=options)
        self._begin(begun, infos)
        self._waiting[begun] = False
        return observations, infos

    def _begin(self, begun: npt.NDArray[np.bool_], infos: dict[str, Any]) -> None:
        self._part[begun] = part(infos["worth"])[begun]
        self._round[begun] = infos["round_number"][begun]

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One decision of every learner; rewards include what rounds that end pay them."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        over = terminated | truncated
        self._begin(self._waiting, infos)
        now = part(_at_the_end(infos, "worth"))
        round_number = _at_the_end(infos, "round_number")
        paying = ((round_number != self._round) | terminated) & ~self._waiting
        change = (now - self._part)[np.arange(self.num_envs), _at_the_end(infos, "seat")]
        rewards = rewards + np.where(paying, self.weight * change, 0.0)
        self._part[paying], self._round = now[paying], round_number
        mode = self.env.metadata["autoreset_mode"]
        self._waiting = over if mode == AutoresetMode.NEXT_STEP else np.zeros_like(over)
        if mode == AutoresetMode.SAME_STEP:
            self._begin(over, infos)
        return observations, rewards, terminated, truncated, infos


def _at_the_end(infos: dict[str, Any], name: str) -> npt.NDArray[Any]:
    """`infos[name]`, but of a campaign that ended and began anew in this step as it was at the end."""
    values: npt.NDArray[Any] = infos[name].copy()
    if "final_info" in infos:
        ended = infos["_final_info"]
        values[ended] = infos["final_info"][name][ended]
    return values
