r"""
# Peralikatuma (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | 49 points: a square with a triangle, a room, at each face |
| Soldiers | 23 each; option `soldiers` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import peralikatuma_v0` |

```
             0 --------- 1 --------- 2
                \        |        /                             2     2     2
                   3 --- 4 --- 5                                   2  2  2
                      \  |  /                             1     2  2  2  2  2     2
 6           7 --- 8 --- 9 --- 10 -- 11          12          1  2  2  2  2  2  2
 |  \        |  \  |  /  |  \  |  /  |        /  |        1  1  1  .  .  .  2  2  2
 |     13    14 -- 15 -- 16 -- 17 -- 18    19    |           1  1  1  1  1  1  2
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
Source: H. Parker, *Ancient Ceylon*, 1909, p. 583 (Peralikatuma or Perali Kotuwa, "the War Enclosure"), with the Ludii
portal's summary above it (evidence 784). Parker calls it "a variety of the last", Hewakam Keliya, whose text is used
where this one is silent (evidence 792).

1. Each has two rows of the square, the room below him and the room on his left hand with its point on the square;
   "three empty places are then left along the central transverse line": 23, 24 and 25. Player 0 (1 in the drawing)
   sits below, player 1 (2) above.
2. By turns a soldier steps along a line to an empty neighbouring point, in any direction, backwards too; or he
   captures: over an enemy on a neighbouring point to the next point in the same direction on that line, if it is
   empty. The enemy is taken off at once. Nobody captures over one of his own, or over two.
3. "Exactly like kings at Draughts, no limit to the number which may be captured in one move": the same soldier may go
   on capturing, in any direction. When he can capture no more, the turn ends by itself.
4. There is "the option of refusing to capture": nobody must begin, and who could go on may stop.
5. A player who "has all his pieces taken" has lost.

## Not settled by the source, decided here
* Player 0 begins.
* "Captures are not obligatory"; `capture="compulsory"`: who can capture must, with whichever soldier and whatever he
  likes, and go on as long as that soldier can. A single way to go on the engine plays itself.
* A player "entirely checked", who has soldiers but no move, has lost too.
* Draws: `quiet_turns` turns in a row without a capture, then `max_turns` turns; both looked at when a turn ends, after
  the victory.
* The summary gives each 24 soldiers, against Parker's sixteen "and seven more" and three empty places. `soldiers=24`
  is that: one more on 23 for player 0, on 25 for player 1, and only 24 is empty.

Half a turn lays the set-up on itself, with the players changed; nothing else does.

## Actions
Actions are seen from the mover's side: for player 1 the board is turned by half a turn, as in the observation. Point p
of an action is point 48 - p of `board`, and direction d is direction (d + 4) mod 8.

## Observation
Player 1 sees the points turned round, as from their side of the board: their column i is point 48 - i.

## Options
With `reward="margin"` the soldiers one captured minus those the other did are paid, as a part of all in the set-up.
Ludii: as here. No campaign.

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

SOLDIERS = (23, 24)
SET_UPS = np.array(
    [
        set_up("22222 22222 1...2 11111 11111"),
        set_up("22222 22222 11.22 11111 11111"),
    ]
)
"""By the option `soldiers`."""

OPTIONS = (
    Option("soldiers", 23, choices=SOLDIERS),
    Option("capture", "free", choices=("free", "compulsory")),
    Option("quiet_turns", 200),
    Option("max_turns", 1500),
    REWARD,
)


@rule
def begin(s):
    set_out(s, SET_UPS[s.soldiers])


@rule
def all_soldiers(s):
    return np.count_nonzero(SET_UPS[s.soldiers])


def check(s, options, given):
    wars.check(s, options, SET_UPS[SOLDIERS.index(options["soldiers"])])


RULE_BOOK = RuleBook(
    name="peralikatuma",
    title="Peralikatuma",
    text=__doc__,
    options=OPTIONS,
    record=wars.record,
    rules=Rules(wars.num_actions, begin, wars.legal, verbs.play, wars.observe, worth=wars.lead),
    family={verbs.carry_out: wars.carry_out},
    result=Result(named_by_play, share_of_winner_or_margin, score=wars.taken, whole=all_soldiers),
    presentation=wars.PRESENTATION,
    positions=Positions(check),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + 2 * options["soldiers"],
)
__doc__ = RULE_BOOK.page
