"""Options: what players agree on before play. Sizes shape the record, the rest are fields of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Option:
    """One option: its `default`, and either the `choices` or the range `lowest`..`highest` of integers it allows.

    In the record a choice is its index, a truth value 0 or 1. `size=True`: it shapes the record, and is a
    field only where the record names it, as a board's width that no length tells.
    """

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    lowest: int = 1
    highest: int = LARGEST
    size: bool = False

    @property
    def allowed(self) -> str:
        """What to say to someone who got it wrong."""
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        if self.highest == LARGEST:
            return f"an integer of at least {self.lowest}"
        return f"an integer from {self.lowest} to {self.highest}"

    def check(self, game: str, value: Any) -> Any:
        """`value` in plain Python, or ValueError."""
        if self.choices:
            fits = any(type(value) is type(choice) and value == choice for choice in self.choices)
        else:
            fits = isinstance(value, int | np.integer) and not isinstance(value, bool)
            fits = fits and self.lowest <= value <= self.highest
        if not fits:
            raise ValueError(f"{game}: option {self.name}={value!r} is not allowed; it must be {self.allowed}")
        return value if self.choices else int(value)

    def stored(self, value: Any) -> int:
        """The value as the record holds it."""
        return self.choices.index(value) if self.choices else int(value)

    @property
    def dtype(self) -> str:
        """The record's type for it."""
        return "u1" if self.choices else "i4"


def resolve(game: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option's value, defaults filled in.

    Raises TypeError for a name the game does not have and ValueError for a value it does not allow.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise TypeError(f"{game} has no option {name!r}; it has {', '.join(sorted(known))}")
    return {name: option.check(game, given.get(name, option.default)) for name, option in known.items()}
