"""Words with which `explain` describes throws, moves and pieces sent back. See core.explanation.

A piece is named by the letter of its row and its number, a place by its number on the track.
"""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.rule import Rule
from mancala_envs.families.races.presentation import LETTERS
from mancala_envs.families.races.together import arrive_together
from mancala_envs.families.races.tracks import WAITING
from mancala_envs.families.races.verbs import arrive, send_back


def race(throw: Rule, names: Sequence[str], last: int) -> Descriptions:
    """Return the words of a race.

    Args:
        throw: the game's rule for throwing.
        names: names of the values.
        last: the last place on the track.
    """

    def throws(before: Any, s: Any) -> str:
        return f"player_{s.to_move} throws {thrown(s, names)}"

    def goes(before: Any, s: Any, k: int, place: int) -> str:
        return moved(before, s, s.to_move % len(s.pieces), k, last)

    return {throw: Summary(throws), arrive: goes, arrive_together: goes, send_back: sends_back}


def thrown(s: Any, names: Sequence[str]) -> str:
    """List the throws to be used."""
    counted = [(name, count) for name, count in zip(names, s.throws.tolist(), strict=True) if count]
    return ", ".join(name if count == 1 else f"{name} ({count} times)" for name, count in counted) or "nothing"


def moved(before: Any, s: Any, r: int, k: int, last: int) -> str:
    """Describe the move of piece k of row r."""
    start, end = before.pieces[r, k], s.pieces[r, k]
    piece, goal = f"piece {LETTERS[r]}{k}", f"place {end}"
    if start == WAITING:
        return f"{piece} enters on {goal}"
    return f"{piece} goes from place {start} " + ("home" if end > last else f"to {goal}")


def sends_back(before: Any, s: Any, q: int, *_: Any) -> str:
    """List the pieces of row q that were sent back."""
    gone = [
        f"{LETTERS[q]}{k} from place {place}"
        for k, place in enumerate(before.pieces[q].tolist())
        if place != WAITING and s.pieces[q, k] == WAITING
    ]
    return "sends back " + ", ".join(gone) if gone else ""
