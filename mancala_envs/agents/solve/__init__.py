"""Exact values of games for two players without chance: player 0's gain under best play of both players."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from mancala_envs.agents.common import words_of
from mancala_envs.agents.solve.database import (
    Database,
    compute_database,
    has_database,
    most_left_within,
    no_database,
    row_of,
)
from mancala_envs.agents.solve.gains import Bounds, Measure
from mancala_envs.agents.solve.graph import Explored, TooLarge
from mancala_envs.agents.solve.proofs import Proofs
from mancala_envs.core.arguments import States, one
from mancala_envs.core.engine import Engine
from mancala_envs.core.names import as_game
from mancala_envs.core.record import NOBODY

__all__ = ["Bounds", "Database", "Solution", "Solver", "TooLarge", "most_left", "solve", "solve_by_graph"]

Progress = Callable[[str, int], None]
"""Called repeatedly with the bounds known so far or the present stage, in words, and the number of positions. It may
raise an exception to stop."""

MEMORY = 512
"""Default memory in megabytes."""

LONGEST_LINE = 1000
"""Maximum number of decisions of a principal variation."""


def _say_nothing(known: str, positions: int) -> None:
    pass


@dataclass(frozen=True)
class Solution:
    """The value of a position, or bounds of it.

    Gains are player 0's: the lead in the game's score at the end if the reward is the margin, and otherwise 1 (player 0
    wins), 0 or -1.

    Attributes:
        to_move: The player to move.
        bounds: The lower and the upper bound of the gain.
        by_action: The bounds of the gain after each legal action.
        positions: The number of positions visited.
        seconds: The time taken.
        line: The principal variation; empty if it was not requested or is not proven. It ends where a position
            repeats.
        repeats: The number of decisions of `line` after which its last position occurred before; None if it did not.
    """

    to_move: int
    bounds: Bounds
    by_action: Mapping[int, Bounds]
    positions: int
    seconds: float
    line: list[int] = field(default_factory=list)
    repeats: int | None = None

    @property
    def proven(self) -> bool:
        """Whether the value is known, for any value of endless play (unless it was counted as a draw)."""
        return self.bounds[0] == self.bounds[1]

    @property
    def value(self) -> int | None:
        """Player 0's gain under best play of both players; None if it is not proven."""
        return self.bounds[0] if self.proven else None

    @property
    def best(self) -> list[int]:
        """The actions that are proven to be best."""
        return [action for action, bounds in self.by_action.items() if self.proven and bounds == self.bounds]


def solve(
    game: Engine | str,
    state: States | None = None,
    *,
    memory: float = MEMORY,
    line: bool = True,
    endless: bool = False,
    database: Database | None = None,
    progress: Progress = _say_nothing,
) -> Solution:
    """Prove the value of a position and of its actions by alpha-beta search.

    A proof holds for any limit `max_turns` that its variations keep to.

    Args:
        game: A game of two players without chance and secrets, as `make_game` takes it.
        state: The position, by default the start of the game.
        memory: Megabytes for the transposition table and the endgame database.
        line: Whether to search for the principal variation, too.
        endless: Whether to lift the limit `quiet_turns`, which leaves fewer positions.
        database: The endgame database, by default one with up to `most_left` seeds.
        progress: Called repeatedly, see `Progress`.

    Raises:
        ValueError: The game cannot be solved, or the position is over.
    """
    solver = Solver(game, state, memory=memory, endless=endless, database=database, progress=progress)
    return solver.solve(state, line=line)


class Solver:
    """Solves positions of one game and reuses earlier proofs; for the arguments see `solve`.

    Without a database it computes one for the seeds of the position `state`, by default the start of the game.
    """

    def __init__(
        self,
        game: Engine | str,
        state: States | None = None,
        *,
        memory: float = MEMORY,
        endless: bool = False,
        database: Database | None = None,
        progress: Progress = _say_nothing,
    ) -> None:
        self._begun, game = perf_counter(), as_game(game)
        self._game, self._progress, self._measure = game, progress, Measure.of(game, endless)
        if database is None:
            most = most_left(game, _position(game, self._measure, state), memory)
            database = no_database()
            if most >= 0:
                database = compute_database(game, most, lambda number: progress("endings", number))
        self._proofs = Proofs(game, self._measure, int(memory * 2**20) - database.values.nbytes, database)

    def solve(self, state: States | None = None, *, line: bool = True) -> Solution:
        """Solve one position, by default the start of the game."""
        game, proofs = self._game, self._proofs
        first = _position(game, self._measure, state)
        bounds, by_action = self._bounds(first), {}
        for action in _legal(game, first):
            after, gained = self._played(first, action)
            by_action[action] = self._bounds(after) if gained is None else gained
        played, repeats = self._line(first, bounds) if line else ([], None)
        seconds, self._begun = perf_counter() - self._begun, perf_counter()
        return Solution(int(first["to_move"][0]), bounds, by_action, proofs.positions, seconds, played, repeats)

    def best(self, state: States) -> int:
        """Return an action that keeps the proven value of a position, or the one with the highest lower bound."""
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
        low, high = bounds
        self._progress(f"{low:+d}" if low == high else f"{low:+d} to {high:+d}", self._proofs.positions)

    def _played(self, state: States, action: int) -> tuple[States, Bounds | None]:
        """Return a copy of `state` after `action`, and player 0's gain if the game is over."""
        after = state.copy()
        rewards = self._game.step(after, [action])
        if after["to_move"][0] != NOBODY:
            return after, None
        value = round(float(rewards[0, 0]) * self._measure.unit)
        return after, (value, value)

    def _line(self, state: States, bounds: Bounds) -> tuple[list[int], int | None]:
        """Return the principal variation, and the number of decisions after which its last position occurred before.

        It consists of actions that keep the proven value, and ends with the game, at a repetition or after LONGEST_LINE
        decisions.
        """
        line: list[int] = []
        places, masks = self._measure.key_words(self._game)
        reached: dict[bytes, int] = {}
        while bounds[0] == bounds[1] and state["to_move"][0] != NOBODY and len(line) < LONGEST_LINE:
            turn = min(int(state["turn"][0]), self._game.book.positions.opening_turns)
            position = (words_of(self._game, state)[0, places] & masks).tobytes() + bytes([turn])
            number = reached.setdefault(position, len(line))
            if number < len(line):
                return line, number
            line.append(self._proofs.keeping(state, bounds, self._pause))
            state, _ = self._played(state, line[-1])
        return line, None


def most_left(game: Engine | str, state: States, memory: float) -> int:
    """Return the number of seeds up to which `solve` computes an endgame database, -1 for games without one.

    It is three eighths of the position's seeds, or less if the database would take more than a quarter of `memory`,
    in megabytes.
    """
    game = as_game(game)
    if not has_database(game):
        return -1
    begin, places = row_of(game)
    left = int(state.view(np.uint8)[begin : begin + places].sum())
    return min(3 * left // 8, most_left_within(game, int(memory * 2**20) // 4))


def solve_by_graph(
    game: Engine | str,
    state: States | None = None,
    *,
    memory: float = MEMORY,
    endless: bool = False,
    drawn: bool = False,
    progress: Progress = _say_nothing,
) -> Solution:
    """Solve a position by value iteration over all reachable positions, independently of `solve`.

    The solution has no principal variation.

    Args:
        game: A game of two players without chance and secrets, as `make_game` takes it.
        state: The position, by default the start of the game.
        memory: Megabytes for the graph.
        endless: Whether to lift the limit `quiet_turns`.
        drawn: Whether endless play counts as a draw, in which earlier captures count for nothing; otherwise its value
            is left open.
        progress: Called repeatedly, see `Progress`.

    Raises:
        ValueError: The game cannot be solved, or the position is over.
        TooLarge: The graph takes more memory.
    """
    begun, game = perf_counter(), as_game(game)
    measure = Measure.of(game, endless)
    first = _position(game, measure, state)
    graph = Explored(
        game, measure, first, int(memory * 2**20), drawn, lambda positions: progress("all positions", positions)
    )
    by_action = dict(zip(_legal(game, first), graph.bounds_by_action(), strict=True))
    seconds = perf_counter() - begun
    return Solution(int(first["to_move"][0]), graph.bounds(), by_action, graph.positions, seconds)


def _position(game: Engine, measure: Measure, state: States | None) -> States:
    """Return the position to solve, without a limit of turns."""
    first = measure.unbounded(game, game.init(1, 0) if state is None else one(game.view(state)).view(game.dtype))
    if first["to_move"][0] == NOBODY:
        raise ValueError("the game is over: there is nothing to solve")
    return first


def _legal(game: Engine, state: States) -> list[int]:
    actions: list[int] = np.flatnonzero(game.legal(state)[0]).tolist()
    return actions
