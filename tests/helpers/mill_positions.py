"""Positions on the board of the mill games."""

import numpy as np

from mancala_envs.families.points.mills import NEIGHBOURS


def position(first, second):
    """Return the field `board` from the points of the men of players 0 and 1."""
    board = [0] * 24
    for man, points in ((1, first), (2, second)):
        for point in points:
            board[point] = man
    return board


def step(game, start, end):
    """Return the action that moves from `start` to its neighbour `end`."""
    (direction,) = np.flatnonzero(NEIGHBOURS[int(game.options["corners"]), start] == end)
    return 24 + 8 * start + int(direction)


def random_boards(rng, n):
    """Draw boards (n, 24) with varying numbers of men, on average equally many of both players."""
    share = rng.choice([0.1, 0.3, 0.46], size=(n, 1))
    draws = rng.random((n, 24))
    return np.where(draws < share, 1, np.where(draws < 2 * share, 2, 0))
