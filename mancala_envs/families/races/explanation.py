"""Descriptions of throws, moves and pieces sent back for `Game.explain`; see `core.explanation`.

A piece is named by the letter of its row and its number, such as "a0", and a place by its number on the track.
"""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.rule import Rule
from mancala_envs.families.races.pairs import arrive_together
from mancala_envs.families.races.presentation import LETTERS
from mancala_envs.families.races.tracks import WAITING
from mancala_envs.families.races.verbs import arrive, send_back


def race(throw: Rule, names: Sequence[str], last: int) -> Descriptions:
    """Return the descriptions of a race's verbs.

    Args:
        throw: The game's rule for throwing.
        names: The names of the values.
        last: The last place on the track, L.
    """

    def throws(before: Any, s: Any) -> str:
        return f"player_{s.to_move} throws {thrown(s, names)}"

    def goes(before: Any, s: Any, k: int, place: int) -> str:
        return moved(before, s, s.to_move % len(s.pieces), k, last)

    return {throw: Summary(throws), arrive: goes, arrive_together: goes, send_back: sends_back}


def thrown(s: Any, names: Sequence[str]) -> str:
    """Return the throws to be used as text, "nothing" if there are none."""
    counted = [(name, count) for name, count in zip(names, s.throws.tolist(), strict=True) if count]
    return ", ".join(name if count == 1 else f"{name} ({count} times)" for name, count in counted) or "nothing"


def moved(before: Any, s: Any, r: int, k: int, last: int) -> str:
    """Describe the move of piece k of row r; `last` is the last place on the track."""
    start, end = before.pieces[r, k], s.pieces[r, k]
    piece, goal = f"piece {LETTERS[r]}{k}", f"place {end}"
    if start == WAITING:
        return f"{piece} enters on {goal}"
    return f"{piece} goes from place {start} " + ("home" if end > last else f"to {goal}")


def sends_back(before: Any, s: Any, q: int, *_: Any) -> str:
    """Describe which pieces of row q were sent back, "" if none were."""
    gone = [
        f"{LETTERS[q]}{k} from place {place}"
        for k, place in enumerate(before.pieces[q].tolist())
        if place != WAITING and s.pieces[q, k] == WAITING
    ]
    return "sends back " + ", ".join(gone) if gone else ""
