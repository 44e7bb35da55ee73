"""Bao: beginnings with a capture are sought on the four words of the board."""

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import gather, gather_turned, nonzero_flags
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.four_rows.rings import NOWHERE
from mancala_envs.families.mancala.four_rows.words import FORMS, fits, ring_words
from mancala_envs.families.mancala.laps import byte_of
from mancala_envs.games import bao
from mancala_envs.games.bao import FROM_KICHWA, HOUSE, KICHWA, RING, STOP, may_begin, obligation
from mancala_envs.games.bao import captures as plain_captures

_ONE, _S8, _S16 = np.uint64(1), np.uint64(8), np.uint64(16)
_NAMUA = np.uint64(0b11111100 << 24 | 0b00111111 << 8)
"""Actions that begin a capture in namua: anticlockwise with holes 8..13, clockwise with 10..15."""


@rule
def capture_bits(s, p):
    """Return the actions 0..31 with which player p would begin with a capture."""
    low, high = ring_words(s, p)
    inner = ring_words(s, 1 - p)[1]
    # Bit k says that a lap which ends in the occupied inner hole k captures.
    facing = gather_turned(nonzero_flags(inner), True) << _S8
    if s.stock[p] > 0:
        holes = facing & gather(nonzero_flags(high)) << _S8
        return (holes | holes << _S16) & _NAMUA
    occupied = gather(nonzero_flags(low)) | gather(nonzero_flags(high)) << _S8
    ends = facing & occupied
    bits = np.uint64(0)
    for k in range(RING):
        seeds = byte_of(low, high, k)
        if 2 <= seeds < RING:
            bits |= (ends >> np.uint64((k + seeds) & 15) & _ONE) << np.uint64(k)
            bits |= (ends >> np.uint64((k - seeds) & 15) & _ONE) << np.uint64(RING + k)
    return bits


@rule
def captures(s, p, captured):
    """`bao.captures`."""
    return capture_bits(s, p) != 0 if captured == NOWHERE else plain_captures(s, p, captured)


@rule
def legal_word(s, word):
    """`bao.legal` of all actions at once: captures are sought once."""
    if s.phase == KICHWA:
        return np.uint64(0b11 << FROM_KICHWA)
    if s.phase == HOUSE:
        return np.uint64(0b11 << STOP)
    if s.target == NOWHERE:
        bits = capture_bits(s, s.to_move & 1)
        if bits != 0:
            return bits
    captured = obligation(s)
    bits = np.uint64(0)
    for action in range(FROM_KICHWA):
        bits |= np.uint64(may_begin(s, action % RING, action // RING, captured)) << np.uint64(action)
    return bits


FAST = Fast({**FORMS, contract.legal_word: legal_word, bao.captures: captures}, fits)
