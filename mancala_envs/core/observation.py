"""Observations: unsigned integers in columns, from the side of the player who looks, every column described."""

from dataclasses import dataclass

import numpy as np

from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.words import row_of

_S8, _S16, _S24, _BYTE = np.uint64(8), np.uint64(16), np.uint64(24), np.uint64(255)

FAR = 255
"""Bounds further away than this look alike."""


@dataclass(frozen=True)
class Column:
    """One column of the observation: integers 0..`high`."""

    name: str
    high: int
    meaning: str


def columns(name: str, count: int, high: int, meaning: str) -> list[Column]:
    """`count` columns `name[0]`, `name[1]`, ... of one kind."""
    return [Column(f"{name}[{index}]", high, meaning) for index in range(count)]


def row_columns(width: int, seeds: int) -> list[Column]:
    """The columns that `observe_rows` writes."""
    return [
        *columns("own_hole", width, seeds, "seeds in the observing player's row, left to right"),
        *columns("other_hole", width, seeds, "seeds in the other row, left to right as its player sees it"),
        Column("own_store", seeds, "seeds in the observing player's store"),
        Column("other_store", seeds, "seeds in the other player's store"),
        Column("to_move", 1, "1 when the observing player decides now"),
        Column("over", 1, "1 when the game is over"),
        Column("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
    ]


@rule
def nothing_hidden(s, p):
    """For games in which everybody sees everything."""


@inlined_rule
def ring_hole(s, p, step):
    """The hole `step` holes after the first of player p's row, of two."""
    ring = len(s.holes)
    hole = step + ring // 2 if p else step
    return hole - ring if hole >= ring else hole


@inlined_rule
def observe_rows(s, p, max_turns, out):
    """Two rows and two stores as player p sees them; returns the number of columns written."""
    ring = len(s.holes)
    for step in range(ring):
        out[step] = s.holes[ring_hole(s, p, step)]
    out[ring] = s.store[p]
    out[ring + 1] = s.store[1 - p]
    out[ring + 2] = s.to_move == p
    out[ring + 3] = s.to_move < 0
    out[ring + 4] = min(max_turns - s.turn, FAR)
    return ring + 5


@inlined_rule
def seen_words(low, high, mover, p, width):
    """All but the last column of `observe_rows` as two words, from the first two of the record; 4 to 6 columns."""
    own, other = row_of(low, high, width, p), row_of(low, high, width, 1 - p)
    stores = high >> np.uint64(16 * width - 64)
    own_store, other_store = stores >> np.uint64(8 * p) & _BYTE, stores >> np.uint64(8 - 8 * p) & _BYTE
    rest = own_store | other_store << _S8 | np.uint64(mover == p) << _S16 | np.uint64(mover < 0) << _S24
    return (
        own | other << np.uint64(8 * width),
        other >> np.uint64(64 - 8 * width) | rest << np.uint64(16 * width - 64),
    )
