"""Proofs by alpha-beta search with null windows: questions with the answer yes or no.

A question is: can the asker, one of the players, gain `goal` or more from this position? Variations longer than a
number of decisions are cut off and count against the asker. YES therefore proves a lower bound for any value of endless
play. NO proves an upper bound if no variation was cut off; otherwise the question stays OPEN, and the search continues
with a question of the other player or with longer variations. Proven bounds always hold, and a transposition table
stores them. If play does not depend on earlier gains, they are bounds of the further gain from the position.
Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning" (1975), fail-soft as J. Fishburn (1983); A. Plaat et
al., "Best-first fixed-depth minimax algorithms" (1996), for searching by null windows alone.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import fields, key_of, lead, list_actions, record_array, words_of
from mancala_envs.agents.solve.database import Database, has_database, index_of, no_database
from mancala_envs.agents.solve.gains import Bounds, Measure, at_stake, gain, secured_lead
from mancala_envs.agents.solve.prefetch import prefetch
from mancala_envs.core.arguments import States
from mancala_envs.core.chance import MASK, mix, scale
from mancala_envs.core.engine import Engine
from mancala_envs.core.kernels import move
from mancala_envs.core.pauses import Pace
from mancala_envs.core.rule import rule

NO, OPEN, YES, UNKNOWN = range(4)
"""The answer to a question; UNKNOWN if it needs a search."""

NODE = np.dtype(
    [
        ("key", "u8"),
        *fields("i8", "bucket ending parent action depth order is_asker"),
        *fields("i8", "first_child end_child answer value best_action begun"),
    ]
)
"""A position on the search stack: its hash key and its bucket in the transposition table, or its index in the endgame
database (-1 if it has none); the position and the action that led to it; the remaining length of variations in
decisions; its priority in move ordering, DONE after its search; whether the asker is to move. For an expanded position
also: the range of its children on the stack, the answer so far, its proven value and the action that gave it, and the
number of positions visited before it."""

DONE = -(1 << 62)

COUNTERS = np.dtype(fields("i8", "positions limit node is_paused"))
"""The number of positions visited, and the number at which to pause; the node at which the search paused, and whether
it is paused."""

QUESTION = np.dtype(fields("i8", "asker goal unit by_margin opening_turns"))
"""The asker, the gain to reach, and properties of the game (`unit`, `by_margin` and `Positions.opening_turns`)."""

_ODD, _HALF = 0x9E3779B97F4A7C15, np.uint64(29)

NO_ACTION = -1
"""The hash move of an entry without one, and `depth` if no question was left open."""

STACK = 1 << 15
"""Size of the search stack, which holds the positions of a variation with all their children."""

SHORTEST, LONGEST = 8, 8192
"""The first and the last length of variations, in decisions, in games whose positions can repeat. The length doubles
until the value is proven."""

FIRST_SLICE = 4096
"""Positions visited before the first pause."""

BUCKET = 4
"""Entries of a bucket, one of which a position can have. A bucket has 64 bytes, one cache line."""

ENTRY = np.dtype([("key", "u8"), *fields("i2", "low high hash_move work")])
"""An entry of the transposition table: the position's hash key, proven bounds of player 0's further gain, the best
action, and the base-2 logarithm of the number of positions visited for this result."""

LEFT_OPEN = np.dtype(fields("i2", "goal depth asker"))
"""The last question about a position that stayed open, and the length of variations for which it was asked."""


class TranspositionTable(NamedTuple):
    """The positions that were searched, in buckets.

    Args:
        entries: (E,) ENTRY records.
        left_open: (E,) LEFT_OPEN records, one for each entry; (0,) in games whose positions never repeat, where no
            question is left open.
    """

    entries: npt.NDArray[np.void]
    left_open: npt.NDArray[np.void]


class SearchMemory(NamedTuple):
    """All arrays of a search.

    Attributes:
        states: (STACK,) records of the game, the positions on the search stack.
        words: (STACK, W) uint64 and `octets` (STACK, B) uint8, the memory of `states`.
        places: (K,) and `masks` (K,), see `key_of`.
        stack: (STACK,) NODE records; the children of a position are adjacent.
        actions: (A,) int64 and `legal` (W,) uint64, scratch memory for `list_actions`.
        history: (2, A) int64, the history heuristic: the number of questions that an action settled, for the other
            player and for the asker.
        tt: The transposition table.
        counters: (1,) COUNTERS.
        question: (1,) QUESTION.
        database: The endgame database.
    """

    states: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    octets: npt.NDArray[np.uint8]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    stack: npt.NDArray[np.void]
    actions: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    history: npt.NDArray[np.int64]
    tt: TranspositionTable
    counters: npt.NDArray[np.void]
    question: npt.NDArray[np.void]
    database: Database


@rule
def hash_position(m, k):
    """Compute the hash key and the bucket of states[k] by two independent hash functions."""
    words = m.words[k]
    s = m.states[k]
    turns = np.uint64(min(np.int64(s.turn), m.question[0].opening_turns))
    m.stack[k].key = mix(key_of(words, m.places, m.masks) ^ turns)
    total = turns
    for place in range(len(m.places)):
        total = mix_other(total ^ (words[m.places[place]] & m.masks[place]))
    m.stack[k].bucket = BUCKET * scale(total, len(m.tt.entries) // BUCKET)


@rule
def mix_other(x):
    """Return a fast hash (uint64) of a uint64, independent of `mix`."""
    x = (int(x) * _ODD) & MASK
    return np.uint64(x ^ int(np.uint64(x) >> _HALF))


@rule
def find_entry(m, k):
    """Return the index of the entry of states[k]; -1 if there is none."""
    first = m.stack[k].bucket
    for entry in range(first, first + BUCKET):
        if m.tt.entries[entry].key == m.stack[k].key:
            return entry
    return -1


@rule
def entry_for(m, k):
    """Return the index of the entry of states[k]; a new entry replaces the one that took the least work."""
    found = find_entry(m, k)
    if found >= 0:
        return found
    first = m.stack[k].bucket
    least = np.int64(first)
    for other in range(first + 1, first + BUCKET):
        if m.tt.entries[other].work < m.tt.entries[least].work:
            least = other
    entry = m.tt.entries[least]
    stake = at_stake(m.states[k], m.question[0].unit, m.question[0].by_margin)
    entry.key = m.stack[k].key
    entry.low = -stake
    entry.high = stake
    entry.hash_move = NO_ACTION
    entry.work = 0
    if len(m.tt.left_open):
        m.tt.left_open[least].depth = NO_ACTION
    return least


@rule
def bound_by_stake(m, k):
    """Return the answer for the new position states[k] and its proven value, by what is at stake.

    The answer is UNKNOWN if that settles nothing. In this case `probe` follows: the memory that it reads is prefetched
    here, because loading it takes longer than all the rest.
    """
    q = m.question[0]
    s = m.states[k]
    base = secured_lead(s, q.asker, q.by_margin)
    stake = at_stake(s, q.unit, q.by_margin)
    if base - stake >= q.goal:
        return YES, base - stake
    if base + stake < q.goal:
        return NO, base + stake
    ending = index_of(m.database, m.octets[k], s.to_move)
    m.stack[k].ending = ending
    if ending >= 0:
        prefetch(m.database.values, ending)
    else:
        hash_position(m, k)
        prefetch(m.tt.entries, np.int64(m.stack[k].bucket))
    return UNKNOWN, np.int64(q.goal)


@rule
def probe(m, k):
    """Return the answer for states[k] and its proven value, from the endgame database or the transposition table."""
    q = m.question[0]
    asker, goal = np.int64(q.asker), np.int64(q.goal)
    s = m.states[k]
    node = m.stack[k]
    base = secured_lead(s, asker, q.by_margin)
    if node.ending >= 0:
        known = np.int64(m.database.values[node.ending])
        value = secured_lead(s, asker, True) + (known if s.to_move == asker else -known)
        if not q.by_margin:
            value = np.int64(value > 0) - np.int64(value < 0)
        return (YES if value >= goal else NO), value
    found = find_entry(m, k)
    if found >= 0:
        entry = m.tt.entries[found]
        low = np.int64(entry.low) if asker == 0 else -np.int64(entry.high)
        high = np.int64(entry.high) if asker == 0 else -np.int64(entry.low)
        if base + low >= goal:
            return YES, base + low
        if base + high < goal:
            return NO, base + high
        if len(m.tt.left_open):
            last = m.tt.left_open[found]
            if last.depth >= node.depth and last.asker == asker and last.goal <= goal - base:
                return OPEN, goal
    return (OPEN if node.depth == 0 else UNKNOWN), goal


@rule
def update(m, k, answer, value, action):
    """Update states[k] with the answer for one of its actions; return whether that settles the question."""
    node = m.stack[k]
    if node.is_asker:
        settled = answer == YES
        worse = node.answer == NO and (answer == OPEN or value > node.value)
    else:
        settled = answer != YES
        worse = value < node.value
    if settled or worse:
        node.answer = answer
        node.value = value
        node.best_action = action
    return settled


@rule
def order_of(m, before, after, is_asker, action):
    """Return the priority of an action: the mover's lead after it and whether the turn continues, then its history."""
    goes_on = np.int64(after.to_move == before.to_move)
    return ((lead(after, before.to_move) + 2 * goes_on) << 30) + m.history[np.int64(is_asker), action]


@rule
def expand(m, k, first):
    """Put the positions after all actions of states[k] onto the stack from index `first`; return the answer so far."""
    node = m.stack[k]
    s = m.states[k]
    asker = np.int64(m.question[0].asker)
    is_asker = s.to_move == asker
    node.is_asker = is_asker
    node.answer = NO if is_asker else YES
    node.value = DONE if is_asker else -DONE
    node.best_action = NO_ACTION
    node.first_child = first
    node.end_child = first
    node.begun = m.counters[0].positions
    found = find_entry(m, k)
    hash_move = np.int64(m.tt.entries[found].hash_move) if found >= 0 else NO_ACTION
    number = list_actions(s, m.actions, 0, m.legal)
    if first + number > len(m.states):
        node.answer = OPEN
        return close_node(m, k)
    after = first
    for place in range(number):
        action = m.actions[place]
        m.states[after] = s
        n = m.states[after]
        m.counters[0].positions += 1
        child = m.stack[after]
        child.depth = node.depth - 1
        if move(n, action):
            value = gain(n, asker, m.question[0].unit)
            answer = YES if value >= m.question[0].goal else NO
        else:
            answer, value = bound_by_stake(m, after)
        if answer == UNKNOWN:
            child.parent = k
            child.action = action
            after += 1
        elif update(m, k, answer, value, action):
            return close_node(m, k)
    node.end_child = after
    is_open = False
    for place in range(first, after):
        child = m.stack[place]
        action = np.int64(child.action)
        answer, value = probe(m, place)
        if answer == UNKNOWN:
            child.order = -DONE if action == hash_move else order_of(m, s, m.states[place], is_asker, action)
            is_open = True
            continue
        child.order = DONE
        if update(m, k, answer, value, action):
            return close_node(m, k)
    return UNKNOWN if is_open else close_node(m, k)


@rule
def close_node(m, k):
    """Write the answer for states[k] into the transposition table and return it."""
    node = m.stack[k]
    q = m.question[0]
    asker = np.int64(q.asker)
    base = secured_lead(m.states[k], asker, q.by_margin)
    place = entry_for(m, k)
    entry = m.tt.entries[place]
    value = np.int64(node.value) - base
    answer = np.int64(node.answer)
    if answer == OPEN:
        if len(m.tt.left_open):
            last = m.tt.left_open[place]
            last.goal = q.goal - base
            last.depth = node.depth
            last.asker = asker
    elif (answer == YES) == (asker == 0):
        entry.low = max(np.int64(entry.low), value if asker == 0 else -value)
    else:
        entry.high = min(np.int64(entry.high), value if asker == 0 else -value)
    if node.best_action != NO_ACTION:
        entry.hash_move = node.best_action
        if node.is_asker == (answer == YES):
            m.history[node.is_asker, node.best_action] += 1
    work = m.counters[0].positions - node.begun
    power = 0
    while work > 0:
        work >>= 1
        power += 1
    entry.work = max(np.int64(entry.work), power)
    return answer


@rule
def next_child(m, k):
    """Return the child of states[k] with the highest priority that was not searched yet; -1 if there is none."""
    best = np.int64(-1)
    most = np.int64(DONE)
    for child in range(m.stack[k].first_child, m.stack[k].end_child):
        if m.stack[child].order > most:
            most = np.int64(m.stack[child].order)
            best = np.int64(child)
    if best >= 0:
        m.stack[best].order = DONE
    return best


@rule
def null_window_loop(m):
    """Return the answer to `question` for states[0], or UNKNOWN at a pause, from which the next call continues."""
    c = m.counters[0]
    k = np.int64(c.node)
    if not c.is_paused:
        c.is_paused = 1
        k = np.int64(0)
        hash_position(m, 0)
        if expand(m, 0, 1) != UNKNOWN:
            c.is_paused = 0
            return np.int64(m.stack[0].answer)
    while c.positions < c.limit:
        child = next_child(m, k)
        if child < 0:
            settled = True
            close_node(m, k)
        else:
            settled = False
            # Results since the expansion may have answered it.
            answer, value = probe(m, child)
            if answer == UNKNOWN:
                answer = expand(m, child, np.int64(m.stack[k].end_child))
                if answer == UNKNOWN:
                    k = child
                    continue
                value = np.int64(m.stack[child].value)
            if update(m, k, answer, value, np.int64(m.stack[child].action)):
                settled = True
                close_node(m, k)
        while settled:
            if k == 0:
                c.is_paused = 0
                return np.int64(m.stack[0].answer)
            node = m.stack[k]
            k = np.int64(node.parent)
            settled = update(m, k, np.int64(node.answer), np.int64(node.value), np.int64(node.action))
            if settled:
                close_node(m, k)
    c.node = k
    return np.int64(UNKNOWN)


def buckets(number: int) -> npt.NDArray[np.void]:
    """Return empty entries (BUCKET * number,), with each bucket at the start of a cache line."""
    size = BUCKET * ENTRY.itemsize
    octets = np.zeros((number + 1) * size, np.uint8)
    begin = -octets.ctypes.data % size
    return octets[begin : begin + number * size].view(ENTRY)


class Proofs:
    """Proof search of one game.

    Args:
        game: The game.
        measure: The definition of its gains.
        memory: Bytes for the transposition table.
        database: The endgame database, by default none.
    """

    def __init__(self, game: Engine, measure: Measure, memory: int, database: Database | None = None) -> None:
        self._game, self._measure = game, measure
        # Positions never repeat in a game with an endgame database, so every variation ends.
        self._ends = has_database(game)
        states = np.zeros(STACK, game.dtype)
        beside = 0 if self._ends else LEFT_OPEN.itemsize
        entries = buckets(max(256, memory // (BUCKET * (ENTRY.itemsize + beside))))
        places, masks = measure.key_words(game)
        question = record_array(1, QUESTION)
        question[0] = 0, 0, measure.unit, measure.by_margin, game.book.positions.opening_turns
        self.memory = SearchMemory(
            states=game.records(states),
            words=words_of(game, states),
            octets=states.view(np.uint8).reshape(STACK, game.dtype.itemsize),
            places=places,
            masks=masks,
            stack=record_array(STACK, NODE),
            actions=np.zeros(game.num_actions, np.int64),
            legal=np.zeros(-(-game.num_actions // 64), np.uint64),
            history=np.zeros((2, game.num_actions), np.int64),
            tt=TranspositionTable(entries.view(np.recarray), record_array(len(entries) if beside else 0, LEFT_OPEN)),
            counters=record_array(1, COUNTERS),
            question=question,
            database=database or no_database(),
        )
        self._pace = Pace("positions", size=FIRST_SLICE)

    @property
    def positions(self) -> int:
        """The number of positions visited so far."""
        return int(self.memory.counters["positions"][0])

    def ask(self, state: States, asker: int, goal: int, depth: int, pause: Callable[[], None]) -> tuple[int, int]:
        """Ask whether `asker` can gain `goal`, by variations of at most `depth` decisions.

        Returns:
            The answer, and the asker's proven minimum (YES) or maximum (NO) gain.
        """
        m = self.memory
        m.question["asker"], m.question["goal"] = asker, goal
        m.stack["depth"][0] = depth
        m.states[0] = self._game.view(state)[0]
        m.counters["is_paused"] = 0
        answer, loop = UNKNOWN, self._game.bind(null_window_loop)
        self._pace.resume()
        while answer == UNKNOWN:
            m.counters["limit"] = m.counters["positions"] + self._pace.size
            answer = loop(m)
            self._pace.pause(self.positions - self._pace.done)
            pause()
        return answer, int(m.stack["value"][0])

    def bounds(self, state: States, bounds: Bounds, pause: Callable[[Bounds], None], longest: int = LONGEST) -> Bounds:
        """Return bounds of a position within `bounds`, proven by variations of at most `longest` decisions."""
        low, high = bounds
        depth = self._shortest
        goal = (low + high + 1) // 2
        while low < high and depth <= longest:
            for asker, wanted in ((0, goal), (1, 1 - goal)):
                known = low, high
                answer, value = self.ask(state, asker, wanted, depth, lambda: pause(known))  # noqa: B023
                if answer == OPEN:
                    continue
                value = value if asker == 0 else -value
                reached = (answer == YES) == (asker == 0)
                if reached:
                    low = max(low, value)
                else:
                    high = min(high, value)
                goal = (low + high + 1) // 2
                if self._ends:
                    # A value found by a search to the end is close to the true one, so the next goal is the nearest.
                    goal = low + 1 if reached else high
                break
            else:
                depth *= 2
        return low, high

    def reaches(self, state: States, goal: int, pause: Callable[[], None]) -> bool | None:
        """Return whether player 0's gain is at least `goal` under best play; None if that depends on endless play."""
        low, high = self.bounds(state, (goal - 1, goal), lambda _: pause())
        return None if low < high else low >= goal

    def keeping(self, state: States, bounds: Bounds, pause: Callable[[Bounds], None]) -> int:
        """Return the action that keeps the proven value of a position for the player to move."""
        mover = int(state["to_move"][0])
        wanted = bounds[0] if mover == 0 else -bounds[1]
        depth = self._shortest
        while depth <= LONGEST:
            if self.ask(state, mover, wanted, depth, lambda: pause(bounds))[0] == YES:
                return int(self.memory.stack["best_action"][0])
            depth *= 2
        raise RuntimeError(f"no action keeps the proven value {bounds}")

    @property
    def _shortest(self) -> int:
        """The first length of variations, in decisions."""
        return LONGEST if self._ends else SHORTEST
