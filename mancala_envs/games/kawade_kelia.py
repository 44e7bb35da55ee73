"""
# Kawade Kelia (Sri Lanka)

| | |
|---|---|
| Players | 2; option `players` (2, 4): four play as two sides of two, each player with pieces of their own |
| Board | base line, stem, ring of 44 squares, inner stem and arc; a track of 66 |
| Pieces | 3 a player |
| Rewards | +1 / -1 / 0 at the end, the same for partners |
| Import | `from mancala_envs import kawade_kelia_v0` |

```
{board}
```
Side 0 goes 0 to 5, up 11 to 15, round the ring by 16 to 58, 15 again, up 59 to 64 and by the arc to 69. Side 1 goes 10
to 5, up, round the ring the other way, and then as side 0. `*` is marked: safe.

## Rules
Source: S. Culin, *Chess and Playing-Cards*, 1898, p. 851, "the cowrie game", in the Ludii portal (evidence 1684). Where
it is silent, the rules are those of Parker's Pancha Keliya (evidence 1316).

1. Side 0 begins at the left end of the base line, side 1 at the right end. A piece at *place* n of its track is on the
   track's n-th square; 0 is waiting and L + 1 home.
2. Six cowries are thrown. The throw is the number of mouths up; with none up there is no throw. By default no throw
   grants another. All throws of a turn are made before any piece moves; the 16th throw grants no other.
3. Each throw is used whole, on one piece. One piece may use several throws; after each it stands on the square that it
   has reached.
4. A waiting piece enters with a throw of any number but 0, to the place of that number.
5. Pieces do not block each other. A piece that lands on a plain square, also by entering, sends all enemies there back
   to wait.
6. On a marked square no piece is sent back, and both sides stand there together. Pieces of one side may stand together
   anywhere.
7. The throw that leads exactly to place 67 takes a piece home; a larger throw cannot be used on it.
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
* `admit="special"`: only 6, 5 and 1 admit a piece. `again="special"`: these throws grant another.
* `leave="beyond"`: any throw at least as large as needed takes a piece home.
* `circuit="left"`: side 0 turns left at the junction, side 1 right. The junction is not in the middle of the ring, so
  this makes a difference of one square.
* `players=4`: 0 and 2 are side 0, 1 and 3 are side 1, and each player moves their own three cowries. Partners do not
  send each other back, and win when all six are home. A player whose three are home throws no more.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Options
With `reward="margin"` a side receives the sum of its pieces' places minus the other side's, divided by the number of
all pieces times 67. No campaign. `winner` is the side.

## Random play
2000 games: side 0 wins 50.7%. A game takes 180 decisions (348 in the longest) in 180 turns, and 6.0 pieces are sent
back. With four players side 0 wins 52.8%, and a game takes 494 decisions.

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, pancha, presentation, turn, verbs
from mancala_envs.families.races.tracks import Tracks

__all__ = ["RULE_BOOK"]

DRAWING = """
    43* 42  41  40  39  38* 37* 36  35  34  33  32*
    44                                          31
    45                                          30
    46                                          29
    47                                          28
    48*             65  64*                     27*
    49*          66     63                      26*
    50        67        62                      25
    51     68           61                      24
    52  69              60                      23
    53                  59                      22
    54* 55  56  57  58  15* 16  17  18  19  20  21*
                        14
                        13
                        12
                        11
     0   1   2   3   4   5*  6   7   8   9  10
"""
YARDS = tuple(presentation.Yard(x, y) for x, y in ((1.25, 12.5), (7.5, 12.5), (8.75, 1.25), (2.5, 1.25)))
COUNTERS = 3
STEM, RING = (11, 12, 13, 14), tuple(range(16, 59))
JUNCTION = 15
INWARD = tuple(range(59, 70))
MARKED = frozenset({5, 15, 64, 21, 32, 43, 54, 26, 27, 37, 38, 48, 49})


def circuit(ring):
    """Return the tracks; side 0 goes round the ring in the given order, side 1 in the opposite one."""
    left = (0, 1, 2, 3, 4, 5, *STEM, JUNCTION, *ring, JUNCTION, *INWARD)
    right = (10, 9, 8, 7, 6, 5, *STEM, JUNCTION, *ring[::-1], JUNCTION, *INWARD)
    return Tracks((left, right), MARKED)


CIRCUITS = (circuit(RING), circuit(RING[::-1]))
"""Indexed by the option `circuit`."""
LAST = CIRCUITS[0].length
CELLS, SAFE, MARKS, MEETS = (np.stack(both) for both in zip(*(way.tables for way in CIRCUITS), strict=True))

REACH = pancha.reach_tables(LAST)

OPTIONS = (
    Option("players", 2, choices=(2, 4), size=True),
    Option("circuit", "right", choices=("right", "left")),
    replace(pancha.ADMIT, default="any"),
    replace(pancha.AGAIN, default="none"),
    pancha.LEAVE,
    *pancha.OPTIONS,
    Option("max_turns", 2000),
    REWARD,
)


@rule(inline=True)
def reach(s, place):
    return REACH[s.admit, s.leave, place]


@rule(inline=True)
def tracks(s):
    return CELLS[s.circuit], SAFE[s.circuit], MARKS[s.circuit], MEETS[s.circuit]


def check(s, options, given):
    way = CIRCUITS[int(options["circuit"] == "left")]
    pancha.check(s, options, given, way, grants=options["again"] == "special")


def board(s):
    return pancha.draw_board(s, DRAWING, CIRCUITS[s.circuit], YARDS)


RULE_BOOK = presentation.book(
    "kawade_kelia",
    "Kawade Kelia",
    __doc__,
    drawing=DRAWING,
    options=OPTIONS,
    record=lambda options: turn.fields(options["players"], COUNTERS, pancha.NAMES, LAST),
    family={**pancha.FAMILY, pancha.grants: pancha.grants_by_option, pancha.reach: reach, contract.tracks: tracks},
    check=check,
    board=board,
    observation=lambda options: pancha.observation(options["players"], COUNTERS, LAST, options["players"]),
    actions=lambda options: pancha.actions(COUNTERS),
    descriptions=pancha.descriptions(LAST),
    equivalent_results=verbs.equivalent_mouths,
    most_decisions=pancha.most_decisions,
)
__doc__ = RULE_BOOK.page
