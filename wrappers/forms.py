"""Base classes of wrappers: for AEC environments, and for wrappers that support several kinds of environment."""

from typing import Any

import gymnasium as gym
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper


class AECWrapper(BaseWrapper[Any, Any, Any]):
    """PettingZoo's `BaseWrapper`, with a `repr` that shows the wrapped environment."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.env!r})"

    def _repr_svg_(self) -> Any:
        """Return the board for a notebook; None for environments of other libraries."""
        show = getattr(self.unwrapped, "_repr_svg_", None)
        return show and show()


def is_over(env: Any, agent: str) -> bool:
    """Return whether the game of `agent` in an AEC environment is over; raise ResetNeeded if all agents have left."""
    if agent not in env.terminations:
        raise gym.error.ResetNeeded("call reset before step: the episode is over and all agents have left")
    return bool(env.terminations[agent] or env.truncations[agent])


KINDS = {"AEC": AECEnv, "Gymnasium": gym.Env, "vector": VectorEnv}


class Forms:
    """Base of wrappers with a subclass for each kind of environment.

    `Name(env)` makes an instance of the subclass of `Name` that wraps environments of the kind of `env`.

    Raises:
        TypeError: if there is no such subclass.
    """

    env: Any

    def __new__(cls, env: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Make the form of the wrapper that fits the kind of `env`."""
        if Forms not in cls.__bases__:
            return super().__new__(cls)
        forms = {name: form for name, kind in KINDS.items() for form in cls.__subclasses__() if issubclass(form, kind)}
        for name, form in forms.items():
            if isinstance(env, KINDS[name]):
                return super().__new__(form)
        raise TypeError(f"{cls.__name__} takes environments of the kinds {', '.join(forms)}, got {env!r}")
