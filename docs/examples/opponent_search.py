"""Use a search of your own as an opponent."""

import numpy as np

from mancala_envs import make_game
from mancala_envs.evaluation import evaluate


class OnePly:
    """Play the action that leaves most seeds in the player's store."""

    def __init__(self, game):
        self.game = game

    def act(self, states, seed):
        return [self.best(states[i : i + 1]) for i in range(len(states))]

    def best(self, state):
        player = int(state["to_move"][0])
        legal = np.flatnonzero(self.game.legal(state)[0])
        tries = self.game.copies(state, len(legal), seed=0)
        self.game.step(tries, legal)
        return int(legal[tries.store[:, player].argmax()])


print("one ply against random:", evaluate(OnePly(make_game("kalah")), "kalah", "random", games=50, seed=1))
