"""Start campaigns in their last rounds, and pay for the change of worth."""

import gymnasium as gym

import mancala_envs  # registers every game
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, late_starts

env = gym.make("mancala_envs/QelatCampaign-v0", columns=4, max_rounds=5)
stages = late_starts(env.unwrapped.game, campaigns=32, seed=1)
env = ChangeOfWorth(Curriculum(env, stages[:2]), weight=0.5)
observation, info = env.reset(seed=1)
print("an episode that starts in round", info["round_number"])
