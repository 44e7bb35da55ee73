"""The number of PyTorch's threads, chosen by measuring. Needs the extra [train]."""

import os
import time
from collections.abc import Callable

from mancala_envs.core.extras import needs_extra

with needs_extra():
    import torch

GAIN = 1.1
"""How many times as fast more threads must be to be chosen: otherwise they only take cores from other programs."""


def choose_threads(work: Callable[[], object], seconds: float = 1.0, spare: int = 0) -> int:
    """Set PyTorch's number of threads to the one with which `work` takes the least time, and return it.

    Small networks are often faster with one thread, and much faster where other programs use the cores, because threads
    wait for each other.

    Args:
        work: what to measure, such as one gradient step.
        seconds: about how long to measure each number of threads: 1, 2, 4 and so on, and all the cores.
        spare: the number of cores that other work needs.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cores = max(1, cores - spare)
    counts = sorted({cores, *(2**k for k in range(cores.bit_length()) if 2**k <= cores)})
    best, shortest = 1, float("inf")
    for count in counts:
        torch.set_num_threads(count)
        work()  # starts the threads
        begun, runs = time.monotonic(), 0
        while (elapsed := time.monotonic() - begun) < seconds:
            work()
            runs += 1
        if elapsed / runs * GAIN < shortest:
            best, shortest = count, elapsed / runs
    torch.set_num_threads(best)
    return best
