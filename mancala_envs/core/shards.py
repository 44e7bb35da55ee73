"""Batches in contiguous shards on threads: compiled loops run beside each other, for they release the GIL."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import numpy as np

T = TypeVar("T")


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
    """`work` on each of `threads` parts of 0..n-1, at the same time; its results in order. See `thread_count`."""
    threads = thread_count(threads)
    bounds = [n * shard // threads for shard in range(threads + 1)]
    return list(_pool(threads).map(work, map(slice, bounds[:-1], bounds[1:])))
