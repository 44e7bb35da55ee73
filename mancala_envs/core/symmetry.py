"""Symmetries: maps of the board onto itself, and what they do to observations and actions."""

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
"""The eight symmetries of a square, as matrices for (row, column); the first is the identity."""


@dataclass(frozen=True)
class BoardMap:
    """A symmetry of the board.

    Attributes:
        places: Place i is mapped to `places[i]`.
        directions: Direction d is mapped to `directions[d]`; directions that are not listed stay.
    """

    places: Sequence[int]
    directions: Mapping[str, str]

    def image(self, what: str, value: Any) -> Any:
        """Return the image of a value of the parameter `what` of actions or columns."""
        if what in ("place", "to"):
            return self.places[value]
        return self.directions.get(value, value) if what == "direction" else value

    def actions(self, kind: Actions) -> Actions:
        """Return the images of the actions of one kind."""
        about = {what: [self.image(what, value) for value in values] for what, values in kind.about.items()}
        return Actions(kind.kind, kind.phases, **about)


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of the board as a map of columns and actions.

    Attributes:
        columns: (D,) int64; column i of the image of an observation is column `columns[i]` of the observation.
        actions: (A,) int64; the image of action a is `actions[a]`.
    """

    columns: Indices
    actions: Indices

    @property
    def sources(self) -> Indices:
        """The inverse of `actions`, (A,) int64."""
        return np.argsort(self.actions)

    def observe(self, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the images of observations (..., D)."""
        return observations[..., self.columns]

    def mask(self, masks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the images of action masks (..., A)."""
        return masks[..., self.sources]


def symmetry(columns: Sequence[Columns], actions: Sequence[Actions], turned: BoardMap) -> Symmetry:
    """Return the map of all columns and actions under a symmetry of the board."""
    return Symmetry(np.argsort(_images(columns, turned)), _images(actions, turned))


def _images(kinds: Sequence[Columns] | Sequence[Actions], turned: BoardMap) -> Indices:
    """The index of the image of each column or action, (N,)."""
    images: list[Indices] = []
    first = 0
    for kind in kinds:
        values = kind.about.items()
        numbers = first + np.arange(len(kind)).reshape([len(each) for _, each in values])
        turns = [[each.index(turned.image(what, value)) for value in each] for what, each in values]
        images.append(numbers[np.ix_(*turns)].ravel())
        first += len(kind)
    return np.concatenate(images)
