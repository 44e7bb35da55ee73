"""Positions of war on the board of 49 points."""

from itertools import pairwise

import numpy as np

from mancala_envs.families.points.forty_nine import NEIGHBOURS

STOP = 392


def war(game, first, second, to_move=0, **fields):
    """The game where soldiers of players 0 and 1 stand on these points."""
    board = [0] * 49
    for man, points in ((1, first), (2, second)):
        for point in points:
            board[point] = man
    return game.load(board=board, to_move=to_move, **fields)


def as_seen(player, start, way):
    """The player's action that moves from a point of the board in a direction."""
    return 8 * (48 - start) + (way + 4) % 8 if player else 8 * start + way


def move(*points, player=0):
    """The steps and captures that lead one soldier of the player from point to point of the board."""
    found = []
    for start, end in pairwise(points):
        ways = [way for way in range(8) if end in (NEIGHBOURS[start, way], NEIGHBOURS[NEIGHBOURS[start, way], way])]
        (way,) = (way for way in ways if NEIGHBOURS[start, way] >= 0)
        found.append(as_seen(player, start, way))
    return found


def ways(actions):
    """What actions of player 0 do, as (from, to) of the neighbour towards which they lead; `STOP` as it is."""
    return {a if a == STOP else (a // 8, int(NEIGHBOURS[a // 8, a % 8])) for a in actions}


def half_turned(game, states):
    """The position after half a turn of the board, with the players changed."""
    turned = states.copy()
    turned.board = np.array([0, 2, 1], np.uint8)[states.board[:, ::-1]]
    turned.taken = states.taken[:, ::-1]
    turned.to_move = 1 - states.to_move
    turned.moving = np.where(states.moving < 0, -1, 48 - states.moving)
    return turned
