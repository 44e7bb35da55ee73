"""Both wars on bits: who can step or capture is eight sets of points; choices are made in many games abreast."""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import sum_bytes
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import MASK, mix, scale, stream
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.families.points import bits, verbs, wars
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS, POINTS
from mancala_envs.families.points.verbs import WAYS, can_jump
from mancala_envs.families.points.wars import DONE, FREE, GO_ON

SHIFTS, STEPPERS_INTO, THREES = bits.shifts(BOARD), bits.steppers_into(BOARD), bits.threes(BOARD)
LANES = 32
"""Games abreast."""
_NONE, _ONE, _ALL, _POINTS, _REST = (np.uint64(number) for number in (0, 1, MASK, POINTS, 64 - POINTS))


# Sets of points: own soldiers, the other's, and nobody's; `free` and `going` are 1 or 0.


@inlined_rule
def sides(s, p):
    """The soldiers of player p, those of the other, and the empty points."""
    own, other = bits.men(s, 1 + p), bits.men(s, 2 - p)
    return own, other, bits.everywhere(s) & ~(own | other)


@inlined_rule
def to_decide(s):
    """`sides` of the player to move, with nobody but the one who goes on; whether capture is free, and who goes on."""
    # Of a game that is over anything will do.
    own, other, empty = sides(s, s.to_move & 1)
    going = np.int64(s.phase == GO_ON)
    return _ONE << np.uint64(s.moving) if going else own, other, empty, np.int64(s.capture == FREE), going


@inlined_rule
def legal_moves(own, other, empty, free, going):
    """`bits.moves`, as far as they are legal."""
    captures = bits.movers(bits.moves(SHIFTS, own, other, empty, _NONE)) != 0
    return bits.moves(SHIFTS, own, other, empty, _NONE if going | (captures & (1 - free)) else _ALL)


@inlined_rule
def choose(own, other, empty, free, going, luck):
    """`pick` from sets, without a branch."""
    moves = legal_moves(own, other, empty, free, going)
    counts = bits.count_moves(moves)
    choices = sum_bytes(counts)
    k = scale(luck, choices + (free & going))
    move = bits.find_move(moves, counts, k)
    return POINTS + move if k < choices else DONE


# What stands in for the plain rules.


@inlined_rule
def legal_word(s, word):
    """`wars.legal` of 64 actions at once."""
    own, other, empty, free, going = to_decide(s)
    moves = legal_moves(own, other, empty, free, going)
    here = bits.moves_word(moves, word) << _POINTS
    rest = bits.moves_word(moves, word - 1) >> _REST if word > 0 else _NONE
    return here | rest | np.uint64(free & going & (word == DONE // 64)) << np.uint64(DONE % 64)


@inlined_rule
def pick(s, luck):
    """`kernels.pick`."""
    own, other, empty, free, going = to_decide(s)
    return choose(own, other, empty, free, going, luck)


@rule
def sample_many_loop(states, seed, first, out):
    """`kernels.sample_many_loop`: in a loop of their own the choices become vector instructions."""
    own, other, empty = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    free, going, actions = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    for begin in range(0, len(states), LANES):
        lanes = min(LANES, len(states) - begin)
        for k in range(lanes):
            own[k], other[k], empty[k], free[k], going[k] = to_decide(states[begin + k])
        for k in range(LANES):
            luck = mix(stream(seed, first + begin + k))
            actions[k] = choose(own[k], other[k], empty[k], free[k], going[k], luck)
        for k in range(lanes):
            out[begin + k] = actions[k] if states[begin + k].to_move >= 0 else -1


@inlined_rule
def only_choice(s):
    """`verbs.only_choice` of the soldier who goes on."""
    if s.capture == FREE:
        return -1
    ways, only, soldier = 0, -1, np.int64(s.moving)
    for direction in range(WAYS):
        if can_jump(s, NEIGHBOURS, soldier, direction, 2 - s.to_move):
            ways += 1
            only = POINTS + WAYS * soldier + direction
    return only if ways == 1 else -1


@inlined_rule
def must_capture(s):
    """`wars.must_capture`."""
    if s.capture == FREE:
        return False
    own, other, empty = sides(s, s.to_move)
    return bits.can_capture(THREES, own, other, empty)


@inlined_rule
def can_move(s, p):
    """`wars.can_move`."""
    own, other, empty = sides(s, p)
    return bits.can_step(STEPPERS_INTO, empty, own) or bits.can_capture(THREES, own, other, empty)


FAST = Fast(
    forms={
        contract.legal_word: legal_word,
        kernels.pick: pick,
        kernels.sample_many_loop: sample_many_loop,
        verbs.only_choice: only_choice,
        wars.must_capture: must_capture,
        wars.can_move: can_move,
    },
    fits=lambda options: bits.FITS,
)
