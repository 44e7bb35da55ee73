"""Spots of a board: the places and points that an action concerns, where people can select it."""

from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board
from mancala_envs.game import Game
from mancala_envs.play.session import Session

Spot = tuple[bool, int]
"""Whether the spot is a point rather than a place, and its number on the board."""


def action_spots(session: Session) -> dict[int, frozenset[Spot]]:
    """Return the spots that each legal action concerns: its hole, or otherwise the spots that it changes."""
    game, state = session.game, session.state
    before = game.board(state)
    return {
        action: hole_spot(game, state, action) or frozenset(changes(before, session.after(action)))
        for action in session.legal
    }


def hole_spot(game: Game, state: States, action: int) -> frozenset[Spot]:
    """Return the hole that an action of the player to move names; an empty set if it names none."""
    place = game.actions_for(int(state["to_move"][0]))[action].place
    return frozenset() if place is None or "holes" not in game.position_fields else frozenset({(False, place)})


def changes(before: Board, after: Board) -> dict[Spot, int]:
    """Compare two boards of a game.

    Args:
        before: the earlier board.
        after: the later board.

    Returns:
        The spots that differ, without stores, with the difference in the number of pieces; 0 for every point.
    """
    places = enumerate(zip(before.places, after.places, strict=True))
    points = enumerate(zip(before.points, after.points, strict=True))
    changed = {(False, i): b.pieces - a.pieces for i, (a, b) in places if not a.tray and a.pieces != b.pieces}
    return changed | {(True, i): 0 for i, (a, b) in points if a.occupants != b.occupants}
