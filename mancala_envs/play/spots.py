"""Which spots of a board an action concerns, so that it can be chosen there."""

from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board
from mancala_envs.game import Game
from mancala_envs.play.session import Session

Spot = tuple[bool, int]
"""Whether it is a point, and not a place, and its number on the board."""


def touched(session: Session) -> dict[int, frozenset[Spot]]:
    """Every legal action with the spots of the board that it concerns: its hole, or what it changes."""
    game, state = session.game, session.state
    before = game.board(state)
    return {
        action: hole_of(game, state, action) or frozenset(changes(before, session.after(action)))
        for action in session.legal
    }


def hole_of(game: Game, state: States, action: int) -> frozenset[Spot]:
    """The hole that an action of the player to move concerns; none where it concerns no hole."""
    place = game.actions_for(int(state["to_move"][0]))[action].place
    return frozenset() if place is None or "holes" not in game.position_fields else frozenset({(False, place)})


def changes(before: Board, after: Board) -> dict[Spot, int]:
    """Spots that differ, and how many pieces more there are now; stores left out."""
    places = enumerate(zip(before.places, after.places, strict=True))
    points = enumerate(zip(before.points, after.points, strict=True))
    changed = {(False, i): b.pieces - a.pieces for i, (a, b) in places if not a.tray and a.pieces != b.pieces}
    return changed | {(True, i): 0 for i, (a, b) in points if a.men != b.men}
