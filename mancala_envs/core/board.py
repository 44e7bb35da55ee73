"""A drawn board as plain data: a game describes it, and `render` draws it as text, a picture or SVG."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any


@dataclass(frozen=True)
class Place:
    """A hole, store or tray, in which pieces lie.

    `x` and `y` are the centre, in widths of a place, y downwards. `height` is the height of a tray, in rows.
    """

    x: float
    y: float
    pieces: int
    """Number of pieces. It is negative in a tray if the player owes pieces; then only the number is drawn."""
    label: str = ""
    owner: int = -1
    """Player whose colour the rim has; -1 for none."""
    mark: int = -1
    """Player whose colour fills the place, for example because they captured it; -1 for none."""
    height: float = 1.0
    tray: bool = False
    """Whether this is a tray beside the board for pieces that a player has put aside."""
    large: int = 0
    """Number of large pieces, in addition to `pieces`."""
    blind: bool = False
    """Whether the place is out of play; it is drawn filled up."""
    square: bool = False
    """Whether the place is drawn as a square instead of round, for a hole with a role of its own."""
    blocked: bool = False
    """Whether the place may not be emptied now; it is drawn with a cross over its pieces."""


@dataclass(frozen=True)
class Point:
    """A point, square or cell on which a piece may stand. `x` and `y`: column and row, y downwards."""

    x: float
    y: float
    label: str = ""
    piece: str = ""
    """The letter of the piece that stands there; "" for none."""
    player: int = -1
    """The player who owns the piece, and whose colour it has; -1 for none."""
    marked: bool = False
    """Whether the point is highlighted, for example as part of the last move or because its piece must move on."""
    square: bool = False
    """Drawn as a square of a chequered board."""
    cell: bool = False
    """Drawn as an outlined cell that may hold several pieces."""
    crossed: bool = False
    """Drawn with its diagonals; cells only."""
    others: tuple[tuple[str, int], ...] = ()
    """The letters and players of further pieces on the same cell."""
    doubled: bool = False
    """Drawn as two stacked pieces, a king of draughts, with a capital letter."""
    numbers: tuple[int, ...] = ()
    """The numbers of the pieces that stand there, in the order of `piece` and `others`; drawn behind their letters."""

    @property
    def occupants(self) -> tuple[Any, ...]:
        """Everything about the pieces that stand there, to compare two boards."""
        return self.piece, self.player, self.others, self.doubled, self.numbers

    @property
    def letter(self) -> str:
        """The letter as it is drawn."""
        return self.piece.upper() if self.doubled else self.piece


@dataclass(frozen=True)
class Throw:
    """A throw that is still to be used."""

    label: str
    shells: tuple[bool, ...] = ()
    """For cowries: whether each lies mouth up."""
    dice: tuple[int, ...] = ()
    """For long dice: the number that each shows."""


@dataclass(frozen=True)
class Arrow:
    """A small arrow between places, which shows the direction of sowing.

    `x` and `y` are its centre, as for `Place`. `dx` and `dy` say where it points, each -1, 0 or 1, y downwards.
    """

    x: float
    y: float
    dx: int
    dy: int


@dataclass(frozen=True)
class Note:
    """Words on the board, which text drawings leave out. `x` and `y`: column and row of their left end."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Board:
    """A board with its places, its points and the lines between them, a heading and captions.

    On a board with points, the places are drawn below them.
    """

    places: tuple[Place, ...]
    heading: str = ""
    captions: tuple[str, ...] = ()
    """Lines of text below the board. A game always has the same number, so that its pictures keep one size."""
    to_move: int = -1
    """Player whose colour is shown beside the heading; -1 for none."""
    points: tuple[Point, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    """Drawn lines, each as the indices of the two points that it joins."""
    throws: tuple[Throw, ...] | None = None
    """The throws still to be used; None in a game without throws."""
    arrows: tuple[Arrow, ...] = ()
    """Arrows between the places."""
    aside: tuple[Point, ...] = ()
    """Slots beside the track for the pieces that wait or are home. Text names these pieces in captions instead."""
    notes: tuple[Note, ...] = ()
    """Words beside the slots."""

    @property
    def spots(self) -> tuple[Point, ...]:
        """All points, then all slots beside the track."""
        return self.points + self.aside


def with_last_move(board: Board, before: Board) -> Board:
    """Return `board` with every point marked whose pieces differ from `before`, the board one move earlier."""
    if len(board.points) != len(before.points):
        return board
    spots = tuple(
        replace(point, marked=True) if point.occupants != earlier.occupants else point
        for point, earlier in zip(board.spots, before.spots, strict=True)
    )
    return replace(board, points=spots[: len(board.points)], aside=spots[len(board.points) :])


def with_last_moves(boards: Sequence[Board]) -> list[Board]:
    """Return the boards of a game in order, each with the points of its last move marked."""
    return [*boards[:1], *(with_last_move(board, before) for before, board in pairwise(boards))]


def heading(s: Any, side: str = "player") -> str:
    """Return round, turn and the player to move, or the result. `side` is the word for the winner, such as "team"."""
    if s.to_move >= 0:
        now = f"player_{s.to_move} to move"
    else:
        now = "draw" if s.winner < 0 else f"{side}_{s.winner} wins"
    round_number = f"round {s.round_number}, " if s.round_number > 1 else ""
    return f"{round_number}turn {s.turn}, {now}"
