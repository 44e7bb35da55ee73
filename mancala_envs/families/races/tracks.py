"""Tracks of races as tables: the cells that pieces pass, the marked cells, and where lanes share cells.

A lane is the track of the pieces of one side, or of one arm of a cross. A place is the position of a piece on its lane:
0 waiting, 1 to L on the track, L + 1 home. A set of places is a bit mask of two words, in which bit i is place i.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

WAITING = 0
NOWHERE = -1
"""The cell of pieces that are waiting or home."""
WORD = 64


@dataclass(frozen=True, eq=False)
class Tracks:
    """The lanes of a board, all of the same length.

    Attributes:
        lanes: The cells of every lane in order; a lane can pass a cell twice.
        marked: The marked cells. They are safe, or have another meaning in the game.
    """

    lanes: tuple[tuple[int, ...], ...]
    marked: frozenset[int] = frozenset()

    @property
    def length(self) -> int:
        """The last place on the track, L."""
        return len(self.lanes[0])

    @cached_property
    def cells(self) -> Table:
        """The cell of each place, by `[lane, place]`; NOWHERE for waiting and home."""
        return np.array([[NOWHERE, *lane, NOWHERE] for lane in self.lanes])

    @cached_property
    def is_marked(self) -> npt.NDArray[np.bool_]:
        """Whether the cell of each place is marked, by `[lane, place]`."""
        return np.isin(self.cells, list(self.marked))

    @cached_property
    def marks(self) -> Words:
        """The set of marked places of each lane, by `[lane, word]`."""
        return np.array([words_of(np.flatnonzero(lane).tolist()) for lane in self.is_marked])

    @cached_property
    def meets(self) -> Words:
        """The set of places of `lane` with the same cell as `place` of `other`, by `[lane, other, place, word]`.

        The set has two places if `lane` passes the cell twice, and none if it never does.
        """
        places = range(self.length + 2)
        table = [
            [
                [words_of([here for here in places if self._same(lane, here, other, place)]) for place in places]
                for other in range(len(self.lanes))
            ]
            for lane in range(len(self.lanes))
        ]
        return np.array(table)

    @property
    def tables(self) -> tuple[Table, npt.NDArray[np.bool_], Words, Words]:
        """`cells`, `is_marked`, `marks` and `meets`, for the rule `tracks`."""
        return self.cells, self.is_marked, self.marks, self.meets

    def _same(self, lane: int, place: int, other: int, other_place: int) -> bool:
        cell = self.cells[lane, place]
        return bool(cell != NOWHERE and cell == self.cells[other, other_place])


def words_of(places: Sequence[int]) -> Words:
    """Return a list of places as a set of two words."""
    total = sum(1 << place for place in places)
    return np.array([total % (1 << WORD), total >> WORD], np.uint64)


def values_up_to(values: Sequence[int], most: int) -> Words:
    """Return for each number 0..`most` the set of values that are at most this number."""
    return np.array([sum(1 << i for i, v in enumerate(values) if v <= n) for n in range(most + 1)], np.uint64)


def landings(values: Sequence[int]) -> np.uint64:
    """Return the set of places that the values reach from a piece, relative to it as in `verbs.beyond`."""
    return np.uint64(sum(1 << value - 1 for value in values))


def reach(values: Sequence[int], last: int, waiting: int = 0) -> Table:
    """Return a table by place of the sets of values that do not lead beyond home.

    Args:
        values: The values.
        last: The last place on the track, L.
        waiting: The set of values that enter a waiting piece.
    """
    on_track = values_up_to(values, last).astype(np.int64)[:0:-1]
    return np.array([waiting, *on_track, 0], np.int64)


def spread(values: int, most_pieces: int) -> Words:
    """Return a table `[K, bits]` that moves bit i of `bits` to bit i * K, because actions are numbered value * K + k.

    Args:
        values: The number of values, and so of bits.
        most_pieces: The highest K.
    """
    table = [
        [sum((bits >> i & 1) << i * pieces for i in range(values)) for bits in range(1 << values)]
        for pieces in range(most_pieces + 1)
    ]
    return np.array(table, np.uint64)
