"""Solver of Kalah with both readings of its captures, from its page alone, with its own search.

It shares no code with the library and confirms values of boards that are too large for rounds.py. A position lists the
seeds from the mover's side: the mover's holes, 0 in place of the mover's store, the opponent's holes. Its value is the
mover's further gain, because seeds already won do not affect play.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit

MAX_ENDING = 15
"""Positions with at most this many seeds are in the endgame database."""

CHOOSE = np.array([[comb(n, k) for k in range(14)] for n in range(32)])
SLOTS = 1 << 24
MAX_DEPTH = 500
UNKNOWN = 127

SEARCHED, FIRST = -1000, 1000
"""Priorities of an action that is already searched and of the hash move."""

SOON, GAINED, AGAIN = range(3)
"""Columns of `moves`: priority, immediate gain, and whether the mover moves again."""


class Tables(NamedTuple):
    """The endgame database, the transposition table and the search stack.

    `endings` holds the values of endgame positions. `keys`, `least`, `most` and `hash_moves` form the transposition
    table: the position, its lower and upper bound, and the hash move. `stack` and `moves` hold, by depth and action,
    the positions after the actions and the data for move ordering.
    """

    endings: np.ndarray
    keys: np.ndarray
    least: np.ndarray
    most: np.ndarray
    hash_moves: np.ndarray
    stack: np.ndarray
    moves: np.ndarray


# The rules.


@njit(cache=True)
def play(s, hole, n, into_empty):
    """Lift a hole; write the next position into `n`.

    Return the mover's gain, whether the mover moves again, and whether the game is over. With `into_empty`, a last seed
    in an own empty hole captures even if the opposite hole is empty.
    """
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
def value_of_ending(tables, s, depth, into_empty):
    """Return the value of an endgame position, from the database if it is there."""
    store = len(s) // 2
    number = np.int64(0)
    bar = -1
    for k in range(2 * store):
        bar += 1 + s[k + (k >= store)]
        number += CHOOSE[bar, k + 1]
    if tables.endings[number] != UNKNOWN:
        return np.int64(tables.endings[number])
    assert depth < len(tables.stack)
    n = tables.stack[depth, 0]
    best = np.int64(-UNKNOWN)
    for hole in range(store):
        if s[hole] > 0:
            gained, again, over = play(s, hole, n, into_empty)
            if not over:
                further = value_of_ending(tables, n, depth + 1, into_empty)
                gained += further if again else -further
            best = max(best, gained)
    tables.endings[number] = best
    return best


@njit(cache=True)
def key_of(s):
    """Return a unique key of a position: the seeds of each hole as zeros, followed by a one."""
    key = np.uint64(1)
    for seeds in s:
        key = (key << np.uint64(seeds + 1)) | np.uint64(1)
    return key


@njit(cache=True)
def slot_of(keys, key):
    return np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & (len(keys) - 1)


@njit(cache=True)
def probe(tables, s, depth, into_empty):
    """Return the lower and upper bound on the mover's gain, without search."""
    left = s.sum()
    if left <= MAX_ENDING:
        value = value_of_ending(tables, s, depth, into_empty)
        return value, value
    key = key_of(s)
    slot = slot_of(tables.keys, key)
    if tables.keys[slot] == key:
        return np.int64(tables.least[slot]), np.int64(tables.most[slot])
    return -left, left


@njit(cache=True)
def gains(tables, s, depth, goal, into_empty):
    """Null-window search of the mover's gain: a lower bound if it is at least `goal`, otherwise an upper bound."""
    store = len(s) // 2
    least, most = probe(tables, s, depth, into_empty)
    if least >= goal or most < goal:
        return least if least >= goal else most
    assert depth < len(tables.stack)
    key = key_of(s)
    slot = slot_of(tables.keys, key)
    hash_moves = tables.hash_moves[slot] if tables.keys[slot] == key else -1
    moves = tables.moves[depth]
    moves[:, SOON] = SEARCHED
    best = np.int64(-UNKNOWN)
    settled = -1
    for hole in range(store):
        if s[hole] == 0:
            continue
        gained, again, over = play(s, hole, tables.stack[depth, hole], into_empty)
        bound = gained
        if not over:
            low, high = probe(tables, tables.stack[depth, hole], depth + 1, into_empty)
            if not again:
                low, high = -high, -low
            bound = gained + low if gained + low >= goal else gained + high
            if gained + low < goal <= gained + high:
                moves[hole, SOON] = FIRST if hole == hash_moves else 8 * (gained + 2 * again) + hole
                moves[hole, GAINED], moves[hole, AGAIN] = gained, again
                continue
        best = max(best, bound)
        if best >= goal:
            settled = hole
            break
    while best < goal:
        hole = moves[:, SOON].argmax()
        if moves[hole, SOON] == SEARCHED:
            break
        moves[hole, SOON] = SEARCHED
        n, gained = tables.stack[depth, hole], moves[hole, GAINED]
        if moves[hole, AGAIN]:
            best = max(best, gained + gains(tables, n, depth + 1, goal - gained, into_empty))
        else:
            best = max(best, gained - gains(tables, n, depth + 1, gained - goal + 1, into_empty))
        settled = hole
    if tables.keys[slot] != key:
        tables.keys[slot] = key
        tables.least[slot], tables.most[slot] = least, most
        tables.hash_moves[slot] = -1
    if best >= goal:
        tables.least[slot] = best
        tables.hash_moves[slot] = settled
    else:
        tables.most[slot] = best
    return best


class Kalah:
    """A game to be solved from its first position; for `into_empty` see `play`."""

    def __init__(self, columns, seeds, into_empty=False):
        holes = 2 * columns
        # A key has 64 bits, and CHOOSE has a limited number of columns.
        assert holes * seeds + holes + 2 <= 64 and holes < CHOOSE.shape[1]
        self.into_empty = into_empty
        self.first = np.full(holes + 1, seeds, np.int8)
        self.first[columns] = 0
        self.tables = Tables(
            np.full(comb(MAX_ENDING + holes, holes), UNKNOWN, np.int8),
            np.zeros(SLOTS, np.uint64),
            *np.zeros((3, SLOTS), np.int8),
            np.zeros((MAX_DEPTH, columns, holes + 1), np.int8),
            np.zeros((MAX_DEPTH, columns, AGAIN + 1), np.int64),
        )

    def value(self, position=None):
        """Return the gain of the mover, by default in the first position."""
        position = self.first if position is None else position
        low, high = -int(position.sum()), int(position.sum())
        goal = 1
        while low < high:
            found = gains(self.tables, position, 0, goal, self.into_empty)
            if found >= goal:
                low, goal = found, found + 1
            else:
                high = goal = found
        return low

    def by_action(self):
        """Return the margin of player 0 after every first action."""
        after = np.zeros_like(self.first)
        values = {}
        for hole in range(len(self.first) // 2):
            gained, again, over = play(self.first, hole, after, self.into_empty)
            values[hole] = int(gained + (0 if over else self.value(after) if again else -self.value(after)))
        return values
