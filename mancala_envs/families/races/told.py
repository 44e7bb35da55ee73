"""The words for what the verbs of this family do: throwing, entering, going on, sending back. See core.tale.

Pieces are named by their row, a letter as on the board, and their number in it; places by how far they are.
"""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.rule import Rule
from mancala_envs.core.tale import Tells, Whole
from mancala_envs.families.races.look import LETTERS
from mancala_envs.families.races.together import arrive_together
from mancala_envs.families.races.tracks import WAITING
from mancala_envs.families.races.verbs import arrive, send_back


def race(throw: Rule, names: Sequence[str], last: int) -> Tells:
    """`throw`: the game's; `names`: of the values; `last`: the last place on the track."""

    def throws(before: Any, s: Any) -> str:
        return f"player_{s.to_move} throws {thrown(s, names)}"

    def goes(before: Any, s: Any, k: int, place: int) -> str:
        return moved(before, s, s.to_move % len(s.pieces), k, last)

    return {throw: Whole(throws), arrive: goes, arrive_together: goes, send_back: sends_back}


def thrown(s: Any, names: Sequence[str]) -> str:
    """What may be used of a throw."""
    counted = [(name, count) for name, count in zip(names, s.throws.tolist(), strict=True) if count]
    return ", ".join(name if count == 1 else f"{name} ({count} times)" for name, count in counted) or "nothing"


def moved(before: Any, s: Any, r: int, k: int, last: int) -> str:
    """Where piece k of row r went."""
    start, end = before.pieces[r, k], s.pieces[r, k]
    piece, goal = f"piece {LETTERS[r]}{k}", f"place {end}"
    if start == WAITING:
        return f"{piece} enters on {goal}"
    return f"{piece} goes from place {start} " + ("home" if end > last else f"to {goal}")


def sends_back(before: Any, s: Any, q: int, *_: Any) -> str:
    """Which pieces of row q must wait again."""
    gone = [
        f"{LETTERS[q]}{k} from place {place}"
        for k, place in enumerate(before.pieces[q].tolist())
        if place != WAITING and s.pieces[q, k] == WAITING
    ]
    return "sends back " + ", ".join(gone) if gone else ""
