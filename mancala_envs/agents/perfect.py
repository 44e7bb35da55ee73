"""Perfect play: proofs of the value of each action, for any game.

Values of endings come from an endgame database, in a file or in memory; a proof of an earlier position can take long.
"""

from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, Streams, one_by_one
from mancala_envs.agents.solve import Solver
from mancala_envs.agents.solve.database import read_file, read_header
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.core.arguments import States, short
from mancala_envs.core.engine import Engine


class Perfect:
    """Plays a game of two players without chance by proofs.

    Args:
        game: The game.
        memory: Maximum memory in bytes.
        database: The file of an endgame database; "" to compute one.

    Raises:
        ValueError: The game cannot be solved, or the database does not fit it.
    """

    def __init__(self, game: Engine, memory: int, database: str) -> None:
        self.check(game, database)
        found = read_file(Path(database), game) if database else None
        self._game = game
        self._solver = Solver(game, memory=memory / 2**20, database=found)

    @staticmethod
    def check(game: Engine, database: str) -> None:
        """Raise the errors of the constructor, except for damage that only shows when the whole database is read."""
        Measure.of(game)
        if database and not isfile(database):
            raise ValueError(f"{game.header} has no endgame database {short(database)}: scripts/solve.py writes one")
        if database:
            read_header(Path(database), game)

    def act(self, view: States, streams: Streams) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game of `view` is over."""
        return one_by_one(view, streams, self._choose)

    def analyse(self, view: States, streams: Streams) -> Analysis:
        """Analyse the single game of `view`, which must not be over, by proofs."""
        found = self._solver.solve(self._plain(view))
        # The proven lower bound of the gain of the player to move.
        sign = 1 - 2 * found.to_move
        values = {action: float(sign * bounds[found.to_move]) for action, bounds in found.by_action.items()}
        line = found.line or found.best[:1] or [max(values, key=values.__getitem__)]
        return Analysis(line[0], values[line[0]], values, line, found.positions, len(line))

    def _choose(self, view: States, streams: Streams) -> int:
        legal = np.flatnonzero(self._game.legal(self._plain(view))[0])
        return int(legal[0]) if len(legal) == 1 else self._solver.best(self._plain(view))

    def _plain(self, view: States) -> States:
        return np.asarray(view).view(self._game.dtype)
