"""Observations: unsigned integers in columns, from the side of the player who looks, every column described."""

from dataclasses import dataclass

FAR = 255
"""Bounds further away than this look alike."""


@dataclass(frozen=True)
class Column:
    """One column of the observation: integers 0..`high`."""

    name: str
    high: int
    meaning: str


def columns(name: str, number: int, high: int, meaning: str) -> list[Column]:
    """`number` columns `name[0]`, `name[1]`, ... of one kind."""
    return [Column(f"{name}[{index}]", high, meaning) for index in range(number)]
