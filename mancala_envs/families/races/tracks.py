"""Tracks as data: which cells of a board the pieces of each side pass, which are marked, and where tracks meet.

A lane is the track of some pieces: those of one side, or of one arm of a cross. A place is how far a piece has come on
its lane: 0 waiting, 1 to L on the track, L + 1 home. Sets of places are pairs of words, bit i of both together place i.
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
    """The lanes of one board, all of one length."""

    lanes: tuple[tuple[int, ...], ...]
    """The cells of every lane, in the order in which they are passed; a lane may pass a cell twice."""
    marked: frozenset[int] = frozenset()
    """Cells that are safe, or whatever else the marks mean."""

    @property
    def length(self) -> int:
        """The last place on the track, L."""
        return len(self.lanes[0])

    @cached_property
    def cells(self) -> Table:
        """`[lane, place]`: the cell, NOWHERE for places off the board."""
        return np.array([[NOWHERE, *lane, NOWHERE] for lane in self.lanes])

    @cached_property
    def is_marked(self) -> npt.NDArray[np.bool_]:
        """`[lane, place]`: whether the cell is marked."""
        return np.isin(self.cells, list(self.marked))

    @cached_property
    def marks(self) -> Words:
        """`[lane, word]`: the set of all marked places."""
        return np.array([words_of(np.flatnonzero(lane).tolist()) for lane in self.is_marked])

    @cached_property
    def meets(self) -> Words:
        """`[lane, other, place, word]`: the places of `lane` that are the cell of a piece `place` far on lane `other`.

        One place mostly, two where `lane` passes the cell twice, none where it never does.
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
    """The set of these places."""
    total = sum(1 << place for place in places)
    return np.array([total % (1 << WORD), total >> WORD], np.uint64)


def values_up_to(values: Sequence[int], most: int) -> Words:
    """`[number]`: which of the values, as bits of their indices, are at most the number; numbers 0 to `most`."""
    return np.array([sum(1 << i for i, v in enumerate(values) if v <= n) for n in range(most + 1)], np.uint64)


def landings(values: Sequence[int]) -> np.uint64:
    """The places after a piece to which any of the values leads, as `beyond` (verbs.py) numbers them."""
    return np.uint64(sum(1 << value - 1 for value in values))


def reach(values: Sequence[int], last: int, waiting: int = 0) -> Table:
    """`[place]`: the values that lead a piece home at most; those of `waiting` where it waits, none from home."""
    on_track = values_up_to(values, last).astype(np.int64)[:0:-1]
    return np.array([waiting, *on_track, 0], np.int64)


def spread(values: int, most_pieces: int) -> Words:
    """`[K, bits]`: bit i of `bits` at place i * K of the word, as actions for K pieces are numbered."""
    table = [
        [sum((bits >> i & 1) << i * pieces for i in range(values)) for bits in range(1 << values)]
        for pieces in range(most_pieces + 1)
    ]
    return np.array(table, np.uint64)
