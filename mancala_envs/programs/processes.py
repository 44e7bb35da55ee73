"""Processes that a program starts: Ctrl-C reaches only the program, which ends them, and they end with it."""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from threading import Thread


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block SIGINT, so that processes started in the block never receive it; if it comes, it is raised after the block.

    On Windows, Ctrl-C reaches all processes.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # `Process.start` would start it, which ends with SIGINT unblocked.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def process_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start processes for a block; an exception or Ctrl-C in the block ends them at once."""
    others = active_children()
    with ProcessPoolExecutor(jobs, get_context("spawn"), end_with_parent) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(active_children()) - set(others):
                process.terminate()
            raise


def end_with_parent() -> None:
    """Start a thread that ends this process when its parent ends: a parent that was killed cannot end the others."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
