"""Boards of at most 64 points as bit masks, for fast forms: a set of points is a word in which bit i is point i.

Men have the codes 1 and 2. A set of steps is an array of words in which bit 8 * point + direction is a step, as actions
are numbered.
"""

import sys

import numpy as np

from mancala_envs.core.bits import LOW_BITS, count_in_bytes, find_bit, gather, gather_turned, sum_bytes, turn_over
from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import rule
from mancala_envs.families.points.board import NOWHERE, PointBoard, Table
from mancala_envs.families.points.verbs import WAYS

FITS = sys.byteorder == "little"
"""Whether the byte order is little-endian, so that byte i of an array is byte i of its words."""

_BYTE, _WORD = np.uint64(255), np.uint64(64)


def steps_into(board: PointBoard) -> np.ndarray:
    """Return a table for `steps`.

    `[group, empty, word]` is one word of the steps onto the points 8 * group + i, for all bits i of `empty`.
    """
    words = -(-len(board.places) // 8)
    table = np.zeros((words, 256, words), np.uint64)
    for start, direction in np.argwhere(board.neighbours != NOWHERE).tolist():
        end = int(board.neighbours[start, direction])
        empty = np.arange(256) >> end % 8 & 1 == 1
        table[end // 8, empty, start // 8] |= np.uint64(1 << WAYS * (start % 8) + direction)
    return table


def steppers_into(board: PointBoard) -> np.ndarray:
    """Return a table for `can_step`: `[group, empty]` is the set of points from which these steps start."""
    words = -(-len(board.places) // 8)
    table = np.zeros((words, 256), np.uint64)
    for start, direction in np.argwhere(board.neighbours != NOWHERE).tolist():
        end = int(board.neighbours[start, direction])
        table[end // 8, np.arange(256) >> end % 8 & 1 == 1] |= np.uint64(1 << start)
    return table


def rows_through(rows: Table) -> np.ndarray:
    """Return the rows of three of `PointBoard.rows` as sets of points, by `[point, row]`."""
    points = [
        [sum(1 << other for other in (point, *others)) for others in through] for point, through in enumerate(rows)
    ]
    return np.array(points, np.uint64)


@rule(inline=True)
def men(s, man):
    """Return the set of points with men of code `man`, 1 or 2."""
    points = np.uint64(0)
    for word in range((len(s.board) + 7) // 8):
        points |= gather(s.board_word[word] >> np.uint64(man - 1) & LOW_BITS) << np.uint64(8 * word)
    return points & everywhere(s)


@rule(inline=True)
def men_in_view(s, man, p):
    """Return `men` with the points numbered from the view of player p, see `verbs.view_point`."""
    words = (len(s.board) + 7) // 8
    points = np.uint64(0)
    for word in range(words):
        there = words - 1 - word if p == 1 else word
        points |= gather_turned(s.board_word[there] >> np.uint64(man - 1) & LOW_BITS, p == 1) << np.uint64(8 * word)
    # After a half turn, the bytes beyond the last point come first.
    return points >> np.uint64(8 * words - len(s.board) if p == 1 else 0) & everywhere(s)


@rule(inline=True)
def everywhere(s):
    """Return the set of all points."""
    return np.uint64(MASK) >> np.uint64(64 - len(s.board))


@rule(inline=True)
def empty_points(s):
    """Return the set of empty points."""
    return everywhere(s) & ~(men(s, 1) | men(s, 2))


@rule(inline=True)
def steps(s, table, empty, man, word):
    """Return one word of the steps of all men of a code onto the points `empty`; `table` is from `steps_into`."""
    found = np.uint64(0)
    for group in range(len(table)):
        found |= table[group, np.int64(empty >> np.uint64(8 * group) & _BYTE), word]
    own = s.board_word[word] >> np.uint64(man - 1) & LOW_BITS
    return found & np.uint64((int(own) * 255) & MASK)


@rule(inline=True)
def can_step(table, empty, own):
    """Return whether a point in `own` is adjacent to one in `empty`; `table` is from `steppers_into`."""
    found = np.uint64(0)
    for group in range(len(table)):
        found |= table[group, np.int64(empty >> np.uint64(8 * group) & _BYTE)]
    return (found & own) != 0


@rule(inline=True)
def has_row(rows, point, own):
    """Return whether `own` contains a row through `point`; `rows` is from `rows_through`."""
    for row in range(rows.shape[1]):
        if own & rows[point, row] == rows[point, row]:
            return True
    return False


# Moves are given as eight sets of points, one per direction: the men that can move in that direction.


def shifts(board: PointBoard) -> np.ndarray:
    """Return a table for `with_neighbour_in`.

    `[direction, k]` is a pair: a difference, modulo 64, between the numbers of a point and its neighbour in that
    direction, and the set of points with this difference. Directions with fewer differences are padded with empty sets.
    """
    table = []
    for ends in board.neighbours.T.tolist():
        found: dict[int, int] = {}
        for start, end in enumerate(ends):
            if end != NOWHERE:
                found[(end - start) % 64] = found.get((end - start) % 64, 0) | 1 << start
        table.append(list(found.items()))
    most = max(map(len, table))
    return np.array([row + [(1, 0)] * (most - len(row)) for row in table], np.uint64)


@rule(inline=True)
def with_neighbour_in(shifts, points, direction):
    """Return the points whose neighbour in a direction is in `points`."""
    found = np.uint64(0)
    for k in range(shifts.shape[1]):
        higher = shifts[direction, k, 0]
        found |= (points >> higher | points << (_WORD - higher)) & shifts[direction, k, 1]
    return found


@rule(inline=True)
def moves(shifts, own, prey, empty, steppers):
    """Return by direction the men of `own` that can jump over one of `prey`, or are in `steppers` and can step."""
    return (
        moves_to(shifts, own, prey, empty, steppers, 0),
        moves_to(shifts, own, prey, empty, steppers, 1),
        moves_to(shifts, own, prey, empty, steppers, 2),
        moves_to(shifts, own, prey, empty, steppers, 3),
        moves_to(shifts, own, prey, empty, steppers, 4),
        moves_to(shifts, own, prey, empty, steppers, 5),
        moves_to(shifts, own, prey, empty, steppers, 6),
        moves_to(shifts, own, prey, empty, steppers, 7),
    )


@rule(inline=True)
def moves_to(shifts, own, prey, empty, steppers, direction):
    """Return `moves` in one direction."""
    before = with_neighbour_in(shifts, empty, direction)
    return own & (before & steppers | with_neighbour_in(shifts, before & prey, direction))


@rule(inline=True)
def movers(moves):
    """Return the set of men that can move."""
    found = np.uint64(0)
    for direction in range(WAYS):
        found |= moves[direction]
    return found


@rule(inline=True)
def count_moves(moves):
    """Count the moves per group of eight points; byte `group` of the word is for the points 8 * group + i."""
    counts = np.uint64(0)
    for direction in range(WAYS):
        counts += count_in_bytes(moves[direction])
    return counts


@rule(inline=True)
def moves_word(moves, group):
    """Return the moves from the points 8 * group + i as bits 8 * i + direction."""
    word = np.uint64(0)
    for direction in range(WAYS):
        word |= (moves[direction] >> np.uint64(8 * group) & _BYTE) << np.uint64(8 * direction)
    return turn_over(word)


@rule(inline=True)
def find_move(moves, counts, k):
    """Return 8 * point + direction of the k-th move, counted from 0.

    There must be more than k moves, and at most 127. `counts` is from `count_moves`. The code has no branches, so
    that the compiler can vectorise it.
    """
    # Find the first byte up to which there are more than k moves.
    sums = np.uint64((int(counts) * int(LOW_BITS)) & MASK)
    more = ((sums + np.uint64(int(LOW_BITS) * (127 - k))) >> np.uint64(7)) & LOW_BITS
    group = 8 - sum_bytes(more)
    passed = np.int64((sums - counts) >> np.uint64(8 * group) & _BYTE)
    return 64 * group + find_bit(moves_word(moves, group), k - passed, 64)


def threes(board: PointBoard) -> np.ndarray:
    """Return a table for `can_capture`, with one row per shape of three adjacent points on a line.

    A row has three numbers: by how much the middle number and the highest number exceed the lowest, and the set of the
    lowest points of all triples of that shape.
    """
    found: dict[tuple[int, int], int] = {}
    for line in board.lines:
        for first in range(len(line) - 2):
            lowest, middle, highest = sorted(line[first : first + 3])
            higher = middle - lowest, highest - lowest
            found[higher] = found.get(higher, 0) | 1 << lowest
    return np.array([(*higher, lowest) for higher, lowest in found.items()], np.uint64)


@rule(inline=True)
def can_capture(threes, own, prey, empty):
    """Return whether a man of `own` can jump over one of `prey`."""
    found = np.uint64(0)
    for k in range(len(threes)):
        middle, highest, lowest = threes[k]
        found |= lowest & prey >> middle & (own & empty >> highest | empty & own >> highest)
    return found != 0
