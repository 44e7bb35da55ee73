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

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.agents.look_ahead import key_of, lowest, what_counts, words_of
from mancala_envs.core.bits import count_bits
from mancala_envs.core.chance import advance, mix, stream
from mancala_envs.core.contract import hide
from mancala_envs.core.game import Game, Kernel, States, seed_word
from mancala_envs.core.kernels import move, pay, write_words

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

GAME, LEAF, ABOVE, BY = range(4)
"""In `rows`: the game of a leaf, its node, the node before it, and the edge between them."""

NONE = -1

_BRANCHES = 24
"""Edges that a node has on average, at most."""
_LONG = 1024
"""Bytes of a record that is not kept in every node: it is quicker played again."""


Network: TypeAlias = Callable[[States], tuple[npt.ArrayLike, npt.ArrayLike]]
"""Records (m,) -> priors and values, as `Puct.backup` takes them."""


class Forest(NamedTuple):
    """The trees of n games, with a block of N nodes and one of E edges for each; `most` (2,): N and E.

    `positions` (n N,) records, of every node; (n,), of the roots alone, where simulations are retraced. `leaves` (R,)
    records, `words` the same memory; `rows` (R, 4) whose they are; `paid` (R, P) what everyone was paid on the way.
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
    nodes = simulations + 1
    of_node = NODE.itemsize + (8 if retraced else game.dtype.itemsize)
    branches = min(game.num_actions, _BRANCHES)
    nodes = min(nodes, max(1, memory // (n * (of_node + branches * EDGE.itemsize))))
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
        rows=np.zeros((rows, 4), np.int64),
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


def root_of(t, i):
    """The number of the root of game i."""
    return i * t.most[0]


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
        t.rows[rows, GAME] = i
        t.rows[rows, LEAF] = root
        t.rows[rows, ABOVE] = NONE
        t.rows[rows, BY] = NONE
        t.paid[rows] = 0.0
        rows += 1
    return rows


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


def known_outcome(t, edge, key):
    """The node of the position with this key, to which `edge` has led before; NONE if it never did."""
    node = np.int64(t.edges[edge].node)
    while node != NONE and t.keys[node] != key:
        node = np.int64(t.nodes[node].sibling)
    return node


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


def add_leaf(t, i, row, above, edge, key):
    """Note whose leaf leaves[row] is, and add it to the tree if there is room."""
    leaf = add_node(t, i, above, edge, t.leaves[row], t.legal)
    if leaf != NONE:
        if len(t.keys):
            t.keys[leaf] = key
            t.nodes[leaf].sibling = t.edges[edge].node
        else:
            t.positions[leaf] = t.leaves[row]
        t.edges[edge].node = leaf
    t.rows[row, GAME] = i
    t.rows[row, LEAF] = leaf
    t.rows[row, ABOVE] = above
    t.rows[row, BY] = edge


def select_loop(t, games, abreast, exploration, loss):
    """Find leaves, `abreast` in each game at most; returns how many there are."""
    rows = 0
    for i in range(games):
        for _ in range(abreast):
            if not find_leaf(t, i, rows, exploration, loss):
                break
            rows += 1
    return rows


def backup_loop(t, priors, values, noise, fraction, loss):
    """Add the leaves, with priors (m, A) and values (m, P), or (m, 1) for who is to move, to their trees.

    `noise` (n, A) is mixed into the priors of roots, of which it makes up the given fraction; without rows none is.
    """
    for row in range(len(priors)):
        i, leaf, above, edge = t.rows[row, GAME], t.rows[row, LEAF], t.rows[row, ABOVE], t.rows[row, BY]
        mover = t.leaves[row].to_move
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


def visits_loop(t, out):
    """Write how often every action was taken at the root of every game into out (n, A), which is zero."""
    for i in range(len(out)):
        if t.used[i, NODES]:
            root = t.nodes[root_of(t, i)]
            for k in range(root.first, root.first + root.choices):
                out[i, t.edges[k].action] = t.edges[k].visits


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


class Puct:
    """Searches in up to n games at once, in which a network says what to play and what a position is worth.

        search.begin(states, seed)
        while len(leaves := search.select()):
            search.backup(*network(game.observe(leaves)))
        actions = search.actions()

    Arguments:
        game: whose states it searches.
        n: how many games at most.
        simulations: for every game and search; that the network sees the root comes before.
        exploration: the weight of priors against values, c in PUCT.
        noise: (alpha, fraction), Dirichlet's noise in the priors of the root, of which it makes up that fraction, so
            that self-play tries everything; None for none.
        abreast: leaves of one game that are given out at once at most, to fill batches of few games. Simulations on
            the way are counted as lost meanwhile, so that others go elsewhere: a search of more than one is weaker.
        memory: megabytes that trees may take; full ones grow no further, but learn on about what is in them.

    Raises ValueError for numbers that are not allowed, saying what is.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        simulations: int,
        *,
        exploration: float = 1.25,
        noise: tuple[float, float] | None = None,
        abreast: int = 1,
        memory: float = 1024,
    ) -> None:
        for name, value in (("n", n), ("simulations", simulations), ("abreast", abreast)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{name} must be an integer of at least 1, got {value!r}")
        for name, number in (("exploration", exploration), ("memory", memory)):
            if not 0 < number < float("inf"):
                raise ValueError(f"{name} must be a positive number, got {number!r}")
        if noise is not None and not (len(noise) == 2 and 0 < noise[0] < float("inf") and 0 <= noise[1] <= 1):
            raise ValueError(f"noise must be None or (alpha, fraction), alpha positive, 0 <= fraction <= 1, got {noise}")
        self.game, self.n, self.simulations = game, int(n), int(simulations)
        self._exploration, self._noise, self._abreast = float(exploration), noise, int(abreast)
        self._loss = 1.0 if abreast > 1 else 0.0
        # Where chance or campaigns pay on the way, or the record is long, simulations are played again from the root.
        retraced = game.has_chance or game.has_secrets or game.campaign or game.dtype.itemsize > _LONG
        self._forest = forest_for(game, self.n, self.simulations, self.n * self._abreast, int(memory * 2**20), retraced)
        self._leaves: States = np.asarray(self._forest.leaves).view(game.dtype).view(np.recarray)
        self._leaves.setflags(write=False)
        self._plant, self._select = Kernel(game.bind(plant_loop)), Kernel(game.bind(select_loop))
        self._backup, self._visits = Kernel(game.bind(backup_loop)), Kernel(game.bind(visits_loop))
        self._best = Kernel(game.bind(best_loop))
        self._gamma = self._no_gamma = np.zeros((0, game.num_actions), np.float32)
        """Dirichlet's noise before it is normalised."""
        self._next, self._fresh = "begin", False
        """What must be called next; "" when the search has ended."""
        self._games = self._out = 0
        """How many games are searched, and leaves given out or, before the first `select`, to be given out."""

    def begin(self, states: States, seed: int | None = None) -> None:
        """Plant the roots, the games `states` (m,), m at most `n`; whatever went on before is forgotten.

        The search in game i depends on (seed, i) only, and on what the network says. Games that are over have no leaves
        and no visits. Raises ValueError for more games than `n` and TypeError or ValueError for no states of the game.
        """
        view, word = self.game.view(states), seed_word(seed)
        if not 1 <= len(view) <= self.n:
            raise ValueError(f"states must be 1 to n = {self.n} games, got {len(view)}")
        self._games, self._gamma = len(view), self._no_gamma
        if self._noise:
            gamma = np.random.default_rng(int(word)).gamma(self._noise[0], size=(len(view), self.game.num_actions))
            self._gamma = gamma.astype(np.float32)
        self._out = self._plant.call(view, self._forest, self.simulations, word)
        self._next = "select"
        self._fresh = True

    def select(self) -> States:
        """(m,) recarray of positions for the network to look at; none when all simulations are done.

        First those of the roots; then in every game one leaf, or as many as `abreast` at most, as long as it has
        simulations left. They lie in memory of the search, read-only, until the next call. Raises RuntimeError before
        `begin` and while leaves wait for `backup`.
        """
        if self._next not in ("select", ""):
            raise RuntimeError(f"select was called where {self._next} must be: begin, then select and backup in turns")
        if not self._fresh:
            loop = self._select.call
            self._out = loop(self._forest, self._games, self._abreast, self._exploration, self._loss)
        self._fresh = False
        self._next = "backup" if self._out else ""
        return self._leaves[: self._out]

    def backup(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """What the network thinks of the (m,) leaves of the last `select`.

        Arguments:
            priors: (m, A) float32, how promising each action is; not negative. Those of illegal actions do not count,
                and the others are taken as parts of their sum; where all are zero they count as equal.
            values: (m, P) float32, what everyone will be paid from here on, from -1 to 1 where games are won or lost;
                in games of two players also (m,), for the player to move.

        Raises RuntimeError where no leaves wait, ValueError for other shapes and numbers. Nothing is changed then.
        """
        if self._next != "backup":
            raise RuntimeError("backup was called where no leaves wait: select gives them out")
        m, players = self._out, self.game.num_players
        promising, worth = np.ascontiguousarray(priors, np.float32), np.ascontiguousarray(values, np.float32)
        if promising.shape != (m, self.game.num_actions):
            raise ValueError(f"priors must have shape ({m}, {self.game.num_actions}), got {promising.shape}")
        if worth.shape == (m,) and players == 2:
            worth = worth[:, None]
        elif worth.shape != (m, players):
            or_alone = f" or ({m},)" * (players == 2)
            raise ValueError(f"values must have shape ({m}, {players}){or_alone}, got {worth.shape}")
        # Not a number compares as false.
        if not (promising.min() >= 0 and promising.max() < np.inf):
            raise ValueError("priors must be finite numbers of at least 0: give probabilities, not logits")
        if not (worth.min() > -np.inf and worth.max() < np.inf):
            raise ValueError("values must be finite numbers")
        fraction = self._noise[1] if self._noise else 0.0
        self._backup.call(self._forest, promising, worth, self._gamma, fraction, self._loss)
        self._next = "select"

    def run(self, states: States, network: Network, seed: int | None = None) -> None:
        """A whole search in the games `states`: `begin`, then `select`, `network` and `backup` until none is left."""
        self.begin(states, seed)
        while len(leaves := self.select()):
            self.backup(*network(leaves))

    # What was found.

    def visits(self) -> npt.NDArray[np.int64]:
        """(m, A) int64: how often each action was taken at the root; `simulations` together, 0 for games that are over.

        This and the methods below raise RuntimeError before the search has ended.
        """
        self._require_end()
        out = np.zeros((self._games, self.game.num_actions), np.int64)
        self._visits.call(self._forest, out)
        return out

    def values(self) -> npt.NDArray[np.float64]:
        """(m, P) float64: what everyone is paid in the mean of all simulations from the root, 0 for games over."""
        self._require_end()
        return self._forest.totals[: self._games] / self.simulations

    def actions(self, temperature: npt.ArrayLike = 0.0, seed: int | None = None) -> npt.NDArray[np.int64]:
        """(m,) int64: an action for each game, -1 where over.

        `temperature`: one number of at least 0 or (m,); 0 for the action most often taken, else actions are drawn by
        visits ** (1 / temperature), by (seed, index) only. Raises ValueError for other temperatures.
        """
        self._require_end()
        hot = np.asarray(temperature, np.float64)
        if hot.shape not in ((), (self._games,)) or not ((hot >= 0) & (hot < np.inf)).all():
            raise ValueError(f"temperature must be one number of at least 0, or ({self._games},), got {temperature!r}")
        out = np.empty(self._games, np.int64)
        self._best.call(self._forest, out)
        if hot.any():
            drawn = np.flatnonzero((out >= 0) & (hot > 0))
            visits = self.visits()[drawn]
            power = 1 / np.broadcast_to(hot, out.shape)[drawn, None]
            ladder = ((visits / visits.max(axis=1, keepdims=True)) ** power).cumsum(axis=1)
            luck = np.random.default_rng(int(seed_word(seed))).random(self._games)[drawn, None]
            out[drawn] = (ladder <= luck * ladder[:, -1:]).sum(axis=1)
        return out

    def _require_end(self) -> None:
        if self._next:
            raise RuntimeError("the search has not ended: select and backup until select gives out no leaves")


class PuctAgent:
    """An opponent, or whoever is to be evaluated, that searches with `puct` and `network` and takes the action most
    visited. `network`: records (m,) -> priors and values, as `Puct.backup` takes them."""

    def __init__(self, puct: Puct, network: Network) -> None:
        self.puct, self.network = puct, network

    def act(self, states: States, seed: int) -> npt.NDArray[np.int64]:
        """(k,) int64: what it plays in any number of games, -1 where over."""
        out = np.empty(len(states), np.int64)
        for first in range(0, len(states), self.puct.n):
            part = slice(first, first + self.puct.n)
            self.puct.run(states[part], self.network, seed_word(int(seed) ^ first))
            out[part] = self.puct.actions()
        return out
