"""
# Oware Abapa

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 6 holes; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Decisions | `Discrete(6)` |
| Observation | `(17,)` uint8, from the observing player's side |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import oware_v0` |

```
      11 10  9  8  7  6      North, player_1
  [1]                   [0]
       0  1  2  3  4  5      South, player_0
```
Sowing runs anticlockwise, by increasing number; the stores are off the ring.

## Rules
A living game, not in the sources of this library; a yardstick every mancala user knows. It is OpenSpiel's `oware`
move for move.

1. Lift one of your own holes that holds seeds and sow anticlockwise; the lifted hole is passed over on every round.
2. Last seed in an opponent's hole, making it 2 or 3: capture it and each opponent's hole before it, in unbroken
   sequence, that holds 2 or 3. A capture of all the opponent's seeds is not made (grand slam): the move stands.
3. If the opponent's row is empty you must play a move that gives him seeds; if you have none, the round ends and you
   take what is on your side.
4. The round also ends when a player has more than half the seeds, both have half, or a position (holes, stores and
   player to move; the opening counts) repeats. Each player takes his own side: what is left moves to the stores.
   `max_turns` ends the round in the same way.

The history of positions since the last capture is exact; it is the last field of the record. A filter, of one bit for
each of its positions, tells at once of most new positions that they are not in it.

## Actions
| number | meaning |
|---|---|
| 0..5 | lift own hole, left to right as its owner sees it |

## Observation
| columns | meaning |
|---|---|
| 0..5 | seeds in own holes, left to right |
| 6..11 | seeds in the other's holes, left to right as he sees them (anticlockwise from the own row) |
| 12, 13 | own store, the other's store |
| 14 | 1 when the observing player decides now |
| 15 | 1 when the game is over |
| 16 | turns left before `max_turns`, 255 where more |

The history is not in it: a repetition comes unannounced.

## Options
`columns` (6), `seeds` (4), `max_turns` (1000; the history has room for so many positions), `reward` (`"win"`,
`"margin"`). At most 255 seeds. No campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.board import two_rows
from mancala_envs.core.game import RuleBook
from mancala_envs.core.observation import observe_rows, row_columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.sow import MOST_PACKED_COLUMNS, add, lift, sow_skipping_packed
from mancala_envs.core.state import BY_RULES, state_dtype
from mancala_envs.core.words import equal_flags, ones, row_bits, row_is_empty, row_of, sum_bytes

OPTIONS = (
    Option("columns", 6, size=True),
    Option("seeds", 4),
    Option("max_turns", 1000, size=True),
    REWARD,
)

_MASK = 0xFFFFFFFFFFFFFFFF
_MIXER = 0x9E3779B97F4A7C15
_LOW_BITS = np.uint64(0x0101010101010101)
_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_TO_LAST = np.uint64(0x0001020304050607)
"""How far it is from each byte to the last."""
_ONE, _S7, _S8, _S16, _S32, _S55 = (np.uint64(number) for number in (1, 7, 8, 16, 32, 55))

FILTER_WORDS = 8
"""Long enough that of 60 new positions one finds its bit set; half of that is slower."""
MOST_PACKED_SEEDS = 127
"""With more, a byte plus 127 would run over in `liftable`."""


def record(options):
    """The common fields, and the positions since the last capture as words, with their filter."""
    holes = 2 * options["columns"]
    words = state_dtype(holes, 2, []).fields["chance"][1] // 8
    history = ("history", "u8", (options["max_turns"] + 1, words))
    return state_dtype(holes, players=2, fields=[("positions", "i4"), ("filter", "u8", (FILTER_WORDS,)), history])


@rule
def num_actions(s):
    return len(s.holes) // 2


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0
    forget(s)
    remember(s, mark_of(s.word))


@inlined_rule
def max_turns(s):
    return len(s.history) - 1


@rule
def legal(s, action):
    width = len(s.holes) // 2
    seeds = s.holes[action + width * s.to_move]
    gives = seeds >= width - action
    # Mostly the other has seeds; whether these reach him the processor cannot guess.
    return seeds > 0 and (not row_is_empty(s, 1 - s.to_move) or gives)


@rule
def legal_word(s, word):
    """`legal` of 64 actions at once; mostly the other has seeds, and any hole will do."""
    if not row_is_empty(s, 1 - s.to_move):
        return row_bits(s, s.to_move, word)
    bits = np.uint64(0)
    first = 64 * word
    for action in range(first, min(num_actions(s), first + 64)):
        bits |= np.uint64(legal(s, action)) << np.uint64(action - first)
    return bits


@inlined_rule
def legal_flags(low, high, mover, width):
    """`legal` as 1 in the bytes of a word, as core.lanes needs it."""
    return liftable(row_of(low, high, width, mover), row_of(low, high, width, 1 - mover), width)


@inlined_rule
def liftable(own, other, width):
    """1 in the bytes of the row `own` that may be lifted when the other row is `other`."""
    # One seed will do, or one and as many as there are holes after it.
    besides = np.uint64(0) if other else _TO_LAST >> np.uint64(64 - 8 * width)
    return (own + (_LOW_SEVEN - besides)) >> _S7 & _LOW_BITS


@inlined_rule
def play(s, action):
    width = len(s.holes) // 2
    if 4 <= width <= min(6, MOST_PACKED_COLUMNS) and total(s) <= MOST_PACKED_SEEDS:
        settle(s, *play_words(s.word[0], s.word[1], s.to_move & 1, action, width))
    else:
        play_plain(s, action)


@inlined_rule
def play_words(low, high, mover, action, width):
    """`play_plain` up to `ends`, without branches, as core.lanes needs it.

    Returns the words, the seeds captured and the position's mark, which is -1 where the next player cannot move.
    """
    action &= 7
    own, other = row_of(low, high, width, mover), row_of(low, high, width, 1 - mover)
    origin = np.uint64(8 * action)
    lifted = own >> origin & np.uint64(MOST_PACKED_SEEDS)

    # Whole laps, which pass the origin over, and up to one more, whose last seed falls `last` holes after own hole 0.
    lap = 2 * width - 1
    # Vectors cannot divide by `lap`.
    laps = max(np.int64(lifted) - 1, 0) * (4096 // lap + 1) >> 12
    last = action + np.int64(lifted) - lap * laps
    each = np.uint64(laps) * ones(width)
    reached = ones(min(max(last - width + 1, 0), width))
    own = own + each - ((lifted + np.uint64(laps)) << origin)
    own = own + (ones(min(last + 1, width)) & ~ones(action + 1)) + ones(max(last - 2 * width + 1, 0))
    other = other + each + reached

    # Down from the last hole reached: the holes up to the first that is not two or three.
    breaks = reached & ~equal_flags(other & ~_LOW_BITS, 2)
    breaks = breaks | breaks >> _S8
    breaks = breaks | breaks >> _S16
    breaks = breaks | breaks >> _S32
    run = reached & ~breaks
    captured = other & ((run << _S8) - run)
    captured = np.uint64(0) if last >= 2 * width or captured == other else captured
    other = other - captured
    gained = sum_bytes(captured)

    south, north = (other, own) if mover else (own, other)
    rows_end = np.uint64(16 * width - 64)
    low = south | north << np.uint64(8 * width)
    high = north >> np.uint64(64 - 8 * width) | high >> rows_end << rows_end
    high = add(high, np.uint64(gained) << np.uint64(8 * (2 * width + mover - 8)))
    high = high ^ _ONE << np.uint64(8 * (2 * width + 2 - 8))
    mark = mark_of((low, high))
    return low, high, gained, mark if liftable(other, own, width) else -1


@inlined_rule
def settle(s, low, high, gained, mark):
    """What is left of a turn after `play_words`."""
    s.word[0], s.word[1] = low, high
    s.turn += 1
    if gained:
        forget(s)
    # One branch for all that is seldom.
    if (mark < 0) | has_half(s) | (s.turn >= max_turns(s)) or is_known(s, mark):
        take_own_sides(s)
        s.ended = BY_RULES
    else:
        s.ended = 0
        remember(s, mark)


@rule
def play_plain(s, action):
    width = len(s.holes) // 2
    mover = s.to_move
    last = sow_skipping_packed(s, action + width * mover)
    if capture(s, last):
        forget(s)
    s.to_move = 1 - mover
    s.turn += 1
    if ends(s):
        take_own_sides(s)
        s.ended = BY_RULES
    else:
        remember(s, mark_of(s.word))


@rule
def capture(s, last):
    """Take the twos and threes that end in hole `last`; says whether anything was taken."""
    width = len(s.holes) // 2
    mover = s.to_move
    first = width * (1 - mover)
    hole = last
    while first <= hole < first + width and 2 <= s.holes[hole] <= 3:
        hole -= 1
    if hole == last:
        return False
    spared = 0
    for other in range(first, first + width):
        if other <= hole or other > last:
            spared += s.holes[other]
    if spared == 0:
        return False
    for taken in range(hole + 1, last + 1):
        s.store[mover] += lift(s, taken)
    return True


@rule
def ends(s):
    return has_half(s) or s.turn >= max_turns(s) or is_known(s, mark_of(s.word)) or not can_move(s)


@rule
def has_half(s):
    """Whether a player has more than half the seeds, or both have half."""
    half = s.seeds * (len(s.holes) // 2)
    return s.store[0] > half or s.store[1] > half or (s.store[0] == half and s.store[1] == half)


@rule
def can_move(s):
    for word in range((num_actions(s) + 63) // 64):
        if legal_word(s, word):
            return True
    return False


@rule
def take_own_sides(s):
    width = len(s.holes) // 2
    for hole in range(2 * width):
        s.store[hole // width] += lift(s, hole)


@inlined_rule
def mark_of(words):
    """Which bit of the filter stands for a position."""
    mark = np.uint64(0)
    for word in words:
        mark = np.uint64((int(mark ^ word) * _MIXER) & _MASK)
    return np.int64(mark >> _S55)


@rule
def is_known(s, mark):
    """Whether the position, of this mark, has been there since the last capture."""
    if not s.filter[mark // 64] >> np.uint64(mark % 64) & _ONE:
        return False
    for position in range(s.positions):
        same = True
        for word in range(len(s.word)):
            same &= s.history[position, word] == s.word[word]
        if same:
            return True
    return False


@rule
def remember(s, mark):
    for word in range(len(s.word)):
        s.history[s.positions, word] = s.word[word]
    s.positions += 1
    s.filter[mark // 64] |= _ONE << np.uint64(mark % 64)


@rule
def forget(s):
    for position in range(s.positions):
        for word in range(len(s.word)):
            s.history[position, word] = 0
    s.positions = 0
    for word in range(FILTER_WORDS):
        s.filter[word] = 0


@rule
def captured(s, p):
    return np.int64(s.store[p])


@rule
def count(s, p):
    return np.int64(s.store[p])


@rule
def total(s):
    return len(s.holes) * s.seeds


@inlined_rule
def observe(s, p, out):
    observe_rows(s, p, max_turns(s), out)


def seeds(options):
    return 2 * options["columns"] * options["seeds"]


def observation(options):
    return row_columns(options["columns"], seeds(options))


def check(s, options, given):
    """A loaded position is the first one known; of a parsed one the history must hold it. The filter follows."""
    words = np.frombuffer(s.tobytes(), np.uint64, s.history.shape[1])
    if "positions" in given:
        # A game that ended with a capture knows no position.
        known, fewest, most = int(s.positions), int(s.to_move >= 0), min(len(s.history), int(s.turn) + 1)
        if not fewest <= known <= most:
            raise ValueError(f"oware: positions must lie in {fewest}..{most}, got {known}")
        if s.to_move >= 0 and (s.history[known - 1] != words).any():
            raise ValueError("oware: the last position of the history must be the present one")
    else:
        s.history[:] = 0
        s.history[0] = words
        s.positions = 1
    s.filter[:] = 0
    for words in s.history[: s.positions]:
        mark = mark_of(words)
        s.filter[mark // 64] |= _ONE << np.uint64(mark % 64)


RULE_BOOK = RuleBook(
    name="oware",
    title="Oware Abapa",
    page=__doc__,
    options=OPTIONS,
    record=record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=legal_word,
    play=play,
    max_turns=max_turns,
    legal_flags=legal_flags,
    play_words=play_words,
    settle=settle,
    abreast=lambda options: (
        4 <= options["columns"] <= min(6, MOST_PACKED_COLUMNS) and seeds(options) <= MOST_PACKED_SEEDS
    ),
    captured=captured,
    count=count,
    total=total,
    observe=observe,
    observation=observation,
    board=two_rows,
    check=check,
    phases={0: "lift a hole"},
    action_names=lambda options: [f"lift own hole {hole}" for hole in range(options["columns"])],
    hidden=("positions", "filter", "history"),
    derived=("filter",),
)
