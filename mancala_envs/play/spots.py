"""Spots of a board: the places and points that an action concerns, where people can select it."""

from typing import NamedTuple

from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board, Point
from mancala_envs.game import Game
from mancala_envs.play.session import Session
from mancala_envs.render.layout import men_on

Spot = tuple[bool, int]
"""Whether the spot is a point rather than a place, and its number on the board, in `Board.places` or `Board.spots`."""
NOWHERE = frozenset[Spot]()


class ActionSpots(NamedTuple):
    """The spots that an action concerns.

    Attributes:
        start: The hole that it lifts, or the points that its pieces leave.
        end: The points that its pieces reach; without pieces that move, the spots that it changes.
    """

    start: frozenset[Spot]
    end: frozenset[Spot]

    @property
    def all(self) -> frozenset[Spot]:
        """The spots that select the action."""
        return self.start | self.end

    def offered(self, picked: frozenset[Spot]) -> frozenset[Spot]:
        """Return the spots to show to people who have picked these spots: where it starts, then where it leads."""
        return self.start if self.start.isdisjoint(picked) and self.start else self.end - picked


def action_spots(session: Session) -> dict[int, ActionSpots]:
    """Return the spots of each legal action."""
    return {action: spots_of(session, action) for action in session.legal}


def spots_of(session: Session, action: int) -> ActionSpots:
    """Return the spots of a legal action."""
    hole = hole_spot(session.game, session.state, action)
    if hole:
        return ActionSpots(hole, NOWHERE)
    before, after, own = session.game.board(session.state), session.after(action), own_row(session)
    moved = {
        (True, number): count_of(end, own) - count_of(begin, own)
        for number, (begin, end) in enumerate(zip(before.spots, after.spots, strict=True))
    }
    start, end = (frozenset(spot for spot, more in moved.items() if more * sign > 0) for sign in (-1, 1))
    if end:
        return ActionSpots(start, end)
    place = session.game.actions_for(session.mover)[action].place
    if place is not None and before.points and count_of(before.points[place], own):  # It jumps all the way round.
        return ActionSpots(frozenset({(True, place)}), NOWHERE)
    return ActionSpots(NOWHERE, frozenset(changes(before, after)))


def own_row(session: Session) -> int:
    """Return the player as whose the board draws the pieces of the player to move; partners can share a row."""
    state = session.state
    return session.mover % state["pieces"].shape[1] if "pieces" in session.game.position_fields else session.mover


def count_of(point: Point, player: int) -> int:
    """Return how many pieces of a player stand on a point."""
    return [owner for _, owner in men_on(point)].count(player)


def hole_spot(game: Game, state: States, action: int) -> frozenset[Spot]:
    """Return the hole that an action of the player to move names; an empty set if it names none."""
    place = game.actions_for(int(state["to_move"][0]))[action].place
    return NOWHERE if place is None or "holes" not in game.position_fields else frozenset({(False, place)})


def changes(before: Board, after: Board, stores: bool = False) -> dict[Spot, int]:
    """Compare two boards of a game.

    Args:
        before: the earlier board.
        after: the later board.
        stores: whether to include stores.

    Returns:
        The spots that differ, with the difference in the number of pieces; 0 for every point.
    """
    places = enumerate(zip(before.places, after.places, strict=True))
    points = enumerate(zip(before.spots, after.spots, strict=True))
    changed = {
        (False, i): b.pieces - a.pieces for i, (a, b) in places if (stores or not a.tray) and a.pieces != b.pieces
    }
    return changed | {(True, i): 0 for i, (a, b) in points if a.occupants != b.occupants}
