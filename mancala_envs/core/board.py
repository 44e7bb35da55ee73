"""What a board looks like, as plain data: a game describes it, `render` draws it as text, as a picture or as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where pieces lie. `x`, `y` are its centre in widths of a place, y downwards; a tray may be `height` rows long."""

    x: float
    y: float
    pieces: int
    """How many. It may be below 0 in a tray, where somebody owes pieces; then only the number is drawn."""
    label: str = ""
    owner: int = -1
    """Player whose colour the rim has; -1 none."""
    mark: int = -1
    """Player whose colour fills the place, which he captured, say; -1 none."""
    height: float = 1.0
    tray: bool = False
    """Beside the board, for what a player has put aside."""
    large: int = 0
    """Large pieces, besides the others."""
    blind: bool = False
    """Out of play: drawn filled up."""


@dataclass(frozen=True)
class Point:
    """Where one man may stand: a point on which lines meet, or a square. `x`, `y`: column and row, y downwards."""

    x: float
    y: float
    label: str = ""
    man: str = ""
    """The letter of the man who stands there, "" for nobody."""
    player: int = -1
    """Whose man he is; his colour."""
    marked: bool = False
    """Of the last move, say, or where a man stands who must go on."""
    square: bool = False
    """Drawn as a square: all squares together make a chequered board."""
    cell: bool = False
    """Drawn as a cell with its outline, on which several pieces may stand."""
    crossed: bool = False
    """Of a cell: marked by its diagonals."""
    others: tuple[tuple[str, int], ...] = ()
    """The letters and players of further pieces beside `man`."""
    doubled: bool = False
    """Two men, one upon the other: a king of draughts. His letter is a capital."""

    @property
    def men(self) -> tuple[Any, ...]:
        """Who stands there."""
        return self.man, self.player, self.others, self.doubled

    @property
    def letter(self) -> str:
        """What is drawn of the man."""
        return self.man.upper() if self.doubled else self.man


@dataclass(frozen=True)
class Throw:
    """What was thrown and is still to be used."""

    label: str
    shells: tuple[bool, ...] = ()
    """Of cowries, whether each lies mouth up."""
    dice: tuple[int, ...] = ()
    """What long dice show."""


@dataclass(frozen=True)
class Board:
    """All places, points and the lines between them, and lines of words above and below.

    Where there are points, the places lie below them.
    """

    places: tuple[Place, ...]
    heading: str = ""
    captions: tuple[str, ...] = ()
    """As many lines at any time of a game, so that its pictures are all of one size."""
    to_move: int = -1
    """Player whose colour stands beside the heading; -1 none."""
    points: tuple[Point, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    """The numbers of two points each, which a line joins."""
    throws: tuple[Throw, ...] | None = None
    """None where nothing is ever thrown."""


def with_last_move(board: Board, before: Board) -> Board:
    """`board` with the points marked on which others stand than in `before`, the same board one move earlier."""
    if len(board.points) != len(before.points):
        return board
    points = tuple(
        replace(point, marked=True) if point.men != earlier.men else point
        for point, earlier in zip(board.points, before.points, strict=True)
    )
    return replace(board, points=points)


def with_last_moves(boards: Sequence[Board]) -> list[Board]:
    """The boards of a game from its start on, each `with_last_move`."""
    return [*boards[:1], *(with_last_move(board, before) for before, board in pairwise(boards))]


def heading(s: Any, side: str = "player") -> str:
    """Round, turn and who is to move, or how it ended; `side`: what wins, in a word."""
    if s.to_move >= 0:
        now = f"player_{s.to_move} to move"
    else:
        now = "draw" if s.winner < 0 else f"{side}_{s.winner} wins"
    round_number = f"round {s.round_number}, " if s.round_number > 1 else ""
    return f"{round_number}turn {s.turn}, {now}"
