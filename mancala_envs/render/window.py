"""A window for ``render_mode="human"``."""

import os
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt


class Window:
    """Shows pictures in a pygame window, which opens with the first of them.

    Once its user has closed the window it stays closed, and further pictures are not shown. pygame has one window a
    process: two of these at a time share it.
    """

    def __init__(self, title: str = "mancala_envs", fps: float = 4) -> None:
        self._pygame = _pygame()
        self._title, self._fps = title, fps
        self._screen: Any = None
        self._clock = self._pygame.time.Clock()
        self.closed = False
        """Whether the window was closed, by its user or by `close`."""

    def show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Show an (H, W, 3) picture, at most `fps` a second: waits for its time."""
        if self.closed:
            return
        height, width = picture.shape[:2]
        if self._screen is None:
            self._pygame.display.init()
        if self._screen is None or self._screen.get_size() != (width, height):
            self._screen = self._pygame.display.set_mode((width, height))
            self._pygame.display.set_caption(self._title)
        image = self._pygame.image.frombuffer(np.ascontiguousarray(picture).tobytes(), (width, height), "RGB")
        self._screen.blit(image, (0, 0))
        self._pygame.display.flip()
        self._clock.tick(self._fps)
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()

    def close(self) -> None:
        """Close the window; may be called again."""
        if self._screen is not None:
            self._screen = None
            self._pygame.display.quit()
        self.closed = True


def _pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            # pygame warns of the pkg_resources it imports itself.
            warnings.simplefilter("ignore")
            import pygame
    except ImportError as error:
        from gymnasium.error import DependencyNotInstalled

        what = "pygame is not installed, run `pip install mancala_envs[render]`"
        raise DependencyNotInstalled(what) from error
    return pygame
