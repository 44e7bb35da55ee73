"""The search tree of UCT and PUCT: nodes and edges as records, and the operations that both searches share.

A simulation goes from the root to a leaf by *selection*, each player for themselves; *expansion* adds the leaf to the
tree; its *evaluation* comes from a playout (UCT) or a network (PUCT); *backup* adds that to all nodes and edges on the
way. A node is a position. If chance plays after an action, its edge leads to one node for each result; the hash
keys of their positions distinguish them.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import fields, key_of, key_words, record_array, words_of
from mancala_envs.core.arguments import States
from mancala_envs.core.bits import count_bits, lowest_bit
from mancala_envs.core.engine import Engine
from mancala_envs.core.rule import rule

NODE = np.dtype(
    [
        ("key", "u8"),
        *fields("i4", "first_edge num_edges parent parent_edge sibling to_move visits"),
        ("value_sum", "f4"),
    ]
)
"""A position: its hash key, or 0; its edges; the node and the edge that lead to it; the next node to which the same
edge leads; the player to move; its visit count, and the sum of the values of these visits for that player."""

EDGE = fields("i4", "action child visits")
"""A legal action of a node: the first node that it leads to, and its visit count. Each search adds its own fields,
including `value_sum`, the sum of all values for the player who chooses the action."""

ROOT = np.dtype(fields("i8", "node next_node last_node next_edge last_edge"))
"""The tree of one game: its root, and the free parts of its blocks of nodes and edges, from `next` up to `last`."""

NONE = -1
"""No node, or no edge."""

BRANCHING = 24
"""Maximum average number of edges per node for which a tree has memory."""


class Tree(NamedTuple):
    """The trees of n games, each with a block of nodes and a block of edges of its own.

    Attributes:
        roots: (n,) ROOT records.
        nodes: (n N,) NODE records.
        edges: (n E,) EDGE records, with the fields that a search adds.
        leaves: (R,) records of the game, where simulations play.
        words: (R, W) uint64, the memory of `leaves`.
        values: (R, P) float64, the value of the simulation in each leaf for every player.
        places: (K,) and `masks` (K,), see `key_of`.
        legal: (W,) uint64, the legal actions of the position that was expanded last.
    """

    roots: npt.NDArray[np.void]
    nodes: npt.NDArray[np.void]
    edges: npt.NDArray[np.void]
    leaves: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    values: npt.NDArray[np.float64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    legal: npt.NDArray[np.uint64]


def tree_for(
    game: Engine, n: int, leaves: int, simulations: int, memory: int, edge: np.dtype[Any], node_bytes: int = 0
) -> Tree:
    """Return empty trees for n games.

    Args:
        game: The game.
        n: Number of trees.
        leaves: Number of simulations that run at once, in all trees together.
        simulations: Maximum number of simulations in a tree.
        memory: Maximum memory of all trees together, in bytes; each tree has at least a root with its edges. A full
            tree grows no further.
        edge: The dtype of an edge.
        node_bytes: Memory that the search itself needs for each node, in bytes.
    """
    branching = min(game.num_actions, BRANCHING)
    # Edges are numbered in 32 bits.
    each, node_bytes = min(memory, edge.itemsize << 31) // n, NODE.itemsize + node_bytes
    nodes = max(1, min(simulations + 1, each // (node_bytes + branching * edge.itemsize)))
    edges = max(game.num_actions, nodes * branching)
    nodes = max(1, min(nodes, (each - edges * edge.itemsize) // node_bytes))
    records: States = np.zeros(leaves, game.dtype)
    places, masks = key_words(game)
    roots = record_array(n, ROOT)
    roots["last_node"], roots["last_edge"] = nodes * np.arange(1, n + 1), edges * np.arange(1, n + 1)
    return Tree(
        roots=roots,
        nodes=record_array(n * nodes, NODE),
        edges=record_array(n * edges, edge),
        leaves=game.records(records),
        words=words_of(game, records),
        values=np.zeros((leaves, game.num_players)),
        places=places,
        masks=masks,
        legal=np.zeros(-(-game.num_actions // 64), np.uint64),
    )


@rule
def clear(t, game):
    """Empty the tree of a game."""
    root = t.roots[game]
    root.node = NONE
    root.next_node = game * (len(t.nodes) // len(t.roots))
    root.next_edge = game * (len(t.edges) // len(t.roots))


@rule
def leaf_key(t, leaf):
    """Return the hash key of leaves[leaf]."""
    return key_of(t.words[leaf], t.places, t.masks)


@rule
def expand(t, game, parent, edge, to_move, key):
    """Add a node with the actions in `legal` at the end of `edge` of `parent`; return it, NONE if the tree is full."""
    size = np.int64(0)
    for word in range(len(t.legal)):
        size += count_bits(t.legal[word])
    root = t.roots[game]
    if root.next_node == root.last_node or root.next_edge + size > root.last_edge:
        return np.int64(NONE)
    number = np.int64(root.next_node)
    first = np.int64(root.next_edge)
    root.next_node += 1
    root.next_edge += size
    node = t.nodes[number]
    node.key = key
    node.value_sum = 0.0
    node.first_edge = first
    node.num_edges = size
    node.parent = parent
    node.parent_edge = edge
    node.sibling = NONE
    node.to_move = to_move
    node.visits = 0
    for word in range(len(t.legal)):
        bits = t.legal[word]
        while bits:
            new = t.edges[first]
            new.action = 64 * word + lowest_bit(bits)
            new.child = NONE
            new.visits = 0
            new.value_sum = 0.0
            bits &= bits - np.uint64(1)
            first += 1
    if edge == NONE:
        root.node = number
    else:
        node.sibling = t.edges[edge].child
        t.edges[edge].child = number
    return number


@rule
def child_of(t, edge, key):
    """Return the node with this hash key to which `edge` leads; NONE if there is none yet."""
    node = np.int64(t.edges[edge].child)
    while node != NONE and t.nodes[node].key != key:
        node = np.int64(t.nodes[node].sibling)
    return node


@rule
def visit(t, node, edge, loss):
    """Count a simulation that takes `edge` of `node`; until its backup it counts as a loss of `loss` (virtual loss)."""
    at, by = t.nodes[node], t.edges[edge]
    at.visits += 1
    at.value_sum -= loss
    by.visits += 1
    by.value_sum -= loss


@rule
def back_up(t, leaf, root, node, edge, loss):
    """Add the values of leaves[leaf] to all edges and nodes from `edge` of `node` up to `root` (backup)."""
    while True:
        at = t.nodes[node]
        value = t.values[leaf, at.to_move] + loss
        at.value_sum += value
        t.edges[edge].value_sum += value
        if node == root:
            return
        edge = np.int64(at.parent_edge)
        node = np.int64(at.parent)


@rule
def most_visited(t, node):
    """Return the edge of a node with the most visits, among equals the one of highest value; NONE without edges."""
    at = t.nodes[node]
    best = np.int64(NONE)
    for edge in range(at.first_edge, at.first_edge + at.num_edges):
        more = t.edges[edge].visits - t.edges[best].visits
        if best == NONE or more > 0 or (more == 0 and t.edges[edge].value_sum > t.edges[best].value_sum):
            best = np.int64(edge)
    return best
