"""
# Oware Abapa

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 6 holes; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import oware_v0` |

```
      11 10  9  8  7  6      North, player_1
  [1]                   [0]
       0  1  2  3  4  5      South, player_0
```
Sowing runs anticlockwise, by increasing number; the stores are off the ring.

## Rules
A game that people still play; it is not in the sources of this library. Most users of mancala games know it, so it
serves for comparison. The rules are exactly those of OpenSpiel's `oware`.

1. Lift one of your own holes that holds seeds and sow anticlockwise. The lifted hole is always skipped.
2. If the last seed falls into a hole of the opponent and makes it 2 or 3, capture these seeds, and those of each hole
   of the opponent before it, in unbroken sequence, that also holds 2 or 3. A move that would capture all seeds of the
   opponent (a grand slam) is legal but captures nothing.
3. If the opponent's row is empty, you must play a move that gives the opponent seeds. If there is none, the round ends
   and you take the seeds in your row.
4. The round also ends when a player has more than half of the seeds, when both have half, or when a position (holes,
   stores and player to move) repeats; the opening position counts. The seeds in a row then move to its player's store.
   After `max_turns` turns the round ends in the same way.

The last field of the record, `history`, holds the positions since the last capture. Earlier ones cannot occur again.

## Position
A loaded position is the first of its game: no earlier position counts for repetition.

## Observation
Observations do not contain the history, so they do not show whether a move repeats a position.

## Options
The history has room for `max_turns` positions. At most 255 seeds are in play. There is no campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import BY_RULES, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.explanation import captured, emptied, sowing
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store, most_decisions
from mancala_envs.families.mancala.rows import (
    all_seeds,
    lifts,
    num_actions,
    observe_rows,
    other_side,
    row_columns,
    row_seeds,
    seeds,
)
from mancala_envs.families.mancala.sow import lift, sow_skipping

__all__ = ["RULE_BOOK"]

MOST_TURNS = 10**6
"""The record holds every position since the last capture."""
OPTIONS = (
    Option("columns", 6, size=True),
    Option("seeds", 4),
    Option("max_turns", 1000, highest=MOST_TURNS, size=True),
    REWARD,
)


def record(options):
    """Return the fields of a record. A row of `history` is one position: holes, stores and player to move."""
    holes = 2 * options["columns"]
    row = -(-(holes + 4) // 8) * 8  # a whole number of words
    more = [
        Field("positions", "i4", "positions since the last capture"),
        Field("history", "u1", "these positions", (options["max_turns"] + 1, row)),
    ]
    return fields(holes, players=2, more=more)


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0
    forget(s)
    remember(s)


@rule(inline=True)
def max_turns(s):
    return len(s.history) - 1


@rule
def legal(s, action):
    width = len(s.holes) // 2
    seeds = s.holes[action + width * s.to_move]
    gives = seeds >= width - action
    return seeds > 0 and (gives or row_seeds(s, 1 - s.to_move) > 0)


@rule
def play(s, action):
    last = sow_skipping(s, action + len(s.holes) // 2 * s.to_move)
    if capture(s, last):
        forget(s)
    s.to_move = 1 - s.to_move
    s.turn += 1
    if ends(s):
        take_own_sides(s)
        s.ended = BY_RULES
    else:
        remember(s)


@rule
def capture(s, last):
    """Capture the twos and threes of the other row up to hole `last`; return whether anything was captured."""
    width = len(s.holes) // 2
    other = 1 - s.to_move
    seeds = 0
    hole = last
    while hole // width == other and 2 <= s.holes[hole] <= 3:
        seeds += s.holes[hole]
        hole -= 1
    grand_slam = seeds == row_seeds(s, other)
    if seeds == 0 or grand_slam:
        return False
    for taken in range(hole + 1, last + 1):
        s.store[s.to_move] += lift(s, taken)
    return True


@rule
def ends(s):
    return has_half(s) or s.turn >= max_turns(s) or is_known(s) or not can_move(s)


@rule
def has_half(s):
    """Return whether a player has more than half of the seeds, or both have half."""
    half = s.seeds * (len(s.holes) // 2)
    return s.store[0] > half or s.store[1] > half or (s.store[0] == half and s.store[1] == half)


@rule
def can_move(s):
    for action in range(num_actions(s)):
        if legal(s, action):
            return True
    return False


@rule
def take_own_sides(s):
    width = len(s.holes) // 2
    for hole in range(2 * width):
        s.store[hole // width] += lift(s, hole)


@rule
def is_known(s):
    """Return whether the position has occurred since the last capture.

    Only every second position has the same player to move, and none repeats before every hole was lifted once, one per
    turn: lifting a hole drops a seed in the next one, which leaves without a capture only when that hole is lifted.
    """
    for row in range(s.positions - len(s.holes), -1, -2):
        if is_present(s, row):
            return True
    return False


@rule
def is_present(s, row):
    """Return whether this row of the history equals the current position."""
    ring = len(s.holes)
    for hole in range(ring):
        if s.history[row, hole] != s.holes[hole]:
            return False
    for p in range(2):
        if s.history[row, ring + p] != s.store[p]:
            return False
    return s.history[row, ring + 2] == s.to_move


@rule
def remember(s):
    """Append the current position to the history."""
    ring = len(s.holes)
    for hole in range(ring):
        s.history[s.positions, hole] = s.holes[hole]
    for p in range(2):
        s.history[s.positions, ring + p] = s.store[p]
    s.history[s.positions, ring + 2] = s.to_move
    s.positions += 1


@rule
def forget(s):
    """Empty the history."""
    s.history[: s.positions] = 0
    s.positions = 0


@rule(inline=True)
def observe(s, p, out):
    observe_rows(s, p, max_turns(s), out)


def check(s, options, given):
    """Start the history with a loaded position; if a history is given, its last position must be the current one."""
    current = np.zeros(s.history.shape[1], np.uint8)
    current[: len(s.holes) + 3] = [*s.holes, *s.store, int(s.to_move) % 256]
    if "positions" in given:
        # After a capture that ended the game the history is empty.
        known, fewest, most = int(s.positions), int(s.to_move >= 0), min(len(s.history), int(s.turn) + 1)
        require(fewest <= known <= most, f"positions must lie in {fewest}..{most}, got {known}")
        held = s.to_move < 0 or (s.history[known - 1] == current).all()
        require(held, "the last position of the history must be the current one")
    else:
        s.history[:] = 0
        s.history[0] = current
        s.positions = 1
    check_seeds(s, seeds(options))


def describe_capture(before, s, last):
    taken = emptied(before, s)
    if taken:
        return captured(before, taken)
    grand_slam = last // (len(s.holes) // 2) != s.to_move and 2 <= s.holes[last] <= 3
    return "captures nothing, because that would be all of the opponent's seeds" if grand_slam else ""


def describe_own_sides(before, s):
    gained = (s.store - before.store).tolist()
    return f"player_0 takes {gained[0]} left in their row, player_1 {gained[1]}"


DESCRIPTIONS: Descriptions = {
    **sowing(),
    capture: Summary(describe_capture),
    take_own_sides: Summary(describe_own_sides),
}

RULE_BOOK = RuleBook(
    name="oware",
    title="Oware Abapa",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=in_store),
    result=by_scores(in_store, all_seeds),
    presentation=Presentation(
        board=two_rows,
        observation=lambda options: row_columns(options["columns"], seeds(options)),
        actions=lambda options: lifts(options["columns"]),
        phases={0: "lift a hole"},
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds in store",
    ),
    positions=Positions(check, hidden=("positions", "history")),
    check_options=lambda options, campaign: check_capacity(seeds(options)),
    most_decisions=most_decisions,
)
__doc__ = RULE_BOOK.page
