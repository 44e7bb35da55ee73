"""Exact values as targets: an endgame database, and the solved positions that are there to train on."""

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.solve.database import compute_database, has_database, index_of, most_left_within
from mancala_envs.agents.solve.gains import Measure, secured_lead
from mancala_envs.core.arguments import States
from mancala_envs.core.rule import rule
from mancala_envs.evaluation.solved import ILLEGAL, SOLVED_GAMES, TRAIN, solved_positions
from mancala_envs.game import Game
from mancala_envs.learning.self_play import Rows

ENDINGS = 3_000_000
"""The most endings of a database, which takes a second to compute."""


@rule
def leads_loop(states, octets, database, out):
    """Write the final lead of the player to move under best play into out (n,) float64, nan where it is not known.

    `octets` (n, B) uint8 is the memory of `states`.
    """
    for i in range(len(states)):
        s = states[i]
        out[i] = np.nan
        if s.to_move >= 0:
            index = index_of(database, octets[i], s.to_move)
            if index >= 0:
                out[i] = secured_lead(s, s.to_move, True) + database.values[index]


class Endings:
    """The exact values of positions with few seeds left, in games that can have an endgame database.

    Args:
        game: The game. If it can have no database, no value is known.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._database = None
        if has_database(game):
            self._measure, most = Measure.of(game), most_left_within(game, ENDINGS)
            self._database, self._loop = compute_database(game, most, lambda done: None), game.bind(leads_loop)

    def values(self, states: States) -> npt.NDArray[np.float64]:
        """Return the reward (n,) of the player to move under best play, nan where it is not known."""
        leads = np.full(len(states), np.nan)
        if self._database is not None:
            view = self.game.view(states)
            octets = np.asarray(view).view(np.uint8).reshape(len(view), self.game.dtype.itemsize)
            self._loop(view, octets, self._database, leads)
            leads = leads / self._measure.unit if self._measure.by_margin else np.sign(leads)
        return leads


def solved_rows(game: Game) -> Rows | None:
    """Return the solved positions of a game to train on, with a row for each action; None if there are none.

    The policy of a position is shared equally by the best actions.
    """
    if game.name not in SOLVED_GAMES:
        return None
    solved = solved_positions(game.name, TRAIN)
    if solved.game.header != game.header:
        return None
    positions, actions = np.nonzero(solved.values != ILLEGAL)
    best = solved.values == solved.best[:, None]
    # These games pay for the result, not for the lead.
    of_mover = np.sign(solved.values[positions, actions]).astype(np.float32)
    movers = solved.states["to_move"][positions]
    return Rows(
        states=solved.states[positions],
        actions=actions,
        values=np.where(movers[:, None] == [0, 1], of_mover[:, None], -of_mover[:, None]),
        policies=(best / best.sum(1, keepdims=True)).astype(np.float32)[positions],
        has_policy=np.ones(len(positions), np.bool_),
    )
