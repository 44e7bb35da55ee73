"""Evaluation: scores, solved positions, standings of campaigns, fair starts, leagues, tournaments, studies of games.

`evaluate`, `Score` and `League` can also be imported from `mancala_envs.wrappers`.
"""

from mancala_envs.evaluation.fair import fair_starts
from mancala_envs.evaluation.league import League
from mancala_envs.evaluation.score import Score, evaluate
from mancala_envs.evaluation.solved import BENCHMARKS, Solved, SolvedScore, score_solved, solved_positions
from mancala_envs.evaluation.standings import Standings, standings_for

__all__ = [
    "BENCHMARKS",
    "League",
    "Score",
    "Solved",
    "SolvedScore",
    "Standings",
    "evaluate",
    "fair_starts",
    "score_solved",
    "solved_positions",
    "standings_for",
]
