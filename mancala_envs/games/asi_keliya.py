"""
# Asi Keliya (Sri Lanka)

| | |
|---|---|
| Players | 4 in two teams: 0 and 2 against 1 and 3 |
| Board | a cross of four arms of 3 x 4 with a cell in each angle |
| Pieces | 4 each; option `counters` |
| Rewards | +1 / -1 / 0 at the end, partners alike |
| Import | `from mancala_envs import asi_keliya_v0` |

```
                 0   1   2
                 3   4   5
                 6   7   8
             9* 10  11  12  13*
14  15  16  17              18  19  20  21
22  23  24  25              26  27  28  29
30  31  32  33              34  35  36  37
            38* 39  40  41  42*
                43  44  45
                46  47  48
                49  50  51
```
Arms 0 to 3 are south, east, north and west; player p sits at arm p. A piece goes from the centre down the middle row of
its arm (position 1 to 4, its end cell), anticlockwise round the outside (5 to 43), over the end cell again (44) and up
the middle row, home by 48. The turn goes on to the right: south, east, north, west. `*` is a corner cell: safe.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 614-616 (Asi Keliya or Sonaru), as summarised in the Ludii portal
(evidence 1486).

* The player throws, and again as long as the throw grants another, before he moves; at most 16 times.
* He uses his throws in any order, each whole on one piece, and each takes effect at once. A throw that can be used must
  be; what cannot be used is lost. Who can use nothing passes, which is no turn; after 4000 passes in a row it is a
  draw.
* Pieces of one's own and of the partner stand together, never strike and never stop each other. Of pieces of one player
  as far on one track only the lowest-numbered may be chosen.
* The team that first has all pieces home wins, at once. At `max_turns` it is a draw.

1. Six cowries, one of them yellow; the throw is the number of mouths up, none is nothing. Three mouths up with the
   yellow shell down is *So-hatara*: four throws of 1. After 1, 5 and So-hatara he throws again.
2. A piece enters by a throw of 1 or 5; it stands on position 1, and the throw is used up.
3. No throw leads beyond a cell with an opponents' piece on it; stopping on it is allowed.
4. Stopping on a cell with opponents' pieces sends all of them to the centre, except on corner cells, which all share.
5. Where two pieces of one player are sent back from one cell by one move they may enter together by one throw
   (`pairs`).
6. A throw other than 1 leads to 44, the first of the middle row, at most; from there on pieces go by throws of 1 only.

## Not settled by the source, decided here
* `division="all"`: with a So-hatara among the throws of the turn all of them are divided into throws of 1.
* `enter="count"`: the throw is counted from the centre, a 5 enters on position 5, under the rules of 3 and 4.
* `use="may"`: the player may stop at every decision; what is left is lost, and the turn counts.

A single choice inside a turn the engine plays itself; the first decision of a turn is always asked.

## Options
With `reward="margin"` the sum of the own team's positions less the other's is paid, as a part of all pieces times 48.
No campaign. `winner` is the team.

## Random play
200 games: the teams win 54.5 and 45.5 %; 819 decisions (1431 in the longest) in 370 turns, 51 pieces sent back.

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, presentation, turn
from mancala_envs.families.races.cross import ARMS, SMALL, SMALL_END, SMALL_LAST
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.together import (
    arrive_together,
    check_pairs,
    enter_together,
    observe_pairs,
    pair_columns,
    pairs_field,
    pairs_note,
)
from mancala_envs.families.races.tracks import WAITING, values_up_to
from mancala_envs.families.races.verbs import (
    MOST_THROWS,
    MOUTHS,
    NONE,
    SHELLS,
    beyond,
    first_of,
    one,
    put_down,
    row_of,
    throw_cowries,
)

__all__ = ["RULE_BOOK"]

VALUES = tuple(range(1, SHELLS + 1))
NAMES = tuple(map(str, VALUES))
SHOWN = tuple(replace(shown, shells=shown.shells[::-1]) for shown in presentation.mouths(*VALUES))
"""A throw of each value, the yellow shell among those mouth up: without it three are no 3."""
ONE, FIVE = (VALUES.index(value) for value in (1, 5))
ADMIT = np.int64(1 << ONE | 1 << FIVE)
UP_TO = values_up_to(VALUES, NONE).astype(np.int64)

YELLOW = 5
"""The marked shell."""
SO_HATARA = np.array([mouths == 3 and not throw >> YELLOW & 1 for throw, mouths in enumerate(MOUTHS)])
"""`[throw]`: whether three shells lie mouth up and the yellow one down."""
ONES = 4
"""Throws of 1 that So-hatara is worth."""
MOST_ONES = (MOST_THROWS - 2) * 5 + ONES + SHELLS
"""Of one turn that is divided: So-hatara, fives, and a six at its end."""

THROWN = np.array(
    [ONES * one(ONE) if so else one(mouths - 1) if mouths else 0 for mouths, so in zip(MOUTHS, SO_HATARA, strict=True)]
)
GRANTS = SO_HATARA | (MOUTHS == 1) | (MOUTHS == 5)
"""`[throw]`: what is thrown, and whether it grants another throw."""

ALL, ENTER_FIRST = 1, 0
"""Of the options `division` and `enter`."""
MIDDLE = SMALL_LAST - SMALL_END + 1
"""The end cell on the way home: the first of the middle row."""
REACH = np.array([ADMIT, *(UP_TO[max(MIDDLE - place, 1)] for place in range(1, SMALL_LAST + 1)), 0], np.int64)
"""`[place]`: the throws that take a piece in, and on where nobody stands."""
CELLS, SAFE, MARKS, MEETS = SMALL.tracks.tables

OPTIONS = (
    Option("counters", 4, lowest=1, highest=4, size=True),
    Option("division", "four", choices=("four", "all")),
    Option("enter", "first", choices=("first", "count")),
    turn.USE,
    Option("max_turns", 2000),
    REWARD,
)


def record(options):
    return turn.fields(ARMS, options["counters"], NAMES, SMALL_LAST, pairs_field(ARMS))


@rule(inline=True)
def tracks(s):
    return CELLS, SAFE, MARKS, MEETS


@rule(inline=True)
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


@rule
def begin(s):
    s.pairs[:] = 0
    cross.begin(s)


@rule(inline=True)
def throw(s):
    throws, total, divided = np.int64(0), 0, False
    for _ in range(MOST_THROWS):
        shells = throw_cowries(s)
        throws += THROWN[shells]
        total += MOUTHS[shells] + SO_HATARA[shells]
        divided |= SO_HATARA[shells]
        if not GRANTS[shells]:
            break
    # Of the three mouths of So-hatara four ones are made.
    put_down(s, total if divided and s.division == ALL else throws)


@rule(inline=True)
def usable(s, k, opponents):
    """The throws that admit, or lead on past no opponent; in the middle row only ones."""
    place = s.pieces[row_of(s, s.to_move), k]
    # Who enters on the first cell passes nobody.
    enters = (place == WAITING) & (s.enter == ENTER_FIRST)
    return REACH[place] & UP_TO[NONE if enters else first_of(beyond(opponents, place))]


@rule(inline=True)
def go(s, k, value):
    place = s.pieces[row_of(s, s.to_move), k]
    if place == WAITING:
        enter_together(s, k, 1 if s.enter == ENTER_FIRST else value + 1)
    else:
        arrive_together(s, k, place + value + 1)


# What players see, and what a position must be.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_race(s, p, out)
    observe_pairs(s, p, out)


def observation(options):
    pieces = options["counters"]
    return [*presentation.race_columns(ARMS, pieces, SMALL_LAST, NAMES, ARMS, MOST_ONES), pair_columns(ARMS, pieces)]


def actions(options):
    return presentation.actions(NAMES, options["counters"])


def equivalent_pairs(sides):
    """Throws with as many mouths up, of three those without the yellow shell apart: the least such throw."""
    kinds = [(int(mouths), bool(so)) for mouths, so in zip(MOUTHS, SO_HATARA, strict=True)]
    return [kinds.index(kind) for kind in kinds]


def check(s, options, given):
    presentation.check_race(s, given, SMALL_LAST, MOST_ONES)
    presentation.check_sides(s, cross.TEAMS, SMALL_LAST)
    check_pairs(s)


def board(s):
    lanes = [[p] * s.pieces.shape[1] for p in range(ARMS)]
    return cross.drawn(s, cross.SMALL, lanes, SHOWN, "team", [pairs_note(s)])


RULE_BOOK = RuleBook(
    name="asi_keliya",
    title="Asi Keliya",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(
        num_actions,
        begin,
        turn.legal,
        turn.play,
        observe,
        num_players=cross.num_players,
        legal_word=turn.legal_word,
        worth=presentation.worth,
        side=turn.side,
    ),
    result=Result(named_by_play, turn.share),
    family={
        contract.tracks: tracks,
        contract.sides: cross.two_teams,
        contract.opposed: cross.opposed_teams,
        contract.throw: throw,
        contract.watched: cross.opponents,
        contract.usable: usable,
        contract.go: go,
        **turn.BY_THROWS,
    },
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=cross.PHASES,
        descriptions=race(throw, NAMES, SMALL_LAST),
    ),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    equivalent_results=equivalent_pairs,
    most_decisions=lambda options: MOST_ONES * options["max_turns"],
)
__doc__ = RULE_BOOK.page
