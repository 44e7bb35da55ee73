"""Start episodes from positions of your own."""

import numpy as np

from mancala_envs import make_game
from mancala_envs.envs.vector import MancalaVectorEnv

game = make_game("kalah")
endings = np.concatenate([game.load(holes=holes) for holes in ([0, 0, 0, 2, 0, 1] * 2, [1, 0, 0, 0, 2, 0] * 2)])
envs = MancalaVectorEnv(game, 4, seat=0, opening=endings)
envs.reset(seed=1)
print(envs.states.holes)
envs.reset(options={"opening": game.init(100, seed=1, opening=10)})
envs.set_opening((2, 6))
