"""Endgame positions of Kalah, for the library and for the oracle."""

import numpy as np
from solvers.retrograde import oracle

from mancala_envs import make_game

KALAH = make_game("kalah")


def endings(number):
    """Yield random positions with few seeds left."""
    dice = np.random.default_rng(1)
    for _ in range(number):
        holes = dice.integers(0, 3, 12) * dice.integers(0, 2, 12)
        holes[[dice.integers(6), 6 + dice.integers(6)]] += 1
        yield KALAH.load(holes=holes.tolist(), store=[0, 48 - int(holes.sum())], to_move=int(dice.integers(2)))


def as_oracle(state):
    """Return an oracle set to the position of a state (1,)."""
    game = oracle("kalah")
    for field in ("holes", "store"):
        setattr(game, field, state[field][0].tolist())
    game.to_move = int(state["to_move"][0])
    return game
