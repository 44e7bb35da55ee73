"""Descriptions with which `explain` describes sowing, capturing and the ledger. See core.explanation.

A `Place` returns the name of a hole, given the record and the hole.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mancala_envs.core.explanation import Description, Descriptions, SmallEvent, Summary
from mancala_envs.core.rule import Rule
from mancala_envs.families.mancala import ledger
from mancala_envs.families.mancala.sow import drop, drop_in_store, lift

Place = Callable[[Any, int], str]


def in_rows(s: Any, hole: int) -> str:
    """Name a hole of two rows from the view of the player to move."""
    row, column = divmod(int(hole), len(s.holes) // 2)
    return f"{'own' if row == s.to_move else 'other'} hole {column}"


def in_grid(s: Any, hole: int) -> str:
    """Name a hole of a grid by its number."""
    return f"hole {hole}"


def whose(s: Any, hole: int) -> str:
    """Name a hole of two rows by its player."""
    row, column = divmod(int(hole), len(s.holes) // 2)
    return f"player_{row}'s hole {column}"


def sowing(place: Place = in_rows, *captures: Rule) -> Descriptions:
    """Return the words for sowing; `captures` are verbs that capture the seeds of a given hole."""

    def lifts(before: Any, s: Any, hole: int) -> str:
        return f"lifts {before.holes[hole]} from {place(before, hole)}" if before.holes[hole] else ""

    def takes(before: Any, s: Any, hole: int) -> str:
        return captured(before, [hole], place)

    return {
        lift: lifts,
        drop: lambda before, s, hole: SmallEvent("sows", place(before, hole)),
        drop_in_store: lambda before, s, p: SmallEvent("sows", "own store" if p == before.to_move else "other store"),
        **dict.fromkeys(captures, Summary(takes)),
    }


def emptied(before: Any, s: Any) -> list[int]:
    """Return the holes that have become empty."""
    holes: list[int] = np.flatnonzero((before.holes > 0) & (s.holes == 0)).tolist()
    return holes


def captured(before: Any, holes: list[int], place: Place = in_rows) -> str:
    """Describe the seeds captured from holes, "" if there are none."""
    taken = [f"{before.holes[hole]} from {place(before, hole)}" for hole in holes if before.holes[hole]]
    return "captures " + ", ".join(taken) if taken else ""


def sets_out(s: Any, p: int) -> str:
    """Describe the row and the store of player p at the start of a round."""
    row = s.holes.reshape(2, -1)[p].tolist()
    rest = f", {s.store[p]} in the store" if s.store[p] else ""
    return f"player_{p} sets out {' '.join(map(str, row))}{rest}"


def both_set_out(before: Any, s: Any, *_: Any) -> str:
    """Describe the rows and stores of both players at the start of a round."""
    return f"{sets_out(s, 0)}; {sets_out(s, 1)}"


def owned_seeds(before: Any, s: Any) -> str:
    """Describe what the players counted at the end of a round."""
    return f"player_0 has {s.seeds_owned[0]} seeds at the end of the round, player_1 {s.seeds_owned[1]}"


# The ledger.


def _repays(before: Any, s: Any) -> str:
    paid = before.store.astype(int) - s.store
    if not paid.any():
        return ""
    return f"player_{paid.argmax()} repays {paid.max()} to player_{paid.argmin()}"


def _nets(before: Any, s: Any) -> str:
    cancelled = int((before.debt - s.debt).sum()) // 2
    return f"mutual debts of {cancelled} cancel" if cancelled else ""


LEDGER: dict[Rule, Description | Summary] = {
    ledger.lend: lambda before, s, lender, p, stones: f"player_{p} borrows {stones} from player_{lender}",
    ledger.repay_one: _repays,
    ledger.net: _nets,
    ledger.sell: lambda before, s, p, hole: f"{whose(s, hole)} is sold to player_{s.sold_to[hole]} for {s.hole_price}",
    ledger.buy_back: lambda before, s, p, hole: (
        f"{whose(s, hole)} is bought back from player_{before.sold_to[hole]} for {s.hole_price}"
    ),
}
