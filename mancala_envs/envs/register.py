"""Every game of the registry under its ids, in Gymnasium and PettingZoo, and as a PettingZoo module."""

import sys
from types import ModuleType
from typing import Any

import gymnasium as gym
import pettingzoo
from pettingzoo import AECEnv

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
        self.__all__ = ("env", "raw_env")

        def env(render_mode: str | None = None, campaign: bool = False, **options: Any) -> AECEnv[Any, Any, Any]:
            """`raw_env` behind the guards of PettingZoo: an illegal action loses, misuse raises."""
            return wrapped(game=entry.name, render_mode=render_mode, campaign=campaign, **options)

        def raw_env(render_mode: str | None = None, campaign: bool = False, **options: Any) -> RawEnv:
            """All seats of the game as agents of a PettingZoo AEC environment, see `mancala_envs.envs.aec.RawEnv`.

            `render_mode`: None, "ansi", "rgb_array", "svg" or "human"; `campaign` and `options`: as the game's page
            tells.
            """
            return RawEnv(entry.name, render_mode, campaign, **options)

        for maker in (env, raw_env):
            # As if they stood in a file of this name: so help tells of them and pickle finds them.
            maker.__module__, maker.__qualname__ = self.__name__, maker.__name__
        self.env, self.raw_env = env, raw_env

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
