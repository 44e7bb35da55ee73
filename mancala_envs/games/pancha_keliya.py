"""
# Pancha Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2; option `players` (2, 4): partners take turns with the same counters |
| Board | base line, ring of 25 squares; a track of 30 |
| Pieces | 3 a side |
| Rewards | +1 / -1 / 0 at the end, partners alike |
| Import | `from mancala_envs import pancha_keliya_v0` |

```
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
```
Side 0 goes 0 1 2 3 4, side 1 8 7 6 5 4; then both 9, 10 and so on to 33, the Kenda-ge. `*` marks a House: safe.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 609-610, "the five game", with the Ludii portal's summary above it
(evidence 1316).

1. Side 0 begins at the left end of the base line, side 1 at the right. A piece that has come to *place* n of its track
   is on the n-th square of it: 0 is waiting, L + 1 home.
2. Six cowries are thrown; the throw is the number of mouths up. None is nothing. 6, 5 and 1 grant another throw at
   once. All throws of a turn are made before anything moves; the 16th grants none.
3. Each throw is used whole, on one piece; a piece may use several, and stands between them on the square in between.
4. A waiting piece enters with a throw of 6, 5 or 1, to the place of that number.
5. Nothing blocks the way. Landing, an entry too, on a plain square sends all enemies there back to wait.
6. On a marked square nobody is sent back; both sides stand there together. Own pieces stand together anywhere.
7. The throw that leads exactly to place 31 takes the piece home; a larger one cannot be used on it.
8. Of pieces of one row at the same place only the lowest-numbered may be chosen.
9. While a throw can be used one must be, whichever he likes; what can no longer be used is lost. Who can use nothing
   passes, which is no turn.
10. The side that first has all its pieces home wins. At `max_turns` it is a draw.

## Not settled by the source, decided here
* `enter="first"`: a throw that admits puts the piece on place 1, whatever it is (by default it counts from place 0).
* `own="apart"`: no piece may land where its own side has one; `safe="shut"`: nor on a marked square with an enemy on
  it. The junction that is passed twice is one square. Both bind entering pieces too, never leaving ones.
* `use="may"`: while he has a usable throw the player may also stop with the last action; then every decision is asked.
* `last="safe"`: the Kenda-ge is marked too; Parker counts five houses of safety, the junction and the four bends.
* Three counters a side whatever the number of players: `players=4` are 0 and 2 against 1 and 3.
* Ludii: a further throw only while counters wait, each throw used before the next; `enter="first", own="apart",
  safe="shut"`.

A single choice inside a turn the engine plays itself; the first decision of a turn is always asked.

## Options
With `reward="margin"` the places of the own side's pieces less the other's are paid, as a part of 6 * 31. No campaign.
`winner` is the side.

## Random play
2000 games: side 0 wins 51.5 %, who decides first 57.8 %; 63 decisions (149 in the longest) in 53 turns, 2.5 pieces sent
back. With four players 52.2 % and 64 decisions.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
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
COUNTERS = 3
KENDA_GE = 33
RING = tuple(range(9, 34))
TRACKS = Tracks(((0, 1, 2, 3, 4, *RING), (8, 7, 6, 5, 4, *RING)), frozenset({4, 13, 18, 23, 28}))
WITH_LAST = Tracks(TRACKS.lanes, TRACKS.marked | {KENDA_GE})
LAST = TRACKS.length
CELLS, MEETS = TRACKS.cells, TRACKS.meets
SAFE, MARKS = (np.stack(tables) for tables in zip(*((t.is_marked, t.marks) for t in (TRACKS, WITH_LAST)), strict=True))
"""By the option `last`."""
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
    return pancha.drawn(s, presentation.places_of(DRAWING), WITH_LAST if s.last else TRACKS)


RULE_BOOK = RuleBook(
    name="pancha_keliya",
    title="Pancha Keliya",
    text=__doc__,
    options=OPTIONS,
    record=lambda options: turn.fields(pancha.SIDES, COUNTERS, pancha.NAMES, LAST),
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
        contract.tracks: tracks,
        pancha.reach: reach,
    },
    presentation=Presentation(
        board=board,
        observation=lambda options: pancha.observation(pancha.SIDES, COUNTERS, LAST, options["players"]),
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
