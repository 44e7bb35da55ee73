"""What stands around the environments: campaigns, evaluation, and Stable-Baselines3 in `mancala_envs.wrappers.sb3`.

Importing this needs no training library.
"""

from mancala_envs.wrappers.campaign import Campaign
from mancala_envs.wrappers.evaluation import Score, evaluate

__all__ = ["Campaign", "Score", "evaluate"]
