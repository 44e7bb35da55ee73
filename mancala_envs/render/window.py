"""A window for ``render_mode="human"``."""

import os
import warnings
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mancala_envs.core.extras import MissingExtra, needs_extra


class Window:
    """Shows pictures in a pygame window, which opens with the first picture.

    If the user closes the window, it stays closed and further pictures are ignored. pygame has one window per process,
    so several instances share it; it closes with the last of them.

    Attributes:
        closed: whether the window was closed, by the user or by `close`.
    """

    _showing: ClassVar[set[int]] = set()
    """The ids of the instances that have shown a picture and are not closed."""

    def __init__(self, fps: float = 4) -> None:
        """Prepare a window.

        Args:
            fps: the maximum number of pictures per second.

        Raises:
            DependencyNotInstalled: if pygame is not installed.
        """
        self._pygame = load_pygame()
        self._fps = fps
        self._clock = self._pygame.time.Clock()
        self.closed = False

    def show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Show an (H, W, 3) uint8 picture, and wait until `fps` allows the next one."""
        if self.closed:
            return
        height, width = picture.shape[:2]
        display = self._pygame.display
        display.init()
        # Another instance may have resized or closed the shared window.
        screen = display.get_surface()
        if screen is None or screen.get_size() != (width, height):
            screen = display.set_mode((width, height))
            display.set_caption("mancala_envs")
        self._showing.add(id(self))
        image = self._pygame.image.frombuffer(np.ascontiguousarray(picture).tobytes(), (width, height), "RGB")
        screen.blit(image, (0, 0))
        display.flip()
        self._clock.tick(self._fps)
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()

    def close(self) -> None:
        """Close the window. Closing it again has no effect."""
        if id(self) in self._showing:
            self._showing.remove(id(self))
            if not self._showing:
                self._pygame.display.quit()
        self.closed = True


def load_pygame() -> Any:
    """Import and return pygame.

    Raises:
        DependencyNotInstalled: if pygame is not installed.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    # Without this hint, SDL loads OpenGL to ask whether it is accelerated. Mesa then loads its LLVM with global
    # symbols, to which the LLVM in Triton, a part of PyTorch's CUDA build, binds: `torch.optim.Adam` ends in SIGSEGV.
    # Windows show finished pictures and need no acceleration. Where SDL can only show them with it, as under Wayland,
    # SDL ignores the hint. SDL_VIDEODRIVER=dummy would also avoid OpenGL, but shows no window.
    os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
    try:
        with needs_extra(), warnings.catch_warnings():
            # pygame itself imports the deprecated pkg_resources, which warns.
            warnings.simplefilter("ignore")
            import pygame
    except MissingExtra as error:
        from gymnasium.error import DependencyNotInstalled  # The error of Gymnasium's own windows.

        raise DependencyNotInstalled(str(error)) from None
    return pygame
