"""Fast forms of Nerenchi Keliya on sets of points: steps, and moves that make no row, as most do not."""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import count_bits, select_bit
from mancala_envs.core.book import Fast
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points.mills import NEIGHBOURS, POINTS, ROWS
from mancala_envs.families.points.verbs import direction_of, start_of
from mancala_envs.fast import mills
from mancala_envs.fast.mills import STEPPERS_INTO, WORDS
from mancala_envs.games.nerenchi_keliya import LAY, MOVE, may_remove

ROWS_THROUGH = np.stack([bits.rows_through(rows) for rows in ROWS])
"""Indexed by the option `corners`."""
_NONE, _ONE = np.uint64(0), np.uint64(1)


@rule(inline=True)
def legal_points(s):
    """Replace `mills.legal_points`: a piece may be laid or removed."""
    if s.phase == LAY:
        return bits.empty_points(s)
    if not s.protect:
        return bits.men(s, 2 - s.to_move)
    points = _NONE
    for point in range(POINTS):
        points |= np.uint64(may_remove(s, point)) << np.uint64(point)
    return points


@rule(inline=True)
def only_choice(s):
    """Fast form of `verbs.only_choice`."""
    choices, only = 0, -1
    for word in range(WORDS):
        found = mills.legal_word(s, word)
        choices += count_bits(found)
        if found:
            only = 64 * word + select_bit(found, 0, 64)
    return only if choices == 1 else -1


@rule(inline=True)
def play(s, action):
    """Fast form of `verbs.play`."""
    if s.phase != MOVE:
        verbs.play(s, action)
        return
    mover = s.to_move
    start = start_of(s, action)
    end = NEIGHBOURS[s.corners, start, direction_of(s, action)]
    own = bits.men(s, 1 + mover) ^ (_ONE << np.uint64(start) | _ONE << np.uint64(end))
    if bits.has_row(ROWS_THROUGH[s.corners], end, own):
        verbs.play(s, action)
        return
    # All reads come before the writes, because reading a word just after one of its bytes was written is slow.
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
        contract.legal_word: mills.legal_word,
        kernels.pick: mills.pick,
        mills.legal_points: legal_points,
        verbs.play: play,
        verbs.only_choice: only_choice,
    },
    fits=lambda options: bits.FITS and options["moves"] == "line",
)
