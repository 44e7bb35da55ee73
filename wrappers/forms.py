"""What wrappers of each kind of environment are, and one name for a wrapper that has a form for each."""

from typing import Any

import gymnasium as gym
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper


class AECWrapper(BaseWrapper[Any, Any, Any]):
    """PettingZoo's, which tells what it wraps."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.env!r})"

    def _repr_svg_(self) -> Any:
        """What a notebook shows; nothing of environments of others."""
        show = getattr(self.unwrapped, "_repr_svg_", None)
        return show and show()


def is_over(env: Any, agent: str) -> bool:
    """Whether the game of `agent`, of an AEC environment, is over."""
    return bool(env.terminations[agent] or env.truncations[agent])


KINDS = {"AEC": AECEnv, "Gymnasium": gym.Env, "vector": VectorEnv}


class Forms:
    """Base of such a name: `Name(env)` makes the subclass of `Name` that wraps environments of the kind of `env`.

    Raises TypeError where there is none.
    """

    env: Any

    def __new__(cls, env: Any = None, *args: Any, **kwargs: Any) -> Any:
        if Forms not in cls.__bases__:
            return super().__new__(cls)
        forms = {name: form for name, kind in KINDS.items() for form in cls.__subclasses__() if issubclass(form, kind)}
        for name, form in forms.items():
            if isinstance(env, KINDS[name]):
                return super().__new__(form)
        raise TypeError(f"{cls.__name__} takes environments of the kinds {', '.join(forms)}, got {env!r}")
