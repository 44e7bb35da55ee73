"""Pairs of holes as inputs of value networks.

Where a sowing begins and ends decides its result, so pairs of holes matter. A network with one small hidden layer
hardly learns that from the holes alone, so it gets an input for each pair.
"""

from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.core.engine import Engine
from mancala_envs.core.rule import rule

SEEDS, OTHERS = 8, 3
"""The highest numbers of seeds, and of other columns of a hole, that count."""
LEVELS = 12
"""The most levels of a hole in new networks, which have a row of weights for each two levels of each pair."""
MOST_LEVELS = 256
"""The most levels of a hole in a file: codes have 16 bits."""
MOST_HOLES = 16
"""Games with more holes have too many pairs."""


class PairsOfLoops(NamedTuple):
    """`HolePairs` as the compiled loops take it, with scratch memory: `found` (H,) holds the level of each hole."""

    columns: npt.NDArray[np.int64]
    highest: npt.NDArray[np.int64]
    levels: npt.NDArray[np.int64]
    number: int
    found: npt.NDArray[np.int64]


@rule
def write_pairs(columns, pairs, out, place):
    """Write the code of every pair of holes in the observation `columns` (D,) into `out` from `place` on."""
    for second in range(len(pairs.columns)):
        combination = np.int64(0)
        for k in range(len(pairs.highest)):
            value = min(np.int64(columns[pairs.columns[second, k]]), pairs.highest[k])
            combination = combination * (pairs.highest[k] + 1) + value
        pairs.found[second] = pairs.levels[combination]
        for first in range(second):
            out[place] = pairs.found[first] * pairs.number + pairs.found[second]
            place += 1


@dataclass(frozen=True)
class HolePairs:
    """The pairs of the holes of a game, each with a code for what both hold.

    A hole has a level: a number for its seeds together with its other columns, such as its owner. The code of a pair is
    that of the first hole times the number of levels, plus that of the second.

    Attributes:
        columns: For each of H holes its K columns of the observation.
        highest: For each of the K columns of a hole the highest value that counts; higher ones count as this one.
        levels: The level of each combination of these values, the last column changing fastest.

    Raises:
        ValueError: The numbers do not fit together.
    """

    columns: tuple[tuple[int, ...], ...]
    highest: tuple[int, ...]
    levels: tuple[int, ...]

    def __post_init__(self) -> None:
        numbers = [*self.highest, *self.levels, *(column for hole in self.columns for column in hole)]
        whole = all(type(number) is int and number >= 0 for number in numbers)
        if not whole or {len(hole) for hole in self.columns} != {len(self.highest)}:
            raise ValueError("the pairs of holes must be numbers, as many for each hole")
        if len(self.levels) != prod(most + 1 for most in self.highest) or self.number > MOST_LEVELS:
            raise ValueError(f"each combination needs a level below {MOST_LEVELS}")

    @property
    def number(self) -> int:
        """The number of levels."""
        return max(self.levels) + 1

    def __len__(self) -> int:
        return len(self.columns) * (len(self.columns) - 1) // 2

    def codes(self, columns: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
        """Return the codes (n, P) of all pairs in observations (n, D)."""
        found = np.array(self.levels)[combinations(columns, np.array(self.columns), self.highest)].astype(np.uint16)
        parts = [found[:, :second] * self.number + found[:, second, None] for second in range(len(self.columns))]
        return np.concatenate(parts, axis=1).astype(np.uint16)

    def of_loops(self) -> PairsOfLoops:
        """Return the pairs for compiled loops."""
        columns, highest, levels = (np.array(each, np.int64) for each in (self.columns, self.highest, self.levels))
        return PairsOfLoops(columns, highest, levels, self.number, np.zeros(len(self.columns), np.int64))


_NONE = np.zeros(0, np.int64)
NO_PAIRS = PairsOfLoops(np.zeros((0, 0), np.int64), _NONE, _NONE, 0, _NONE)
"""The pairs of a network that reads none, for compiled loops."""


def hole_pairs(game: Engine, observations: npt.NDArray[Any]) -> HolePairs | None:
    """Return the pairs of the holes of a game, None if it has no holes or more than MOST_HOLES.

    Args:
        game: The game.
        observations: (n, D) observations. The most frequent combinations of a hole get a level of their own; the last
            level is for all others.
    """
    columns = holes_of(game)
    if not 2 <= len(columns) <= MOST_HOLES:
        return None
    high = np.array([column.high for column in game.observation_fields])[columns].max(axis=0)
    highest = tuple(min(int(most), OTHERS if k else SEEDS) for k, most in enumerate(high))
    numbers = np.bincount(combinations(observations, columns, highest).ravel(), minlength=prod(m + 1 for m in highest))
    order = np.argsort(-numbers, kind="stable")[: LEVELS - 1]
    levels = np.full(len(numbers), min(len(numbers), LEVELS) - 1)
    levels[order] = np.arange(len(order))
    return HolePairs(tuple(map(tuple, columns.tolist())), highest, tuple(levels.tolist()))


def holes_of(game: Engine) -> npt.NDArray[np.int64]:
    """Return the columns (H, K) of each hole of a game: its seeds, then those of other arrays with as many columns."""
    arrays: dict[str, list[int]] = {}
    for place, column in enumerate(game.observation_fields):
        if "[" in column.name:
            arrays.setdefault(column.name.partition("[")[0], []).append(place)
    seeds = arrays.pop("hole", None) or arrays.pop("own_hole", []) + arrays.pop("other_hole", [])
    others = [places for places in arrays.values() if len(places) == len(seeds)]
    return np.array([seeds, *others], np.int64).T


def combinations(
    columns: npt.NDArray[Any], holes: npt.NDArray[np.int64], highest: tuple[int, ...]
) -> npt.NDArray[np.int64]:
    """Return the numbers (n, H) of the combinations of all holes in observations (n, D), see `HolePairs.levels`."""
    found = np.zeros((len(columns), len(holes)), np.int64)
    for k, most in enumerate(highest):
        found = found * (most + 1) + np.minimum(columns[:, holes[:, k]], most)
    return found
