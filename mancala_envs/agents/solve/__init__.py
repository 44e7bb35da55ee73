"""Exact values: what a game of two without chance is worth to its first player under best play of both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from mancala_envs.agents.solve.endings import Endings, endings_within, has_endings, no_endings, row_of, value_all
from mancala_envs.agents.solve.gains import Bounds, Measure
from mancala_envs.agents.solve.graph import Explored, TooLarge
from mancala_envs.agents.solve.proofs import Proofs
from mancala_envs.core.game import Game, States, one
from mancala_envs.core.record import NOBODY

__all__ = ["Bounds", "Endings", "Solution", "Solver", "TooLarge", "most_left", "solve", "solve_by_graph"]

Progress = Callable[[str, int], None]
"""Told now and then what is known in words, and how many positions were looked at; it may raise, to stop."""

MEMORY = 512
"""Megabytes."""

LONGEST_LINE = 1000
"""Decisions of a line of best play that are looked for."""


def _say_nothing(known: str, positions: int) -> None:
    pass


@dataclass(frozen=True)
class Solution:
    """What is known of a position.

    Gains are player 0's: his lead in the game's score at the end where the reward is the margin, else 1 (he wins), 0 or
    -1. `bounds`: of the position, `by_action`: of each legal action in it. `line`: actions of best play, as far as it
    was looked for. `positions`: looked at; `seconds`: it took.
    """

    to_move: int
    bounds: Bounds
    by_action: Mapping[int, Bounds]
    positions: int
    seconds: float
    line: list[int] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        """Whether the value is known: whatever endless play is worth, if it was not said to be a draw."""
        return self.bounds[0] == self.bounds[1]

    @property
    def value(self) -> int | None:
        """What player 0 gains under best play of both; None where it is not proven."""
        return self.bounds[0] if self.proven else None

    @property
    def best(self) -> list[int]:
        """The actions that are proven to be best."""
        return [action for action, bounds in self.by_action.items() if self.proven and bounds == self.bounds]


def solve(
    game: Game,
    state: States | None = None,
    *,
    memory: float = MEMORY,
    line: bool = True,
    endless: bool = False,
    endings: Endings | None = None,
    progress: Progress = _say_nothing,
) -> Solution:
    """The value of the one position `state`, by default the first one, and of its actions, by alpha-beta proofs.

    `memory`: megabytes for the table and what is known of endings; `line`: whether to look for best play too;
    `endless`: without the bound `quiet_turns`, which leaves fewer positions; `endings`: what is known of them, by
    default those `most_left` says. Proofs hold for any bound `max_turns` that their lines keep to. Raises ValueError
    for games that have not two players, or chance, or secrets, and for a position that is over.
    """
    solver = Solver(game, state, memory=memory, endless=endless, endings=endings, progress=progress)
    return solver.solve(state, line=line)


class Solver:
    """Solves positions of a game one after the other, and keeps what it finds out: see `solve`.

    Without `endings` it values those that fit the position `state`, by default the first one.
    """

    def __init__(
        self,
        game: Game,
        state: States | None = None,
        *,
        memory: float = MEMORY,
        endless: bool = False,
        endings: Endings | None = None,
        progress: Progress = _say_nothing,
    ) -> None:
        self._begun = perf_counter()
        self._game, self._progress, self._measure = game, progress, Measure.of(game, endless)
        if endings is None:
            most = most_left(game, _position(game, self._measure, state), memory)
            endings = no_endings() if most < 0 else value_all(game, most, lambda number: progress("endings", number))
        self._proofs = Proofs(game, self._measure, int(memory * 2**20) - endings.values.nbytes, endings)

    def solve(self, state: States | None = None, *, line: bool = True) -> Solution:
        """What is known of the one position `state`, by default the first one."""
        game, proofs = self._game, self._proofs
        first = _position(game, self._measure, state)
        bounds = self._bounds(first)
        by_action = {}
        for action in _legal(game, first):
            after, gained = _played(game, self._measure, first, action)
            by_action[action] = self._bounds(after) if gained is None else gained
        played = _line(game, self._measure, proofs, first, bounds, self._pause) if line else []
        seconds, self._begun = perf_counter() - self._begun, perf_counter()
        return Solution(int(first["to_move"][0]), bounds, by_action, proofs.positions, seconds, played)

    def best(self, state: States) -> int:
        """An action that keeps what the one position `state` is worth, or which is sure to gain most."""
        first = _position(self._game, self._measure, state)
        bounds = self._bounds(first)
        if bounds[0] == bounds[1]:
            return self._proofs.keeping(first, bounds, self._pause)
        found = self.solve(state, line=False)
        mover = found.to_move
        return max(found.by_action, key=lambda action: (-1) ** mover * found.by_action[action][mover])

    def _bounds(self, state: States) -> Bounds:
        return self._proofs.bounds(state, (-self._measure.unit, self._measure.unit), self._pause)

    def _pause(self, bounds: Bounds) -> None:
        self._progress(_in_words(bounds), self._proofs.positions)


def most_left(game: Game, state: States, memory: float) -> int:
    """Up to how many seeds left endings are valued before the one position `state` is solved in so many megabytes.

    That is three in eight of its seeds, or as many as take a quarter of the memory; -1 in games without such endings.
    """
    if not has_endings(game):
        return -1
    begin, places = row_of(game)
    left = int(state.view(np.uint8)[begin : begin + places].sum())
    return min(3 * left // 8, endings_within(game, int(memory * 2**20) // 4))


def solve_by_graph(
    game: Game,
    state: States | None = None,
    *,
    memory: float = MEMORY,
    endless: bool = False,
    drawn: bool = False,
    progress: Progress = _say_nothing,
) -> Solution:
    """As `solve`, without a line, from the graph of all positions that can be reached; another program altogether.

    `drawn`: whether play that never ends is a draw, by which nobody gains anything, whatever he has captured; otherwise
    it is left open what it is worth. Raises TooLarge where the graph takes more than `memory` megabytes.
    """
    begun = perf_counter()
    measure = Measure.of(game, endless)
    first = _position(game, measure, state)
    graph = Explored(
        game, measure, first, int(memory * 2**20), drawn, lambda positions: progress("all positions", positions)
    )
    by_action = dict(zip(_legal(game, first), graph.bounds_by_action(), strict=True))
    seconds = perf_counter() - begun
    return Solution(int(first["to_move"][0]), graph.bounds(), by_action, graph.positions, seconds)


def _in_words(bounds: Bounds) -> str:
    low, high = bounds
    return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"


def _position(game: Game, measure: Measure, state: States | None) -> States:
    """The position to solve, without a bound of turns."""
    first = measure.unbounded(game, game.init(1, 0) if state is None else one(game.view(state)).view(game.dtype))
    if first["to_move"][0] == NOBODY:
        raise ValueError("the game is over: there is nothing to solve")
    return first


def _legal(game: Game, state: States) -> list[int]:
    actions: list[int] = np.flatnonzero(game.legal(state)[0]).tolist()
    return actions


def _played(game: Game, measure: Measure, state: States, action: int) -> tuple[States, Bounds | None]:
    """A copy of `state` after `action`, and what player 0 has gained where the game is over by it."""
    after = state.copy()
    rewards = game.step(after, [action])
    if after["to_move"][0] != NOBODY:
        return after, None
    value = round(float(rewards[0, 0]) * measure.unit)
    return after, (value, value)


def _line(
    game: Game, measure: Measure, proofs: Proofs, state: States, bounds: Bounds, pause: Callable[[Bounds], None]
) -> list[int]:
    """Actions that keep what is proven, to the end of the game or as far as a line is looked at."""
    line: list[int] = []
    while bounds[0] == bounds[1] and state["to_move"][0] != NOBODY and len(line) < LONGEST_LINE:
        line.append(proofs.keeping(state, bounds, pause))
        state, _ = _played(game, measure, state, line[-1])
    return line
