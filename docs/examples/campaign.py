"""Play a campaign at random."""

import gymnasium as gym

import mancala_envs  # registers every game

env = gym.make("mancala_envs/QelatCampaign-v0", opponent="greedy", columns=4, max_rounds=5)
observation, info = env.reset(seed=1)
over = False
while not over:
    before = info["round_number"]
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
    if info["round_number"] != before:
        print(f"round {info['round_number']}: holes owned {info['owned']}, worth {info['worth']}")
print("reward", reward)
