"""Solver of Koti Keliya from its page alone: for every set of cattle, the points from which the leopard wins.

Cattle move only to points with higher numbers: visiting their sets in descending order, from the highest rank among all
sets of the same size, solves every successor first.
"""

from math import comb

import numpy as np
from numba import njit


def steps(size):
    """Return the (N, 4) neighbours of every point: north-east, south-east, south-west, north-west; -1 off the board."""
    half = size // 2
    to = np.full((size * half, 4), -1)
    for point in range(size * half):
        row, column = point // half, 2 * (point % half) + point // half % 2
        for way, (down, right) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
            if 0 <= row + down < size and 0 <= column + right < size:
                to[point, way] = (row + down) * half + (column + right) // 2
    return to


@njit(cache=True)
def rank_after(cattle, cow, goal, choose):
    """Return the rank of a set, whose points ascend, after a cow's move to a higher point."""
    found, place = 0, 0
    for k in range(len(cattle)):
        if k != cow and cattle[k] < goal:
            place += 1
            found += choose[cattle[k], place]
    found += choose[goal, place + 1]
    for k in range(place + 1, len(cattle)):
        found += choose[cattle[k], k + 1]
    return found


@njit(cache=True)
def to_next_lower(cattle):
    """Change a set to the one of the next lower rank; the set of rank 0 stays as it is."""
    for k in range(len(cattle)):
        if cattle[k] > k:
            cattle[k] -= 1
            for below in range(k):
                cattle[below] = cattle[k] - k + below
            return


@njit(cache=True)
def can_go(point, reach, to, taken, goals):
    """Return whether the leopard can go from a point to one of `goals`."""
    for way in range(4):
        goal = point
        for _ in range(reach):
            goal = to[goal, way]
            if goal < 0 or taken[goal]:
                break
            if goals[goal]:
                return True
    return False


@njit(cache=True)
def solve(size, reach, to, choose):
    """Return whether the leopard wins from each point (leopard to move, cattle to move) with the cattle at their start.

    `wins` has a bit for each point, 8 to a byte, and holds the points from which the leopard wins if it moves first. It
    also holds the points of the cattle, because no cow moves to the leopard's point.
    """
    half = size // 2
    points = size * half
    wins = np.zeros((choose[points, half], -(-points // 8)), np.uint8)
    cattle = np.arange(points - half, points)
    first, second = np.zeros(points, np.bool_), np.zeros(points, np.bool_)
    for number in range(len(wins) - 1, -1, -1):
        taken = np.zeros(points, np.bool_)
        taken[cattle] = True
        kept = np.full_like(wins[0], 255)
        for cow in range(half):
            for way in (1, 2):
                goal = to[cattle[cow], way]
                if goal >= 0 and not taken[goal]:
                    kept &= wins[rank_after(cattle, cow, goal, choose)]
        through = (cattle[0] // half + 1) * half
        for point in range(points):
            won = point < through or kept[point // 8] >> point % 8 & 1
            second[point] = won and not taken[point]
        for point in range(points):
            first[point] = not taken[point] and (point < through or can_go(point, reach, to, taken, second))
            if first[point] or taken[point]:
                wins[number, point // 8] |= 1 << point % 8
        to_next_lower(cattle)
    return first, second


def winning(size, reach, first="cattle"):
    """Return the start points from which the leopard wins."""
    points = size * size // 2
    choose = np.array([[comb(n, k) for k in range(size // 2 + 1)] for n in range(points + 1)])
    leopard, cattle = solve(size, reach, steps(size), choose)
    won = cattle if first == "cattle" else leopard
    return np.flatnonzero(won).tolist()
