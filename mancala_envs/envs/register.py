"""Every game of the registry under its ids, in Gymnasium and PettingZoo, and as a PettingZoo module."""

import sys
from functools import partial
from types import ModuleType

import gymnasium as gym
import pettingzoo

from mancala_envs.envs.aec import RawEnv, wrapped
from mancala_envs.registry import REGISTRY, Entry


def register(entry: Entry) -> None:
    """Make `gym.make(entry.id)`, `gym.make_vec(entry.id)` and, from PettingZoo 1.27 on, `pettingzoo.make` work."""
    gym.register(
        entry.id,
        entry_point="mancala_envs.envs.solo:SoloEnv",
        vector_entry_point="mancala_envs.envs.vector:MancalaVectorEnv",
        kwargs={"game": entry.name},
    )
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", entry.id, "mancala_envs.envs.aec:wrapped", kwargs={"game": entry.name})


def as_module(entry: Entry) -> ModuleType:
    """`mancala_envs.<name>_v<version>` with `env` and `raw_env`, the convention of PettingZoo."""
    module = ModuleType(f"mancala_envs.{entry.module}", entry.book.page)
    module.env = partial(wrapped, game=entry.name)  # type: ignore[attr-defined]
    module.raw_env = partial(RawEnv, entry.name)  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    return module


def register_all() -> dict[str, ModuleType]:
    """Register every game; returns the PettingZoo modules by name."""
    for entry in REGISTRY.values():
        register(entry)
    return {entry.module: as_module(entry) for entry in REGISTRY.values()}
