"""Every registered game keeps the contract of `helpers.contract`, as single rounds and as campaigns."""

import gc
import weakref

import pytest
from helpers.contract import *  # noqa: F403

from mancala_envs import make_game
from mancala_envs.registry import REGISTRY


@pytest.mark.parametrize("name", REGISTRY)
def test_records_have_the_fields_of_their_family(name):
    game = make_game(name)
    states = game.init(3, seed=0)
    if "board" in game.dtype.names:
        assert states.board.ndim == 2 and "holes" not in game.dtype.names
    elif "pieces" in game.dtype.names:
        assert states.pieces.ndim == 3 and states.throws.ndim == 2 and "holes" not in game.dtype.names
    else:
        assert states.holes.shape[0] == 3 and states.store.shape == (3, game.num_players)


def test_an_unused_game_is_freed_at_once():
    game = make_game("kalah")
    game.sample(game.init(3, seed=3))
    gone = weakref.ref(game)
    gc.disable()
    try:
        del game
        assert gone() is None
    finally:
        gc.enable()
