"""Value iteration over the graph of all reachable positions: slow, and independent of the proofs.

Every position is expanded once. Then the value of each is set to that of its best action, repeatedly until nothing
changes. This starts from both extremes. From below, all positions start with the lowest gain of player 0, and the
result is the gain if endless play is lost for player 0; from above, the result is the gain if endless play is won. If
both are equal, the value is proven for any value of endless play. Captures made before endless play count in both.

Endless play can also count as a draw, in which earlier captures count for nothing. Then it starts out worse than any
end: value iteration from below finds the positive gain that player 0 can force by an end of the game, and from above
the negative gain that the opponent can force. They cannot both exist, and if neither exists, the game is drawn. The
value is therefore the median of both bounds and 0.

Sources: L. Shapley, "Stochastic games" (1953), for value iteration; K. Chatterjee and T. Henzinger, "Value iteration"
(2008), for both extremes.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import fields, key_of, list_actions, record_array, words_of
from mancala_envs.agents.solve.gains import Bounds, Measure, at_stake, gain, secured_lead
from mancala_envs.core.arguments import States
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import move
from mancala_envs.core.pauses import Pace
from mancala_envs.core.rule import rule

ENDED = -1
"""The `child` of an action that ends the game."""

EDGE = np.dtype(fields("i4", "child gain"))
"""An action of a position: the number of the next position, and player 0's gain by the action."""

COUNTERS = np.dtype(fields("i8", "found expanded edges limit lead"))
"""The numbers of positions found and expanded, and of their edges; the number of expanded positions at which to pause;
player 0's lead in the first position."""

LOW, HIGH = range(2)
"""Rows of `Graph.bounds`."""

FIRST = 1 << 10
"""Positions for which memory is allocated at first."""

FIRST_SLICE = 4096
"""Positions that are expanded, or whose bounds are set, before the first pause."""


class Graph(NamedTuple):
    """Positions, numbered in the order in which they were found, and their actions.

    Attributes:
        states: (N,) records of the game.
        words: (N, W) uint64, the memory of `states`.
        places: (K,) and `masks` (K,), see `key_of`.
        hash_table: (H,) int64, with linear probing: the numbers of positions plus 1, and 0 in free places. H is a power
            of two and at least twice N.
        first_edges: (N + 1,) int64, the first edge of each position, which follows the last edge of the previous one.
        edges: (E,) EDGE records.
        bounds: (2, N) int32, the lower and the upper bounds of player 0's further gain from each position. They have
            their own array because value iteration reads nothing else in random order.
        actions: (A,) int64 and `legal` (W,) uint64, scratch memory for `list_actions`.
        counters: (1,) COUNTERS.
    """

    states: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    hash_table: npt.NDArray[np.int64]
    first_edges: npt.NDArray[np.int64]
    edges: npt.NDArray[np.void]
    bounds: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    counters: npt.NDArray[np.void]


@rule
def is_same(g, one, other, opening_turns):
    """Return whether two positions have identical continuations."""
    for k in range(len(g.places)):
        if (g.words[one, g.places[k]] ^ g.words[other, g.places[k]]) & g.masks[k]:
            return False
    return min(np.int64(g.states[one].turn), opening_turns) == min(np.int64(g.states[other].turn), opening_turns)


@rule
def number_of(g, candidate, opening_turns):
    """Return the number of the position in states[candidate]; a new position is entered as number `candidate`."""
    place = np.int64(key_of(g.words[candidate], g.places, g.masks) & np.uint64(len(g.hash_table) - 1))
    while g.hash_table[place] > 0:
        if is_same(g, g.hash_table[place] - 1, candidate, opening_turns):
            return g.hash_table[place] - 1
        place = (place + 1) & (len(g.hash_table) - 1)
    g.hash_table[place] = candidate + 1
    return candidate


@rule
def expand_loop(g, unit, by_margin, opening_turns):
    """Expand positions in the order in which they were found, until none is left, memory is full, or a pause is due."""
    c = g.counters[0]
    if c.found == 0:
        c.found = 1
        c.lead = secured_lead(g.states[0], 0, by_margin)
        number_of(g, 0, opening_turns)
    while c.expanded < min(c.found, c.limit):
        i = np.int64(c.expanded)
        s = g.states[i]
        number = list_actions(s, g.actions, 0, g.legal)
        if c.found + number >= len(g.states) or c.edges + number > len(g.edges):
            return
        before = secured_lead(s, 0, by_margin)
        g.bounds[HIGH, i] = at_stake(s, unit, by_margin)
        g.bounds[LOW, i] = -g.bounds[HIGH, i]
        for k in range(number):
            candidate = np.int64(c.found)
            edge = g.edges[c.edges + k]
            g.states[candidate] = s
            n = g.states[candidate]
            if move(n, g.actions[k]):
                edge.child = ENDED
                edge.gain = gain(n, 0, unit) - before
            else:
                edge.gain = secured_lead(n, 0, by_margin) - before
                edge.child = number_of(g, candidate, opening_turns)
                c.found += edge.child == candidate
        c.edges += number
        c.expanded += 1
        g.first_edges[c.expanded] = c.edges


@rule
def best_bound(g, which, i):
    """Return the bound of position i from the bounds of the positions that its actions lead to."""
    sign = np.int64(1) if g.states[i].to_move == 0 else np.int64(-1)
    best = np.int64(-(1 << 60))
    for k in range(g.first_edges[i], g.first_edges[i + 1]):
        edge = g.edges[k]
        after = np.int64(edge.gain)
        if edge.child != ENDED:
            after += g.bounds[which, edge.child]
        best = max(best, sign * after)
    return sign * best


@rule
def iterate_loop(g, which, begin, end):
    """Set the bounds of the positions from `end` - 1 down to `begin`; return the number of changed bounds."""
    changed = 0
    for back in range(end - begin):
        i = end - 1 - back
        value = best_bound(g, which, i)
        changed += value != g.bounds[which, i]
        g.bounds[which, i] = value
    return changed


class TooLarge(ValueError):
    """The graph needs more memory than allowed."""


class Explored:
    """The graph of all positions reachable from a position, with their bounds.

    Args:
        game: The game.
        measure: The definition of its gains.
        state: The first position.
        memory: Maximum bytes of the graph.
        drawn: Whether endless play counts as a draw.
        pause: Called repeatedly with the number of positions; it may raise an exception to stop.

    Raises:
        TooLarge: The graph takes more than `memory` bytes.
    """

    def __init__(
        self, game: Engine, measure: Measure, state: States, memory: int, drawn: bool, pause: Callable[[int], None]
    ) -> None:
        self._game, self._measure, self._drawn = game, measure, drawn
        settings = measure.unit, measure.by_margin, game.book.positions.opening_turns
        self.graph = g = self._allocate(FIRST, 4 * FIRST)
        g.states[0] = game.view(state)[0]
        expand, pace = game.bind(expand_loop), Pace("positions", size=FIRST_SLICE)
        while True:
            g.counters["limit"] = g.counters["expanded"] + pace.size
            expand(g, *settings)
            pace.pause(self.positions - pace.done)
            pause(self.positions)
            if g.counters["expanded"] == g.counters["found"]:
                break
            if g.counters["expanded"] < g.counters["limit"]:
                if 3 * sum(array.nbytes for array in g) > memory:
                    raise TooLarge(f"{game.header} has more than {self.positions} positions: allow more memory")
                self.graph = g = self._enlarged(g)
                pace.resume()
        if drawn:
            # Endless play must be worse than any end, whatever was captured before.
            g.bounds[LOW] -= measure.unit
            g.bounds[HIGH] += measure.unit
        for which in (LOW, HIGH):
            while self._iterate(which, pause):
                pass

    def _iterate(self, which: int, pause: Callable[[int], None]) -> int:
        """Make a sweep of value iteration, from the last position to the first; return the number of changed bounds."""
        iterate, end, changed = self._game.bind(iterate_loop), self.positions, 0
        for done, further in Pace("bounds", end, FIRST_SLICE).slices(0, end):
            changed += iterate(self.graph, which, end - further, end - done)
            pause(end)
        return changed

    @property
    def positions(self) -> int:
        """The number of positions expanded so far."""
        return int(self.graph.counters["expanded"][0])

    def bounds(self) -> Bounds:
        """Return the bounds of player 0's gain from the first position."""
        low, high = (self.graph.bounds[:, 0] + self.graph.counters["lead"][0]).tolist()
        return self._judged(low, high)

    def bounds_by_action(self) -> list[Bounds]:
        """Return the bounds of player 0's gain after each action of the first position, in order."""
        g = self.graph
        found = []
        for edge in g.edges[: g.first_edges[1]]:
            low, high = (0, 0) if edge["child"] == ENDED else g.bounds[:, edge["child"]].tolist()
            gained = int(g.counters["lead"][0] + edge["gain"])
            found.append(self._judged(gained + low, gained + high))
        return found

    def _judged(self, low: int, high: int) -> Bounds:
        """Return the bounds for the requested value of endless play, from those of both value iterations."""
        if not self._drawn:
            return low, high
        value = sorted((low, 0, high))[1]
        return value, value

    def _allocate(self, positions: int, edges: int) -> Graph:
        game = self._game
        states = np.zeros(positions, game.dtype)
        places, masks = self._measure.key_words(game)
        return Graph(
            states=game.records(states),
            words=words_of(game, states),
            places=places,
            masks=masks,
            hash_table=np.zeros(1 << (2 * positions).bit_length(), np.int64),
            first_edges=np.zeros(positions + 1, np.int64),
            edges=record_array(edges, EDGE),
            bounds=np.zeros((2, positions), np.int32),
            actions=np.zeros(game.num_actions, np.int64),
            legal=np.zeros(-(-game.num_actions // 64), np.uint64),
            counters=record_array(1, COUNTERS),
        )

    def _enlarged(self, g: Graph) -> Graph:
        """Return the same graph with twice the memory, and enough for at least one more position."""
        found = int(g.counters["found"][0])
        larger = self._allocate(2 * len(g.states) + self._game.num_actions, 2 * len(g.edges) + self._game.num_actions)
        larger.words[:found] = g.words[:found]
        larger.bounds[:, :found] = g.bounds[:, :found]
        for old, new in ((g.first_edges, larger.first_edges), (g.edges, larger.edges), (g.counters, larger.counters)):
            new[: len(old)] = old
        rehash = self._game.bind(rehash_loop)
        for begin, end in Pace("positions", found, FIRST_SLICE).slices(0, found):
            rehash(larger, self._game.book.positions.opening_turns, begin, end)
        return larger


@rule
def rehash_loop(g, opening_turns, begin, end):
    """Enter the positions `begin` to `end` - 1 into the new hash table."""
    for i in range(begin, end):
        number_of(g, i, opening_turns)
