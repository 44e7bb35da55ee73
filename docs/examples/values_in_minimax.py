"""Compare minimax with and without a value network."""

from mancala_envs import make_game
from mancala_envs.agents import Agent, expert_for
from mancala_envs.evaluation import evaluate

game = make_game("qelat")
network = expert_for(game)  # or the path of the values of a run, "runs/qelat/values.network"
print(evaluate(Agent(game, "minimax:2", network=network), game, "minimax:2", games=100))
