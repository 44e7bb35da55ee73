"""Batches in contiguous shards on threads: compiled loops run beside each other, for they release the GIL."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import numpy as np

T = TypeVar("T")

FEWEST_GAMES = 131_072
"""Smaller batches are played on one thread. Measured on two cores that are not always ours alone, `sample` + `step` on
two threads against one, several runs: Kalah 0.8 to 1.1 times as fast with half as many games, 0.9 to 1.2 with so many,
1.0 to 1.4 with twice as many; Qelat 1.5, 1.1 to 1.5 and 1.6 to 1.7 times."""


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="mancala_envs")


# A forked process has none of its parent's threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)


def thread_count(threads: int) -> int:
    """`threads`, or ValueError where it is no integer of at least 1."""
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise ValueError(f"threads must be an integer of at least 1, got {threads!r}")
    return int(threads)


def in_shards(threads: int, n: int, work: Callable[[slice], T]) -> list[T]:
    """`work` on each of `threads` parts of 0..n-1, at the same time, or on all of a batch that is too small for it.

    Returns the results in order. Raises as `thread_count` does.
    """
    threads = thread_count(threads)
    if threads == 1 or n < FEWEST_GAMES:
        return [work(slice(0, n))]
    bounds = [n * shard // threads for shard in range(threads + 1)]
    return list(_pool(threads).map(work, map(slice, bounds[:-1], bounds[1:])))
