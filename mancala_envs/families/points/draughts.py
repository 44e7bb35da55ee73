"""Draughts: men and kings on the squares of one colour of a chequered board, numbered row by row.

Men and kings have the codes of `look`. A game of this kind adds its laws of capture, its options and its page.
"""

from typing import Any

import numpy as np

from mancala_envs.core.binding import in_python
from mancala_envs.core.board import Board
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.families.points.board import NOWHERE, PointBoard, Table, white_squares
from mancala_envs.families.points.look import drawn
from mancala_envs.families.points.verbs import EMPTY, count, is_empty, turned

DIAGONALS = (1, 3, 5, 7)
"""The directions in which pieces go."""
MAN, KING = 1, 3
"""The codes of player 0's pieces; those of player 1's are one more."""
JUMPED = 4
"""What is added to the code of a captured piece as long as it lies on the board."""
WORTH_OF_KING = 3
"""In men."""
LETTERS = "oxox++++"
"""Of every code: men, kings, who are doubled, and jumped pieces."""


# The board.


def directions(board: PointBoard) -> Table:
    """`[start, end]`: the direction in which `end` lies on a line through `start`, NOWHERE where it lies on none."""
    table = np.full(2 * (len(board.places),), NOWHERE)
    for line in board.lines:
        for start in line:
            for end in line:
                if start != end:
                    table[start, end] = board.direction(start, end)
    return table


def by_size(tables: list[Table]) -> Table:
    """The same table of boards of several sizes as one, by the number of the board; NOWHERE beyond its squares."""
    whole = np.full((len(tables), *np.max([table.shape for table in tables], axis=0)), NOWHERE)
    for table, room in zip(tables, whole, strict=True):
        room[tuple(map(slice, table.shape))] = table
    return whole


SIZES = (8, 10, 12)
"""Rows and columns of the boards that there are."""
BOARDS = tuple(map(white_squares, SIZES))
NEIGHBOURS = by_size([board.neighbours for board in BOARDS])
"""`[number of the board, square, direction]`: see `PointBoard.neighbours`."""
DIRECTIONS_TO = by_size([directions(board) for board in BOARDS])
"""`[number of the board, start, end]`: see `directions`."""


@rule
def in_row(s):
    """How many squares of the board's colour a row has, half as many as columns."""
    return np.int64(np.sqrt(len(s.board) // 2))


@rule
def number(s):
    """Which of `BOARDS` is played on."""
    return in_row(s) - SIZES[0] // 2


@rule
def neighbour(s, square, direction):
    """The next square in a direction, below 0 where the board ends."""
    return NEIGHBOURS[number(s), square, direction]


@rule
def direction_to(s, start, end):
    """The direction of the diagonal from `start` to `end`, below 0 where there is none."""
    return DIRECTIONS_TO[number(s), start, end]


@rule
def men_each(s):
    """The men of each player at the beginning: all rows but the two in the middle are full."""
    return (len(s.board) - 2 * in_row(s)) // 2


@rule
def set_out_men(s):
    """The set-up: player 1's men above, player 0's below."""
    squares, men = len(s.board), men_each(s)
    for square in range(squares):
        s.board[square] = MAN + 1 if square < men else EMPTY if square < squares - men else MAN


# Actions: from * N + to names a leg from one square to another, N being the squares; the last one, N * N, is `done`.
# The squares of an action are numbered as the player to move sees them.


@rule
def done(s):
    """The action that ends a turn which could go on."""
    return len(s.board) * len(s.board)


@rule
def leg(s, start, end):
    """The action that leads from `start` to `end`, as the player to move sees these squares."""
    # In plain Python the byte of a field would overflow.
    return np.int64(start) * len(s.board) + end


@rule
def start_of(s, action):
    """The square of the board from which the action leads."""
    return turned(s, s.to_move, action // len(s.board))


@rule
def end_of(s, action):
    """The square of the board to which the action leads."""
    return turned(s, s.to_move, action % len(s.board))


# Pieces.


@rule
def is_of(s, square, p):
    """Whether there is such a square, and on it a piece of player p which is not captured."""
    return square >= 0 and (s.board[square] == MAN + p or s.board[square] == KING + p)


@rule
def is_king(s, square):
    return s.board[square] == KING or s.board[square] == KING + 1


@rule
def can_jump_towards(s, square, direction, p):
    """Whether player p's piece on `square` can capture in a direction: the neighbour, a king the first it meets."""
    over = neighbour(s, square, direction)
    while is_king(s, square) and is_empty(s, over):
        over = neighbour(s, over, direction)
    return is_of(s, over, 1 - p) and is_empty(s, neighbour(s, over, direction))


@rule
def can_jump_from(s, square, p):
    """Whether player p's piece on `square` can capture."""
    for direction in DIAGONALS:
        if can_jump_towards(s, square, direction, p):
            return True
    return False


@rule
def can_jump(s, p):
    """Whether player p can capture."""
    for square in range(len(s.board)):
        if is_of(s, square, p) and can_jump_from(s, square, p):
            return True
    return False


@rule
def can_step_from(s, square):
    for direction in DIAGONALS:
        if is_empty(s, neighbour(s, square, direction)):
            return True
    return False


@rule
def can_move(s, p):
    """Whether player p can step or capture."""
    for square in range(len(s.board)):
        if is_of(s, square, p) and (can_step_from(s, square) or can_jump_from(s, square, p)):
            return True
    return False


@rule
def is_on_last_row(s, square, p):
    """Whether the square is on the last row as player p sees it, the first one of the other's."""
    return square < in_row(s) if p == 0 else square >= len(s.board) - in_row(s)


@rule
def crown(s, square):
    """The man becomes a king."""
    s.board[square] += KING - MAN


@rule
def lift_jumped(s):
    """All jumped pieces leave the board."""
    for square in range(len(s.board)):
        if s.board[square] > JUMPED:
            s.board[square] = EMPTY


@rule
def lead(s, p):
    """Pieces on the board, kings for more than men, above the other's."""
    men = count(s, MAN + p) - count(s, MAN + 1 - p)
    return men + WORTH_OF_KING * (count(s, KING + p) - count(s, KING + 1 - p))


# What people see, and what a position must be.


def board(s: Any) -> Board:
    beside = [(f"P{p} took", p, int(s.taken[p])) for p in (0, 1)]
    points = BOARDS[in_python(number)(s)]
    return drawn(s, points, LETTERS, beside, marked=int(s.moving), squares=True, doubled=(KING, KING + 1))


def check_pieces(s: Any) -> None:
    """No other codes, and no more pieces of anybody, captured or not, than the set-up has."""
    most = KING + 1 + JUMPED
    require(s.board.max() <= most, f"board must hold 0..{most}, got {s.board.tolist()}")
    each = int(in_python(men_each)(s))
    for p in (0, 1):
        on_board = np.isin(s.board, (MAN + p, KING + p)).sum()
        own = int(on_board + s.taken[1 - p])
        require(own <= each, f"player {p} has {each} pieces, got {own}, those captured included")
