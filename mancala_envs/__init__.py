"""Traditional board games for reinforcement learning; importing this registers every environment id."""

from types import ModuleType

from mancala_envs.core.engine import IllegalAction
from mancala_envs.envs.register import register_all
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game

__version__ = "0.1.0"
__all__ = ["REGISTRY", "Game", "IllegalAction", "make_game"]

_modules = register_all()
globals().update(_modules)


def __getattr__(name: str) -> ModuleType:
    # Called for unknown names only. The return annotation is the type of `qelat_v0` and the like for type checkers.
    raise AttributeError(f"mancala_envs has no {name!r}; its games are {', '.join(_modules)}")


def __dir__() -> list[str]:
    # The public names, without imports and internal packages.
    return sorted([*__all__, *_modules, "__version__", "agents", "evaluation", "learning", "wrappers"])
