"""Nerenchi Keliya on bits: steps by tables, and moves that make no row, as most do not, on sets of points."""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import count_bits, select_bit
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import scale
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points.mills import BOARDS, NEIGHBOURS, POINTS, ROWS
from mancala_envs.families.points.verbs import direction_of, start_of
from mancala_envs.games import nerenchi_keliya
from mancala_envs.games.nerenchi_keliya import LAY, MOVE, may_remove
from mancala_envs.games.nerenchi_keliya import play as plain_play

WORDS = 4
"""Of actions."""
# By the option `corners`.
STEPS_INTO = np.stack([bits.steps_into(board) for board in BOARDS])
STEPPERS_INTO = np.stack([bits.steppers_into(board) for board in BOARDS])
ROWS_THROUGH = np.stack([bits.rows_through(rows) for rows in ROWS])
_NONE, _ONE, _POINTS, _REST = (np.uint64(number) for number in (0, 1, POINTS, 64 - POINTS))


@inlined_rule
def legal_word(s, word):
    """`nerenchi_keliya.legal` of 64 actions at once: the points, then the steps."""
    if s.phase != MOVE:
        return legal_points(s) if word == 0 else _NONE
    here = steps(s, word) << _POINTS if word < WORDS - 1 else _NONE
    return here | (steps(s, word - 1) >> _REST if word > 0 else _NONE)


@inlined_rule
def legal_points(s):
    """`nerenchi_keliya.legal` of the points, where one is named."""
    if s.phase == LAY:
        return bits.empty_points(s)
    if not s.protect:
        return bits.men(s, 2 - s.to_move)
    points = _NONE
    for point in range(POINTS):
        points |= np.uint64(may_remove(s, point)) << np.uint64(point)
    return points


@inlined_rule
def steps(s, word):
    """One word of the mover's steps."""
    return bits.steps(s, STEPS_INTO[s.corners], bits.empty_points(s), 1 + s.to_move, word)


@inlined_rule
def pick(s, luck):
    """`kernels.pick`: the steps are looked up once."""
    if s.phase != MOVE:
        points = legal_points(s)
        return select_bit(points, scale(luck, count_bits(points)), POINTS)
    low, middle, high = steps(s, 0), steps(s, 1), steps(s, 2)
    first = count_bits(low)
    second = first + count_bits(middle)
    k = scale(luck, second + count_bits(high))
    # Chosen by arithmetic: in which word it is the processor cannot guess.
    found, before, passed = (low, 0, 0) if k < first else (middle, first, 64) if k < second else (high, second, 128)
    return POINTS + passed + select_bit(found, k - before, 64)


@inlined_rule
def only_choice(s):
    """`verbs.only_choice`."""
    choices, only = 0, -1
    for word in range(WORDS):
        found = legal_word(s, word)
        choices += count_bits(found)
        if found:
            only = 64 * word + select_bit(found, 0, 64)
    return only if choices == 1 else -1


@inlined_rule
def play(s, action):
    """`nerenchi_keliya.play`."""
    if s.phase != MOVE:
        plain_play(s, action)
        return
    mover = s.to_move
    start = start_of(s, action)
    end = NEIGHBOURS[s.corners, start, direction_of(s, action)]
    own = bits.men(s, 1 + mover) ^ (_ONE << np.uint64(start) | _ONE << np.uint64(end))
    if bits.has_row(ROWS_THROUGH[s.corners], end, own):
        plain_play(s, action)
        return
    # All is read before anything is written, which could not be read as part of a word at once.
    other = bits.men(s, 2 - mover)
    s.board[start] = 0
    s.board[end] = 1 + mover
    s.quiet += 1
    s.turn += 1
    if s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES
    elif bits.can_step(STEPPERS_INTO[s.corners], bits.everywhere(s) & ~(own | other), other):
        s.to_move = 1 - mover


FAST = Fast(
    forms={
        contract.legal_word: legal_word,
        kernels.pick: pick,
        nerenchi_keliya.play: play,
        verbs.only_choice: only_choice,
    },
    fits=lambda options: bits.FITS and options["moves"] == "line",
)
