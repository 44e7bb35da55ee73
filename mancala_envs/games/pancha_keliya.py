"""
# Pancha Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2; option `players` (2, 4): partners take turns with the same counters |
| Board | base line, ring of 25 squares; a track of 30 |
| Pieces | 3 a side |
| Rewards | +1 / -1 / 0 at the end, the same for partners |
| Import | `from mancala_envs import pancha_keliya_v0` |

```
{board}
```
Side 0 goes 0 1 2 3 4, side 1 goes 8 7 6 5 4; then both go 9, 10 and so on to 33, the Kenda-ge. `*` marks a House: safe.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 609-610, "the five game", with the Ludii portal's summary of it (evidence
1316).

1. Side 0 begins at the left end of the base line, side 1 at the right end. A piece at *place* n of its track is on the
   track's n-th square; 0 is waiting and L + 1 home.
2. Six cowries are thrown. The throw is the number of mouths up; with none up there is no throw. 6, 5 and 1 grant
   another throw at once. All throws of a turn are made before any piece moves; the 16th throw grants no other.
3. Each throw is used whole, on one piece. One piece may use several throws; after each it stands on the square that it
   has reached.
4. A waiting piece enters with a throw of 6, 5 or 1, to the place of that number.
5. Pieces do not block each other. A piece that lands on a plain square, also by entering, sends all enemies there back
   to wait.
6. On a marked square no piece is sent back, and both sides stand there together. Pieces of one side may stand together
   anywhere.
7. The throw that leads exactly to place 31 takes a piece home; a larger throw cannot be used on it.
8. Of several pieces of a row at the same place only the lowest-numbered may be chosen.
9. As long as a throw can be used, the player must use one, of their choice. Throws that cannot be used are lost. A
   player who cannot use any throw passes, which does not count as a turn.
10. The side that first has all its pieces home wins. After `max_turns` turns the game is a draw.

## Not settled by the source, decided here
* `enter="first"`: a throw that admits a piece puts it on place 1, whatever the number (by default it is counted from
  place 0).
* `own="apart"`: no piece may land on a square where its own side has a piece. `safe="shut"`: no piece may land on a
  marked square with an enemy on it. The junction, which is passed twice, is one square. Both options also bind pieces
  that enter, but never pieces that leave.
* `use="may"`: with a usable throw the player may also stop, with the last action; then every decision is asked.
* `last="safe"`: the Kenda-ge is marked too. Parker counts five houses of safety: the junction and the four bends.
* Each side has three counters, whatever the number of players: with `players=4`, 0 and 2 play against 1 and 3.
* Ludii gives a further throw only while counters wait, and each throw is used before the next one; `enter="first",
  own="apart", safe="shut"`.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Options
With `reward="margin"` a side receives the sum of its pieces' places minus the other side's, divided by 6 * 31. No
campaign. `winner` is the side.

## Random play
2000 games: side 0 wins 51.5%, and the player with the first decision wins 57.8%. A game takes 63 decisions (149 in the
longest) in 53 turns, and 2.5 pieces are sent back. With four players side 0 wins 52.2%, and a game takes 64 decisions.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, pancha, presentation, turn, verbs
from mancala_envs.families.races.tracks import Tracks

__all__ = ["RULE_BOOK"]

DRAWING = """
                      28*
                   29    27
                30          26
             31                25
          32                      24
       33                           23*
                                    22
                                    21
                                    20
                                    19
                   13* 14  15  16  17  18*
                   12
                   11
                   10
                    9
   0   1   2   3    4*   5   6   7   8
"""
YARDS = presentation.Yard(0.75, 7), presentation.Yard(7, 11.25)
COUNTERS = 3
KENDA_GE = 33
RING = tuple(range(9, 34))
TRACKS = Tracks(((0, 1, 2, 3, 4, *RING), (8, 7, 6, 5, 4, *RING)), frozenset({4, 13, 18, 23, 28}))
WITH_LAST = Tracks(TRACKS.lanes, TRACKS.marked | {KENDA_GE})
LAST = TRACKS.length
CELLS, MEETS = TRACKS.cells, TRACKS.meets
SAFE, MARKS = (np.stack(tables) for tables in zip(*((t.is_marked, t.marks) for t in (TRACKS, WITH_LAST)), strict=True))
"""Indexed by the option `last`."""
REACH = pancha.reach_table(LAST, pancha.SPECIAL)

OPTIONS = (
    Option("players", 2, choices=(2, 4)),
    Option("last", "plain", choices=("plain", "safe")),
    *pancha.OPTIONS,
    Option("max_turns", 1000),
    REWARD,
)


@rule(inline=True)
def num_players(s):
    return 2 + 2 * s.players


@rule(inline=True)
def tracks(s):
    return CELLS, SAFE[s.last], MARKS[s.last], MEETS


@rule(inline=True)
def reach(s, place):
    return REACH[place]


def check(s, options, given):
    tracks = WITH_LAST if options["last"] == "safe" else TRACKS
    pancha.check(s, options, given, tracks, grants=True)


def board(s):
    return pancha.draw_board(s, DRAWING, WITH_LAST if s.last else TRACKS, YARDS)


RULE_BOOK = presentation.book(
    "pancha_keliya",
    "Pancha Keliya",
    __doc__,
    drawing=DRAWING,
    options=OPTIONS,
    record=lambda options: turn.fields(pancha.SIDES, COUNTERS, pancha.NAMES, LAST),
    num_players=num_players,
    family={**pancha.FAMILY, contract.tracks: tracks, pancha.reach: reach},
    check=check,
    board=board,
    observation=lambda options: pancha.observation(pancha.SIDES, COUNTERS, LAST, options["players"]),
    actions=lambda options: pancha.actions(COUNTERS),
    descriptions=pancha.descriptions(LAST),
    equivalent_results=verbs.equivalent_mouths,
    most_decisions=pancha.most_decisions,
)
__doc__ = RULE_BOOK.page
