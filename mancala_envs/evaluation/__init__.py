"""Evaluation of agents: scores, leagues, tournaments and studies of games.

`evaluate`, `Score` and `League` can also be imported from `mancala_envs.wrappers`.
"""

from mancala_envs.evaluation.league import League
from mancala_envs.evaluation.score import Score, evaluate

__all__ = ["League", "Score", "evaluate"]
