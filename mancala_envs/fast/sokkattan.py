"""Fast forms of Sokkattan for two players with two colours each: the uses of all pieces are found together.

Each player has as many pieces of one colour as of the other. In a set of marked cells, bit i is the cell `MARKED[i]`.
"""

import numpy as np

from mancala_envs.core.bits import LOW_BITS, equal_flags, gather, low_bits, lowest_bit, nonzero_flags
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.races import verbs
from mancala_envs.families.races.cross import LAST, MARKED_LARGE
from mancala_envs.families.races.tracks import WAITING
from mancala_envs.families.races.verbs import SPREAD, row_of, value_and_piece, values_left
from mancala_envs.games.sokkattan import DISTANCES, ONE, REACH, SHUT, VALUES, lane

_ZERO, _ONE = np.uint64(0), np.uint64(1)
ALL = (1 << len(VALUES)) - 1
"""The set of all values."""

LANES = MARKED_LARGE.tracks.cells.tolist()
MARKED = sorted(MARKED_LARGE.tracks.marked)
MARK = np.array([[1 << MARKED.index(cell) if cell in MARKED else 0 for cell in lane] for lane in LANES], np.uint64)
"""By `[lane, place]`: the set of the cell there if it is marked, otherwise the empty set."""
INTO = np.array(
    [
        [
            [
                sum((lane[place + v : place + v + 1] == [cell]) << i for i, v in enumerate(VALUES))
                for place in range(LAST + 2)
            ]
            for lane in LANES
        ]
        for cell in MARKED
    ]
)
"""By `[marked cell, lane, place]`: the set of values that lead from the place to the marked cell."""
NEAR = ((INTO != 0) << np.arange(len(MARKED))[:, None, None]).sum(0).astype(np.uint64)
"""By `[lane, place]`: the set of marked cells to which some value leads from the place."""
REACHES = np.stack([REACH, np.where(np.arange(len(REACH)) == WAITING, REACH, 0)])
"""By `[whether a piece must enter, place]`: the set of values with which a piece can enter, move or get home."""


def later(each, before):
    """Return a word with 1 in the byte of each piece with at least `before` pieces of its colour before it."""
    return sum(1 << 8 * k for k in range(2 * each) if k % each >= before)


def earlier(each, k):
    """Return a word with 1 in the byte of each piece before piece k that has its colour."""
    return sum(1 << 8 * other for other in range(k) if other // each == k // each)


LATER = np.array([[later(max(each, 1), before) for before in range(4)] for each in range(5)], np.uint64)
"""By `[number of pieces of a colour, before]`; see `later`."""
EARLIER = np.array([[earlier(max(each, 1), k) for k in range(8)] for each in range(5)], np.uint64)
"""By `[number of pieces of a colour, k]`; see `earlier`."""


@rule(inline=True)
def arm(s, r, k):
    """Fast form of `sokkattan.lane`."""
    return r + 2 * (2 * k >= s.pieces.shape[1])


@rule(inline=True)
def shut(s):
    """Return the set of marked cells with an opponent on them, where no piece may stop."""
    cells, q = _ZERO, 1 - row_of(s, s.to_move)
    for k in range(s.pieces.shape[1]):
        cells |= MARK[arm(s, q, k), s.pieces[q, k]]
    return cells if s.chira == SHUT else _ZERO


@rule(inline=True)
def row_word(s):
    """Return the places of the mover's pieces as the bytes of a word."""
    r, row = row_of(s, s.to_move), _ZERO
    for k in range(s.pieces.shape[1]):
        row |= np.uint64(s.pieces[r, k]) << np.uint64(8 * k)
    return row


@rule(inline=True)
def must_enter(s):
    """Return `sokkattan.must_enter`, computed from `row_word`."""
    beyond_row = ~low_bits(8 * s.pieces.shape[1])
    return (s.throws[ONE] > 0) & (nonzero_flags(row_word(s) | beyond_row) != LOW_BITS)


@rule(inline=True)
def uses_of_all(s, values):
    """Return `verbs.uses` for any of `values`, with every piece, also equal ones."""
    r, pieces, cells = row_of(s, s.to_move), s.pieces.shape[1], shut(s)
    must, bits, near = np.int64(must_enter(s)), _ZERO, _ZERO
    for k in range(pieces):
        place = s.pieces[r, k]
        bits |= SPREAD[pieces, REACHES[must, place] & values] << np.uint64(k)
        near |= NEAR[arm(s, r, k), place] & cells
    return bits & ~uses_into(s, near) if near != 0 else bits


@rule(inline=True)
def uses_into(s, cells):
    """Return the uses of any value that lead to one of the marked cells `cells`."""
    r, pieces, bits = row_of(s, s.to_move), s.pieces.shape[1], _ZERO
    while cells != 0:
        mark = lowest_bit(cells)
        for k in range(pieces):
            bits |= SPREAD[pieces, INTO[mark, arm(s, r, k), s.pieces[r, k]]] << np.uint64(k)
        cells &= cells - _ONE
    return bits


@rule(inline=True)
def named_pieces(s):
    """Return `verbs.named_pieces` for the player to move."""
    row, each, lowest = row_word(s), s.pieces.shape[1] // 2, LOW_BITS
    for before in range(1, each):
        lowest &= nonzero_flags(row ^ (row << np.uint64(8 * before))) | ~LATER[each, before]
    return np.int64(gather(lowest))


@rule(inline=True)
def uses(s):
    """Fast form of `verbs.uses`."""
    values = values_left(s)
    if values == 0:
        return _ZERO
    pieces = s.pieces.shape[1]
    by_named = np.uint64(named_pieces(s) & (1 << pieces) - 1) * SPREAD[pieces, ALL]
    return uses_of_all(s, values) & by_named


@rule(inline=True)
def is_use(s, action):
    """Fast form of `verbs.is_use`."""
    r = row_of(s, s.to_move)
    value, k = value_and_piece(s, action)
    place = s.pieces[r, k]
    is_named = equal_flags(row_word(s), place) & EARLIER[s.pieces.shape[1] // 2, k] == 0
    can_use = REACHES[np.int64(must_enter(s)), place] >> value & 1
    there = MARK[arm(s, r, k), min(place + DISTANCES[value], LAST + 1)]
    # `shut` is rarely computed, because few places are marked.
    is_open = there == 0 or there & shut(s) == 0
    return (can_use != 0) & is_named & (s.throws[value] > 0) & is_open


@rule(inline=True)
def has_use(s):
    """Fast form of `verbs.has_use`."""
    r, values, cells = row_of(s, s.to_move), values_left(s), shut(s)
    must, usable, near = np.int64(must_enter(s)), 0, _ZERO
    for k in range(s.pieces.shape[1]):
        place = s.pieces[r, k]
        usable |= REACHES[must, place]
        near |= NEAR[arm(s, r, k), place] & cells
    return uses_of_all(s, values) != 0 if near != 0 else usable & values != 0


FAST = Fast(
    {lane: arm, verbs.uses: uses, verbs.is_use: is_use, verbs.has_use: has_use},
    lambda options: options["players"] == 2 and options["two"] == "colours",
)
