"""Positions of the war games on the board of 49 points."""

from itertools import pairwise

import numpy as np

from mancala_envs.families.points.forty_nine import NEIGHBOURS

STOP = 392


def war(game, first, second, to_move=0, **fields):
    """Load a position from the points of the soldiers of players 0 and 1."""
    board = [0] * 49
    for man, points in ((1, first), (2, second)):
        for point in points:
            board[point] = man
    return game.load(board=board, to_move=to_move, **fields)


def as_seen(player, start, way):
    """Return the player's action that moves from a point of the board in a direction."""
    return 8 * (48 - start) + (way + 4) % 8 if player else 8 * start + way


def move(*points, player=0):
    """Return the actions of the steps and captures that move a soldier along these points of the board."""
    found = []
    for start, end in pairwise(points):
        ways = [way for way in range(8) if end in (NEIGHBOURS[start, way], NEIGHBOURS[NEIGHBOURS[start, way], way])]
        (way,) = (way for way in ways if NEIGHBOURS[start, way] >= 0)
        found.append(as_seen(player, start, way))
    return found


def ways(actions):
    """Describe actions of player 0 as (start, neighbour in the direction of the move); `STOP` stays."""
    return {a if a == STOP else (a // 8, int(NEIGHBOURS[a // 8, a % 8])) for a in actions}


def half_turned(game, states):
    """Return the position rotated by 180 degrees with the players exchanged."""
    turned = states.copy()
    turned.board = np.array([0, 2, 1], np.uint8)[states.board[:, ::-1]]
    turned.taken = states.taken[:, ::-1]
    turned.to_move = 1 - states.to_move
    turned.moving = np.where(states.moving < 0, -1, 48 - states.moving)
    return turned
