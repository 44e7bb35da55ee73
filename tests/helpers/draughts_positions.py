"""Positions of draughts, and what may be played there."""

from itertools import pairwise

import numpy as np


def squares_of(game):
    return game.options["size"] ** 2 // 2


def position(game, men=((), ()), kings=((), ()), to_move=0, **fields):
    """The game where men and kings of players 0 and 1 stand on these squares."""
    board = [0] * squares_of(game)
    for code, squares in enumerate((*men, *kings), 1):
        for square in squares:
            board[square] = code
    return game.load(board=board, to_move=to_move, **fields)


def as_seen(game, player, square):
    """The number of a square as the player sees it, and back."""
    return squares_of(game) - 1 - square if player else square


def leg(game, *squares, player=0):
    """The player's actions that lead from square to square of the board."""
    seen = [as_seen(game, player, square) for square in squares]
    return [squares_of(game) * start + end for start, end in pairwise(seen)]


def legs(game, states):
    """What is legal in the one game, as squares (from, to) of the board, or "done"."""
    n, player = squares_of(game), states[0].to_move
    actions = np.flatnonzero(game.legal(states)[0]).tolist()
    return {
        "done" if action == n * n else tuple(as_seen(game, player, square) for square in divmod(action, n))
        for action in actions
    }
