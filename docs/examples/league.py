"""Use a league in a loop of your own."""

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League


def first_legal(observations, masks):
    """Stand in for a snapshot of the learner: choose an action in each game of a batch."""
    return masks.argmax(axis=1)


league = League(members=("random", "greedy"), power=1.0, share=0.3)
league.add(first_legal)
envs = MancalaVectorEnv("kalah", 64, autoreset_mode="SameStep")
envs.set_opponent(league.mixture())
observations, infos = envs.reset(seed=1)
for _ in range(200):
    observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
    if terminated.any():
        league.record(infos["final_info"]["opponent"][terminated], rewards[terminated])
print("win rates against random, greedy and the snapshot:", league.win_rates.round(2))
