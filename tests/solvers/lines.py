"""Solver of Niranchy from its page alone: can the player to place a man force a line within a number of men?

Sets of points are bit masks. If there is a threat, only replies that stop it are searched: two threats at once win,
unless the opponent can complete a line first.
"""

from functools import cache

from oracles.mills import CORNERS, STRAIGHT

EMPTY = (1 << 24) - 1


def lines(corners=True):
    """Return the lines of the board as bit masks."""
    return tuple(sum(1 << point for point in line) for line in STRAIGHT + (CORNERS if corners else []))


@cache
def completing(board, own, other):
    """Return the empty points that complete a line of `own`."""
    found = 0
    for line in board:
        missing = line & ~own
        if missing & (missing - 1) == 0 and not missing & other:
            found |= missing
    return found


def points(men):
    while men:
        yield men & -men
        men &= men - 1


@cache
def forces(board, own, other, men, first=None):
    """Return whether the player to place can force a line with at most `men` men.

    The opponent can complete lines, too. `first` fixes the point of the first man.
    """
    if completing(board, own, other) and first is None:
        return True
    must = completing(board, other, own)
    if men == 1 or must & (must - 1):
        return False
    choices = points(first or must or EMPTY & ~(own | other))
    threats_first = sorted(choices, key=lambda point: completing(board, own | point, other) == 0)
    return any(forces_after_reply(board, own | point, other, men - 1) for point in threats_first if not must & ~point)


@cache
def forces_after_reply(board, own, other, men):
    """Return the same as `forces` when the opponent is to place."""
    if completing(board, other, own):
        return False
    threats = completing(board, own, other)
    if threats & (threats - 1):
        return True
    if men == 1 and not threats:
        return False
    return all(forces(board, own, other | reply, men) for reply in points(threats or EMPTY & ~(own | other)))
