"""Evaluate agents from random openings and from the usual one."""

from mancala_envs.evaluation import evaluate

score = evaluate("greedy", "mancala_envs/Kalah-v0", "random", games=200, seed=1)
print(score, score.interval)
print(score.seats[0].wins, "games won from the first seat")
print(evaluate("minimax:2", "kalah", "minimax:1", games=100, seed=1, opening=0))
