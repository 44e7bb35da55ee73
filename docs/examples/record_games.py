"""Record a game and replay it."""

import json

import gymnasium as gym

import mancala_envs  # registers every game
from mancala_envs.wrappers import RecordSoloEpisodes, replay

env = RecordSoloEpisodes(gym.make("mancala_envs/Kalah-v0", opponent="greedy"), "games.jsonl")
observation, info = env.reset(seed=1)
over = False
while not over:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
env.close()

with open("games.jsonl") as lines:
    episode = json.loads(lines.readline())
for game, state in replay(episode):
    print(game.text(state))
