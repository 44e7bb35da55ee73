"""Observations, actions, drawings, symmetries and checks shared by games on points.

The code of a man is 2 * kind + 1 + player: 1 and 2 are the men of players 0 and 1, 3 and 4 their kings.
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
from mancala_envs.core.symmetry import SQUARE, Turned
from mancala_envs.families.points.board import DIRECTIONS, STEPS, PointBoard

MEN = "ox"
"""The letters of the men of players 0 and 1."""


# Observations and actions.


def board_field(points: int, man: str) -> Field:
    """Return the field `board`; `man` is the game's word for a man."""
    return Field("board", "u1", f"of each point: 0 empty, 1 a {man} of player 0, 2 a {man} of player 1", (points,))


def men_columns(points: int, man: str) -> list[Columns]:
    """Return the columns that `observe_men` writes."""
    return [
        Columns("own_man", 1, f"1 where a {man} of the observing player stands", place=range(points)),
        Columns("other_man", 1, f"1 where a {man} of the other player stands", place=range(points)),
    ]


@rule(inline=True)
def observe_men(s, p, out):
    """Write the men of player p and of the other player."""
    for point in range(len(s.board)):
        out.own_man[point] = s.board[point] == 1 + p
        out.other_man[point] = s.board[point] == 2 - p


@rule(inline=True)
def observe_moving(s, out):
    """Write the point of the man that must continue, if there is one."""
    for point in range(len(s.board)):
        out.moving[point] = s.moving == point


@rule(inline=True)
def turn_round(columns):
    """Reverse the columns of all points, which rotates the board by 180 degrees."""
    last = len(columns) - 1
    for i in range(len(columns) // 2):
        columns[i], columns[last - i] = columns[last - i], columns[i]


def on_points(points: int, what: str, phases: Mapping[int, str]) -> Actions:
    """Return the actions 0..N-1 on a point; `what` is the verb, such as "place on"."""
    return Actions(f"{what} point {{place}}", phases, place=range(points))


def moves(points: int, phases: Mapping[int, str]) -> Actions:
    """Return the moves, numbered 8 * point + direction."""
    return Actions("move from point {place} {direction}", phases, place=range(points), direction=DIRECTIONS)


def half_turn(points: int) -> Turned:
    """Return the numbering of points and directions by player 1, who sees the board rotated by 180 degrees."""
    opposite = {way: DIRECTIONS[(number + 4) % 8] for number, way in enumerate(DIRECTIONS)}
    return Turned(range(points)[::-1], opposite)


# Drawings.


def drawn(
    s: Any,
    board: PointBoard,
    men: str = MEN,
    beside: Sequence[tuple[str, int, int]] = (),
    captions: Sequence[str] = (),
    marked: int = -1,
    squares: bool = False,
    doubled: Sequence[int] = (),
) -> Board:
    """Draw a board of points.

    Args:
        s: the record of the game.
        board: the points and lines.
        men: letters of the men; code c has letter c - 1.
        beside: trays beside the board: label, owner (-1 for none) and number of pieces.
        captions: lines of text below the board.
        marked: point of a man that must continue, -1 for none.
        squares: whether the points are squares of one colour; the diagonals between them are then not drawn.
        doubled: codes of kings, which are drawn as two men.
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
    return Board(trays, heading(s), tuple(captions), int(s.to_move), points, joined)


# Symmetries.


def symmetries(board: PointBoard) -> list[Turned]:
    """Return the rotations and reflections that map the board to itself."""
    found = (laid(board, way) for way in SQUARE[1:])
    return [turned for turned in found if turned]


def laid(board: PointBoard, way: Any) -> Turned | None:
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
    return Turned(points, {name: DIRECTIONS[STEPS.index(image)] for name, image in zip(DIRECTIONS, ways, strict=True)})


# Positions.


def check_men(s: Any, kinds: int = 1) -> None:
    """Check the codes on the board.

    Raises:
        ValueError: if there is no such code.
    """
    require(s.board.max() <= 2 * kinds, f"board must hold 0..{2 * kinds}, got {s.board.tolist()}")


def ways_to_jump(s: Any, board: PointBoard, point: int, prey: int) -> int:
    """Count the directions in which the man on `point` can jump over a man of code `prey`, in plain Python."""
    ways = 0
    for direction, over in enumerate(board.neighbours[point]):
        end = board.neighbours[over, direction]
        ways += bool(min(over, end) >= 0 and s.board[over] == prey and not s.board[end])
    return ways
