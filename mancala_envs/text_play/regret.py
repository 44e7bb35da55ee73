"""Exact regret: how much worse an action is than the best one, by proof."""

from math import inf

from mancala_envs.agents.solve import Solver
from mancala_envs.core.arguments import States
from mancala_envs.game import Game

POSITIONS = 10_000_000
"""Default for the positions that the proofs for one decision may visit."""


class _TooManyPositions(Exception):
    """A proof was given up."""


class Regrets:
    """The exact regrets of actions in a game of two players without chance and secrets.

    The unit is that of the proof: a lead in the game's score with `reward="margin"`; otherwise 2 is the difference
    between winning and losing, and 1 that between either and a draw.

    Args:
        game: The game, as `make_game` takes it.
        memory: Memory of the solver, in megabytes.
        positions: How many positions the proofs for one decision may visit before they are given up.

    Raises:
        ValueError: Games of this kind cannot be solved.
    """

    def __init__(self, game: Game | str, memory: float = 64, positions: int = POSITIONS) -> None:
        self._limit = positions
        self._stop: float = inf
        self._solver = Solver(game, memory=memory, progress=self._count)
        self._visited = 0  # without the endgame databases, whose positions the solver has counted

    def _count(self, known: str, positions: int) -> None:
        self._visited = positions
        if positions > self._stop:
            raise _TooManyPositions

    def values(self, state: States) -> dict[int, int] | None:
        """Return the proven value of every legal action for the player to move; None if one was not proven."""
        self._stop = self._visited + self._limit
        try:
            found = self._solver.solve(state, line=False)
        except _TooManyPositions:
            return None
        self._visited = found.positions
        if any(low != high for low, high in found.by_action.values()):
            return None
        sign = 1 if found.to_move == 0 else -1
        return {action: sign * low for action, (low, _) in found.by_action.items()}

    def of(self, state: States, action: int) -> int | None:
        """Return the regret of a legal action, at least 0; None if it was not proven."""
        values = self.values(state)
        return None if values is None else max(values.values()) - values[action]
