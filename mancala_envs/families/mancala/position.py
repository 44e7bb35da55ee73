"""Parts of rule books shared by all games with holes and seeds: the record, checks of seeds, and bounds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mancala_envs.core.options import require
from mancala_envs.core.record import HEAD, Field
from mancala_envs.core.rule import rule

MOST_SEEDS = 255
"""Maximum number of seeds in play, because a hole is a byte."""


RING = "seeds in the holes: player 0's row, then player 1's, anticlockwise"
GRID = "seeds in the holes, row by row from the top left"
CAPTURED = "captured seeds, by player"


def fields(
    holes: int, players: int, more: Sequence[Field] = (), where: str = RING, store: str = CAPTURED, kind: str = "u1"
) -> list[Field]:
    """Return the fields of a record: holes, stores, those of every game, and the game's own.

    Args:
        holes: number of holes.
        players: number of players.
        more: the game's own fields.
        where: description of the field `holes`.
        store: description of the field `store`.
        kind: NumPy type of the stores.
    """
    return [Field("holes", "u1", where, (holes,)), Field("store", kind, store, (players,)), *HEAD, *more]


@rule
def num_players(s):
    """Return the number of players, each of whom has a store."""
    return len(s.store)


@rule
def in_store(s, p):
    """Return the number of seeds in player p's store."""
    return np.int64(s.store[p])


def check_capacity(seeds: int) -> None:
    """Check that a hole can hold all seeds of the set-up.

    Raises:
        ValueError: if there are too many seeds.
    """
    require(seeds <= MOST_SEEDS, f"{seeds} seeds in play; at most {MOST_SEEDS} are allowed")


def check_seeds(s: Any, most: int, beside: int = 0) -> None:
    """Check that there are 1 to `most` seeds in holes and stores, plus `beside` seeds elsewhere.

    Raises:
        ValueError: if there are not.
    """
    seeds = int(s.holes.sum()) + int(s.store.sum()) + beside
    require(1 <= seeds <= most, f"the seeds must be 1 to {most} in all, got {seeds}")


def check_hand(s: Any, sowing: int) -> None:
    """Check that a hand holds seeds in phase `sowing`, and in no other.

    Raises:
        ValueError: if it does not.
    """
    allowed = "above 0" if s.phase == sowing else "0"
    require((s.hand > 0) == (s.phase == sowing), f"hand must be {allowed} in phase {s.phase}, got {s.hand}")


def most_decisions(options: Mapping[str, Any], seeds: int = 0) -> int:
    """Return an upper bound on the decisions of a round.

    A turn has one decision. With `seeds`, a turn can have a decision for every seed of every lap.
    """
    if not seeds:
        return int(options["max_turns"])
    return int((options["max_turns"] + 1) * (options["max_laps"] + 1) * (seeds + 2))
