"""`Searcher`: any agent by its name, for those who want to know what it plays and why."""

import re
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, Budget
from mancala_envs.agents.compiled import NAMES, act
from mancala_envs.agents.mcts import MOST_SIMULATIONS, Mcts
from mancala_envs.agents.minimax import MOST_TURNS, OTHERS, PARANOID, Minimax
from mancala_envs.agents.perfect import Perfect
from mancala_envs.core.game import Game, States, one, seed_word

ALLOWED = (
    "'random', 'greedy', 'minimax:TURNS', 'mcts:SIMULATIONS', 'minimax:MSms', 'mcts:MSms', 'perfect', 'perfect:FILE'"
)
"""What agents can be called."""

PERFECT = "perfect"
_SEARCHES = ("minimax", "mcts", PERFECT)
_NAME = re.compile(r"(minimax|mcts):([0-9]{1,10})(ms)?")

MEMORY = 256
"""Megabytes that tables and trees may take."""


def is_search(name: Any) -> bool:
    """Whether it names a search, such as `"mcts:400"`, with an allowed budget or not."""
    return isinstance(name, str) and name.partition(":")[0] in _SEARCHES


def _parsed(name: str) -> tuple[str, Budget]:
    """Which search it is, and its budget. Raises ValueError for a name or a budget that is not allowed."""
    found = _NAME.fullmatch(name)
    most = MOST_TURNS if name.startswith("minimax") and not name.endswith("ms") else MOST_SIMULATIONS
    if not found or not 1 <= int(found[2]) <= most:
        raise ValueError(
            f"there is no agent {name!r}; there are {ALLOWED}, with 1 to {MOST_TURNS} turns, "
            f"1 to {MOST_SIMULATIONS:,} simulations or milliseconds"
        )
    return found[1], Budget(int(found[2]), bool(found[3]))


class Searcher:
    """An agent by its name, over one game: `"random"`, `"greedy"`, `"minimax:6"` (turns to look ahead, as far as 10^6
    positions allow; where a turn has too many ways to go on, more of these first), `"mcts:400"` (simulations),
    `"minimax:50ms"` or `"mcts:50ms"` (milliseconds for each decision), `"perfect"` (proofs, however long they take), or
    `"perfect:FILE"`, with a database of endings.

    Arguments:
        game: whose states it is asked about.
        memory: megabytes that a table or tree may take.
        draws: of minimax in games with chance, with how many draws each action is tried.
        others: of minimax among more than two sides, what the others are taken to want: "paranoid", that this player
            falls behind, or "maxn", each his own lead, of whom each takes the first of equal actions. Partners are one
            side. "maxn" cuts nothing off, and so looks at far more positions for the same turns.
        exploration: of mcts, the weight of what is little known.
        rollout: of mcts, how many turns are played at random before leads are counted, the one going on included; 0
            for random play to the end.
        keep: of mcts, whether the tree is kept for a position that was met in it, when one game is asked about; then
            what is played depends on what was asked before, and not on the seed alone.

    It knows no more than the player to move: chance is drawn anew, and what is hidden from him too. Threads that share
    one wait for each other. Raises ValueError for names and numbers that are not allowed, saying what is.
    """

    def __init__(
        self,
        game: Game,
        agent: str,
        *,
        memory: float = MEMORY,
        draws: int = 8,
        others: str = PARANOID,
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
        if others not in OTHERS:
            raise ValueError(f"others must be one of {', '.join(map(repr, OTHERS))}, got {others!r}")
        if not isinstance(agent, str):
            raise ValueError(f"agent must be a name, one of {ALLOWED}, got {agent!r}")
        self.game, self.agent = game, agent
        self._made: Minimax | Mcts | Perfect | None = None
        self._alone = Lock()
        self._options: dict[str, Any] = {"memory": int(memory * 2**20)}
        if agent.partition(":")[0] == PERFECT:
            self._kind, database = PERFECT, agent.partition(":")[2]
            Perfect.check(game, database)
            self._options |= {"database": database}
            return
        self._kind, budget = ("minimax", Budget(1)) if agent in NAMES else _parsed(agent)
        self._options |= {"budget": budget}
        if self._kind == "minimax":
            self._options |= {"draws": int(draws), "others": others}
        else:
            self._options |= {"exploration": exploration, "turns": int(rollout), "keep": bool(keep)}

    def __repr__(self) -> str:
        return f"Searcher({self.game!r}, {self.agent!r})"

    def __getstate__(self) -> dict[str, Any]:
        # A copy searches in a table or tree of its own; nothing but a kept tree depends on what is in it.
        return {name: value for name, value in self.__dict__.items() if name != "_alone"} | {"_made": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _alone=Lock())

    @property
    def _search(self) -> Minimax | Mcts | Perfect:
        # Tables are large: made when they are needed.
        if self._made is None:
            kind: Any = {"minimax": Minimax, "mcts": Mcts, PERFECT: Perfect}[self._kind]
            self._made = kind(self.game, **self._options)
        return self._made

    def act(self, states: States, seed: int | None = None) -> npt.NDArray[np.int64]:
        """(n,) int64: what the agent plays in each game, -1 where over; states stay as they are.

        It depends on (seed, index) only, but for budgets in milliseconds and kept trees.
        """
        if self.agent in NAMES:
            return act(self.game, states, self.agent, seed)
        with self._alone:
            return self._search.act(self.game.view(states), seed_word(seed))

    def analyse(self, state: States, seed: int | None = None) -> Analysis:
        """What the agent thinks of the one given position; `"greedy"` as minimax of one turn.

        Raises ValueError for a game that is over and for `"random"`, which does not think.
        """
        view = one(self.game.view(state))
        if view["to_move"][0] < 0:
            raise ValueError("the game is over: there is nothing to analyse")
        if self.agent == "random":
            raise ValueError("'random' has no opinion: analyse with 'greedy', 'minimax:TURNS' or 'mcts:SIMULATIONS'")
        with self._alone:
            return self._search.analyse(view, seed_word(seed))
