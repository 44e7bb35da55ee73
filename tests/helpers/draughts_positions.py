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


def leg(game, *squares):
    """The numbers of the legs that lead from square to square."""
    return [squares_of(game) * start + end for start, end in pairwise(squares)]


def legs(game, states):
    """What is legal in the one game, as (from, to), or "done"."""
    n = squares_of(game)
    actions = np.flatnonzero(game.legal(states)[0]).tolist()
    return {"done" if action == n * n else divmod(action, n) for action in actions}
