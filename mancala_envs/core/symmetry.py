"""Symmetries: boards that look different and are the same."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]

SQUARE = [np.diag(signs) for signs in product((1, -1), repeat=2)]
SQUARE += [way[::-1] for way in SQUARE]
"""The eight ways to lay a square on itself, as matrices for (rows down, columns right); the first changes nothing."""


@dataclass(frozen=True)
class Renaming:
    """A symmetry of a board, as it changes the names of columns and actions.

    `kinds`: the words that stand before the number of a place; number i becomes `places[i]`. `words`: others that
    change, such as directions.
    """

    kinds: tuple[str, ...]
    places: Sequence[int]
    words: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """`columns` (D,): column i of the image is column `columns[i]`. `actions` (A,): what action a is in the image."""

    columns: Indices
    actions: Indices

    @property
    def sources(self) -> Indices:
        """(A,): which action becomes action a of the image."""
        return np.argsort(self.actions)

    def observe(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """(..., D): the images of `observations`."""
        return observations[..., self.columns]

    def mask(self, masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """(..., A): the images of `masks`."""
        return masks[..., self.sources]


def symmetry(columns: Sequence[str], actions: Sequence[str], renaming: Renaming) -> Symmetry:
    """What the renaming makes of the names of all columns and actions."""
    place = re.compile(rf"\b({'|'.join(renaming.kinds)})([\[ ])(\d+)")
    word = re.compile("|".join(renaming.words) or "(?!)")

    def renamed(names: Sequence[str]) -> Indices:
        numbers = {name: number for number, name in enumerate(names)}
        images = [place.sub(lambda found: f"{found[1]}{found[2]}{renaming.places[int(found[3])]}", n) for n in names]
        return np.array([numbers[word.sub(lambda found: renaming.words[found[0]], image)] for image in images])

    return Symmetry(np.argsort(renamed(columns)), renamed(actions))
