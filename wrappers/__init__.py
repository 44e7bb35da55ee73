"""Wrappers of the environments. docs/guides/wrappers.md describes the order in which to combine them.

Importing this needs no training library; the adapters for Stable-Baselines3 are in `mancala_envs.wrappers.sb3`.
"""

from mancala_envs.core.symmetry import Symmetry
from mancala_envs.wrappers.afterstates import ObserveAfterstates
from mancala_envs.wrappers.campaign import Campaign
from mancala_envs.wrappers.curriculum import Curriculum, late_starts
from mancala_envs.wrappers.endings import IllegalMoves, TimeLimit
from mancala_envs.wrappers.masks import MaskInInfo, MaskInObservation, MaskInObservationOnly, VectorMaskInObservation
from mancala_envs.wrappers.recording import (
    Mismatch,
    RecordEpisodes,
    Recording,
    RecordSoloEpisodes,
    record,
    recorded,
    recordings,
    replay,
)
from mancala_envs.wrappers.seat_statistics import SeatStatistics
from mancala_envs.wrappers.shaping import ChangeOfWorth
from mancala_envs.wrappers.single_agent import SingleAgent
from mancala_envs.wrappers.stacking import StackObservations, VectorStackObservations
from mancala_envs.wrappers.symmetry import RandomSymmetry, augment, symmetries

__all__ = [
    "Campaign",
    "ChangeOfWorth",
    "Curriculum",
    "IllegalMoves",
    "MaskInInfo",
    "MaskInObservation",
    "MaskInObservationOnly",
    "Mismatch",
    "ObserveAfterstates",
    "RandomSymmetry",
    "RecordEpisodes",
    "RecordSoloEpisodes",
    "Recording",
    "SeatStatistics",
    "SingleAgent",
    "StackObservations",
    "Symmetry",
    "TimeLimit",
    "VectorMaskInObservation",
    "VectorStackObservations",
    "augment",
    "late_starts",
    "record",
    "recorded",
    "recordings",
    "replay",
    "symmetries",
]
