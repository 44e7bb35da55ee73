"""PUCT: tree search guided by a network, for any number of players, chance and hidden information.

Selection goes down the tree of a game, each player for themselves, by the values of actions so far and the network's
priors, until it comes to a position that is not in the tree: a leaf. `select` returns the leaves of all games together,
and the network, which can be any callable, returns priors and values for them. A position with one legal action is no
leaf: the simulation plays the action and continues. In games with chance, every simulation starts from the root's
position, without the information that is hidden from the player there, and makes its own draws.
With `gumbel`, sequential halving chooses the actions at the root instead, which is stronger with few simulations.
Sources: C. Rosin, "Multi-armed bandits with episode context" (2011), PUCB; D. Silver et al., "Mastering the game of Go
without human knowledge" (2017), for PUCT as it is used here, noise at the root, and virtual loss; I. Danihelka et al.,
"Policy improvement by planning with Gumbel" (2022), for `gumbel` and `improved`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.agent import MEMORY
from mancala_envs.agents.common import fields, record_array, streams_of
from mancala_envs.agents.tree import (
    EDGE,
    NODE,
    NONE,
    ROOT,
    back_up,
    child_of,
    clear,
    expand,
    leaf_key,
    most_visited,
    tree_for,
    visit,
)
from mancala_envs.core.arguments import Seed, States, require_integer, seed_word, seed_words
from mancala_envs.core.bits import count_bits, lowest_bit
from mancala_envs.core.chance import advance, mix
from mancala_envs.core.contract import hide
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import move, pay, write_words
from mancala_envs.core.names import as_game
from mancala_envs.core.result import sides
from mancala_envs.core.rule import rule

Network: TypeAlias = Callable[[States], tuple[npt.ArrayLike, npt.ArrayLike]]
"""Records (m,) -> priors and values, as `Puct.backup` takes them."""

MOST = 2**31 - 1
"""The most games and simulations of a search: both are counted in 32 bits."""

LONG = 1024
"""Records of more bytes are not stored in every node, because playing to the position again is faster."""

VISIT_OFFSET, VALUE_SCALE = 50, 1.0
"""c_visit and c_scale in the paper on Gumbel AlphaZero: the weight of values against the logarithms of priors."""

LEAST_PRIOR = 1e-30
"""Priors below this count as this much, so that they have logarithms."""

PUCT_EDGE = np.dtype([*EDGE, *fields("f4", "prior value_sum")])

REQUEST = np.dtype(fields("i8", "game node parent parent_edge to_move"))
"""A leaf that waits for its evaluation: its game, its node (NONE if the tree is full), the node and the edge that lead
to it, and the player to move."""


class Batch(NamedTuple):
    """The data of a search for each of its n games, apart from the trees.

    Attributes:
        positions: (n N,) records, the position of every node; or, if simulations `replay` every one of their moves,
            (n,), the positions of the roots.
        requests: (R,) REQUEST records, one for each of the tree's leaves.
        rng: (n,) uint64, the state of each game's generator.
        simulations: (n,) int64, how many simulations are left.
        totals: (n, P) float64, the sums of all values at the root.
    """

    positions: npt.NDArray[np.void]
    requests: npt.NDArray[np.void]
    rng: npt.NDArray[np.uint64]
    simulations: npt.NDArray[np.int64]
    totals: npt.NDArray[np.float64]


@rule
def request(t, b, leaf, game, node, parent, edge):
    """Store for which node leaves[leaf] is evaluated, because the caller of `select` may overwrite the leaf."""
    at = b.requests[leaf]
    at.game = game
    at.node = node
    at.parent = parent
    at.parent_edge = edge
    at.to_move = t.leaves[leaf].to_move


@rule
def begin_loop(states, t, b, replay, simulations, streams):
    """Make a root, which is a leaf, for every game that is not over; return the number of roots."""
    leaves = 0
    for i in range(len(states)):
        s = states[i]
        clear(t, i)
        b.simulations[i] = 0
        b.totals[i] = 0.0
        b.rng[i] = mix(streams[i])
        if s.to_move < 0:
            continue
        leaf = t.leaves[leaves]
        t.leaves[leaves] = s
        leaf.chance = mix(b.rng[i])
        hide(leaf, s.to_move)
        write_words(leaf, t.legal)
        root = expand(t, i, NONE, NONE, leaf.to_move, np.uint64(0))
        b.positions[i if replay else root] = leaf
        b.simulations[i] = simulations
        request(t, b, leaves, i, root, NONE, NONE)
        t.values[leaves] = 0.0
        leaves += 1
    return leaves


@rule
def select_edge(t, number, exploration):
    """Return the edge of a node with the highest upper bound. An edge without visits has the value of the node."""
    node = t.nodes[number]
    unvisited = node.value_sum / node.visits
    scale = exploration * np.sqrt(np.float64(node.visits))
    best, best_bound = np.int64(node.first_edge), -np.inf
    for k in range(node.first_edge, node.first_edge + node.num_edges):
        edge = t.edges[k]
        value = edge.value_sum / edge.visits if edge.visits else unvisited
        bound = value + scale * edge.prior / (1 + edge.visits)
        if bound > best_bound:
            best, best_bound = np.int64(k), bound
    return best


@rule
def value_weight(t, root):
    """Return the factor of values from -1 to 1 in the scores of actions at a root, sigma in the paper."""
    most = np.int64(0)
    for k in range(root.first_edge, root.first_edge + root.num_edges):
        most = max(most, np.int64(t.edges[k].visits))
    return 0.5 * VALUE_SCALE * (VISIT_OFFSET + most)


@rule
def value_of_unvisited(t, root):
    """Return the value that unvisited actions count with.

    It is a mean of the network's value of the root and the values of visited actions, which their priors weight.
    """
    visits, prior, value, backed_up = np.int64(0), 0.0, 0.0, 0.0
    for k in range(root.first_edge, root.first_edge + root.num_edges):
        edge = t.edges[k]
        if edge.visits:
            visits += np.int64(edge.visits)
            prior += edge.prior
            value += edge.prior * edge.value_sum / edge.visits
            backed_up += edge.value_sum
    # Apart from what edges backed up, the root's sum has the network's value.
    of_network = root.value_sum - backed_up
    return (of_network + visits * value / prior) / (1 + visits) if prior > 0.0 else of_network


@rule
def score_of(edge, weight, unvisited):
    """Return the logit of an action at a root in the improved policy: that of its prior, and its weighted value."""
    value = edge.value_sum / edge.visits if edge.visits else unvisited
    return np.log(max(np.float64(edge.prior), LEAST_PRIOR)) + weight * value


@rule
def select_by_halving(t, number, noise, visits):
    """Return the edge of a root with this visit count and the highest score, with `noise` (A,) added."""
    root = t.nodes[number]
    weight, unvisited = value_weight(t, root), value_of_unvisited(t, root)
    best, best_score = np.int64(root.first_edge), -np.inf
    for k in range(root.first_edge, root.first_edge + root.num_edges):
        edge = t.edges[k]
        if edge.visits == visits:
            score = score_of(edge, weight, unvisited) + noise[edge.action]
            if score > best_score:
                best, best_score = np.int64(k), score
    return best


@rule
def play_on(t, leaf, action):
    """Play `action` in leaves[leaf], and then every decision with one legal action; update `legal` for its position."""
    s = t.leaves[leaf]
    while True:
        if move(s, action):
            for p in range(t.values.shape[1]):
                t.values[leaf, p] += pay(s, p)
            if s.ended:
                return
        write_words(s, t.legal)
        choices = np.int64(0)
        for word in range(len(t.legal)):
            if t.legal[word]:
                choices += count_bits(t.legal[word])
                action = 64 * word + lowest_bit(t.legal[word])
        if choices > 1:
            return


@rule
def undo_visit(t, root, node, edge, loss):
    """Undo `visit` from `edge` of `node` up to the root."""
    while True:
        at, by = t.nodes[node], t.edges[edge]
        at.visits -= 1
        at.value_sum += loss
        by.visits -= 1
        by.value_sum += loss
        if node == root:
            return
        edge = np.int64(at.parent_edge)
        node = np.int64(at.parent)


@rule
def finish_simulation(t, b, leaf, game, node, edge, loss):
    """Back up the values of leaves[leaf], to which `edge` of `node` leads."""
    back_up(t, leaf, t.roots[game].node, node, edge, loss)
    for p in range(t.values.shape[1]):
        b.totals[game, p] += t.values[leaf, p]


@rule
def find_leaf(t, b, i, leaf, replay, exploration, loss, noise, halving):
    """Simulate in game i until a leaf needs an evaluation, and put it into leaves[leaf]; return whether there is one.

    There is none if no simulations are left, or if a simulation reaches a leaf that already waits for its evaluation.
    """
    root = np.int64(t.roots[i].node)
    while b.simulations[i]:
        b.simulations[i] -= 1
        t.values[leaf] = 0.0
        if replay:
            t.leaves[leaf] = b.positions[i]
            b.rng[i] = advance(b.rng[i])
            t.leaves[leaf].chance = mix(b.rng[i])
        node = root
        while True:
            if node == root and len(halving):
                considered = min(np.int64(t.nodes[root].num_edges), len(halving) - 1)
                edge = select_by_halving(t, root, noise[i], halving[considered, t.nodes[root].visits - 1])
            else:
                edge = select_edge(t, node, exploration)
            visit(t, node, edge, loss)
            child = np.int64(t.edges[edge].child)
            if replay or child == NONE:
                if not replay:
                    t.leaves[leaf] = b.positions[node]
                play_on(t, leaf, np.int64(t.edges[edge].action))
                if t.leaves[leaf].ended:
                    finish_simulation(t, b, leaf, i, node, edge, loss)
                    break
                key = np.uint64(0)
                if replay:
                    key = leaf_key(t, leaf)
                    child = child_of(t, edge, key)
                if child == NONE:
                    child = expand(t, i, node, edge, t.leaves[leaf].to_move, key)
                    if child != NONE and not replay:
                        b.positions[child] = t.leaves[leaf]
                    request(t, b, leaf, i, child, node, edge)
                    return True
            if t.nodes[child].visits == 0:
                undo_visit(t, root, node, edge, loss)
                b.simulations[i] += 1
                return False
            node = child
    return False


@rule
def select_loop(t, b, games, leaves_per_game, replay, exploration, loss, noise, halving):
    """Find leaves, at most `leaves_per_game` in each game; return their number.

    `halving` (m + 1, simulations) int64, `sequential_halving` for up to m actions, governs the choice at roots, with
    `noise` (n, A) float32; without rows it does not.
    """
    leaves = 0
    for i in range(games):
        for _ in range(leaves_per_game):
            if not find_leaf(t, b, i, leaves, replay, exploration, loss, noise, halving):
                break
            leaves += 1
    return leaves


@rule
def backup_loop(t, b, priors, values, noise, fraction, loss):
    """Back up the evaluations of leaves: priors (m, A) and values (m, P), or (m, 1) for the player to move.

    `noise` (n, A) makes up the given fraction of the priors of roots; without rows there is none.
    """
    for leaf in range(len(priors)):
        at = b.requests[leaf]
        for p in range(t.values.shape[1]):
            if values.shape[1] > 1:
                t.values[leaf, p] += values[leaf, p]
            else:
                t.values[leaf, p] += values[leaf, 0] if p == at.to_move else -values[leaf, 0]
        if at.node != NONE:
            node = t.nodes[at.node]
            node.visits = 1
            node.value_sum = t.values[leaf, at.to_move]
            set_priors(t, at.node, priors[leaf], 0.0)
            if at.parent == NONE and len(noise):
                set_priors(t, at.node, noise[at.game], 1.0 - fraction)
        if at.parent != NONE:
            finish_simulation(t, b, leaf, at.game, at.parent, at.parent_edge, loss)


@rule
def set_priors(t, number, weights, kept):
    """Set priors in proportion to weights (A,), equal ones if all are zero; `kept` is the share of the old priors."""
    node = t.nodes[number]
    whole = 0.0
    for k in range(node.first_edge, node.first_edge + node.num_edges):
        whole += weights[t.edges[k].action]
    for k in range(node.first_edge, node.first_edge + node.num_edges):
        edge = t.edges[k]
        part = weights[edge.action] / whole if whole > 0.0 else 1.0 / node.num_edges
        edge.prior = kept * edge.prior + (1.0 - kept) * part


@rule
def visits_loop(t, out):
    """Write the visit count of every action at the root of every game into out (n, A), which contains zeros before."""
    for i in range(len(out)):
        if t.roots[i].node != NONE:
            root = t.nodes[t.roots[i].node]
            for k in range(root.first_edge, root.first_edge + root.num_edges):
                out[i, t.edges[k].action] = t.edges[k].visits


@rule
def best_loop(t, out, noise):
    """Write the most visited action at the root of every game into out (n,); -1 if over.

    With `noise` (n, A), among equals it is the one with the highest score.
    """
    for i in range(len(out)):
        root = t.roots[i].node
        out[i] = -1
        if root != NONE:
            edge = most_visited(t, root)
            if len(noise):
                edge = select_by_halving(t, root, noise[i], np.int64(t.edges[edge].visits))
            out[i] = t.edges[edge].action


@rule
def improve_loop(t, out, values, side_of, others):
    """Write the improved policy at the root of every game into out (n, A), which contains zeros before.

    Replace the mean values (n, P) of the simulations by those of the policy. `side_of` (P,) has each player's side, and
    `others` is the number of sides less one.
    """
    for i in range(len(out)):
        if t.roots[i].node != NONE:
            root = t.nodes[t.roots[i].node]
            weight, unvisited = value_weight(t, root), value_of_unvisited(t, root)
            highest, whole = -np.inf, 0.0
            for k in range(root.first_edge, root.first_edge + root.num_edges):
                highest = max(highest, score_of(t.edges[k], weight, unvisited))
            for k in range(root.first_edge, root.first_edge + root.num_edges):
                out[i, t.edges[k].action] = np.exp(score_of(t.edges[k], weight, unvisited) - highest)
                whole += out[i, t.edges[k].action]
            gain = -values[i, root.to_move]
            for k in range(root.first_edge, root.first_edge + root.num_edges):
                edge = t.edges[k]
                out[i, edge.action] /= whole
                gain += out[i, edge.action] * (edge.value_sum / edge.visits if edge.visits else unvisited)
            for p in range(len(side_of)):
                values[i, p] += gain if side_of[p] == side_of[root.to_move] else -gain / others


def sequential_halving(actions: int, simulations: int) -> list[int]:
    """Return the visit count of the action that each simulation must choose, when `actions` are considered at first.

    The simulations are divided equally among rounds. Each round divides its own equally among the actions that are
    still considered, and the better half of these is considered in the next, until two are left.
    """
    if actions == 1:
        return list(range(simulations))
    rounds, considered, visits = (actions - 1).bit_length(), actions, 0
    out: list[int] = []
    while len(out) < simulations:
        each = max(1, simulations // (rounds * considered))
        out += [visits + k for k in range(each) for _ in range(considered)]
        visits, considered = visits + each, max(2, considered // 2)
    return out[:simulations]


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2


class Puct:
    """A search of up to n games at once, in which a network returns priors and values.

    ::

        search.begin(states, seed)
        while len(leaves := search.select()):
            search.backup(*network(game.observe(leaves)))
        actions = search.actions()

    A copy, also one that was pickled, has the same settings and trees of its own: call `begin` first.

    Args:
        game: The game to search, as `make_game` takes it.
        n: The maximum number of games in one search.
        simulations: The number of simulations for each game and search, without the evaluation of the root.
        exploration: The weight of priors against values, c in PUCT.
        noise: (alpha, fraction): that fraction of the priors at the root is Dirichlet noise, so that self-play tries
            every action; None for no noise.
        gumbel: (actions, scale): sequential halving among at most that number of actions at the root, at first those
            of the highest priors after Gumbel noise of this scale is added to their logarithms: 1 in self-play, 0 to
            play as well as possible. The simulations should be at least as many as the actions. None for PUCT.
        leaves_per_game: The maximum number of leaves of one game that wait for evaluation at once. More than one fill
            the batches of a search of few games, but make it weaker. A simulation counts as lost until its evaluation
            arrives (virtual loss), so that others choose other leaves.
        memory: Megabytes for all trees, leaves and positions; noise and the network's results are not counted. A full
            tree grows no further; its values still improve.

    Raises:
        ValueError: A number is not allowed, or `n` games need more memory; the message says what is allowed.
    """

    def __init__(
        self,
        game: Engine | str,
        n: int,
        simulations: int,
        *,
        exploration: float = 1.25,
        noise: tuple[float, float] | None = None,
        gumbel: tuple[int, float] | None = None,
        leaves_per_game: int = 1,
        memory: float = MEMORY,
    ) -> None:
        for name, value in (("n", n), ("simulations", simulations), ("leaves_per_game", leaves_per_game)):
            require_integer(name, value, 1, MOST)
        for name, number in (("exploration", exploration), ("memory", memory)):
            if not 0 < number < float("inf"):
                raise ValueError(f"{name} must be a positive number, got {number!r}")
        if noise is not None and not (_is_pair(noise) and 0 < noise[0] < float("inf") and 0 <= noise[1] <= 1):
            raise ValueError(
                f"noise must be None or (alpha, fraction), alpha positive, 0 <= fraction <= 1, got {noise}"
            )
        if gumbel is not None:
            if not (_is_pair(gumbel) and 0 <= gumbel[1] < float("inf")):
                raise ValueError(f"gumbel must be None or (actions, scale), scale at least 0, got {gumbel}")
            require_integer("the actions of gumbel", gumbel[0], 1, MOST)
            if noise is not None:
                raise ValueError("give either noise or gumbel, which has noise of its own")
        self.game, self.n, self.simulations = as_game(game), int(n), int(simulations)
        self._exploration, self._noise, self._leaves_per_game = float(exploration), noise, int(leaves_per_game)
        self._gumbel = gumbel
        self._options: dict[str, Any] = {"exploration": exploration, "noise": noise, "gumbel": gumbel}
        self._options |= {"leaves_per_game": leaves_per_game, "memory": memory}
        self._loss = 1.0 if leaves_per_game > 1 else 0.0
        self._memory = int(memory * 2**20)
        self._allocate()

    def _allocate(self) -> None:
        """Make empty trees and bind the kernels."""
        game, rows = self.game, self.n * self._leaves_per_game
        # Simulations play again from the root in games with chance, hidden information or rewards before the end, and
        # in games with long records.
        self._replay = bool(game.has_chance or game.has_secrets or game.campaign or game.dtype.itemsize > LONG)
        position = 0 if self._replay else game.dtype.itemsize
        for_trees = self._memory_for_trees(position)
        self._tree = tree_for(game, self.n, rows, self.simulations, for_trees, PUCT_EDGE, position)
        positions = self.n if self._replay else len(self._tree.nodes)
        self._batch = Batch(
            positions=game.records(np.zeros(positions, game.dtype)),
            requests=record_array(rows, REQUEST),
            rng=np.zeros(self.n, np.uint64),
            simulations=np.zeros(self.n, np.int64),
            totals=np.zeros((self.n, game.num_players)),
        )
        self._leaves: States = np.asarray(self._tree.leaves).view(game.dtype).view(np.recarray)
        self._begin, self._select = game.kernel(begin_loop), game.kernel(select_loop)
        self._backup, self._visits = game.kernel(backup_loop), game.kernel(visits_loop)
        self._best, self._improve = game.kernel(best_loop), game.kernel(improve_loop)
        self._side_of = np.array(sides(game))
        self._gamma = self._gumbels = self._no_noise = np.zeros((0, game.num_actions), np.float32)
        """Dirichlet noise before normalisation, and Gumbel noise, (m, A)."""
        most = min(self._gumbel[0], game.num_actions) if self._gumbel else -1
        self._halving = np.zeros((most + 1, self.simulations), np.int64)
        for actions in range(1, most + 1):
            self._halving[actions] = sequential_halving(actions, self.simulations)
        self._next, self._fresh = "begin", False
        """The method that must be called next; "" when the search has ended."""
        self._games = self._out = 0
        """The number of games, and of leaves that `select` returned last, or returns first."""

    def _memory_for_trees(self, position: int) -> int:
        """Return the bytes that are left for trees; raise ValueError if they do not suffice for the roots.

        `position` is the size in bytes of the position that each node stores.
        """
        game, values = self.game, 8 * self.game.num_players
        leaf = game.dtype.itemsize + REQUEST.itemsize + values
        beside = ROOT.itemsize + 16 + values + (game.dtype.itemsize if self._replay else 0)
        root = NODE.itemsize + position + game.num_actions * PUCT_EDGE.itemsize
        each = self._leaves_per_game * leaf + beside
        least = self.n * (each + root)
        if least > self._memory:
            raise ValueError(
                f"{game.header}: n = {self.n} games need at least memory={-(-least // 2**20)}, "
                f"got {self._memory / 2**20:.3g}"
            )
        return self._memory - self.n * each

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._options), (self.game, self.n, self.simulations)

    def begin(self, states: States, seed: Seed = None) -> None:
        """Start a search from the games `states` (m,), m at most `n`, and drop a search that has not ended.

        The search of game i depends only on (seed, i) and on the network; with seeds (m,), only on seed[i] and on the
        network. Games that are over have no leaves and no visits.

        Raises:
            ValueError: `states` has more games than `n`, or they are not states of the game.
            TypeError: `states` is not an array.
        """
        view = self.game.view(states)
        if not 1 <= len(view) <= self.n:
            raise ValueError(f"states must be 1 to n = {self.n} games, got {len(view)}")
        words = seed_words(len(view), seed)
        self._games, self._gamma, self._gumbels = len(view), self._no_noise, self._no_noise
        size = len(view) // len(words), self.game.num_actions
        if self._noise:
            rows = [np.random.default_rng(int(word)).gamma(self._noise[0], size=size) for word in words]
            self._gamma = np.concatenate(rows).astype(np.float32)
        if self._gumbel:
            rows = [np.random.default_rng(int(word)).gumbel(size=size) for word in words]
            self._gumbels = (self._gumbel[1] * np.concatenate(rows)).astype(np.float32)
        streams = streams_of(len(view), words)
        self._out = self._begin.call(view, self._tree, self._batch, self._replay, self.simulations, streams)
        self._next = "select"
        self._fresh = True

    def select(self) -> States:
        """Return the leaves to evaluate, an (m,) recarray; it is empty when all simulations are done.

        The first call returns the roots. Each further call returns up to `leaves_per_game` leaves of every game that
        has simulations left. They are valid until the next call, and the caller may overwrite them.

        Raises:
            RuntimeError: `begin` was not called, or leaves wait for `backup`.
        """
        if self._next not in ("select", ""):
            raise RuntimeError(f"call {self._next} before select: begin first, then select and backup in turn")
        if not self._fresh:
            self._out = self._select.call(
                self._tree, self._batch, self._games, self._leaves_per_game, self._replay, self._exploration,
                self._loss, self._gumbels, self._halving,
            )  # fmt: skip
        self._fresh = False
        self._next = "backup" if self._out else ""
        return self._leaves[: self._out]

    def backup(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Add the network's evaluation of the (m,) leaves of the last `select` to the trees.

        Args:
            priors: (m, A) float32, the probability of each action; not negative. Illegal actions are ignored and the
                others normalised to a sum of 1; if all are zero they count as equal.
            values: (m, P) float32, the expected sum of each player's rewards from the leaf on, from -1 to 1 in games
                that are won or lost; in games of two players also (m,), for the player to move.

        Raises:
            RuntimeError: No leaves wait.
            ValueError: A shape or a number is not allowed. The search does not change.
        """
        if self._next != "backup":
            raise RuntimeError("no leaves wait for backup: call select first")
        m, players = self._out, self.game.num_players
        promising, worth = np.ascontiguousarray(priors, np.float32), np.ascontiguousarray(values, np.float32)
        if promising.shape != (m, self.game.num_actions):
            raise ValueError(f"priors must have shape ({m}, {self.game.num_actions}), got {promising.shape}")
        if worth.shape == (m,) and players == 2:
            worth = worth[:, None]
        elif worth.shape != (m, players):
            or_alone = f" or ({m},)" * (players == 2)
            raise ValueError(f"values must have shape ({m}, {players}){or_alone}, got {worth.shape}")
        # Comparisons with nan are false.
        if not (promising.min() >= 0 and promising.max() < np.inf):
            raise ValueError("priors must be finite numbers of at least 0: give probabilities, not logits")
        if not (worth.min() > -np.inf and worth.max() < np.inf):
            raise ValueError("values must be finite numbers")
        fraction = self._noise[1] if self._noise else 0.0
        self._backup.call(self._tree, self._batch, promising, worth, self._gamma, fraction, self._loss)
        self._next = "select"

    def run(self, states: States, network: Network, seed: Seed = None) -> None:
        """Run a whole search of the games `states`: `begin`, then `select`, `network` and `backup` repeatedly."""
        self.begin(states, seed)
        while len(leaves := self.select()):
            self.backup(*network(leaves))

    # Results.

    def visits(self) -> npt.NDArray[np.int64]:
        """Return the visit count (m, A) int64 of each action at the root, `simulations` in all; 0 if the game is over.

        Raises:
            RuntimeError: The search has not ended; the other methods for results raise it, too.
        """
        self._require_end()
        out = np.zeros((self._games, self.game.num_actions), np.int64)
        self._visits.call(self._tree, out)
        return out

    def improved(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the improved policy (m, A) float64 at each root, and its values (m, P) float64; 0 if the game is over.

        The policy is proportional to the prior of an action times e to the power of its value, weighted by a factor
        that grows with the visit counts. An action without visits has a mean of the values that are known. The value of
        the player to move, and of partners, is the mean over the policy. It differs from that of all simulations
        (`values`), which also try bad actions; the other sides share the difference.
        """
        self._require_end()
        policies, values = np.zeros((self._games, self.game.num_actions)), self.values()
        self._improve.call(self._tree, policies, values, self._side_of, len(set(self._side_of)) - 1)
        return policies, values

    def values(self) -> npt.NDArray[np.float64]:
        """Return the mean value (m, P) float64 of all simulations for each player; 0 if the game is over."""
        self._require_end()
        return self._batch.totals[: self._games] / self.simulations

    def actions(self, temperature: npt.ArrayLike = 0.0, seed: int | None = None) -> npt.NDArray[np.int64]:
        """Return an action (m,) int64 for each game, -1 for games that are over.

        Args:
            temperature: One number of at least 0, or (m,). 0 chooses the most visited action, with `gumbel` the winner
                of sequential halving; otherwise actions are drawn with probabilities proportional to
                visits ** (1 / temperature).
            seed: Draws depend on (seed, index) only.

        Raises:
            ValueError: A temperature is not allowed.
        """
        self._require_end()
        hot = np.asarray(temperature, np.float64)
        if hot.shape not in ((), (self._games,)) or not ((hot >= 0) & (hot < np.inf)).all():
            raise ValueError(f"temperature must be one number of at least 0, or ({self._games},), got {temperature!r}")
        out = np.empty(self._games, np.int64)
        self._best.call(self._tree, out, self._gumbels)
        if hot.any():
            drawn = np.flatnonzero((out >= 0) & (hot > 0))
            visits = self.visits()[drawn]
            power = 1 / np.broadcast_to(hot, out.shape)[drawn, None]
            ladder = ((visits / visits.max(axis=1, keepdims=True)) ** power).cumsum(axis=1)
            rng = np.random.default_rng(int(seed_word(seed))).random(self._games)[drawn, None]
            out[drawn] = (ladder <= rng * ladder[:, -1:]).sum(axis=1)
        return out

    def _require_end(self) -> None:
        if self._next:
            raise RuntimeError("the search has not ended: call select and backup until select returns no leaves")


class PuctAgent:
    """An agent that searches with `puct` and `network` and plays what `Puct.actions` returns.

    Args:
        puct: The search.
        network: Records (m,) -> priors and values, as `Puct.backup` takes them.
    """

    takes_seeds = True
    """See `Search.act`."""

    def __init__(self, puct: Puct, network: Network) -> None:
        self.puct, self.network = puct, network

    def act(self, states: States, seed: int | npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
        """Return the actions (k,) int64 for any number of games, -1 for games that are over."""
        out = np.empty(len(states), np.int64)
        for first in range(0, len(states), self.puct.n):
            part = slice(first, first + self.puct.n)
            seeds = seed[part] if isinstance(seed, np.ndarray) else int(seed) ^ first
            self.puct.run(states[part], self.network, seeds)
            out[part] = self.puct.actions()
        return out
