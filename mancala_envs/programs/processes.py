"""Processes that a program starts: Ctrl-C reaches only the program, which ends them, and they end with it."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process, resource_tracker
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


def end_with_parent() -> None:
    """Start a thread that ends this process when its parent ends: a parent that was killed cannot end the others."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
