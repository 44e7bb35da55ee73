"""Solver of Koti Keliya from its page alone: for every set of cattle, the points from which the leopard wins.

Sets of points are bit masks, so boards of up to 10 x 10 fit. Cattle move only to points with higher numbers: visiting
their sets in descending order solves every successor first.
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
def rank(cattle, choose):
    """Return the rank of a set among all sets of the same size."""
    found = members = point = 0
    while cattle >> point:
        if cattle >> point & 1:
            members += 1
            found += choose[point, members]
        point += 1
    return found


@njit(cache=True)
def next_lower(cattle, points):
    """Return the next lower bit mask with the same number of points, 0 after the lowest."""
    ones = 0
    while cattle >> ones & 1:
        ones += 1
    point = ones
    while point < points and not cattle >> point & 1:
        point += 1
    if point == points:
        return 0
    high = cattle >> (point + 1) << (point + 1)
    return high | ((1 << (ones + 1)) - 1) << (point - ones - 1)


@njit(cache=True)
def solve(size, reach, to, choose):
    """Return the leopard's winning points (leopard to move, cattle to move) with the cattle at their start."""
    half = size // 2
    points = size * half
    everywhere = (1 << points) - 1
    wins = np.zeros(choose[points, half], np.int64)
    cattle = everywhere >> (points - half) << (points - half)
    first = second = 0
    while cattle:
        top = 0
        while not cattle >> top & 1:
            top += 1
        through = (1 << (top // half + 1) * half) - 1 & ~cattle
        second = everywhere & ~cattle
        for cow in range(top, points):
            if cattle >> cow & 1:
                for way in (1, 2):
                    goal = to[cow, way]
                    if goal >= 0 and not cattle >> goal & 1:
                        second &= wins[rank(cattle ^ 1 << cow ^ 1 << goal, choose)] | 1 << goal
        second |= through
        first = through
        for point in range(points):
            for way in range(4):
                goal = point
                for _ in range(reach):
                    goal = to[goal, way]
                    if goal < 0 or cattle >> goal & 1:
                        break
                    if second >> goal & 1:
                        first |= 1 << point
        first &= ~cattle
        wins[rank(cattle, choose)] = first
        cattle = next_lower(cattle, points)
    return first, second


def winning(size, reach, first="cattle"):
    """Return the start points from which the leopard wins."""
    points = size * size // 2
    choose = np.array([[comb(n, k) for k in range(size // 2 + 1)] for n in range(points + 1)])
    leopard, cattle = solve(size, reach, steps(size), choose)
    won = cattle if first == "cattle" else leopard
    return [point for point in range(points) if won >> point & 1]
