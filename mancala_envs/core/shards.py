"""Batches split into contiguous shards, one per thread. Compiled loops run in parallel because they release the GIL."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from mancala_envs.core.arguments import require_some

T = TypeVar("T")

FEWEST_GAMES = 131_072
"""Smaller batches run on one thread.

Speed of `sample` + `step` on two threads relative to one, lowest and highest of several runs on two shared cores:

* half this many games: Kalah 0.8 to 1.1, Qelat 1.5
* this many games: Kalah 0.9 to 1.2, Qelat 1.1 to 1.5
* twice this many games: Kalah 1.0 to 1.4, Qelat 1.6 to 1.7
"""


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="mancala_envs")


# A forked process does not have its parent's threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)


def thread_count(threads: int) -> int:
    """Return `threads`, or raise ValueError unless it is an integer of at least 1."""
    require_some(threads, "threads")
    return int(threads)


def in_shards(threads: int, n: int, work: Callable[[slice], T]) -> list[T]:
    """Call `work` on parts of a batch in parallel.

    Args:
        threads: The number of parts and threads.
        n: The size of the batch. Below FEWEST_GAMES there is one part.
        work: Function of a slice of 0..n-1.

    Returns:
        The results, in the order of the parts.

    Raises:
        ValueError: `threads` is not an integer of at least 1.
    """
    threads = thread_count(threads)
    if threads == 1 or n < FEWEST_GAMES:
        return [work(slice(0, n))]
    bounds = [n * shard // threads for shard in range(threads + 1)]
    return list(_pool(threads).map(work, map(slice, bounds[:-1], bounds[1:])))
