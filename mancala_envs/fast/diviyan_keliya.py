"""Fast forms of Diviyan Keliya on sets of points; see `fast.hunts`."""

from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points import hunts as plain
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS
from mancala_envs.fast import hunts

STEPPERS_INTO, THREES = bits.steppers_into(BOARD), bits.threes(BOARD)


@rule(inline=True)
def must_capture(s, neighbours):
    """Fast form of `hunts.must_capture`."""
    return hunts.must_capture(s, THREES)


@rule(inline=True)
def play(s, action):
    """Fast form of `verbs.play`."""
    if not hunts.play_simple_turn(s, NEIGHBOURS, STEPPERS_INTO, action):
        verbs.play(s, action)


FAST = Fast(forms=hunts.FORMS | {plain.must_capture: must_capture, verbs.play: play}, fits=lambda options: bits.FITS)
