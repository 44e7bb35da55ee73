"""
# Kotu Ellima (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | 49 points: a square with a triangle, a room, at each face |
| Soldiers | 24 each; option `setup` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import kotu_ellima_v0` |

```
{board}
```
Two points are neighbours only if a stroke joins them: 13 and 14 are not, and 6 and 7 are not. The set-up is on the
right.

## Rules
Source: L. Ludovisi, "The sports and games of the Singhalese", 1873, pp. 33-34 ("the Taking of the Castles"), with the
Ludii portal's summary of it (evidence 823).

1. Each player has 24 soldiers. They fill all points but the middle one, "each player taking one diagonal half of the
   board". Player 0 (1 in the drawing) sits below and begins, player 1 (2) sits above.
2. The players move in turn. A soldier either steps along a line to an empty neighbouring point, or captures: it jumps
   over an enemy on a neighbouring point to the next point in the same direction on that line, which must be empty. The
   captured soldier is removed at once. A soldier cannot jump over a soldier of its own side or over two soldiers.
3. "Exactly the same as draughts": a player who can capture must capture, with any soldier and in any way, and must go
   on with the same soldier as long as it can capture, in any direction. If there is a single way to go on, the engine
   plays it.
4. "The first move made into this point is a sacrifice, for the piece is immediately taken": each of the four possible
   first moves goes to the middle point, and the soldier opposite can answer it by jumping over the middle to the point
   just left.
5. A player who has no soldier left has lost, and so has a player who has soldiers but no move.

## Not settled by the source, decided here
* Which half belongs to whom: the board is cut along 7 15 24 33 41. Player 0 has all points below this line, with the
  rooms below and on the left, and on the line itself the points on their side, 33 and 41. `setup="rows"` is the set-up
  of Peralikatuma with 24 soldiers, where 34 belongs to player 0 and 14 to player 1.
* Player 0 begins.
* Soldiers step and capture in every direction, also backwards: on halves cut by a diagonal, the source cannot mean men
  that only move forward. There are no kings, and a player need not choose the way that captures most.
* `capture="free"`, as in Peralikatuma: a player need not capture, and may stop after any capture.
* The game is a draw after `quiet_turns` turns in a row without a capture, or after `max_turns` turns. Both are checked
  when a turn ends, after the conditions for a win.

The only symmetry of the set-up is a rotation by 180 degrees that also exchanges the players.

## Actions
Actions are seen from the mover's side. For player 1 the board is rotated by 180 degrees, as in the observation: point p
of an action is point 48 - p of `board`, and direction d is direction (d + 4) mod 8.

## Observation
Player 1 sees the board rotated by 180 degrees, as from their side: their column i is point 48 - i.

## Options
With `reward="margin"` a player receives their captures minus the opponent's, divided by 48. Ludii plays `setup="rows",
capture="free"`, but allows one capture a turn. No campaign.

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

SETUPS = ("diagonal", "rows")
SET_UPS = np.array([set_up("22222 12222 11.22 11112 11111"), set_up("22222 22222 11.22 11111 11111")])
"""Indexed by the option `setup`."""
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
    text=with_board(__doc__, SET_UPS[0]),
    options=OPTIONS,
    record=wars.record,
    rules=Rules(wars.num_actions, begin, wars.legal, verbs.play, wars.observe, worth=verbs.lead),
    family={verbs.carry_out: wars.carry_out},
    result=Result(named_by_play, share_of_winner_or_margin, score=verbs.taken, whole=all_soldiers),
    presentation=wars.PRESENTATION,
    positions=Positions(check),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + ALL_SOLDIERS,
)
__doc__ = RULE_BOOK.page
