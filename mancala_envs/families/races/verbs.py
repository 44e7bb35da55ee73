"""Verbs of races: throwing, using throws, moving pieces and sending them back.

`s.pieces[r, k]` is the place of piece k of row r. `s.throws[i]` is the number of throws of the value with index i still
to be used.
"""

import numpy as np

from mancala_envs.core.bits import LOW_BITS, count_bits, gather, nonzero_flags
from mancala_envs.core.chance import MASK, draw
from mancala_envs.core.rule import rule
from mancala_envs.families.races.contract import (
    are_opponents,
    cell,
    home,
    is_safe,
    lane,
    meeting_places,
    obstacles,
    sides,
    usable,
)
from mancala_envs.families.races.tracks import NOWHERE, WAITING, spread

FEWEST_VALUES, MOST_VALUES, MOST_PIECES = 4, 8, 8
"""Limits on the numbers of values, which share a word of the record (see `core.record`), and of pieces in a row."""
SPREAD = spread(MOST_VALUES, MOST_PIECES)

NO_CELL = -2
"""The number of a cell on which no piece is. (Waiting pieces have the cell NOWHERE.)"""
NONE = 65
"""A distance that is longer than any in a result of `beyond`, which stands for no distance."""
_ONE = np.uint64(1)
_ALL = np.uint64(MASK)
_EACH_ONCE = np.int64(LOW_BITS)

# Throwing.

FACES = 4
"""Number of faces of a long die."""
COWRIES, DICE = 64, FACES * FACES
"""Number of equally likely throws of six cowries, and of two long dice."""
SHELLS = 6
MOST_THROWS = 16
"""Maximum number of throws in a turn; the last of them grants no other."""

MOUTHS = np.array([shells.bit_count() for shells in range(COWRIES)])
"""Number of cowries that lie mouth up, by throw."""


def equivalent_mouths(sides):
    """Return for each throw of cowries the lowest one with as many mouths up; see `RuleBook.equivalent_results`."""
    return [(1 << int(mouths)) - 1 for mouths in MOUTHS]


def equivalent_dice(sides):
    """Return for each throw of two dice the lowest one with the same faces; see `RuleBook.equivalent_results`."""
    return [min(throw, FACES * (throw % FACES) + throw // FACES) for throw in range(sides)]


@rule
def throw_cowries(s):
    """Throw six cowries; return a bit mask of those that lie mouth up."""
    return draw(s, COWRIES)


@rule
def throw_dice(s):
    """Throw two dice; return `FACES` times the face of the first plus that of the second."""
    return draw(s, DICE)


@rule(inline=True)
def one_throw(value):
    """Return a word for one throw of the value with index `value`; the sum of such words stands for several throws."""
    return np.int64(1) << np.int64(8 * value)


@rule(inline=True)
def throws_left(s):
    """Return the throws still to be used, as a sum of words of `one_throw`."""
    # The other bytes of the word are undefined.
    return np.int64(s.throws_word[0] & (_ALL >> np.uint64(64 - 8 * len(s.throws))))


@rule(inline=True)
def store_throws(s, throws):
    """Store the throws to be used, given as a sum of words of `one_throw`."""
    s.throws_word[0] = np.uint64(throws)


@rule(inline=True)
def sum_of_throws(throws, values):
    """Return the sum of the values of throws that are given as a sum of words of `one_throw`."""
    # The middle byte of this product is the scalar product of the bytes of both factors.
    reverse = 0
    for value in values:
        reverse = reverse << 8 | value
    return throws * reverse >> 8 * (len(values) - 1) & 255


@rule(inline=True)
def doubled(throws):
    """Return one throw of each pair of equal throws; no throw may occur more than twice."""
    return throws >> 1 & _EACH_ONCE


@rule(inline=True)
def values_left(s):
    """Return the set of values of the throws still to be used."""
    return np.int64(gather(nonzero_flags(np.uint64(throws_left(s)))))


# Rows and sides.


@rule(inline=True)
def row_of(s, p):
    """Return the row of player p's pieces, which partners can share."""
    return p % len(s.pieces)


@rule(inline=True)
def row_after(s, r, other):
    """Return the row that comes `other` rows after r."""
    # Loops run over `other`: it alone decides whether a row is an opponent's, so branches on it are predictable.
    return (r + other) % len(s.pieces)


@rule(inline=True)
def all_home(s, r):
    """Return whether all pieces of row r are home."""
    # Home is the highest place, so one comparison of sums is enough.
    places = 0
    for k in range(s.pieces.shape[1]):
        places += np.int64(s.pieces[r, k])
    return places == s.pieces.shape[1] * home(s)


@rule(inline=True)
def side_is_home(s, r):
    """Return whether all pieces of the side of row r are home."""
    all_are = all_home(s, r)
    for other in range(1, len(s.pieces)):
        q = row_after(s, r, other)
        all_are &= are_opponents(s, r, q) | all_home(s, q)
    return all_are


@rule(inline=True)
def progress(s, side):
    """Return the sum of the places of a side's pieces."""
    places = 0
    for r in range(side, len(s.pieces), sides(s)):
        for k in range(s.pieces.shape[1]):
            places += np.int64(s.pieces[r, k])
    return places


# Sets of places, of two words each.


@rule(inline=True)
def no_places():
    """Return the empty set."""
    return np.uint64(0), np.uint64(0)


@rule(inline=True)
def union(places, others):
    """Return the union of two sets."""
    return places[0] | others[0], places[1] | others[1]


@rule(inline=True)
def intersection(places, others):
    """Return the intersection of two sets."""
    return places[0] & others[0], places[1] & others[1]


@rule(inline=True)
def intersect(places, others):
    """Return whether two sets have a place in common."""
    low, high = intersection(places, others)
    return low | high != 0


# Positions of pieces.


@rule(inline=True)
def occupied_places(s, track, r, friends):
    """Return the places of the lane `track` that hold opponents of row r, or pieces of its own side if `friends`."""
    places = no_places()
    for other in range(len(s.pieces)):
        q = row_after(s, r, other)
        if are_opponents(s, r, q) != friends:
            for k in range(s.pieces.shape[1]):
                places = union(places, meeting_places(s, track, lane(s, q, k), s.pieces[q, k]))
    return places


@rule(inline=True)
def beyond(places, place):
    """Return the part of a set that lies after `place`, as a word in which bit i is place + 1 + i."""
    low, high = places
    shift = np.uint64((place + 1) & 63)
    # Computing both avoids an unpredictable branch.
    within, across = low >> shift | (high << _ONE) << (np.uint64(63) - shift), high >> shift
    return across if place >= 63 else within


@rule(inline=True)
def next_places(place, squares):
    """Return the set of the next `squares` places after `place`; `squares` must be below 64."""
    shift, bits = np.uint64((place + 1) & 63), (_ONE << np.uint64(squares)) - _ONE
    up, across = bits << shift, bits >> _ONE >> (np.uint64(63) - shift)
    return (np.uint64(0), up) if place >= 63 else (up, across)


@rule(inline=True)
def distance_to_first(places):
    """Return the distance to the first place in a result of `beyond`, NONE if it has no place."""
    # Count the bits below the lowest set bit; adding MASK subtracts 1 modulo 2^64.
    return count_bits(~places & np.uint64((int(places) + MASK) & MASK)) + 1


@rule(inline=True)
def first_waiting(s, r, after):
    """Return the first waiting piece of row r with a number above `after`, -1 if there is none."""
    for k in range(after + 1, s.pieces.shape[1]):
        if s.pieces[r, k] == WAITING:
            return k
    return -1


@rule(inline=True)
def count_on(s, r, place):
    """Count the pieces of row r on a place."""
    men = 0
    for k in range(s.pieces.shape[1]):
        men += s.pieces[r, k] == place
    return men


@rule(inline=True)
def count_beyond(s, r, place):
    """Count the pieces of row r beyond a place."""
    men = 0
    for k in range(s.pieces.shape[1]):
        men += s.pieces[r, k] > place
    return men


# Using throws.


@rule(inline=True)
def as_actions(numbers, first):
    """Return a set of numbers as bits of actions; number i becomes action `first` + i."""
    return np.uint64(numbers) << np.uint64(first)


@rule(inline=True)
def named_pieces(s, r):
    """Return as bits the pieces of row r that actions can name: the lowest-numbered of those on the same place."""
    lowest = 0
    for k in range(s.pieces.shape[1]):
        has_equal = False
        for lower in range(k):
            has_equal |= are_equal(s, r, k, lower)
        lowest |= np.int64(not has_equal) << k
    return lowest


@rule(inline=True)
def are_equal(s, r, k, other):
    """Return whether two pieces of row r are on the same place of the same lane."""
    return (s.pieces[r, k] == s.pieces[r, other]) & (lane(s, r, k) == lane(s, r, other))


@rule(inline=True)
def values_into(values, landings, places):
    """Return the set of values that lead to one of `places`, which is a result of `beyond`.

    `landings` is the result of `tracks.landings` for these values.
    """
    found = 0
    if places & landings != 0:
        for value in range(len(values)):
            found |= np.int64(places >> np.uint64(values[value] - 1) & _ONE) << value
    return found


@rule(inline=True)
def uses(s):
    """Return as bits of actions all ways to use one remaining throw on one piece of the player to move."""
    values, pieces, r = values_left(s), s.pieces.shape[1], row_of(s, s.to_move)
    if values == 0:
        return np.uint64(0)
    track = lane(s, r, 0)
    places = obstacles(s, track)
    bits, lowest = np.uint64(0), named_pieces(s, r)
    for k in range(pieces):
        if lane(s, r, k) != track:
            track = lane(s, r, k)
            places = obstacles(s, track)
        # Avoid an unpredictable branch.
        found = usable(s, k, places) & values & -(lowest >> k & 1)
        bits |= SPREAD[pieces, found] << np.uint64(k)
    return bits


@rule(inline=True)
def has_use(s):
    """Return whether there are any `uses`."""
    r = row_of(s, s.to_move)
    track = lane(s, r, 0)
    places = obstacles(s, track)
    values = 0
    for k in range(s.pieces.shape[1]):
        if lane(s, r, k) != track:
            track = lane(s, r, k)
            places = obstacles(s, track)
        values |= usable(s, k, places)
    return values & values_left(s) != 0


@rule(inline=True)
def value_and_piece(s, action):
    """Return the value and the piece of an action."""
    # Unsigned division is faster: the compiler turns it into a multiplication.
    pieces = s.pieces.shape[1]
    value = np.int64(np.uint64(action) // np.uint64(pieces))
    return value, action - value * pieces


@rule(inline=True)
def is_use(s, action):
    """Return whether an action is one of `uses`; this is faster than computing all of them."""
    r = row_of(s, s.to_move)
    value, k = value_and_piece(s, action)
    can_use = usable(s, k, obstacles(s, lane(s, r, k))) >> value & named_pieces(s, r) >> k & 1
    return (can_use != 0) & (s.throws[value] > 0)


@rule(inline=True)
def strike_cell(s, r, k):
    """Return the cell on which piece k of row r strikes opponents, NO_CELL if it strikes none."""
    track, place = lane(s, r, k), s.pieces[r, k]
    here = cell(s, track, place)
    return NO_CELL if is_safe(s, track, place) | (here == NOWHERE) else here


@rule(inline=True)
def send_back(s, q, here):
    """Send the pieces of row q on the cell `here` back to waiting; return their number."""
    men = 0
    for k in range(s.pieces.shape[1]):
        if cell(s, lane(s, q, k), s.pieces[q, k]) == here:
            s.pieces[q, k] = WAITING
            men += 1
    return men


@rule(inline=True)
def arrive(s, k, place):
    """Move piece k of the player to move to `place`, and send back opponents there that are not safe."""
    r = row_of(s, s.to_move)
    s.pieces[r, k] = place
    here = strike_cell(s, r, k)
    for other in range(1, len(s.pieces)):
        q = row_after(s, r, other)
        if are_opponents(s, r, q):
            send_back(s, q, here)
