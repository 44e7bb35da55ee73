"""Hat Diviyan Keliya on bits."""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points import hunts as law
from mancala_envs.fast import hunts
from mancala_envs.games import hat_diviyan_keliya
from mancala_envs.games.hat_diviyan_keliya import ANYWHERE, APEX, BOARD, NEIGHBOURS
from mancala_envs.games.hat_diviyan_keliya import play as plain_play

STEPS_INTO, STEPPERS_INTO = bits.steps_into(BOARD), bits.steppers_into(BOARD)
NEAR, FAR = bits.near_and_far(BOARD)


@inlined_rule
def begins_on_apex(s):
    return s.hand[0] > 0 and s.start != ANYWHERE


@inlined_rule
def legal_word(s, word):
    if begins_on_apex(s):
        return np.uint64(word == 0) << np.uint64(APEX)
    return hunts.legal_word(s, STEPS_INTO, NEAR, FAR, word)


@inlined_rule
def pick(s, luck):
    return APEX if begins_on_apex(s) else hunts.pick(s, STEPS_INTO, NEAR, FAR, luck)


@inlined_rule
def only_choice(s):
    return hunts.only_choice(s, NEAR, FAR)


@inlined_rule
def must_capture(s, neighbours):
    return hunts.must_capture(s, NEAR, FAR)


@inlined_rule
def play(s, action):
    if not hunts.plays(s, NEIGHBOURS, STEPPERS_INTO, action):
        plain_play(s, action)


FAST = Fast(
    forms={
        contract.legal_word: legal_word,
        kernels.pick: pick,
        hat_diviyan_keliya.play: play,
        verbs.only_choice: only_choice,
        law.must_capture: must_capture,
    },
    fits=lambda options: bits.FITS,
)
