"""Encode counts as one-hot vectors."""

import torch

from mancala_envs.envs.solo import SoloEnv
from mancala_envs.wrappers.sb3 import CountsExtractor

env = SoloEnv("kalah")
observation, info = env.reset(seed=1)
extractor = CountsExtractor(env.observation_space)
print(observation.shape, "becomes", extractor(torch.from_numpy(observation[None]).float()).shape)
