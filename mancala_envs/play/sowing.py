"""What happens within one decision: the board seed by seed, as the plain rules play it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board
from mancala_envs.game import Game

PIECES = ("holes", "store")
"""The fields of the record in which seeds lie."""


class Watched(np.ndarray[Any, Any]):
    """A field that says so when something is written into it."""

    tell: Callable[[], None] | None = None

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if self.tell:
            self.tell()


class WatchedRecord:
    """A record whose PIECES are watched; rules in plain Python take it for the record itself."""

    def __init__(self, record: Any, tell: Callable[[], None]) -> None:
        vars(self).update(_record=record, _tell=tell)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._record, name)
        if name in PIECES:
            value = value.view(Watched)
            value.tell = self._tell
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)


def sown(game: Game, state: States, action: int) -> list[Board]:
    """The boards between the one of the game `state` (1,) and that after a legal action, each another; none where
    nothing is sown."""
    if not set(PIECES) <= set(game.dtype.names or ()):
        return []
    states = state.copy().view(np.recarray)
    boards: list[Board] = []

    def take() -> None:
        board = game.book.look.board(states[0])
        if not boards or board != boards[-1]:
            boards.append(board)

    take()
    move = game.plain.bind(kernels.move)
    with np.errstate(over="ignore"):  # The generator of chance counts on it.
        move(WatchedRecord(states[0], take), action)
    take()
    return boards[1:-1]
