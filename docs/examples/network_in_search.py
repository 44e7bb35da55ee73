"""Use a value network in two searches."""

from mancala_envs import make_game
from mancala_envs.agents import Agent, Evaluator, Puct, PuctAgent, expert_for

kalah = make_game("kalah")
network = expert_for(kalah)  # or load_network("runs/experts/kalah.network")
state = kalah.init(1, seed=1)
print(Agent(kalah, "minimax:6", network=network).analyse(state).values)
print(PuctAgent(Puct(kalah, n=1, simulations=200), Evaluator(kalah, network)).act(state, seed=1))
