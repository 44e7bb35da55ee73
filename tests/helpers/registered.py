"""Games of tests, which the package does not have."""

import sys
from contextlib import contextmanager

import gymnasium
import pettingzoo

from mancala_envs.envs.register import register_game
from mancala_envs.registry import REGISTRY


@contextmanager
def registered(entry):
    """The game is in the registry, in Gymnasium and in PettingZoo meanwhile, and in none of them afterwards.

    pytest-xdist may enter and leave a module several times, and all other tests must find what there was.
    """
    REGISTRY[entry.name] = entry
    register_game(entry)
    yield
    del REGISTRY[entry.name], sys.modules[f"mancala_envs.{entry.module}"], gymnasium.registry[entry.id]
    # Versions before 1.27 have none.
    getattr(pettingzoo, "aec_registry", {}).pop(entry.id, None)
