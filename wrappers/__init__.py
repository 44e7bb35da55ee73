"""What stands around the environments: evaluation, and Stable-Baselines3 in `mancala_envs.wrappers.sb3`.

Importing this needs no training library.
"""

from mancala_envs.wrappers.evaluation import Score, evaluate

__all__ = ["Score", "evaluate"]
