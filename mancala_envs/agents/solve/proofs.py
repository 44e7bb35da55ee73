"""Proofs by alpha-beta search: one question after the other, each asked by a player on his own account.

A question is: can the asker gain so much, or more, from here? Lines of play longer than a number of decisions are left
off, and count against him, wherever they would have led: so YES is a proof whatever endless play is worth. NO is one
where no line was left off; else the question stays OPEN, and is asked again by the other player, or with longer lines.
What is proven of a position holds for ever, and is kept in a table; where play cannot tell what was gained before, it
is kept as what is gained from there on.
Sources: D. Knuth, R. Moore, "An analysis of alpha-beta pruning" (1975), fail-soft as J. Fishburn (1983); A. Plaat et
al., "Best-first fixed-depth minimax algorithms" (1996), for searching by yes and no alone.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import key_of, lead, list_actions, words_of
from mancala_envs.agents.solve.endings import Endings, ending_of, no_endings
from mancala_envs.agents.solve.fetch import fetch
from mancala_envs.agents.solve.gains import Bounds, Measure, at_stake, gain, lead_assured
from mancala_envs.core.chance import MASK, mix, scale
from mancala_envs.core.contract import bank
from mancala_envs.core.game import Game, States
from mancala_envs.core.kernels import move
from mancala_envs.core.rule import rule

BORROWS_ARRAYS = True

NO, OPEN, YES, UNKNOWN = range(4)
"""The answer to a question; UNKNOWN where it has to be looked for."""

PARENT, LEFT, MINE, ACTION, PLACE, ENDING, ORDER, NEXT, END, ANSWER, VALUE, LIKELY, BEGAN = range(13)
"""What is known of a slot: the slot that it came from, decisions left, whether the asker is to move, by which action
it was reached, where its entry may be, the number of its ending or -1, and how soon to look at it, BARRED when that is
done. Of an open one also: the slots of its actions from NEXT to before END, the answer so far and its proven value, the
action that gave it, and how many positions had been looked at when it was opened."""

BARRED = -(1 << 62)

POSITIONS, LIMIT, SLOT, RUNNING = range(4)
"""Counters: positions looked at; at how many to pause; where the search paused, and whether it did."""

ASKER, GOAL, UNIT, COUNTS, OPENING = range(5)
"""The question: who asks and what he is to gain; and the game: see `gains`, and `Positions.opening`."""

_ODD, _HALF = 0x9E3779B97F4A7C15, np.uint64(29)

NOT_TRIED = -1
"""`best` of an entry that knows none; `left` where no question was left open."""

SLOTS = 1 << 15
"""Positions at hand: along the line that is looked at all those that its positions lead to."""

SHORTEST, LONGEST = 8, 8192
"""The lines looked at first, in decisions, of play that may go in circles; they are doubled until all is proven."""

BETWEEN_PAUSES = 1 << 20
"""Positions looked at before anybody can interrupt."""

BUCKET = 4
"""Entries among which that of a position may lie; together they are what the processor fetches at once."""

ENTRY = np.dtype([("mark", "u8"), ("low", "i2"), ("high", "i2"), ("best", "i2"), ("work", "i2")])
"""What is known of a position: proven bounds of what player 0 gains from there on; the action that was best; and as a
power of two how many positions this took."""

LEFT_OPEN = np.dtype([("goal", "i2"), ("left", "i2"), ("asker", "i2")])
"""The last question about a position that was left open, with how many decisions left."""


class Room(NamedTuple):
    """Room to search in.

    `states` (S,) records, those after the actions of an open position one after the other, `words` and `octets` the
    same memory;
    `places`, `masks`: see `key_of`; `slots` (S, 13) what is known of each, `marks` (S,) its key; `actions` (A,),
    `legal` (W,) room to list actions; `history` (2, A) how often an action settled a question, of others and of the
    asker; `entries` (E,), buckets of them; `left_open` (E,) beside them, or (0,) where play runs out, for then nothing
    is left open; `counts` (4,); `question` (5,).
    """

    states: npt.NDArray[np.void]
    words: npt.NDArray[np.uint64]
    octets: npt.NDArray[np.uint8]
    places: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.int64]
    marks: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint64]
    history: npt.NDArray[np.int64]
    entries: npt.NDArray[np.void]
    left_open: npt.NDArray[np.void]
    counts: npt.NDArray[np.int64]
    question: npt.NDArray[np.int64]
    endings: Endings


@rule
def note_place(t, slot):
    """Find out where the entry of a slot's position may be, and its key: two hashes that know nothing of each other."""
    words = t.words[slot]
    s = t.states[slot]
    opening = np.uint64(min(np.int64(s.turn), t.question[OPENING]))
    t.marks[slot] = mix(key_of(words, t.places, t.masks) ^ opening)
    total = opening
    for k in range(len(t.places)):
        total = mix_other(total ^ (words[t.places[k]] & t.masks[k]))
    t.slots[slot, PLACE] = BUCKET * scale(total, len(t.entries) // BUCKET)


@rule
def mix_other(x):
    """A quick hash beside `mix`: uint64 -> uint64."""
    x = (int(x) * _ODD) & MASK
    return np.uint64(x ^ int(np.uint64(x) >> _HALF))


@rule
def entry_of(t, slot):
    """Where the entry of the slot's position is; -1 where there is none."""
    first = t.slots[slot, PLACE]
    for k in range(first, first + BUCKET):
        if t.entries[k].mark == t.marks[slot]:
            return k
    return -1


@rule
def entry_for(t, slot):
    """The entry of the slot's position, an empty one in place of what took the least work if there was none."""
    k = entry_of(t, slot)
    if k >= 0:
        return k
    first = t.slots[slot, PLACE]
    least = first
    for other in range(first + 1, first + BUCKET):
        if t.entries[other].work < t.entries[least].work:
            least = other
    entry = t.entries[least]
    stake = at_stake(t.states[slot], t.question[UNIT], t.question[COUNTS])
    entry.mark = t.marks[slot]
    entry.low = -stake
    entry.high = stake
    entry.best = NOT_TRIED
    entry.work = 0
    if len(t.left_open):
        t.left_open[least].left = NOT_TRIED
    return least


@rule
def foresee(t, slot):
    """The answer of a position that was just reached, and its proven value, where what is at stake tells them.

    Else what `recall` reads is on its way: memory takes longer than all the rest.
    """
    goal = t.question[GOAL]
    s = t.states[slot]
    base = lead_assured(s, t.question[ASKER], t.question[COUNTS])
    stake = at_stake(s, t.question[UNIT], t.question[COUNTS])
    if base - stake >= goal:
        return YES, base - stake
    if base + stake < goal:
        return NO, base + stake
    t.slots[slot, ENDING] = ending_of(t.endings, t.octets[slot], s.to_move)
    if t.slots[slot, ENDING] >= 0:
        fetch(t.endings.values, t.slots[slot, ENDING])
    else:
        note_place(t, slot)
        fetch(t.entries, t.slots[slot, PLACE])
    return UNKNOWN, goal


@rule
def recall(t, slot):
    """The answer of a position that was foreseen, and its proven value, as far as is known without looking."""
    asker, goal = t.question[ASKER], t.question[GOAL]
    s = t.states[slot]
    base = lead_assured(s, asker, t.question[COUNTS])
    if t.slots[slot, ENDING] >= 0:
        known = np.int64(t.endings.values[t.slots[slot, ENDING]])
        value = lead_assured(s, asker, True) + (known if s.to_move == asker else -known)
        if not t.question[COUNTS]:
            value = np.int64(value > 0) - np.int64(value < 0)
        return (YES if value >= goal else NO), value
    k = entry_of(t, slot)
    if k >= 0:
        entry = t.entries[k]
        low = np.int64(entry.low) if asker == 0 else -np.int64(entry.high)
        high = np.int64(entry.high) if asker == 0 else -np.int64(entry.low)
        if base + low >= goal:
            return YES, base + low
        if base + high < goal:
            return NO, base + high
        if len(t.left_open):
            last = t.left_open[k]
            if last.left >= t.slots[slot, LEFT] and last.asker == asker and last.goal <= goal - base:
                return OPEN, goal
    return (OPEN if t.slots[slot, LEFT] == 0 else UNKNOWN), goal


@rule
def hear(t, slot, answer, value, action):
    """Take in the answer of one of the actions of `slot`; returns whether the question is settled by it."""
    node = t.slots[slot]
    if node[MINE]:
        settled = answer == YES
        worse = node[ANSWER] == NO and (answer == OPEN or value > node[VALUE])
    else:
        settled = answer != YES
        worse = value < node[VALUE]
    if settled or worse:
        node[ANSWER] = answer
        node[VALUE] = value
        node[LIKELY] = action
    return settled


@rule
def promise(t, before, after, mine, action):
    """How soon to look at an action: first by what the mover leads then, and whether he goes on."""
    goes_on = np.int64(after.to_move == before.to_move)
    return ((lead(after, before.to_move) + 2 * goes_on) << 30) + t.history[np.int64(mine), action]


@rule
def open_slot(t, slot, first):
    """Try all actions of the position in `slot`, into the slots from `first` on; returns its answer."""
    node = t.slots[slot]
    s = t.states[slot]
    asker = t.question[ASKER]
    mine = s.to_move == asker
    node[MINE] = mine
    node[ANSWER] = NO if mine else YES
    node[VALUE] = BARRED if mine else -BARRED
    node[LIKELY] = NOT_TRIED
    node[NEXT] = node[END] = first
    node[BEGAN] = t.counts[POSITIONS]
    k = entry_of(t, slot)
    likely = np.int64(t.entries[k].best) if k >= 0 else NOT_TRIED
    number = list_actions(s, t.actions, 0, t.legal)
    if first + number > len(t.states):
        node[ANSWER] = OPEN
        return close(t, slot)
    after = first
    for k in range(number):
        action = t.actions[k]
        t.states[after] = s
        n = t.states[after]
        t.counts[POSITIONS] += 1
        child = t.slots[after]
        child[LEFT] = node[LEFT] - 1
        if move(n, action):
            value = gain(n, asker, t.question[UNIT])
            answer = YES if value >= t.question[GOAL] else NO
        else:
            bank(n)
            answer, value = foresee(t, after)
        if answer == UNKNOWN:
            child[PARENT] = slot
            child[ACTION] = action
            after += 1
        elif hear(t, slot, answer, value, action):
            return close(t, slot)
    node[END] = after
    to_look_at = False
    for k in range(first, after):
        child = t.slots[k]
        answer, value = recall(t, k)
        if answer == UNKNOWN:
            child[ORDER] = -BARRED if child[ACTION] == likely else promise(t, s, t.states[k], mine, child[ACTION])
            to_look_at = True
            continue
        child[ORDER] = BARRED
        if hear(t, slot, answer, value, child[ACTION]):
            return close(t, slot)
    return UNKNOWN if to_look_at else close(t, slot)


@rule
def close(t, slot):
    """Write the answer of `slot` into the table and return it."""
    node = t.slots[slot]
    asker = t.question[ASKER]
    base = lead_assured(t.states[slot], asker, t.question[COUNTS])
    k = entry_for(t, slot)
    entry = t.entries[k]
    value = node[VALUE] - base
    if node[ANSWER] == OPEN:
        if len(t.left_open):
            last = t.left_open[k]
            last.goal = t.question[GOAL] - base
            last.left = node[LEFT]
            last.asker = asker
    elif (node[ANSWER] == YES) == (asker == 0):
        entry.low = max(np.int64(entry.low), value if asker == 0 else -value)
    else:
        entry.high = min(np.int64(entry.high), value if asker == 0 else -value)
    if node[LIKELY] != NOT_TRIED:
        entry.best = node[LIKELY]
        if node[MINE] == (node[ANSWER] == YES):
            t.history[node[MINE], node[LIKELY]] += 1
    work = t.counts[POSITIONS] - node[BEGAN]
    power = 0
    while work > 0:
        work >>= 1
        power += 1
    entry.work = max(np.int64(entry.work), power)
    return node[ANSWER]


@rule
def next_child(t, slot):
    """The slot of the most promising action of `slot` not looked at yet; -1 where there is none."""
    best = -1
    most = BARRED
    for k in range(t.slots[slot, NEXT], t.slots[slot, END]):
        if t.slots[k, ORDER] > most:
            most = t.slots[k, ORDER]
            best = k
    if best >= 0:
        t.slots[best, ORDER] = BARRED
    return best


@rule
def ask_loop(t):
    """The answer to `question` in states[0], or UNKNOWN when it paused: to be called again to go on."""
    slot = t.counts[SLOT]
    if not t.counts[RUNNING]:
        t.counts[RUNNING] = 1
        slot = 0
        bank(t.states[0])
        note_place(t, 0)
        if open_slot(t, 0, 1) != UNKNOWN:
            t.counts[RUNNING] = 0
            return t.slots[0, ANSWER]
    while t.counts[POSITIONS] < t.counts[LIMIT]:
        child = next_child(t, slot)
        if child < 0:
            settled = True
            close(t, slot)
        else:
            settled = False
            # What was found since may have answered it.
            answer, value = recall(t, child)
            if answer == UNKNOWN:
                answer = open_slot(t, child, t.slots[slot, END])
                if answer == UNKNOWN:
                    slot = child
                    continue
                value = t.slots[child, VALUE]
            if hear(t, slot, answer, value, t.slots[child, ACTION]):
                settled = True
                close(t, slot)
        while settled:
            if slot == 0:
                t.counts[RUNNING] = 0
                return t.slots[0, ANSWER]
            child = slot
            slot = t.slots[child, PARENT]
            settled = hear(t, slot, t.slots[child, ANSWER], t.slots[child, VALUE], t.slots[child, ACTION])
            if settled:
                close(t, slot)
    t.counts[SLOT] = slot
    return UNKNOWN


def buckets(number: int) -> npt.NDArray[np.void]:
    """So many buckets of empty entries, each of which begins where the processor fetches memory."""
    size = BUCKET * ENTRY.itemsize
    octets = np.zeros((number + 1) * size, np.uint8)
    begin = -octets.ctypes.data % size
    return octets[begin : begin + number * size].view(ENTRY)


class Proofs:
    """The search over one game, with its table of at most `memory` bytes, and with what is known of endings."""

    def __init__(self, game: Game, measure: Measure, memory: int, endings: Endings | None = None) -> None:
        self._game, self._measure = game, measure
        states = np.zeros(SLOTS, game.dtype)
        beside = 0 if game.book.positions.runs_out else LEFT_OPEN.itemsize
        entries = buckets(max(256, memory // (BUCKET * (ENTRY.itemsize + beside))))
        places, masks = measure.keyed(game)
        self.room = Room(
            states=game.records(states),
            words=words_of(game, states),
            octets=states.view(np.uint8).reshape(SLOTS, game.dtype.itemsize),
            places=places,
            masks=masks,
            slots=np.zeros((SLOTS, BEGAN + 1), np.int64),
            marks=np.zeros(SLOTS, np.uint64),
            actions=np.zeros(game.num_actions, np.int64),
            legal=np.zeros(-(-game.num_actions // 64), np.uint64),
            history=np.zeros((2, game.num_actions), np.int64),
            entries=entries.view(np.recarray),
            left_open=np.zeros(len(entries) if beside else 0, LEFT_OPEN).view(np.recarray),
            counts=np.zeros(RUNNING + 1, np.int64),
            question=np.array([0, 0, measure.unit, measure.counts, game.book.positions.opening], np.int64),
            endings=endings or no_endings(),
        )

    @property
    def positions(self) -> int:
        """Looked at so far."""
        return int(self.room.counts[POSITIONS])

    def ask(self, state: States, asker: int, goal: int, left: int, pause: Callable[[], None]) -> tuple[int, int]:
        """The answer, and how much the asker gains at least (YES) or at most (NO) by it."""
        t = self.room
        t.question[[ASKER, GOAL]] = asker, goal
        t.slots[0, LEFT] = left
        t.states[0] = self._game.view(state)[0]
        t.counts[RUNNING] = 0
        answer, loop = UNKNOWN, self._game.bind(ask_loop)
        while answer == UNKNOWN:
            t.counts[LIMIT] = t.counts[POSITIONS] + BETWEEN_PAUSES
            answer = loop(t)
            pause()
        return answer, int(t.slots[0, VALUE])

    def bounds(self, state: States, bounds: Bounds, pause: Callable[[Bounds], None]) -> Bounds:
        """What is proven of the position with lines of LONGEST at most, when it is known to lie between `bounds`."""
        low, high = bounds
        left = self._first
        goal = (low + high + 1) // 2
        while low < high and left <= LONGEST:
            for asker, wanted in ((0, goal), (1, 1 - goal)):
                known = low, high
                answer, value = self.ask(state, asker, wanted, left, lambda: pause(known))  # noqa: B023
                if answer == OPEN:
                    continue
                value = value if asker == 0 else -value
                reached = (answer == YES) == (asker == 0)
                if reached:
                    low = max(low, value)
                else:
                    high = min(high, value)
                goal = (low + high + 1) // 2
                if self._game.book.positions.runs_out:
                    # What was found by looking to the end is near the value: ask for as little more as can be.
                    goal = low + 1 if reached else high
                break
            else:
                left *= 2
        return low, high

    def keeping(self, state: States, bounds: Bounds, pause: Callable[[Bounds], None]) -> int:
        """The action by which the mover keeps what was proven of the position."""
        mover = int(state["to_move"][0])
        wanted = bounds[0] if mover == 0 else -bounds[1]
        left = self._first
        while left <= LONGEST:
            if self.ask(state, mover, wanted, left, lambda: pause(bounds))[0] == YES:
                return int(self.room.slots[0, LIKELY])
            left *= 2
        raise RuntimeError(f"no action keeps the proven value {bounds}")

    @property
    def _first(self) -> int:
        """The lines looked at first, in decisions."""
        return LONGEST if self._game.book.positions.runs_out else SHORTEST
