"""Two rows of holes on a ring, and two stores: what players see of them, in columns of the observation.

The numbering of holes is decided here for every game: `docs/conventions.md`, "Players and boards".
"""

import numpy as np

from mancala_envs.core.observation import FAR, Column, columns
from mancala_envs.core.rule import rule


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


@rule(inline=True)
def ring_hole(s, p, step):
    """The hole `step` holes after the first of player p's row, of two."""
    ring = len(s.holes)
    hole = step + ring // 2 if p else step
    return hole - ring if hole >= ring else hole


@rule(inline=True)
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


@rule
def row_begins(s, p):
    """The first hole of player p's row, of two."""
    return len(s.holes) // 2 * np.int64(p)


@rule
def row_is_empty(s, p):
    """Whether player p's row holds no seed."""
    width = len(s.holes) // 2
    for hole in range(width * p, width * p + width):
        if s.holes[hole] > 0:
            return False
    return True
