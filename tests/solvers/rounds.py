"""Solver of rounds of Parker's four games, Qelat, Congkak, Pallanguzhi and Zigulzoqge, with its own search.

The rules are written from their pages alone.

It shares no code with the library and confirms values of rounds that are too large for retrograde analysis of all
positions. A position is one array of these numbers: the seeds of the holes; the owner of each tied hole or child (0 for
none, 1 + p for player p); the player to move; the direction (in Qelat and Congkak: whether the turn continues); the
number of turns (at most two, for the opening of Kotu-baendum); the laps of an unfinished turn; and both stores. A tied
hole is empty, because its seeds are counted in its owner's store.

Rounds have no limit on turns or quiet turns here. The search proves values only by lines that end.
"""

import numpy as np
from numba import njit

GAMES = (
    "puhulmutu", "walak_pussa", "kotu_baendum", "daramutu", "zigulzoqge", "qelat", "qelat_by_summary", "congkak",
    "pallanguzhi",
)  # fmt: skip
PUHULMUTU, WALAK_PUSSA, KOTU_BAENDUM, DARAMUTU, ZIGULZOQGE, QELAT, QELAT_BY_SUMMARY, CONGKAK, PALLANGUZHI = range(9)

MOVER, WAY, TURN, LAPS, STORE = range(-6, -1)
"""Indices of a position; the store of player 1 follows that of player 0."""

MAX_LAPS = 256
MIN_DEPTH, MAX_DEPTH = 6, 96
SLOTS = 1 << 23

NO, UNKNOWN, YES = range(3)
NONE, SEVERAL = -1, -2

BOUND, UNKNOWN_GOAL, UNKNOWN_DEPTH, BEST = 0, 2, 4, 6
"""Columns of the transposition table: a lower bound on the further gain of each player; each player's last goal that
stayed unknown, and the depth searched for it; 1 + the best action."""


@njit(cache=True)
def width(s):
    return (len(s) - 6) // 4


# The rules.


@njit(cache=True)
def legal(game, s, action):
    w = width(s)
    row = w * s[MOVER]
    hole = row + action % w
    if not is_plain(s, hole):
        return False
    if game >= QELAT:
        return action < w
    if game == ZIGULZOQGE:
        return True
    way = 1 if action < w else -1
    if s[WAY] == -way:
        return False
    if game == KOTU_BAENDUM and s[TURN] < 2 and hole != row and hole != row + w - 1:
        return not (liftable(s, row, way) or liftable(s, row + w - 1, way))
    return liftable(s, hole, way)


@njit(cache=True)
def is_plain(s, hole):
    """Return whether a hole has seeds and is neither tied nor a child."""
    return s[hole] > 0 and s[2 * width(s) + hole] == 0


@njit(cache=True)
def only_choice(s):
    """Return the only plain hole of the mover, NONE or SEVERAL."""
    w, found = width(s), NONE
    for hole in range(w * s[MOVER], w * s[MOVER] + w):
        if is_plain(s, hole):
            if found != NONE:
                return SEVERAL
            found = hole
    return found


@njit(cache=True)
def liftable(s, hole, way):
    """Whether a hole can be lifted: a plain hole with seeds; a single seed in front only if it is the only choice."""
    w = width(s)
    front = hole // w * w + (w - 1 if way > 0 else 0)
    return is_plain(s, hole) and (s[hole] > 1 or hole != front or only_choice(s) == hole)


@njit(cache=True)
def play(game, s, action):
    """Play an action in place; return whether the round is over."""
    w = width(s)
    hole = w * s[MOVER] + action % w
    if game == CONGKAK:
        return play_congkak(s, hole)
    if game == PALLANGUZHI:
        return play_pallanguzhi(s, hole)
    if game >= QELAT:
        return play_qelat(game, s, hole)
    s[WAY] = 1 if action < w else -1
    if game == ZIGULZOQGE:
        sow_to_next(s, hole, 1)
        s[WAY] = 0
        return s[: 2 * w].sum() < 2 or passes_on(s)
    if game == WALAK_PUSSA:
        sow_to_next(s, hole, w)
    else:
        sow_past_threes(game, s, hole)
    s[TURN] = min(s[TURN] + 1, 2)
    s[MOVER] = 1 - s[MOVER]
    return only_choice(s) == NONE


@njit(cache=True)
def sow(s, hole, way):
    """Sow the seeds of a hole, one in every following hole; return the hole of the last one."""
    hand = s[hole]
    s[hole] = 0
    for _ in range(hand):
        hole = (hole + way) % (2 * width(s))
        s[hole] += 1
    return hole


@njit(cache=True)
def take(s, hole, n):
    s[hole] -= n
    s[STORE + s[MOVER]] += n


@njit(cache=True)
def sow_to_next(s, hole, most):
    """Sow with relays from the hole after the last seed; capture at most `most` holes beyond empty ones."""
    ring = 2 * width(s)
    for lap in range(MAX_LAPS):
        hole = sow(s, hole, s[WAY])
        after = (hole + s[WAY]) % ring
        if lap == MAX_LAPS - 1:
            return
        if s[after] == 0:
            break
        hole = after
    for k in range(most):
        empty, full = (hole + (2 * k + 1) * s[WAY]) % ring, (hole + (2 * k + 2) * s[WAY]) % ring
        if s[empty] > 0 or s[full] == 0:
            return
        take(s, full, s[full])


@njit(cache=True)
def sow_past_threes(game, s, hole):
    w = width(s)
    ring = 2 * w
    for lap in range(MAX_LAPS):
        hand = s[hole]
        s[hole] = 0
        while hand > 0:
            goal = (hole + s[WAY]) % ring
            if hand > 1:
                for _ in range(ring):
                    if s[goal] != 3 or s[ring + goal] > 0:
                        break
                    goal = (goal + s[WAY]) % ring
            hole = goal
            hand -= 1
            if s[ring + hole] > 0:
                s[STORE + s[ring + hole] - 1] += 1
            else:
                s[hole] += 1
        if lap == MAX_LAPS - 1 or s[ring + hole] > 0:
            return
        if s[hole] == 1:
            if game == DARAMUTU:
                take(s, ring - 1 - hole, s[ring - 1 - hole])
            return
        if s[hole] == 4 and game == KOTU_BAENDUM:
            if hole % w == 0 or hole % w == w - 1:
                s[ring + hole] = 1 + s[MOVER]
            take(s, hole, 4)
            return
        if s[hole] == 4:
            take(s, hole, 4)
            hole = (hole + s[WAY]) % ring
            if s[hole] == 0:
                return


@njit(cache=True)
def play_qelat(game, s, hole):
    w = width(s)
    ring = 2 * w
    p = s[MOVER]
    s[WAY] = 0
    while True:
        hole = sow(s, hole, 1)
        s[LAPS] += 1
        child = s[ring + hole]
        if s[LAPS] == MAX_LAPS or child == 1 + p:
            break
        if child == 2 - p:
            take(s, hole, 1 if game == QELAT_BY_SUMMARY else min(s[hole], 2))
            hole = only_choice(s)
            if hole == NONE:
                break
            if hole == SEVERAL:
                s[WAY] = 1
                return False
        elif s[hole] == 4 and hole // w != p:
            s[ring + hole] = 1 + p
            break
        elif s[hole] == 1:
            break
    s[LAPS] = 0
    return passes_on(s)


@njit(cache=True)
def play_congkak(s, hole):
    w = width(s)
    ring = 2 * w
    p = s[MOVER]
    s[WAY] = 0
    while True:
        hand = s[hole]
        s[hole] = 0
        in_store = False
        while hand > 0:
            in_store = hole == w * p and not in_store
            if in_store:
                s[STORE + p] += 1
            else:
                hole = (hole - 1) % ring
                s[hole] += 1
            hand -= 1
        s[LAPS] += 1
        if s[LAPS] == MAX_LAPS:
            break
        if in_store:
            hole = only_choice(s)
            if hole == NONE:
                break
            if hole == SEVERAL:
                s[WAY] = 1
                return False
        elif s[hole] == 1:
            across = ring - 1 - hole
            if hole // w == p and s[across] > 0:
                take(s, hole, 1)
                take(s, across, s[across])
            break
    s[LAPS] = 0
    return passes_on(s)


@njit(cache=True)
def play_pallanguzhi(s, hole):
    ring = 2 * width(s)
    for lap in range(MAX_LAPS):
        hand = s[hole]
        s[hole] = 0
        while hand > 0:
            hole = (hole + 1) % ring
            hand -= 1
            s[hole] += 1
            if s[hole] == 4 and lap < MAX_LAPS - 1:
                s[STORE + hole // (ring // 2)] += 4
                s[hole] = 0
        hole = (hole + 1) % ring
        if s[hole] == 0:
            if lap < MAX_LAPS - 1:
                beyond = (hole + 1) % ring
                take(s, beyond, s[beyond])
            break
    s[MOVER] = 1 - s[MOVER]
    return only_choice(s) == NONE


@njit(cache=True)
def passes_on(s):
    """Pass the turn, or keep it if the opponent cannot move; return whether neither player can."""
    s[MOVER] = 1 - s[MOVER]
    if only_choice(s) == NONE:
        s[MOVER] = 1 - s[MOVER]
    return only_choice(s) == NONE


@njit(cache=True)
def lead_of(s, in_rows):
    """Player 0's lead in stores, tied holes and children, with `in_rows` also in the seeds left in the rows."""
    w = width(s)
    lead = s[STORE] - s[STORE + 1]
    for hole in range(2 * w):
        kept = s[2 * w + hole]
        if kept > 0 or in_rows:
            owner = kept - 1 if kept > 0 else hole // w
            lead += s[hole] if owner == 0 else -s[hole]
    return lead


# The search.


@njit(cache=True)
def key_of(s, factor):
    key = np.uint64(0)
    for k in range(len(s) - 2):
        key = (key ^ np.uint64(s[k] + 1)) * np.uint64(factor)
        key ^= key >> np.uint64(29)
    return key


@njit(cache=True)
def slot_of(s, keys, table):
    """Return the table slot of a position; an entry of another position is replaced by an empty one."""
    key = key_of(s, 0x9E3779B97F4A7C15)
    slot = np.int64(key_of(s, 0xC2B2AE3D27D4EB4F) >> np.uint64(40)) & (len(keys) - 1)
    if keys[slot] != key:
        keys[slot] = key
        table[slot] = 0
        table[slot, BOUND : BOUND + 2] = -1000
        table[slot, UNKNOWN_GOAL : UNKNOWN_GOAL + 2] = 1000
    return slot


@njit(cache=True)
def search(game, s, asker, goal, left, stack, keys, table):
    """Null-window search: can player `asker` lead by at least `goal` at the end?

    Return YES, NO, or UNKNOWN if `left` decisions do not prove either.
    """
    other = 1 - asker
    lead = s[STORE + asker] - s[STORE + other]
    rest = s[: 2 * width(s)].sum()
    if lead - rest >= goal:
        return YES
    if lead + rest < goal:
        return NO
    slot = slot_of(s, keys, table)
    if table[slot, BOUND + asker] >= goal - lead:
        return YES
    if table[slot, BOUND + other] > lead - goal:
        return NO
    if left == 0 or (table[slot, UNKNOWN_GOAL + asker] <= goal - lead and table[slot, UNKNOWN_DEPTH + asker] >= left):
        return UNKNOWN
    mine = s[MOVER] == asker
    sign = 1 if asker == 0 else -1
    hash_move = table[slot, BEST] - 1
    order = np.full(2 * width(s), -1000)
    answer = NO if mine else YES
    best_action = -1
    for action in range(len(order)):
        if not legal(game, s, action):
            continue
        after = stack[left, action]
        after[:] = s
        if play(game, after, action):
            won = sign * lead_of(after, True) >= goal
            if won == mine:
                answer, best_action = YES if won else NO, action
                break
            continue
        gained = sign * lead_of(after, False)
        order[action] = 2 * (gained if mine else -gained) + (after[MOVER] == s[MOVER])
        if action == hash_move:
            order[action] = 1000
    while best_action < 0:
        action = order.argmax()
        if order[action] == -1000:
            break
        order[action] = -1000
        result = search(game, stack[left, action], asker, goal, left - 1, stack, keys, table)
        if (result == YES) == mine:
            answer, best_action = result, action
        elif result == UNKNOWN:
            answer = UNKNOWN
    slot = slot_of(s, keys, table)
    if best_action >= 0:
        table[slot, BEST] = 1 + best_action
    if answer == YES:
        table[slot, BOUND + asker] = max(table[slot, BOUND + asker], goal - lead)
    elif answer == NO:
        table[slot, BOUND + other] = max(table[slot, BOUND + other], 1 + lead - goal)
    else:
        table[slot, UNKNOWN_GOAL + asker] = goal - lead
        table[slot, UNKNOWN_DEPTH + asker] = left
    return answer


class Round:
    """A round of one of `GAMES`, to be solved from its first position."""

    def __init__(self, name, columns, seeds=4):
        self.game = GAMES.index(name)
        self.unit = 2 * columns * seeds
        self.first = np.zeros(4 * columns + 6, np.int64)
        self.first[: 2 * columns] = seeds
        self.keys = np.zeros(SLOTS, np.uint64)
        self.table = np.zeros((SLOTS, BEST + 1), np.int16)
        self.stack = np.zeros((MAX_DEPTH + 1, 2 * columns, len(self.first)), np.int64)

    def reaches(self, position, goal):
        """Return whether player 0 leads by at least `goal` at the end, UNKNOWN if that needs longer lines."""
        left = MIN_DEPTH
        while left <= MAX_DEPTH:
            for asker, wanted in ((0, goal), (1, 1 - goal)):
                answer = search(self.game, position, asker, wanted, left, self.stack, self.keys, self.table)
                if answer != UNKNOWN:
                    return answer if asker == 0 else YES - answer
            left = left * 3 // 2
        return UNKNOWN

    def value(self):
        low, high = -self.unit, self.unit
        while low < high:
            goal = (low + high + 1) // 2
            answer = self.reaches(self.first, goal)
            assert answer != UNKNOWN, f"not proved by {MAX_DEPTH} decisions"
            if answer == YES:
                low = goal
            else:
                high = goal - 1
        return low

    def best(self, value):
        """Return the first actions that preserve the value."""
        found = []
        for action in range(self.stack.shape[1]):
            if legal(self.game, self.first, action):
                after = self.first.copy()
                over = play(self.game, after, action)
                if lead_of(after, True) >= value if over else self.reaches(after, value) == YES:
                    found.append(action)
        return found
