"""Fast forms of boards with four rows of eight: each ring is two words, so that a lap is two additions.

The low word of a player is their outer row, relative holes 0..7; the high word is their inner row, 8..15. The inner row
faces the enemy's in reverse: 8 faces 15.
"""

import numpy as np

from mancala_envs.core.bits import gather, nonzero_flags
from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.four_rows.rings import ANTICLOCKWISE, CLOCKWISE, can_begin
from mancala_envs.families.mancala.laps import PACKED_BYTES, add

RING, LAP_SEEDS = 16, 128
_BYTE, _TWO_OR_MORE, _S8 = np.uint64(255), np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(8)


def sown() -> np.ndarray:
    """Return a (2, RING, LAP_SEEDS, 2) uint64 array: `[direction, k, n]` is the change of both words by a lap.

    The lap drops n seeds, the first in the hole after relative hole k.
    """
    table = np.zeros((2, RING, LAP_SEEDS, 2), np.uint64)
    for direction, step in ((ANTICLOCKWISE, 1), (CLOCKWISE, -1)):
        for k in range(RING):
            change = 0
            for n in range(1, LAP_SEEDS):
                change += 1 << 8 * ((k + step * n) % RING)
                table[direction, k, n] = change & MASK, change >> 64 & MASK
    return table


SOWN = sown()


def fits(options):
    """Return whether the rings are pairs of words: with eight columns, on a little-endian machine."""
    return options.get("columns", 8) == 8 and PACKED_BYTES > 0


@rule(inline=True)
def ring_words(s, p):
    """Return the words of player p's outer and inner row."""
    return s.holes_word[2 * p], s.holes_word[2 * p + 1]


@rule(inline=True)
def write_ring(s, p, low, high):
    """Write the words of player p's outer and inner row."""
    s.holes_word[2 * p] = low
    s.holes_word[2 * p + 1] = high


@rule(inline=True)
def sow_ring(low, high, k, seeds, direction):
    """Sow `seeds` from the hole after relative hole `k`; return the words and the last relative hole."""
    # The masks show the compiler that no index is negative, so it omits checks.
    lap = SOWN[direction & 1, k & 15, seeds & 127]
    last = k + seeds if direction == ANTICLOCKWISE else k - seeds
    return add(low, lap[0]), add(high, lap[1]), last & 15


@rule(inline=True)
def emptied(low, high, k):
    """Return the words with relative hole `k` empty."""
    hole = _BYTE << np.uint64(8 * (k & 7))
    return (low, high & ~hole) if k & 8 else (low & ~hole, high)


@rule(inline=True)
def two_or_more(low, high):
    """Return the relative holes that hold two or more seeds, as bits."""
    return gather(nonzero_flags(low & _TWO_OR_MORE)) | gather(nonzero_flags(high & _TWO_OR_MORE)) << _S8


@rule(inline=True)
def faced_by(k):
    """Return the relative hole of the enemy that the inner hole `k` faces; the one behind it is `k - 8`."""
    return 23 - k


@rule
def may_begin(s, p):
    """`rings.can_begin`."""
    low, high = ring_words(s, p)
    return ((low | high) & _TWO_OR_MORE) != 0


FORMS = {can_begin: may_begin}
"""Forms for every game on this board."""
