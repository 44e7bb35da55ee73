"""A window for ``render_mode="human"``."""

import os
import warnings
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt


class Window:
    """Shows pictures in a pygame window, which opens with the first of them.

    Once its user has closed the window it stays closed, and further pictures are not shown. pygame has one window a
    process: two of these at a time share it, and it goes with the last of them.
    """

    _showing: ClassVar[set[int]] = set()
    """The numbers (`id`) of those who have shown something and are not closed."""

    def __init__(self, title: str = "mancala_envs", fps: float = 4) -> None:
        self._pygame = load_pygame()
        self._title, self._fps = title, fps
        self._clock = self._pygame.time.Clock()
        self.closed = False
        """Whether the window was closed, by its user or by `close`."""

    def show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Show an (H, W, 3) picture, at most `fps` a second: waits for its time."""
        if self.closed:
            return
        height, width = picture.shape[:2]
        display = self._pygame.display
        display.init()
        # Another window may have changed or closed what both share.
        screen = display.get_surface()
        if screen is None or screen.get_size() != (width, height):
            screen = display.set_mode((width, height))
            display.set_caption(self._title)
        self._showing.add(id(self))
        image = self._pygame.image.frombuffer(np.ascontiguousarray(picture).tobytes(), (width, height), "RGB")
        screen.blit(image, (0, 0))
        display.flip()
        self._clock.tick(self._fps)
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()

    def close(self) -> None:
        """Close the window; may be called again."""
        if id(self) in self._showing:
            self._showing.remove(id(self))
            if not self._showing:
                self._pygame.display.quit()
        self.closed = True


def load_pygame() -> Any:
    """pygame, which is imported with the first window. Raises DependencyNotInstalled where it is not."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        with warnings.catch_warnings():
            # pygame warns of the pkg_resources it imports itself.
            warnings.simplefilter("ignore")
            import pygame
    except ImportError as error:
        from gymnasium.error import DependencyNotInstalled

        what = 'pygame is not installed: pip install "mancala_envs[render]"'
        raise DependencyNotInstalled(what) from error
    return pygame
