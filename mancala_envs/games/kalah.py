"""
# Kalah

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 2 x 6 holes and two stores on the ring; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Decisions | `Discrete(6)` |
| Observation | `(17,)` uint8, from the observing player's side |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import kalah_v0` |

```
      11 10  9  8  7  6      North, player_1
  [1]                   [0]
       0  1  2  3  4  5      South, player_0
```
Sowing runs anticlockwise, by increasing number.

## Rules
A modern game, not in the sources of this library; a yardstick every mancala user knows. It is OpenSpiel's `mancala`
move for move.

1. Lift one of your own holes that holds seeds and sow anticlockwise, one seed in each hole and in your own store as
   you pass it, never in the other store. The lifted hole is not skipped.
2. Last seed in your own store: you move again, in the same turn.
3. Last seed in your own hole that was empty, and seeds in the opposite hole: those and the last seed go to your store.
4. The round ends when one side's holes are all empty after a move. Seeds left belong to the player in whose row they
   are; they are counted where they lie. More seeds win.
5. `max_turns` ends the round in the same way.

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

## Options
`columns` (6), `seeds` (4), `max_turns` (500), `reward` (`"win"`, `"margin"`). At most 255 seeds. No campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.board import two_rows
from mancala_envs.core.game import RuleBook
from mancala_envs.core.lanes import settle
from mancala_envs.core.observation import observe_rows, row_columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.sow import LAP_SEEDS, MOST_PACKED_COLUMNS, add, byte_of, is_packed, lap_table, lift, stack
from mancala_envs.core.state import BY_RULES, state_dtype
from mancala_envs.core.words import nonzero_flags, row_bits, row_is_empty, row_of

OPTIONS = (
    Option("columns", 6, size=True),
    Option("seeds", 4),
    Option("max_turns", 500),
    REWARD,
)


def record(options):
    """The common fields are all there is."""
    return state_dtype(holes=2 * options["columns"], players=2, fields=[])


def mover_ring(columns, mover):
    """The bytes a mover sows into, from his first hole: his row, his store, the other row."""
    row = list(range(columns))
    other = [columns + hole for hole in row]
    return [*row, 2 * columns, *other] if mover == 0 else [*other, 2 * columns + 1, *row]


LAPS = stack(
    [lap_table(mover_ring(w, mover))[: w + 1] for w in range(max(MOST_PACKED_COLUMNS, 0) + 1) for mover in (0, 1)]
)
"""`[2 * columns + mover, action, seeds]`: see `lap_table`."""
_ONE, _BYTE = np.uint64(1), np.uint64(255)


@rule
def num_actions(s):
    return len(s.holes) // 2


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0


@rule
def legal(s, action):
    own_row = len(s.holes) // 2 * s.to_move
    return s.holes[own_row + action] > 0


@rule
def legal_word(s, word):
    """`legal` of 64 actions at once."""
    return row_bits(s, s.to_move, word)


@inlined_rule
def legal_flags(low, high, mover, width):
    """`legal` as 1 in the bytes of a word, as core.lanes needs it."""
    return nonzero_flags(row_of(low, high, width, mover))


@rule
def sow_past_store(s, action):
    """Sow from own hole `action`; returns the last place: own row 0..W-1, own store W, the other row after it."""
    width = len(s.holes) // 2
    mover = s.to_move
    seeds = lift(s, action + width * mover)
    place = action
    for _ in range(seeds):
        place = (place + 1) % (2 * width + 1)
        if place == width:
            s.store[mover] += 1
        else:
            hole = place if place < width else place - 1
            s.holes[(hole + width * mover) % (2 * width)] += 1
    return place


@inlined_rule
def play(s, action):
    width = len(s.holes) // 2
    # `play_words` looks for the stores in the second word.
    if is_packed(s) and width >= 4 and s.holes[(action & 7) + width * (s.to_move & 1)] < LAP_SEEDS:
        settle(s, *play_words(s.word[0], s.word[1], s.to_move & 1, action, width))
    else:
        play_plain(s, action)


@rule
def play_plain(s, action):
    width = len(s.holes) // 2
    mover = s.to_move
    last = sow_past_store(s, action)
    own = last + width * mover
    opposite = 2 * width - 1 - own
    if last < width and s.holes[own] == 1 and s.holes[opposite] > 0:
        s.store[mover] += lift(s, own) + lift(s, opposite)
    over = row_is_empty(s, 0) or row_is_empty(s, 1)
    if last != width or over:
        s.turn += 1
        s.to_move = 1 - mover
    if over or s.turn >= s.max_turns:
        s.ended = BY_RULES


@inlined_rule
def play_words(low, high, mover, action, width):
    """`play_plain` without branches, as core.lanes needs it: where the last seed falls the processor cannot guess."""
    # Cut to their bits, numbers are not negative to the compiler, which then asks no questions at every index.
    action &= 7
    seeds = byte_of(low, high, action + width * mover) & (LAP_SEEDS - 1)
    last = (action + seeds) % (2 * width + 1)
    low = add(low, LAPS[2 * width + mover, action, seeds, 0])
    high = add(high, LAPS[2 * width + mover, action, seeds, 1])
    south, north = row_of(low, high, width, 0), row_of(low, high, width, 1)
    own_row, other_row = (north, south) if mover else (south, north)

    # After a last seed elsewhere `own` is a byte past the end of the row, which is empty: nothing is captured.
    own = np.uint64(8 * min(last, 7))
    opposite = np.uint64(8 * (width - 1 - last) & 63)
    taken = other_row >> opposite & _BYTE
    captures = np.uint64((own_row >> own & _BYTE == _ONE) & (taken > 0))
    taken = taken * captures
    from_own, from_other = captures << own, taken << opposite
    empty = (own_row == from_own) | (other_row == from_other)

    from_south, from_north = (from_other, from_own) if mover else (from_own, from_other)
    low = low - from_south - (from_north << np.uint64(8 * width))
    gained = (captures + taken) << np.uint64(8 * (2 * width + mover - 8))
    high = high - (from_north >> np.uint64(64 - 8 * width)) + gained
    passes = (last != width) | empty
    return low, high, np.int64(passes), np.int64(empty)


@rule
def captured(s, p):
    return np.int64(s.store[p])


@rule
def count(s, p):
    width = len(s.holes) // 2
    seeds = np.int64(s.store[p])
    for hole in range(width * p, width * p + width):
        seeds += s.holes[hole]
    return seeds


@rule
def total(s):
    return len(s.holes) * s.seeds


@inlined_rule
def observe(s, p, out):
    observe_rows(s, p, s.max_turns, out)


def seeds(options):
    return 2 * options["columns"] * options["seeds"]


def observation(options):
    return row_columns(options["columns"], seeds(options))


def check(s, options, given):
    """Every position is possible."""


RULE_BOOK = RuleBook(
    name="kalah",
    title="Kalah",
    page=__doc__,
    options=OPTIONS,
    record=record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=legal_word,
    play=play,
    legal_flags=legal_flags,
    play_words=play_words,
    abreast=lambda options: 4 <= options["columns"] <= min(6, MOST_PACKED_COLUMNS) and seeds(options) < LAP_SEEDS,
    captured=captured,
    count=count,
    total=total,
    observe=observe,
    observation=observation,
    board=two_rows,
    check=check,
    phases={0: "lift a hole"},
    action_names=lambda options: [f"lift own hole {hole}" for hole in range(options["columns"])],
)
