"""PUCT: tree search led by a network, over batches of any game, with any number of players, chance and hidden things.

A simulation goes down the tree of its game, each player for himself, along the actions that promise most by their
values so far and by the network's priors, until it comes to a position that is not in the tree: a leaf. The leaves of
all games are given out together, and the network, any callable, says of each what to play there and what it is worth.
A decision with one legal action is no leaf: it is played on. Where chance plays, every simulation has one of its own
and is played again from the root, without what the player there may not know; an action leads to as many positions as
there are results.
Sources: C. Rosin, "Multi-armed bandits with episode context" (2011), PUCB; D. Silver et al., "Mastering the game of Go
without human knowledge" (2017), with PUCT as it is used here, noise at the root, and virtual loss.
"""

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.agents.look_ahead import BRANCHES, key_of, lowest, what_counts, words_of
from mancala_envs.core.bits import count_bits
from mancala_envs.core.chance import advance, mix, stream
from mancala_envs.core.contract import hide
from mancala_envs.core.game import Game, States
from mancala_envs.core.kernels import move, pay, write_words
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

NODE = np.dtype(
    [
        ("first", "i4"),
        ("choices", "i4"),
        ("parent", "i4"),
        ("edge", "i4"),
        ("sibling", "i4"),
        ("mover", "i4"),
        ("visits", "i4"),
        ("total", "f4"),
    ]
)
"""A position in a tree: its first edge and how many there are; the node before it, the edge that led here, and the next
node to which that edge leads; who is to move; how many simulations came here, this one's own leaf included (0 as long
as the network is asked), and the sum of their values for him."""

EDGE = np.dtype([("action", "i4"), ("node", "i4"), ("visits", "i4"), ("prior", "f4"), ("total", "f4")])
"""A legal action: the first node that it leads to, how often it was taken, its prior, and the sum of values for who
took it."""

NODES, EDGES, LEFT = range(3)
"""In `used`: how many nodes and edges a game has, and how many simulations are left."""

GAME, LEAF, ABOVE, BY, MOVER = range(5)
"""In `rows`: the game of a leaf, its node, the node before it, the edge between them, and who is to move."""

NONE = -1


class Forest(NamedTuple):
    """The trees of n games, with a block of N nodes and one of E edges for each; `most` (2,): N and E.

    `positions` (n N,) records, of every node; (n,), of the roots alone, where simulations are retraced. `leaves` (R,)
    records, `words` the same memory; `rows` (R, 5) whose they are; `paid` (R, P) what everyone was paid on the way.
    `luck` (n,) the generators; `totals` (n, P) the sums of all values at the root.
    """

    nodes: npt.NDArray[np.void]
    edges: npt.NDArray[np.void]
    keys: npt.NDArray[np.uint64]
    positions: npt.NDArray[np.void]
    leaves: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    rows: npt.NDArray[np.int64]
    paid: npt.NDArray[np.float64]
    used: npt.NDArray[np.int64]
    luck: npt.NDArray[np.uint64]
    totals: npt.NDArray[np.float64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    legal: npt.NDArray[np.uint64]
    most: npt.NDArray[np.int64]


def forest_for(game: Game, n: int, simulations: int, rows: int, memory: int, retraced: bool) -> Forest:
    """Room for so many simulations of n games, in `memory` bytes at most; a tree that is full grows no further."""
    of_node = NODE.itemsize + (8 if retraced else game.dtype.itemsize)
    branches = min(game.num_actions, BRANCHES)
    # Edges are numbered in 32 bits.
    memory = min(memory, EDGE.itemsize << 31)
    nodes = min(simulations + 1, max(1, memory // (n * (of_node + branches * EDGE.itemsize))))
    edges = max(game.num_actions, nodes * branches)
    leaves: States = np.zeros(rows, game.dtype)
    places, masks = what_counts(game)
    return Forest(
        nodes=_table(n * nodes, NODE),
        edges=_table(n * edges, EDGE),
        keys=np.zeros(n * nodes if retraced else 0, np.uint64),
        positions=game.records(np.zeros(n if retraced else n * nodes, game.dtype)),
        leaves=game.records(leaves),
        words=words_of(game, leaves),
        rows=np.zeros((rows, 5), np.int64),
        paid=np.zeros((rows, game.num_players)),
        used=np.zeros((n, 3), np.int64),
        luck=np.zeros(n, np.uint64),
        totals=np.zeros((n, game.num_players)),
        places=places,
        masks=masks,
        legal=np.zeros(-(-game.num_actions // 64), np.uint64),
        most=np.array([nodes, edges]),
    )


def _table(rows: int, kind: np.dtype[Any]) -> npt.NDArray[np.void]:
    table = np.zeros(rows, kind)
    return table.view(np.recarray) if numba.config.DISABLE_JIT else table


@rule
def root_of(t, i):
    """The number of the root of game i."""
    return i * t.most[0]


@rule
def add_node(t, i, above, edge, s, legal):
    """The number of a new node, the position `s` with the actions `legal`; NONE where there is no room for it."""
    size = np.int64(0)
    for word in range(len(legal)):
        size += count_bits(legal[word])
    if t.used[i, NODES] == t.most[0] or t.used[i, EDGES] + size > t.most[1]:
        return np.int64(NONE)
    number = root_of(t, i) + t.used[i, NODES]
    first = i * t.most[1] + t.used[i, EDGES]
    t.used[i, NODES] += 1
    t.used[i, EDGES] += size
    node = t.nodes[number]
    node.first = first
    node.choices = size
    node.parent = above
    node.edge = edge
    node.sibling = NONE
    node.mover = s.to_move
    node.visits = 0
    node.total = 0.0
    for word in range(len(legal)):
        bits = legal[word]
        while bits:
            new = t.edges[first]
            new.action = 64 * word + lowest(bits)
            new.node = NONE
            new.visits = 0
            new.prior = 0.0
            new.total = 0.0
            bits &= bits - np.uint64(1)
            first += 1
    return number


@rule
def note_leaf(t, row, i, leaf, above, edge):
    """Write down whose leaf leaves[row] is; who gets it may write into it."""
    t.rows[row, GAME] = i
    t.rows[row, LEAF] = leaf
    t.rows[row, ABOVE] = above
    t.rows[row, BY] = edge
    t.rows[row, MOVER] = t.leaves[row].to_move


@rule
def plant_loop(states, t, simulations, seed):
    """A root for every game that is not over, each of them a leaf; returns how many these are."""
    rows = 0
    for i in range(len(states)):
        s = states[i]
        t.used[i, NODES] = 0
        t.used[i, EDGES] = 0
        t.used[i, LEFT] = 0
        t.totals[i] = 0.0
        t.luck[i] = mix(stream(seed, i))
        if s.to_move < 0:
            continue
        leaf = t.leaves[rows]
        t.leaves[rows] = s
        leaf.chance = mix(t.luck[i])
        hide(leaf, s.to_move)
        write_words(leaf, t.legal)
        root = add_node(t, i, NONE, NONE, leaf, t.legal)
        t.positions[root if len(t.keys) == 0 else i] = leaf
        t.used[i, LEFT] = simulations
        note_leaf(t, rows, i, root, NONE, NONE)
        t.paid[rows] = 0.0
        rows += 1
    return rows


@rule
def choose_edge(t, number, exploration):
    """The edge of a node with the highest upper bound; what was never taken is worth as much as the node."""
    node = t.nodes[number]
    unknown = node.total / node.visits
    width = exploration * np.sqrt(np.float64(node.visits))
    best, best_bound = np.int64(node.first), -np.inf
    for k in range(node.first, node.first + node.choices):
        edge = t.edges[k]
        value = edge.total / edge.visits if edge.visits else unknown
        bound = value + width * edge.prior / (1 + edge.visits)
        if bound > best_bound:
            best, best_bound = np.int64(k), bound
    return best


@rule
def play_on(t, row, action):
    """Play `action` in leaves[row], and on as long as there is one legal action; the last ones are in `legal`."""
    s = t.leaves[row]
    while True:
        if move(s, action):
            for p in range(t.paid.shape[1]):
                t.paid[row, p] += pay(s, p)
            if s.ended:
                return
        write_words(s, t.legal)
        choices = np.int64(0)
        for word in range(len(t.legal)):
            if t.legal[word]:
                choices += count_bits(t.legal[word])
                action = 64 * word + lowest(t.legal[word])
        if choices > 1:
            return


@rule
def known_outcome(t, edge, key):
    """The node of the position with this key, to which `edge` has led before; NONE if it never did."""
    node = np.int64(t.edges[edge].node)
    while node != NONE and t.keys[node] != key:
        node = np.int64(t.nodes[node].sibling)
    return node


@rule
def back_up(t, row, loss, game, node, edge):
    """Add what everyone has of a simulation, `paid`, to all that it went through, and take the virtual loss back."""
    while node != NONE:
        at = t.nodes[node]
        value = t.paid[row, at.mover] + loss
        at.total += value
        t.edges[edge].total += value
        edge = np.int64(at.edge)
        node = np.int64(at.parent)
    for p in range(t.paid.shape[1]):
        t.totals[game, p] += t.paid[row, p]


@rule
def take_back(t, loss, game, node, edge):
    """Let a simulation not have been."""
    t.used[game, LEFT] += 1
    while node != NONE:
        at = t.nodes[node]
        at.visits -= 1
        at.total += loss
        t.edges[edge].visits -= 1
        t.edges[edge].total += loss
        edge = np.int64(at.edge)
        node = np.int64(at.parent)


@rule
def find_leaf(t, i, row, exploration, loss):
    """Simulate in game i until there is a leaf, which is put into leaves[row]; returns whether there is one.

    There is none when no simulations are left, or when one comes to a leaf that was given out already.
    """
    retraced = len(t.keys) > 0
    while t.used[i, LEFT]:
        t.used[i, LEFT] -= 1
        t.paid[row] = 0.0
        if retraced:
            t.leaves[row] = t.positions[i]
            t.luck[i] = advance(t.luck[i])
            t.leaves[row].chance = mix(t.luck[i])
        node = root_of(t, i)
        while True:
            edge = choose_edge(t, node, exploration)
            t.nodes[node].visits += 1
            t.nodes[node].total -= loss
            t.edges[edge].visits += 1
            t.edges[edge].total -= loss
            child = np.int64(t.edges[edge].node)
            if retraced or child == NONE:
                if not retraced:
                    t.leaves[row] = t.positions[node]
                play_on(t, row, np.int64(t.edges[edge].action))
                if t.leaves[row].ended:
                    back_up(t, row, loss, i, node, edge)
                    break
                key = np.uint64(0)
                if retraced:
                    key = key_of(t.words[row], t.places, t.masks)
                    child = known_outcome(t, edge, key)
                if child == NONE:
                    add_leaf(t, i, row, node, edge, key)
                    return True
            if t.nodes[child].visits == 0:
                take_back(t, loss, i, node, edge)
                return False
            node = child
    return False


@rule
def add_leaf(t, i, row, above, edge, key):
    """Add leaves[row] to the tree, if there is room."""
    leaf = add_node(t, i, above, edge, t.leaves[row], t.legal)
    if leaf != NONE:
        if len(t.keys):
            t.keys[leaf] = key
            t.nodes[leaf].sibling = t.edges[edge].node
        else:
            t.positions[leaf] = t.leaves[row]
        t.edges[edge].node = leaf
    note_leaf(t, row, i, leaf, above, edge)


@rule
def select_loop(t, games, abreast, exploration, loss):
    """Find leaves, `abreast` in each game at most; returns how many there are."""
    rows = 0
    for i in range(games):
        for _ in range(abreast):
            if not find_leaf(t, i, rows, exploration, loss):
                break
            rows += 1
    return rows


@rule
def backup_loop(t, priors, values, noise, fraction, loss):
    """Add the leaves, with priors (m, A) and values (m, P), or (m, 1) for who is to move, to their trees.

    `noise` (n, A) is mixed into the priors of roots, of which it makes up the given fraction; without rows none is.
    """
    for row in range(len(priors)):
        i, leaf, above, edge = t.rows[row, GAME], t.rows[row, LEAF], t.rows[row, ABOVE], t.rows[row, BY]
        mover = t.rows[row, MOVER]
        for p in range(t.paid.shape[1]):
            if values.shape[1] > 1:
                t.paid[row, p] += values[row, p]
            else:
                t.paid[row, p] += values[row, 0] if p == mover else -values[row, 0]
        if leaf != NONE:
            node = t.nodes[leaf]
            node.visits = 1
            node.total = t.paid[row, mover]
            set_priors(t, leaf, priors[row], 0.0)
            if above == NONE and len(noise):
                set_priors(t, leaf, noise[i], 1.0 - fraction)
        if above != NONE:
            back_up(t, row, loss, i, above, edge)


@rule
def set_priors(t, number, weights, kept):
    """The priors of a node by weights (A,) of legal actions, equal ones where all are zero; `kept`: part of the old."""
    node = t.nodes[number]
    whole = 0.0
    for k in range(node.first, node.first + node.choices):
        whole += weights[t.edges[k].action]
    for k in range(node.first, node.first + node.choices):
        edge = t.edges[k]
        part = weights[edge.action] / whole if whole > 0.0 else 1.0 / node.choices
        edge.prior = kept * edge.prior + (1.0 - kept) * part


@rule
def visits_loop(t, out):
    """Write how often every action was taken at the root of every game into out (n, A), which is zero."""
    for i in range(len(out)):
        if t.used[i, NODES]:
            root = t.nodes[root_of(t, i)]
            for k in range(root.first, root.first + root.choices):
                out[i, t.edges[k].action] = t.edges[k].visits


@rule
def best_loop(t, out):
    """Write the action most often taken, of equal ones that of the highest value, into out (n,); -1 where over."""
    for i in range(len(out)):
        out[i] = -1
        if t.used[i, NODES]:
            root = t.nodes[root_of(t, i)]
            best = t.edges[root.first]
            for k in range(root.first, root.first + root.choices):
                edge = t.edges[k]
                if edge.visits > best.visits or (edge.visits == best.visits and edge.total > best.total):
                    best = edge
            out[i] = best.action
