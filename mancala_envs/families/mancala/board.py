"""Drawings of boards with holes and stores: two rows, and grids."""

from collections.abc import Sequence
from typing import Any

from mancala_envs.core.board import Board, Place, heading

SOUTH_AND_NORTH = ("South", "North")
"""Names of players 0 and 1."""


def two_rows(
    s: Any,
    owners: Sequence[int] | None = None,
    marks: Sequence[int] | None = None,
    captions: Sequence[str] = (),
    large: Sequence[int] | None = None,
    blind: Sequence[bool] | None = None,
    left_stores: bool = False,
) -> Board:
    """Draw two rows, each numbered: player 0's below, player 1's above in reverse, with a store at each end.

    Args:
        s: the record of the game.
        owners: owner of every hole; by default the player of its row.
        marks: player whose colour fills each hole; by default none.
        captions: lines of text below the board.
        large: number of large stones in every hole; by default none.
        blind: whether each hole is out of play; by default none is.
        left_stores: whether each store is at its owner's left hand instead of the right.
    """
    columns = len(s.holes) // 2
    places = []
    for hole in range(2 * columns):
        row, column = divmod(hole, columns)
        x = 1.0 + (columns - 1 - column if row else column)
        places.append(_hole(s, hole, x, 1.0 - row, str(column), row, owners, marks, large, blind))
    for player in range(2):
        at_right = (player == 0) != left_stores
        places.append(_store(s, player, columns + 1.0 if at_right else 0.0, 0.5, height=2.0))
    return Board(tuple(places), heading(s), tuple(captions), int(s.to_move))


def grid(
    s: Any,
    columns: int,
    owners: Sequence[int] | None = None,
    marks: Sequence[int] | None = None,
    captions: Sequence[str] = (),
) -> Board:
    """Draw a grid of holes, numbered row by row from the top left, with the stores in a column on the right.

    Args:
        s: the record of the game.
        columns: number of columns of the grid.
        owners: owner of every hole; by default none.
        marks: player whose colour fills each hole; by default none.
        captions: lines of text below the board.
    """
    places = []
    for hole in range(len(s.holes)):
        row, column = divmod(hole, columns)
        places.append(_hole(s, hole, column, row, str(hole), -1, owners, marks))
    rows, players = len(s.holes) // columns, len(s.store)
    pitch = max(1.0, (rows - 1) / max(1, players - 1))
    for player in range(players):
        y = (rows - 1) / 2 + pitch * (player - (players - 1) / 2)
        places.append(_store(s, player, columns + 0.3, y))
    return Board(tuple(places), heading(s), tuple(captions), int(s.to_move))


def _hole(
    s: Any,
    hole: int,
    x: float,
    y: float,
    label: str,
    owner: int,
    owners: Sequence[int] | None,
    marks: Sequence[int] | None,
    large: Sequence[int] | None = None,
    blind: Sequence[bool] | None = None,
) -> Place:
    return Place(
        x=x,
        y=y,
        pieces=int(s.holes[hole]),
        label=label,
        owner=owner if owners is None else int(owners[hole]),
        mark=-1 if marks is None else int(marks[hole]),
        large=0 if large is None else int(large[hole]),
        blind=False if blind is None else bool(blind[hole]),
    )


def _store(s: Any, player: int, x: float, y: float, height: float = 1.0) -> Place:
    return Place(x, y, int(s.store[player]), f"P{player}", player, height=height, tray=True)
