"""Fast form of Walak-pussa: lifts as in `fast.olinda`, table-driven laps, and all captures of a chain at once.

In this module `back` is 1 if play is clockwise, otherwise 0.
"""

import numpy as np

from mancala_envs.core.bits import count_bits, gather_turned, nonzero_flags, sum_bytes
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.laps import LAP_SEEDS, LAPS, add, byte_of, lap_table, stack
from mancala_envs.families.mancala.olinda.law import SUMMARY
from mancala_envs.families.mancala.rows import seeds
from mancala_envs.fast import olinda
from mancala_envs.games import walak_pussa
from mancala_envs.games.walak_pussa import sow_on as plain_sow_on

_ONE = np.uint64(1)

_SIZES = range(len(LAPS))
HOLES = np.array([[255 << 8 * hole & MASK, 255 << 8 * hole >> 64] for hole in range(16)], np.uint64)
"""`[hole]`: two words with 255 in the byte of the hole."""
ROWS = np.array([HOLES[8 : max(8, 2 * columns), 1].sum() for columns in _SIZES], np.uint64)
"""`[columns]`: a mask of the bytes of the second word that are holes."""
REACHED = np.zeros((2, len(_SIZES), 16, LAP_SEEDS + 1), np.uint8)
"""`[back, columns, hole, steps]`: the hole `steps` steps after `hole`."""
for _back, _step in enumerate((1, -1)):
    for _columns in _SIZES[1:]:
        REACHED[_back, _columns] = (np.arange(16)[:, None] + _step * np.arange(LAP_SEEDS + 1)) % (2 * _columns)

_CLOCKWISE_LAPS = [lap_table(range(2 * columns)[::-1])[::-1] for columns in _SIZES[1:]]
BOTH_LAPS = np.array([LAPS, stack([LAPS[0, :1], *_CLOCKWISE_LAPS])])
"""`[back, columns, hole, seeds]`: see `lap_table`."""

_EVERY_OTHER = np.uint64(0xAAAAAAAAAAAAAAAA)

PEARLS = np.zeros((*REACHED.shape[:3], 8, 2), np.uint64)
"""`[back, columns, last, n]`: a mask of the bytes of n holes, the 2nd, 4th, ... after `last`."""
for _n in range(1, 8):
    PEARLS[:, :, :, _n] = PEARLS[:, :, :, _n - 1] | HOLES[REACHED[:, :, :, 2 * _n]]


@rule(inline=True)
def sow_on(s, hole):
    """`walak_pussa.sow_on`, fast in Parker's reading if all holes are plain."""
    ring = len(s.holes)
    if s.reading == SUMMARY or s.kind_word[0] | s.kind_word[1] & ROWS[ring // 2] != 0:
        plain_sow_on(s, hole)
        return
    back = np.int64(s.direction < 0)
    low, high, hole, laps = s.holes_word[0], s.holes_word[1], hole & 15, 0
    while True:
        lifted = byte_of(low, high, hole) & (LAP_SEEDS - 1)
        low = add(low, BOTH_LAPS[back, ring // 2, hole, lifted, 0])
        high = add(high, BOTH_LAPS[back, ring // 2, hole, lifted, 1])
        hole = np.int64(REACHED[back, ring // 2, hole, lifted + 1]) & 15
        laps += 1
        if (byte_of(low, high, hole) == 0) | (laps == s.max_laps):
            break
    last = np.int64(REACHED[1 - back, ring // 2, hole, 1]) & 15
    full = bits_ahead(nonzero_flags(low), nonzero_flags(high) & ROWS[ring // 2], ring, last, back)
    # The chain ends where full and empty holes no longer alternate.
    broken = full ^ _EVERY_OTHER | _ONE << np.uint64(ring)
    pearls = count_bits(~broken & (broken - _ONE)) // 2 * np.int64(laps < s.max_laps)
    eaten_low = low & PEARLS[back, ring // 2, last, pearls & 7, 0]
    eaten_high = high & PEARLS[back, ring // 2, last, pearls & 7, 1]
    eaten = sum_bytes(eaten_low) + sum_bytes(eaten_high)
    # With at least four columns, the stores are in the second word.
    high += np.uint64(eaten) << np.uint64(8 * (ring + (s.to_move & 1) - 8))
    s.holes_word[0], s.holes_word[1] = low - eaten_low, high - eaten_high
    s.laps_sown += laps


@rule(inline=True)
def bits_ahead(low, high, ring, hole, back):
    """Return the flags, bytes of 0 or 1, as bits: bit i is the flag of the hole 1 + i steps after `hole`."""
    first, second = gather_turned(low, back), gather_turned(high, back)
    bits = (first << np.uint64(8 * back) | second << np.uint64(8 - 8 * back)) >> np.uint64((16 - ring) * back)
    place = np.uint64(hole + (ring - 1 - 2 * hole) * back)
    bits = bits >> (place + _ONE) | bits << (np.uint64(ring - 1) - place)
    return bits & ((_ONE << np.uint64(ring)) - _ONE)


FAST = Fast(
    {**olinda.FORMS, walak_pussa.sow_on: sow_on},
    fits=lambda options: olinda.fits(options) and seeds(options) < LAP_SEEDS,
)
