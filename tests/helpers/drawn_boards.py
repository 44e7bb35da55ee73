"""Boards of all games in the middle of play, for tests of drawings."""

import numpy as np

from helpers.forms import PlainGame
from mancala_envs.registry import REGISTRY


def midgame(name, decisions=25, campaign=False):
    """Return the board of a game after random decisions; plain Python plays them, which needs no compilation."""
    game = PlainGame(name, campaign and REGISTRY[name].has_campaign)
    with np.errstate(over="ignore"):  # The random number generator overflows on purpose.
        states = game.init(1, seed=5)
        for decision in range(decisions):
            if states["to_move"][0] >= 0:
                game.step(states, game.sample(states, decision))
    return game.board(states)
