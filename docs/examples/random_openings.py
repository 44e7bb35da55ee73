"""Start episodes with random decisions."""

import gymnasium as gym

import mancala_envs  # registers every game

env = gym.make("mancala_envs/Qelat-v0", opponent="greedy", opening=(0, 8))
for _ in range(3):
    env.reset()
    print(env.unwrapped.record["turn"], "turns played,", env.unwrapped.record["holes"][0].tolist())

envs = gym.make_vec("mancala_envs/Qelat-v0", num_envs=256, opening=6, autoreset_mode="SameStep")
observations, infos = envs.reset(seed=1)

every_seat = mancala_envs.qelat_v0.env(opening=6)
every_seat.reset(seed=1)
print("first to decide:", every_seat.agent_selection)
