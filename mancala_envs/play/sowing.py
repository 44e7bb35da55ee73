"""The boards within one decision, seed by seed, recorded while the plain Python rules play it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.arguments import States
from mancala_envs.core.board import Board
from mancala_envs.core.record import python_records
from mancala_envs.game import Game

SEED_FIELDS = ("holes", "store")
"""The fields of the record that hold seeds."""
MOST_FRAMES = 200
"""The most boards within one decision. A relay that never ends would have thousands; a sowing lasts some seconds."""


class EnoughFrames(Exception):
    """The number of boards has reached `MOST_FRAMES`; the rest of the decision need not be played."""


class ObservedArray(np.ndarray[Any, Any]):
    """A field of a record that calls `on_change` after every assignment to its elements."""

    on_change: Callable[[], None] | None = None

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if self.on_change:
            self.on_change()


class ObservedRecord:
    """Stands in for a record in plain Python rules; its `SEED_FIELDS` are observed."""

    def __init__(self, record: Any, on_change: Callable[[], None]) -> None:
        vars(self).update(_record=record, _on_change=on_change)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._record, name)
        if name in SEED_FIELDS:
            value = value.view(ObservedArray)
            value.on_change = self._on_change
        return value

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name) if name in SEED_FIELDS else self._record[name]

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)


def sowing_frames(game: Game, state: States, action: int) -> list[Board]:
    """Return the boards between two decisions, seed by seed.

    Args:
        game: the rules.
        state: the state (1,) before the decision; it does not change.
        action: a legal action.

    Returns:
        The first `MOST_FRAMES` successive boards, without those of the states before and after the action; [] for a
        game without seeds.
    """
    if not set(SEED_FIELDS) <= set(game.dtype.names or ()):
        return []
    states = python_records(state.copy())
    boards: list[Board] = []

    def capture() -> None:
        board = game.book.presentation.board(states[0])
        if not boards or board != boards[-1]:
            boards.append(board)
        if len(boards) > MOST_FRAMES + 1:
            raise EnoughFrames

    capture()
    move = game.plain.bind(kernels.move)
    with np.errstate(over="ignore"), suppress(EnoughFrames):  # The random number generator overflows on purpose.
        move(ObservedRecord(states[0], capture), action)
        capture()
    return boards[1:-1]
