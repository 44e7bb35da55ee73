"""Fast forms of Hat Diviyan Keliya on sets of points; see `fast.hunts`."""

import numpy as np

from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points import hunts as plain
from mancala_envs.fast import hunts, jumpers
from mancala_envs.games.hat_diviyan_keliya import ANYWHERE, APEX, BOARD, NEIGHBOURS

SHIFTS, STEPPERS_INTO, THREES = bits.shifts(BOARD), bits.steppers_into(BOARD), bits.threes(BOARD)
_APEX = np.uint64(1 << APEX)


@rule(inline=True)
def choice_sets(s):
    """Replace `jumpers.choice_sets`: the tiger may have to begin on the apex."""
    own, prey, empty, free, going, placing = hunts.choice_sets(s)
    return own, prey, _APEX if s.hand[0] > 0 and s.start != ANYWHERE else empty, free, going, placing


@rule(inline=True)
def moves(own, prey, empty, steppers):
    """Replace `jumpers.moves` for the triangle."""
    return bits.moves(SHIFTS, own, prey, empty, steppers)


@rule(inline=True)
def must_capture(s, neighbours):
    """Fast form of `hunts.must_capture`."""
    return hunts.must_capture(s, THREES)


@rule(inline=True)
def play(s, action):
    """Fast form of `verbs.play`."""
    if not hunts.play_simple_turn(s, NEIGHBOURS, STEPPERS_INTO, action):
        verbs.play(s, action)


FAST = Fast(
    forms=hunts.FORMS
    | {jumpers.choice_sets: choice_sets, jumpers.moves: moves, plain.must_capture: must_capture, verbs.play: play},
    fits=lambda options: bits.FITS,
)
