"""Policies and loops that play games in tests."""

import copy
import pickle

import numpy as np
import pytest

from mancala_envs.agents.compiled import act

each_clone = pytest.mark.parametrize(
    "clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
"""Runs a test with each way to copy an environment."""


def first_legal(info):
    """Return the first legal action by the mask in `info`, of one environment or of each in a batch."""
    return info["action_mask"].argmax(-1)


def legal_at_random(rng):
    """Return a function that draws a legal action by the mask in `info`."""
    return lambda info: int(rng.choice(np.flatnonzero(info["action_mask"])))


def episode(env, choose=first_legal, **reset):
    """Play an episode of a Gymnasium environment; yield what each step returns. `choose` maps infos to actions."""
    _, info = env.reset(**reset)
    over = False
    while not over:
        step = env.step(choose(info))
        *_, terminated, truncated, info = step
        over = terminated or truncated
        yield step


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


def plays(env, choose, moves=2**63):
    """Play in a PettingZoo environment; yield (agent, *env.last(), action) before each step.

    `choose` maps a dict with the mask, `action_mask`, to an action.
    """
    for agent in env.agent_iter(max_iter=moves):
        last = env.last()
        _, _, terminated, truncated, _ = last
        action = None if terminated or truncated else choose({"action_mask": mask_for_mover(env)})
        yield agent, *last, action
        env.step(action)


def random_play(env, rng, moves=2**63):
    """Play random legal actions in a PettingZoo environment; yield (agent, *env.last(), action) before each step."""
    return plays(env, legal_at_random(rng), moves)


def traced(env, choose, moves=2**63):
    """Play in a PettingZoo environment; return the observations, rewards and actions, and the total rewards."""
    trace, totals = [], dict.fromkeys(env.possible_agents, 0.0)
    for agent, observation, reward, terminated, truncated, _, action in plays(env, choose, moves):
        totals[agent] += reward
        bare = observation["observation"] if isinstance(observation, dict) else observation
        trace.append((agent, bare.tolist(), reward, terminated, truncated, action))
    return trace, totals


NO_FAULT = ...
"""Copies of it are the same object."""


class Faulty:
    """Policy that plays the first legal action, but once plays `fault`, or raises it if it is an error."""

    def __init__(self):
        self.fault = NO_FAULT

    def __call__(self, observation, mask):
        fault, self.fault = self.fault, NO_FAULT
        if isinstance(fault, BaseException):
            raise fault
        return np.argmax(mask, axis=-1) if fault is NO_FAULT else fault

    def __repr__(self):
        return "Faulty()"
