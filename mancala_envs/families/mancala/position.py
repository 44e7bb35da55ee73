"""What all games of holes and seeds say of themselves in the same way: their record, their seeds, their length."""

from collections.abc import Mapping, Sequence
from typing import Any

from mancala_envs.core.options import require
from mancala_envs.core.record import HEAD, Field
from mancala_envs.core.rule import rule

MOST_SEEDS = 255
"""A hole is a byte."""


RING = "seeds in the holes: player 0's row, then player 1's, anticlockwise"
GRID = "seeds in the holes, row by row from the top left"
CAPTURED = "captured seeds, by player"


def fields(
    holes: int, players: int, more: Sequence[Field] = (), where: str = RING, store: str = CAPTURED, kind: str = "u1"
) -> list[Field]:
    """The record: seeds in the holes and stores, the head of every game, and a game's own fields.

    `where`, `store`: what the numbers of holes and stores mean; `kind`: the type of those of stores.
    """
    return [Field("holes", "u1", where, (holes,)), Field("store", kind, store, (players,)), *HEAD, *more]


@rule
def num_players(s):
    """Everyone has a store."""
    return len(s.store)


def agree_on_seeds(seeds: int) -> None:
    """ValueError where the set-up has more seeds than a hole can hold."""
    require(seeds <= MOST_SEEDS, f"{seeds} seeds in play; at most {MOST_SEEDS} are allowed")


def check_seeds(s: Any, most: int, beside: int = 0) -> None:
    """ValueError unless there are one to `most` seeds in holes, stores and `beside` them."""
    seeds = int(s.holes.sum()) + int(s.store.sum()) + beside
    require(1 <= seeds <= most, f"the seeds must be 1 to {most} in all, got {seeds}")


def most_decisions(options: Mapping[str, Any], seeds: int = 0) -> int:
    """What no round's decisions exceed: one a turn; with choices inside turns, one for each seed of every lap."""
    if not seeds:
        return int(options["max_turns"])
    return int((options["max_turns"] + 1) * (options["max_laps"] + 1) * (seeds + 2))
