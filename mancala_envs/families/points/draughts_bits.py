"""Draughts boards as bit masks, for fast forms: a set of squares is two words (low, high), in which bit i is square i.

The functions assume the start of a turn, when there are no jumped pieces on the board.
"""

import numpy as np

from mancala_envs.core.bits import LOW_BITS, count_bits, gather, select_bit
from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import rule
from mancala_envs.families.points.board import NOWHERE
from mancala_envs.families.points.draughts import BOARDS, NEIGHBOURS, in_row, number

NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST = BY_GOAL = (7, 1, 5, 3)
"""The diagonals in the order of the numbers of the squares that they reach from one square."""

_ZERO, _ONE, _TWO, _BYTE = (np.uint64(number) for number in (0, 1, 2, 255))


def squares_with_steps(steps: int) -> np.ndarray:
    """Return the set of squares from which a number of steps stays on the board.

    Returns:
        A uint64 array with index `[board, direction, odd row, word]`.
    """
    table = np.zeros((len(BOARDS), 8, 2, 2), np.uint64)
    for board, points in enumerate(BOARDS):
        for square, (row, _) in enumerate(points.places):
            for direction in BY_GOAL:
                end = square
                for _ in range(steps):
                    end = NEIGHBOURS[board, end, direction] if end != NOWHERE else NOWHERE
                if end != NOWHERE:
                    table[board, direction, row % 2, square // 64] |= np.uint64(1 << square % 64)
    return table


WITH_STEP = squares_with_steps(1)
WITH_TWO_STEPS = squares_with_steps(2)
"""See `squares_with_steps`."""
SPREAD = np.array([sum((byte >> i & 1) << 4 * i for i in range(8)) for byte in range(256)], np.uint64)
"""For every byte, a word in which bit 4 * i is bit i of the byte."""


# Sets.


@rule(inline=True)
def intersection(one, other):
    """Return the intersection of two sets."""
    return one[0] & other[0], one[1] & other[1]


@rule(inline=True)
def union(one, other):
    """Return the union of two sets."""
    return one[0] | other[0], one[1] | other[1]


@rule(inline=True)
def is_empty_set(squares):
    """Return whether a set has no squares."""
    return squares[0] | squares[1] == _ZERO


@rule(inline=True)
def size(squares):
    """Return the number of squares in a set."""
    return count_bits(squares[0]) + count_bits(squares[1])


@rule(inline=True)
def select(squares, k):
    """Return the k-th square of a set, counted from 0; the set must be large enough."""
    below = count_bits(squares[0])
    return select_bit(squares[0], k, 64) if k < below else 64 + select_bit(squares[1], k - below, 64)


@rule(inline=True)
def with_square(squares, square):
    """Return a set with one square added."""
    bit = _ONE << np.uint64(square & 63)
    return (squares[0] | bit, squares[1]) if square < 64 else (squares[0], squares[1] | bit)


@rule(inline=True)
def shifted(squares, places):
    """Shift a set by `places` squares, not 0; bits shifted out are lost."""
    low, high = squares
    if places > 0:
        up, rest = np.uint64(places), np.uint64(64 - places)
        return low << up, high << up | low >> rest
    down, rest = np.uint64(-places), np.uint64(64 + places)
    return low >> down | high << rest, high >> down


# Pieces.


@rule(inline=True)
def pieces(s, p):
    """Return four sets: the squares of player p, of the other player, and of all kings, and the empty squares."""
    words = (len(s.board) + 7) // 8
    first, second, kings = _ZERO, _ZERO, _ZERO
    for word in range(min(words, 8)):
        one, other, king = flags(s.board_word[word])
        place = np.uint64(8 * word)
        first |= gather(one) << place
        second |= gather(other) << place
        kings |= gather(king) << place
    first_high, second_high, kings_high = _ZERO, _ZERO, _ZERO
    if words > 8:
        one, other, king = flags(s.board_word[8])
        first_high, second_high, kings_high = gather(one), gather(other), gather(king)
    squares = everywhere(s)
    one, other = intersection((first, first_high), squares), intersection((second, second_high), squares)
    empty = squares[0] & ~(first | second), squares[1] & ~(first_high | second_high)
    own, others = (one, other) if p == 0 else (other, one)
    return own, others, (kings, kings_high), empty


@rule(inline=True)
def flags(codes):
    """Return three words with a 1 in every byte whose code is player 0's, player 1's, and a king's."""
    odd, second, third = codes & LOW_BITS, codes >> _ONE & LOW_BITS, codes >> _TWO & LOW_BITS
    return odd, (second & ~odd) | third, (second & odd) | third


@rule(inline=True)
def everywhere(s):
    """Return the set of all squares."""
    squares = len(s.board)
    if squares > 64:
        return np.uint64(MASK), np.uint64(MASK) >> np.uint64(128 - squares)
    return np.uint64(MASK) >> np.uint64(64 - squares), _ZERO


# Steps and jumps.


@rule(inline=True)
def with_neighbour_in(s, squares, direction):
    """Return the squares whose neighbour in a direction is in `squares`."""
    rows = -in_row(s) if direction in (NORTH_WEST, NORTH_EAST) else in_row(s)
    east = direction in (NORTH_EAST, SOUTH_EAST)
    # Odd rows are offset to the east.
    even = shifted(squares, -rows if east else 1 - rows)
    odd = shifted(squares, -rows - 1 if east else -rows)
    masks = WITH_STEP[number(s), direction]
    return even[0] & masks[0, 0] | odd[0] & masks[1, 0], even[1] & masks[0, 1] | odd[1] & masks[1, 1]


@rule(inline=True)
def with_second_neighbour_in(s, squares, direction):
    """Return the squares from which two steps in a direction end in `squares`."""
    rows = -2 * in_row(s) if direction in (NORTH_WEST, NORTH_EAST) else 2 * in_row(s)
    ends = shifted(squares, -rows - 1 if direction in (NORTH_EAST, SOUTH_EAST) else 1 - rows)
    masks = WITH_TWO_STEPS[number(s), direction]
    return ends[0] & (masks[0, 0] | masks[1, 0]), ends[1] & (masks[0, 1] | masks[1, 1])


@rule(inline=True)
def jumpers(s, own, others, empty, direction):
    """Return the squares of `own` from which a piece can jump over a neighbour in `others` in a direction."""
    return intersection(
        own, intersection(with_neighbour_in(s, others, direction), with_second_neighbour_in(s, empty, direction))
    )


@rule(inline=True)
def all_jumpers(s, own, others, empty):
    """Return `jumpers` in each of the directions `BY_GOAL`."""
    return (
        jumpers(s, own, others, empty, NORTH_WEST),
        jumpers(s, own, others, empty, NORTH_EAST),
        jumpers(s, own, others, empty, SOUTH_WEST),
        jumpers(s, own, others, empty, SOUTH_EAST),
    )


@rule(inline=True)
def all_steppers(s, own, empty):
    """Return the squares of `own` from which a piece can step, in each of the directions `BY_GOAL`."""
    return (
        intersection(own, with_neighbour_in(s, empty, NORTH_WEST)),
        intersection(own, with_neighbour_in(s, empty, NORTH_EAST)),
        intersection(own, with_neighbour_in(s, empty, SOUTH_WEST)),
        intersection(own, with_neighbour_in(s, empty, SOUTH_EAST)),
    )


@rule(inline=True)
def in_any_direction(ways):
    """Return the union of four sets, one for each direction."""
    return union(union(ways[0], ways[1]), union(ways[2], ways[3]))


@rule(inline=True)
def select_way(ways, k):
    """Return the square and the index in `BY_GOAL` of the k-th move, counted from 0 in the order of squares.

    `ways` has a set of starting squares for each direction of `BY_GOAL`.
    """
    a, b, c, d = ways
    below = count_bits(a[0]) + count_bits(b[0]) + count_bits(c[0]) + count_bits(d[0])
    if k < below:
        return select_in_words(a[0], b[0], c[0], d[0], k)
    square, way = select_in_words(a[1], b[1], c[1], d[1], k - below)
    return 64 + square, way


@rule(inline=True)
def select_in_words(a, b, c, d, k):
    """Return `select_way` for sets of one word each."""
    square = np.int64(0)
    for half in (32, 16, 8):
        mask = (_ONE << np.uint64(half)) - _ONE
        below = count_bits(a & mask) + count_bits(b & mask) + count_bits(c & mask) + count_bits(d & mask)
        # Arithmetic avoids unpredictable branches.
        skip = half if k >= below else 0
        k -= below if k >= below else 0
        square += skip
        a, b, c, d = a >> np.uint64(skip), b >> np.uint64(skip), c >> np.uint64(skip), d >> np.uint64(skip)
    together = SPREAD[np.int64(a & _BYTE)] | SPREAD[np.int64(b & _BYTE)] << _ONE
    together |= (SPREAD[np.int64(c & _BYTE)] | SPREAD[np.int64(d & _BYTE)] << _ONE) << _TWO
    found = select_bit(together, k, 32)
    return square + found // 4, found % 4
