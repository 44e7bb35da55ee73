"""The score of an agent over all tasks and seeds. Needs the extra [benchmark].

Source: R. Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice", 2021.
"""

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
import numpy.typing as npt

from mancala_envs.core.extras import needs_extra

with needs_extra():
    from scipy import stats

RESAMPLES = 10_000
"""Samples of the bootstrap."""


def interquartile_mean(*samples: npt.ArrayLike, axis: int = -1) -> npt.NDArray[np.float64]:
    """Return the mean of the middle half of all samples together, each (..., n_i), along an axis."""
    found: npt.NDArray[np.float64] = stats.trim_mean(np.concatenate(samples, axis), 0.25, axis)
    return found


def suite_score(scores: Mapping[str, Sequence[float]]) -> tuple[float, tuple[float, float] | None]:
    """Return the interquartile mean over tasks and seeds, with its 95% interval.

    The interval is that of a bootstrap, stratified by task: seeds are drawn again within each task.

    Args:
        scores: The scores of the seeds of each task, from 0 to 100.

    Returns:
        The score, and its interval, None if a task has only one seed.
    """
    samples = [np.asarray(row, np.float64) for row in scores.values()]
    score = float(interquartile_mean(*samples))
    if min(map(len, samples)) < 2:
        return score, None
    if all(np.ptp(row) == 0 for row in samples):  # SciPy warns about samples without any variance.
        return score, (score, score)
    found = stats.bootstrap(
        samples, interquartile_mean, n_resamples=RESAMPLES, vectorized=True, method="percentile", rng=0
    ).confidence_interval
    return score, (float(found.low), float(found.high))


def another_seed(scores: Mapping[str, Sequence[float]]) -> float:
    """Return the half-width of the 95% prediction interval for the score of another seed in a task.

    The interval is around the mean of the seeds so far. Its width is the same in all tasks: it comes from the variance
    of the seeds within tasks, which is the mean over the tasks, because a few seeds of one task say little about it.
    """
    rows = [np.asarray(row, np.float64) for row in scores.values() if len(row) > 1]
    freedom = sum(len(row) - 1 for row in rows)
    variance = sum(float(((row - row.mean()) ** 2).sum()) for row in rows) / freedom
    fewest = min(map(len, rows))
    return float(stats.t.ppf(0.975, freedom)) * sqrt(variance * (1 + 1 / fewest))
