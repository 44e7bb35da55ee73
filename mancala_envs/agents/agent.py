"""`Agent`, the one class for everything that plays: random and greedy play, searches, saved models, and your own."""

import os
import re
from collections.abc import Callable
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias
from weakref import WeakSet
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, Budget, streams_of
from mancala_envs.agents.compiled import NAMES, act
from mancala_envs.agents.mcts import MOST_SIMULATIONS, Mcts
from mancala_envs.agents.minimax import MOST_TURNS, OTHERS, PARANOID, Minimax
from mancala_envs.agents.model import Model, load_policy
from mancala_envs.agents.network import EXPERTS, ValueNetwork, expert_file, expert_for, load_network
from mancala_envs.core.arguments import (
    Seed,
    States,
    as_batch,
    did_you_mean,
    one,
    require_integer,
    seed_word,
    seed_words,
    short,
)
from mancala_envs.core.engine import Engine
from mancala_envs.core.names import as_game

if TYPE_CHECKING:
    from mancala_envs.agents.perfect import Perfect

AGENTS = (
    "'random', 'greedy', 'minimax:TURNS', 'mcts:SIMULATIONS', 'minimax:MSms', 'mcts:MSms', 'expert', "
    "'expert:POSITIONS', 'expert:MSms', 'perfect', 'perfect:FILE'"
)
"""The names of agents."""

ALLOWED = f"one of {AGENTS}, a callable or the path of a saved model, or have act(states, seed)"
"""The things that can be an agent, for error messages."""

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


PERFECT = "perfect"
EXPERT = "expert"
_SEARCHES = ("minimax", "mcts", EXPERT, PERFECT)
_NAME = re.compile(r"(minimax|mcts|expert):([0-9]{1,10})(ms)?")

EXPERT_POSITIONS = 10_000
"""Positions that `"expert"` searches for a decision."""

MOST_DRAWS, MOST_PLAYOUT_TURNS = 10_000, 1_000_000

MEMORY = 256
"""Megabytes for a transposition table or a search tree."""

MODEL, YOURS = "model", "yours"
"""The kinds of agents that play by a saved model, and by a policy or search of the caller."""


def is_search(name: Any) -> bool:
    """Return whether this names a search, such as `"mcts:400"`; its budget may be invalid."""
    return isinstance(name, str) and name.partition(":")[0] in _SEARCHES


def checksum_of(game: Engine, agent: str) -> int | None:
    """Return the checksum of the file with an agent's network, a saved model or the game's expert; None without one."""
    path = EXPERTS / expert_file(game) if agent.partition(":")[0] == EXPERT else Path(agent)
    return crc32(path.read_bytes()) if isfile(path) else None


def similar_agent(agent: Any) -> str:
    """Return " (did you mean 'NAME'?)" if the name of an agent resembles `agent`, otherwise ""."""
    return did_you_mean(agent.partition(":")[0], [*NAMES, *_SEARCHES]) if isinstance(agent, str) else ""


def _parsed(name: str) -> tuple[str, Budget]:
    """Return the kind of search that a name means, and its budget; raise ValueError if it names none."""
    if name == EXPERT:
        return EXPERT, Budget(EXPERT_POSITIONS, visits=True)
    found = _NAME.fullmatch(name)
    most = MOST_TURNS if name.startswith("minimax") and not name.endswith("ms") else MOST_SIMULATIONS
    if not found or not 1 <= int(found[2]) <= most:
        raise ValueError(
            f"there is no agent {short(name)}; there are {AGENTS}, with 1 to {MOST_TURNS} turns, "
            f"1 to {MOST_SIMULATIONS:,} simulations, positions or milliseconds"
        )
    return found[1], Budget(int(found[2]), bool(found[3]), visits=found[1] == EXPERT and not found[3])


def _perfect() -> "type[Perfect]":
    from mancala_envs.agents.perfect import Perfect  # Many rules, which no other agent needs.

    return Perfect


_agents: "WeakSet[Agent]" = WeakSet()


def _forget_other_threads() -> None:
    """In a forked process, free the agents that another thread was using: it does not exist there."""
    for agent in list(_agents):
        if agent._lock.locked():
            agent._lock, agent._made = Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_other_threads)


class Agent:
    """An agent for one game, made from a name, the path of a saved model, or your own policy or search.

    Environments, evaluations and tournaments make an `Agent` of every opponent and policy that they get.

    ::

        Agent(game, "minimax:6").act(states)

    The names are `"random"`, `"greedy"`, `"minimax:6"` (a depth of six turns, but at most 10^6 positions, or 10^7 for
    seven turns and so on; if turns branch too much for that, only the first decisions of each turn are searched in
    full), `"mcts:400"` (400 simulations), `"minimax:50ms"` and `"mcts:50ms"` (50 milliseconds per decision),
    `"expert:400"` (the search with the network that comes with the package for the game, 400 positions or simulations),
    `"expert:50ms"`, `"expert"` (10,000 positions), `"perfect"` (proofs, without a limit of time) and `"perfect:FILE"`
    (proofs with an endgame database).

    A named agent knows no more than the player to move: it makes its own future draws, and draws hidden information.
    A copy has its own transposition table or tree. Threads that share an `Agent` search one after the other.
    KeyboardInterrupt ends a search, and another thread can end it, too (`mancala_envs.core.pauses.watched`).

    The path of a saved MaskablePPO model is also a name. Loading the model runs code, so use only files that you trust.

    A callable (`Policy`) gets observations and masks; an object with a method `act` (`Search`) gets the states. They
    are asked only about games that are not over.

    Args:
        game: The game, as `make_game` takes it.
        agent: The name, the path of a saved model, a `Policy`, or a `Search`.
        memory: Megabytes for the transposition table or the search tree.
        draws: Number of draws of chance with which minimax searches each action, in games with chance; at most 10,000.
            Each draw above 10 adds 100,000 to the number of positions that a search may visit.
        others: What minimax assumes about the other players, if there are more than two sides: "paranoid", that they
            minimise this player's lead, or "maxn", that each maximises their own (and takes the first of equal
            actions). Partners are one side. "maxn" cuts nothing off, so it searches far more positions for the same
            depth.
        exploration: Weight of exploration in mcts. None is 1, and with a network the standard deviation of the expected
            rewards that it finds in this search.
        playout_turns: Length of a playout of mcts in turns, the present one included, at most 1,000,000; 0 for playouts
            to the end of the game.
        keep: Whether mcts continues in the tree of the last search if the position is in it, when called with a single
            game. Its choice then depends on earlier searches, not on the seed alone.
        deterministic: Whether a saved model plays its most probable action instead of drawing one.
        network: A network that evaluates positions for minimax and mcts, as `load_network` returns it, or its path. An
            expert uses it in place of the network of the package.

    Raises:
        ValueError: A name or a number is not allowed, the game has no expert, or the network was trained for another
            game; the message says what is allowed.
        FileNotFoundError: There is no file of a network at this path.
        MissingExtra: The agent is a saved model, and sb3-contrib is not installed.

    Attributes:
        game: The game.
        agent: What the agent was made from.
        number: The number of random or greedy play inside kernels; None for other agents.
        is_policy: Whether the agent is a `Policy`.
    """

    takes_seeds = True
    """See `Search.act`."""

    def __init__(
        self,
        game: Engine | str,
        agent: "str | Path | Policy | Search",
        *,
        memory: float = MEMORY,
        draws: int = 8,
        others: str = PARANOID,
        exploration: float | None = None,
        playout_turns: int = 1,
        keep: bool = False,
        deterministic: bool = False,
        network: ValueNetwork | str | Path | None = None,
    ) -> None:
        require_integer("draws", draws, 1, MOST_DRAWS)
        require_integer("playout_turns", playout_turns, 0, MOST_PLAYOUT_TURNS)
        for name, number in (("memory", memory), ("exploration", 1.0 if exploration is None else exploration)):
            if not 0 < number < float("inf"):
                raise ValueError(f"{name} must be a positive number, got {number!r}")
        if others not in OTHERS:
            raise ValueError(f"others must be one of {', '.join(map(repr, OTHERS))}, got {others!r}")
        game = as_game(game)
        self.game = game
        self.agent: Any = str(agent) if isinstance(agent, Path) else agent
        self.is_policy = callable(agent)
        name = self.agent if isinstance(self.agent, str) else ""
        self.number = NAMES.index(name) if name in NAMES else None
        first_word = name.partition(":")[0]
        if network is not None and first_word not in ("minimax", "mcts", EXPERT):
            raise ValueError(f"only minimax, mcts and expert use a network, not {short(agent)}")
        self._made: Minimax | Mcts | Model | Perfect | None = None
        self._lock = Lock()
        _agents.add(self)
        self._options: dict[str, Any] = {"memory": int(memory * 2**20)}
        if not name:
            if not self.is_policy and not callable(getattr(agent, "act", None)):
                raise ValueError(f"an agent must be {ALLOWED}, got {short(agent)}")
            self._kind = YOURS
            return
        if first_word == PERFECT:
            self._kind, database = PERFECT, name.partition(":")[2]
            _perfect().check(game, database)
            self._options |= {"database": database}
            return
        if self.number is None and not is_search(name):
            if not isfile(name):
                lacking = f"{short(name)}{similar_agent(name)}; there is no such file"
                raise ValueError(f"an agent must be {ALLOWED}, got {lacking}")
            policy = load_policy(name, deterministic)
            policy.require_fit(game)
            self._kind, self._options = MODEL, {"policy": policy}
            return
        self._kind, budget = _parsed(name) if self.number is None else ("minimax", Budget(1))
        if isinstance(network, str | Path):
            network = load_network(network)
        if network is not None:
            network.check(game)
        if self._kind == EXPERT:
            network = network or expert_for(game)
            self._kind = network.search
        self._options |= {"budget": budget, "network": network if network and network.has_weights else None}
        if self._kind == "minimax":
            self._options |= {"draws": int(draws), "others": others}
        else:
            self._options |= {"exploration": exploration, "turns": int(playout_turns), "keep": bool(keep)}

    def __repr__(self) -> str:
        return f"Agent({self.game!r}, {self.agent!r})"

    def __getstate__(self) -> dict[str, Any]:
        # Memory of earlier searches is not copied: it affects no results, except in kept trees and between equally good
        # actions of `"perfect"`.
        return {name: value for name, value in self.__dict__.items() if name != "_lock"} | {"_made": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())
        _agents.add(self)

    @property
    def _search(self) -> "Minimax | Mcts | Model | Perfect":
        # Tables and trees are large, so they are allocated at the first search.
        if self._made is None:
            kinds = {"minimax": Minimax, "mcts": Mcts, MODEL: Model}
            kind: Any = _perfect() if self._kind == PERFECT else kinds[self._kind]
            self._made = kind(self.game, **self._options)
        return self._made

    def act(self, states: States, seed: Seed = None) -> npt.NDArray[np.int64]:
        """Return the agent's actions (n,) int64, -1 where a game is over. `states` does not change.

        An action depends only on (seed, index), or with seeds (n,) only on seed[index], except with budgets in
        milliseconds and with `keep`. Which of equally good actions `"perfect"` plays also depends on earlier proofs.
        """
        if self.number is not None:
            return act(self.game, states, NAMES[self.number], seed)
        if self._kind == YOURS:
            return self._ask(states, seed)
        view = self.game.view(states)
        with self._lock:
            return self._search.act(view, streams_of(len(view), seed_words(len(view), seed)))

    def _ask(self, states: States, seed: Seed) -> npt.NDArray[np.int64]:
        """Ask the caller's policy or search about the games that are not over."""
        states, seed = as_batch(states), int(seed_word(None)) if seed is None else seed
        self.game.view(states)  # raises if these are no states of the game
        actions = np.full(len(states), -1, np.int64)
        running = np.flatnonzero(states["to_move"] >= 0)
        now, yours = states[running], self.agent
        if not len(running):
            return actions
        if callable(yours):
            observations, masks = self.game.observe(now), self.game.legal(now).view(np.int8)
            shown = f"observations {observations.shape} and masks {masks.shape}"
            actions[running] = self._integers(yours(observations, masks), len(now), shown)
        elif not isinstance(seed, np.ndarray) or getattr(yours, "takes_seeds", False):
            seeds = seed[running] if isinstance(seed, np.ndarray) else seed
            actions[running] = self._integers(yours.act(now, seeds), len(now), f"{len(now)} states and their seeds")
        else:
            for k, i in enumerate(running.tolist()):
                answer = yours.act(now[k : k + 1], int(seed[i]))
                actions[i] = self._integers(answer, 1, "a state and a seed")[0]
        return actions

    def _integers(self, answer: Any, n: int, shown: str) -> npt.NDArray[np.int64]:
        """Return an answer as (n,) integers; raise TypeError if it is something else. `shown` says what was asked."""
        chosen = np.asarray(answer)
        if chosen.dtype.kind not in "iu" or chosen.size != n:
            raise TypeError(
                f"agent {self.agent!r} got {shown} and must return {n} integers, one action each; it returned "
                f"{chosen.tolist()!r}"
            )
        return chosen.reshape(n)

    def analyse(self, state: States, seed: int | None = None) -> Analysis:
        """Analyse one position; `"greedy"` analyses as minimax of one turn does, a saved model by its probabilities.

        Raises:
            ValueError: The game is over, or the agent has no values: `"random"`, your policy or your search.
        """
        view = one(self.game.view(state))
        if view["to_move"][0] < 0:
            raise ValueError("the game is over: there is nothing to analyse")
        if self.agent == "random" or self._kind == YOURS:
            raise ValueError(f"{short(self.agent)} cannot analyse: use 'greedy', 'minimax:TURNS' or 'mcts:SIMULATIONS'")
        with self._lock:
            return self._search.analyse(view, streams_of(1, seed_words(1, seed)))
