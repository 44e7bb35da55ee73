"""Draughts: men and kings on the squares of one colour of a chequered board, numbered row by row.

For the codes of men and kings see `presentation.py`. A game adds its rules of capture, its options and its page.
"""

from typing import Any

import numpy as np

from mancala_envs.core.binding import in_python
from mancala_envs.core.board import Board
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.families.points.board import NOWHERE, PointBoard, Table, white_squares
from mancala_envs.families.points.presentation import draw_points
from mancala_envs.families.points.verbs import EMPTY, count, is_empty, view_point

DIAGONALS = (1, 3, 5, 7)
"""The directions in which pieces move."""
MAN, KING = 1, 3
"""The codes of player 0's pieces; those of player 1's are one more."""
JUMPED = 4
"""Added to the code of a captured piece that is still on the board."""
WORTH_OF_KING = 3
"""Value of a king in men."""
LETTERS = "oxox++++"
"""The letters of men, of kings (drawn doubled) and of jumped pieces; code c has letter c - 1."""


# The board.


def directions(board: PointBoard) -> Table:
    """Return a table of the direction from square to square by `[start, end]`, NOWHERE if no line joins them."""
    table = np.full(2 * (len(board.places),), NOWHERE)
    for line in board.lines:
        for start in line:
            for end in line:
                if start != end:
                    table[start, end] = board.direction(start, end)
    return table


def by_size(tables: list[Table]) -> Table:
    """Stack the same table of boards of several sizes, padded with NOWHERE."""
    whole = np.full((len(tables), *np.max([table.shape for table in tables], axis=0)), NOWHERE)
    for table, part in zip(tables, whole, strict=True):
        part[tuple(map(slice, table.shape))] = table
    return whole


SIZES = (8, 10, 12)
"""The number of rows, and of columns, of each board."""
BOARDS = tuple(map(white_squares, SIZES))
NEIGHBOURS = by_size([board.neighbours for board in BOARDS])
"""By `[number of the board, square, direction]`; see `PointBoard.neighbours`."""
DIRECTIONS_TO = by_size([directions(board) for board in BOARDS])
"""By `[number of the board, start, end]`; see `directions`."""


@rule
def in_row(s):
    """Return the number of squares in a row: half the number of columns."""
    return np.int64(np.sqrt(len(s.board) // 2))


@rule
def number(s):
    """Return the index of the game's board in `BOARDS`."""
    return in_row(s) - SIZES[0] // 2


@rule
def neighbour(s, square, direction):
    """Return the next square in a direction, NOWHERE at the edge of the board."""
    return NEIGHBOURS[number(s), square, direction]


@rule
def direction_to(s, start, end):
    """Return the direction of the diagonal from `start` to `end`, NOWHERE if there is none."""
    return DIRECTIONS_TO[number(s), start, end]


@rule
def men_each(s):
    """Return the number of men of each player in the set-up, which leaves only the two middle rows empty."""
    return (len(s.board) - 2 * in_row(s)) // 2


@rule
def set_out_men(s):
    """Set up player 1's men at the top and player 0's at the bottom."""
    squares, men = len(s.board), men_each(s)
    for square in range(squares):
        s.board[square] = MAN + 1 if square < men else EMPTY if square < squares - men else MAN


# With N squares, action start * N + end is a leg from one square to another, and the last action, N * N, is `done`.
# Squares in actions are numbered from the view of the player to move.


@rule
def done(s):
    """Return the action that ends a turn although the piece could go on."""
    return len(s.board) * len(s.board)


@rule
def leg(s, start, end):
    """Return the action from `start` to `end`, both numbered from the view of the player to move."""
    # In plain Python a byte would overflow without the conversion.
    return np.int64(start) * len(s.board) + end


@rule
def start_of(s, action):
    """Return the square of the board at which an action starts."""
    return view_point(s, s.to_move, action // len(s.board))


@rule
def end_of(s, action):
    """Return the square of the board at which an action ends."""
    return view_point(s, s.to_move, action % len(s.board))


# Pieces.


@rule
def is_of(s, square, p):
    """Return whether the square exists and holds a piece of player p that is not captured."""
    return square >= 0 and (s.board[square] == MAN + p or s.board[square] == KING + p)


@rule
def is_king(s, square):
    """Return whether a king stands on a square."""
    return s.board[square] == KING or s.board[square] == KING + 1


@rule
def can_jump_towards(s, square, direction, p):
    """Return whether player p's piece on `square` can capture in a direction.

    A man can capture its neighbour, a king the first piece in that direction.
    """
    over = neighbour(s, square, direction)
    while is_king(s, square) and is_empty(s, over):
        over = neighbour(s, over, direction)
    return is_of(s, over, 1 - p) and is_empty(s, neighbour(s, over, direction))


@rule
def can_jump_from(s, square, p):
    """Return whether player p's piece on `square` can capture."""
    for direction in DIAGONALS:
        if can_jump_towards(s, square, direction, p):
            return True
    return False


@rule
def can_jump(s, p):
    """Return whether player p can capture."""
    for square in range(len(s.board)):
        if is_of(s, square, p) and can_jump_from(s, square, p):
            return True
    return False


@rule
def can_step_from(s, square):
    """Return whether a piece on `square` can step."""
    for direction in DIAGONALS:
        if is_empty(s, neighbour(s, square, direction)):
            return True
    return False


@rule
def can_move(s, p):
    """Return whether player p can step or capture."""
    for square in range(len(s.board)):
        if is_of(s, square, p) and (can_step_from(s, square) or can_jump_from(s, square, p)):
            return True
    return False


@rule
def is_on_last_row(s, square, p):
    """Return whether the square is on player p's last row, where men become kings."""
    return square < in_row(s) if p == 0 else square >= len(s.board) - in_row(s)


@rule
def crown(s, square):
    """Make the man on `square` a king."""
    s.board[square] += KING - MAN


@rule
def lift_jumped(s):
    """Remove all jumped pieces."""
    for square in range(len(s.board)):
        if s.board[square] > JUMPED:
            s.board[square] = EMPTY


@rule
def lead(s, p):
    """Return player p's lead in pieces, where a king counts as `WORTH_OF_KING` men."""
    men = count(s, MAN + p) - count(s, MAN + 1 - p)
    return men + WORTH_OF_KING * (count(s, KING + p) - count(s, KING + 1 - p))


# Drawing and checks of positions.


def board(s: Any) -> Board:
    """Draw the board."""
    beside = [(f"P{p} took", p, int(s.taken[p])) for p in (0, 1)]
    points = BOARDS[in_python(number)(s)]
    return draw_points(s, points, LETTERS, beside, marked=int(s.moving), squares=True, doubled=(KING, KING + 1))


def check_pieces(s: Any) -> None:
    """Check the codes, and that no player has more pieces than in the set-up, captured ones included.

    Raises:
        ValueError: If a check fails.
    """
    most = KING + 1 + JUMPED
    require(s.board.max() <= most, f"board must hold 0..{most}, got {s.board.tolist()}")
    each = int(in_python(men_each)(s))
    for p in (0, 1):
        on_board = np.isin(s.board, (MAN + p, KING + p)).sum()
        own = int(on_board + s.taken[1 - p])
        require(own <= each, f"player {p} has {each} pieces, got {own}, those captured included")
