"""Temporary registration of games that the package does not contain."""

import sys
from contextlib import contextmanager

import gymnasium
import pettingzoo

from mancala_envs.envs.register import register_game
from mancala_envs.registry import REGISTRY


@contextmanager
def registered(entry):
    """Register a game in the registry, Gymnasium and PettingZoo for the duration of a `with` block.

    pytest-xdist may enter and leave a module several times, and other tests must not find the game.
    """
    REGISTRY[entry.name] = entry
    register_game(entry)
    yield
    del REGISTRY[entry.name], sys.modules[f"mancala_envs.{entry.module}"], gymnasium.registry[entry.id]
    # Versions of PettingZoo before 1.27 have no registry.
    getattr(pettingzoo, "aec_registry", {}).pop(entry.id, None)
