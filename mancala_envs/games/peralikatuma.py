"""
# Peralikatuma (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | 49 points: a square with a triangle, a room, at each face |
| Soldiers | 23 each; option `soldiers` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import peralikatuma_v0` |

```
{board}
```
Two points are neighbours only if a stroke joins them: 13 and 14 are not, and 6 and 7 are not. The set-up is on the
right.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, p. 583 (Peralikatuma or Perali Kotuwa, "the War Enclosure"), with the Ludii
portal's summary of it (evidence 784). Parker calls it "a variety of the last", Hewakam Keliya, whose text fills the
gaps (evidence 792).

1. Each player fills two rows of the square, the room nearest to them, and the room on their left with its point on the
   square; "three empty places are then left along the central transverse line": 23, 24 and 25. Player 0 (1 in the
   drawing) sits below, player 1 (2) above.
2. The players move in turn. A soldier either steps along a line to an empty neighbouring point, in any direction, also
   backwards; or it captures: it jumps over an enemy on a neighbouring point to the next point in the same direction on
   that line, which must be empty. The captured soldier is removed at once. A soldier cannot jump over a soldier of its
   own side or over two soldiers.
3. "Exactly like kings at Draughts, no limit to the number which may be captured in one move": the same soldier may go
   on capturing, in any direction. When it can capture no more, the turn ends by itself.
4. There is "the option of refusing to capture": a player need not capture, and may stop after any capture.
5. A player who "has all his pieces taken" has lost.

## Not settled by the source, decided here
* Player 0 begins.
* "Captures are not obligatory" by default. With `capture="compulsory"` a player who can capture must capture, with any
  soldier and in any way, and must go on as long as that soldier can. If there is a single way to go on, the engine
  plays it.
* A player who is "entirely checked" (has soldiers but no move) has also lost.
* The game is a draw after `quiet_turns` turns in a row without a capture, or after `max_turns` turns. Both are checked
  when a turn ends, after the conditions for a win.
* The summary gives each player 24 soldiers, but Parker sixteen "and seven more", and three empty places. `soldiers=24`
  follows the summary: player 0 also has a soldier on 23, player 1 on 25, and only 24 is empty.

The only symmetry of the set-up is a rotation by 180 degrees that also exchanges the players.

## Actions
Actions are seen from the mover's side. For player 1 the board is rotated by 180 degrees, as in the observation: point p
of an action is point 48 - p of `board`, and direction d is direction (d + 4) mod 8.

## Observation
Player 1 sees the board rotated by 180 degrees, as from their side: their column i is point 48 - i.

## Options
With `reward="margin"` a player receives their captures minus the opponent's, divided by the number of soldiers in the
set-up. Ludii plays the default options. No campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play, share_of_winner_or_margin
from mancala_envs.core.rule import rule
from mancala_envs.families.points import verbs, wars
from mancala_envs.families.points.forty_nine import with_board
from mancala_envs.families.points.wars import set_out, set_up

__all__ = ["RULE_BOOK"]

SOLDIERS = (23, 24)
SET_UPS = np.array([set_up("22222 22222 1...2 11111 11111"), set_up("22222 22222 11.22 11111 11111")])
"""Indexed by the option `soldiers`."""
ALL_SOLDIERS = np.count_nonzero(SET_UPS, axis=1)
"""Soldiers of both players, indexed by the option `soldiers`."""

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
    return ALL_SOLDIERS[s.soldiers]


def check(s, options, given):
    wars.check(s, options, SET_UPS[SOLDIERS.index(options["soldiers"])])


RULE_BOOK = RuleBook(
    name="peralikatuma",
    title="Peralikatuma",
    text=with_board(__doc__, SET_UPS[0]),
    options=OPTIONS,
    record=wars.record,
    rules=Rules(wars.num_actions, begin, wars.legal, verbs.play, wars.observe, worth=verbs.lead),
    family={verbs.carry_out: wars.carry_out},
    result=Result(named_by_play, share_of_winner_or_margin, score=verbs.taken, whole=all_soldiers),
    presentation=wars.PRESENTATION,
    positions=Positions(check),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + 2 * options["soldiers"],
)
__doc__ = RULE_BOOK.page
