"""Progress bars, the same in all programs."""

from time import monotonic
from typing import Any

from tqdm import tqdm

INTERVAL = 60.0
"""Seconds between two lines of a progress bar whose output is not a terminal."""


class Bar(tqdm):  # type: ignore[misc]
    """A progress bar of tqdm. Off a terminal, it writes a line once a minute and one at its end."""

    _next_line = 0.0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, dynamic_ncols=True, **options)

    def display(self, *arguments: Any, **options: Any) -> None:
        """Write the bar, as tqdm asks for after every change."""
        if not self.disable and not self.fp.isatty():  # `close` disables the bar before its last line.
            if monotonic() < self._next_line:
                return
            self._next_line = monotonic() + INTERVAL
        super().display(*arguments, **options)
