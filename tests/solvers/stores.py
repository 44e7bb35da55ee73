"""Solver of Kalah with both readings of its captures, from its page alone, with its own search.

It shares no code with the library. A position has two words, the row of the mover and the row of the opponent, with a
byte for each hole in the order of sowing. Its value is the mover's further gain, because seeds already won do not
affect play. `solve_kalah.py` is a program that uses it.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit

U = np.uint64

COLUMNS, MOST = 6, 60
"""The maximum number of columns, and of seeds in play, for which there is room."""

BYTE, ROW, ONES = U(0xFF), U((1 << 48) - 1), U(0x0101010101010101)
LOW, HIGH, HASH_MOVE, WORK = U(48), U(56), U(48), U(52)
"""Bits of an entry of the transposition table: above the mover's row the bounds, above the opponent's the rest."""

BUCKET, MAX_DEPTH = 4, 1000

UNKNOWN = 127
"""An endgame position that has no value yet, and more than any gain."""

SEARCHED, FIRST = -1, 1 << 20
"""Priorities of an action that is already searched and of the hash move."""

MOVE = np.dtype([(f, "u8") for f in ("mine", "theirs")] + [(f, "i8") for f in ("gained", "again", "priority")])
"""The result of an action: the rows of the player who moves next; the mover's gain; whether the mover moves again; and
the priority in move ordering."""


def sowings():
    """Return what sowing adds to both rows and the place of the last seed, by columns, hole and number of seeds.

    Places are the mover's holes, the store, and the opponent's holes. The store is a byte above the mover's row.
    """
    added, ends = np.zeros((2, COLUMNS + 1, COLUMNS, MOST + 1), U), np.zeros((COLUMNS + 1, COLUMNS, MOST + 1), np.int64)
    for columns in range(1, COLUMNS + 1):
        for hole in range(columns):
            rows, end = [0, 0], hole
            for seeds in range(1, MOST + 1):
                end = (end + 1) % (2 * columns + 1)
                rows[end > columns] += 1 << 8 * (end - (columns + 1) * (end > columns))
                added[:, columns, hole, seeds], ends[columns, hole, seeds] = rows, end
    return *added, ends


ADD_MINE, ADD_THEIRS, ENDS = sowings()

CHOOSE = np.array([[comb(bar + k, k + 1) for k in range(2 * COLUMNS)] for bar in range(MOST + 1)])
"""Numbers of the positions whose first holes have fewer seeds than `bar`, by the number of holes less 1."""


class Tables(NamedTuple):
    """The memory of a search.

    `endings` holds the values of endgame positions, those with at most `max_ending` seeds. `entries` is the
    transposition table, by bucket: two words with the rows, and above them the bounds, the hash move and the logarithm
    of the work for the entry. `moves` holds the actions of the line in search, by depth and hole. `count` is the number
    of positions searched.
    """

    columns: int
    into_empty: bool
    max_ending: int
    endings: np.ndarray
    entries: np.ndarray
    moves: np.ndarray
    count: np.ndarray


# The rules.


@njit(cache=True)
def total(row):
    """Return the number of seeds in a row."""
    return np.int64((row * ONES) >> U(56))


@njit(cache=True)
def play(columns, into_empty, mine, theirs, hole):
    """Lift a hole of the mover.

    Return both rows, the mover's gain, whether the mover moves again, and whether the game is over. With `into_empty`,
    a last seed in an own empty hole captures even if the opposite hole is empty.
    """
    lifted = U(8 * hole)
    seeds = np.int64((mine >> lifted) & BYTE)
    mine = (mine & ~(BYTE << lifted)) + ADD_MINE[columns, hole, seeds]
    theirs += ADD_THEIRS[columns, hole, seeds]
    end = ENDS[columns, hole, seeds]
    gained = np.int64(mine >> U(8 * columns))
    mine &= (U(1) << U(8 * columns)) - U(1)
    if end < columns:
        last, opposite = U(8 * end), U(8 * (columns - 1 - end))
        captured = np.int64((theirs >> opposite) & BYTE)
        if (mine >> last) & BYTE == U(1) and (into_empty or captured > 0):
            gained += 1 + captured
            mine &= ~(BYTE << last)
            theirs &= ~(BYTE << opposite)
    if mine == U(0) or theirs == U(0):
        return mine, theirs, gained + total(mine) - total(theirs), False, True
    return mine, theirs, gained, end == columns, False


# The endgame database, which the search fills.


@njit(cache=True)
def index_of(columns, mine, theirs):
    """Return the number of a position among those with at most as many seeds."""
    number = bar = 0
    for k in range(columns):
        bar += np.int64((mine >> U(8 * k)) & BYTE)
        number += CHOOSE[bar, k]
    for k in range(columns):
        bar += np.int64((theirs >> U(8 * k)) & BYTE)
        number += CHOOSE[bar, columns + k]
    return number


@njit(cache=True)
def value_of_ending(t, mine, theirs):
    """Return the value of an endgame position, from the database if it is there."""
    number = index_of(t.columns, mine, theirs)
    if t.endings[number] != UNKNOWN:
        return np.int64(t.endings[number])
    best = np.int64(-UNKNOWN)
    for hole in range(t.columns):
        if (mine >> U(8 * hole)) & BYTE:
            m, o, gained, again, over = play(t.columns, t.into_empty, mine, theirs, hole)
            if not over:
                gained += value_of_ending(t, m, o) if again else -value_of_ending(t, o, m)
            best = max(best, gained)
    t.endings[number] = best
    return best


# The search. Functions that it calls are inlined, because passing arrays costs more than searching.


@njit(cache=True)
def bucket_of(number, mine, theirs):
    """Return the first entry of a position, if there are `number` entries."""
    mixed = (mine ^ (theirs << U(16)) ^ (theirs >> U(33))) * U(0x9E3779B97F4A7C15)
    mixed = ((mixed ^ (mixed >> U(29))) + theirs) * U(0xC2B2AE3D27D4EB4F)
    return np.int64((mixed >> U(32)) * U(number // BUCKET) >> U(32)) * BUCKET


@njit(inline="always")
def find(entries, mine, theirs):
    """Return the entry of a position, or -1."""
    bucket = bucket_of(len(entries), mine, theirs)
    for entry in range(bucket, bucket + BUCKET):
        if entries[entry, 0] & ROW == mine and entries[entry, 1] & ROW == theirs:
            return entry
    return -1


@njit(cache=True, inline="always")
def bounds(t, mine, theirs):
    """Return the lower and upper bound on the mover's gain that are known."""
    left = total(mine) + total(theirs)
    if left <= t.max_ending:
        value = value_of_ending(t, mine, theirs)
        return value, value
    entry = find(t.entries, mine, theirs)
    if entry < 0:
        return -left, left
    word = t.entries[entry, 0]
    return np.int64(np.int8(word >> LOW)), np.int64(np.int8(word >> HIGH))


@njit(inline="always")
def expand(t, moves, mine, theirs, goal):
    """Play all actions of a position into `moves`; return the best gain by what is known, and its hole."""
    entry = find(t.entries, mine, theirs)
    hash_move = np.int64(t.entries[entry, 1] >> HASH_MOVE) & 15 if entry >= 0 else -1
    best, best_move = np.int64(-UNKNOWN), np.int64(0)
    for hole in range(t.columns):
        move = moves[hole]
        move.priority = SEARCHED
        if best >= goal or not (mine >> U(8 * hole)) & BYTE:
            continue
        own, other, gained, again, over = play(t.columns, t.into_empty, mine, theirs, hole)
        # All seeds left in the holes go to one player at most.
        left = 0 if over else total(own) + total(other)
        low, high = gained - left, gained + left
        if low < goal <= high:
            move.mine, move.theirs = (own, other) if again else (other, own)
            move.gained, move.again = gained, again
            low, high = bounds(t, move.mine, move.theirs)
            low, high = (gained + low, gained + high) if again else (gained - high, gained - low)
        bound = low if low >= goal else high
        if low < goal <= high:
            move.priority = FIRST if hole == hash_move else 8 * (MOST + gained + 10 * again) + hole
        elif bound > best:
            best, best_move = bound, hole
    return best, best_move


@njit(inline="always")
def save(t, mine, theirs, goal, best, best_move, work):
    """Write the best gain of a position into its entry, or into that of its bucket which took the least work."""
    low, high = bounds(t, mine, theirs)
    entry = find(t.entries, mine, theirs)
    if entry < 0:
        bucket = bucket_of(len(t.entries), mine, theirs)
        entry = bucket + (t.entries[bucket : bucket + BUCKET, 1] >> WORK).argmin()
    if best >= goal:
        low = max(low, best)
    else:
        high = min(high, best)
    power = 1 + np.int64(np.log2(work))
    t.entries[entry, 0] = mine | (U(low & 0xFF) << LOW) | (U(high & 0xFF) << HIGH)
    t.entries[entry, 1] = theirs | (U(best_move) << HASH_MOVE) | (U(power) << WORK)


@njit(cache=True)
def search(t, depth, mine, theirs, goal):
    """Null-window search: a lower bound of the mover's gain if it is at least `goal`, otherwise an upper bound."""
    before = t.count[0]
    t.count[0] += 1
    moves = t.moves[depth]
    best, best_move = expand(t, moves, mine, theirs, goal)
    while best < goal:
        hole = moves.priority.argmax()
        move = moves[hole]
        if move.priority == SEARCHED:
            break
        move.priority = SEARCHED
        wanted = goal - move.gained if move.again else move.gained - goal + 1
        # A result since the expansion may have answered it.
        low, high = bounds(t, move.mine, move.theirs)
        found = low if low >= wanted else high
        if low < wanted <= high:
            found = search(t, depth + 1, move.mine, move.theirs, wanted)
        gain = move.gained + found if move.again else move.gained - found
        if gain > best:
            best, best_move = gain, hole
    save(t, mine, theirs, goal, best, best_move, t.count[0] - before)
    return best


class Kalah:
    """A game to be solved.

    Args:
        columns: The holes of a row.
        seeds: The seeds of a hole at the start.
        into_empty: See `play`.
        max_ending: The maximum number of seeds of endgame positions.
        slots: The number of entries of the transposition table; each has 16 bytes.
    """

    def __init__(self, columns, seeds, into_empty=False, max_ending=15, slots=1 << 24):
        assert columns <= COLUMNS and 2 * columns * seeds <= MOST and max_ending <= MOST
        self.first = [seeds] * (2 * columns)
        self.tables = Tables(
            columns,
            into_empty,
            max_ending,
            np.full(comb(max_ending + 2 * columns, max_ending), UNKNOWN, np.int8),
            np.zeros((slots, 2), np.uint64),
            np.zeros((MAX_DEPTH, columns), MOVE).view(np.recarray),
            np.zeros(1, np.int64),
        )

    def rows(self, holes):
        """Return the two rows of a position from its holes, the mover's first."""
        columns = self.tables.columns
        return [
            U(sum(int(seeds) << 8 * k for k, seeds in enumerate(row))) for row in (holes[:columns], holes[columns:])
        ]

    def bound(self, goal, holes):
        """Return a lower bound of the mover's gain if it is at least `goal`, otherwise an upper bound."""
        mine, theirs = self.rows(holes)
        low, high = bounds(self.tables, mine, theirs)
        if low < goal <= high:
            return int(search(self.tables, 0, mine, theirs, goal))
        return int(low if low >= goal else high)

    def value(self, holes=None, progress=lambda low, high, count: None):
        """Return the gain of the mover, by default in the first position."""
        holes = self.first if holes is None else holes
        high = sum(map(int, holes))
        low, goal = -high, 1
        while low < high:
            found = self.bound(goal, holes)
            if found >= goal:
                low, goal = found, found + 1
            else:
                high = goal = found
            progress(low, high, int(self.tables.count[0]))
        return low

    def leads(self, holes=None):
        """Return the further gain of the mover by each action, by default in the first position."""
        holes, t = self.first if holes is None else holes, self.tables
        leads = {}
        for hole in np.flatnonzero(holes[: t.columns]):
            *rows, gained, again, over = play(t.columns, t.into_empty, *self.rows(holes), hole)
            mine, theirs = ([int(row) >> 8 * k & 0xFF for k in range(t.columns)] for row in rows)
            further = 0 if over else self.value(mine + theirs) if again else -self.value(theirs + mine)
            leads[int(hole)] = int(gained) + further
        return leads

    def result(self, holes, lead):
        """Return the sign of the mover's final lead, if the mover leads by `lead`."""
        bound = self.bound(1 - lead, holes) + lead
        if bound < 1:
            bound = min(bound, self.bound(-lead, holes) + lead)
        return (bound > 0) - (bound < 0)
