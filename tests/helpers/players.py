"""Policies and loops that play games in tests."""

import numpy as np

from mancala_envs.agents.compiled import act


def first_legal(info):
    """Return the first legal action by the mask in `info`, of one environment or of each in a batch."""
    return info["action_mask"].argmax(-1)


def play_greedy_against_random(game, player, games, decisions):
    """Play a batch to its end, greedy in the seat `player` and random in all others, in at most `decisions` steps."""
    states = game.init(games, 1)
    for decision in range(decisions):
        greedy, random = act(game, states, "greedy", decision), game.sample(states, decision)
        game.step(states, np.where(states.to_move == player, greedy, random))
    assert (states.ended > 0).all()
    return states


def mask_for_mover(env):
    """Return the action mask of the agent to move, from its observation or its info."""
    observation, _, _, _, info = env.last()
    return observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]


def random_play(env, rng, moves=2**63):
    """Play random legal actions in a PettingZoo environment; yield (agent, *env.last(), action) before each step."""
    for agent in env.agent_iter(max_iter=moves):
        last = env.last()
        _, _, terminated, truncated, _ = last
        action = None if terminated or truncated else int(rng.choice(np.flatnonzero(mask_for_mover(env))))
        yield agent, *last, action
        env.step(action)


class Faulty:
    """Policy that plays the first legal action, but once plays `fault`, or raises it if it is an error."""

    def __init__(self):
        self.fault = None

    def __call__(self, observation, mask):
        fault, self.fault = self.fault, None
        if isinstance(fault, BaseException):
            raise fault
        return np.argmax(mask, axis=-1) if fault is None else fault

    def __repr__(self):
        return "Faulty()"
