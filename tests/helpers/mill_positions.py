"""Positions on the board of mills, and counts of how many ways there are to play on."""

import numpy as np

from mancala_envs.families.points.mills import NEIGHBOURS


def position(first, second):
    """The board with men of players 0 and 1 on these points."""
    board = [0] * 24
    for man, points in ((1, first), (2, second)):
        for point in points:
            board[point] = man
    return board


def step(game, start, end):
    """The number of the step from `start` to its neighbour `end`."""
    (direction,) = np.flatnonzero(NEIGHBOURS[int(game.options["corners"]), start] == end)
    return 24 + 8 * start + int(direction)


def after(game, states, *actions):
    """A copy of the one game, further on."""
    states = states.copy()
    for action in actions:
        game.step(states, [action])
    return states


def legal(game, states):
    """What is legal in the one game."""
    return np.flatnonzero(game.legal(states)[0]).tolist()


def perft(game, states, decisions):
    """How many sequences there are of 1, 2, .. so many decisions."""
    counts = []
    for _ in range(decisions):
        which, actions = np.nonzero(game.legal(states))
        counts.append(len(actions))
        states = states[which]
        game.step(states, actions)
    return counts
