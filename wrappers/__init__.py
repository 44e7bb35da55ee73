"""What stands around the environments: campaigns, evaluation, and Stable-Baselines3 in `mancala_envs.wrappers.sb3`.

Importing this needs no training library.
"""

from mancala_envs.wrappers.campaign import Campaign
from mancala_envs.wrappers.curriculum import Curriculum, late_starts
from mancala_envs.wrappers.evaluation import Score, evaluate
from mancala_envs.wrappers.league import League
from mancala_envs.wrappers.shaping import ChangeOfWorth

__all__ = ["Campaign", "ChangeOfWorth", "Curriculum", "League", "Score", "evaluate", "late_starts"]
