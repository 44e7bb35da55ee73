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
from mancala_envs.agents.model import NetworkAgent, load_policy
from mancala_envs.agents.network import Evaluator, ValueNetwork, expert_for, experts, load_network
from mancala_envs.agents.puct import Puct, PuctAgent
from mancala_envs.agents.searcher import ALLOWED, Searcher, is_search, similar_agent
from mancala_envs.core.arguments import short
from mancala_envs.core.engine import Engine

__all__ = [
    "ALLOWED",
    "GREEDY",
    "NAMES",
    "RANDOM",
    "Analysis",
    "Evaluator",
    "Mixture",
    "NetworkAgent",
    "OpponentSpec",
    "Policy",
    "Puct",
    "PuctAgent",
    "Search",
    "Searcher",
    "ValueNetwork",
    "act",
    "each",
    "expert_for",
    "experts",
    "is_search",
    "load_network",
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


def resolve(spec: Any, game: Engine | str, deterministic: bool = False, who: str = "opponent") -> int | Policy | Search:
    """Return the agent of `game` that a user's specification means.

    Args:
        spec: A name, a callable, a search, or the path of a saved model (see `Searcher`).
        game: The game that the agent plays, as `make_game` takes it.
        deterministic: Whether a model plays its most probable action.
        who: The word for the agent in the error message.

    Returns:
        The number of a compiled agent, a policy or a search.

    Raises:
        ValueError: `spec` is something else; the message says what is allowed.
    """
    if isinstance(spec, str) and spec in NAMES:
        return NAMES.index(spec)
    if is_search(spec) or (isinstance(spec, str | Path) and isfile(spec)):
        return Searcher(game, spec, deterministic=deterministic)
    if callable(spec):
        policy: Policy = spec
        return policy
    if searches(spec):
        return spec
    lacking = f"{similar_agent(spec)}; there is no such file" if isinstance(spec, str | Path) else ""
    allowed = f"{ALLOWED}, a callable or the path of a saved model, or have act(states, seed)"
    raise ValueError(f"{who} must be one of {allowed}, got {short(spec)}{lacking}")
