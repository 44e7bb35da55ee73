"""Exchanges: what the next player can gain at once, less what the answer to it gains.

How much a capture gains depends on how far seeds reach, lap after lap. A network hardly learns that from the holes, but
a rule book knows it, so policies can observe the exchange after each action.

Sources: chess programs judge captures by static exchange evaluation; the networks of AlphaGo observe what each move
captures (D. Silver et al., "Mastering the game of Go with deep neural networks and tree search", 2016).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import WON, final_lead, lead, list_actions
from mancala_envs.core.arguments import States
from mancala_envs.core.chance import mix
from mancala_envs.core.contract import hide
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import copy_game, move
from mancala_envs.core.names import as_game
from mancala_envs.core.rule import rule

MOST = 7
"""The largest exchange with a code of its own, in `worth`; larger ones count as this one."""


@rule
def lead_after(s, p):
    """Return player p's lead in `worth`; in a game that is over, a win or a loss outweighs it."""
    return final_lead(s, p) if s.ended else lead(s, p)


@rule
def best_gain(s, scratch, legal, words):
    """Return by how much the player to move can at most increase the lead, playing each action in scratch[0]."""
    p = s.to_move
    most = -2 * WON
    for k in range(list_actions(s, legal, 0, words)):
        copy_game(s, scratch, 0)
        move(scratch[0], legal[k])
        most = max(most, lead_after(scratch[0], p))
    return most - lead(s, p)


@rule
def exchange(s, scratch, legal, words):
    """Return what the best action of the player to move gains, with the answer to it.

    The gain of the decision after it is subtracted, or added if the same player decides again. Actions are played in
    scratch[1] and scratch[0], and listed in legal[1] and legal[0].
    """
    p = s.to_move
    most = -2 * WON
    for k in range(list_actions(s, legal[1], 0, words)):
        copy_game(s, scratch, 1)
        n = scratch[1]
        move(n, legal[1, k])
        found = lead_after(n, p) - lead(s, p)
        if not n.ended:
            answer = best_gain(n, scratch, legal[0], words)
            found += answer if n.to_move == p else -answer
        most = max(most, found)
    return most


@rule
def exchanges_loop(states, scratch, legal, words, exchanges):
    """Write the exchange after each action as a code into `exchanges` (n, A) uint8, all zeros; see `Exchanges`.

    `scratch`, four records, `legal` (3, A) int64 and `words` (W,) uint64 are scratch memory.
    """
    for i in range(len(states)):
        if states[i].to_move < 0:
            continue
        copy_game(states[i], scratch, 3)
        s = scratch[3]
        hide(s, s.to_move)
        for k in range(list_actions(s, legal[2], 0, words)):
            copy_game(s, scratch, 2)
            n = scratch[2]
            n.chance = mix(s.chance)
            move(n, legal[2, k])
            if not n.ended:
                found = exchange(n, scratch, legal, words)
                exchanges[i, legal[2, k]] = MOST + 1 + min(max(found, -MOST), MOST)


class Exchanges:
    """Judges what the next player can gain after each action. A copy has its own scratch memory.

    An exchange is what the best action of the next player gains in `worth`, less what the answer gains. Chance and
    hidden information are drawn again, once, so it shows no more than the player to move may know. It takes time in
    proportion to the third power of the number of legal actions.

    >>> Exchanges("qelat")(states)

    Args:
        game: The game.
    """

    highest = 2 * MOST + 1
    """The highest code of an exchange."""

    def __init__(self, game: Engine | str) -> None:
        self.game = game = as_game(game)
        legal, words = np.zeros((3, game.num_actions), np.int64), np.zeros(-(-game.num_actions // 64), np.uint64)
        self._loop, self._memory = game.bind(exchanges_loop), (game.records(np.zeros(4, game.dtype)), legal, words)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)

    def __call__(self, states: States) -> npt.NDArray[np.uint8]:
        """Return a code (n, A) for each action in `states` (n,), 0 where it is illegal or ends the game.

        Other codes are MOST + 1 plus the exchange, from -MOST to MOST.
        """
        view = self.game.view(states)
        exchanges = np.zeros((len(view), self.game.num_actions), np.uint8)
        self._loop(view, *self._memory, exchanges)
        return exchanges
