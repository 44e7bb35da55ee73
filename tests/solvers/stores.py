"""Kalah by both readings of its captures, from its page alone; and a search of its own.

It shares nothing with the library: the second program behind the values of boards that are too large for rounds.py. A
position is how the seeds lie as the mover sees them: his holes, nothing in place of his store, the other's holes. What
it is worth is what he gains from there on, for it does not matter who won what before.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit

MOST_LEFT = 15
"""Up to so many seeds left, a position is valued once for all."""

CHOOSE = np.array([[comb(n, k) for k in range(14)] for n in range(32)])
SLOTS = 1 << 24
LONGEST = 500
NOBODY_KNOWS = 127

LOOKED_AT, LIKELIEST = -1000, 1000
"""How soon to look at a way: never again, and first."""

SOON, GAINED, AGAIN = range(3)
"""Of a way: how soon to look at it, what the mover gains on it, and whether he goes on after it."""


class Known(NamedTuple):
    """What is known of positions, and room to look at them.

    `endings`: values, by number. By slot: `keys` of positions, what their movers gain at `least` and at `most`, and the
    `likely` action. By decision of a line, and action: `room` for the position it leads to, and what is noted of the
    `ways` there.
    """

    endings: np.ndarray
    keys: np.ndarray
    least: np.ndarray
    most: np.ndarray
    likely: np.ndarray
    room: np.ndarray
    ways: np.ndarray


# The rules.


@njit(cache=True)
def play(s, hole, n, into_empty):
    """Writes into `n` the position after a lift, and returns the mover's gain, whether he goes on, and whether it is
    over; `into_empty`: whether he captures though nothing faces his last seed."""
    store = len(s) // 2
    n[:] = s
    n[hole] = 0
    end = hole
    for _ in range(s[hole]):
        end = end + 1 if end < 2 * store else 0
        n[end] += 1
    gained = np.int64(n[store])
    n[store] = 0
    if end < store and n[end] == 1 and (into_empty or n[2 * store - end] > 0):
        gained += 1 + n[2 * store - end]
        n[end] = n[2 * store - end] = 0
    mine, others = n[:store].sum(), n[store:].sum()
    if mine == 0 or others == 0:
        return gained + mine - others, False, True
    if end == store:
        return gained, True, False
    for k in range(store):
        n[k], n[store + 1 + k] = n[store + 1 + k], n[k]
    return gained, False, False


# The search.


@njit(cache=True)
def value_of_ending(known, s, depth, into_empty):
    """What the mover gains from `s` on, of which few seeds are left."""
    store = len(s) // 2
    number = np.int64(0)
    bar = -1
    for k in range(2 * store):
        bar += 1 + s[k + (k >= store)]
        number += CHOOSE[bar, k + 1]
    if known.endings[number] != NOBODY_KNOWS:
        return np.int64(known.endings[number])
    assert depth < len(known.room)
    n = known.room[depth, 0]
    best = np.int64(-NOBODY_KNOWS)
    for hole in range(store):
        if s[hole] > 0:
            gained, again, over = play(s, hole, n, into_empty)
            if not over:
                further = value_of_ending(known, n, depth + 1, into_empty)
                gained += further if again else -further
            best = max(best, gained)
    known.endings[number] = best
    return best


@njit(cache=True)
def key_of(s):
    """The seeds of every hole in strokes, a one after each: no two positions have the same key."""
    key = np.uint64(1)
    for seeds in s:
        key = (key << np.uint64(seeds + 1)) | np.uint64(1)
    return key


@njit(cache=True)
def slot_of(keys, key):
    return np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & (len(keys) - 1)


@njit(cache=True)
def at_once(known, s, depth, into_empty):
    """What the mover gains at least and at most, as far as it is known without looking further."""
    left = s.sum()
    if left <= MOST_LEFT:
        value = value_of_ending(known, s, depth, into_empty)
        return value, value
    key = key_of(s)
    slot = slot_of(known.keys, key)
    if known.keys[slot] == key:
        return np.int64(known.least[slot]), np.int64(known.most[slot])
    return -left, left


@njit(cache=True)
def gains(known, s, depth, goal, into_empty):
    """What the mover gains from `s` on: so much or more if it is `goal` or more, else so much or less."""
    store = len(s) // 2
    least, most = at_once(known, s, depth, into_empty)
    if least >= goal or most < goal:
        return least if least >= goal else most
    assert depth < len(known.room)
    key = key_of(s)
    slot = slot_of(known.keys, key)
    likely = known.likely[slot] if known.keys[slot] == key else -1
    ways = known.ways[depth]
    ways[:, SOON] = LOOKED_AT
    best = np.int64(-NOBODY_KNOWS)
    settled = -1
    for hole in range(store):
        if s[hole] == 0:
            continue
        gained, again, over = play(s, hole, known.room[depth, hole], into_empty)
        bound = gained
        if not over:
            low, high = at_once(known, known.room[depth, hole], depth + 1, into_empty)
            if not again:
                low, high = -high, -low
            bound = gained + low if gained + low >= goal else gained + high
            if gained + low < goal <= gained + high:
                ways[hole, SOON] = LIKELIEST if hole == likely else 8 * (gained + 2 * again) + hole
                ways[hole, GAINED], ways[hole, AGAIN] = gained, again
                continue
        best = max(best, bound)
        if best >= goal:
            settled = hole
            break
    while best < goal:
        hole = ways[:, SOON].argmax()
        if ways[hole, SOON] == LOOKED_AT:
            break
        ways[hole, SOON] = LOOKED_AT
        n, gained = known.room[depth, hole], ways[hole, GAINED]
        if ways[hole, AGAIN]:
            best = max(best, gained + gains(known, n, depth + 1, goal - gained, into_empty))
        else:
            best = max(best, gained - gains(known, n, depth + 1, gained - goal + 1, into_empty))
        settled = hole
    if known.keys[slot] != key:
        known.keys[slot] = key
        known.least[slot], known.most[slot] = least, most
        known.likely[slot] = -1
    if best >= goal:
        known.least[slot] = best
        known.likely[slot] = settled
    else:
        known.most[slot] = best
    return best


class Kalah:
    """The first position of a round, to be solved; `into_empty`: see `play`."""

    def __init__(self, columns, seeds, into_empty=False):
        holes = 2 * columns
        # A key has 64 bits, and CHOOSE so many columns.
        assert holes * seeds + holes + 2 <= 64 and holes < CHOOSE.shape[1]
        self.into_empty = into_empty
        self.first = np.full(holes + 1, seeds, np.int8)
        self.first[columns] = 0
        self.known = Known(
            np.full(comb(MOST_LEFT + holes, holes), NOBODY_KNOWS, np.int8),
            np.zeros(SLOTS, np.uint64),
            *np.zeros((3, SLOTS), np.int8),
            np.zeros((LONGEST, columns, holes + 1), np.int8),
            np.zeros((LONGEST, columns, AGAIN + 1), np.int64),
        )

    def value(self, position=None):
        """What its mover gains from there on, by default from the first position."""
        position = self.first if position is None else position
        low, high = -int(position.sum()), int(position.sum())
        goal = 1
        while low < high:
            found = gains(self.known, position, 0, goal, self.into_empty)
            if found >= goal:
                low, goal = found, found + 1
            else:
                high = goal = found
        return low

    def by_action(self):
        """What player 0 gains by every first action."""
        after = np.zeros_like(self.first)
        values = {}
        for hole in range(len(self.first) // 2):
            gained, again, over = play(self.first, hole, after, self.into_empty)
            values[hole] = int(gained + (0 if over else self.value(after) if again else -self.value(after)))
        return values
