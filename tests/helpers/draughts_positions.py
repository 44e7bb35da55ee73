"""Positions of draughts and their legal moves."""

from itertools import pairwise

from helpers.point_positions import board_of
from helpers.positions import legal


def squares_of(game):
    return game.options["size"] ** 2 // 2


def position(game, men=((), ()), kings=((), ()), jumped=(), to_move=0, **fields):
    """Load a position from the squares of the men and kings of players 0 and 1, and those of jumped men and kings."""
    return game.load(board=board_of(squares_of(game), *men, *kings, *jumped), to_move=to_move, **fields)


def as_seen(game, player, square):
    """Convert the number of a square between the board's numbering and the player's."""
    return squares_of(game) - 1 - square if player else square


def leg(game, *squares, player=0):
    """Return the player's actions that move a piece along these squares of the board."""
    numbers = [as_seen(game, player, square) for square in squares]
    return [squares_of(game) * start + end for start, end in pairwise(numbers)]


def legs(game, states):
    """Return the legal moves of one game as squares (from, to) of the board, or "done"."""
    n, player = squares_of(game), states[0].to_move
    return {
        "done" if action == n * n else tuple(as_seen(game, player, square) for square in divmod(action, n))
        for action in legal(game, states)
    }
