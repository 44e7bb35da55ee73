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
        register(entry.id, game=entry.name)
        if entry.campaign_id:
            register(entry.campaign_id, game=entry.name, campaign=True)
    return {entry.module: as_module(entry) for entry in REGISTRY.values()}
