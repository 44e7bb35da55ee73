"""Exchanges: gains of the next player less those of the answer."""

import pickle

import numpy as np
import pytest
from helpers.forms import some_states, with_another_finger

from mancala_envs import make_game
from mancala_envs.agents import Exchanges
from mancala_envs.agents.exchanges import MOST
from mancala_envs.agents.network import evaluate

DECIDED = 1000
"""More than any lead, for a game that is over."""


def lead(game, states, player):
    """Return the lead of a player in games without a positional bonus."""
    return evaluate(game, states)[:, player] // 8


def after(game, state):
    """Return the states (k,) after all k legal actions, the leads (k,) there of the player to move, and the actions."""
    actions = np.flatnonzero(game.legal(state)[0])
    states, player = state.repeat(len(actions)), state["to_move"][0]
    results = game.step(states, actions)[:, player].astype(np.int64)
    return states, np.where(states["to_move"] < 0, DECIDED * results, lead(game, states, player)), actions


def gain(game, state, depth):
    """Return what the best action of the player to move gains, with `depth` decisions after it."""
    player = state["to_move"][0]
    states, leads, _ = after(game, state)
    gains = leads - lead(game, state, player)
    for i in np.flatnonzero(states["to_move"] >= 0) if depth else ():
        answer = gain(game, states[i : i + 1], depth - 1)
        gains[i] += answer if states["to_move"][i] == player else -answer
    return gains.max()


def by_hand(game, states):
    """Return the codes (n, A) of exchanges in which chance decides as it will in the game."""
    expected = np.zeros((len(states), game.num_actions), np.int64)
    for i in np.flatnonzero(states["to_move"] >= 0):
        later, _, actions = after(game, states[i : i + 1])
        for k in np.flatnonzero(later["to_move"] >= 0):
            expected[i, actions[k]] = np.clip(gain(game, later[k : k + 1], 1), -MOST, MOST) + MOST + 1
    return expected


@pytest.mark.parametrize("name", ["oware", "congkak"])
def test_an_exchange_is_the_best_gain_of_the_next_player_less_the_best_answer(name):
    game = make_game(name, columns=3)
    states, judge = some_states(game, 100, 12), Exchanges(game)
    found = judge(states)
    np.testing.assert_array_equal(found, by_hand(game, states))
    assert found.dtype == np.uint8 and len(np.unique(found)) > 5 and found.max() == judge.highest
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(judge))(states), found)


def test_an_exchange_shows_no_throw_to_come():
    game = make_game("pancha_keliya")
    states = some_states(game, 60, 40)
    found, expected = Exchanges(game)(states), by_hand(game, states)
    assert ((found > 0) == (expected > 0)).all() and (found != expected).any()


@pytest.mark.slow
def test_an_exchange_shows_no_secret():
    game = make_game("ceelkoqyuqkoqiji", first="throw")
    states, judge = some_states(game, 50, decisions=1), Exchanges(game)
    np.testing.assert_array_equal(judge(states), judge(with_another_finger(states)))
