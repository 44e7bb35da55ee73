"""Perfect play: what a position is worth is proven before an action is chosen. It knows no game.

Endings are looked up, in a database or in memory; what comes before them takes as long as it takes to solve.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, one_by_one
from mancala_envs.agents.solve import Solver
from mancala_envs.agents.solve.endings import read_file, read_header
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.core.game import Game, States


class Perfect:
    """Plays a game of two without chance by proofs. `database`: a file of endings; "" for those of its own.

    Raises ValueError for a game that cannot be solved, and for a database that does not fit.
    """

    def __init__(self, game: Game, memory: int, database: str) -> None:
        self.check(game, database)
        endings = read_file(Path(database), game) if database else None
        self._game = game
        self._solver = Solver(game, memory=memory / 2**20, endings=endings)

    @staticmethod
    def check(game: Game, database: str) -> None:
        """Raises as the making of one, but for damage that only reading all of the database shows."""
        Measure.of(game)
        if database and not Path(database).is_file():
            raise ValueError(f"{game.header} has no database {database!r}: scripts/solve.py writes one")
        if database:
            read_header(Path(database), game)

    def act(self, view: States, word: np.uint64) -> npt.NDArray[np.int64]:
        """(n,): what is played in each game of `view`, -1 where over."""
        return one_by_one(view, word, self._choose)

    def analyse(self, view: States, word: np.uint64) -> Analysis:
        """Of the one game of `view`, which is not over."""
        found = self._solver.solve(self._plain(view))
        # The gain that the mover is sure of.
        sign = 1 - 2 * found.to_move
        values = {action: float(sign * bounds[found.to_move]) for action, bounds in found.by_action.items()}
        action = found.best[0] if found.best else max(values, key=values.__getitem__)
        line = found.line or [action]
        return Analysis(action, values[action], values, line, found.positions, len(line))

    def _choose(self, view: States, word: np.uint64) -> int:
        legal = np.flatnonzero(self._game.legal(self._plain(view))[0])
        return int(legal[0]) if len(legal) == 1 else self._solver.best(self._plain(view))

    def _plain(self, view: States) -> States:
        return np.asarray(view).view(self._game.dtype)
