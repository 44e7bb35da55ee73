"""Show the action mask of a PettingZoo environment."""

from mancala_envs import oware_v0

env = oware_v0.env()
env.reset(seed=3)
observation, reward, terminated, truncated, info = env.last()
print(observation["action_mask"], info["action_mask"])
