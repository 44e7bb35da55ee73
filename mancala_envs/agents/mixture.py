"""Opponents of which one is drawn at the start of every episode."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from mancala_envs.agents.agent import Policy, Search


@dataclass(frozen=True)
class Mixture:
    """Opponents of which one is drawn at the start of every episode.

    Attributes:
        opponents: At least one.
        weights: Positive numbers, one for each opponent; by default all are equal.
        numbers: The numbers that `info["opponent"]` reports, by default 0, 1, ...

    Raises:
        ValueError: There are no opponents, a weight is not positive, or there are not as many weights or numbers.
    """

    opponents: tuple["OpponentSpec", ...]
    weights: tuple[float, ...] = ()
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.opponents:
            raise ValueError("a Mixture needs at least one opponent")
        proper = len(self.weights) == len(self.opponents) and all(0 < weight < inf for weight in self.weights)
        if self.weights and not proper:
            raise ValueError(f"weights must be {len(self.opponents)} positive numbers, finite ones, got {self.weights}")
        if self.numbers and len(self.numbers) != len(self.opponents):
            raise ValueError(f"numbers must be {len(self.opponents)}, one for each opponent, got {self.numbers}")


OpponentSpec: TypeAlias = "str | Path | Policy | Search | Mixture | Sequence[OpponentSpec]"


def each(spec: Any, change: Callable[[Any], Any]) -> Any:
    """Return `spec` with `change` applied to every opponent in it, in mixtures and lists too."""
    if isinstance(spec, Mixture):
        return replace(spec, opponents=tuple(each(member, change) for member in spec.opponents))
    if isinstance(spec, list | tuple):
        return [each(member, change) for member in spec]
    return change(spec)
