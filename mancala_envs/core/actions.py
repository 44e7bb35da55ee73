"""Actions as data, from which their names are made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

LOCATED = ("place", "to", "piece")
"""The parameters that people see on the board."""


@dataclass(frozen=True)
class Action:
    """One action.

    Attributes:
        name: What the action does, in words.
        kind: The format string of the name, as in `Actions`.
        place: The place of the board that the action uses, as the player to move counts places; None if it uses none.
        to: The place that the action leads to, counted the same way; None if there is none.
        direction: The direction of the move; None if it has none.
        words: The values of the parameters as the name shows them: places and pieces first, then all others.
    """

    name: str
    kind: str
    place: int | None = None
    to: int | None = None
    direction: str | None = None
    words: tuple[str, ...] = ()


class Actions:
    """The actions of one kind: one for every combination of the values of its parameters.

    The first parameter varies slowest. With eight directions,
    `Actions("move from point {place} {direction}", place=range(49), direction=DIRECTIONS)` has 392 actions.

    Names count places from the lowest one of the kind: `Actions("other hole {place}", place=range(6, 12))` names the
    other holes 0 to 5.

    Args:
        kind: Format string of the names, with the parameters in braces.
        phases: The phases in which such an action can be legal, by number, each with a remark for the game's page or
            "". By default phase 0.
        **about: The values of each parameter. Symmetries of the board map `place`, `to` and `direction`. Any other
            parameter, as in `Actions("throw the {finger}", finger=FINGERS)`, stays the same.
    """

    def __init__(self, kind: str, phases: Mapping[int, str] | None = None, **about: Sequence[Any]) -> None:
        self.kind, self.phases, self.about = kind, {0: ""} if phases is None else phases, about
        self.words = {
            what: [place - min(values) for place in values] if what in ("place", "to") else values
            for what, values in about.items()
        }
        """The values of each parameter as names show them."""

    def __len__(self) -> int:
        return prod(map(len, self.about.values()))

    def __iter__(self) -> Iterator[Action]:
        order = sorted(self.about, key=lambda what: what not in LOCATED)
        for values, words in zip(product(*self.about.values()), product(*self.words.values()), strict=True):
            about, said = (dict(zip(self.about, each, strict=True)) for each in (values, words))
            located = about.get("place"), about.get("to"), about.get("direction")
            yield Action(self.kind.format(**said), self.kind, *located, tuple(str(said[what]) for what in order))
