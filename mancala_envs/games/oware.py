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

The history of positions since the last capture is exact; it is the last field of the record.

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
from mancala_envs.core.sow import lift, sow_skipping_packed
from mancala_envs.core.state import BY_RULES, state_dtype
from mancala_envs.core.words import row_bits, row_is_empty

OPTIONS = (
    Option("columns", 6, size=True),
    Option("seeds", 4),
    Option("max_turns", 1000, size=True),
    REWARD,
)


def record(options):
    """The common fields, and the positions since the last capture as words."""
    holes = 2 * options["columns"]
    words = state_dtype(holes, 2, []).fields["chance"][1] // 8
    history = ("history", "u8", (options["max_turns"] + 1, words))
    return state_dtype(holes, players=2, fields=[("positions", "i4"), history])


@rule
def num_actions(s):
    return len(s.holes) // 2


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0
    forget(s)
    remember(s)


@rule
def legal(s, action):
    width = len(s.holes) // 2
    seeds = s.holes[action + width * s.to_move]
    gives = seeds >= width - action
    return seeds > 0 and (gives or not row_is_empty(s, 1 - s.to_move))


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


@rule
def play(s, action):
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
        remember(s)


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
    half = s.seeds * (len(s.holes) // 2)
    if s.store[0] > half or s.store[1] > half or (s.store[0] == half and s.store[1] == half):
        return True
    return s.turn >= len(s.history) - 1 or is_known(s) or not can_move(s)


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


@rule
def is_known(s):
    """Whether the position has been there since the last capture."""
    for position in range(s.positions):
        same = True
        for word in range(len(s.word)):
            same &= s.history[position, word] == s.word[word]
        if same:
            return True
    return False


@rule
def remember(s):
    for word in range(len(s.word)):
        s.history[s.positions, word] = s.word[word]
    s.positions += 1


@rule
def forget(s):
    for position in range(s.positions):
        s.history[position, :] = 0
    s.positions = 0


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
    observe_rows(s, p, len(s.history) - 1, out)


def seeds(options):
    return 2 * options["columns"] * options["seeds"]


def observation(options):
    return row_columns(options["columns"], seeds(options))


def check(s, options, given):
    """A loaded position is the first one known; of a parsed one the history must hold it."""
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
    captured=captured,
    count=count,
    total=total,
    observe=observe,
    observation=observation,
    board=two_rows,
    check=check,
    phases={0: "lift a hole"},
    action_names=lambda options: [f"lift own hole {hole}" for hole in range(options["columns"])],
    hidden=("positions", "history"),
)
