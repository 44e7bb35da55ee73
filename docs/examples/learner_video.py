"""Film a learner's games."""

from pathlib import Path

import gymnasium as gym
from gymnasium.wrappers import RecordVideo

import mancala_envs  # registers every game

env = gym.make("mancala_envs/Qelat-v0", opponent="greedy", render_mode="rgb_array")
env = RecordVideo(env, "learner", episode_trigger=lambda episode: True)
observation, info = env.reset(seed=1)
over = False
while not over:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
env.close()  # writes the last video
print(*Path("learner").iterdir())
