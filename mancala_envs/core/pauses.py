"""Pauses: long computations return to Python every few milliseconds, so that they can be watched and stopped.

Python handles signals, such as that of Ctrl-C, only between its own instructions. A compiled loop that can run for
minutes is therefore called repeatedly, each time for a slice of its work. A `Pace` chooses the sizes of the slices,
which do not affect results. Ctrl-C ends a search or random play in the main thread, and `watched` lets another thread
follow and stop one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from math import inf
from time import perf_counter
from typing import TypeAlias

Watch: TypeAlias = Callable[[int, int, str], None]
"""Called at every pause with the work done, the whole work (0 if unknown) and their unit, such as "simulations";
under a time limit the unit is milliseconds. An exception that it raises ends the computation."""

SLICE = 0.01
"""Intended duration of a slice in seconds. Calling a compiled loop costs a few microseconds, a thousandth of that."""

GROWTH = 8
"""Maximum ratio of the sizes of a slice and the one before."""

_INSTANT = 1e-9
"""Minimum duration of a slice in seconds, for clocks that show 0."""

_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Call `watch` at the pauses of everything that this thread computes in the block.

    ::

        def watch(done, expected, unit):
            if stopped.is_set():  # a threading.Event that another thread sets
                raise Stopped

        with watched(watch):
            action = searcher.act(states)

    Searches, playouts, random play and proofs pause. An exception that `watch` raises ends them; afterwards they can be
    called again.
    """
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


class Pace:
    """The amount of work that a compiled loop does until the next pause.

    Args:
        unit: Unit of the work.
        expected: The whole work; 0 if unknown.
        size: Work before the first pause.
        limit: Time limit for the whole work, in seconds.

    Attributes:
        size: Work to do before the next pause.
        done: Work done so far.
    """

    def __init__(self, unit: str, expected: int = 0, size: int = 64, limit: float = inf) -> None:
        self.size, self.done = size, 0
        self._unit, self._expected, self._limit = unit, expected, limit
        self._begun = self._last = perf_counter()
        self._speed = 0.0
        """Work per second in the last slice."""

    def resume(self) -> None:
        """Continue after other work, whose duration does not count towards the speed of the next slice."""
        self._last = perf_counter()

    @contextmanager
    def covering(self) -> Iterator[None]:
        """Let pauses in the block report this work, of which that in the block is a part."""
        watch = _watch.get()
        with nullcontext() if watch is None else watched(lambda *_: watch(self.done, self._expected, self._unit)):
            yield

    def slices(self, begin: int, end: int, work: int = 1) -> Iterator[tuple[int, int]]:
        """Yield slices of the range from `begin` to `end`, and pause after each; `work` is that of each number."""
        while begin < end:
            further = min(end, begin + max(1, self.size // work))
            yield begin, further
            self.pause(work * (further - begin))
            begin = further

    def pause(self, work: int) -> bool:
        """Call `watch` after a slice of `work`, and adapt `size`; return whether there is time left."""
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
