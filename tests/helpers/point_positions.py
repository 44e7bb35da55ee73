"""Positions of games on points or squares."""

from itertools import pairwise

import numpy as np

from helpers import positions

EXCHANGED = np.array([0, 2, 1, 4, 3, 6, 5, 8, 7], np.uint8)
"""The code of each piece when the players are exchanged."""


def board_of(size, *groups):
    """Return the field `board` from the points of the pieces with code 1, those with code 2, and so on."""
    board = [0] * size
    for code, points in enumerate(groups, 1):
        for point in points:
            board[point] = code
    return board


def ways_along(neighbours, *points):
    """Return (start, direction) of the steps and jumps that move a piece along these points."""
    found = []
    for start, end in pairwise(points):
        ways = [way for way in range(8) if end in (neighbours[start, way], neighbours[neighbours[start, way], way])]
        (way,) = (way for way in ways if neighbours[start, way] >= 0)
        found.append((start, way))
    return found


def ways(neighbours, first_move, actions):
    """Describe the actions that move, of which `first_move` is the first, as (start, neighbour in that direction).

    The action after them is "stop".
    """
    moves = [divmod(action - first_move, 8) for action in actions]
    return {(start, int(neighbours[start, way])) if start < len(neighbours) else "stop" for start, way in moves}


def scattered(game, n, shares):
    """Return a random generator and positions with any number of pieces, some near the limit on quiet turns.

    `shares` are the values of the mean share of the points that a player's pieces stand on.
    """
    rng = np.random.default_rng(n)
    states = game.init(n, 0)
    first, second = rng.choice(shares, size=(2, n, 1))
    draws = rng.random(states.board.shape)
    states.board = np.where(draws < first, 1, np.where(draws < first + second, 2, 0))
    states.to_move = rng.integers(2, size=n)
    states.quiet = rng.choice([3, game.options["quiet_turns"] - 1], size=n)
    return rng, states


def seen(game, states, player=None):
    """Return the non-zero columns of a player's observation by name, by default of the player to move."""
    return {name: number for name, number in positions.seen(game, states, player).items() if number}


def half_turned(states):
    """Return the positions rotated by 180 degrees with the players exchanged."""
    turned = states.copy()
    turned.board = EXCHANGED[states.board[:, ::-1]]
    turned.taken = states.taken[:, ::-1]
    turned.to_move = 1 - states.to_move
    turned.moving = np.where(states.moving < 0, -1, states.board.shape[1] - 1 - states.moving)
    if "heading" in states.dtype.names:
        turned.heading = np.where(states.heading < 0, -1, (states.heading + 4) % 8)
    return turned


def play_from_both_sides(game, games, decisions):
    """Play at random and check that a player sees what the opponent would see from the other side.

    Yield the positions of the games that go on before each decision.
    """
    states = game.init(games, 3)
    for decision in range(decisions):
        others = half_turned(states)
        assert np.array_equal(game.observe(states), game.observe(others))
        assert np.array_equal(game.legal(states), game.legal(others))
        yield states
        actions = game.sample(states, decision)
        game.step(others, actions)
        game.step(states, actions)
        assert np.array_equal(half_turned(states).board, others.board)
        states = states[states.to_move >= 0]
