"""Table-driven sowing: a table gives the effect of a whole lap, which two additions apply to a board of two words.

Fast forms of games whose ring and stores fit into two words use this instead of `sow.sow`.
"""

import sys
from collections.abc import Sequence

import numpy as np

from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import rule

PACKED_BYTES = 16 if sys.byteorder == "little" else 0
"""Maximum size in bytes of positions that fast forms can play as words; 0 on big-endian machines."""

_BYTE = np.uint64(255)

_SEED = np.array([[1 << 8 * byte & 2**64 - 1, 1 << 8 * byte >> 64] for byte in range(16)], np.uint64)
"""Two words for each byte, with one seed in that byte."""

LAP_SEEDS = 64
"""Laps of fewer seeds are in the tables."""


def lap_table(order: Sequence[int], skipping: bool = False) -> np.ndarray:
    """Return the effects of laps on a ring.

    Args:
        order: the bytes of the ring's holes, in the order of sowing.
        skipping: whether a lap passes over the hole from which the seeds were lifted.

    Returns:
        A (len(order), LAP_SEEDS, 2) uint64 array. `[p, n]` is the change of both words, modulo 2^64, by a lap that
        lifts n seeds from place p.
    """
    seed = _SEED[list(order)]
    places = np.arange(len(order))[:, None]
    reached = (places + 1 + np.arange(LAP_SEEDS - 1) % (len(order) - skipping)) % len(order)
    changes = seed[reached] - seed[places]
    return np.concatenate([np.zeros_like(changes[:, :1]), changes.cumsum(axis=1, dtype=np.uint64)], axis=1)


def stack(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Return tables of several rings as one array, padded with zeros."""
    stacked = np.zeros((len(tables), max(map(len, tables)), LAP_SEEDS, 2), np.uint64)
    for index, table in enumerate(tables):
        stacked[index, : len(table)] = table
    return stacked


MOST_PACKED_COLUMNS = (PACKED_BYTES - 2) // 2
"""Maximum number of columns with which two rows and two stores fit into the first two words."""
_SIZES = range(1, MOST_PACKED_COLUMNS + 1)
_NO_TABLE = lap_table([0])
LAPS = stack([_NO_TABLE, *(lap_table(range(2 * columns)) for columns in _SIZES)])


@rule
def add(word, change):
    """Add two uint64 modulo 2^64, in plain Python too."""
    return np.uint64((int(word) + int(change)) & MASK)


@rule(inline=True)
def byte_of(low, high, place):
    """Return byte `place` of the two words. Reading it from memory that was just written would stall."""
    return np.int64(((high if place & 8 else low) >> np.uint64(place % 8 * 8)) & _BYTE)


@rule(inline=True)
def sow_words(low, high, ring, hole):
    """Sow one lap on the two words of a position; return the words and the last hole.

    The lap must have at most LAP_SEEDS - 1 seeds.
    """
    seeds = byte_of(low, high, hole)
    # The mask shows the compiler that the index is not negative, so it omits a check.
    lap = LAPS[ring // 2, hole & 15]
    return add(low, lap[seeds, 0]), add(high, lap[seeds, 1]), (hole + seeds) % ring
