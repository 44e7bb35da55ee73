"""What games on points look like: columns of the observation, names of actions, drawings, symmetries, positions.

Codes of men: 2 * kind + 1 + player, so 1 and 2 are the men of players 0 and 1, 3 and 4 their kings.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from mancala_envs.core.board import Board, Place, Point, heading
from mancala_envs.core.observation import FAR, Column, columns
from mancala_envs.core.options import require
from mancala_envs.core.rule import rule
from mancala_envs.core.symmetry import SQUARE, Renaming
from mancala_envs.families.points.board import DIRECTIONS, STEPS, PointBoard

KINDS = ("man", "king")
PLACE_WORDS = ("point", "moving", *(f"{side}_{kind}" for side in ("own", "other") for kind in KINDS))
"""What stands before the number of a point in the names of columns and actions."""
MEN = "ox"
"""The letters of the men of players 0 and 1."""


# What players see.


def men_columns(points: int, kinds: int = 1) -> list[Column]:
    """The columns that `observe_men` writes."""
    men = [
        column
        for kind in KINDS[:kinds]
        for side, whose in (("own", "the observing player"), ("other", "the other player"))
        for column in columns(f"{side}_{kind}", points, 1, f"1 where a {kind} of {whose} stands")
    ]
    return [
        *men,
        Column("to_move", 1, "1 when the observing player decides now"),
        Column("over", 1, "1 when the game is over"),
        Column("turns_left", FAR, f"turns before max_turns, {FAR} where more"),
    ]


@rule(inline=True)
def observe_men(s, p, kinds, out):
    """The men of each kind, the own and the other's, and how the game stands; returns the number of columns written."""
    points = len(s.board)
    at = 0
    for kind in range(kinds):
        own = 2 * kind + 1 + p
        other = 2 * kind + 2 - p
        for point in range(points):
            out[at + point] = s.board[point] == own
            out[at + points + point] = s.board[point] == other
        at += 2 * points
    out[at] = s.to_move == p
    out[at + 1] = s.to_move < 0
    out[at + 2] = min(s.max_turns - s.turn, FAR)
    return at + 3


@rule(inline=True)
def turn_round(out, first, points):
    """The columns of all points, from number `first` on, in the opposite order: the board after half a turn."""
    last = first + points - 1
    for i in range(points // 2):
        out[first + i], out[last - i] = out[last - i], out[first + i]


def phase_columns(phases: Mapping[int, str]) -> list[Column]:
    """One column a phase."""
    return [Column(f"phase_{phase}", 1, f"1 when the decision is to {what}") for phase, what in phases.items()]


def action_names(points: int, to_point: str) -> list[str]:
    """0..N-1 do something to a point, in words `to_point`; N + 8 * point + direction move."""
    return [*(f"{to_point} point {point}" for point in range(points)), *move_names(points)]


def move_names(points: int, player: int = 0) -> list[str]:
    """8 * point + direction move; those of player 1 are numbered by the board after half a turn."""
    places, ways = list(range(points)), list(DIRECTIONS)
    if player == 1:
        places, ways = places[::-1], ways[4:] + ways[:4]
    return [f"move from point {point} {direction}" for point in places for direction in ways]


# What people see.


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
    """The board; code c is drawn as letter c - 1 of `men`. `marked`: the point of a man who must go on.

    `beside`: what lies beside the board, in words, whose it is (-1 nobody's), and how many there are. `squares`: the
    points are squares of one colour, and the lines, which lead aslant, are not drawn. `doubled`: the codes of men upon
    others.
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


def symmetries(board: PointBoard) -> list[Renaming]:
    """The turns and reflections of the square that lay the board, points and lines, on itself."""
    found = (laid(board, way) for way in SQUARE[1:])
    return [renaming for renaming in found if renaming]


def laid(board: PointBoard, way: Any) -> Renaming | None:
    """The board laid on itself by one of the ways of `SQUARE`; None where that makes another board."""
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
    words = {
        name: DIRECTIONS[STEPS.index(tuple((way @ step).tolist()))]
        for name, step in zip(DIRECTIONS, STEPS, strict=True)
    }
    # Long words first: "north" must not be found in "north-east".
    return Renaming(PLACE_WORDS, points, {name: words[name] for name in sorted(words, key=len, reverse=True)})


# Positions.


def check_men(s: Any, kinds: int = 1) -> None:
    """ValueError where a code of the board is none."""
    require(s.board.max() <= 2 * kinds, f"board must hold 0..{2 * kinds}, got {s.board.tolist()}")


def ways_to_jump(s: Any, board: PointBoard, point: int, prey: int) -> int:
    """In how many directions the man on `point` can jump over a man of code `prey`; `verbs.jumps_from` in Python."""
    ways = 0
    for direction, over in enumerate(board.neighbours[point]):
        end = board.neighbours[over, direction]
        ways += bool(min(over, end) >= 0 and s.board[over] == prey and not s.board[end])
    return ways
