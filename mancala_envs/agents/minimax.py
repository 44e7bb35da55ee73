"""Alpha-beta search over any game: iterative deepening, a transposition table, moves ordered by hash move and history.

The depth counts turns, including the one at the root. A search never stops inside a turn, however many decisions the
turn has. If a turn branches too much, only its first decisions are searched in full; of each further decision the
search tries only the action with the highest lead. As long as the number of such narrowed decisions exceeds the number
of leaves times the depth, the next iteration searches one more decision of each turn in full instead of one more turn,
because a search that misses most replies gains nothing from depth. The result is that of the last iteration completed
within `most_positions`, so in turns that branch very much the search does not reach the requested depth.

Values are static evaluations for the player at the root (`common.evaluation`), and all other players minimise them
(paranoid search). In games with more than two sides, each side can maximise its own value instead (max^n). Max^n does
not prune, because a bound for one side says too little about the others. In games with chance, each action is searched
with several draws and its values are added up, and every iteration is one turn deeper.
Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning" (1975), fail-soft as J. Fishburn (1983); J. Schaeffer,
"The history heuristic" (1983); A. Reinefeld, "An improvement to the Scout tree search algorithm" (1983), for null
windows; N. Sturtevant, R. Korf, "On pruning techniques for multi-player games" (2000), for paranoid search; C.
Luckhardt, K. Irani, "An algorithmic solution of n-person games" (1986), max^n.
"""

from math import nan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import (
    EIGHTHS,
    LONGEST_LINE,
    WON,
    Analysis,
    Budget,
    Streams,
    fields,
    final_lead,
    key_of,
    key_words,
    lead,
    list_actions,
    one_by_one,
    record_array,
    same_turn,
    words_of,
)
from mancala_envs.agents.inference import horizon_value
from mancala_envs.agents.network import ValueNetwork
from mancala_envs.core.arguments import States
from mancala_envs.core.chance import advance, below, mix, stream
from mancala_envs.core.contract import hide, side
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import copy_game, move
from mancala_envs.core.result import sides
from mancala_envs.core.rule import rule

OTHERS = PARANOID, MAX_N = "paranoid", "maxn"
"""Models of the other players: all minimise the searching player's lead, or each maximises their own."""

INFINITY = 1 << 60
"""A number greater than every value."""

MOST_TURNS = 1000
"""The maximum depth."""

UNSEARCHED = -INFINITY
"""The value of a root action that no search has reached."""

_LEAST_BITS = 10
"""Base-2 logarithm of the number of entries of the smallest transposition table."""

_ENTRIES_PER_POSITION = 4
"""Entries of the transposition table in use per position searched. Fewer are overwritten too often; more cost too many
cache misses."""

_MOVES_PER_PLY = 24
"""Average number of actions per ply for which the search stack has memory."""

_ENTRIES_PER_MS = 2048
"""Entries of the transposition table with which a thorough search begins, for each millisecond of its time limit."""

_FIRST_SLICE = 4096
"""Positions that are searched before the first pause."""

_MOVED_AT_ONCE = 1 << 14
"""Entries of the transposition table that are moved before a pause."""

_ROOT_TURN, _LATER_TURN = 50_000, 500
"""Positions that a search in full may visit for the turn at the root, and on average for each later turn. Beyond this
limit turns are narrowed."""
_FULL_DECISIONS = 3
"""Decisions of each turn that are searched in full when turns are first narrowed."""
_ALL_DECISIONS = 1 << 20
"""A number greater than the decisions of any turn."""

_DECISION, _PER_TURN = 1_000_000, 10
"""The limit of positions for a decision is _DECISION, or _PER_TURN to the power of the depth if that is more."""

_NO_VALUES = np.empty(0, np.int64)

LOWER, EXACT, UPPER = range(3)
"""Kinds of values in the transposition table: a lower bound, an exact value, or an upper bound."""

ENTRY = np.dtype([("key", "u8"), ("value", "i8"), ("effort", "i8"), ("hash_move", "i4"), ("bound", "i4")])
"""An entry of the transposition table: the position's hash key, its value, the `effort` of the search that found it,
the best action, and whether the value is exact or a bound."""

NODE = np.dtype(
    [
        ("key", "u8"),
        *fields("i8", "entry hash_move depth alpha beta first_alpha first_beta value best_action action"),
        *fields("i8", "next_move end_move decision"),
    ]
)
"""A node on the search stack: the position's hash key, the index of its entry in the transposition table and the hash
move found there; the remaining depth; the present and the initial window; the best value so far and its action; the
action being searched; the range of `moves` left to search; the number of earlier decisions in this turn."""

COUNTERS = np.dtype(
    fields("i8", "search positions limit pause_at is_paused is_full at_horizon narrowed full_decisions")
    + fields("i8", "depth tt_entries")
)
"""The number of the search, which is part of all keys, so that no result depends on earlier searches; positions
visited, the limit at which to stop, and at how many to pause; whether the search has paused, and whether it did because
the stack is too small; how many leaves of this iteration lie at the horizon, and how many of its decisions were
narrowed; how many decisions of a turn are searched in full; the depth of the last iteration that was completed; how
many entries of the transposition table are in use, a power of two."""

PROGRESS = np.dtype(
    [
        ("rng", "u8"),
        *fields("i8", "begun searched limit"),
        *fields("i8", "enough turns iterations number place draw alpha beta total best best_place"),
        *fields("i8", "is_open ply moved"),
    ]
)
"""The state in which a paused search continues. Of the search: its generator; the numbers of positions visited before
it and up to the present iteration, and the number at which it ends. Of the iteration: the number of positions at which
it ends, its depth, the number of iterations left, the number of root actions, the index of the present one with its
draw, window and sum of values, the best value so far and the index of its action. Whether the root is open, the ply
reached, and the number of entries moved in the growing table."""


class SearchMemory(NamedTuple):
    """All arrays of a search.

    Attributes:
        positions: (F,) records of the game, the positions on the search stack.
        words: (F, W) uint64, the memory of `positions`.
        places: (K,) and `masks` (K,), see `key_of`.
        stack: (F,) NODE records, the search stack; the root is at ply 0.
        moves: (M,) int64, the actions of all nodes on the stack, node by node.
        legal: (W,) uint64, scratch memory for `list_actions`.
        history: (2, A) int64, the history heuristic: weighted counts of cutoffs by each action, for the other sides and
            for the searching player's side.
        tt: (E,) ENTRY records, the transposition table; E is a power of two.
        counters: (1,) COUNTERS.
        progress: (1,) PROGRESS.
        root_actions: (A,) int64, the actions at the root.
        root_values: (A,) int64, their values in the last complete iteration, initially UNSEARCHED.
        new_values: (A,) int64, their values in the present iteration.
    """

    positions: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    stack: npt.NDArray[np.void]
    moves: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    history: npt.NDArray[np.int64]
    tt: npt.NDArray[np.void]
    counters: npt.NDArray[np.void]
    progress: npt.NDArray[np.void]
    root_actions: npt.NDArray[np.int64]
    root_values: npt.NDArray[np.int64]
    new_values: npt.NDArray[np.int64]


class Leads(NamedTuple):
    """The values of all players, which max^n needs.

    Args:
        best: (F, P) int64, the values of the best action so far of each node on the stack, shifted by one ply.
        tt: (E, P) int64, the values of the entries of the transposition table.
    """

    best: npt.NDArray[np.int64]
    tt: npt.NDArray[np.int64]


def memory_for(game: Engine, depth: int, memory: int, plies: int = 64) -> SearchMemory:
    """Make the arrays of a search.

    Args:
        game: The game to search.
        depth: The depth in turns. Each turn allows four times as many entries of the transposition table.
        memory: Maximum bytes of the transposition table.
        plies: The size of the search stack.
    """
    positions = np.zeros(plies, game.dtype)
    places, masks = key_words(game)
    entries = 1 << min(_LEAST_BITS + 2 * depth, max(_LEAST_BITS, (memory // ENTRY.itemsize).bit_length() - 1))
    return SearchMemory(
        positions=game.records(positions),
        words=words_of(game, positions),
        places=places,
        masks=masks,
        stack=record_array(plies, NODE),
        moves=np.zeros(_MOVES_PER_PLY * plies + game.num_actions, np.int64),
        legal=np.zeros(-(-game.num_actions // 64), np.uint64),
        history=np.zeros((2, game.num_actions), np.int64),
        tt=record_array(entries, ENTRY),
        counters=record_array(1, COUNTERS),
        progress=record_array(1, PROGRESS),
        root_actions=np.zeros(game.num_actions, np.int64),
        root_values=np.zeros(game.num_actions, np.int64),
        new_values=np.zeros(game.num_actions, np.int64),
    )


@rule
def tt_index(m, key):
    """Return the index of the entry for a hash key in the transposition table."""
    return np.int64(key & np.uint64(m.counters[0].tt_entries - 1))


@rule
def grow_table(m, leads):
    """Enlarge the part of the transposition table in use for the next iteration, and move entries to their new places.

    The search may pause here.
    """
    needed = min(_ENTRIES_PER_POSITION * m.progress[0].searched, len(m.tt))
    while m.counters[0].tt_entries < needed:
        used = m.counters[0].tt_entries
        end = min(used, m.progress[0].moved + _MOVED_AT_ONCE)
        for k in range(m.progress[0].moved, end):
            if m.tt[k].key & np.uint64(used):
                m.tt[used + k] = m.tt[k]
                if leads is not None:
                    copy_row(leads.tt, k, leads.tt, used + k)
        m.progress[0].moved = end
        if end < used:
            m.counters[0].is_paused = 1
            return
        m.progress[0].moved = 0
        m.counters[0].tt_entries = 2 * used


@rule
def open_node(m, ply, depth, alpha, beta, mine, salt):
    """Open the node of positions[ply].

    Return whether it must be searched; otherwise stack[ply].value is its value. `mine` says whether the side of the
    player at the root is to move.
    """
    node = m.stack[ply]
    key = mix(key_of(m.words[ply], m.places, m.masks) ^ salt)
    node.key = key
    node.entry = tt_index(m, key)
    node.hash_move = -1
    entry = m.tt[node.entry]
    if entry.key == key:
        node.hash_move = entry.hash_move
        # The entry must come from a search of the same depth that narrowed no more.
        if effort(depth, m.counters[0].full_decisions) <= entry.effort < effort(depth + 1, 0):
            node.value = value = entry.value
            bound = entry.bound
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                return False
    first = m.stack[ply - 1].end_move
    end = list_actions(m.positions[ply], m.moves, first, m.legal)
    if node.decision >= m.counters[0].full_decisions and end > first + 1:
        m.counters[0].narrowed += 1
        m.moves[first] = leading_action(m, ply, first, end)
        end = first + 1
    node.next_move = first
    node.end_move = end
    node.depth = depth
    node.alpha = node.first_alpha = alpha
    node.beta = node.first_beta = beta
    node.value = -INFINITY if mine else INFINITY
    return True


@rule
def effort(depth, full_decisions):
    """Return a number that orders searches by depth, and then by the decisions of a turn that they search in full."""
    return depth * (_ALL_DECISIONS + 1) + full_decisions


@rule
def leading_action(m, ply, first, end):
    """Return the action of moves[first:end] that gives the player to move the highest lead."""
    s = m.positions[ply]
    best = m.moves[first]
    most = -INFINITY
    for k in range(first, end):
        if is_stopped(m):
            break
        copy_game(s, m.positions, ply + 1)
        n = m.positions[ply + 1]
        m.counters[0].positions += 1
        ahead = final_lead(n, s.to_move) if move(n, m.moves[k]) else lead(n, s.to_move)
        if ahead > most:
            most = ahead
            best = m.moves[k]
    return best


@rule
def choose_move(m, ply, mine):
    """Choose the next action to search: the hash move first, then the action with the highest history."""
    node = m.stack[ply]
    place = node.next_move
    most = np.int64(-1)
    for k in range(node.next_move, node.end_move):
        action = m.moves[k]
        cuts = INFINITY if action == node.hash_move else m.history[mine, action]
        if cuts > most:
            most = cuts
            place = k
    node.action = m.moves[place]
    m.moves[place] = m.moves[node.next_move]
    node.next_move += 1


@rule
def make_move(m, network, ply, me, salt):
    """Play the chosen action of positions[ply].

    Returns:
        Whether the position after the action must be searched, and the value of the action if not.
    """
    node = m.stack[ply]
    s = m.positions[ply]
    copy_game(s, m.positions, ply + 1)
    n = m.positions[ply + 1]
    m.counters[0].positions += 1
    if move(n, node.action):
        return False, EIGHTHS * final_lead(n, me)
    goes_on = same_turn(n, s)
    depth = node.depth if goes_on else node.depth - 1
    if depth == 0:
        m.counters[0].at_horizon += 1
        return False, horizon_value(n, me, network)
    m.stack[ply + 1].decision = node.decision + 1 if goes_on else 0
    opened = open_node(m, ply + 1, depth, node.alpha, node.beta, side(n, n.to_move) == side(n, me), salt)
    return opened, m.stack[ply + 1].value


@rule
def update(m, ply, value, mine):
    """Update a node with the value of the action just searched; return whether it has another action to search."""
    node = m.stack[ply]
    if value > node.value if mine else value < node.value:
        node.value = value
        node.best_action = node.action
    if mine:
        node.alpha = max(node.alpha, value)
    else:
        node.beta = min(node.beta, value)
    if node.alpha >= node.beta:
        m.history[np.int64(mine), node.action] += node.depth * node.depth
        return False
    return node.next_move < node.end_move


@rule
def close_node(m, ply):
    """Write the value of positions[ply] into the transposition table and return it."""
    node = m.stack[ply]
    value = node.value
    entry = m.tt[node.entry]
    entry.key = node.key
    entry.value = value
    entry.bound = UPPER if value <= node.first_alpha else LOWER if value >= node.first_beta else EXACT
    entry.effort = effort(node.depth, m.counters[0].full_decisions)
    entry.hash_move = node.best_action
    return value


@rule
def is_stopped(m):
    """Return whether the limit of positions is reached; later values are not valid."""
    return m.counters[0].positions >= m.counters[0].limit


@rule
def must_pause(m, ply):
    """Return whether to pause before an action of positions[ply]: a pause is due, or the stack is too small."""
    return m.counters[0].positions >= m.counters[0].pause_at or is_full(m, ply)


@rule
def is_full(m, ply):
    """Return whether the stack is too small for the node after positions[ply]."""
    return ply + 2 >= len(m.positions) or m.stack[ply].end_move + len(m.root_actions) > len(m.moves)


@rule
def pause(m, ply):
    """Pause before the chosen action of positions[ply]."""
    m.counters[0].is_paused = 1
    m.counters[0].is_full = is_full(m, ply)
    m.progress[0].ply = ply


@rule
def open_root(s, m, action, depth, alpha, beta, draw):
    """Open the root, a copy of `s`, for a search of `action` to `depth` turns with the window (alpha, beta).

    The copy has its own random generator and no information that is hidden from the player to move.
    """
    p = m.progress[0]
    copy_game(s, m.positions, 0)
    m.positions[0].chance = stream(p.rng, draw)
    hide(m.positions[0], s.to_move)
    root = m.stack[0]
    root.depth = depth
    root.alpha = alpha
    root.beta = beta
    root.action = action
    root.end_move = 0
    root.decision = 0
    p.is_open = 1
    p.ply = 0


@rule
def alpha_beta(m, network, me, salt):
    """Return the value for player `me` of the action at the open root; the search may pause.

    A value of at most the root's alpha may be an upper bound, and one of at least its beta a lower bound.
    """
    my_side = side(m.positions[0], me)
    ply = np.int64(m.progress[0].ply)
    while True:
        if must_pause(m, ply):
            pause(m, ply)
            return np.int64(0)
        opened, value = make_move(m, network, ply, me, salt)
        if is_stopped(m):
            return value
        if opened:
            ply += 1
        else:
            while ply > 0 and not update(m, ply, value, side_to_move(m, ply) == my_side):
                value = close_node(m, ply)
                ply -= 1
            if ply == 0:
                return value
        choose_move(m, ply, np.int64(side_to_move(m, ply) == my_side))


@rule
def max_n(m, leads, network, me, salt):
    """Do the same as `alpha_beta` by max^n, without a window; the value is exact."""
    ply = np.int64(m.progress[0].ply)
    while True:
        if must_pause(m, ply):
            pause(m, ply)
            return np.int64(0)
        opened = make_move_max_n(m, leads, network, ply, salt)
        if is_stopped(m):
            return leads.best[1, me]
        if opened:
            ply += 1
        else:
            while ply > 0 and not update_max_n(m, leads, ply):
                copy_row(leads.best, ply, leads.tt, m.stack[ply].entry)
                close_node(m, ply)
                ply -= 1
            if ply == 0:
                return leads.best[1, me]
        # The order is fixed, because a player's choice between equal actions matters to the other players.
        node = m.stack[ply]
        node.action = m.moves[node.next_move]
        node.next_move += 1


@rule
def make_move_max_n(m, leads, network, ply, salt):
    """Play the chosen action; return whether to search the next position, or put its values in leads.best[ply + 1]."""
    node = m.stack[ply]
    s = m.positions[ply]
    copy_game(s, m.positions, ply + 1)
    n = m.positions[ply + 1]
    m.counters[0].positions += 1
    paid = move(n, node.action)
    goes_on = same_turn(n, s)
    depth = node.depth if goes_on else node.depth - 1
    if paid or depth == 0:
        m.counters[0].at_horizon += not paid
        for p in range(leads.best.shape[1]):
            leads.best[ply + 1, p] = EIGHTHS * final_lead(n, p) if paid else horizon_value(n, p, network)
        return False
    m.stack[ply + 1].decision = node.decision + 1 if goes_on else 0
    if open_node(m, ply + 1, depth, -INFINITY, INFINITY, True, salt):
        return True
    copy_row(leads.tt, m.stack[ply + 1].entry, leads.best, ply + 1)
    return False


@rule
def update_max_n(m, leads, ply):
    """Update a node as `update` does, with the values leads.best[ply + 1]; of equal actions the first is the best."""
    value = leads.best[ply + 1, m.positions[ply].to_move]
    if value > m.stack[ply].value:
        copy_row(leads.best, ply + 1, leads.best, ply)
    return update(m, ply, value, True)


@rule
def copy_row(source, from_row, target, to_row):
    """Copy one row of numbers without creating an array."""
    for p in range(target.shape[1]):
        target[to_row, p] = source[from_row, p]


@rule
def side_to_move(m, ply):
    """Return the side to move in positions[ply]."""
    s = m.positions[ply]
    return side(s, s.to_move)


@rule
def begin_search(s, m, depth, most, draws, entries, rng):
    """Begin a search from `s`, to `depth` turns or a limit of `most` positions; `deepen` continues it.

    It begins with `entries` entries of the transposition table in use, a power of two.
    """
    c = m.counters[0]
    p = m.progress[0]
    p.number = list_actions(s, m.root_actions, 0, m.legal)
    for k in range(p.number):
        rng = advance(rng)
        other = k + below(rng, p.number - k)
        action = m.root_actions[other]
        m.root_actions[other] = m.root_actions[k]
        m.root_actions[k] = action
        m.root_values[k] = UNSEARCHED
    m.history[:] = 0
    c.search += 1
    c.depth = 0
    c.full_decisions = _ALL_DECISIONS
    c.tt_entries = entries
    p.rng = rng
    p.begun = c.positions
    p.limit = p.begun + most
    p.moved = 0
    p.iterations = depth
    begin_iteration(m, 1, draws)


@rule
def begin_iteration(m, turns, draws):
    """Begin an iteration of `turns` turns."""
    c = m.counters[0]
    p = m.progress[0]
    p.turns = turns
    p.searched = c.positions - p.begun
    p.enough = p.limit
    if c.full_decisions == _ALL_DECISIONS:
        of_turn = draws * _ROOT_TURN if turns == 1 else c.at_horizon * _LATER_TURN
        p.enough = min(p.limit, c.positions + of_turn)
    c.limit = p.enough
    c.at_horizon = 0
    c.narrowed = 0
    p.place = 0
    p.best = -INFINITY
    p.best_place = 0
    begin_action(m, -INFINITY, INFINITY)


@rule
def begin_action(m, alpha, beta):
    """Begin the search of a root action with the window (alpha, beta)."""
    p = m.progress[0]
    p.draw = 0
    p.total = 0
    p.alpha = alpha
    p.beta = beta
    p.is_open = 0


@rule
def deepen(s, m, leads, network, draws, thorough):
    """Continue the iterative deepening that `begin_search` began, to the next pause or to its end.

    Some iterations search more decisions in full instead of one more turn. `leads` is None except for max^n. Each
    action is searched with `draws` draws of chance; random numbers decide between equal actions. Afterwards
    `root_actions` has the actions, and `root_values` the sums of their values over the draws in the last complete
    iteration. Except for the best action these may be upper bounds, unless the search is `thorough`.
    """
    c = m.counters[0]
    p = m.progress[0]
    while True:
        grow_table(m, leads)
        if not c.is_paused:
            search_root(s, m, leads, network, draws, thorough)
        if c.is_paused:
            return
        turns = np.int64(p.turns)
        c.limit = p.limit
        if is_stopped(m):
            return
        if c.positions >= p.enough:
            c.full_decisions = _FULL_DECISIONS
            begin_iteration(m, turns, draws)
            continue
        c.depth = turns
        # More depth changes nothing if the game is won or lost, or if every variation reaches its end.
        decided = abs(p.best) >= EIGHTHS * draws * (WON // 2) or c.at_horizon == 0
        p.iterations -= 1
        if (decided and c.narrowed == 0) or p.iterations == 0:
            return
        # The first reply is always searched. With several draws, searching more decisions in full gained nothing.
        if draws == 1 and turns > 1 and c.narrowed > turns * c.at_horizon:
            c.full_decisions += 1
        else:
            turns += 1
        begin_iteration(m, turns, draws)


@rule
def search_root(s, m, leads, network, draws, thorough):
    """Run an iteration of `deepen` over the root actions; it may pause, or stop before it is complete."""
    c = m.counters[0]
    p = m.progress[0]
    values = m.root_values if p.turns == 1 else m.new_values
    while p.place < p.number:
        if not p.is_open:
            open_root(s, m, m.root_actions[p.place], p.turns, p.alpha, p.beta, p.draw)
        salt = salt_of(m, p.draw)
        if leads is not None:
            value = np.int64(max_n(m, leads, network, s.to_move, salt))
        else:
            value = np.int64(alpha_beta(m, network, s.to_move, salt))
        if c.is_paused or is_stopped(m):
            return
        p.is_open = 0
        if value > p.best and p.beta < INFINITY:
            # The null window showed that the action is better than the best so far, but not by how much.
            p.alpha = value - 1
            p.beta = INFINITY
            continue
        p.total += value
        p.draw += 1
        if p.draw < draws:
            continue
        values[p.place] = p.total
        if p.total > p.best:
            p.best = p.total
            p.best_place = p.place
        p.place += 1
        if thorough or draws > 1 or leads is not None:
            begin_action(m, -INFINITY, INFINITY)
        else:
            # A null window shows whether the action is better than the best so far; most are not.
            begin_action(m, p.best, p.best + 1)
    for k in range(p.number):
        m.root_values[k] = values[k]
    move_to_front(m.root_actions, p.best_place)
    move_to_front(m.root_values, p.best_place)
    p.best_place = 0


@rule
def best_action(m, thorough):
    """Return the best action of the last iteration; if the limit ended it early, the best one that it has searched.

    An iteration begins with the best action of the one before it, so what it has searched is enough to choose by. A
    `thorough` search chooses by the last complete iteration, whose values it reports.
    """
    p = m.progress[0]
    return m.root_actions[0 if thorough and p.turns > 1 else p.best_place]


@rule
def salt_of(m, draw):
    """Return a number that makes the hash keys of this search and draw differ from all others."""
    return stream(np.uint64(m.counters[0].search), draw)


@rule
def move_to_front(row, place):
    """Move row[place] to the front, and keep the order of the others."""
    first = row[place]
    for k in range(place, 0, -1):
        row[k] = row[k - 1]
    row[0] = first


@rule
def minimax_loop(
    states, m, leads, network, depth, most, draws, entries, thorough, streams, first, positions, out, values
):
    """Write the action of the search in every game from `first` on into out (n,), -1 where the game is over.

    If `values` (n,) int64 has rows, the values of the positions are written there, see `Minimax.act_with_values`.

    The search pauses after `positions` positions, or if the stack is too small, and the next call continues. A single
    legal action is chosen without a search, unless the search is `thorough`.

    Returns:
        The game in which the search paused, n if it did not.
    """
    c = m.counters[0]
    c.pause_at = c.positions + positions
    for i in range(first, len(states)):
        s = states[i]
        if not c.is_paused:
            out[i] = -1
            if len(values):
                values[i] = UNSEARCHED
            if s.to_move < 0:
                continue
            if list_actions(s, m.root_actions, 0, m.legal) == 1 and not thorough:
                out[i] = m.root_actions[0]
                continue
            begin_search(s, m, depth, most, draws, entries, mix(streams[i]))
        c.is_paused = 0
        deepen(s, m, leads, network, draws, thorough)
        out[i] = best_action(m, thorough)
        if len(values) and c.depth > 0:
            values[i] = m.root_values[0]
        if c.is_paused:
            return i
    return len(states)


@rule
def hash_move_loop(m, words):
    """Return the hash move that the last search stored for a position (1, W) uint64; -1 if there is none."""
    key = mix(key_of(words[0], m.places, m.masks) ^ salt_of(m, 0))
    entry = m.tt[tt_index(m, key)]
    return np.int64(entry.hash_move) if entry.key == key else np.int64(-1)


def with_more_plies(game: Engine, m: SearchMemory) -> SearchMemory:
    """Return the same memory with a search stack of twice the size."""
    positions: States = np.zeros(2 * len(m.positions), game.dtype)
    m.counters["is_full"] = 0
    larger = m._replace(
        positions=game.records(positions),
        words=words_of(game, positions),
        stack=record_array(len(positions), NODE),
        moves=np.concatenate([m.moves, np.zeros_like(m.moves)]),
    )
    larger.words[: len(m.words)] = m.words
    larger.stack[: len(m.stack)] = m.stack
    return larger


def most_positions(turns: int, draws: int) -> int:
    """Return how many positions a search of `turns` turns may visit for one decision.

    It is at least twice the limit for the turn at the root, so that a search in full that exceeds this limit can be
    repeated with narrowed decisions.
    """
    return int(min(max(_DECISION, 2 * draws * _ROOT_TURN, _PER_TURN**turns), INFINITY))


class Minimax:
    """Alpha-beta search of one game, with its memory.

    Args:
        game: The game to search.
        budget: The limit per decision.
        memory: Bytes for the transposition table.
        draws: The number of draws of chance with which each action is searched.
        others: The model of the other players, one of OTHERS.
        network: A network that corrects the static evaluation.
    """

    def __init__(
        self, game: Engine, budget: Budget, memory: int, draws: int, others: str, network: ValueNetwork | None = None
    ) -> None:
        self._game, self._budget = game, budget
        self._network = None if network is None else network.weights_for(game)
        self._turns = MOST_TURNS if budget.timed or budget.visits else budget.number
        self._draws = draws if game.has_chance else 1
        # With two sides the game is zero-sum, and max^n would play the same.
        self._is_max_n = others == MAX_N and len(set(sides(game)[: game.num_deciding])) > 2
        if self._is_max_n:
            memory = memory * ENTRY.itemsize // (ENTRY.itemsize + 8 * game.num_players)
        self._most = budget.number if budget.visits else most_positions(self._turns, self._draws)
        self._memory = memory_for(game, self._turns, memory)
        rows = (np.zeros((len(part), game.num_players), np.int64) for part in (self._memory.stack, self._memory.tt))
        self._leads = Leads(*rows) if self._is_max_n else None

    def act(self, view: States, streams: Streams) -> npt.NDArray[np.int64]:
        """Return the chosen action (n,) int64 of each game of `view`, -1 for games that are over."""
        if not self._budget.timed:
            return self._search(view, streams)
        return one_by_one(view, streams, lambda game, stream: int(self._search(game, stream)[0]))

    def analyse(self, view: States, streams: Streams) -> Analysis:
        """Return the analysis of the one game of `view`, which must not be over."""
        self._memory.counters["positions"] = 0
        action = int(self._search(view, streams, thorough=True)[0])
        number = int(self._game.legal(np.asarray(view).view(self._game.dtype)).sum())
        m = self._memory
        found = zip(m.root_actions[:number].tolist(), m.root_values[:number].tolist(), strict=True)
        values = {tried: value / (EIGHTHS * self._draws) for tried, value in found if value != UNSEARCHED}
        positions, depth = self._count("positions"), self._count("depth")
        return Analysis(action, values.get(action, nan), values, self._line(view, action), positions, depth)

    @property
    def visited(self) -> int:
        """Number of positions visited since the last analysis."""
        return self._count("positions")

    def _count(self, counter: str) -> int:
        return int(self._memory.counters[counter][0])

    def act_with_values(self, view: States, streams: Streams) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return what `act` does without a time limit, and the values (n,) int64 of the positions in EIGHTHS.

        A value is that of the best action of the last complete iteration, summed over the draws. It is UNSEARCHED where
        the game is over, the action was the only one, or no iteration was completed.
        """
        values = np.empty(len(view), np.int64)
        return self._search(view, streams, values=values), values

    def _search(
        self, view: States, streams: Streams, thorough: bool = False, values: npt.NDArray[np.int64] = _NO_VALUES
    ) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64."""
        entries = min(self._first_entries(thorough), len(self._memory.tt))
        settings = self._network, self._turns, self._most, self._draws, entries, thorough, streams
        loop, out = self._game.bind(minimax_loop), np.empty(len(view), np.int64)

        def search_on(first: int, positions: int) -> int:
            return int(loop(view, self._memory, self._leads, *settings, first, positions, out, values))

        self._memory.counters["is_paused"] = 0
        if self._budget.timed:
            search_on(len(view), 0)  # Compile before the clock runs.
        done, before, pace = 0, self._count("positions"), self._budget.pace("positions", 0, _FIRST_SLICE)
        while (done := search_on(done, pace.size)) < len(view):
            if self._count("is_full"):
                self._enlarge()
            if not pace.pause(self._count("positions") - before - pace.done):
                break
        return out

    def _first_entries(self, thorough: bool) -> int:
        """Return the number of entries of the transposition table that a search uses at first.

        A thorough search reports its principal variation, which a small table would overwrite. Under a time limit the
        table is smaller, because the system takes up to a tenth of a second to provide the memory of a large one.
        """
        if not thorough:
            return 1 << _LEAST_BITS
        return 1 << (_ENTRIES_PER_MS * self._budget.number).bit_length() if self._budget.timed else len(self._memory.tt)

    def _enlarge(self) -> None:
        """Enlarge the search stack and keep its contents."""
        self._memory = with_more_plies(self._game, self._memory)
        if self._leads:
            best = self._leads.best
            self._leads = self._leads._replace(best=np.concatenate([best, np.zeros_like(best)]))

    def _line(self, view: States, action: int) -> list[int]:
        """Return the principal variation, as far as it is in the transposition table."""
        line, state = [action], np.asarray(view).view(self._game.dtype).copy()
        hash_move = self._game.bind(hash_move_loop)
        self._game.step(state, [action])
        while not self._game.has_chance and state["to_move"][0] >= 0 and len(line) < LONGEST_LINE:
            best = int(hash_move(self._memory, words_of(self._game, state)))
            if best < 0:
                break
            line.append(best)
            self._game.step(state, [best])
        return line
