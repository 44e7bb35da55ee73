"""Play a language model against an opponent."""

from mancala_envs import make_game
from mancala_envs.text_play import Scripted, play_text

game = make_game("kalah", columns=3, seeds=2, reward="margin")
model = Scripted(game, "greedy")  # or a function of yours
print(play_text(model, game, opponent="random", games=10, opening=2, regret=True, seed=1))
