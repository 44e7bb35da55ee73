"""
# Pancha Keliya (Complex) (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | base line, stem, ring of 40 squares, inner stem, an arm and a slope for each side; a track of 66 |
| Pieces | 3 a side; option `counters` (2 to 6) |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import pancha_keliya_complex_v0` |

```
{board}
```
Side 0 goes 0 to 5, up 11 to 15, round the ring by 16 to 54, 15 again, up 55 to 59, out by 60 to 64, up 65 to 68 and to
69. Side 1 goes 10 to 5, up, round the ring the other way, and by 70 to 78 to 69. `*` is marked: safe.

## Rules
Source: G. Marin, "An Ancestor of the Game of 'Ludo'", Man 42, 1942, pp. 114-117, in the Ludii portal (evidence 1760).
It describes the board in words, entry from opposite ends, safe marks, and sending back. The other rules are those of
Pancha Keliya and Kawade Kelia (evidence 1316, 1684).

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
* `admit="any"`: every throw but 0 admits a piece. `again="none"`: no throw grants another.
* `leave="beyond"`: any throw at least as large as needed takes a piece home.
* The way round the board is the one that Culin gives for Kawade Kelia. That each side has an arm of its own is a guess,
  made because there are two arms.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Options
With `reward="margin"` a side receives the sum of its pieces' places minus the other side's, divided by the number of
all pieces times 67. No campaign. `winner` is the side.

## Random play
2000 games: side 0 wins 49.2%, and the player with the first decision wins 57.4%. A game takes 140 decisions (258 in the
longest) in 116 turns, and 2.7 pieces are sent back.

## Versions
* v0: first version.
"""

from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, pancha, presentation, turn, verbs
from mancala_envs.families.races.tracks import Tracks

__all__ = ["RULE_BOOK"]

DRAWING = """
    40* 39  38  37  36  35* 34  33  32  31  30*
    41               68 69*78               29
    42            67          77            28
    43         66                76         27
    44      65                      75      26
    45*  64*63 62 61 60 59*70 71 72 73 74*  25*
    46                  58                  24
    47                  57                  23
    48                  56                  22
    49                  55                  21
    50* 51  52  53  54  15* 16  17  18  19  20*
                        14
                        13
                        12
                        11
     0*  1   2   3   4   5*  6   7   8   9  10*
"""
YARDS = presentation.Yard(1.25, 11.25, 0.75), presentation.Yard(7.5, 11.25, 0.75)
STEM, RING, INNER = (11, 12, 13, 14), tuple(range(16, 55)), (55, 56, 57, 58, 59)
JUNCTION, APEX = 15, 69
LEFT = (0, 1, 2, 3, 4, 5, *STEM, JUNCTION, *RING, JUNCTION, *INNER, *range(60, 69), APEX)
RIGHT = (10, 9, 8, 7, 6, 5, *STEM, JUNCTION, *RING[::-1], JUNCTION, *INNER, *range(70, 79), APEX)
TRACKS = Tracks((LEFT, RIGHT), frozenset({*range(0, 51, 5), 59, 64, 69, 74}))
LAST = TRACKS.length
CELLS, SAFE, MARKS, MEETS = TRACKS.tables

REACH = pancha.reach_tables(LAST)

OPTIONS = (
    Option("counters", 3, lowest=2, highest=6, size=True),
    pancha.ADMIT,
    pancha.AGAIN,
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
    return CELLS, SAFE, MARKS, MEETS


def check(s, options, given):
    pancha.check(s, options, given, TRACKS, grants=options["again"] == "special")


def board(s):
    return pancha.draw_board(s, DRAWING, TRACKS, YARDS)


RULE_BOOK = presentation.book(
    "pancha_keliya_complex",
    "Pancha Keliya (Complex)",
    __doc__,
    drawing=DRAWING,
    options=OPTIONS,
    record=lambda options: turn.fields(pancha.SIDES, options["counters"], pancha.NAMES, LAST),
    family={**pancha.FAMILY, pancha.grants: pancha.grants_by_option, pancha.reach: reach, contract.tracks: tracks},
    check=check,
    board=board,
    observation=lambda options: pancha.observation(pancha.SIDES, options["counters"], LAST, pancha.SIDES),
    actions=lambda options: pancha.actions(options["counters"]),
    descriptions=pancha.descriptions(LAST),
    equivalent_results=verbs.equivalent_mouths,
    most_decisions=pancha.most_decisions,
)
__doc__ = RULE_BOOK.page
