"""Train a network by self-play with search."""

from mancala_envs import make_game
from mancala_envs.agents import Puct, PuctAgent
from mancala_envs.evaluation import evaluate
from mancala_envs.learning import AfterstateNetwork, Learner, ReplayBuffer, SelfPlayGames

game = make_game("kalah")
network = AfterstateNetwork(game)
games = SelfPlayGames(game, 64, 16, seed=1)  # 64 games, 16 simulations
buffer, learner = ReplayBuffer(game, 100_000), Learner(network)
for _ in range(3):
    rows = games.play(network.evaluate, 32)
    buffer.add(rows)
    print(f"{buffer.written} decisions, losses {learner.learn(buffer, 4 * len(rows), 1e-3)}")
network.save("model.pt")
network, _ = AfterstateNetwork.load("model.pt", game)  # or the model.pt of a run
agent = PuctAgent(Puct(game, 64, 32, gumbel=(16, 0.0)), network.evaluate)
print(evaluate(agent, game, "random", games=40))
