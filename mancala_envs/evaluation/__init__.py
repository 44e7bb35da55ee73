"""How well agents play: scores, leagues, tournaments and studies of games.

`evaluate`, `Score` and `League` are also in `mancala_envs.wrappers`.
"""

from mancala_envs.evaluation.league import League
from mancala_envs.evaluation.score import Score, evaluate

__all__ = ["League", "Score", "evaluate"]
