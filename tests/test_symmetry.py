"""Symmetries of rules: play in the image is the image of play, exactly and for everyone who looks."""

import gymnasium as gym
import numpy as np
import pytest

from mancala_envs import REGISTRY, make_game
from mancala_envs.wrappers import RandomSymmetry, augment, symmetries

PARKER = ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu")
SYMMETRIC = [
    *((name, {}) for name in PARKER),
    *((name, {"campaign": True, "max_rounds": 8}) for name in PARKER),
    *((name, {"campaign": True, "max_rounds": 8, "columns": 4}) for name in PARKER),
    ("puhulmutu", {"reading": "summary", "campaign": True, "max_rounds": 8}),
    ("walak_pussa", {"reading": "summary", "campaign": True, "max_rounds": 8}),
    ("daramutu", {"fours": False, "campaign": True, "max_rounds": 8}),
    ("dongjintian", {}),
    ("dongjintian", {"relay_back": True, "players": 2}),
    ("dongjintian", {"rows": 4, "columns": 4}),
    ("dongjintian", {"rows": 3, "columns": 4, "seeds": 3}),
    ("zigulzoqge", {}),
    ("zigulzoqge", {"players": 2, "columns": 5, "capture": "chain", "onward": "straight"}),
    ("zigulzoqge", {"teams": True, "lift": "team", "leftover": "neutral"}),
]
GAMES = 200


@pytest.mark.parametrize(("name", "options"), SYMMETRIC, ids=[f"{n}-{o}" for n, o in SYMMETRIC])
def test_play_in_the_image_is_the_image_of_play(name, options):
    game = make_game(name, **options)
    for symmetry in symmetries(game):
        states, images = game.init(GAMES, 5), game.init(GAMES, 5)
        ends = 0
        for decision in range(400):
            masks = game.legal(states)
            np.testing.assert_array_equal(game.legal(images), symmetry.mask(masks))
            for player in range(game.num_players):
                seen = symmetry.observe(game.observe(states, player))
                np.testing.assert_array_equal(game.observe(images, player), seen)
            actions = game.sample(states, decision)
            rewards = game.step(states, actions, autoreset=True)
            np.testing.assert_array_equal(game.step(images, symmetry.actions[actions], autoreset=True), rewards)
            ends += (states["ended"] > 0).sum()
        assert ends or name == "dongjintian"
