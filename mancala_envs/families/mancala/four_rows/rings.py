"""Boards of four rows: each player owns two rows, which form a ring over which only that player sows.

Relative hole k of a player, as that player sees the board: 0..W-1 is the outer row from left to right, W..2W-1 the
inner row from right to left, so that k + 1 is the next hole anticlockwise. Relative hole k of player p is hole
2W * p + k of the record.
"""

from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.sow import drop, lift

WHERE = "seeds in the holes: player 0's ring, then player 1's, each by relative hole"
STORE = "always 0, as captured seeds stay on the board"
OUTRIGHT = Field("outright", "u1", "1 after a win by the rules of play, 0 otherwise, also after a count at `max_turns`")
"""The field that distinguishes a win by the rules from a win by seeds at `max_turns`, for rewards by margin."""

DIRECTIONS = ("anticlockwise", "clockwise")
ANTICLOCKWISE, CLOCKWISE = range(2)

NOWHERE = -1
"""Value of `at` where there is no choice within a turn."""


# Places.


@rule(inline=True)
def own_hole(s, k):
    """Return the hole of the record that is relative hole `k` of the player to move."""
    return len(s.holes) // 2 * s.to_move + k


@rule
def relative(s, hole):
    """Return the relative hole of `hole`: its number as its owner counts."""
    return hole % (len(s.holes) // 2)


@rule
def is_inner(s, hole):
    """Return whether `hole` is in an inner row."""
    return relative(s, hole) >= len(s.holes) // 4


@rule
def facing(s, inner):
    """Return the enemy's inner hole in the column of the inner hole `inner`."""
    return 5 * len(s.holes) // 4 - 1 - inner


@rule
def behind(s, inner):
    """Return the outer hole of the same player in the column of the inner hole `inner`."""
    return inner + len(s.holes) // 2 - 1 - 2 * relative(s, inner)


@rule
def faces_pair(s, hole):
    """Return whether `hole` is an inner hole, and both enemy holes in its column are occupied."""
    if not is_inner(s, hole):
        return False
    inner = facing(s, hole)
    return s.holes[inner] > 0 and s.holes[behind(s, inner)] > 0


# Sowing and capturing.


@rule
def sow_hand(s, hole, seeds, direction):
    """Sow `seeds` over the ring of `hole`, one in each hole from the one after it; return the last hole."""
    ring = len(s.holes) // 2
    k = hole % ring
    first = hole - k
    step = 1 if direction == ANTICLOCKWISE else ring - 1
    for _ in range(seeds):
        k += step
        if k >= ring:
            k -= ring
        drop(s, first + k)
    return first + k


@rule
def capture_pair(s, inner):
    """Take all seeds of the enemy's inner hole `inner` and of the outer hole behind it; return their number."""
    return lift(s, inner) + lift(s, behind(s, inner))


@rule
def can_begin(s, p):
    """Return whether player p has a hole of two or more."""
    ring = len(s.holes) // 2
    for hole in range(ring * p, ring * p + ring):
        if s.holes[hole] > 1:
            return True
    return False


# The end.


@rule
def win(s, p):
    """End the game with a win of player p by the rules of play."""
    s.outright = 1
    s.winner = p
    s.ended = BY_RULES


@rule
def pass_on(s):
    """End the turn: a player to move without a hole of two or more has lost; `max_turns` ends the game by seeds."""
    mover = s.to_move
    s.turn += 1
    s.to_move = 1 - mover
    if not can_begin(s, s.to_move):
        win(s, mover)
    elif s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def score_by(s, p, seeds, whole):
    """Return the score of player p at the end: all seeds or none after a win by the rules, otherwise `seeds`."""
    if s.outright:
        return whole if s.winner == p else 0
    return seeds
