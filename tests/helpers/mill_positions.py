"""Positions on the board of mills."""

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


def random_boards(luck, n):
    """Draw boards (n, 24) with any number of men, on average as many of either player."""
    share = luck.choice([0.1, 0.3, 0.46], size=(n, 1))
    draws = luck.random((n, 24))
    return np.where(draws < share, 1, np.where(draws < 2 * share, 2, 0))
