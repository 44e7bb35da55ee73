"""Judge actions by random play to the end."""

import numpy as np

from mancala_envs import make_game

game = make_game("qelat", columns=4)
state = game.init(1, seed=1)
for action in np.flatnonzero(game.legal(state)[0]):
    copies = game.copies(state, 200, seed=2, players=0)
    game.step(copies, np.full(200, action))
    print(game.action_names[action], game.playout(copies, seed=3).mean(axis=0)[0].round(2))
