"""End games of a vector environment in two autoreset modes."""

import numpy as np

from mancala_envs.envs.vector import MancalaVectorEnv

envs = MancalaVectorEnv("kalah", 2, opponent="greedy", autoreset_mode="SameStep")
observations, infos = envs.reset(seed=1)
terminated = np.zeros(2, bool)
while not terminated.any():
    observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
over = terminated.argmax()
print(f"game {over}: reward {rewards[over]}, seat {infos['final_info']['seat'][over]}")
print("last observation ", infos["final_obs"][over])
print("first observation", observations[over])

envs = MancalaVectorEnv("kalah", 2, opponent="greedy", autoreset_mode="Disabled")
observations, infos = envs.reset(seed=1)
for _ in range(100):
    observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
    if terminated.any():
        observations, infos = envs.reset(options={"reset_mask": terminated})
print("turns played in the games now:", envs.states.turn)
