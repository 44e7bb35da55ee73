"""Sowing on a ring of holes, seed by seed."""

import numpy as np

from mancala_envs.core.rule import rule


@rule
def lift(s, hole):
    """Take all seeds out of `hole`; returns how many."""
    seeds = np.int64(s.holes[hole])
    s.holes[hole] = 0
    return seeds


@rule
def drop(s, hole):
    """One seed into `hole`."""
    s.holes[hole] += 1


@rule
def drop_in_store(s, p):
    """One seed into the store of player p."""
    s.store[p] += 1


@rule
def sow(s, hole):
    """Lift `hole` and sow anticlockwise, one seed in each hole after it; returns the last hole."""
    ring = len(s.holes)
    seeds = lift(s, hole)
    for _ in range(seeds):
        hole = (hole + 1) % ring
        drop(s, hole)
    return hole


@rule
def sow_skipping(s, hole):
    """`sow`, but the lifted hole is passed over on every round."""
    ring = len(s.holes)
    origin = hole
    seeds = lift(s, hole)
    for _ in range(seeds):
        hole = (hole + 1) % ring
        if hole == origin:
            hole = (hole + 1) % ring
        drop(s, hole)
    return hole
