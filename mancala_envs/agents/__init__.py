"""Agents: by name (random, greedy or a search), any callable, a search of your own, a saved model, or a mixture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis
from mancala_envs.agents.compiled import GREEDY, NAMES, RANDOM, act, playout
from mancala_envs.agents.puct import Puct, PuctAgent
from mancala_envs.agents.searcher import ALLOWED, Searcher, is_search
from mancala_envs.core.arguments import short
from mancala_envs.core.engine import Engine

__all__ = [
    "ALLOWED",
    "GREEDY",
    "NAMES",
    "RANDOM",
    "Analysis",
    "Mixture",
    "OpponentSpec",
    "Policy",
    "Puct",
    "PuctAgent",
    "Search",
    "Searcher",
    "act",
    "each",
    "is_search",
    "load_policy",
    "playout",
    "resolve",
    "searches",
]

Policy: TypeAlias = Callable[[npt.NDArray[Any], npt.NDArray[np.int8]], Any]
"""(observation, mask) -> action; in vector environments on batches, (k, D) and (k, A) -> (k,)."""


class Search(Protocol):
    """An agent that gets whole games instead of observations, such as a tree search."""

    def act(self, states: npt.NDArray[Any], seed: Any) -> Any:
        """Return an action for each of k games, as integers (k,).

        An environment calls this for one game at a time. If the search has `takes_seeds = True`, the environment calls
        this once for all waiting games; the action in game i must then be the same as in a call for that game alone
        with seed[i].

        Args:
            states: (k,) records, copies that the agent may change. They contain only what the player to move may know:
                the random generator is replaced and hidden information is removed (see `Game.copies`).
            seed: An integer for all games, or (k,) uint64, one for each game, if the search has `takes_seeds`. An
                environment derives it only from the game's own seed.
        """


def searches(agent: Any) -> TypeGuard[Search]:
    """Return whether `agent` is a `Search` and not a callable."""
    return not callable(agent) and callable(getattr(agent, "act", None))


@dataclass(frozen=True)
class Mixture:
    """Opponents of which one is drawn at the start of every episode.

    Attributes:
        opponents: At least one.
        weights: Positive numbers, one for each opponent; by default all are equal.
        numbers: The numbers that `info["opponent"]` reports, by default 0, 1, ...

    Raises:
        ValueError: There are no opponents, a weight is not positive, or there are not as many weights or numbers.
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


OpponentSpec: TypeAlias = "str | Path | Policy | Search | Mixture | Sequence[OpponentSpec]"


def each(spec: Any, change: Callable[[Any], Any]) -> Any:
    """Return `spec` with `change` applied to every opponent in it, in mixtures and lists too."""
    if isinstance(spec, Mixture):
        return replace(spec, opponents=tuple(each(member, change) for member in spec.opponents))
    if isinstance(spec, list | tuple):
        return [each(member, change) for member in spec]
    return change(spec)


def resolve(spec: Any, game: Engine, deterministic: bool = False, who: str = "opponent") -> int | Policy | Search:
    """Return the agent of `game` that a user's specification means.

    Args:
        spec: A name, a callable, a search, or the path of a MaskablePPO model (see `load_policy`).
        game: The game that the agent plays.
        deterministic: Whether a model plays its most probable action.
        who: The word for the agent in the error message.

    Returns:
        The number of a compiled agent, a policy or a search.

    Raises:
        ValueError: `spec` is something else; the message says what is allowed.
    """
    if isinstance(spec, str) and spec in NAMES:
        return NAMES.index(spec)
    if is_search(spec):
        return Searcher(game, spec)
    if isinstance(spec, str | Path) and isfile(spec):
        return load_policy(spec, deterministic)
    if callable(spec):
        policy: Policy = spec
        return policy
    if searches(spec):
        return spec
    lacking = "; there is no such file" if isinstance(spec, str | Path) else ""
    allowed = f"{ALLOWED}, a callable or the path of a saved model, or have act(states, seed)"
    raise ValueError(f"{who} must be one of {allowed}, got {short(spec)}{lacking}")


def load_policy(path: str | Path, deterministic: bool = False) -> Policy:
    """Load the policy of a MaskablePPO model (sb3-contrib), for one observation or batches of them.

    Loading such a file can run code that it contains. Load only files from people you trust.

    Args:
        path: The saved model.
        deterministic: Whether to play the most probable action; otherwise actions are drawn by the model's
            probabilities, with PyTorch's generator.

    Raises:
        ImportError: sb3-contrib is not installed.
        FileNotFoundError: There is no such file.
        ValueError: The file holds no such model.
    """
    if not isfile(path):
        raise FileNotFoundError(f"there is no saved model {short(str(path))}")
    from sb3_contrib import MaskablePPO  # Heavy, and only needed here.

    try:
        model = MaskablePPO.load(path, device="cpu")
    except Exception as error:  # A file of another kind fails anywhere in SB3, PyTorch or pickle.
        raise ValueError(f"{path} is no saved MaskablePPO model: {short(error)}") from error

    def policy(observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]) -> Any:
        return model.predict(observation, action_masks=mask, deterministic=deterministic)[0]

    return policy
