"""Campaigns: the rounds of a game tied together, by debts, bought and sold holes and handicapped set-outs.

The rules of what is carried over are the game's own (see its page); one kernel serves all kinds of environment.
"""

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorWrapper
from pettingzoo import AECEnv

from mancala_envs.wrappers.forms import AECWrapper, Forms


class Campaign(Forms):
    """Turns an environment of rounds into one of campaigns, of the same kind: AEC, Gymnasium or vector.

    An episode is then a whole campaign; decisions between rounds are actions of the player they belong to, and infos
    have `round_number`, `owned`, `worth` and, where the game has debts, `debt` (see `Game.standing`). The same comes
    from `gym.make("mancala_envs/QelatCampaign-v0")` and its like. Reset after wrapping.

    Arguments:
        env: of mancala_envs, a game that has a campaign. Guards such as PettingZoo's may stand between; wrappers that
            give observations or actions another form must stand outside.
        max_rounds: after so many rounds a campaign that is not decided ends; whoever is worth most then has won it, as
            the game's page tells. Default: the page's.
        round_reward: pays everyone, after every round, so much times his lead in worth over the others' mean, as a
            part of the worth of all. Default: 0.0.
        options: of the game's campaign, as on its page.

    Raises TypeError for an environment that is not ours and for unknown options; ValueError for a game without a
    campaign, values that are not allowed, and wrappers that must stand outside.
    """

    def __init__(
        self, env: Any, max_rounds: int | None = None, round_reward: float | None = None, **options: Any
    ) -> None:
        common = {"max_rounds": max_rounds, "round_reward": round_reward}
        options |= {name: value for name, value in common.items() if value is not None}
        ours = env.unwrapped
        if not hasattr(ours, "tie_rounds"):
            raise TypeError(f"Campaign takes environments of mancala_envs, got {env}")
        if any(outer is not inner for outer, inner in zip(_spaces(env), _spaces(ours), strict=True)):
            raise ValueError(f"Campaign changes observations: put it inside of what gives them another form, in {env}")
        ours.tie_rounds(**options)
        super().__init__(env)  # type: ignore[call-arg]  # of the form's own kind of wrapper


def _spaces(env: Any) -> list[Any]:
    if isinstance(env, AECEnv):
        return [space(agent) for agent in env.possible_agents for space in (env.observation_space, env.action_space)]
    return [env.observation_space, env.action_space]


class AECCampaign(Campaign, AECWrapper):
    """`Campaign` of an AEC environment."""


class SoloCampaign(Campaign, gym.Wrapper, RecordConstructorArgs):
    """`Campaign` of a Gymnasium environment."""

    def __init__(self, env: Any, **options: Any) -> None:
        RecordConstructorArgs.__init__(self, **options)
        super().__init__(env, **options)


class VectorCampaign(Campaign, VectorWrapper):
    """`Campaign` of a vector environment."""
