"""Observations, actions, drawings, symmetries and checks shared by games on points.

A code says which piece stands on a point: 2 * kind + 1 + player, so 1 and 2 are the men of players 0 and 1, and 3 and 4
are their kings; 0 means that the point is empty.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Place, Point, heading
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import require
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.core.symmetry import SQUARE, BoardMap
from mancala_envs.families.points.board import DIRECTIONS, STEPS, PointBoard

MEN = "ox"
"""The letters of the men of players 0 and 1."""


# Observations and actions.


def board_field(points: int, man: str) -> Field:
    """Return the field `board`.

    Args:
        points: The number of points.
        man: The game's word for a piece, such as "soldier".
    """
    return Field("board", "u1", f"of each point: 0 empty, 1 a {man} of player 0, 2 a {man} of player 1", (points,))


def men_columns(points: int, man: str) -> list[Columns]:
    """Return the columns that `observe_men` writes; for the arguments see `board_field`."""
    return [
        Columns("own_man", 1, f"1 where a {man} of the observing player stands", place=range(points)),
        Columns("other_man", 1, f"1 where a {man} of the other player stands", place=range(points)),
    ]


@rule(inline=True)
def observe_men(s, p, out):
    """Write where the men of player p and of the other player stand."""
    for point in range(len(s.board)):
        out.own_man[point] = s.board[point] == 1 + p
        out.other_man[point] = s.board[point] == 2 - p


@rule(inline=True)
def observe_moving(s, out):
    """Write on which point the man stands that goes on in this turn, if any."""
    for point in range(len(s.board)):
        out.moving[point] = s.moving == point


@rule(inline=True)
def reverse(columns):
    """Reverse the columns of all points, which rotates the board by 180 degrees."""
    last = len(columns) - 1
    for i in range(len(columns) // 2):
        columns[i], columns[last - i] = columns[last - i], columns[i]


def on_points(points: int, what: str, phases: Mapping[int, str]) -> Actions:
    """Return the actions on a point, numbered as the points.

    Args:
        points: The number of points.
        what: The verb, such as "place on".
        phases: Phases in which the actions can be legal, with remarks; see `Actions`.
    """
    return Actions(f"{what} point {{place}}", phases, place=range(points))


def moves(points: int, phases: Mapping[int, str]) -> Actions:
    """Return the moves from a point in a direction, numbered 8 * point + direction; see `on_points`."""
    return Actions("move from point {place} {direction}", phases, place=range(points), direction=DIRECTIONS)


def half_turn(points: int) -> BoardMap:
    """Return the numbering of points and directions by player 1, who sees the board rotated by 180 degrees."""
    opposite = {way: DIRECTIONS[(number + 4) % 8] for number, way in enumerate(DIRECTIONS)}
    return BoardMap(range(points)[::-1], opposite)


# Drawings.


def draw_points(
    s: Any,
    board: PointBoard,
    men: str = MEN,
    beside: Sequence[tuple[str, int, int]] = (),
    marked: int = -1,
    squares: bool = False,
    doubled: Sequence[int] = (),
) -> Board:
    """Draw a board of points.

    Args:
        s: The record of the game.
        board: The points and lines.
        men: The letters of the pieces; code c has letter c - 1.
        beside: Trays beside the board: label, owner (-1 for none) and number of pieces.
        marked: The point of the piece that goes on in this turn, -1 for none.
        squares: Whether the points are squares of one colour; the diagonals between them are then not drawn.
        doubled: The codes of kings, which are drawn as two men.
    """
    points = tuple(
        Point(
            *(column, row, str(point)),
            men[code - 1] if code else "",
            (code - 1) % 2 if code else -1,
            marked=point == marked,
            square=squares,
            doubled=code in doubled,
        )
        for point, (code, (row, column)) in enumerate(zip(s.board.tolist(), board.places, strict=True))
    )
    trays = tuple(Place(x, 0.0, number, what, owner, tray=True) for x, (what, owner, number) in enumerate(beside))
    joined = () if squares else tuple(pair for line in board.lines for pair in pairwise(line))
    return Board(trays, heading(s), (), int(s.to_move), points, joined)


# Symmetries.


def symmetries(board: PointBoard) -> list[BoardMap]:
    """Return the rotations and reflections that map the board to itself."""
    found = (symmetry_of(board, way) for way in SQUARE[1:])
    return [image for image in found if image]


def symmetry_of(board: PointBoard, way: Any) -> BoardMap | None:
    """Return the symmetry described by a matrix of `SQUARE`, None if it does not map the board to itself."""
    places = np.array(board.places)
    middle = places.min(axis=0) + places.max(axis=0)
    images = [tuple(image) for image in (((2 * places - middle) @ way.T + middle) / 2).tolist()]
    numbers = {place: point for point, place in enumerate(board.places)}
    if set(images) != set(numbers):
        return None
    points = [numbers[image] for image in images]
    lines = {frozenset(line) for line in board.lines}
    if {frozenset(points[point] for point in line) for line in lines} != lines:
        return None
    ways = [tuple((way @ step).tolist()) for step in STEPS]
    return BoardMap(
        points, {name: DIRECTIONS[STEPS.index(image)] for name, image in zip(DIRECTIONS, ways, strict=True)}
    )


# Positions.


def check_men(s: Any) -> None:
    """Check the codes on the board of a game with one kind of pieces.

    Raises:
        ValueError: If there is a code that no piece has.
    """
    require(s.board.max() <= 2, f"board must hold 0..2, got {s.board.tolist()}")
