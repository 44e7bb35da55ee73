"""Sowing on a ring: the plain verb, seed by seed, and the packed one, a whole lap in two additions.

`sow` is the rule. `sow_packed` does the same to the same bytes through `word`, by a table of laps, for rings that fit
into two words with all they need (see `PACKED`). A test runs both over random positions.
"""

import sys
from collections.abc import Sequence

import numpy as np

from mancala_envs.core.rule import rule

PACKED_BYTES = 16 if sys.byteorder == "little" else 0
"""Positions of at most so many bytes are sown packed."""

_S3 = np.uint64(3)
_ZERO = np.uint64(0)


def lap_row(order: Sequence[int]) -> np.ndarray:
    """What one seed in each of the first r places of `order` (their bytes) adds: (len(order) + 1, 2) uint64."""
    row = np.zeros((len(order) + 1, 2), np.uint64)
    for seeds, byte in enumerate(order, 1):
        row[seeds] = row[seeds - 1]
        row[seeds, byte // 8] += np.uint64(1 << byte % 8 * 8)
    return row


def lap_table(order: Sequence[int]) -> np.ndarray:
    """`lap_row` from each place of the ring `order` on: (len(order), len(order) + 1, 2) uint64.

    `[p, r]` is one seed in each of the r places after place p; a whole round is r = len(order).
    """
    order = list(order)
    return np.array([lap_row(order[place + 1 :] + order[: place + 1]) for place in range(len(order))])


def stack(tables: Sequence[np.ndarray]) -> np.ndarray:
    """Tables of several rings in one array, padded with zeros."""
    shape = np.max([table.shape for table in tables], axis=0)
    stacked = np.zeros((len(tables), *shape), np.uint64)
    for index, table in enumerate(tables):
        rows, seeds, words = table.shape
        stacked[index, :rows, :seeds, :words] = table
    return stacked


def skipping_table(places: int) -> np.ndarray:
    """`lap_table` of a plain ring on which the lifted hole gets no seed: (places, places, 2) uint64."""
    return np.array([lap_row([*range(hole + 1, places), *range(hole)]) for hole in range(places)])


MOST_PACKED_COLUMNS = (PACKED_BYTES - 2) // 2
"""Two rows of so many columns and two stores lie in the first two words."""
_SIZES = range(1, MOST_PACKED_COLUMNS + 1)
_NO_TABLE = np.zeros((1, 1, 2), np.uint64)
LAPS = stack([_NO_TABLE, *(lap_table(range(2 * columns)) for columns in _SIZES)])
SKIPPING_LAPS = stack([_NO_TABLE, *(skipping_table(2 * columns) for columns in _SIZES)])


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
def add_lap(s, hole, seeds, lap, whole, rounds):
    """Packed: take `seeds` out of `hole` and add the table's words for a lap of `rounds` whole rounds and a rest."""
    # Words, not bytes: a byte stored here would have to drain before the word could be read back. And a choice, not
    # a branch: which half the hole lies in is a coin toss to the processor.
    taken = np.uint64(seeds) << (np.uint64(hole & 7) << _S3)
    taken_low = taken if hole < 8 else _ZERO
    times = np.uint64(rounds)
    s.word[0] = s.word[0] + lap[0] + times * whole[0] - taken_low
    s.word[1] = s.word[1] + lap[1] + times * whole[1] - (taken - taken_low)


@rule
def sow_packed(s, hole):
    """`sow` by whole laps, where the tables reach; elsewhere `sow`."""
    ring = len(s.holes)
    columns = ring // 2
    if columns > MOST_PACKED_COLUMNS or len(s.word) < 2:
        return sow(s, hole)
    seeds = np.int64(s.holes[hole])
    rounds = seeds // ring
    rest = seeds - rounds * ring
    add_lap(s, hole, seeds, LAPS[columns, hole, rest], LAPS[columns, hole, ring], rounds)
    last = hole + rest
    return last - ring if last >= ring else last


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
    """`sow_skipping` by whole laps, where the tables reach; elsewhere `sow_skipping`."""
    ring = len(s.holes)
    columns = ring // 2
    if columns > MOST_PACKED_COLUMNS or len(s.word) < 2:
        return sow_skipping(s, hole)
    seeds = np.int64(s.holes[hole])
    rounds = seeds // (ring - 1)
    rest = seeds - rounds * (ring - 1)
    add_lap(s, hole, seeds, SKIPPING_LAPS[columns, hole, rest], SKIPPING_LAPS[columns, hole, ring - 1], rounds)
    # Whole rounds alone end before the lifted hole.
    last = hole + (rest if rest else ring - 1)
    return last - ring if last >= ring else last
