"""Positions on the board of the mill games."""

import numpy as np

from helpers.point_positions import board_of
from mancala_envs.families.points.mills import NEIGHBOURS


def position(first, second):
    """Return the field `board` from the points of the men of players 0 and 1."""
    return board_of(24, first, second)


def step(game, start, end):
    """Return the action that moves from `start` to its neighbour `end`."""
    (direction,) = np.flatnonzero(NEIGHBOURS[int(game.options["corners"]), start] == end)
    return 24 + 8 * start + int(direction)
