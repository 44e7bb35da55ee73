"""Bradley-Terry ratings on the scale of Elo."""

from math import log

import numpy as np
import numpy.typing as npt

from mancala_envs.evaluation.score import Z95

Floats = npt.NDArray[np.float64]

ELO = 400 / log(10)
"""Elo points per unit of the natural logarithm of strength."""


def ratings(points: Floats) -> tuple[Floats, Floats]:
    """Compute Bradley-Terry ratings with 95% intervals, from the Fisher information.

    One drawn game is added between every two agents, so that an agent that has won all its games has a finite rating.

    Source: D. R. Hunter, Annals of Statistics 32, 2004, "MM algorithms for generalized Bradley-Terry models".

    Args:
        points: (n, n) the points that agent i has won against agent j, half a point for a draw.

    Returns:
        (n,) ratings in Elo points, with mean 0, and (n,) half-widths of their intervals.
    """
    n = len(points)
    points = points + (1 - np.eye(n)) / 2
    games = points + points.T
    strength, change = np.ones(n), np.inf
    while change > 1e-9:
        sums = strength[:, None] + strength
        better = points.sum(1) / (games / sums).sum(1)
        better /= np.exp(np.log(better).mean())
        change, strength = np.abs(np.log(better / strength)).max(), better
    chances = strength[:, None] / (strength[:, None] + strength)
    information = games * chances * (1 - chances)
    # Strengths are determined only up to a common factor, so the mean rating is fixed.
    fisher, mean = np.diag(information.sum(1)) - information, np.full((n, n), 1 / n)
    variances = np.diag(np.linalg.inv(fisher + mean) - mean)
    return ELO * np.log(strength), Z95 * ELO * np.sqrt(variances)
