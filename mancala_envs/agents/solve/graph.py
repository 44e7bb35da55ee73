"""Values of all positions that can be reached, from the graph of them: slow and sure, and nothing to do with proofs.

Every position is looked at once; then each is worth to its mover the best of what its actions lead to, again and again
until nothing changes. This starts from both ends: from below, every position being as bad for player 0 as can be, it
finds what he gains where endless play is lost for him; from above, where it is won. Only where both agree is the value
proven, whatever endless play is worth; what was won for good before it is won in either case.

Endless play can also be a draw, by which nobody gains anything, whatever he has won before. Then player 0 gains so much
more than nothing as he can force by an end: the sweep from below finds it, if endless play is worse than any end. He
gains so much less as his opponent can force: the sweep from above finds it. Both cannot be, and where neither is, the
game is drawn. So its value is the middle one of both bounds and 0.

Source: for sweeps from an extreme, L. Shapley, "Stochastic games" (1953); for the two of them, K. Chatterjee and T.
Henzinger, "Value iteration" (2008).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import key_of, list_actions, words_of
from mancala_envs.agents.solve.gains import Bounds, Measure, at_stake, gain, lead_assured
from mancala_envs.core.contract import bank
from mancala_envs.core.game import Game, States
from mancala_envs.core.kernels import move
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

ENDED = -1
"""Where an action leads that ends the game."""

FOUND, SEEN, ROADS, LIMIT, LEAD = range(5)
"""Counters: positions found, those looked at, the actions these have, and at how many positions to pause; and what
player 0 leads by in the first of them, see `gains`."""

FIRST = 1 << 10
"""Positions that there is room for at first."""

BETWEEN_PAUSES = 1 << 18
"""Positions looked at before anybody can interrupt."""


class Graph(NamedTuple):
    """Positions, numbered as they were found, and where their actions lead.

    `states` (N,) records, `words` the same memory; `places`, `masks`: see `key_of`; `numbers` (E,), E a power of two
    and at least twice N, has each position's number plus 1 where its key says, or in a free place after it; `roads`
    (N + 1,): actions of position i are those from roads[i] to before roads[i + 1]; `goals` (M,) which position an
    action leads to, `gains` (M,) what player 0 gains by it; `low`, `high` (N,) what he gains from there on; `actions`
    (A,), `legal` (W,) room to list actions; `counts` (5,).
    """

    states: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.int64]
    roads: npt.NDArray[np.int64]
    goals: npt.NDArray[np.int64]
    gains: npt.NDArray[np.int64]
    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]


@rule
def is_same(g, one, other, opening):
    """Whether play goes on alike from two positions."""
    for k in range(len(g.places)):
        if (g.words[one, g.places[k]] ^ g.words[other, g.places[k]]) & g.masks[k]:
            return False
    return min(np.int64(g.states[one].turn), opening) == min(np.int64(g.states[other].turn), opening)


@rule
def number_of(g, candidate, opening):
    """The number of the position in states[candidate], the first free place; it is a new one where none is the same."""
    place = np.int64(key_of(g.words[candidate], g.places, g.masks) & np.uint64(len(g.numbers) - 1))
    while g.numbers[place] > 0:
        if is_same(g, g.numbers[place] - 1, candidate, opening):
            return g.numbers[place] - 1
        place = (place + 1) & (len(g.numbers) - 1)
    g.numbers[place] = candidate + 1
    return candidate


@rule
def explore_loop(g, unit, counts, opening):
    """Look at positions found, in the order they were found, until all are, or there is no room, or it is to pause."""
    if g.counts[FOUND] == 0:
        g.counts[FOUND] = 1
        g.counts[LEAD] = lead_assured(g.states[0], 0, counts)
        bank(g.states[0])
        number_of(g, 0, opening)
    while g.counts[SEEN] < min(g.counts[FOUND], g.counts[LIMIT]):
        i = g.counts[SEEN]
        s = g.states[i]
        number = list_actions(s, g.actions, 0, g.legal)
        if g.counts[FOUND] + number >= len(g.states) or g.counts[ROADS] + number > len(g.goals):
            return
        before = lead_assured(s, 0, counts)
        g.low[i] = -at_stake(s, unit, counts)
        g.high[i] = -g.low[i]
        road = g.counts[ROADS]
        for k in range(number):
            candidate = g.counts[FOUND]
            g.states[candidate] = s
            n = g.states[candidate]
            if move(n, g.actions[k]):
                g.goals[road] = ENDED
                g.gains[road] = gain(n, 0, unit) - before
            else:
                g.gains[road] = lead_assured(n, 0, counts) - before
                bank(n)
                g.goals[road] = number_of(g, candidate, opening)
                g.counts[FOUND] += g.goals[road] == candidate
            road += 1
        g.counts[ROADS] = road
        g.counts[SEEN] += 1
        g.roads[g.counts[SEEN]] = road


@rule
def best_of(g, values, i):
    """What the mover of position i makes of `values`."""
    sign = np.int64(1) if g.states[i].to_move == 0 else np.int64(-1)
    best = np.int64(-(1 << 60))
    for road in range(g.roads[i], g.roads[i + 1]):
        after = g.gains[road]
        if g.goals[road] != ENDED:
            after += values[g.goals[road]]
        best = max(best, sign * after)
    return sign * best


@rule
def sweep_loop(g, values):
    """Value every position anew, the last found first; returns how many changed."""
    changed = 0
    for back in range(g.counts[SEEN]):
        i = g.counts[SEEN] - 1 - back
        value = best_of(g, values, i)
        changed += value != values[i]
        values[i] = value
    return changed


class TooLarge(ValueError):
    """There are more positions than there is memory for."""


class Explored:
    """The graph of what can be reached from a position. Raises TooLarge where it takes more than `memory` bytes.

    `drawn`: whether endless play is a draw.
    """

    def __init__(
        self, game: Game, measure: Measure, state: States, memory: int, drawn: bool, pause: Callable[[int], None]
    ) -> None:
        self._game, self._measure, self._drawn = game, measure, drawn
        agreed = measure.unit, measure.counts, game.book.positions.opening
        self.graph = g = self._room(FIRST, 4 * FIRST)
        g.states[0] = game.view(state)[0]
        explore = game.bind(explore_loop)
        while True:
            g.counts[LIMIT] = g.counts[SEEN] + BETWEEN_PAUSES
            explore(g, *agreed)
            pause(self.positions)
            if g.counts[SEEN] == g.counts[FOUND]:
                break
            if g.counts[SEEN] < g.counts[LIMIT]:
                if 3 * sum(array.nbytes for array in g) > memory:
                    raise TooLarge(f"{game.header} has more than {self.positions} positions: allow more memory")
                self.graph = g = self._wider(g)
        if drawn:
            # What was won for good is nothing either in a game that is drawn: no lead must outweigh endless play.
            g.low[:] -= measure.unit
            g.high[:] += measure.unit
        sweep = game.bind(sweep_loop)
        for values in (g.low, g.high):
            while sweep(g, values):
                pause(self.positions)

    @property
    def positions(self) -> int:
        """Looked at so far."""
        return int(self.graph.counts[SEEN])

    def bounds(self) -> Bounds:
        """What player 0 gains from the first position at least and at most."""
        lead = int(self.graph.counts[LEAD])
        return self._judged(lead + int(self.graph.low[0]), lead + int(self.graph.high[0]))

    def bounds_by_action(self) -> list[Bounds]:
        """The same of each of its actions, in their order."""
        g = self.graph
        found = []
        for road in range(int(g.roads[1])):
            goal, gained = int(g.goals[road]), int(g.counts[LEAD] + g.gains[road])
            low, high = (0, 0) if goal == ENDED else (int(g.low[goal]), int(g.high[goal]))
            found.append(self._judged(gained + low, gained + high))
        return found

    def _judged(self, low: int, high: int) -> Bounds:
        """What player 0 gains at least and at most, by the sweeps from below and from above."""
        if not self._drawn:
            return low, high
        value = sorted((low, 0, high))[1]
        return value, value

    def _room(self, positions: int, roads: int) -> Graph:
        game = self._game
        states = np.zeros(positions, game.dtype)
        places, masks = self._measure.keyed(game)
        return Graph(
            states=game.records(states),
            words=words_of(game, states),
            places=places,
            masks=masks,
            numbers=np.zeros(1 << (2 * positions).bit_length(), np.int64),
            roads=np.zeros(positions + 1, np.int64),
            goals=np.zeros(roads, np.int64),
            gains=np.zeros(roads, np.int64),
            low=np.zeros(positions, np.int64),
            high=np.zeros(positions, np.int64),
            actions=np.zeros(game.num_actions, np.int64),
            legal=np.zeros(-(-game.num_actions // 64), np.uint64),
            counts=np.zeros(LEAD + 1, np.int64),
        )

    def _wider(self, g: Graph) -> Graph:
        """The same graph with room for twice as much, and at least for one position more."""
        found = int(g.counts[FOUND])
        wider = self._room(2 * len(g.states) + self._game.num_actions, 2 * len(g.goals) + self._game.num_actions)
        wider.words[:found] = g.words[:found]
        for old, new in zip(g[5:10], wider[5:10], strict=True):
            new[: len(old)] = old
        wider.counts[:] = g.counts
        self._game.bind(renumber_loop)(wider, self._game.book.positions.opening)
        return wider


@rule
def renumber_loop(g, opening):
    """Enter all positions found into `numbers` again."""
    for i in range(g.counts[FOUND]):
        number_of(g, i, opening)
