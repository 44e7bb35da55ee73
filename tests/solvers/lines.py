"""Niranchy once more, by its page, for one question: can the player to lay force a line with so many men?

Sets of points are bits of a number. Of the other player's answers only those count that stop a threat, if there is one:
who has two at once has won, unless the other has a line to complete.
"""

from functools import cache

from oracles.mills import CORNERS, STRAIGHT

EMPTY = (1 << 24) - 1


def lines(corners=True):
    """The lines of the board."""
    return tuple(sum(1 << point for point in line) for line in STRAIGHT + (CORNERS if corners else []))


@cache
def completing(board, own, other):
    """Where a man makes a line of `own`."""
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
    """Whether who is to lay can force a line with `men` men at the latest, whatever the other does, who also may make
    lines; `first`: where to lay the first of them."""
    if completing(board, own, other) and first is None:
        return True
    must = completing(board, other, own)
    if men == 1 or must & (must - 1):
        return False
    choices = points(first or must or EMPTY & ~(own | other))
    threats_first = sorted(choices, key=lambda point: completing(board, own | point, other) == 0)
    return any(goes_on(board, own | point, other, men - 1) for point in threats_first if not must & ~point)


@cache
def goes_on(board, own, other, men):
    """`forces`, when the other is to lay."""
    if completing(board, other, own):
        return False
    threats = completing(board, own, other)
    if threats & (threats - 1):
        return True
    if men == 1 and not threats:
        return False
    return all(forces(board, own, other | answer, men) for answer in points(threats or EMPTY & ~(own | other)))
