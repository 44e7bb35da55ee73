"""
# Bestemshe (Kazakhstan)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 5 holes; option `columns` |
| Seeds | 5 a hole; option `seeds` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import bestemshe_v0` |

```
       9  8  7  6  5      North, player_1
  [1]                [0]
       0  1  2  3  4      South, player_0
```
Sowing runs anticlockwise, by increasing number; the stores (*kazan*) are off the ring.

## Rules
"Five stones each": Togyz Kumalak on a smaller board and without the *tuzdyk*. Sources: PlayStrategy, library
strategygames (Bestemshe); the lessons of the Czech federation of mancala games (mankala.cz); A. Zeinulla and
T. Manassov, *Strongly Solving Bestemshe*, 2026.

1. Lift one of your own holes that holds seeds. A single seed goes to the next hole. Of several seeds, the first falls
   back into the hole just emptied, and the others go one by one into the following holes, anticlockwise; no hole is
   skipped.
2. Last seed in an opponent's hole, making it even: all of it goes to your store. Any other last seed captures nothing.
   The turn is over after one lap.
3. The round ends after a turn when a player has more than half of all seeds in the store, or when the player to move
   has no seeds in their row. A player who empties their own row has not lost: the opponent moves next, and may have to
   feed them.
4. Each player counts the seeds in their store and in their own row, and no seeds are moved. More seeds win; equal
   counts are a draw. `max_turns` ends the round in the same way.

Every capture takes an even number of seeds, so both counts are even when a row is empty. With 50 seeds a draw would
need 25 each, an odd number, so every round has a winner unless `max_turns` ends it.

## Not settled by the source, decided here
* The lessons say that the round ends when one side is empty. Here, as on PlayStrategy, it ends only when that side is
  to move.
* When a player has the majority, the seeds on the board are counted by rows; this matters only for `reward="margin"`.
* Endless play is possible and no source forbids it; `max_turns` bounds it.

## Options
`end="last"`: a majority does not end the round; play goes on until a player cannot move. At most 255 seeds. No
campaign.

## Versions
* v0: first version.
"""

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.explanation import in_rows, sowing
from mancala_envs.families.mancala.kumalak import (
    END,
    begin_with_seeds,
    end_turn,
    is_in_other_row,
    row_bonus,
    sow_leaving_one,
)
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store, most_decisions
from mancala_envs.families.mancala.rows import (
    all_seeds,
    holds_seeds,
    lifts,
    num_actions,
    observe,
    other_side,
    own_hole,
    row_columns,
    seeds,
    seeds_of_side,
)
from mancala_envs.families.mancala.sow import capture

__all__ = ["RULE_BOOK"]

OPTIONS = (Option("columns", 5, lowest=2, size=True), Option("seeds", 5), END, Option("max_turns", 300), REWARD)


@rule
def play(s, action):
    last = sow_leaving_one(s, own_hole(s, action))
    if is_in_other_row(s, last) and s.holes[last] % 2 == 0:
        capture(s, last)
    end_turn(s)


DESCRIPTIONS: Descriptions = sowing(in_rows, capture)

RULE_BOOK = RuleBook(
    name="bestemshe",
    title="Bestemshe",
    text=__doc__,
    options=OPTIONS,
    record=lambda options: fields(holes=2 * options["columns"], players=2),
    rules=Rules(num_actions, begin_with_seeds, holds_seeds, play, observe, worth=in_store, positional_bonus=row_bonus),
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
    positions=Positions(check=lambda s, options, given: check_seeds(s, seeds(options))),
    check_options=lambda options, campaign: check_capacity(seeds(options)),
    most_decisions=most_decisions,
)
__doc__ = RULE_BOOK.page
