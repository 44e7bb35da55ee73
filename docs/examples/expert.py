"""Play against an expert."""

import gymnasium as gym

import mancala_envs  # registers every game
from mancala_envs.agents import experts

print("games with an expert:", ", ".join(experts()))
env = gym.make("mancala_envs/DaramutuCampaign-v0", opponent="expert:100")
observation, info = env.reset(seed=1)
observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
print("after the expert's answer:", info["worth"])
