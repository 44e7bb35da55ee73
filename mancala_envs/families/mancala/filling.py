"""Campaigns in which players fill their holes with the seeds that they own, for games of two rows.

After a round each player owns what they count, and fills holes with `seeds` each. Holes that a player cannot fill are
closed, that is, out of play for the round; the rest of their seeds are in their store. A player who cannot fill
`houses` holes has lost the campaign.

These rules use the fields `seeds_owned` (2,) and `opener` of the record, and the options `seeds`, `houses`, `first` and
`max_rounds`. Their argument `closed` (2W,) is the field of the record that marks closed holes; each game has its own
name for this field.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mancala_envs.core.options import Option, require
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.rows import next_on_ring, row_begins, seeds_of_side

ALTERNATE, LOSER, WINNER = range(3)
"""Values of the option `first`: who opens a round."""
FIRST = ("alternate", "loser", "winner")

SEEDS_OWNED = Field("seeds_owned", "u1", "what each player counted at the end of the last round", (2,))
OPENER = Field("opener", "u1", "who opened this round")
HOUSES = Option("houses", 1)
MAX_ROUNDS = Option("max_rounds", 30)


# The next hole in play.


@rule(inline=True)
def next_hole(hole, closed, step):
    """Return the next hole that is not closed; `step` is 1 anticlockwise and -1 clockwise."""
    hole = next_on_ring(hole, len(closed), step)
    while closed[hole]:
        hole = next_on_ring(hole, len(closed), step)
    return hole


# The end of a round.


@rule
def next_opener(s, lead):
    """Return who opens the next round; `lead` is player 0's lead in this one. After an even round players alternate."""
    if s.first == ALTERNATE or lead == 0:
        return 1 - s.opener
    winner = 0 if lead > 0 else 1
    return winner if s.first == WINNER else 1 - winner


@rule
def count_round(s):
    """Let the players own what they count: the seeds in their store and row. Return the lead of player 0."""
    for p in range(2):
        s.seeds_owned[p] = seeds_of_side(s, p)
    return np.int64(s.seeds_owned[0]) - np.int64(s.seeds_owned[1])


@rule
def fillable(s, p):
    """Return how many holes player p can fill."""
    return min(len(s.holes) // 2, np.int64(s.seeds_owned[p]) // np.int64(s.seeds))


@rule
def ends_campaign(s):
    """Return whether a player cannot fill `houses` holes, or the last round has been played."""
    return fillable(s, 0) < s.houses or fillable(s, 1) < s.houses or s.round_number >= s.max_rounds


# The set-out.


@rule(inline=True)
def close_unfilled(s, p, closed, from_left):
    """Close the holes that player p cannot fill; the player fills from the left end of the row, or from the right."""
    width = len(s.holes) // 2
    filled = fillable(s, p)
    for n in range(width):
        closed[row_begins(s, p) + (n if from_left else width - 1 - n)] = n >= filled


@rule(inline=True)
def fill(s, closed):
    """Fill all holes that are not closed, and put the rest of the seeds into the stores."""
    for p in range(2):
        s.store[p] = s.seeds_owned[p]
    for hole in range(len(s.holes)):
        s.holes[hole] = 0 if closed[hole] else s.seeds
        s.store[hole // (len(s.holes) // 2)] -= s.holes[hole]


@rule(inline=True)
def open_holes(s, p, closed):
    """Return how many holes of player p's row are not closed."""
    holes = 0
    for n in range(len(s.holes) // 2):
        holes += closed[row_begins(s, p) + n] == 0
    return holes


@rule
def owned_seeds(s, p):
    """Return how many seeds player p had at the last count."""
    return np.int64(s.seeds_owned[p])


@rule
def score(s, p):
    """Return the seeds of player p; in a campaign, those of the last count."""
    return owned_seeds(s, p) if s.campaign else seeds_of_side(s, p)


# Checks of options and positions.


def check_houses(options: Mapping[str, Any]) -> None:
    """Check that a row has `houses` holes.

    Raises:
        ValueError: if a row has fewer holes.
    """
    houses, columns = options["houses"], options["columns"]
    require(houses <= columns, f"houses={houses} is not allowed; a row has {columns} holes")


def check_closed(s: Any, options: Mapping[str, Any], closed: Any, name: str, seeds: int) -> None:
    """Check the closed holes, the opener and the seeds owned in a loaded position.

    Args:
        s: the record of the position.
        options: the options of the game.
        closed: the field of the record that marks closed holes.
        name: the name of this field.
        seeds: number of seeds in the set-up.

    Raises:
        ValueError: if a check fails.
    """
    width = len(s.holes) // 2
    for hole in range(2 * width):
        require(closed[hole] in (0, 1), f"{name} must be 0 or 1 in every hole, got {closed[hole]} in hole {hole}")
        require(not (closed[hole] and s.holes[hole]), f"hole {hole} is out of play ({name} 1) but holds seeds")
    for p in range(2):
        require(open_holes(s, p, closed) > 0, f"{name} must leave player {p} a hole")
    require(s.opener in (0, 1), f"opener must be 0 or 1, got {s.opener}")
    owned = s.seeds_owned.tolist()
    require(1 <= sum(owned) <= seeds, f"seeds_owned must be 1 to {seeds} in all, got {owned}")
    if not options["campaign"] or (s.to_move >= 0 and s.round_number == 1):
        require(owned == [seeds // 2] * 2, f"seeds_owned must be {seeds // 2} each in round 1, got {owned}")
    elif s.to_move >= 0:
        fills = min(fillable(s, 0), fillable(s, 1))
        require(fills >= s.houses, f"seeds_owned must fill houses={s.houses} holes for each player, got {owned}")
