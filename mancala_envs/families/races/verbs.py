"""What pieces do in a race: they wait, enter, go on, meet others, send them back, and leave the track.

`s.pieces[r, k]` is the place of piece k of row r, `s.throws[i]` how often the value of index i is still to be used.
"""

import numpy as np

from mancala_envs.core.bits import LOW_BITS, count_bits, gather, nonzero_flags
from mancala_envs.core.chance import MASK, draw
from mancala_envs.core.rule import rule
from mancala_envs.families.races.contract import cell, home, lane, met, opposed, safe, sides, usable, watched
from mancala_envs.families.races.tracks import NOWHERE, WAITING, spread

FEWEST_VALUES, MOST_VALUES, MOST_PIECES = 4, 8, 8
"""Throws of so many values have a word to themselves (core.record)."""
SPREAD = spread(MOST_VALUES, MOST_PIECES)

NO_CELL = -2
"""Where no piece is, not even those that are waiting or home."""
NONE = 65
"""Further than `beyond` reaches."""
_ONE = np.uint64(1)
_ALL = np.uint64(MASK)
_EACH_ONCE = np.int64(LOW_BITS)

# Throwing.

FACES = 4
"""Of a long die."""
COWRIES, DICE = 64, FACES * FACES
"""How many equally likely throws six cowries have, and two long dice."""
SHELLS = 6
MOST_THROWS = 16
"""Of one turn: the last grants no other."""

MOUTHS = np.array([shells.bit_count() for shells in range(COWRIES)])
"""`[throw]`: how many shells lie mouth up."""


def alike_mouths(sides):
    """`alike` (core.book) where cowries are counted: throws with as many mouths up, the least such throw for each."""
    return [(1 << int(mouths)) - 1 for mouths in MOUTHS]


def alike_dice(sides):
    """`alike` where it is the same which die shows what."""
    return [min(throw, FACES * (throw % FACES) + throw // FACES) for throw in range(sides)]


@rule
def throw_cowries(s):
    """Six shells, as the bits of a number: set where one lies mouth up."""
    return draw(s, COWRIES)


@rule
def throw_dice(s):
    """Two dice: `FACES` times the face of the first plus that of the second."""
    return draw(s, DICE)


@rule(inline=True)
def one(value):
    """A throw of the value of this index: throws are added up as the bytes of a word, and then put down together."""
    return np.int64(1) << np.int64(8 * value)


@rule(inline=True)
def throws_left(s):
    """The throws left to use, as a sum of `one`s."""
    # The rest of the word means nothing.
    return np.int64(s.throws_word[0] & (_ALL >> np.uint64(64 - 8 * len(s.throws))))


@rule(inline=True)
def put_down(s, throws):
    """`throws`, a sum of `one`s, are what is left to use."""
    s.throws_word[0] = np.uint64(throws)


@rule(inline=True)
def together(throws, values):
    """How far throws, given as a sum of `one`s, go together."""
    # Of a product of numbers that are bytes the middle one is the sum of their products.
    reverse = 0
    for value in values:
        reverse = reverse << 8 | value
    return throws * reverse >> 8 * (len(values) - 1) & 255


@rule(inline=True)
def doubled(throws):
    """Of throws, none of them more than twice, one of every double."""
    return throws >> 1 & _EACH_ONCE


@rule(inline=True)
def thrown(s):
    """The set of values that are left to use."""
    return np.int64(gather(nonzero_flags(np.uint64(throws_left(s)))))


# Whose pieces they are.


@rule(inline=True)
def row_of(s, p):
    """The row of player p's pieces, which partners may share."""
    return p % len(s.pieces)


@rule(inline=True)
def beside(s, r, other):
    """The row `other` rows after r."""
    # Who is an opponent follows from `other`, the same in every game; from q it would be a branch that none can guess.
    return (r + other) % len(s.pieces)


@rule(inline=True)
def all_home(s, r):
    """Whether row r has no piece left to move."""
    # No place is further than home. One sum is one branch.
    places = 0
    for k in range(s.pieces.shape[1]):
        places += np.int64(s.pieces[r, k])
    return places == s.pieces.shape[1] * home(s)


@rule(inline=True)
def side_is_home(s, r):
    """Whether all pieces of the side of row r are home."""
    all_are = all_home(s, r)
    for other in range(1, len(s.pieces)):
        q = beside(s, r, other)
        all_are &= opposed(s, r, q) | all_home(s, q)
    return all_are


@rule(inline=True)
def progress(s, side):
    """The sum of the places of a side's pieces."""
    places = 0
    for r in range(side, len(s.pieces), sides(s)):
        for k in range(s.pieces.shape[1]):
            places += np.int64(s.pieces[r, k])
    return places


# Sets of places, as two words each.


@rule(inline=True)
def no_places():
    return np.uint64(0), np.uint64(0)


@rule(inline=True)
def in_either(places, others):
    return places[0] | others[0], places[1] | others[1]


@rule(inline=True)
def in_both(places, others):
    return places[0] & others[0], places[1] & others[1]


@rule(inline=True)
def share_any(places, others):
    low, high = in_both(places, others)
    return low | high != 0


# Who stands where.


@rule(inline=True)
def met_on(s, track, r, friends):
    """The places of lane `track` on which opponents of row r stand, or with `friends` those of its side; two words."""
    places = no_places()
    for other in range(len(s.pieces)):
        q = beside(s, r, other)
        if opposed(s, r, q) != friends:
            for k in range(s.pieces.shape[1]):
                places = in_either(places, met(s, track, lane(s, q, k), s.pieces[q, k]))
    return places


@rule(inline=True)
def beyond(places, place):
    """Of a set of places, given as two words, those after `place`: bit i is place + 1 + i, up to place + 64."""
    low, high = places
    shift = np.uint64((place + 1) & 63)
    # Both are made and one is taken: the processor cannot guess which.
    within, across = low >> shift | (high << _ONE) << (np.uint64(63) - shift), high >> shift
    return across if place >= 63 else within


@rule(inline=True)
def next_places(place, squares):
    """The places up to so many squares, below 64, after `place`; two words."""
    shift, bits = np.uint64((place + 1) & 63), (_ONE << np.uint64(squares)) - _ONE
    up, across = bits << shift, bits >> _ONE >> (np.uint64(63) - shift)
    return (np.uint64(0), up) if place >= 63 else (up, across)


@rule(inline=True)
def first_of(places):
    """How far the first place of `beyond` is, NONE where there is none."""
    # The bits below the lowest one, counted; to add MASK is to take away 1.
    return count_bits(~places & np.uint64((int(places) + MASK) & MASK)) + 1


@rule(inline=True)
def first_waiting(s, r, after):
    """The first piece of row r with a number above `after` that waits to enter, -1 where there is none."""
    for k in range(after + 1, s.pieces.shape[1]):
        if s.pieces[r, k] == WAITING:
            return k
    return -1


@rule(inline=True)
def on_place(s, r, place):
    """How many pieces of row r are just so far."""
    men = 0
    for k in range(s.pieces.shape[1]):
        men += s.pieces[r, k] == place
    return men


@rule(inline=True)
def count_beyond(s, r, place):
    """How many pieces of row r have come further than a place."""
    men = 0
    for k in range(s.pieces.shape[1]):
        men += s.pieces[r, k] > place
    return men


# Using throws.


@rule(inline=True)
def as_actions(numbers, first):
    """A set of numbers as the bits of the actions that are `first` more."""
    return np.uint64(numbers) << np.uint64(first)


@rule(inline=True)
def named(s, r):
    """The pieces of row r, as bits, that are the lowest of those as far on the same lane: these are alike."""
    lowest = 0
    for k in range(s.pieces.shape[1]):
        alike = False
        for lower in range(k):
            alike |= are_alike(s, r, k, lower)
        lowest |= np.int64(not alike) << k
    return lowest


@rule(inline=True)
def are_alike(s, r, k, other):
    """Whether two pieces of row r are as far on the same lane."""
    return (s.pieces[r, k] == s.pieces[r, other]) & (lane(s, r, k) == lane(s, r, other))


@rule(inline=True)
def values_into(values, landings, places):
    """Which of `values`, as bits of their indices, lead to one of the places that `beyond` gives.

    `landings`: the places after a piece to which any of the values leads.
    """
    found = 0
    if places & landings != 0:
        for value in range(len(values)):
            found |= np.int64(places >> np.uint64(values[value] - 1) & _ONE) << value
    return found


@rule(inline=True)
def uses(s):
    """Every use of one throw that is left by one piece of the player to move, as the bits of the actions."""
    values, pieces, r = thrown(s), s.pieces.shape[1], row_of(s, s.to_move)
    if values == 0:
        return np.uint64(0)
    track = lane(s, r, 0)
    there = watched(s, track)
    bits, lowest = np.uint64(0), named(s, r)
    for k in range(pieces):
        if lane(s, r, k) != track:
            track = lane(s, r, k)
            there = watched(s, track)
        # What the processor cannot guess must not be a branch.
        may = usable(s, k, there) & values & -(lowest >> k & 1)
        bits |= SPREAD[pieces, may] << np.uint64(k)
    return bits


@rule(inline=True)
def has_use(s):
    """Whether there are any `uses`: of pieces that are alike it is the same which is looked at."""
    r = row_of(s, s.to_move)
    track = lane(s, r, 0)
    there = watched(s, track)
    values = 0
    for k in range(s.pieces.shape[1]):
        if lane(s, r, k) != track:
            track = lane(s, r, k)
            there = watched(s, track)
        values |= usable(s, k, there)
    return values & thrown(s) != 0


@rule(inline=True)
def value_and_piece(s, action):
    """Of which value a throw is used, and on which piece."""
    # Of numbers without a sign the quotient is a product.
    pieces = s.pieces.shape[1]
    value = np.int64(np.uint64(action) // np.uint64(pieces))
    return value, action - value * pieces


@rule(inline=True)
def is_use(s, action):
    """Whether an action is one of `uses`: only one throw and one piece are looked at."""
    r = row_of(s, s.to_move)
    value, k = value_and_piece(s, action)
    may = usable(s, k, watched(s, lane(s, r, k))) >> value & named(s, r) >> k & 1
    return (may != 0) & (s.throws[value] > 0)


@rule(inline=True)
def struck_by(s, r, k):
    """The cell on which piece k of row r strikes where it stands, NO_CELL where it does not."""
    track, place = lane(s, r, k), s.pieces[r, k]
    here = cell(s, track, place)
    return NO_CELL if safe(s, track, place) | (here == NOWHERE) else here


@rule(inline=True)
def send_back(s, q, here):
    """The pieces of row q on the cell `here` wait again; returns how many."""
    men = 0
    for k in range(s.pieces.shape[1]):
        if cell(s, lane(s, q, k), s.pieces[q, k]) == here:
            s.pieces[q, k] = WAITING
            men += 1
    return men


@rule(inline=True)
def arrive(s, k, place):
    """Piece k of the player to move comes to `place` and sends back whoever of the opponents stands there unsafe."""
    r = row_of(s, s.to_move)
    s.pieces[r, k] = place
    here = struck_by(s, r, k)
    for other in range(1, len(s.pieces)):
        q = beside(s, r, other)
        if opposed(s, r, q):
            send_back(s, q, here)
