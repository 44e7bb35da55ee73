"""Opponents: compiled ones by name, any callable, a saved model, or a mixture of these."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.compiled import GREEDY, NAMES, RANDOM, act

__all__ = ["GREEDY", "NAMES", "RANDOM", "Mixture", "OpponentSpec", "Policy", "act", "load_policy", "resolve"]

Policy: TypeAlias = Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], Any]
"""(observation, mask) -> action; in vector environments on batches, (k, D) and (k, A) -> (k,)."""


@dataclass(frozen=True)
class Mixture:
    """At the start of every episode one of `opponents` is drawn, by `weights` (default: all alike).

    `numbers`: what `info["opponent"]` calls them, default 0, 1, ... Raises ValueError without opponents, with weights
    that are not positive, and where there are not as many weights or numbers as opponents.
    """

    opponents: tuple["OpponentSpec", ...]
    weights: tuple[float, ...] = ()
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.opponents:
            raise ValueError("a Mixture needs at least one opponent")
        proper = len(self.weights) == len(self.opponents) and all(0 < weight < inf for weight in self.weights)
        if self.weights and not proper:
            raise ValueError(f"weights must be {len(self.opponents)} positive numbers, finite ones, got {self.weights}")
        if self.numbers and len(self.numbers) != len(self.opponents):
            raise ValueError(f"numbers must be {len(self.opponents)}, one for each opponent, got {self.numbers}")


OpponentSpec: TypeAlias = "str | Path | Policy | Mixture | Sequence[OpponentSpec]"


def resolve(spec: Any) -> int | Policy:
    """The number of a compiled agent, or a policy. A path names a saved MaskablePPO model.

    Raises ValueError for anything else, saying what is allowed.
    """
    if isinstance(spec, str) and spec in NAMES:
        return NAMES.index(spec)
    if isinstance(spec, str | Path) and Path(spec).is_file():
        return load_policy(spec)
    if callable(spec):
        policy: Policy = spec
        return policy
    allowed = ", ".join(map(repr, NAMES))
    raise ValueError(f"opponent must be one of {allowed}, a callable or the path of a saved model, got {spec!r}")


def load_policy(path: str | Path) -> Policy:
    """The policy of a MaskablePPO model saved at `path` (sb3-contrib), sampling its actions.

    Such a file can hold a program, which runs when it is loaded: take only files of people you trust. Raises
    ImportError where sb3-contrib is not installed.
    """
    from sb3_contrib import MaskablePPO  # Heavy, and only needed here.

    model = MaskablePPO.load(path, device="cpu")

    def policy(observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]) -> Any:
        return model.predict(observation, action_masks=mask)[0]

    return policy
