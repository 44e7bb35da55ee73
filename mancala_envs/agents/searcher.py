"""`Searcher`: any agent by its name, for those who want to know what it plays and why."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import mcts, minimax
from mancala_envs.agents.compiled import NAMES, act
from mancala_envs.agents.look_ahead import words_of
from mancala_envs.core.game import Game, States, one, seed_word

SEARCHES = ("minimax", "mcts")
ALLOWED = "'random', 'greedy', 'minimax:TURNS', 'minimax:MSms', 'mcts:SIMULATIONS' or 'mcts:MSms'"
"""What agents can be called."""

MOST_TURNS = 1000
MOST_SIMULATIONS = 1_000_000_000
_NAME = re.compile(r"(minimax|mcts):([0-9]{1,10})(ms)?")

MEMORY = 256
"""Megabytes that tables and trees may take."""

_UNLIMITED = 1 << 60
_FEW = 10_000
"""Positions by which minimax sees how fast it is."""
_AT_ONCE = 64
"""Simulations between two looks at the clock."""
_LONGEST_LINE = 64
"""Decisions of an analysis."""


def is_search(name: Any) -> bool:
    """Whether it names a search, such as `"mcts:400"`, with an allowed budget or not."""
    return isinstance(name, str) and name.partition(":")[0] in SEARCHES and not name.endswith(".zip")


@dataclass(frozen=True)
class Budget:
    """What a search may spend on a decision: turns to look ahead or simulations, or milliseconds."""

    kind: str
    number: int
    timed: bool

    @classmethod
    def of(cls, name: str) -> "Budget":
        """Raises ValueError for a name that is not allowed, or a budget."""
        found = _NAME.fullmatch(name)
        most = MOST_TURNS if name.startswith("minimax") else MOST_SIMULATIONS
        if not found or not 1 <= int(found[2]) <= most:
            raise ValueError(
                f"there is no agent {name!r}; there are {ALLOWED}, with 1..{MOST_TURNS} turns and "
                f"1..{MOST_SIMULATIONS:_} simulations or milliseconds"
            )
        return cls(found[1], int(found[2]), bool(found[3]))


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position.

    `action`: what it would play; `value`: what that is worth to the player to move; `values`: the same of every action
    that was tried. minimax counts leads, in the game's `worth`, ahead of all others together, and from 2^39 on it has
    won, below -2^39 lost; mcts counts from -1, lost, to 1, won. `line`: how play would go on, `action` first, as far as
    it is known without chance. `nodes`: positions or simulations looked at; `depth`: turns looked ahead (minimax) or
    the length of the line.
    """

    action: int
    value: float
    values: Mapping[int, float]
    line: list[int] = field(default_factory=list)
    nodes: int = 0
    depth: int = 0


class Searcher:
    """An agent by its name, over one game: `"random"`, `"greedy"`, `"minimax:6"` (turns to look ahead), `"mcts:400"`
    (simulations), `"minimax:50ms"` or `"mcts:50ms"` (milliseconds for each decision).

    Arguments:
        game: whose states it is asked about.
        memory: megabytes that a table or tree may take.
        draws: of minimax in games with chance, with how many draws each action is tried.
        exploration: of mcts, the weight of what is little known.
        rollout: of mcts, how many turns are played at random before leads are counted, the one going on included; 0
            for random play to the end.
        keep: of mcts, whether the tree is kept for a position that was met in it, when one game is asked about; then
            what is played depends on what was asked before, and not on the seed alone.

    It knows no more than the player to move: chance is drawn anew, and what is hidden from him too. Raises ValueError
    for names and numbers that are not allowed, saying what is.
    """

    def __init__(
        self,
        game: Game,
        agent: str,
        *,
        memory: float = MEMORY,
        draws: int = 8,
        exploration: float = 1.0,
        rollout: int = 1,
        keep: bool = False,
    ) -> None:
        for name, value, least in (("draws", draws, 1), ("rollout", rollout, 0)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise ValueError(f"{name} must be an integer of at least {least}, got {value!r}")
        for name, number in (("memory", memory), ("exploration", exploration)):
            if not 0 < number < float("inf"):
                raise ValueError(f"{name} must be a positive number, got {number!r}")
        if not isinstance(agent, str):
            raise ValueError(f"agent must be a name, one of {ALLOWED}, got {agent!r}")
        self.game, self.agent = game, agent
        self._budget = None if agent in NAMES else Budget.of(agent)
        self._bytes = int(memory * 2**20)
        self._draws = int(draws) if game.has_chance else 1
        self._exploration, self._rollout = float(exploration), int(rollout)
        self._keep = bool(keep)
        self._keyed = self._keep or game.has_chance
        self._room: Any = None
        """The table or the tree, made when it is first needed."""

    def __repr__(self) -> str:
        return f"Searcher({self.game!r}, {self.agent!r})"

    def __getstate__(self) -> dict[str, Any]:
        # A copy makes its own room; nothing but a kept tree depends on what is in it.
        return {**self.__dict__, "_room": None}

    def act(self, states: States, seed: int | None = None) -> npt.NDArray[np.int64]:
        """(n,) int64: what the agent plays in each game, -1 where over; states stay as they are.

        It depends on (seed, index) only, but for budgets in milliseconds and kept trees.
        """
        if self._budget is None:
            return act(self.game, states, self.agent, seed)
        view, word = self.game.view(states), seed_word(seed)
        out = np.full(len(view), -1, np.int64)
        if self._budget.timed or self._keep:
            for i in np.flatnonzero(view["to_move"] >= 0):
                out[i] = self._think(view[i : i + 1], seed_word(int(word) ^ int(i)))[0]
        elif self._budget.kind == "mcts":
            tree = self._tree()
            loop = self.game.bind(mcts.mcts_loop)
            loop(view, tree, self._budget.number, self._exploration, self._rollout, self._keyed, word, out)
        else:
            loop = self.game.bind(minimax.minimax_loop)
            done = 0
            while done < len(view):
                done = loop(view, self._table(), self._budget.number, self._draws, word, done, out)
                self._widen()
        return out

    def analyse(self, state: States, seed: int | None = None) -> Analysis:
        """What the agent thinks of the one given position; `"greedy"` as minimax of one turn.

        Raises ValueError for a game that is over and for `"random"`, which does not think.
        """
        view = one(self.game.view(state))
        if view["to_move"][0] < 0:
            raise ValueError("the game is over: there is nothing to analyse")
        if self.agent == "random":
            raise ValueError("'random' has no opinion: analyse with 'greedy', 'minimax:TURNS' or 'mcts:SIMULATIONS'")
        action, depth = self._think(view, seed_word(seed))
        if isinstance(self._room, mcts.Tree):
            return self._from_tree(action)
        return self._from_table(view, action, depth)

    # One position.

    def _think(self, view: States, word: np.uint64) -> tuple[int, int]:
        """What is played in the one game, and how many turns ahead minimax looked."""
        if self._budget and self._budget.kind == "mcts":
            return self._search_tree(view, self._budget, word), 0
        return self._search_table(view, self._budget or Budget("minimax", 1, False), word)

    def _search_table(self, view: States, budget: Budget, word: np.uint64) -> tuple[int, int]:
        end = perf_counter() + budget.number / 1000
        if not budget.timed:
            return self._search_turns(view, budget.number, word, _UNLIMITED)
        # How many positions there is time for is seen from a few.
        begin = perf_counter()
        found = self._search_turns(view, MOST_TURNS, word, _FEW)
        spent, left = perf_counter() - begin, end - perf_counter()
        if left < spent or self._table().counts[minimax.NODES] < _FEW:
            return found
        return self._search_turns(view, MOST_TURNS, word, int(_FEW * left / spent))

    def _search_turns(self, view: States, turns: int, word: np.uint64, limit: int) -> tuple[int, int]:
        found = np.zeros(3, np.int64)
        while True:
            table = self._table()
            table.counts[minimax.NODES], table.counts[minimax.LIMIT] = 0, limit
            self.game.bind(minimax.think_loop)(view, table, turns, self._draws, word, found)
            if not self._widen():
                return int(found[0]), int(found[2])

    def _search_tree(self, view: States, budget: Budget, word: np.uint64) -> int:
        tree, bind = self._tree(), self.game.bind
        known = self._keep and len(tree.first) - tree.used[mcts.NODES] > budget.number
        if not (known and bind(mcts.find_loop)(tree, words_of(self.game, view))):
            bind(mcts.plant_loop)(view, tree)
        grow, more = bind(mcts.grow_loop), (self._exploration, self._rollout, self._keyed)
        if not budget.timed:
            grow(view, tree, budget.number, *more, word)
        else:
            end, part = perf_counter() + budget.number / 1000, 0
            while part == 0 or perf_counter() < end:
                grow(view, tree, _AT_ONCE, *more, seed_word(int(word) ^ part))
                part += 1
        return int(tree.action[self._edges(tree, 1)[0]])

    # What was found.

    def _from_table(self, view: States, action: int, depth: int) -> Analysis:
        table = self._table()
        number = int(self.game.legal(view.view(self.game.dtype)).sum())
        actions, worths = table.roots[:number], table.root_values[:number] / self._draws
        values = dict(zip(actions.tolist(), worths.tolist(), strict=True))
        return Analysis(action, values[action], values, self._known_line(view, action), int(table.counts[0]), depth)

    def _from_tree(self, action: int) -> Analysis:
        tree: mcts.Tree = self._room
        first, size = (int(row[tree.used[mcts.ROOT]]) for row in (tree.first, tree.size))
        tried = [edge for edge in range(first, first + size) if tree.visits[edge]]
        values = {int(tree.action[edge]): float(tree.total[edge] / tree.visits[edge]) for edge in tried}
        line = [int(tree.action[edge]) for edge in self._edges(tree, 1 if self.game.has_chance else _LONGEST_LINE)]
        nodes = int(tree.visits[first : first + size].sum())
        return Analysis(action, values.get(action, 0.0), values, line, nodes, len(line))

    def _edges(self, tree: mcts.Tree, most: int) -> npt.NDArray[np.int64]:
        """The edges that were taken most often, from the root on."""
        line = np.zeros(most, np.int64)
        return line[: self.game.bind(mcts.line_loop)(tree, line)]

    def _known_line(self, view: States, action: int) -> list[int]:
        """The best play that the table knows."""
        line, state = [action], np.asarray(view).view(self.game.dtype).copy()
        best_known = self.game.bind(minimax.best_known_loop)
        self.game.step(state, [action])
        while not self.game.has_chance and state["to_move"][0] >= 0 and len(line) < _LONGEST_LINE:
            best = int(best_known(self.game.view(state), self._table(), words_of(self.game, state)))
            if best < 0:
                break
            line.append(best)
            self.game.step(state, [best])
        return line

    # Room.

    def _table(self) -> minimax.Table:
        if self._room is None:
            turns = 1 if self._budget is None else MOST_TURNS if self._budget.timed else self._budget.number
            self._room = minimax.table_for(self.game, turns, self._bytes)
        table: minimax.Table = self._room
        return table

    def _widen(self) -> bool:
        """Whether there was no room for a line of play; then there is more now."""
        if not self._table().counts[minimax.FULL]:
            return False
        self._room = minimax.wider(self.game, self._table())
        return True

    def _tree(self) -> mcts.Tree:
        if self._room is None:
            assert self._budget is not None
            # How far a tree grows in some time is not known before.
            simulations = MOST_SIMULATIONS if self._budget.timed else self._budget.number * (1 + 7 * self._keep)
            self._room = mcts.tree_for(self.game, simulations, self._bytes)
        tree: mcts.Tree = self._room
        return tree
