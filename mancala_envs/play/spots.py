"""Which spots of a board an action concerns, so that it can be chosen there."""

import re

from mancala_envs.core.board import Board
from mancala_envs.play.session import Session

Spot = tuple[bool, int]
"""Whether it is a point, and not a place, and its number on the board."""


def touched(session: Session) -> dict[int, frozenset[Spot]]:
    """Every legal action with the spots of the board that it concerns: the hole it names, or what it changes."""
    before = session.game.board(session.state)
    found = {}
    for action in session.legal:
        spots = named_hole(before, session.names[action], session.mover)
        found[action] = spots or frozenset(changes(before, session.after(action)))
    return found


def named_hole(board: Board, name: str, mover: int) -> frozenset[Spot]:
    """The hole of which a name speaks, `own hole 3` in the row of `mover`; none if it speaks of no hole."""
    words = re.search(r"\b(own|other)?(?: row)? ?\bhole (\d+)", name)
    if not words:
        return frozenset()
    holes = [i for i, place in enumerate(board.places) if not place.tray and place.label == words[2]]
    # Of two rows the lower one, player 0's, comes first.
    row = mover if words[1] == "own" else 1 - mover
    return frozenset({(False, holes[row] if len(holes) == 2 else holes[0])}) if holes else frozenset()


def changes(before: Board, after: Board) -> dict[Spot, int]:
    """Spots that differ, and how many pieces more there are now; stores left out."""
    places = enumerate(zip(before.places, after.places, strict=True))
    points = enumerate(zip(before.points, after.points, strict=True))
    changed = {(False, i): b.pieces - a.pieces for i, (a, b) in places if not a.tray and a.pieces != b.pieces}
    return changed | {(True, i): 0 for i, (a, b) in points if a.men != b.men}
