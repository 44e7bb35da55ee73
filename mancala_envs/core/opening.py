"""Openings: what happens before the first observation, so that agents meet more than one first position."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mancala_envs.core.arguments import States, is_integer, short

LONGEST = 2**31 - 1
"""The maximum number of random decisions of an opening."""

OPENING = 6
"""Number of random decisions before the agents of a match take over, unless the caller says otherwise."""

OPENINGS_TO_LEARN = (0, 10)
"""The range of random decisions at the start of a game that a learner plays."""

EACH_ROUND = 2
"""Number of random decisions at the start of each later round of a campaign, so that agents do not repeat rounds."""

FAIR = "fair"
"""The name of openings that are exact draws, in games that have some (`mancala_envs.evaluation.fair`)."""


class Opening(NamedTuple):
    """How games begin: after random decisions of all players, or from positions. `Engine.opening` makes it.

    Attributes:
        shortest: The minimum number of random decisions; 0 for the usual opening.
        longest: The maximum number.
        positions: (m,) states to draw from; if there are any, there are no random decisions.
    """

    shortest: int
    longest: int
    positions: States

    @property
    def is_usual(self) -> bool:
        """Whether games begin as the rules say."""
        return not (self.longest or len(self.positions))

    def __str__(self) -> str:
        if len(self.positions):
            return f"{len(self.positions)} given position{'s' * (len(self.positions) > 1)}"
        return in_words(self.shortest, self.longest)

    @property
    def too_long(self) -> ValueError:
        """The error if almost no game lasts longer than the opening."""
        return ValueError(f"the game or its first round ends in almost all {self}: choose a shorter opening")


def decisions(given: Any) -> tuple[int, int]:
    """Return the minimum and maximum of a number, or of a range (low, high), of random decisions.

    Raises:
        TypeError: `given` is neither.
        ValueError: A number is out of range, or `low` is above `high`.
    """
    ends = (given, given) if isinstance(given, int | np.integer) else given
    ends = ends.tolist() if isinstance(ends, np.ndarray) else ends
    whole = isinstance(ends, Sequence) and not isinstance(ends, str) and len(ends) == 2
    if not whole or not all(map(is_integer, ends)):
        allowed = "a number of random decisions, a range (low, high) of such numbers, or an array of positions"
        raise TypeError(f"opening must be {allowed}, got {short(given)}")
    low, high = map(int, ends)
    if not 0 <= low <= high <= LONGEST:
        raise ValueError(f"opening must be from 0 to {LONGEST}, a range with low <= high, got {short(given)}")
    return low, high


def in_words(shortest: int, longest: int) -> str:
    """Return a name for openings of `shortest` to `longest` random decisions."""
    if not longest:
        return "the usual opening"
    number = f"{longest}" if shortest == longest else f"{shortest} to {longest}"
    return f"openings of {number} random decision{'s' * (longest > 1)}"


def saved(given: Any) -> int | list[int]:
    """Return a number or a range of random decisions in the form in which JSON files keep it. Raises as `decisions`."""
    low, high = decisions(given)
    return low if low == high else [low, high]
