"""Kalah and Oware compared with OpenSpiel's `mancala` and `oware`, move by move in 500 random games each."""

import numpy as np
import pytest

from mancala_envs import make_game

pyspiel = pytest.importorskip("pyspiel")

GAMES = 500


def mancala_position(state):
    """Return (holes, store) from OpenSpiel's board [North's store, South's row, South's store, North's row]."""
    board = np.rint(state.observation_tensor(0)).astype(int).tolist()
    return board[1:7] + board[8:14], [board[7], board[0]]


def mancala_action(action, player):
    """Return our action for OpenSpiel's, which is a place on its board."""
    return action + (1 if player == 0 else 8)


def oware_position(state):
    """Return (holes, store) from OpenSpiel's tensor of both rows and the scores, all divided by 48."""
    board = np.rint(np.array(state.observation_tensor(0)) * 48).astype(int).tolist()
    return board[:12], board[12:]


def oware_action(action, player):
    """Return our action for OpenSpiel's, which is one of the mover's own holes."""
    return action


@pytest.mark.parametrize(
    ("name", "peer", "position", "number"),
    [("kalah", "mancala", mancala_position, mancala_action), ("oware", "oware", oware_position, oware_action)],
)
def test_same_game_as_open_spiel(name, peer, position, number):
    game = make_game(name)
    states = game.init(GAMES, seed=11)
    theirs = [pyspiel.load_game(peer).new_initial_state() for _ in range(GAMES)]
    step = 0
    while (states.to_move >= 0).any():
        legal, actions = game.legal(states), game.sample(states, seed=step)
        movers = states.to_move.copy()
        rewards = game.step(states, actions)
        for i in np.flatnonzero(movers >= 0):
            other, mover = theirs[i], int(movers[i])
            assert other.current_player() == mover
            assert other.legal_actions() == [number(int(action), mover) for action in np.flatnonzero(legal[i])]
            other.apply_action(number(int(actions[i]), mover))
            assert position(other) == (states.holes[i].tolist(), states.store[i].tolist()), other.history()
            assert other.is_terminal() == (states.ended[i] == 1), other.history()
            if other.is_terminal():
                assert other.returns() == rewards[i].tolist()
        step += 1
    assert all(other.is_terminal() for other in theirs)
