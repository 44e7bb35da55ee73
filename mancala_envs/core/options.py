"""Options: what players agree on before play. Sizes shape the record, the rest are fields of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from mancala_envs.core.record import Field

LARGEST = 2**31 - 1
MOST_LAPS = 10**6
"""Of a turn: a move that never ends takes so long that nobody would wait longer for it."""
LARGEST_REAL = float(np.finfo(np.float32).max)
"""Rewards are of 32 bits."""


@dataclass(frozen=True)
class Option:
    """One option: its `default`, and either the `choices` or the range `lowest`..`highest` of integers it allows.

    A float as default allows every number of 32 bits. In the record a choice is its index, a truth value 0 or 1.
    `size=True`: it shapes the record, and is a field only where the record names it, as a board's width that no length
    tells. `length`: it is a tuple or list of so many integers. `like`: the option before it whose value is the default.
    """

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    lowest: int = 1
    highest: int = LARGEST
    size: bool = False
    length: int = 0
    like: str = ""

    @property
    def real(self) -> bool:
        """Whether it is a number that need not be whole."""
        return isinstance(self.default, float)

    @property
    def allowed(self) -> str:
        """What to say to someone who got it wrong."""
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        if self.real:
            return "a number that 32 bits can hold"
        what = f"{self.length} integers" if self.length else "an integer"
        if self.highest == LARGEST:
            return f"{what} of at least {self.lowest}"
        return f"{what} from {self.lowest} to {self.highest}"

    def usual(self, agreed: Mapping[str, Any]) -> Any:
        """The default, beside the other options' values."""
        return agreed[self.like] if self.like else self.default

    def check(self, game: str, value: Any) -> Any:
        """`value` in plain Python, or ValueError."""
        if self.choices:
            fits = any(type(value) is type(choice) and value == choice for choice in self.choices)
        elif self.length:
            fits = isinstance(value, tuple | list) and len(value) == self.length and all(map(self._in_range, value))
        elif self.real:
            fits = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
            fits = fits and abs(value) <= LARGEST_REAL
        else:
            fits = self._in_range(value)
        if not fits:
            raise ValueError(f"{game}: option {self.name}={value!r} is not allowed; it must be {self.allowed}")
        if self.choices:
            return value
        if self.length:
            return tuple(map(int, value))
        return float(value) if self.real else int(value)

    def _in_range(self, value: Any) -> bool:
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole and bool(self.lowest <= value <= self.highest)

    def stored(self, value: Any) -> Any:
        """The value as the record holds it."""
        return self.choices.index(value) if self.choices else value

    @property
    def field(self) -> Field:
        """The record's field for it."""
        kind = "u1" if self.choices else "f8" if self.real else "i4"
        return Field(self.name, kind, "what was agreed on", (self.length,) if self.length else ())


def resolve(game: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option's value, defaults filled in.

    Raises TypeError for a name the game does not have and ValueError for a value it does not allow.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise TypeError(f"{game} has no option {name!r}; it has {', '.join(sorted(known))}")
    agreed: dict[str, Any] = {}
    for name, option in known.items():
        agreed[name] = option.check(game, given[name] if name in given else option.usual(agreed))
    return agreed


def require(holds: Any, what: str) -> None:
    """Raise ValueError with the message `what` unless `holds`."""
    if not holds:
        raise ValueError(what)


@contextmanager
def prefixed(prefix: str) -> Iterator[None]:
    """Put `prefix` before the message of every ValueError raised inside."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{prefix}: {error}") from None
