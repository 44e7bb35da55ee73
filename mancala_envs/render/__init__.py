"""Boards as text, as pictures, in a window and as pages, whatever the game."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.core.board import Board, with_last_move
from mancala_envs.render.film import Film, draw_film, film_in_notebook
from mancala_envs.render.picture import draw_picture
from mancala_envs.render.svg import draw_svg
from mancala_envs.render.text import draw_text
from mancala_envs.render.window import Window

__all__ = [
    "FPS",
    "MODES",
    "Film",
    "Renderer",
    "Window",
    "draw_film",
    "draw_picture",
    "draw_svg",
    "draw_text",
    "film_in_notebook",
]

MODES = ("ansi", "rgb_array", "svg", "human")
FPS = 4
"""Pictures a second in the window and in videos."""


class Renderer:
    """Draws boards in one of `MODES`. Copies and pickles of it open a window of their own.

    Of men on points those are marked who came or went since the board that was drawn before, in the same game.
    """

    def __init__(self, mode: str) -> None:
        if mode not in MODES:
            raise ValueError(f"render mode {mode!r} is not allowed; it must be one of {', '.join(MODES)}")
        self.mode = mode
        self._window: Window | None = None
        self._before: Board | None = None
        self._now: Board | None = None

    def begin(self) -> None:
        """Another game begins: its first board has no last move."""
        self._before = self._now = None

    def render(self, board: Board) -> str | npt.NDArray[np.uint8] | None:
        """Text by "ansi", an (H, W, 3) picture by "rgb_array", SVG by "svg"; "human" shows it and returns None."""
        if board != self._now:
            self._before, self._now = self._now, board
        return self.draw(with_last_move(board, self._before) if self._before else board)

    def draw(self, board: Board) -> str | npt.NDArray[np.uint8] | None:
        """As `render`, of a board by itself."""
        if self.mode == "ansi":
            return draw_text(board)
        if self.mode == "svg":
            return draw_svg(board)
        if self.mode == "rgb_array":
            return draw_picture(board)
        if self._window is None:
            self._window = Window(fps=FPS)
        if not self._window.closed:
            self._window.show(draw_picture(board))
        return None

    def close(self) -> None:
        """Close the window, if there is one; rendering again opens a new one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Renderer, (self.mode,)
