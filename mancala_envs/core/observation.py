"""Observations: unsigned integers in columns, from the side of the player who looks, every column described."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FAR = 255
"""Bounds further away than this look alike."""


@dataclass(frozen=True)
class Column:
    """One column of the observation: integers 0..`high`."""

    name: str
    high: int
    meaning: str


def columns(name: str, number: int, high: int, meaning: str) -> list[Column]:
    """`number` columns `name[0]`, `name[1]`, ... of one kind."""
    return [Column(f"{name}[{index}]", high, meaning) for index in range(number)]


def laid_out(names: Sequence[str], grid: Sequence[tuple[int, int]]) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
    """The observation as planes of a grid: their names, and (C, H, W) numbers of columns, -1 where there is none.

    `grid`: row and column of every place. The columns `name[0]`, `name[1]`, ... of all places are one plane; every
    other column fills a plane.
    """
    numbered = {name: number for number, name in enumerate(names)}
    rows, columns = np.array(grid).T
    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    planes: dict[str, npt.NDArray[np.int64]] = {}
    for number, name in enumerate(names):
        word, found = re.fullmatch(r"(.*?)(\[\d+\])?", name).groups()  # type: ignore[union-attr]
        places = [numbered.get(f"{word}[{place}]", -1) for place in range(len(grid))]
        if found is None or min(places) < 0:
            planes[name] = np.full(shape, number)
        else:
            planes[word] = np.full(shape, -1)
            planes[word][rows, columns] = places
    return tuple(planes), np.stack(list(planes.values()))
