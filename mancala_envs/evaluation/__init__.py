"""Evaluation of agents: scores, solved positions, fair starts, leagues, tournaments and studies of games.

`evaluate`, `Score` and `League` can also be imported from `mancala_envs.wrappers`.
"""

from mancala_envs.evaluation.fair import fair_starts
from mancala_envs.evaluation.league import League
from mancala_envs.evaluation.score import Score, evaluate
from mancala_envs.evaluation.solved import BENCHMARKS, Solved, SolvedScore, score_solved, solved_positions

__all__ = [
    "BENCHMARKS",
    "League",
    "Score",
    "Solved",
    "SolvedScore",
    "evaluate",
    "fair_starts",
    "score_solved",
    "solved_positions",
]
