"""Options, which players agree on before play. Sizes shape the record; the others are fields of it."""

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from mancala_envs.core.arguments import did_you_mean, is_integer, short
from mancala_envs.core.record import Field

LARGEST = 2**31 - 1
MOST_LAPS = 10**6
"""The highest value of an option that limits the laps of a turn. A turn that would never end runs up to the limit, so a
higher one would take too long."""
LARGEST_REAL = float(np.finfo(np.float32).max)
"""The largest float option, because rewards are float32."""


@dataclass(frozen=True)
class Option:
    """An option with its default and the values it allows.

    The record stores a choice as its index and a bool as 0 or 1.

    Attributes:
        name: The name.
        default: The default. If it is a float, every number that float32 can hold is allowed.
        choices: The allowed values; if empty, integers `lowest`..`highest` are allowed.
        lowest: The lowest integer.
        highest: The highest integer.
        size: Whether the option shapes the record. Such an option is a field only if the game lists it among its
            fields, for example because the width of a board does not follow from the length of an array.
        length: If not 0, the value is a tuple or list of this many integers.
        like: Name of an earlier option, whose value is the default instead of `default`; "" for none.
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
        """Whether the value may be a fraction."""
        return isinstance(self.default, float)

    @property
    def allowed(self) -> str:
        """The allowed values in words, for messages and tables."""
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        if self.real:
            return "a number that 32 bits can hold"
        what = f"{self.length} integers" if self.length else "an integer"
        if self.highest == LARGEST:
            return f"{what} of at least {self.lowest}"
        return f"{what} from {self.lowest} to {self.highest}"

    def default_for(self, options: Mapping[str, Any]) -> Any:
        """Return the default, given the values of the options before."""
        return options[self.like] if self.like else self.default

    def check(self, game: str, value: Any) -> Any:
        """Return `value` as a plain Python value, or raise ValueError if it is not allowed."""
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
            too_large = self.highest == LARGEST and is_integer(value) and value > LARGEST
            what = f"at most {LARGEST}" if too_large else self.allowed
            raise ValueError(f"{game}: option {self.name}={short(value)} is not allowed; it must be {what}")
        if self.choices:
            return value
        if self.length:
            return tuple(map(int, value))
        return float(value) if self.real else int(value)

    def _in_range(self, value: Any) -> bool:
        return is_integer(value) and bool(self.lowest <= value <= self.highest)

    def stored(self, value: Any) -> Any:
        """Return the value as the record stores it."""
        return self.choices.index(value) if self.choices else value

    @property
    def field(self) -> Field:
        """The field of the record that stores the option."""
        kind = "u1" if self.choices else "f8" if self.real else "i4"
        return Field(self.name, kind, "the value of the option", (self.length,) if self.length else ())


def resolve(game: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every option, with defaults filled in.

    Raises:
        TypeError: The game has no option of a given name.
        ValueError: A value is not allowed.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            similar = did_you_mean(name, known)
            raise TypeError(f"{game} has no option {short(name)}{similar}; it has {', '.join(sorted(known))}")
    resolved: dict[str, Any] = {}
    for name, option in known.items():
        resolved[name] = option.check(game, given[name] if name in given else option.default_for(resolved))
    return resolved


def require(holds: Any, what: str) -> None:
    """Raise ValueError with the message `what` unless `holds`."""
    if not holds:
        raise ValueError(what)


def parse_value(text: str) -> Any:
    """Return the value of an option that a text such as `4`, `True`, `(1,2)` or `border` stands for.

    A text that is not a Python literal stands for itself.
    """
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return text


@contextmanager
def prefixed(prefix: str) -> Iterator[None]:
    """Put `prefix` before the message of every ValueError raised inside."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{prefix}: {error}") from None
