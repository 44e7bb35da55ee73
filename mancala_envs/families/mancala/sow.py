"""Sowing on a ring of holes, seed by seed."""

import numpy as np

from mancala_envs.core.rule import rule


@rule
def lift(s, hole):
    """Take all seeds out of `hole`; return their number."""
    seeds = np.int64(s.holes[hole])
    s.holes[hole] = 0
    return seeds


@rule
def drop(s, hole):
    """Drop one seed into `hole`."""
    s.holes[hole] += 1


@rule
def drop_in_store(s, p):
    """Drop one seed into the store of player p."""
    s.store[p] += 1


@rule
def capture(s, hole):
    """Move the seeds of `hole` into the store of the player to move."""
    s.store[s.to_move] += lift(s, hole)


@rule
def sow(s, hole):
    """Lift `hole` and sow anticlockwise, one seed in each following hole; return the last hole."""
    ring = len(s.holes)
    seeds = lift(s, hole)
    for _ in range(seeds):
        hole = (hole + 1) % ring
        drop(s, hole)
    return hole


@rule
def sow_skipping(s, hole):
    """Sow like `sow`, but always skip the lifted hole."""
    ring = len(s.holes)
    origin = hole
    seeds = lift(s, hole)
    for _ in range(seeds):
        hole = (hole + 1) % ring
        if hole == origin:
            hole = (hole + 1) % ring
        drop(s, hole)
    return hole
