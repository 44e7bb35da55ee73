"""Laps at once: what a lap changes on a board of two words, by a table, in two additions.

For fast forms of games on rings that fit into two words with their stores; `sow.sow` is what they stand in for.
"""

import sys
from collections.abc import Sequence

import numpy as np

from mancala_envs.core.chance import MASK
from mancala_envs.core.rule import rule

PACKED_BYTES = 16 if sys.byteorder == "little" else 0
"""Positions of at most so many bytes can be played by words."""

_BYTE = np.uint64(255)

_SEED = np.array([[1 << 8 * byte & 2**64 - 1, 1 << 8 * byte >> 64] for byte in range(16)], np.uint64)
"""One seed at each byte of two words."""

LAP_SEEDS = 64
"""Laps of fewer seeds are sown packed."""


def lap_table(order: Sequence[int], skipping: bool = False) -> np.ndarray:
    """What a lap changes on the ring of the bytes `order`: (len(order), LAP_SEEDS, 2) uint64, modulo 2^64.

    `[p, n]` takes n seeds out of place p and drops one in each place after it, round and round; `skipping` leaves out
    place p itself.
    """
    seed = _SEED[list(order)]
    places = np.arange(len(order))[:, None]
    reached = (places + 1 + np.arange(LAP_SEEDS - 1) % (len(order) - skipping)) % len(order)
    changes = seed[reached] - seed[places]
    return np.concatenate([np.zeros_like(changes[:, :1]), changes.cumsum(axis=1, dtype=np.uint64)], axis=1)


def stack(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Tables of several rings in one array, padded with zeros."""
    stacked = np.zeros((len(tables), max(map(len, tables)), LAP_SEEDS, 2), np.uint64)
    for index, table in enumerate(tables):
        stacked[index, : len(table)] = table
    return stacked


MOST_PACKED_COLUMNS = (PACKED_BYTES - 2) // 2
"""Two rows of so many columns and two stores lie in the first two words."""
_SIZES = range(1, MOST_PACKED_COLUMNS + 1)
_NO_TABLE = lap_table([0])
LAPS = stack([_NO_TABLE, *(lap_table(range(2 * columns)) for columns in _SIZES)])


@rule
def add(word, change):
    """The sum of two uint64, modulo 2^64 in plain Python too."""
    return np.uint64((int(word) + int(change)) & MASK)


@rule(inline=True)
def byte_of(low, high, place):
    """Byte `place` of the two words, without reading memory just written: that would wait for it to drain."""
    return np.int64(((high if place & 8 else low) >> np.uint64(place % 8 * 8)) & _BYTE)


@rule(inline=True)
def sow_words(low, high, ring, hole):
    """`sow` on the two words of a position; returns them and the last hole. At most LAP_SEEDS - 1 seeds are sown."""
    seeds = byte_of(low, high, hole)
    # Cut to its bits the number is not negative to the compiler, which then asks no questions at the index.
    lap = LAPS[ring // 2, hole & 15]
    return add(low, lap[seeds, 0]), add(high, lap[seeds, 1]), (hole + seeds) % ring
