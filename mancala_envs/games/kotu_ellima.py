r"""
# Kotu Ellima (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | 49 points: a square with a triangle, a room, at each face |
| Soldiers | 24 each; option `setup` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import kotu_ellima_v0` |

```
             0 --------- 1 --------- 2
                \        |        /                             2     2     2
                   3 --- 4 --- 5                                   2  2  2
                      \  |  /                             1     2  2  2  2  2     2
 6           7 --- 8 --- 9 --- 10 -- 11          12          1  1  2  2  2  2  2
 |  \        |  \  |  /  |  \  |  /  |        /  |        1  1  1  1  .  2  2  2  2
 |     13    14 -- 15 -- 16 -- 17 -- 18    19    |           1  1  1  1  1  2  2
 |     |  \  |  /  |  \  |  /  |  \  |  /  |     |        1     1  1  1  1  1     2
 20 -- 21 -- 22 -- 23 -- 24 -- 25 -- 26 -- 27 -- 28                1  1  1
 |     |  /  |  \  |  /  |  \  |  /  |  \  |     |              1     1     1
 |     29    30 -- 31 -- 32 -- 33 -- 34    35    |
 |  /        |  /  |  \  |  /  |  \  |        \  |
 36          37 -- 38 -- 39 -- 40 -- 41          42
                      /  |  \
                   43 -- 44 -- 45
                /        |        \
             46 -------- 47 -------- 48
```
Only what a stroke joins is joined: 13 and 14, say, are not, nor 6 and 7. On the right the set-up.

## Rules
Source: L. Ludovisi, "The sports and games of the Singhalese", 1873, pp. 33-34 ("the Taking of the Castles"), with the
Ludii portal's summary above it (evidence 823).

1. Each has 24 soldiers, on all points but the middle one, "each player taking one diagonal half of the board". Player 0
   (1 in the drawing) sits below and begins, player 1 (2) above.
2. By turns a soldier steps along a line to an empty neighbouring point; or he captures: over an enemy on a neighbouring
   point to the next point in the same direction on that line, if it is empty. The enemy is taken off at once. Nobody
   captures over one of his own, or over two.
3. "Exactly the same as draughts": who can capture must, with whichever soldier and whatever he likes, and go on with
   the same soldier as long as that one can, in any direction. A single way to go on the engine plays itself.
4. "The first move made into this point is a sacrifice, for the piece is immediately taken": each of the four
   first moves is into the middle, and can be answered by the soldier opposite, over the middle into the place just
   left.
5. A player who has no soldier left has lost, and so has one who has soldiers but no move.

## Not settled by the source, decided here
* Which half is whose: the board is cut along 7 15 24 33 41. Player 0 has all points below it, with the rooms below him
  and on his left, and of the line those nearer to him, 33 and 41. `setup="rows"`: as in Peralikatuma with 24 soldiers;
  34 is player 0's then, 14 player 1's.
* Player 0 begins.
* Soldiers step and capture in every direction, backwards too: men that only go forward cannot be meant on halves cut by
  a diagonal. There is no crowning, and no rule of the greater number.
* `capture="free"`, as in Peralikatuma: nobody must capture, and who could go on may stop.
* Draws: `quiet_turns` turns in a row without a capture, then `max_turns` turns; both looked at when a turn ends, after
  the victory.

Half a turn lays the set-up on itself, with the players changed; nothing else does.

## Actions
Actions are seen from the mover's side: for player 1 the board is turned by half a turn, as in the observation. Point p
of an action is point 48 - p of `board`, and direction d is direction (d + 4) mod 8.

## Observation
Player 1 sees the points turned round, as from their side of the board: their column i is point 48 - i.

## Options
With `reward="margin"` the soldiers one captured minus those the other did are paid, as a part of 48. Ludii:
`setup="rows", capture="free"`, but one capture a turn. No campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play, share_of_winner_or_margin
from mancala_envs.core.rule import rule
from mancala_envs.families.points import verbs, wars
from mancala_envs.families.points.wars import set_out, set_up

__all__ = ["RULE_BOOK"]

SETUPS = ("diagonal", "rows")
SET_UPS = np.array(
    [
        set_up("22222 12222 11.22 11112 11111"),
        set_up("22222 22222 11.22 11111 11111"),
    ]
)
"""By the option `setup`."""
ALL_SOLDIERS = 48

OPTIONS = (
    Option("setup", "diagonal", choices=SETUPS),
    Option("capture", "compulsory", choices=("free", "compulsory")),
    Option("quiet_turns", 100),
    Option("max_turns", 1000),
    REWARD,
)


@rule
def begin(s):
    set_out(s, SET_UPS[s.setup])


@rule
def all_soldiers(s):
    return ALL_SOLDIERS


def check(s, options, given):
    wars.check(s, options, SET_UPS[SETUPS.index(options["setup"])])


RULE_BOOK = RuleBook(
    name="kotu_ellima",
    title="Kotu Ellima",
    text=__doc__,
    options=OPTIONS,
    record=wars.record,
    rules=Rules(wars.num_actions, begin, wars.legal, verbs.play, wars.observe, worth=wars.lead),
    family={verbs.carry_out: wars.carry_out},
    result=Result(named_by_play, share_of_winner_or_margin, score=wars.taken, whole=all_soldiers),
    presentation=wars.PRESENTATION,
    positions=Positions(check),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + ALL_SOLDIERS,
)
__doc__ = RULE_BOOK.page
