"""Boards of at most 64 points as sets of points, for fast forms: bit i of a word is point i.

For boards on which men have the codes 1 and 2. The steps of all men along the lines are words too, as many as there are
words of points on the board: bit 8 * point + direction of them all, as actions are numbered.
"""

import sys

import numpy as np

from mancala_envs.core.bits import LOW_BITS, gather
from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.points.board import NOWHERE, PointBoard, Table
from mancala_envs.families.points.verbs import WAYS

FITS = sys.byteorder == "little"
"""Whether byte i of a row of bytes is byte i of its words."""

_BYTE = np.uint64(255)


def steps_into(board: PointBoard) -> np.ndarray:
    """`[group, empty, word]`: the steps onto the points 8 * group + i for all bits i of `empty`, one word of them."""
    words = -(-len(board.places) // 8)
    table = np.zeros((words, 256, words), np.uint64)
    for start, direction in np.argwhere(board.neighbours != NOWHERE).tolist():
        end = int(board.neighbours[start, direction])
        empty = np.arange(256) >> end % 8 & 1 == 1
        table[end // 8, empty, start // 8] |= np.uint64(1 << WAYS * (start % 8) + direction)
    return table


def steppers_into(board: PointBoard) -> np.ndarray:
    """`[group, empty]`: the set of points from which such a step is."""
    words = -(-len(board.places) // 8)
    table = np.zeros((words, 256), np.uint64)
    for start, direction in np.argwhere(board.neighbours != NOWHERE).tolist():
        end = int(board.neighbours[start, direction])
        table[end // 8, np.arange(256) >> end % 8 & 1 == 1] |= np.uint64(1 << start)
    return table


def near_and_far(board: PointBoard) -> tuple[np.ndarray, np.ndarray]:
    """`[point, direction]`: the neighbour that way, and the one behind him on the line; 63 where there is none.

    For all points below 64: with 63, who is on no board that is so asked, nobody is found.
    """
    near = np.full((64, WAYS), 63)
    near[: len(board.places)] = np.where(board.neighbours == NOWHERE, 63, board.neighbours)
    return near.astype(np.uint64), near[near, np.arange(WAYS)].astype(np.uint64)


def rows_through(rows: Table) -> np.ndarray:
    """`[point, row]`: `PointBoard.rows` as sets of three points."""
    points = [
        [sum(1 << other for other in (point, *others)) for others in through] for point, through in enumerate(rows)
    ]
    return np.array(points, np.uint64)


@inlined_rule
def men(s, man):
    """The set of points on which men of code 1 or 2 stand."""
    points = np.uint64(0)
    for word in range((len(s.board) + 7) // 8):
        points |= gather(s.board_word[word] >> np.uint64(man - 1) & LOW_BITS) << np.uint64(8 * word)
    return points & everywhere(s)


@inlined_rule
def everywhere(s):
    """The set of all points."""
    return np.uint64(MASK) >> np.uint64(64 - len(s.board))


@inlined_rule
def empty_points(s):
    """The set of points on which nobody stands."""
    return everywhere(s) & ~(men(s, 1) | men(s, 2))


@inlined_rule
def steps(s, table, empty, man, word):
    """One word of the steps of all men of a code onto the points `empty`; `table`: that of `steps_into`."""
    found = np.uint64(0)
    for group in range(len(table)):
        found |= table[group, np.int64(empty >> np.uint64(8 * group) & _BYTE), word]
    own = s.board_word[word] >> np.uint64(man - 1) & LOW_BITS
    return found & np.uint64((int(own) * 255) & MASK)


@inlined_rule
def can_step(table, empty, own):
    """Whether one of the points `own` is next to one of `empty`; `table`: that of `steppers_into`."""
    found = np.uint64(0)
    for group in range(len(table)):
        found |= table[group, np.int64(empty >> np.uint64(8 * group) & _BYTE)]
    return (found & own) != 0


@inlined_rule
def has_row(rows, point, own):
    """Whether one of the rows through `point` lies in the set `own`; `rows`: those of `rows_through`."""
    for row in range(rows.shape[1]):
        if own & rows[point, row] == rows[point, row]:
            return True
    return False
