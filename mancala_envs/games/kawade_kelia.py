"""
# Kawade Kelia (Sri Lanka)

| | |
|---|---|
| Players | 2; option `players` (2, 4): with four two sides of two, each with pieces of his own |
| Board | base line, stem, ring of 44 squares, inner stem and arc; a track of 66 |
| Pieces | 3 a player |
| Rewards | +1 / -1 / 0 at the end, partners alike |
| Import | `from mancala_envs import kawade_kelia_v0` |

```
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
```
Side 0 goes 0 to 5, up 11 to 15, about the ring by 16 to 58, 15 again, up 59 to 64 and by the arc to 69; side 1 goes 10
to 5, up, about the ring the other way, and as side 0. `*` is marked: safe.

## Rules
Source: S. Culin, *Chess and Playing-Cards*, 1898, p. 851, "the cowrie game", in the Ludii portal (evidence 1684); where
it is silent Parker's Pancha Keliya (evidence 1316).

1. Side 0 begins at the left end of the base line, side 1 at the right. A piece that has come to *place* n of its track
   is on the n-th square of it: 0 is waiting, L + 1 home.
2. Six cowries are thrown; the throw is the number of mouths up. None is nothing. None grants another. All throws of a
   turn are made before anything moves; the 16th grants none.
3. Each throw is used whole, on one piece; a piece may use several, and stands between them on the square in between.
4. A waiting piece enters with a throw of any number but 0, to the place of that number.
5. Nothing blocks the way. Landing, an entry too, on a plain square sends all enemies there back to wait.
6. On a marked square nobody is sent back; both sides stand there together. Own pieces stand together anywhere.
7. The throw that leads exactly to place 67 takes the piece home; a larger one cannot be used on it.
8. Of pieces of one row at the same place only the lowest-numbered may be chosen.
9. While a throw can be used one must be, whichever he likes; what can no longer be used is lost. Who can use nothing
   passes, which is no turn.
10. The side that first has all its pieces home wins. At `max_turns` it is a draw.

## Not settled by the source, decided here
* `enter="first"`: a throw that admits puts the piece on place 1, whatever it is (by default it counts from place 0).
* `own="apart"`: no piece may land where its own side has one; `safe="shut"`: nor on a marked square with an enemy on
  it. The junction that is passed twice is one square. Both bind entering pieces too, never leaving ones.
* `use="may"`: while he has a usable throw the player may also stop with the last action; then every decision is asked.
* `admit="special"`: only 6, 5 and 1 admit; `again="special"`: these grant another throw.
* `leave="beyond"`: any throw at least as large as needed takes a piece home.
* `circuit="left"`: side 0 turns left at the junction, side 1 right. The ring is lopsided, so it matters by a square.
* `players=4`: 0 and 2 are side 0, 1 and 3 side 1; each moves his own three cowries. Partners do not send each other
  back, and win when all six are home; a player whose three are home throws no more.

A single choice inside a turn the engine plays itself; the first decision of a turn is always asked.

## Options
With `reward="margin"` the places of the own side's pieces less the other's are paid, as a part of all pieces times 67.
No campaign. `winner` is the side.

## Random play
2000 games: side 0 wins 50.7 %; 180 decisions (348 in the longest) in 180 turns, 6.0 pieces sent back. With four players
52.8 % and 494 decisions.

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, pancha, presentation, turn, verbs
from mancala_envs.families.races.pancha import ANY, SPECIAL
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
COUNTERS = 3
STEM, RING = (11, 12, 13, 14), tuple(range(16, 59))
JUNCTION = 15
INWARD = tuple(range(59, 70))
MARKED = frozenset({5, 15, 64, 21, 32, 43, 54, 26, 27, 37, 38, 48, 49})


def circuit(ring):
    """Side 0 goes about the ring in this order, side 1 in the opposite one."""
    left = (0, 1, 2, 3, 4, 5, *STEM, JUNCTION, *ring, JUNCTION, *INWARD)
    right = (10, 9, 8, 7, 6, 5, *STEM, JUNCTION, *ring[::-1], JUNCTION, *INWARD)
    return Tracks((left, right), MARKED)


CIRCUITS = (circuit(RING), circuit(RING[::-1]))
"""By the option `circuit`."""
LAST = CIRCUITS[0].length
CELLS, SAFE, MARKS, MEETS = (np.stack(both) for both in zip(*(way.tables for way in CIRCUITS), strict=True))

REACH = np.array([[pancha.reach_table(LAST, admit, beyond) for beyond in (False, True)] for admit in (SPECIAL, ANY)])
"""By the options `admit` and `leave`."""

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
def num_players(s):
    return len(s.pieces)


@rule(inline=True)
def grants(s):
    return 0 if s.again else SPECIAL


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
    return pancha.drawn(s, presentation.places_of(DRAWING), CIRCUITS[s.circuit])


RULE_BOOK = RuleBook(
    name="kawade_kelia",
    title="Kawade Kelia",
    text=__doc__,
    options=OPTIONS,
    record=lambda options: turn.fields(options["players"], COUNTERS, pancha.NAMES, LAST),
    rules=Rules(
        pancha.num_actions,
        pancha.begin,
        turn.legal,
        turn.play,
        presentation.observe,
        num_players=num_players,
        legal_word=turn.legal_word,
        worth=presentation.worth,
        side=turn.side,
    ),
    result=Result(named_by_play, turn.share),
    family={
        **pancha.FAMILY,
        pancha.grants: grants,
        pancha.reach: reach,
        contract.tracks: tracks,
    },
    presentation=Presentation(
        board=board,
        observation=lambda options: pancha.observation(options["players"], COUNTERS, LAST, options["players"]),
        actions=lambda options: pancha.actions(COUNTERS),
        phases=pancha.PHASES,
        descriptions=pancha.descriptions(LAST),
    ),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    equivalent_results=verbs.equivalent_mouths,
    # Nobody uses more throws in a turn than he can throw.
    most_decisions=pancha.most_decisions,
)
__doc__ = RULE_BOOK.page
