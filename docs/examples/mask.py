"""Show an action mask, and sample from it."""

import gymnasium as gym

import mancala_envs  # registers every game

env = gym.make("mancala_envs/Oware-v0", opponent="greedy", seat=0)
position = {"holes": [0, 2, 0, 4, 1, 5, 3, 0, 0, 2, 6, 1], "store": [12, 12]}
observation, info = env.reset(seed=3, options={"position": position})
print(info["action_mask"])  # holes 0 and 2 are empty
action = env.action_space.sample(info["action_mask"])
print(env.unwrapped.game.action_names[action])
print(env.get_wrapper_attr("action_masks")())  # the same as booleans, which MaskablePPO reads
