"""Search a game with an algorithm of OpenSpiel."""

import pyspiel
from open_spiel.python.algorithms import minimax

import mancala_envs.integrations.open_spiel  # registers mancala_envs_NAME

game = pyspiel.load_game("mancala_envs_kalah(columns=2,seeds=2)")
value, best_action = minimax.alpha_beta_search(game)
print(value, best_action)
