"""Actions: what each does, as data, and its name in words made from that."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any


@dataclass(frozen=True)
class Action:
    """One action. `kind`: the name with what differs left open, as in `Actions`.

    `place`: the place of the board that it concerns, and `to`, the one that it leads to, as the player to move counts
    them; `direction`: of a move. None where the name speaks of none.
    """

    name: str
    kind: str
    place: int | None = None
    to: int | None = None
    direction: str | None = None


class Actions:
    """Actions of one kind, one for every combination of what they are about; what is named first varies slowest.

    `Actions("move from point {place} {direction}", place=range(49), direction=DIRECTIONS)` are 392 of them. Symmetries
    turn `place`, `to` and `direction`; other words, as in `Actions("throw the {finger}", finger=FINGERS)`, are free.
    Names count places from the first one of the kind: `Actions("other hole {place}", place=range(6, 12))` are six
    other holes, 0 to 5.

    `phases`: the numbers of the phases in which such an action can be legal, and what there is to say of it there.
    """

    def __init__(self, kind: str, phases: Mapping[int, str] | None = None, **about: Sequence[Any]) -> None:
        self.kind, self.phases, self.about = kind, {0: ""} if phases is None else phases, about
        self.words = {
            what: [place - min(values) for place in values] if what in ("place", "to") else values
            for what, values in about.items()
        }
        """What names say of it."""

    def __len__(self) -> int:
        return prod(map(len, self.about.values()))

    def __iter__(self) -> Iterator[Action]:
        for values, words in zip(product(*self.about.values()), product(*self.words.values()), strict=True):
            about = dict(zip(self.about, values, strict=True))
            name = self.kind.format(**dict(zip(self.about, words, strict=True)))
            yield Action(name, self.kind, about.get("place"), about.get("to"), about.get("direction"))
