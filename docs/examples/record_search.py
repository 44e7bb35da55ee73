"""Record a game of a search with a value network."""

import gymnasium as gym

from mancala_envs import make_game
from mancala_envs.agents import Agent, expert_for
from mancala_envs.wrappers import RecordSoloEpisodes

game = make_game("kalah")
mine = Agent(game, "minimax:2", network=expert_for(game))
env = RecordSoloEpisodes(gym.make("mancala_envs/Kalah-v0", opponent="greedy"), "games.jsonl")
observation, info = env.reset(seed=1)
over = False
while not over:
    (action,) = mine.act(env.unwrapped.record, seed=1)
    observation, reward, over, truncated, info = env.step(action)
env.close()
print("reward", reward)
