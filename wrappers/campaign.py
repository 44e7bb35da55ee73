"""Campaigns of several rounds, linked by debts, holes that are bought and sold, or handicapped starting positions.

The rules of a game say what is carried over from round to round (see its page).
"""

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorWrapper
from pettingzoo import AECEnv

from mancala_envs.wrappers.forms import AECWrapper, Forms


class Campaign(Forms):
    """Make an episode a whole campaign instead of a single round: AEC, Gymnasium or vector environments.

    Decisions between rounds are actions of the player who takes them. Infos get `round_number`, `owned`, `worth` and,
    in games with debts, `debt` (see `Game.standing`). `gym.make("mancala_envs/QelatCampaign-v0")` makes the same
    environment. Call `reset` after wrapping.

    >>> env = Campaign(gym.make("mancala_envs/Qelat-v0"), max_rounds=20)

    Args:
        env: an environment of mancala_envs whose game has a campaign. Wrappers that change observations or actions must
            be applied outside of `Campaign`; others, such as those of PettingZoo's `env()`, can be inside.
        max_rounds: the number of rounds after which an undecided campaign ends; the player who is worth most wins, as
            the game's page describes. Default: see the game's page.
        round_reward: each player is also paid, after every round, this weight times their lead in worth over the mean
            of the others, as a fraction of the total worth. Default: 0.0.
        options: further options of the game's campaign, see its page.

    Raises:
        TypeError: if `env` is not an environment of mancala_envs, or an option is unknown.
        ValueError: if the game has no campaign, a value is not allowed, or a wrapper inside changes the spaces.
    """

    def __init__(
        self, env: Any, max_rounds: int | None = None, round_reward: float | None = None, **options: Any
    ) -> None:
        common = {"max_rounds": max_rounds, "round_reward": round_reward}
        options |= {name: value for name, value in common.items() if value is not None}
        ours = env.unwrapped
        if not hasattr(ours, "play_campaigns"):
            raise TypeError(f"Campaign takes environments of mancala_envs, got {env}")
        if any(outer is not inner for outer, inner in zip(_spaces(env), _spaces(ours), strict=True)):
            raise ValueError(f"apply Campaign inside the wrappers that change observations or actions, got {env}")
        ours.play_campaigns(**options)
        super().__init__(env)  # type: ignore[call-arg]  # the wrapper class of the subclass


def _spaces(env: Any) -> list[Any]:
    if isinstance(env, AECEnv):
        return [space(agent) for agent in env.possible_agents for space in (env.observation_space, env.action_space)]
    return [env.observation_space, env.action_space]


class AECCampaign(Campaign, AECWrapper):
    """`Campaign` of an AEC environment."""


class SoloCampaign(Campaign, gym.Wrapper, RecordConstructorArgs):
    """`Campaign` of a Gymnasium environment."""

    def __init__(
        self, env: Any, max_rounds: int | None = None, round_reward: float | None = None, **options: Any
    ) -> None:
        RecordConstructorArgs.__init__(self, max_rounds=max_rounds, round_reward=round_reward, **options)
        super().__init__(env, max_rounds, round_reward, **options)


class VectorCampaign(Campaign, VectorWrapper):
    """`Campaign` of a vector environment."""
