"""Pauses: long computations return to Python every few milliseconds, so that they can be watched and stopped.

Python handles signals, such as that of Ctrl-C, only between its own instructions. A compiled loop that can run for
minutes is therefore called again and again for a slice of its work, whose size a `Pace` chooses; the slices change no
result. KeyboardInterrupt then ends a search or a rollout in the main thread. Another thread stops one by what it was
asked to call (see `watched`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter
from typing import TypeAlias

Watch: TypeAlias = Callable[[int, int, str], None]
"""A function that is called at every pause with the work done, all the work (0 if unknown) and their unit, such as
"simulations"; a search by the clock counts milliseconds. An exception that it raises ends the computation."""

SLICE = 0.01
"""Seconds that a slice should take: a call of a compiled loop takes a few microseconds, a thousandth of that."""

GROWTH = 8
"""A slice is at most so many times as large as the one before."""

_INSTANT = 1e-9
"""Seconds that a slice takes at least, as far as the clock can tell."""

_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Call `watch` at the pauses of everything that this thread computes in the block::

        def watch(done, expected, unit):
            if stopped.is_set():  # a threading.Event that another thread sets
                raise Stopped

        with watched(watch):
            action = searcher.act(states)

    Searches, playouts, rollouts and proofs pause. What `watch` raises leaves them ready for the next call.
    """
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


class Pace:
    """How much of its work a compiled loop does until the next pause.

    Args:
        unit: What the work is counted in.
        expected: All the work; 0 if unknown.
        size: The work before the first pause.
        limit: The seconds that all the work may take.

    Attributes:
        size: The work to do before the next pause.
        done: The work done so far.
    """

    def __init__(self, unit: str, expected: int = 0, size: int = 64, limit: float = inf) -> None:
        self.size, self.done = size, 0
        self._unit, self._expected, self._limit = unit, expected, limit
        self._begun = self._last = perf_counter()
        self._speed = 0.0
        """Work in a second, by the last slice."""

    def resume(self) -> None:
        """Go on after something else, whose time does not count."""
        self._last = perf_counter()

    def pause(self, work: int) -> bool:
        """Call who watches after a slice of so much work, and adapt `size`; returns whether there is time left."""
        self.done += work
        now = perf_counter()
        if work:
            self._speed = work / max(now - self._last, _INSTANT)
        watch = _watch.get()
        if watch is not None:
            if self._limit < inf:
                watch(int(1000 * (now - self._begun)), int(1000 * self._limit), "milliseconds")
            else:
                watch(self.done, self._expected, self._unit)
        self._last = perf_counter()
        left = self._limit - (self._last - self._begun)
        seconds = min(SLICE, self._limit / 25, left)
        if self._speed:
            self.size = max(1, int(min(self._speed * seconds, GROWTH * self.size)))
        return left >= self._limit / 100
