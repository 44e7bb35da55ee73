"""Two rows of holes on a ring with two stores: numbering, actions and observations.

The numbering is the same in all games, see `docs/conventions.md`, "Players and boards".
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock
from mancala_envs.core.rule import rule
from mancala_envs.core.symmetry import BoardMap


def row_columns(width: int, seeds: int) -> list[Columns]:
    """Return the columns that `observe_rows` writes, with the own row first."""
    return [
        Columns("own_hole", seeds, "seeds in the holes of the own row, left to right", place=range(width)),
        Columns(
            "other_hole",
            seeds,
            "seeds in the holes of the other row, left to right as its player sees it (anticlockwise from the own row)",
            place=range(width, 2 * width),
        ),
        Columns("own_store", seeds, "seeds in the own store"),
        Columns("other_store", seeds, "seeds in the other player's store"),
        *CLOCK,
    ]


ROUNDS_LEFT = Columns("rounds_left", FAR, f"rounds before max_rounds, {FAR} where more; 0 without a campaign")


def lifts(width: int) -> list[Actions]:
    """Return the actions that lift a hole of the player's own row."""
    return [Actions("lift own hole {place}", {0: "counted from the left as its owner sees it"}, place=range(width))]


@rule(inline=True)
def ring_hole(s, p, step):
    """Return the hole `step` holes after the first hole of player p's row."""
    ring = len(s.holes)
    hole = step + ring // 2 if p else step
    return hole - ring if hole >= ring else hole


@rule(inline=True)
def next_on_ring(hole, ring, step):
    """Return the next of `ring` holes; `step` is 1 anticlockwise and -1 clockwise."""
    hole += step
    return 0 if hole == ring else ring - 1 if hole < 0 else hole


def other_side(width: int) -> BoardMap:
    """Return the numbering of holes by player 1, whose own `width` holes come first."""
    return BoardMap([*range(width, 2 * width), *range(width)], {})


@rule(inline=True)
def observe_rows(s, p, max_turns, out):
    """Write the rows and stores from the view of player p."""
    width = len(out.own_hole)
    for step in range(width):
        out.own_hole[step] = s.holes[step + width * p]
        out.other_hole[step] = s.holes[step + width * (1 - p)]
    out.own_store = s.store[p]
    out.other_store = s.store[1 - p]
    observe_clock(s, p, max_turns, out)


@rule(inline=True)
def observe(s, p, out):
    """Write the columns of `observe_rows` only."""
    observe_rows(s, p, s.max_turns, out)


@rule(inline=True)
def rounds_left(s):
    """Return the value of the column `ROUNDS_LEFT`."""
    return min(s.max_rounds - s.round_number, FAR) if s.campaign else 0


@rule
def num_actions(s):
    """Return the number of actions, one for each hole of a row."""
    return len(s.holes) // 2


@rule
def row_begins(s, p):
    """Return the first hole of player p's row."""
    return len(s.holes) // 2 * np.int64(p)


@rule
def own_hole(s, action):
    """Return the hole of the record that is own hole `action` of the player to move."""
    return row_begins(s, s.to_move) + action


@rule
def holds_seeds(s, action):
    """Return whether own hole `action` of the player to move holds seeds: the rule `legal` of many games."""
    return s.holes[own_hole(s, action)] > 0


@rule
def all_seeds(s):
    """Return the number of seeds of a set-up with `seeds` in every hole."""
    return len(s.holes) * s.seeds


def seeds(options: Mapping[str, Any]) -> int:
    """Return `all_seeds` by options."""
    return 2 * int(options["columns"]) * int(options["seeds"])


@rule
def row_is_empty(s, p):
    """Return whether player p's row is empty."""
    width = len(s.holes) // 2
    for hole in range(width * p, width * p + width):
        if s.holes[hole] > 0:
            return False
    return True


@rule
def row_seeds(s, p):
    """Return the number of seeds in player p's row, or in both rows where each player has two."""
    width = len(s.holes) // 2
    seeds = np.int64(0)
    for hole in range(width * p, width * p + width):
        seeds += s.holes[hole]
    return seeds


@rule
def seeds_of_side(s, p):
    """Return the number of seeds in player p's store and row."""
    return np.int64(s.store[p]) + row_seeds(s, p)
