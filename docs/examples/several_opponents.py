"""Draw opponents, or give one for each seat."""

import gymnasium as gym

import mancala_envs  # registers every game
from mancala_envs.agents import Mixture

mixture = Mixture(("random", "greedy"), weights=(1, 3))
env = gym.make("mancala_envs/Kalah-v0", opponent=mixture, seat=0)
print("opponent number", env.reset(seed=5)[1]["opponent"])

env = gym.make("mancala_envs/Zigulzoqge-v0", opponent=["random", "greedy", "random"])
print("opponents", env.reset(seed=5)[1]["opponent"].shape)
