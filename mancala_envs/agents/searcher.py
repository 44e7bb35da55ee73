"""`Searcher`, an agent made from its name, which plays and analyses positions."""

import os
import re
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, Budget, streams_of
from mancala_envs.agents.compiled import NAMES, act
from mancala_envs.agents.mcts import MOST_SIMULATIONS, Mcts
from mancala_envs.agents.minimax import MOST_TURNS, OTHERS, PARANOID, Minimax
from mancala_envs.agents.model import Model, load_policy
from mancala_envs.agents.network import ValueNetwork, expert_for, load_network
from mancala_envs.core.arguments import Seed, States, did_you_mean, one, require_integer, seed_words, short
from mancala_envs.core.engine import Engine
from mancala_envs.core.names import as_game

if TYPE_CHECKING:
    from mancala_envs.agents.perfect import Perfect

ALLOWED = (
    "'random', 'greedy', 'minimax:TURNS', 'mcts:SIMULATIONS', 'minimax:MSms', 'mcts:MSms', 'expert', "
    "'expert:POSITIONS', 'expert:MSms', 'perfect', 'perfect:FILE'"
)
"""The names of agents."""

PERFECT = "perfect"
EXPERT = "expert"
_SEARCHES = ("minimax", "mcts", EXPERT, PERFECT)
_NAME = re.compile(r"(minimax|mcts|expert):([0-9]{1,10})(ms)?")

EXPERT_POSITIONS = 10_000
"""Positions that `"expert"` searches for a decision."""

MOST_DRAWS, MOST_PLAYOUT_TURNS = 10_000, 1_000_000

MEMORY = 256
"""Megabytes for a transposition table or a search tree."""

MODEL = "model"
"""The kind of a `Searcher` that plays by a saved model."""


def is_search(name: Any) -> bool:
    """Return whether this names a search, such as `"mcts:400"`; its budget may be invalid."""
    return isinstance(name, str) and name.partition(":")[0] in _SEARCHES


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
            f"there is no agent {short(name)}{similar_agent(name)}; there are {ALLOWED}, with 1 to {MOST_TURNS} turns, "
            f"1 to {MOST_SIMULATIONS:,} simulations, positions or milliseconds"
        )
    return found[1], Budget(int(found[2]), bool(found[3]), visits=found[1] == EXPERT and not found[3])


def _perfect() -> "type[Perfect]":
    from mancala_envs.agents.perfect import Perfect  # Many rules, which no other agent needs.

    return Perfect


_searchers: "WeakSet[Searcher]" = WeakSet()


def _forget_other_threads() -> None:
    """In a forked process, free the searchers that another thread was using: it does not exist there."""
    for searcher in list(_searchers):
        if searcher._lock.locked():
            searcher._lock, searcher._made = Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_other_threads)


class Searcher:
    """An agent for one game, made from its name.

    ::

        Searcher(game, "minimax:6").act(states)

    The names are `"random"`, `"greedy"`, `"minimax:6"` (a depth of six turns, but at most 10^6 positions, or 10^7 for
    seven turns and so on; if turns branch too much for that, only the first decisions of each turn are searched in
    full), `"mcts:400"` (400 simulations), `"minimax:50ms"` and `"mcts:50ms"` (50 milliseconds per decision),
    `"expert:400"` (the search with the network that comes with the package for the game, 400 positions or simulations),
    `"expert:50ms"`, `"expert"` (10,000 positions), `"perfect"` (proofs, without a limit of time) and `"perfect:FILE"`
    (proofs with an endgame database).

    An agent knows no more than the player to move: it makes its own future draws, and draws hidden information itself.
    A copy has its own transposition table or tree. Threads that share a `Searcher` search one after the other.
    KeyboardInterrupt ends a search, and another thread can end it, too (`mancala_envs.core.pauses.watched`).

    The path of a saved MaskablePPO model is also a name. Loading the model runs code, so use only files that you trust.

    Args:
        game: The game, as `make_game` takes it.
        agent: The name, or the path of a saved model.
        memory: Megabytes for the transposition table or the search tree.
        draws: Number of draws of chance with which minimax searches each action, in games with chance; at most 10,000.
            Each draw above 10 adds 100,000 to the number of positions that a search may visit.
        others: What minimax assumes about the other players, if there are more than two sides: "paranoid", that they
            minimise this player's lead, or "maxn", that each maximises their own (and takes the first of equal
            actions). Partners are one side. "maxn" cuts nothing off, so it searches far more positions for the same
            depth.
        exploration: Weight of exploration in mcts.
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
    """

    takes_seeds = True
    """See `Search.act`."""

    def __init__(
        self,
        game: Engine | str,
        agent: str | Path,
        *,
        memory: float = MEMORY,
        draws: int = 8,
        others: str = PARANOID,
        exploration: float = 1.0,
        playout_turns: int = 1,
        keep: bool = False,
        deterministic: bool = False,
        network: ValueNetwork | str | Path | None = None,
    ) -> None:
        require_integer("draws", draws, 1, MOST_DRAWS)
        require_integer("playout_turns", playout_turns, 0, MOST_PLAYOUT_TURNS)
        for name, number in (("memory", memory), ("exploration", exploration)):
            if not 0 < number < float("inf"):
                raise ValueError(f"{name} must be a positive number, got {number!r}")
        if others not in OTHERS:
            raise ValueError(f"others must be one of {', '.join(map(repr, OTHERS))}, got {others!r}")
        if not isinstance(agent, str | Path):
            raise ValueError(f"agent must be one of {ALLOWED} or the path of a saved model, got {short(agent)}")
        game, agent = as_game(game), str(agent)
        if network is not None and agent.partition(":")[0] not in ("minimax", "mcts", EXPERT):
            raise ValueError(f"only minimax, mcts and expert use a network, not {short(agent)}")
        self.game, self.agent = game, agent
        self._made: Minimax | Mcts | Model | Perfect | None = None
        self._lock = Lock()
        _searchers.add(self)
        self._options: dict[str, Any] = {"memory": int(memory * 2**20)}
        if agent.partition(":")[0] == PERFECT:
            self._kind, database = PERFECT, agent.partition(":")[2]
            _perfect().check(game, database)
            self._options |= {"database": database}
            return
        if agent not in NAMES and not is_search(agent) and isfile(agent):
            policy = load_policy(agent, deterministic)
            policy.require_fit(game)
            self._kind, self._options = MODEL, {"policy": policy}
            return
        self._kind, budget = ("minimax", Budget(1)) if agent in NAMES else _parsed(agent)
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
        return f"Searcher({self.game!r}, {self.agent!r})"

    def __getstate__(self) -> dict[str, Any]:
        # Memory of earlier searches is not copied: it affects no results, except in kept trees.
        return {name: value for name, value in self.__dict__.items() if name != "_lock"} | {"_made": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())
        _searchers.add(self)

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
        milliseconds and with `keep`.
        """
        if self.agent in NAMES:
            return act(self.game, states, self.agent, seed)
        view = self.game.view(states)
        with self._lock:
            return self._search.act(view, streams_of(len(view), seed_words(len(view), seed)))

    def analyse(self, state: States, seed: int | None = None) -> Analysis:
        """Analyse one position; `"greedy"` analyses as minimax of one turn does, a saved model by its probabilities.

        Raises:
            ValueError: The game is over, or the agent is `"random"`, which has no values.
        """
        view = one(self.game.view(state))
        if view["to_move"][0] < 0:
            raise ValueError("the game is over: there is nothing to analyse")
        if self.agent == "random":
            raise ValueError("'random' cannot analyse: use 'greedy', 'minimax:TURNS' or 'mcts:SIMULATIONS'")
        with self._lock:
            return self._search.analyse(view, streams_of(1, seed_words(1, seed)))
