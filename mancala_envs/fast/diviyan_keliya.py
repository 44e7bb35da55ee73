"""Diviyan Keliya on bits: see `fast.hunts`."""

from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits
from mancala_envs.families.points import hunts as law
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS
from mancala_envs.fast import hunts
from mancala_envs.games import diviyan_keliya
from mancala_envs.games.diviyan_keliya import play as plain_play

STEPPERS_INTO, THREES = bits.steppers_into(BOARD), bits.threes(BOARD)


@rule(inline=True)
def must_capture(s, neighbours):
    return hunts.must_capture(s, THREES)


@rule(inline=True)
def play(s, action):
    if not hunts.plays(s, NEIGHBOURS, STEPPERS_INTO, action):
        plain_play(s, action)


FAST = Fast(
    forms=hunts.FORMS | {law.must_capture: must_capture, diviyan_keliya.play: play},
    fits=lambda options: bits.FITS,
)
