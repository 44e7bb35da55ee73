"""Fast forms that both mill games share: pieces are laid on points, then step along the lines."""

import numpy as np

from mancala_envs.core.bits import count_bits, select_bit
from mancala_envs.core.chance import scale
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits
from mancala_envs.families.points.mills import BOARDS, POINTS

MOVE = 1
"""The phase in which actions are steps; in all other phases of both games they are points."""

WORDS = 4
"""Number of words of the action mask."""
# Indexed by the option `corners`.
STEPS_INTO = np.stack([bits.steps_into(board) for board in BOARDS])
STEPPERS_INTO = np.stack([bits.steppers_into(board) for board in BOARDS])
_NONE, _POINTS, _REST = (np.uint64(number) for number in (0, POINTS, 64 - POINTS))


@rule(inline=True)
def legal_points(s):
    """Return the points that are legal actions; a game in which pieces are also removed replaces this rule."""
    return bits.empty_points(s)


@rule(inline=True)
def legal_word(s, word):
    """Fast form of `contract.legal_word`: first the points, then the steps."""
    if s.phase != MOVE:
        return legal_points(s) if word == 0 else _NONE
    here = steps(s, word) << _POINTS if word < WORDS - 1 else _NONE
    return here | (steps(s, word - 1) >> _REST if word > 0 else _NONE)


@rule(inline=True)
def steps(s, word):
    """Return one word of the mover's steps."""
    return bits.steps(s, STEPS_INTO[s.corners], bits.empty_points(s), 1 + s.to_move, word)


@rule(inline=True)
def pick(s, random_word):
    """Fast form of `kernels.pick`, which computes the steps once."""
    if s.phase != MOVE:
        points = legal_points(s)
        return select_bit(points, scale(random_word, count_bits(points)), POINTS)
    low, middle, high = steps(s, 0), steps(s, 1), steps(s, 2)
    first = count_bits(low)
    second = first + count_bits(middle)
    k = scale(random_word, second + count_bits(high))
    # Conditional expressions avoid an unpredictable branch.
    found, before, passed = (low, 0, 0) if k < first else (middle, first, 64) if k < second else (high, second, 128)
    return POINTS + passed + select_bit(found, k - before, 64)


@rule(inline=True)
def can_step(s, neighbours, man):
    """Fast form of `verbs.can_step`."""
    return bits.can_step(STEPPERS_INTO[s.corners], bits.empty_points(s), bits.men(s, man))
