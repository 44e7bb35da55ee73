"""Every game of the registry under its ids, in Gymnasium and PettingZoo, and as a PettingZoo module."""

import sys
from functools import partial
from types import ModuleType
from typing import Any

import gymnasium as gym
import pettingzoo

from mancala_envs.envs.aec import RawEnv, wrapped
from mancala_envs.registry import REGISTRY, Entry


def register(env_id: str, **kwargs: Any) -> None:
    """Make `gym.make(env_id)`, `gym.make_vec(env_id)` and, from PettingZoo 1.27 on, `pettingzoo.make` work."""
    gym.register(
        env_id,
        entry_point="mancala_envs.envs.solo:SoloEnv",
        vector_entry_point="mancala_envs.envs.vector:MancalaVectorEnv",
        kwargs=kwargs,
    )
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", env_id, "mancala_envs.envs.aec:wrapped", kwargs=kwargs)


class GameModule(ModuleType):
    """`mancala_envs.NAME_vN` with `env` and `raw_env`, as is PettingZoo's convention; its docstring is the page."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"mancala_envs.{entry.module}")
        self._entry = entry
        self.env = partial(wrapped, game=entry.name)
        self.raw_env = partial(RawEnv, entry.name)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """The page, for which the game is loaded."""
        return self._entry.book.page


def register_game(entry: Entry) -> ModuleType:
    """Register the ids of one game; returns its PettingZoo module."""
    register(entry.id, game=entry.name)
    if entry.campaign_id:
        register(entry.campaign_id, game=entry.name, campaign=True)
    module = GameModule(entry)
    sys.modules[module.__name__] = module
    return module


def register_all() -> dict[str, ModuleType]:
    """Register every game; returns the PettingZoo modules by name."""
    return {entry.module: register_game(entry) for entry in REGISTRY.values()}
