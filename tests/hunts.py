"""Positions of hunts on any board of points."""

from itertools import pairwise

import numpy as np


def hunt(game, hunters, herd, to_move=0, hand=(0, 0), **fields):
    """The game where hunters and herd stand on these points; all that is not in hand is laid."""
    board = np.zeros(game.dtype["board"].shape, int)
    board[list(hunters)], board[list(herd)] = 1, 2
    return game.load(board=board, to_move=to_move, hand=list(hand), **{"phase": int(hand[to_move] > 0)} | fields)


def move(neighbours, *points):
    """The numbers of the steps and captures that lead one piece from point to point."""
    found = []
    for start, end in pairwise(points):
        ways = [way for way in range(8) if end in (neighbours[start, way], neighbours[neighbours[start, way], way])]
        (way,) = (way for way in ways if neighbours[start, way] >= 0)
        found.append(len(neighbours) + 8 * start + way)
    return found


def ways(neighbours, actions):
    """What moves do, as (from, to) of the neighbour towards which they lead."""
    pairs = [divmod(action - len(neighbours), 8) for action in actions]
    return {(start, int(neighbours[start, way])) for start, way in pairs}


def result(states):
    return int(states[0].winner), int(states[0].ended)


def seen(game, states, player):
    """The columns of the observation that are not 0."""
    columns = [column.name for column in game.observation_fields]
    return {
        name: number for name, number in zip(columns, game.observe(states, player)[0].tolist(), strict=True) if number
    }
