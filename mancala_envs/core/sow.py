"""Sowing on a ring: the plain verb, seed by seed, and the packed one, a whole lap in two additions.

`sow` is the rule. `sow_words` does the same to the same bytes through `word`, by a table of laps, for rings that fit
into two words with all they need (see `is_packed`). A test runs both over random positions.
"""

import sys
from collections.abc import Sequence

import numpy as np

from mancala_envs.core.rule import inlined_rule, rule

PACKED_BYTES = 16 if sys.byteorder == "little" else 0
"""Positions of at most so many bytes are sown packed."""

_MASK = 0xFFFFFFFFFFFFFFFF
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
SKIPPING_LAPS = stack([_NO_TABLE, *(lap_table(range(2 * columns), skipping=True) for columns in _SIZES)])


@rule
def lift(s, hole):
    """Take all seeds out of `hole`; returns how many."""
    seeds = np.int64(s.holes[hole])
    s.holes[hole] = 0
    return seeds


@rule
def sow(s, hole):
    """Lift `hole` and sow anticlockwise, one seed in each hole after it; returns the last hole."""
    ring = len(s.holes)
    seeds = lift(s, hole)
    for _ in range(seeds):
        hole = (hole + 1) % ring
        s.holes[hole] += 1
    return hole


@rule
def is_packed(s):
    """Whether two rows and stores lie within two words, as the tables of laps need it."""
    return len(s.holes) // 2 <= MOST_PACKED_COLUMNS and len(s.word) >= 2


@rule
def add(word, change):
    """The sum of two uint64, modulo 2^64 in plain Python too."""
    return np.uint64((int(word) + int(change)) & _MASK)


@inlined_rule
def byte_of(low, high, place):
    """Byte `place` of the two words, without reading memory just written: that would wait for it to drain."""
    return np.int64(((high if place & 8 else low) >> np.uint64(place % 8 * 8)) & _BYTE)


@inlined_rule
def sow_words(low, high, ring, hole):
    """`sow` on the two words of a position; returns them and the last hole. At most LAP_SEEDS - 1 seeds are sown."""
    seeds = byte_of(low, high, hole)
    # Cut to its bits the number is not negative to the compiler, which then asks no questions at the index.
    lap = LAPS[ring // 2, hole & 15]
    return add(low, lap[seeds, 0]), add(high, lap[seeds, 1]), (hole + seeds) % ring


@rule
def sow_skipping(s, hole):
    """`sow`, but the lifted hole is passed over on every round."""
    ring = len(s.holes)
    origin = hole
    seeds = lift(s, hole)
    for _ in range(seeds):
        hole = (hole + 1) % ring
        if hole == origin:
            hole = (hole + 1) % ring
        s.holes[hole] += 1
    return hole


@rule
def sow_skipping_packed(s, hole):
    """`sow_skipping` by whole laps, where the table reaches; elsewhere `sow_skipping`."""
    ring = len(s.holes)
    seeds = np.int64(s.holes[hole])
    if not is_packed(s) or seeds >= LAP_SEEDS:
        return sow_skipping(s, hole)
    hole &= 15
    s.word[0] = add(s.word[0], SKIPPING_LAPS[ring // 2, hole, seeds, 0])
    s.word[1] = add(s.word[1], SKIPPING_LAPS[ring // 2, hole, seeds, 1])
    return (hole + 1 + (seeds - 1) % (ring - 1)) % ring
