"""Positions of the war games on the board of 49 points."""

from functools import partial

from helpers import point_positions
from helpers.point_positions import board_of, ways_along
from mancala_envs.families.points.forty_nine import NEIGHBOURS

STOP = 392


def war(game, first, second, to_move=0, **fields):
    """Load a position from the points of the soldiers of players 0 and 1."""
    return game.load(board=board_of(49, first, second), to_move=to_move, **fields)


def as_seen(player, start, way):
    """Return the player's action that moves from a point of the board in a direction."""
    return 8 * (48 - start) + (way + 4) % 8 if player else 8 * start + way


def move(*points, player=0):
    """Return the actions of the steps and captures that move a soldier along these points of the board."""
    return [as_seen(player, *step) for step in ways_along(NEIGHBOURS, *points)]


ways = partial(point_positions.ways, NEIGHBOURS, 0)
"""Describe actions of player 0."""
