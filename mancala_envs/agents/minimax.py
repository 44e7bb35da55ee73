"""Alpha-beta search over any game: iterative deepening, a table of positions, moves ordered by what cut off before.

Depth counts turns, the one at the root included, and nobody stops to look in the middle of a turn, however many
decisions it has. Where a turn can go on in too many ways to look at all, its first decisions are tried in every way,
and each further one is that by which the player leads farthest. As long as more than one decision of a turn is made
so, on average, the next iteration does not look one turn deeper, but tries one decision more of each turn in every way:
who hardly sees what can be answered learns nothing from what might follow. After `most_positions` what was searched to
its end counts: where turns are very wide, fewer of them are seen than were asked for. Values are leads of the player at
the root, in eighths and with what a position promises (see `look_ahead.evaluation`); all others play as one against him
(paranoid search). Among more than two sides each can seek his own lead instead (max^n); nothing is cut off then, for
what one side is sure of says too little of what the others have. Where chance plays, each action is tried with several
draws and the values are added up; then every iteration looks one turn deeper.
Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning" (1975), fail-soft as J. Fishburn (1983); J. Schaeffer,
"The history heuristic" (1983); N. Sturtevant, R. Korf, "On pruning techniques for multi-player games" (2000), for
paranoid search; C. Luckhardt, K. Irani, "An algorithmic solution of n-person games" (1986), max^n.
"""

from math import nan
from time import perf_counter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import (
    EIGHTHS,
    LONGEST_LINE,
    WON,
    Analysis,
    Budget,
    evaluation,
    final_lead,
    key_of,
    key_words,
    lead,
    list_actions,
    one_by_one,
    same_turn,
    words_of,
)
from mancala_envs.agents.tree import BRANCHING
from mancala_envs.core.binding import in_python
from mancala_envs.core.chance import advance, below, mix, stream
from mancala_envs.core.contract import hide, side
from mancala_envs.core.game import Game, States
from mancala_envs.core.kernels import copy_game, move
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

OTHERS = PARANOID, MAX_N = "paranoid", "maxn"
"""What the others are taken to want: that the player who searches falls behind, or each his own lead."""

_BEYOND = 1 << 60
"""Above every lead."""

MOST_TURNS = 1000
"""To look ahead."""

UNTRIED = -_BEYOND
"""The value at the root of an action that no search has come to."""

_LEAST_BITS, _WORD = 10, 8
"""The smallest table has 2^10 entries; bytes of a word."""

_ROOMY = 4
"""Entries of the table that are used for each position searched so far: fewer are forgotten, more are slower to read,
for they lie farther apart in memory."""

_FEW, _MORE = 10_000, 8
"""Positions by which it is seen how many there is time for, and how many times as many are looked at next."""

_FIRST_TURN, _LATER_TURN = 50_000, 500
"""Positions that the turn at the root may have, and a later one on average over the lines of play that lead to it;
where there are more ..."""
_WHOLE = 3
"""... so many of its decisions are tried in every way at first."""
_EVERY = 1 << 20
"""More decisions than any turn has."""

_DECISION, _LINES = 1_000_000, 10
"""Positions that a decision may take, and the lines of play into which each turn may branch, on average, where that
makes more of them."""

LOWER, EXACT, UPPER = range(3)
"""What the value of an entry is: a bound from below, the value itself, or a bound from above."""

DEPTH, ALPHA, BETA, LEAST, MOST, BEST, BEST_ACTION, LIKELIEST, ACTION, NEXT, END, PLACE, MARK, DECISION = range(14)
"""What is known of an open node: turns to search, the window now, the window as it was opened, the best value and its
action, the action that was best before, the one being tried, where in `moves` those not yet tried lie, place and key
of its entry in the table, and how many decisions of its turn came before."""

KEY, VALUE, BOUND, EFFORT, BEST_KNOWN = range(5)
"""An entry of the table: the key of the position, its value and what that is, the `effort` to find it, the best
action."""

NODES, FULL, LIMIT, SEARCH, STOPPED, NARROWED, REACHED, WIDE, USED = range(9)
"""Counters: positions entered; whether there was no room; at how many positions to give up; the number of the search:
entries of another one are not looked at, so that what is found depends on nothing that was searched before; how many
lines of play were left off at the depth of this iteration, and how many of its decisions were not tried in every way;
the depth that was searched to its end; how many decisions of a turn are tried in every way; and how many entries of the
table are used, a power of two."""


class Table(NamedTuple):
    """Room to search in.

    `frames` (F,) records along the line of play that is looked at, `words` the same memory; `places`, `masks`: see
    `key_of`; `nodes` (F, 14) what is known of each; `moves` (M,) their actions, one node's after the other; `legal`
    (W,) the legal actions as bits; `history` (2, A) how often an action cut off, where others decide and one's own
    side; `entries` (E, 5), E a power of two; `counts` (9,); `roots`, `root_values`, `new_values` (A,) the actions at
    the root, their values, UNTRIED at first, and those of a deeper search that is not at its end.
    """

    frames: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    nodes: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    history: npt.NDArray[np.int64]
    entries: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    roots: npt.NDArray[np.int64]
    root_values: npt.NDArray[np.int64]
    new_values: npt.NDArray[np.int64]


class Leads(NamedTuple):
    """What max^n knows besides: the leads of all players, each seeking his own. `best` (F, P) from the positions of
    `frames`, by the best of the actions tried so far; `known` (E, P) from those of `entries`."""

    best: npt.NDArray[np.int64]
    known: npt.NDArray[np.int64]


def table_for(game: Game, depth: int, memory: int, frames: int = 64) -> Table:
    """An empty table of at most `memory` bytes; the deeper the search, the larger: four times for each turn."""
    records = np.zeros(frames, game.dtype)
    places, masks = key_words(game)
    of_entry = (BEST_KNOWN + 1) * _WORD
    entries = 1 << min(_LEAST_BITS + 2 * depth, max(_LEAST_BITS, (memory // of_entry).bit_length() - 1))
    words = -(-game.num_actions // 64)
    return Table(
        frames=game.records(records),
        words=words_of(game, records),
        places=places,
        masks=masks,
        nodes=np.zeros((frames, DECISION + 1), np.int64),
        moves=np.zeros(BRANCHING * frames + game.num_actions, np.int64),
        legal=np.zeros(words, np.uint64),
        history=np.zeros((2, game.num_actions), np.int64),
        entries=np.zeros((entries, BEST_KNOWN + 1), np.int64),
        counts=np.zeros(USED + 1, np.int64),
        roots=np.zeros(game.num_actions, np.int64),
        root_values=np.zeros(game.num_actions, np.int64),
        new_values=np.zeros(game.num_actions, np.int64),
    )


@rule
def place_of(t, key):
    """Where in the table the position with this key is noted."""
    return np.int64(key & np.uint64(t.counts[USED] - 1))


@rule
def use_more(t, leads, searched):
    """Use as much of the table as so many positions need; what is noted moves to where it now belongs."""
    while t.counts[USED] < min(_ROOMY * searched, len(t.entries)):
        used = t.counts[USED]
        for k in range(used):
            if t.entries[k, KEY] & used:
                copy_row(t.entries, k, t.entries, used + k)
                if leads is not None:
                    copy_row(leads.known, k, leads.known, used + k)
        t.counts[USED] = 2 * used


@rule
def open_node(t, ply, depth, alpha, beta, mine, salt):
    """Begin with the position in frames[ply]. Returns whether it must be searched; else its value is nodes[ply, BEST].

    `mine`: whether the player at the root, or one of his side, is to move.
    """
    node = t.nodes[ply]
    key = mix(key_of(t.words[ply], t.places, t.masks) ^ salt)
    node[PLACE] = place_of(t, key)
    node[MARK] = np.int64(key)
    node[LIKELIEST] = -1
    entry = t.entries[node[PLACE]]
    if entry[KEY] == node[MARK]:
        node[LIKELIEST] = entry[BEST_KNOWN]
        # As deep, and no less wide.
        if effort(depth, t.counts[WIDE]) <= entry[EFFORT] < effort(depth + 1, 0):
            node[BEST] = value = entry[VALUE]
            bound = entry[BOUND]
            if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
                return False
    node[NEXT] = t.nodes[ply - 1, END]
    node[END] = list_actions(t.frames[ply], t.moves, node[NEXT], t.legal) if ply + 1 < len(t.frames) else -1
    t.counts[FULL] |= node[END] < 0
    if node[DECISION] >= t.counts[WIDE] and node[END] > node[NEXT] + 1:
        t.counts[NARROWED] += 1
        t.moves[node[NEXT]] = leading_action(t, ply)
        node[END] = node[NEXT] + 1
    node[DEPTH] = depth
    node[ALPHA] = node[LEAST] = alpha
    node[BETA] = node[MOST] = beta
    node[BEST] = -_BEYOND if mine else _BEYOND
    return True


@rule
def effort(depth, wide):
    """Of a search of so many turns with so many decisions of each in every way: one number, the depth above all."""
    return depth * (_EVERY + 1) + wide


@rule
def leading_action(t, ply):
    """The action of an open node by which the player to move leads farthest at once."""
    node = t.nodes[ply]
    s = t.frames[ply]
    best = t.moves[node[NEXT]]
    most = -_BEYOND
    for k in range(node[NEXT], node[END]):
        copy_game(s, t.frames, ply + 1)
        n = t.frames[ply + 1]
        t.counts[NODES] += 1
        ahead = final_lead(n, s.to_move) if move(n, t.moves[k]) else lead(n, s.to_move)
        if ahead > most:
            most = ahead
            best = t.moves[k]
    return best


@rule
def choose_action(t, ply, mine):
    """Take of the actions not yet tried the one that was best before, or that cut off most often."""
    node = t.nodes[ply]
    likeliest = node[NEXT]
    most = np.int64(-1)
    for k in range(node[NEXT], node[END]):
        action = t.moves[k]
        cuts = _BEYOND if action == node[LIKELIEST] else t.history[mine, action]
        if cuts > most:
            most = cuts
            likeliest = k
    node[ACTION] = t.moves[likeliest]
    t.moves[likeliest] = t.moves[node[NEXT]]
    node[NEXT] += 1


@rule
def try_action(t, ply, me, salt):
    """Play the chosen action of frames[ply]. Returns whether the position that it leads to must be searched, and the
    value of the action where not."""
    node = t.nodes[ply]
    s = t.frames[ply]
    copy_game(s, t.frames, ply + 1)
    n = t.frames[ply + 1]
    t.counts[NODES] += 1
    if move(n, node[ACTION]):
        return False, EIGHTHS * final_lead(n, me)
    goes_on = same_turn(n, s)
    depth = node[DEPTH] if goes_on else node[DEPTH] - 1
    if depth == 0:
        t.counts[STOPPED] += 1
        return False, evaluation(n, me)
    t.nodes[ply + 1, DECISION] = node[DECISION] + 1 if goes_on else 0
    opened = open_node(t, ply + 1, depth, node[ALPHA], node[BETA], side(n, n.to_move) == side(n, me), salt)
    return opened, t.nodes[ply + 1, BEST]


@rule
def is_open(t, ply, value, mine):
    """Note the value of the action just tried. Returns whether another one of this node has to be tried."""
    node = t.nodes[ply]
    if value > node[BEST] if mine else value < node[BEST]:
        node[BEST] = value
        node[BEST_ACTION] = node[ACTION]
    if mine:
        node[ALPHA] = max(node[ALPHA], value)
    else:
        node[BETA] = min(node[BETA], value)
    if node[ALPHA] >= node[BETA]:
        t.history[np.int64(mine), node[ACTION]] += node[DEPTH] * node[DEPTH]
        return False
    return node[NEXT] < node[END]


@rule
def close_node(t, ply):
    """Write what was found of the position in frames[ply] into the table; returns its value."""
    node = t.nodes[ply]
    value = node[BEST]
    entry = t.entries[node[PLACE]]
    entry[KEY] = node[MARK]
    entry[VALUE] = value
    entry[BOUND] = UPPER if value <= node[LEAST] else LOWER if value >= node[MOST] else EXACT
    entry[EFFORT] = effort(node[DEPTH], t.counts[WIDE])
    entry[BEST_KNOWN] = node[BEST_ACTION]
    return value


@rule
def given_up(t):
    """Whether there was no room, or all was searched that may be: what was found since counts for nothing."""
    return t.counts[FULL] != 0 or t.counts[NODES] >= t.counts[LIMIT]


@rule
def value_after(t, action, depth, alpha, beta, me, salt):
    """The lead of player `me` after `action` in frames[0], the first of `depth` turns; what is not above `alpha` may be
    a bound from above, what is not below `beta` one from below."""
    root = t.nodes[0]
    root[DEPTH] = depth
    root[ALPHA] = alpha
    root[BETA] = beta
    root[ACTION] = action
    root[END] = 0
    root[DECISION] = 0
    my_side = side(t.frames[0], me)
    ply = 0
    while True:
        opened, value = try_action(t, ply, me, salt)
        if given_up(t):
            return value
        if opened:
            ply += 1
        else:
            while ply > 0 and not is_open(t, ply, value, side_to_move(t, ply) == my_side):
                value = close_node(t, ply)
                ply -= 1
            if ply == 0:
                return value
        choose_action(t, ply, np.int64(side_to_move(t, ply) == my_side))


@rule
def own_lead_after(t, leads, action, depth, me, salt):
    """`value_after` by max^n, which is exact."""
    root = t.nodes[0]
    root[DEPTH] = depth
    root[ACTION] = action
    root[END] = 0
    root[DECISION] = 0
    ply = 0
    while True:
        opened = try_for_all(t, leads, ply, salt)
        if given_up(t):
            return leads.best[1, me]
        if opened:
            ply += 1
        else:
            while ply > 0 and not is_open_for_all(t, leads, ply):
                copy_row(leads.best, ply, leads.known, t.nodes[ply, PLACE])
                close_node(t, ply)
                ply -= 1
            if ply == 0:
                return leads.best[1, me]
        # In their order: which of equal actions is best for a player is no matter to him, but to the others.
        node = t.nodes[ply]
        node[ACTION] = t.moves[node[NEXT]]
        node[NEXT] += 1


@rule
def try_for_all(t, leads, ply, salt):
    """`try_action` by max^n; the leads of all players are best[ply + 1] where nothing must be searched."""
    node = t.nodes[ply]
    s = t.frames[ply]
    copy_game(s, t.frames, ply + 1)
    n = t.frames[ply + 1]
    t.counts[NODES] += 1
    paid = move(n, node[ACTION])
    goes_on = same_turn(n, s)
    depth = node[DEPTH] if goes_on else node[DEPTH] - 1
    if paid or depth == 0:
        t.counts[STOPPED] += not paid
        for p in range(leads.best.shape[1]):
            leads.best[ply + 1, p] = EIGHTHS * final_lead(n, p) if paid else evaluation(n, p)
        return False
    t.nodes[ply + 1, DECISION] = node[DECISION] + 1 if goes_on else 0
    if open_node(t, ply + 1, depth, -_BEYOND, _BEYOND, True, salt):
        return True
    copy_row(leads.known, t.nodes[ply + 1, PLACE], leads.best, ply + 1)
    return False


@rule
def is_open_for_all(t, leads, ply):
    """`is_open` by max^n, after the action that leads to best[ply + 1]; the first of equal ones is the best."""
    value = leads.best[ply + 1, t.frames[ply].to_move]
    if value > t.nodes[ply, BEST]:
        copy_row(leads.best, ply + 1, leads.best, ply)
    return is_open(t, ply, value, True)


@rule
def copy_row(source, from_row, target, to_row):
    """One row of numbers, without an array made for it."""
    for p in range(target.shape[1]):
        target[to_row, p] = source[from_row, p]


@rule
def side_to_move(t, ply):
    """The side whose decision frames[ply] is."""
    s = t.frames[ply]
    return side(s, s.to_move)


@rule
def think(s, t, leads, depth, most, draws, thorough, luck):
    """The best action in `s` by iterative deepening to `depth` turns, or as deep as `most` positions allow, ties at
    random by `luck`; by max^n with `leads`, else they are None. Some of the iterations may widen the search instead.

    `draws`: with how many draws of chance each action is tried. Afterwards `roots` has the actions, the best first, and
    `root_values` what they are worth, added up over the draws; but for the best these may be bounds from above, unless
    the search is `thorough`.
    """
    number = list_actions(s, t.roots, 0, t.legal)
    for k in range(number):
        luck = advance(luck)
        other = k + below(luck, number - k)
        action = t.roots[other]
        t.roots[other] = t.roots[k]
        t.roots[k] = action
        t.root_values[k] = UNTRIED
    t.history[:] = 0
    t.counts[SEARCH] += 1
    t.counts[REACHED] = 0
    t.counts[WIDE] = _EVERY
    # Who asks for more than an action wants to see the whole line of play, which a small table forgets.
    t.counts[USED] = len(t.entries) if thorough else min(1 << _LEAST_BITS, len(t.entries))
    begun = t.counts[NODES]
    allowed = t.counts[LIMIT]
    limit = min(allowed, begun + most)
    best_action = t.roots[0]
    deep = 1
    iterations = depth
    while iterations > 0:
        enough = limit
        if t.counts[WIDE] == _EVERY:
            of_turn = draws * _FIRST_TURN if deep == 1 else t.counts[STOPPED] * _LATER_TURN
            enough = min(limit, t.counts[NODES] + of_turn)
        t.counts[LIMIT] = enough
        use_more(t, leads, t.counts[NODES] - begun)
        best, best_action = look(s, t, leads, deep, number, draws, thorough, luck)
        t.counts[LIMIT] = limit
        if given_up(t):
            break
        if t.counts[NODES] >= enough:
            t.counts[WIDE] = _WHOLE
            continue
        t.counts[REACHED] = deep
        # Nothing more is seen by looking farther where the game is won or lost, or ends on every way.
        decided = abs(best) >= EIGHTHS * draws * (WON // 2) or t.counts[STOPPED] == 0
        if decided and t.counts[NARROWED] == 0:
            break
        iterations -= 1
        # The first answer is looked at in any case. By looking wider at several draws of chance nothing was gained.
        if draws == 1 and deep > 1 and t.counts[NARROWED] > deep * t.counts[STOPPED]:
            t.counts[WIDE] += 1
        else:
            deep += 1
    t.counts[LIMIT] = allowed
    return best_action


@rule
def look(s, t, leads, depth, number, draws, thorough, luck):
    """One iteration of `think`, over the first `number` of `roots`; returns the best value, and the action.

    When it is given up the best of the iteration before it counts, and of the first one the best so far.
    """
    values = t.root_values if depth == 1 else t.new_values
    me = s.to_move
    best = -_BEYOND
    best_place = 0
    t.counts[STOPPED] = 0
    t.counts[NARROWED] = 0
    for k in range(number):
        total = np.int64(0)
        for draw in range(draws):
            copy_game(s, t.frames, 0)
            t.frames[0].chance = stream(luck, draw)
            hide(t.frames[0], me)
            if leads is None:
                salt = salt_of(t, draw)
                if thorough or draws > 1 or k == 0:
                    total += value_after(t, t.roots[k], depth, -_BEYOND, _BEYOND, me, salt)
                else:
                    # Most often no other action is better than the first, which is shown soonest by asking only that.
                    total = value_after(t, t.roots[k], depth, best, best + 1, me, salt)
                    if total > best and not given_up(t):
                        total = value_after(t, t.roots[k], depth, total - 1, _BEYOND, me, salt)
            else:
                total += own_lead_after(t, leads, t.roots[k], depth, me, salt_of(t, draw))
            if given_up(t):
                return best, t.roots[best_place if depth == 1 else 0]
        values[k] = total
        if total > best:
            best = total
            best_place = k
    for k in range(number):
        t.root_values[k] = values[k]
    bring_forward(t.roots, best_place)
    bring_forward(t.root_values, best_place)
    return best, t.roots[0]


@rule
def salt_of(t, draw):
    """What tells this search, and this draw of it, from others in the keys of the table."""
    return stream(np.uint64(t.counts[SEARCH]), draw)


@rule
def bring_forward(row, place):
    """Move row[place] to the front; the others keep their order."""
    first = row[place]
    for k in range(place, 0, -1):
        row[k] = row[k - 1]
    row[0] = first


@rule
def minimax_loop(states, t, leads, depth, most, draws, thorough, seed, first, out):
    """Write into out (n,) what the search plays in every game, -1 where over, from game `first` on.

    Returns the number of the game where there was no room, or n. Where only one action is legal it is played without a
    thought, unless the search is `thorough`.
    """
    for i in range(first, len(states)):
        s = states[i]
        out[i] = -1
        if s.to_move < 0:
            continue
        if list_actions(s, t.roots, 0, t.legal) == 1 and not thorough:
            out[i] = t.roots[0]
            continue
        out[i] = think(s, t, leads, depth, most, draws, thorough, mix(stream(seed, i)))
        if t.counts[FULL]:
            return i
    return len(states)


@rule
def best_known_loop(states, t, words):
    """The best action in the one game of `states`, as the last search noted it; -1 where it did not.

    `words`: the same record as uint64.
    """
    key = mix(key_of(words[0], t.places, t.masks) ^ salt_of(t, 0))
    entry = t.entries[place_of(t, key)]
    return entry[BEST_KNOWN] if entry[KEY] == np.int64(key) else np.int64(-1)


def wider(game: Game, t: Table) -> Table:
    """The same table with room for lines of play twice as long."""
    frames: States = np.zeros(2 * len(t.frames), game.dtype)
    t.counts[FULL] = 0
    return t._replace(
        frames=game.records(frames),
        words=words_of(game, frames),
        nodes=np.zeros((len(frames), t.nodes.shape[1]), np.int64),
        moves=np.zeros(2 * len(t.moves), np.int64),
    )


def most_positions(turns: int, draws: int) -> int:
    """How many positions a search of so many turns may look at for a decision; at least what a first turn may have,
    tried in every way and then narrower."""
    return int(min(max(_DECISION, 2 * draws * _FIRST_TURN, _LINES**turns), _BEYOND))


def sides(game: Game) -> int:
    """How many sides there are: teams are one, and so is whoever is alone."""
    of_player, start = in_python(game.bind(side)), game.view(game.init(1, 0))[0]
    return len({int(of_player(start, p)) for p in range(game.num_deciding)})


class Minimax:
    """The search over one game, with its table. `memory`: of that; `draws`: see `think`; `others`: of OTHERS."""

    def __init__(self, game: Game, budget: Budget, memory: int, draws: int, others: str) -> None:
        self._game, self._budget = game, budget
        self._draws = draws if game.has_chance else 1
        # Two sides lose what the other one wins: to each all others are against him.
        self._for_all = others == MAX_N and sides(game) > 2
        if self._for_all:
            memory = memory * (BEST_KNOWN + 1) // (BEST_KNOWN + 1 + game.num_players)
        self._table = table_for(game, MOST_TURNS if budget.timed else budget.number, memory)
        self._leads = self._leads_for(self._table)

    def _leads_for(self, t: Table) -> Leads | None:
        rows = (np.zeros((len(part), self._game.num_players), np.int64) for part in (t.frames, t.entries))
        return Leads(*rows) if self._for_all else None

    def act(self, view: States, word: np.uint64) -> npt.NDArray[np.int64]:
        """(n,): what is played in each game of `view`, -1 where over."""
        if not self._budget.timed:
            return self._search(view, self._budget.number, word)
        return one_by_one(view, word, self._search_by_clock)

    def analyse(self, view: States, word: np.uint64) -> Analysis:
        """Of the one game of `view`, which is not over."""
        self._table.counts[NODES] = 0
        if self._budget.timed:
            action = self._search_by_clock(view, word, thorough=True)
        else:
            action = int(self._search(view, self._budget.number, word, thorough=True)[0])
        number = int(self._game.legal(np.asarray(view).view(self._game.dtype)).sum())
        found = zip(self._table.roots[:number].tolist(), self._table.root_values[:number].tolist(), strict=True)
        values = {tried: value / (EIGHTHS * self._draws) for tried, value in found if value != UNTRIED}
        nodes, depth = (int(self._table.counts[count]) for count in (NODES, REACHED))
        return Analysis(action, values.get(action, nan), values, self._line(view, action), nodes, depth)

    def _search(
        self, view: States, turns: int, word: np.uint64, thorough: bool = False, limit: int = _BEYOND
    ) -> npt.NDArray[np.int64]:
        out, done, most = np.empty(len(view), np.int64), 0, most_positions(turns, self._draws)
        while done < len(view):
            self._table.counts[LIMIT] = limit
            loop = self._game.bind(minimax_loop)
            done = loop(view, self._table, self._leads, turns, most, self._draws, thorough, word, done, out)
            if self._table.counts[FULL]:
                searched = int(self._table.counts[REACHED])
                self._table = wider(self._game, self._table)
                self._leads = self._leads_for(self._table)
                # By the clock there is no second try: what was found before there was no room counts.
                if limit < _BEYOND and searched > 0:
                    break
        return out

    def _search_by_clock(self, view: States, word: np.uint64, thorough: bool = False) -> int:
        """How many positions there is time for is seen from a few, again and again: the first time rules are loaded."""
        begin, number = perf_counter(), _FEW
        while True:
            before, last = int(self._table.counts[NODES]), perf_counter()
            chosen = int(self._search(view, MOST_TURNS, word, thorough, before + number)[0])
            seen, now = int(self._table.counts[NODES]) - before, perf_counter()
            left = self._budget.number / 1000 - (now - begin)
            if seen < number or left < now - last:
                return chosen
            number = int(seen * min(_MORE, left / (now - last)))

    def _line(self, view: States, action: int) -> list[int]:
        """The best play that the table knows."""
        line, state = [action], np.asarray(view).view(self._game.dtype).copy()
        best_known = self._game.bind(best_known_loop)
        self._game.step(state, [action])
        while not self._game.has_chance and state["to_move"][0] >= 0 and len(line) < LONGEST_LINE:
            best = int(best_known(self._game.view(state), self._table, words_of(self._game, state)))
            if best < 0:
                break
            line.append(best)
            self._game.step(state, [best])
        return line
