"""Nerenchi Keliya on bits: all moves at once by tables, and sets of points asked whether they can move."""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import count_bits, select_bit
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import scale
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points.mills import BOARDS, POINTS
from mancala_envs.games import nerenchi_keliya
from mancala_envs.games.nerenchi_keliya import LAY, MOVE

STEPS_INTO = np.stack([bits.steps_into(board) for board in BOARDS])
STEPPERS_INTO = np.stack([bits.steppers_into(board) for board in BOARDS])
_POINTS, _REST = np.uint64(POINTS), np.uint64(64 - POINTS)


@inlined_rule
def steps(s, word):
    """One word of the mover's steps."""
    return bits.steps(s, STEPS_INTO[s.corners], bits.empty_points(s), 1 + s.to_move, word)


@rule
def legal_word(s, word):
    if s.phase == MOVE:
        found = np.uint64(0)
        if word < 3:
            found |= steps(s, word) << _POINTS
        if word > 0:
            found |= steps(s, word - 1) >> _REST
        return found
    return points_word(s) if word == 0 else np.uint64(0)


@inlined_rule
def points_word(s):
    """`nerenchi_keliya.legal` of the points, in the phases in which one is named."""
    if s.phase == LAY:
        return bits.empty_points(s)
    if s.protect:
        return plain_legal_word(s, 0)
    return bits.men(s, 2 - s.to_move)


@inlined_rule
def pick(s, luck):
    """`kernels.pick`: the moves are looked up once."""
    if s.phase != MOVE:
        points = points_word(s)
        return select_bit(points, scale(luck, count_bits(points)), POINTS)
    low, middle, high = steps(s, 0), steps(s, 1), steps(s, 2)
    first = count_bits(low)
    second = first + count_bits(middle)
    k = scale(luck, second + count_bits(high))
    if k < first:
        return POINTS + select_bit(low, k, 64)
    if k < second:
        return POINTS + 64 + select_bit(middle, k - first, 64)
    return POINTS + 128 + select_bit(high, k - second, 64)


@inlined_rule
def can_step(s, neighbours, man):
    """`verbs.can_step`."""
    return bits.can_step(STEPPERS_INTO[s.corners], bits.empty_points(s), bits.men(s, man))


@inlined_rule
def count(s, man):
    """`verbs.count`."""
    return count_bits(bits.men(s, man))


FAST = Fast(
    forms={
        contract.legal_word: legal_word,
        kernels.pick: pick,
        verbs.can_step: can_step,
        verbs.count: count,
    },
    fits=lambda options: bits.FITS and options["moves"] == "line",
)
