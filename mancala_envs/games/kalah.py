"""
# Kalah

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 2 x 6 holes and two stores on the ring; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import kalah_v0` |

```
      11 10  9  8  7  6      North, player_1
  [1]                   [0]
       0  1  2  3  4  5      South, player_0
```
Sowing runs anticlockwise, by increasing number.

## Rules
A modern game that is not in the sources of this library. Most users of mancala games know it, so it serves for
comparison. The rules are exactly those of OpenSpiel's `mancala`.

1. Lift one of your own holes that holds seeds and sow anticlockwise: one seed in each hole and in your own store, none
   in the other store. The lifted hole is not skipped.
2. If the last seed falls into your own store, you move again, in the same turn.
3. If the last seed falls into an empty hole of your own and the opposite hole holds seeds, you capture these seeds and
   the last seed.
4. The round ends when all holes of one player are empty after a move. The seeds left in a row belong to its player and
   are counted where they lie. The player with more seeds wins.
5. After `max_turns` turns the round ends in the same way.

## Options
At most 255 seeds are in play. There is no campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.explanation import captured, sowing
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store
from mancala_envs.families.mancala.rows import (
    all_seeds,
    lifts,
    num_actions,
    observe,
    other_side,
    row_columns,
    row_is_empty,
    seeds,
    seeds_of_side,
)
from mancala_envs.families.mancala.sow import drop, drop_in_store, lift

__all__ = ["RULE_BOOK"]

OPTIONS = (Option("columns", 6, size=True), Option("seeds", 4), Option("max_turns", 500), REWARD)

SEED_BONUS, HOLE_BONUS = 3, 2
"""Positional bonus, in eighths of a seed, of each seed that sowing its hole keeps on the own side or in the own store,
and of each hole that holds seeds. Of about twenty weightings, minimax won most matches against itself with this one."""


@rule
def begin(s):
    s.holes[:] = s.seeds
    s.store[:] = 0


@rule
def legal(s, action):
    own_row = len(s.holes) // 2 * s.to_move
    return s.holes[own_row + action] > 0


@rule
def play(s, action):
    width = len(s.holes) // 2
    mover = s.to_move
    last = sow_past_store(s, action)
    own = last + width * mover
    opposite = 2 * width - 1 - own
    if last < width and s.holes[own] == 1 and s.holes[opposite] > 0:
        capture(s, own, opposite)
    over = row_is_empty(s, 0) or row_is_empty(s, 1)
    if last != width or over:
        s.turn += 1
        s.to_move = 1 - mover
    if over or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def capture(s, own, opposite):
    """Capture the last seed and the seeds opposite."""
    s.store[s.to_move] += lift(s, own) + lift(s, opposite)


@rule
def sow_past_store(s, action):
    """Sow from own hole `action`; return the last place: 0..W-1 own row, W own store, W+1..2W other row."""
    width = len(s.holes) // 2
    mover = s.to_move
    seeds = lift(s, action + width * mover)
    place = action
    for _ in range(seeds):
        place = (place + 1) % (2 * width + 1)
        if place == width:
            drop_in_store(s, mover)
        else:
            hole = place if place < width else place - 1
            drop(s, (hole + width * mover) % (2 * width))
    return place


@rule
def positional_bonus(s, p):
    """Return player p's positional bonus, in eighths of a seed; see `SEED_BONUS`."""
    width = len(s.holes) // 2
    eighths = 0
    for hole in range(width):
        seeds = np.int64(s.holes[width * p + hole])
        eighths += SEED_BONUS * min(seeds, width - hole) + HOLE_BONUS * (seeds > 0)
    return eighths


DESCRIPTIONS: Descriptions = {
    **sowing(),
    capture: Summary(lambda before, s, own, opposite: captured(before, [own, opposite])),
}

RULE_BOOK = RuleBook(
    name="kalah",
    title="Kalah",
    text=__doc__,
    options=OPTIONS,
    record=lambda options: fields(holes=2 * options["columns"], players=2),
    rules=Rules(num_actions, begin, legal, play, observe, worth=in_store, positional_bonus=positional_bonus),
    result=by_scores(seeds_of_side, all_seeds, secured_score=in_store),
    presentation=Presentation(
        board=two_rows,
        observation=lambda options: row_columns(options["columns"], seeds(options)),
        actions=lambda options: lifts(options["columns"]),
        phases={0: "lift a hole"},
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds in store and row",
    ),
    positions=Positions(
        check=lambda s, options, given: check_seeds(s, seeds(options)), counters=("store",), database_row="holes"
    ),
    check_options=lambda options, campaign: check_capacity(seeds(options)),
    # A decision that does not end its turn puts a seed into a store.
    most_decisions=lambda options: options["max_turns"] + seeds(options),
)
__doc__ = RULE_BOOK.page
