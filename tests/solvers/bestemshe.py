"""Solver of Bestemshe by retrograde analysis of all positions, from its page alone; endless play is a draw.

It shares no code with the library. Seeds only leave the board, so the positions with n seeds on it are solved for n =
2, 4, ... A position lists the seeds from the mover's side: the mover's holes, then the opponent's.
"""

from math import comb

import numpy as np
from numba import njit

CHOOSE = np.array([[comb(n, k) for k in range(12)] for n in range(64)])
LOST, DRAWN, WON = -1, 0, 1
"""Results for the mover. A position that is neither won nor lost is drawn."""


@njit(cache=True)
def rank(s):
    """Return the number of a position among those with as many seeds."""
    number, bar = 0, -1
    for k in range(len(s) - 1):
        bar += 1 + s[k]
        number += CHOOSE[bar, k + 1]
    return number


@njit(cache=True)
def advance(s):
    """Change `s` into the position before it by `rank`. The last one has all seeds in the first hole."""
    first = 0
    while s[first] == 0:
        first += 1
    held = s[first]
    s[first] = 0
    s[0] = held - 1
    s[first + 1] += 1


@njit(cache=True)
def play(s, hole, n):
    """Play a hole; write the next position, from the opponent's side, into `n`. Return the seeds captured."""
    width = len(s) // 2
    hand = s[hole]
    sown = s.copy()
    sown[hole] = 0
    first = hole if hand > 1 else hole + 1
    for place in range(first, first + hand):
        sown[place % len(s)] += 1
    last = (first + hand - 1) % len(s)
    captured = 0
    if last >= width and sown[last] % 2 == 0:
        captured = sown[last]
        sown[last] = 0
    n[:width], n[width:] = sown[width:], sown[:width]
    return captured


@njit(cache=True)
def result_of(s, hole, n, store, total, values, starts):
    """Return the result of playing a hole for the mover, who has captured `store` of `total` seeds."""
    width = len(s) // 2
    store += play(s, hole, n)
    left = n.sum()
    can_go_on = n[:width].any()
    count = store if can_go_on else store + left
    if 2 * count > total:
        return WON
    if not can_go_on:
        return DRAWN if 2 * count == total else LOST
    others = total - left - store
    return -values[starts[left // 2] + rank(n) * (others // 2 + store // 2 + 1) + others // 2]


@njit(cache=True)
def sweep(seeds, columns, total, values, starts):
    """Find further won and lost positions with this number of seeds on the board; return whether there are any."""
    changed = False
    s, n = np.zeros(2 * columns, np.int64), np.zeros(2 * columns, np.int64)
    s[0] = seeds
    stores = (total - seeds) // 2 + 1
    for number in range((starts[seeds // 2 + 1] - starts[seeds // 2]) // stores - 1, -1, -1):
        for stored in range(stores):
            at = starts[seeds // 2] + number * stores + stored
            if values[at] != DRAWN:
                continue
            best = LOST
            for hole in range(columns):
                if s[hole] > 0 and best != WON:
                    best = max(best, result_of(s, hole, n, 2 * stored, total, values, starts))
            if best != DRAWN:
                values[at] = best
                changed = True
        if number:
            advance(s)
    return changed


def solve(columns, seeds):
    """Return the result of every first action for the first player."""
    total, holes = 2 * columns * seeds, 2 * columns
    # Of every position, a result for each number of seeds that the mover may have captured.
    sizes = [((total - left) // 2 + 1) * comb(left + holes - 1, holes - 1) for left in range(2, total + 1, 2)]
    starts = np.cumsum([0, 0, *sizes])
    values = np.zeros(starts[-1], np.int8)
    for left in range(2, total + 1, 2):
        while sweep(left, columns, total, values, starts):
            pass
    first, n = np.full(holes, seeds), np.zeros(holes, np.int64)
    return [int(result_of(first, hole, n, 0, total, values, starts)) for hole in range(columns)]
