"""Bradley-Terry ratings on the scale of Elo."""

from math import log

import numpy as np
import numpy.typing as npt

from mancala_envs.evaluation.score import Z95

Floats = npt.NDArray[np.float64]

ELO = 400 / log(10)
"""Points of Elo to one unit of the logarithm of strength."""


def ratings(points: Floats) -> tuple[Floats, Floats]:
    """(n,) ratings in points of Elo, their mean 0, and half the widths of their 95% intervals.

    `points` (n, n): what i has won of its games against j, a draw counting half. One drawn game is added between every
    two, so that who has won all games has a rating too. The intervals come from the Fisher information.

    Source: D. R. Hunter, Annals of Statistics 32, 2004, "MM algorithms for generalized Bradley-Terry models".
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
    # Strengths are known up to a common factor: their mean is held fast.
    fisher, mean = np.diag(information.sum(1)) - information, np.full((n, n), 1 / n)
    variances = np.diag(np.linalg.inv(fisher + mean) - mean)
    return ELO * np.log(strength), Z95 * ELO * np.sqrt(variances)
