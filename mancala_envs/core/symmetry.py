"""Symmetries: boards that look different and are the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.core.actions import Actions
from mancala_envs.core.observation import Columns

Indices = npt.NDArray[np.int64]

SQUARE = [np.diag(signs) for signs in product((1, -1), repeat=2)]
SQUARE += [way[::-1] for way in SQUARE]
"""The eight ways to lay a square on itself, as matrices for (rows down, columns right); the first changes nothing."""


@dataclass(frozen=True)
class Turned:
    """A board laid on itself: place i becomes `places[i]`, and direction d `directions[d]`, or stays."""

    places: Sequence[int]
    directions: Mapping[str, str]

    def image(self, what: str, value: Any) -> Any:
        """What becomes of a value that actions or columns are about."""
        if what in ("place", "to"):
            return self.places[value]
        return self.directions.get(value, value) if what == "direction" else value

    def actions(self, kind: Actions) -> Actions:
        """The images of actions of one kind."""
        about = {what: [self.image(what, value) for value in values] for what, values in kind.about.items()}
        return Actions(kind.kind, kind.phases, **about)


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


def symmetry(columns: Sequence[Columns], actions: Sequence[Actions], turned: Turned) -> Symmetry:
    """What becomes of all columns and actions when the board is laid on itself."""
    return Symmetry(np.argsort(_images(columns, turned)), _images(actions, turned))


def _images(kinds: Sequence[Columns] | Sequence[Actions], turned: Turned) -> Indices:
    """(N,): which number each of the N columns or actions has in the image."""
    images: list[Indices] = []
    first = 0
    for kind in kinds:
        values = kind.about.items()
        numbers = first + np.arange(len(kind)).reshape([len(each) for _, each in values])
        turns = [[each.index(turned.image(what, value)) for value in each] for what, each in values]
        images.append(numbers[np.ix_(*turns)].ravel())
        first += len(kind)
    return np.concatenate(images)
