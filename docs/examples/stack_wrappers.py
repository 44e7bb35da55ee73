"""Stack wrappers around a PettingZoo environment."""

from mancala_envs import qelat_v0
from mancala_envs.wrappers import IllegalMoves, MaskInObservation, RecordEpisodes, SingleAgent

game = IllegalMoves(RecordEpisodes(qelat_v0.raw_env(), "games.jsonl"))
env = MaskInObservation(SingleAgent(game, opponent="greedy"))
observation, info = env.reset(seed=1)
over = False
while not over:
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    over = terminated or truncated
print(f"seat {info['seat']}: {reward:+.0f}")
