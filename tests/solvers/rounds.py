"""Rounds of Parker's four games, Qelat, Kalah and Zigulzoqge, from their pages alone; and a search of its own.

It shares nothing with the library: the second program behind the values of rounds that are too large for sweeps over
all positions. A position is one array: seeds of the holes; whose tied hole or child each is (0 nobody's, 1 + p player
p's), a tied hole being empty, for its seeds lie as well in its owner's store; whose turn it is, the direction (Qelat:
whether the turn goes on), turns so far (two at most: what the opening of Kotu-baendum asks for), laps of a turn that
goes on, and both stores.

Rounds have no bound of turns or of quiet turns here: what is shown is shown by lines that end.
"""

import numpy as np
from numba import njit

PUHULMUTU, WALAK_PUSSA, KOTU_BAENDUM, DARAMUTU, ZIGULZOQGE, QELAT, QELAT_BY_SUMMARY, KALAH = range(8)
GAMES = {
    "puhulmutu": PUHULMUTU,
    "walak_pussa": WALAK_PUSSA,
    "kotu_baendum": KOTU_BAENDUM,
    "daramutu": DARAMUTU,
    "zigulzoqge": ZIGULZOQGE,
    "qelat": QELAT,
    "kalah": KALAH,
}

MOVER, WAY, TURN, LAPS, STORE = range(-6, -1)
"""Where in a position; the other store follows."""

MOST_LAPS = 256
SHORTEST, DEEPEST = 6, 96
SLOTS = 1 << 23

NO, OPEN, YES = range(3)

GAIN, OPEN_AT, TRIED, BEST = 0, 2, 4, 6
"""Of a position: what each player is sure to gain from there on; the last goal of his that stayed open, and with how
many decisions; by 1 + action what settled the last question."""


@njit(cache=True)
def width(s):
    return (len(s) - 6) // 4


# The rules.


@njit(cache=True)
def legal(game, s, action):
    w = width(s)
    row = w * s[MOVER]
    hole = row + action % w
    if s[hole] == 0 or s[2 * w + hole] > 0:
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
def liftable(s, hole, way):
    """A plain hole with seeds, but not a single seed in front if another can be lifted."""
    w = width(s)
    row = hole // w * w
    if s[hole] == 0 or s[2 * w + hole] > 0:
        return False
    if s[hole] > 1 or hole != (row + w - 1 if way > 0 else row):
        return True
    for other in range(row, row + w):
        if other != hole and s[other] > 0 and s[2 * w + other] == 0:
            return False
    return True


@njit(cache=True)
def play(game, s, action):
    """Returns whether the round is over."""
    w = width(s)
    hole = w * s[MOVER] + action % w
    if game == KALAH:
        return play_kalah(s, hole)
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
    return not can_move(s, s[MOVER])


@njit(cache=True)
def can_move(s, p):
    w = width(s)
    for hole in range(w * p, w * p + w):
        if s[hole] > 0 and s[2 * w + hole] == 0:
            return True
    return False


@njit(cache=True)
def take(s, hole, n):
    s[hole] -= n
    s[STORE + s[MOVER]] += n


@njit(cache=True)
def sow_to_next(s, hole, most):
    """Relays go on from the next hole; `most`: of the holes beyond empty ones, so many are captured."""
    ring = 2 * width(s)
    for lap in range(MOST_LAPS):
        hand = s[hole]
        s[hole] = 0
        for _ in range(hand):
            hole = (hole + s[WAY]) % ring
            s[hole] += 1
        after = (hole + s[WAY]) % ring
        if lap == MOST_LAPS - 1:
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
    for lap in range(MOST_LAPS):
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
        if lap == MOST_LAPS - 1 or s[ring + hole] > 0:
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
        hand = s[hole]
        s[hole] = 0
        for _ in range(hand):
            hole = (hole + 1) % ring
            s[hole] += 1
        s[LAPS] += 1
        child = s[ring + hole]
        if s[LAPS] == MOST_LAPS or child == 1 + p:
            break
        if child == 2 - p:
            take(s, hole, 1 if game == QELAT_BY_SUMMARY else min(s[hole], 2))
            choices = 0
            for own in range(w * p, w * p + w):
                if s[own] > 0 and s[ring + own] == 0:
                    choices += 1
                    hole = own
            if choices == 0:
                break
            if choices > 1:
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
def play_kalah(s, hole):
    w = width(s)
    ring = 2 * w
    p = s[MOVER]
    hand = s[hole]
    s[hole] = 0
    end = hole
    while hand > 0:
        if end == w * p + w - 1:
            s[STORE + p] += 1
            end = ring + p
        else:
            end = (w * p + w if end >= ring else end + 1) % ring
            s[end] += 1
        hand -= 1
    across = ring - 1 - end
    if end // w == p and s[end] == 1 and s[across] > 0:
        take(s, end, 1)
        take(s, across, s[across])
    if end < ring:
        s[MOVER] = 1 - p
    return not (can_move(s, 0) and can_move(s, 1))


@njit(cache=True)
def passes_on(s):
    """The other player is to move, or the same again if the other cannot; returns whether neither can."""
    s[MOVER] = 1 - s[MOVER]
    if not can_move(s, s[MOVER]):
        s[MOVER] = 1 - s[MOVER]
    return not can_move(s, s[MOVER])


@njit(cache=True)
def counted(s, in_rows):
    """Player 0's lead in stores, tied holes and children; `in_rows`: and in what lies in the rows at the end."""
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
def slot_of(s, keys, notes):
    """Where the position's notes are, new ones in place of another's if it had none."""
    key = key_of(s, 0x9E3779B97F4A7C15)
    slot = np.int64(key_of(s, 0xC2B2AE3D27D4EB4F) >> np.uint64(40)) & (len(keys) - 1)
    if keys[slot] != key:
        keys[slot] = key
        notes[slot] = 0
        notes[slot, GAIN : GAIN + 2] = -1000
        notes[slot, OPEN_AT : OPEN_AT + 2] = 1000
    return slot


@njit(cache=True)
def shows(game, s, asker, goal, left, room, keys, notes):
    """Whether the asker can lead by `goal` or more at the end: YES, NO, or OPEN where so many decisions do not show it.

    What is not shown counts against him: the other's first answer that he cannot meet settles the question.
    """
    other = 1 - asker
    lead = s[STORE + asker] - s[STORE + other]
    rest = s[: 2 * width(s)].sum()
    if lead - rest >= goal:
        return YES
    if lead + rest < goal:
        return NO
    slot = slot_of(s, keys, notes)
    if notes[slot, GAIN + asker] >= goal - lead:
        return YES
    if notes[slot, GAIN + other] > lead - goal:
        return NO
    if left == 0 or (notes[slot, OPEN_AT + asker] <= goal - lead and notes[slot, TRIED + asker] >= left):
        return OPEN
    mine = s[MOVER] == asker
    sign = 1 if asker == 0 else -1
    likely = notes[slot, BEST] - 1
    order = np.full(2 * width(s), -1000)
    answer = NO if mine else YES
    settled = -1
    for action in range(len(order)):
        if not legal(game, s, action):
            continue
        after = room[left, action]
        after[:] = s
        if play(game, after, action):
            won = sign * counted(after, True) >= goal
            if won == mine:
                answer, settled = YES if won else NO, action
                break
            continue
        gained = sign * counted(after, False)
        order[action] = 2 * (gained if mine else -gained) + (after[MOVER] == s[MOVER])
        if action == likely:
            order[action] = 1000
    while settled < 0:
        action = order.argmax()
        if order[action] == -1000:
            break
        order[action] = -1000
        heard = shows(game, room[left, action], asker, goal, left - 1, room, keys, notes)
        if (heard == YES) == mine:
            answer, settled = heard, action
        elif heard == OPEN:
            answer = OPEN
    slot = slot_of(s, keys, notes)
    if settled >= 0:
        notes[slot, BEST] = 1 + settled
    if answer == YES:
        notes[slot, GAIN + asker] = max(notes[slot, GAIN + asker], goal - lead)
    elif answer == NO:
        notes[slot, GAIN + other] = max(notes[slot, GAIN + other], 1 + lead - goal)
    else:
        notes[slot, OPEN_AT + asker] = goal - lead
        notes[slot, TRIED + asker] = left
    return answer


class Round:
    """The first position of a round, to be solved."""

    def __init__(self, name, columns, seeds=4, reading=None):
        self.game = QELAT_BY_SUMMARY if (name, reading) == ("qelat", "summary") else GAMES[name]
        self.unit = 2 * columns * seeds
        self.first = np.zeros(4 * columns + 6, np.int64)
        self.first[: 2 * columns] = seeds
        self.keys = np.zeros(SLOTS, np.uint64)
        self.notes = np.zeros((SLOTS, BEST + 1), np.int16)
        self.room = np.zeros((DEEPEST + 1, 2 * columns, len(self.first)), np.int64)

    def reaches(self, position, goal):
        """Whether player 0 gains so much or more, YES or NO; OPEN where longer lines would be needed."""
        left = SHORTEST
        while left <= DEEPEST:
            for asker, wanted in ((0, goal), (1, 1 - goal)):
                answer = shows(self.game, position, asker, wanted, left, self.room, self.keys, self.notes)
                if answer != OPEN:
                    return answer if asker == 0 else YES - answer
            left = left * 3 // 2
        return OPEN

    def value(self):
        low, high = -self.unit, self.unit
        while low < high:
            goal = (low + high + 1) // 2
            answer = self.reaches(self.first, goal)
            assert answer != OPEN, f"not shown by {DEEPEST} decisions"
            if answer == YES:
                low = goal
            else:
                high = goal - 1
        return low

    def best(self, value):
        """The first actions that keep the value."""
        found = []
        for action in range(self.room.shape[1]):
            if legal(self.game, self.first, action):
                after = self.first.copy()
                over = play(self.game, after, action)
                if counted(after, True) >= value if over else self.reaches(after, value) == YES:
                    found.append(action)
        return found
