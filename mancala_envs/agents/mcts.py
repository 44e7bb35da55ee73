"""Monte-Carlo tree search over any game, with any number of players, chance and hidden things.

Every simulation starts from the root with a chance of its own, and without what the player at the root may not know.
It goes down the tree by upper confidence bounds, each player for himself, adds a position, and tries that one in a
rollout: random play, to the end or for some turns. Then it is counted by how much leads in worth have grown since the
root, beside what is usual in this search: of how large they are, little would be seen by who is far ahead or behind.
Every action begins with the value of what it leads to at once. Where chance plays, an action leads to as many positions
as there are results.
Source: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning" (2006), UCT.
"""

from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.look_ahead import (
    BRANCHES,
    LONGEST_LINE,
    Analysis,
    Budget,
    goes_on,
    key_of,
    lead,
    list_actions,
    one_by_one,
    what_counts,
    words_of,
)
from mancala_envs.core.chance import advance, below, mix, stream
from mancala_envs.core.contract import hide, round_lead, share
from mancala_envs.core.game import Game, States
from mancala_envs.core.kernels import copy_game, move, pick, play_out
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

NODES, EDGES, ROOT = range(3)
"""In `used`: how many nodes and edges there are, and the node from which simulations start."""

SPREAD, LEAVES = range(2)
"""In `scale`: the sum of how far leads at the ends of rollouts were from that at the root, and the number of these."""

UNKNOWN = -1

MOST_SIMULATIONS = 1_000_000_000

_AT_ONCE = 64
"""Simulations between two looks at the clock."""

_OF_NODE, _OF_EDGE, _WORD = 8, 5, 8
"""Words that a tree has for each node and each edge, and the bytes of a word."""

_KEPT = 8
"""Decisions' simulations that a kept tree has room for."""


class Tree(NamedTuple):
    """A search tree, of N nodes and E edges at most; `used` counts them.

    `frame` (2,) records: the game of a simulation, and the one after a move that is tried;
    `words` the same memory. `places`, `masks`: see `key_of`. `first` to `sibling` (N,), of a node: its first edge and
    how many there are (UNKNOWN until they are listed), how often they were taken in all, the key of its position, and
    the next node that the same edge leads to. `action` to `node` (E,), of an edge: its action, how often it was taken,
    the mean value for who took it, the width of that value's bounds, and the first node that it leads to. `path`,
    `nodes`, `movers` (N + 1,): the edges of a simulation, the nodes they begin in, and who took them. `legal` (W,) the
    legal actions as bits; `values` (P,) what everyone has of a simulation.
    """

    frame: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    first: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    seen: npt.NDArray[np.int64]
    key: npt.NDArray[np.uint64]
    sibling: npt.NDArray[np.int64]
    action: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int64]
    mean: npt.NDArray[np.float64]
    width: npt.NDArray[np.float64]
    node: npt.NDArray[np.int64]
    path: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int64]
    movers: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    values: npt.NDArray[np.float64]
    scale: npt.NDArray[np.float64]
    used: npt.NDArray[np.int64]


def tree_for(game: Game, simulations: int, memory: int) -> Tree:
    """Room for so many simulations, at most `memory` bytes; a tree that is full grows no further."""
    branches = min(game.num_actions, BRANCHES)
    nodes = max(2, min(simulations + 1, memory // (_WORD * (_OF_NODE + _OF_EDGE * branches))))
    edges = max(game.num_actions, nodes * branches)
    records = np.zeros(2, game.dtype)
    places, masks = what_counts(game)
    return Tree(
        frame=game.records(records),
        words=words_of(game, records),
        places=places,
        masks=masks,
        first=np.zeros(nodes, np.int64),
        size=np.zeros(nodes, np.int64),
        seen=np.zeros(nodes, np.int64),
        key=np.zeros(nodes, np.uint64),
        sibling=np.zeros(nodes, np.int64),
        action=np.zeros(edges, np.int64),
        visits=np.zeros(edges, np.int64),
        mean=np.zeros(edges, np.float64),
        width=np.zeros(edges, np.float64),
        node=np.zeros(edges, np.int64),
        path=np.zeros(nodes + 1, np.int64),
        nodes=np.zeros(nodes + 1, np.int64),
        movers=np.zeros(nodes + 1, np.int64),
        legal=np.zeros(-(-game.num_actions // 64), np.uint64),
        values=np.zeros(game.num_players, np.float64),
        scale=np.zeros(2, np.float64),
        used=np.zeros(3, np.int64),
    )


@rule
def plant(s, t, judged, luck):
    """An empty tree with a root, the position `s`."""
    t.used[:] = 0
    t.scale[:] = 0.0
    copy_game(s, t.frame, 0)
    add_node(t, key_of(t.words[0], t.places, t.masks), np.int64(UNKNOWN))
    # Nobody knows what chance will bring: values of actions are asked of another one.
    known = t.frame[0]
    known.chance = mix(luck)
    hide(known, s.to_move)
    list_edges(known, t, np.int64(0), s, judged, luck)


@rule
def add_node(t, key, sibling):
    """The number of a new node, UNKNOWN where there is no room for one."""
    node = t.used[NODES]
    if node == len(t.first):
        return np.int64(UNKNOWN)
    t.used[NODES] += 1
    t.size[node] = UNKNOWN
    t.key[node] = key
    t.sibling[node] = sibling
    return node


@rule
def list_edges(s, t, node, root, judged, luck):
    """Give a node its edges, one for each legal action, in random order; returns whether there was room.

    `judged`: each begins with the value of what its action leads to at once, as if it had been taken one time more.
    """
    first = t.used[EDGES]
    end = list_actions(s, t.action, first, t.legal)
    if end < 0:
        return False
    for edge in range(first, end):
        # A random one of those that have no place yet.
        luck = advance(luck)
        other = edge + below(luck, end - edge)
        action = t.action[other]
        t.action[other] = t.action[edge]
        t.action[edge] = action
        t.visits[edge] = 0
        t.mean[edge] = 0.0
        t.width[edge] = np.inf
        t.node[edge] = UNKNOWN
    if judged:
        for edge in range(first, end):
            copy_game(s, t.frame, 1)
            n = t.frame[1]
            move(n, t.action[edge])
            t.mean[edge] = value_for(t, n, root, s.to_move)
            t.width[edge] = 1.0
    t.first[node] = first
    t.size[node] = end - first
    t.seen[node] = 1
    t.used[EDGES] = end
    return True


@rule
def choose_edge(t, node, exploration):
    """The edge with the highest upper confidence bound."""
    first = t.first[node]
    far = exploration * np.sqrt(np.log(np.float64(t.seen[node])) + 1.0)
    best = first
    best_bound = -np.inf
    for edge in range(first, first + t.size[node]):
        bound = t.mean[edge] + far * t.width[edge]
        if bound > best_bound:
            best_bound = bound
            best = edge
    return best


@rule
def node_after(t, edge, keyed):
    """The node of the position in frame[0], to which `edge` led, a new one if need be; UNKNOWN without room.

    `keyed`: nodes have keys, without which an edge leads to one node alone.
    """
    node = t.node[edge]
    if node != UNKNOWN and not keyed:
        return node
    key = key_of(t.words[0], t.places, t.masks) if keyed else np.uint64(0)
    while node != UNKNOWN and t.key[node] != key:
        node = t.sibling[node]
    if node == UNKNOWN:
        node = add_node(t, key, t.node[edge])
        if node != UNKNOWN:
            t.node[edge] = node
    return node


@rule
def value_for(t, s, root, p):
    """What player p has of `s`, where a simulation from `root` ends, from -1 to 1; 0 where it leads as far as there."""
    if s.ended:
        return np.float64(share(s, p))
    ahead = round_lead(s, p) if s.round_number != root.round_number else lead(s, p)
    change = np.float64(ahead - lead(root, p))
    t.scale[SPREAD] += abs(change)
    t.scale[LEAVES] += 1.0
    usual = (t.scale[SPREAD] + 1.0) / t.scale[LEAVES]
    return change / (abs(change) + usual / 2.0)


@rule
def roll_out(t, luck, turns):
    """Play at random until so many turns have ended, the one going on included; 0: to the end of the game."""
    s = t.frame[0]
    if turns == 0:
        play_out(s, luck)
    while turns > 0:
        luck = advance(luck)
        mover, turn, round_number = s.to_move, s.turn, s.round_number
        if move(s, pick(s, mix(luck))):
            return
        turns -= not goes_on(s, mover, turn, round_number)


@rule
def simulate(root, t, exploration, turns, keyed, luck):
    """One simulation: down the tree, a rollout, and back."""
    copy_game(root, t.frame, 0)
    s = t.frame[0]
    s.chance = mix(luck)
    hide(s, root.to_move)
    node = t.used[ROOT]
    depth = 0
    paid = False
    while node != UNKNOWN and (t.size[node] != UNKNOWN or list_edges(s, t, node, root, turns > 0, mix(s.chance))):
        edge = choose_edge(t, node, exploration)
        t.path[depth] = edge
        t.nodes[depth] = node
        t.movers[depth] = s.to_move
        depth += 1
        paid = move(s, t.action[edge])
        if paid or t.visits[edge] == 0:
            break
        node = node_after(t, edge, keyed)
    if not paid:
        roll_out(t, luck, turns)
    for p in range(len(t.values)):
        t.values[p] = value_for(t, s, root, p)
    for k in range(depth):
        edge = t.path[k]
        t.seen[t.nodes[k]] += 1
        t.visits[edge] += 1
        weight = t.visits[edge] + (turns > 0)
        t.mean[edge] += (t.values[t.movers[k]] - t.mean[edge]) / weight
        t.width[edge] = 1.0 / np.sqrt(np.float64(weight))


@rule
def most_visited(t, node):
    """The edge of a node that was taken most often, of equal ones that of the highest value; UNKNOWN without edges."""
    best = np.int64(UNKNOWN)
    for edge in range(t.first[node], t.first[node] + t.size[node]):
        more = t.visits[edge] - t.visits[best]
        if best == UNKNOWN or more > 0 or (more == 0 and t.mean[edge] > t.mean[best]):
            best = edge
    return best


@rule
def mcts_loop(states, t, simulations, exploration, turns, keyed, anew, thorough, seed, first, out):
    """Write into out (n,) what the search plays in every game, -1 where over.

    Each position becomes the root of an empty tree, unless the search is to go on in this one and not `anew`; then
    `first` is the number of its first simulation. Where only one action is legal it is played without a thought, unless
    the search is `thorough`.
    """
    for i in range(len(states)):
        s = states[i]
        out[i] = -1
        if s.to_move < 0:
            continue
        luck = mix(stream(seed, i))
        if anew:
            plant(s, t, turns > 0, luck)
        if thorough or t.size[t.used[ROOT]] > 1:
            for k in range(first, first + simulations):
                simulate(s, t, exploration, turns, keyed, stream(luck, k))
        out[i] = t.action[most_visited(t, t.used[ROOT])]


@rule
def line_loop(t, line):
    """Write the numbers of the edges most often taken, from the root on, into `line`; returns how many they are."""
    node = t.used[ROOT]
    for k in range(len(line)):
        if node == UNKNOWN or t.size[node] < 1:
            return k
        line[k] = most_visited(t, node)
        if t.visits[line[k]] == 0:
            return k
        node = t.node[line[k]]
    return len(line)


@rule
def find_loop(t, words):
    """Make the most visited node of the position in `words` the root; returns whether there is one. Nodes have keys."""
    key = key_of(words[0], t.places, t.masks)
    best = np.int64(UNKNOWN)
    most = np.int64(0)
    for node in range(t.used[NODES]):
        if t.key[node] == key and t.size[node] != UNKNOWN and t.seen[node] > most:
            best = np.int64(node)
            most = t.seen[node]
    if best == UNKNOWN:
        return False
    t.used[ROOT] = best
    return True


class Mcts:
    """The search over one game, with its tree, of `bytes_allowed`. `turns`: of rollouts, 0 to the end; `keep`: the tree
    is kept for a position that was met in it, when one game is asked about."""

    def __init__(
        self, game: Game, budget: Budget, bytes_allowed: int, exploration: float, turns: int, keep: bool
    ) -> None:
        self._game, self._budget, self._keep = game, budget, keep
        self._agreed = float(exploration), turns, keep or game.has_chance
        # How far a tree grows in some time is not known before.
        simulations = MOST_SIMULATIONS if budget.timed else budget.number * (_KEPT if keep else 1)
        self._tree = tree_for(game, simulations, bytes_allowed)

    def act(self, view: States, word: np.uint64) -> npt.NDArray[np.int64]:
        """(n,): what is played in each game of `view`, -1 where over."""
        if self._budget.timed or self._keep:
            return one_by_one(view, word, self._search_one)
        return self._grow(view, self._budget.number, word, anew=True)

    def analyse(self, view: States, word: np.uint64) -> Analysis:
        """Of the one game of `view`, which is not over."""
        action, t = self._search_one(view, word, thorough=True), self._tree
        first, size = (int(row[t.used[ROOT]]) for row in (t.first, t.size))
        tried = [edge for edge in range(first, first + size) if t.visits[edge]]
        values = {int(t.action[edge]): float(t.mean[edge]) for edge in tried}
        edges = np.zeros(1 if self._game.has_chance else LONGEST_LINE, np.int64)
        line = t.action[edges[: self._game.bind(line_loop)(t, edges)]].tolist()
        nodes = int(t.visits[first : first + size].sum())
        return Analysis(action, values[action], values, line, nodes, len(line))

    def _grow(
        self, view: States, simulations: int, word: np.uint64, anew: bool, thorough: bool = False, first: int = 0
    ) -> npt.NDArray[np.int64]:
        out = np.empty(len(view), np.int64)
        self._game.bind(mcts_loop)(view, self._tree, simulations, *self._agreed, anew, thorough, word, first, out)
        return out

    def _search_one(self, view: States, word: np.uint64, thorough: bool = False) -> int:
        t, budget = self._tree, self._budget
        room = len(t.first) - t.used[NODES] > (0 if budget.timed else budget.number)
        known = self._keep and room and bool(self._game.bind(find_loop)(t, words_of(self._game, view)))
        if not budget.timed:
            return int(self._grow(view, budget.number, word, not known, thorough)[0])
        end, done = perf_counter() + budget.number / 1000, 0
        while True:
            chosen = int(self._grow(view, _AT_ONCE, word, not (known or done), thorough, done)[0])
            done += _AT_ONCE
            if perf_counter() >= end or not (thorough or t.size[t.used[ROOT]] > 1):
                return chosen
