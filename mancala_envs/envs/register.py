"""Registers every game with Gymnasium and PettingZoo, and makes its PettingZoo module."""

import sys
from types import ModuleType
from typing import Any

import gymnasium as gym
import pettingzoo
from pettingzoo import AECEnv

from mancala_envs.envs.aec import RawEnv, wrapped
from mancala_envs.registry import REGISTRY, Entry


def register(env_id: str, **kwargs: Any) -> None:
    """Register an id for `gym.make`, `gym.make_vec` and, from PettingZoo 1.27 on, `pettingzoo.make`.

    Args:
        env_id: the id.
        kwargs: arguments of the environments.
    """
    gym.register(
        env_id,
        entry_point="mancala_envs.envs.solo:SoloEnv",
        vector_entry_point="mancala_envs.envs.vector:MancalaVectorEnv",
        kwargs=kwargs,
    )
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", env_id, "mancala_envs.envs.aec:wrapped", kwargs=kwargs)


class GameModule(ModuleType):
    """Module `mancala_envs.NAME_vN` with `env` and `raw_env`, as in PettingZoo. Its docstring is the game's page."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"mancala_envs.{entry.module}")
        self._entry = entry
        self.__all__ = ("env", "raw_env")

        def env(render_mode: str | None = None, campaign: bool = False, **options: Any) -> AECEnv[Any, Any, Any]:
            """Make `raw_env` with PettingZoo's usual wrappers: an illegal action loses, and misuse raises an error.

            Args:
                render_mode: None, `"ansi"`, `"rgb_array"`, `"svg"` or `"human"`.
                campaign: whether an episode is a campaign of several rounds.
                options: `opening`, see `RawEnv`, and options of the game, see its page.
            """
            return wrapped(game=entry.name, render_mode=render_mode, campaign=campaign, **options)

        def raw_env(render_mode: str | None = None, campaign: bool = False, **options: Any) -> RawEnv:
            """Make the game as a PettingZoo AEC environment, see `mancala_envs.envs.aec.RawEnv` and `env`."""
            return RawEnv(entry.name, render_mode, campaign, **options)

        for maker in (env, raw_env):
            # `help` and `pickle` look functions up by these names.
            maker.__module__, maker.__qualname__ = self.__name__, maker.__name__
        self.env, self.raw_env = env, raw_env

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """The game's page. Reading it imports the rules."""
        return self._entry.book.page


def register_game(entry: Entry) -> ModuleType:
    """Register the ids of a game, and return its PettingZoo module."""
    register(entry.id, game=entry.name)
    if entry.campaign_id:
        register(entry.campaign_id, game=entry.name, campaign=True)
    module = GameModule(entry)
    sys.modules[module.__name__] = module
    return module


def register_all() -> dict[str, ModuleType]:
    """Register every game, and return the PettingZoo modules by name."""
    return {entry.module: register_game(entry) for entry in REGISTRY.values()}
