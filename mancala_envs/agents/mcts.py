"""Monte-Carlo tree search (UCT) over any game, with any number of players, chance and hidden information.

Every simulation makes its own draws of chance and of the information that is hidden from the player at the root.
Selection follows upper confidence bounds, and each player maximises their own value; expansion adds the position after
an action when the action is chosen for the second time. The evaluation is a playout: random play for some turns, or to
the end of the game. Its value is the change of each player's lead in `worth` since the root, relative to the mean
change in this search, so that differences between actions count the same for a player who is far ahead or behind. The
value of an action starts with the evaluation of the position that it leads to.

With a network the evaluation is the expected reward, and exploration is in proportion to the standard deviation of the
expected rewards in this search: they differ little in campaigns, and where a game is nearly decided.
Sources: L. Kocsis, C. Szepesvari, "Bandit based Monte-Carlo planning" (2006), UCT; D. Wu, "Other methods implemented in
KataGo" (2021), variance-scaled exploration.
"""

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import (
    LONGEST_LINE,
    Analysis,
    Budget,
    Streams,
    fields,
    goes_on,
    key_of,
    lead,
    one_by_one,
    record_array,
    words_of,
)
from mancala_envs.agents.inference import expected_result, write_expected_results
from mancala_envs.agents.network import ValueNetwork
from mancala_envs.agents.tree import (
    EDGE,
    NONE,
    back_up,
    child_of,
    clear,
    expand,
    leaf_key,
    most_visited,
    tree_for,
    visit,
)
from mancala_envs.core.arguments import States
from mancala_envs.core.chance import advance, below, mix, stream
from mancala_envs.core.contract import hide, round_lead, share
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import copy_game, move, pick, playout, write_words
from mancala_envs.core.rule import rule

UCT_EDGE = np.dtype([*EDGE, ("padding", "i4"), *fields("f8", "value_sum width")])
"""An edge of UCT: `width` is 1 / sqrt(n) after n visits, its first evaluation included."""

UNVISITED = 1e9
"""The width of an edge without visits: its bound is above all others."""

SPREAD = np.dtype(fields("f8", "total squares number"))
"""The sum of the changes in lead that evaluations found or, with a network, of the expected rewards of the player at
the root; the sum of the squares of these rewards; and the number of evaluations."""

FIRST_DEVIATION = 0.1
"""The deviation of expected rewards before the first one."""

EXPLORATION = 1.0
"""The exploration without a network."""

RELATIVE = 0.0
"""The exploration that is the standard deviation of the expected rewards."""

MOST_SIMULATIONS = 1_000_000_000

_FIRST_SLICE = 256
"""Simulations before the first pause."""

_DECISIONS_KEPT = 8
"""With `keep`, a tree has memory for the simulations of this many decisions."""

POSITION, TRIAL = range(2)
"""The leaf in which a simulation plays, and the one in which its actions are evaluated."""


@rule
def begin_tree(s, t, spread, network, evaluated, rng):
    """Clear the tree and make the position `s` its root."""
    clear(t, 0)
    spread[0].total = 0.0
    spread[0].squares = 0.0
    spread[0].number = 0.0
    copy_game(s, t.leaves, POSITION)
    key = leaf_key(t, POSITION)
    # The search makes its own draws, because it must not know future chance.
    root = t.leaves[POSITION]
    root.chance = mix(rng)
    hide(root, s.to_move)
    add_node(t, spread, network, NONE, NONE, key, s, evaluated, rng)


@rule
def add_node(t, spread, network, parent, edge, key, root, evaluated, rng):
    """Add the position of the simulation with its actions in random order (expansion).

    Returns the new node, or NONE if the tree is full.
    If `evaluated`, each action starts with the value of the position that it leads to, as if by one visit.
    """
    s = t.leaves[POSITION]
    write_words(s, t.legal)
    number = expand(t, 0, parent, edge, s.to_move, key)
    if number == NONE:
        return number
    node = t.nodes[number]
    node.visits = 1
    end = np.int64(node.first_edge + node.num_edges)
    for k in range(node.first_edge, end):
        rng = advance(rng)
        one, other = t.edges[k], t.edges[k + below(rng, end - k)]
        one.action, other.action = other.action, one.action
        one.width = UNVISITED
    if evaluated:
        for k in range(node.first_edge, end):
            copy_game(s, t.leaves, TRIAL)
            move(t.leaves[TRIAL], t.edges[k].action)
            value = value_for(spread, network, t.leaves[TRIAL], root, s.to_move)
            t.edges[k].value_sum = value
            t.edges[k].width = 1.0
            if network is not None and s.to_move == root.to_move:
                note(spread, value)
    return number


@rule
def select_edge(t, number, exploration):
    """Return the edge of a node with the highest upper confidence bound (selection)."""
    node = t.nodes[number]
    scale = exploration * np.sqrt(np.log(np.float64(node.visits)) + 1.0)
    best = np.int64(node.first_edge)
    best_bound = -np.inf
    for k in range(node.first_edge, node.first_edge + node.num_edges):
        edge = t.edges[k]
        # The mean value plus the exploration term.
        bound = (edge.value_sum * edge.width + scale) * edge.width
        if bound > best_bound:
            best_bound = bound
            best = np.int64(k)
    return best


@rule
def note(spread, value):
    """Count an expected reward of the player at the root."""
    spread[0].total += value
    spread[0].squares += value * value
    spread[0].number += 1.0


@rule
def deviation(spread):
    """Return the standard deviation of the expected rewards so far, counting FIRST_DEVIATION as one more of them."""
    number = spread[0].number
    squares = spread[0].squares - spread[0].total * spread[0].total / max(number, 1.0)
    return np.sqrt((max(squares, 0.0) + FIRST_DEVIATION * FIRST_DEVIATION) / (number + 1.0))


@rule
def value_for(spread, network, s, root, p):
    """Return the evaluation of `s` for player p, from -1 to 1.

    With a network it is the expected reward, and otherwise 0 if the player's lead is that at the root.
    """
    if s.ended:
        return np.float64(share(s, p))
    if network is not None:
        return expected_result(s, p, network)
    ahead = round_lead(s, p) if s.round_number != root.round_number else lead(s, p)
    change = np.float64(ahead - lead(root, p))
    spread[0].total += abs(change)
    spread[0].number += 1.0
    usual = (spread[0].total + 1.0) / spread[0].number
    return change / (abs(change) + usual / 2.0)


@rule
def play_turns(s, rng, turns):
    """Play `turns` turns at random, the present one included, or to the end of the game if `turns` is 0."""
    if turns == 0:
        playout(s, rng)
    while turns > 0:
        rng = advance(rng)
        mover, turn, round_number = s.to_move, s.turn, s.round_number
        if move(s, pick(s, mix(rng))):
            return
        turns -= not goes_on(s, mover, turn, round_number)


@rule
def simulate(root, t, spread, network, exploration, turns, keyed, rng):
    """Run one simulation: selection, expansion, evaluation by a playout, backup.

    If `keyed`, nodes have hash keys; otherwise each edge leads to one node only.
    """
    evaluated = turns > 0
    weight = deviation(spread) if exploration == RELATIVE else exploration
    copy_game(root, t.leaves, POSITION)
    s = t.leaves[POSITION]
    s.chance = mix(rng)
    hide(s, root.to_move)
    node = np.int64(t.roots[0].node)
    while True:
        number = select_edge(t, node, weight)
        edge = t.edges[number]
        is_first = edge.visits == 0
        visit(t, node, number, 0.0)
        edge.width = 1.0 / np.sqrt(np.float64(edge.visits + evaluated))
        paid = move(s, edge.action)
        if paid or is_first:
            break
        child = np.int64(edge.child)
        if keyed or child == NONE:
            key = leaf_key(t, POSITION) if keyed else np.uint64(0)
            child = child_of(t, number, key)
            if child == NONE:
                child = add_node(t, spread, network, node, number, key, root, evaluated, mix(s.chance))
                if child == NONE:
                    break
        node = child
    # A network judges the position after the action itself, so it needs no playout.
    if not paid and network is None:
        play_turns(s, rng, turns)
    if network is not None and not s.ended:
        write_expected_results(s, network, t.values, POSITION)
    else:
        for p in range(t.values.shape[1]):
            t.values[POSITION, p] = value_for(spread, network, s, root, p)
    if network is not None:
        note(spread, t.values[POSITION, root.to_move])
    back_up(t, POSITION, t.roots[0].node, node, number, 0.0)


@rule
def mcts_loop(
    states, t, spread, network, simulations, exploration, turns, keyed, new_tree, thorough, streams, done, most, out
):
    """Write the action of the search in every game into out (n,), -1 where the game is over.

    The search takes `simulations` simulations in each game. The loop returns after `most` simulations, and the next
    call continues: `done` is the number of simulations so far in all games, counting those of games without a search.

    With `new_tree` each position becomes the root of an empty tree; otherwise the search continues in the present tree.
    A single legal action is chosen without a search, unless the search is `thorough`.

    Returns:
        The new value of `done`.
    """
    while done < len(states) * simulations:
        i = done // simulations
        first = done - i * simulations
        s = states[i]
        out[i] = -1
        number = simulations - first
        if s.to_move >= 0:
            rng = mix(streams[i])
            if new_tree and first == 0:
                begin_tree(s, t, spread, network, turns > 0, rng)
            root = t.roots[0].node
            if thorough or t.nodes[root].num_edges > 1:
                number = min(number, most)
                most -= number
                for k in range(first, first + number):
                    simulate(s, t, spread, network, exploration, turns, keyed, stream(rng, k))
            out[i] = t.edges[most_visited(t, root)].action
        done += number
        if most == 0:
            break
    return done


@rule
def line_loop(t, line):
    """Write the edges of the principal variation, from the root on, into `line`; return their number."""
    node = np.int64(t.roots[0].node)
    for k in range(len(line)):
        if node == NONE:
            return k
        line[k] = most_visited(t, node)
        if t.edges[line[k]].visits == 0:
            return k
        node = np.int64(t.edges[line[k]].child)
    return len(line)


@rule
def find_root_loop(t, words):
    """Make the most visited node of the position in `words` the root; return whether there is one. Nodes need keys."""
    key = key_of(words[0], t.places, t.masks)
    most = np.int64(0)
    for node in range(t.roots[0].next_node):
        if t.nodes[node].key == key and t.nodes[node].visits > most:
            t.roots[0].node = node
            most = np.int64(t.nodes[node].visits)
    return most > 0


class Mcts:
    """UCT over one game, with its tree.

    Args:
        game: The game.
        budget: The limit for each decision.
        memory: Bytes for the tree.
        exploration: Weight of the width of upper confidence bounds; None for EXPLORATION or, with a network, RELATIVE.
        turns: Length of a playout in turns; 0 for playouts to the end.
        keep: Whether to search on in the same tree if the position is in it, when called with a single game.
        network: A network that evaluates positions, in place of playouts and leads.
    """

    def __init__(
        self,
        game: Engine,
        budget: Budget,
        memory: int,
        exploration: float | None,
        turns: int,
        keep: bool,
        network: ValueNetwork | None = None,
    ) -> None:
        self._game, self._budget, self._keep = game, budget, keep
        if exploration is None:
            exploration = EXPLORATION if network is None else RELATIVE
        self._settings = float(exploration), turns, keep or game.has_chance
        # The number of simulations in a given time is not known in advance.
        simulations = MOST_SIMULATIONS if budget.timed else budget.number * (_DECISIONS_KEPT if keep else 1)
        self._tree = tree_for(game, 1, TRIAL + 1, simulations, memory, UCT_EDGE)
        self._spread = record_array(1, SPREAD)
        self._network = None if network is None else network.weights_for(game)

    def act(self, view: States, streams: Streams) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game of `view` is over."""
        if self._budget.timed or self._keep:
            return one_by_one(view, streams, self._search_one)
        return self._search(view, streams, new_tree=True)

    def analyse(self, view: States, streams: Streams) -> Analysis:
        """Analyse the single game of `view`, which must not be over."""
        action, t = self._search_one(view, streams, thorough=True), self._tree
        node = t.nodes[t.roots["node"][0]]
        edges = t.edges[node["first_edge"] :][: node["num_edges"]]
        tried = edges[edges["visits"] > 0]
        means = tried["value_sum"] / (tried["visits"] + (self._settings[1] > 0))
        values = dict(zip(tried["action"].tolist(), means.tolist(), strict=True))
        numbers = np.zeros(1 if self._game.has_chance else LONGEST_LINE, np.int64)
        line = t.edges["action"][numbers[: self._game.bind(line_loop)(t, numbers)]].tolist()
        return Analysis(action, values[action], values, line, int(edges["visits"].sum()), len(line))

    def _search_one(self, view: States, streams: Streams, thorough: bool = False) -> int:
        root = self._tree.roots[0]
        has_room = root["last_node"] - root["next_node"] > (0 if self._budget.timed else self._budget.number)
        find_root = self._game.bind(find_root_loop)
        known = self._keep and has_room and bool(find_root(self._tree, words_of(self._game, view)))
        return int(self._search(view, streams, not known, thorough)[0])

    def _search(self, view: States, streams: Streams, new_tree: bool, thorough: bool = False) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game is over."""
        simulations = MOST_SIMULATIONS if self._budget.timed else self._budget.number
        every, done, out = len(view) * simulations, 0, np.empty(len(view), np.int64)
        loop, tree = self._game.bind(mcts_loop), (self._tree, self._spread, self._network)

        def search_on(done: int, most: int) -> int:
            return int(loop(view, *tree, simulations, *self._settings, new_tree, thorough, streams, done, most, out))

        if self._budget.timed:
            search_on(every, 0)  # Compile before the clock runs.
        pace = self._budget.pace("simulations", every, _FIRST_SLICE)
        while (done := search_on(done, pace.size)) < every:
            if not pace.pause(pace.size):
                break
        return out
