"""Drawings of boards of any game: text, pixel and SVG pictures, a window, and HTML pages."""

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
"""The render modes."""
FPS = 4
"""Frames per second in the window and in videos."""


class Renderer:
    """Draws the boards of an environment in one of `MODES`.

    `render` marks the points that have changed since the board drawn before. A copy or an unpickled renderer opens a
    window of its own.

    Attributes:
        mode: the render mode.
    """

    def __init__(self, mode: str) -> None:
        """Create a renderer; the window opens with the first board.

        Args:
            mode: one of `MODES`.

        Raises:
            ValueError: if there is no such mode.
        """
        if mode not in MODES:
            raise ValueError(f"render mode {mode!r} is not allowed; it must be one of {', '.join(MODES)}")
        self.mode = mode
        self._window: Window | None = None
        self._before: Board | None = None
        self._now: Board | None = None

    def begin(self) -> None:
        """Start a new game, whose first board has no marked points."""
        self._before = self._now = None

    def render(self, board: Board) -> str | npt.NDArray[np.uint8] | None:
        """Draw a board, with the points marked that have changed since the board drawn before.

        Args:
            board: the board to draw.

        Returns:
            Text for "ansi", an (H, W, 3) uint8 array for "rgb_array", an SVG document for "svg". "human" shows the
            board in the window and returns None.

        Raises:
            DependencyNotInstalled: if pygame is not installed ("human" only).
        """
        if board != self._now:
            self._before, self._now = self._now, board
        return self.draw(with_last_move(board, self._before) if self._before else board)

    def draw(self, board: Board) -> str | npt.NDArray[np.uint8] | None:
        """Draw a board as `render` does, without regard to the one drawn before."""
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
        """Close the window, if there is one. Rendering again opens a new one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Renderer, (self.mode,)
