"""End a game without an environment, with and without autoreset."""

import numpy as np

from mancala_envs import make_game

game = make_game("kalah")
states = game.load(holes=[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1], store=[22, 24])
last = np.zeros_like(states)
print(game.step(states, [4]), states.ended)
print(game.step(states, [5], autoreset=True, final=last), states.ended)
print("stores of the old game", last["store"], "and of the new one", states.store)
