"""
# Sokkattan (Sri Lanka)

| | |
|---|---|
| Players | 4; option `players` (2, 3, 4), with four also two teams (`teams=True`) |
| Board | a cross of four arms of 3 x 8 |
| Pieces | 3 each, with two players 6; option `counters` |
| Rewards | the winner +1, the others -1/3; with teams +1 / -1 each; 0 for a draw |
| Import | `from mancala_envs import sokkattan_v0` |

```
                                 0   1   2
                                 3   4   5
                                 6   7   8
                                 9* 10  11*
                                12  13* 14
                                15  16  17
                                18  19  20
                                21  22  23
24  25  26  27* 28  29  30  31              32  33  34  35  36* 37  38  39
40  41  42  43  44* 45  46  47              48  49  50  51* 52  53  54  55
56  57  58  59* 60  61  62  63              64  65  66  67  68* 69  70  71
                                72  73  74
                                75  76  77
                                78  79  80
                                81  82* 83
                                84* 85  86*
                                87  88  89
                                90  91  92
                                93  94  95
```
Arms 0 to 3 are south, east, north and west; player p sits at arm p. A piece goes from the centre down the middle row of
its arm (position 1 to 8, its end cell), anticlockwise round the outside (9 to 75), over the end cell again (76) and up
the middle row, home by 84. The turn goes on to the right: south, east, north, west. `*` is marked (*chira*).

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 619-621, "Pachis in Ceylon", in the Ludii portal (evidence 828).

* The player throws, and again as long as the throw grants another, before he moves; at most 16 times.
* He uses his throws in any order, each whole on one piece, and each takes effect at once. A throw that can be used must
  be; what cannot be used is lost. Who can use nothing passes, which is no turn; after 4000 passes in a row it is a
  draw.
* Pieces of one's own and of the partner stand together, never strike and never stop each other. Of pieces of one player
  as far on one track only the lowest-numbered may be chosen.
* Who first has all pieces home wins, at once; with `teams=True` the first team. At `max_turns` it is a draw.

1. Six cowries; mouths up 0: 6; 1: 10; 2: 2; 3: 3; 4: 4; 5: 25; 6: 12. After 6, 10, 12 and 25 he throws again.
2. When a 10 or 25 falls in three throws running all three are struck off; he throws on, and the count begins anew.
3. Every 10 and 25 that is kept brings a throw of 1 besides. As long as the mover has a 1 left and a piece waits, to
   bring in that piece is his only choice; it stands on position 1. In no other way does a piece enter. With nobody
   waiting a 1 is a throw like the others.
4. Nothing blocks the way. Stopping on a cell with opponents' pieces sends all of them to the centre.
5. On a marked cell nobody is struck, and nobody may stop where an opponent stands.
6. Home by the exact number.

## Not settled by the source, decided here
* With two players each has two colours, player 0 arms 0 and 2, player 1 arms 1 and 3, as in Indian pachisi;
  `two="arm"`: all of one arm, 0 and 2. Three players sit at arms 0, 1 and 2.
* `thrice="same"` (the summary): the same number three times running, 6 and 12 too, is struck off.
* `chira="shared"`: an opponent may stop on a marked cell, and both stand there.
* `use="may"`: the player may stop at every decision; what is left is lost, and the turn counts. Not while a piece must
  enter.
* The winner is who brings all pieces home, each for himself; `teams=True` (0 and 2 against 1 and 3) is the Indian way.

A single choice inside a turn the engine plays itself; the first decision of a turn is always asked.

## Options
`counters` are of a colour. With `reward="margin"` the sum of the own positions less the mean of the others' is paid, as
a part of all pieces times 84. No campaign. `winner` is the team with `teams=True`.

## Random play
200 games: the seats win 20, 26, 27.5 and 26.5 %; 197 decisions (310 in the longest) in 134 turns. Two players: 222.

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.board import Throw
from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, presentation, turn
from mancala_envs.families.races.contract import marks
from mancala_envs.families.races.cross import ARMS, LAST, MARKED_LARGE
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.tracks import WAITING, landings, reach
from mancala_envs.families.races.verbs import (
    MOST_THROWS,
    MOUTHS,
    arrive,
    beyond,
    equivalent_mouths,
    in_both,
    met_on,
    no_places,
    on_place,
    one,
    put_down,
    row_of,
    throw_cowries,
    values_into,
)

__all__ = ["RULE_BOOK"]

VALUES = (1, 2, 3, 4, 6, 10, 12, 25)
DISTANCES = np.array(VALUES)
NAMES = tuple(map(str, VALUES))
SHOWN = tuple(
    replace(shown, label=name)
    for name, shown in zip(NAMES, (Throw(""), *presentation.mouths(2, 3, 4, 0, 1, 6, 5)), strict=True)
)
"""A throw of each value; the extra 1 has no shells."""
ONE, SIX, TEN, TWELVE, TWENTY_FIVE = (VALUES.index(value) for value in (1, 6, 10, 12, 25))
THROWN = np.array([VALUES.index((6, 10, 2, 3, 4, 25, 12)[mouths]) for mouths in MOUTHS])
"""`[throw]`: the index of its value."""
REACH = reach(VALUES, LAST, 1 << ONE)
LANDINGS = landings(VALUES)
NO_THROW = -1
KEPT = np.array([one(value) + (one(ONE) if value in (TEN, TWENTY_FIVE) else 0) for value in THROWN])
"""`[throw]`: what is thrown, with the throw of 1 that a 10 and a 25 bring."""

ARM, SAME, SHUT = 1, 1, 0
"""Of the options `two`, `thrice` and `chira`."""

CELLS, SAFE, MARKS, MEETS = MARKED_LARGE.tracks.tables

OPTIONS = (
    Option("players", 4, lowest=2, highest=4, size=True),
    Option("counters", 3, lowest=1, highest=4, size=True),
    Option("teams", False, choices=(False, True)),
    Option("two", "colours", choices=("colours", "arm")),
    Option("thrice", "either", choices=("either", "same")),
    Option("chira", "shut", choices=("shut", "shared")),
    turn.USE,
    Option("max_turns", 2000),
    REWARD,
)


def pieces_of(options):
    """How many pieces each player has: with two players two colours of them."""
    return options["counters"] * (2 if options["players"] == 2 else 1)


def record(options):
    return turn.fields(options["players"], pieces_of(options), NAMES, LAST)


@rule(inline=True)
def tracks(s):
    return CELLS, SAFE, MARKS, MEETS


@rule(inline=True)
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


@rule(inline=True)
def lane(s, r, k):
    """The arm of a piece: two players have two opposite colours each, or sit opposite each other."""
    if len(s.pieces) > 2:
        return r
    if s.two == ARM:
        return 2 * r
    return r + (2 if 2 * k >= s.pieces.shape[1] else 0)


# Throws.


@rule(inline=True)
def brings_one(value):
    return value in (TEN, TWENTY_FIVE)


@rule(inline=True)
def grants(value):
    return brings_one(value) or value in (SIX, TWELVE)


@rule(inline=True)
def throw(s):
    """Three throws running of 10 or 25, or of the same number, are struck off, and the count of three begins anew."""
    throws = run_of = np.int64(0)
    last, run = NO_THROW, 0
    for _ in range(MOST_THROWS):
        shells = throw_cowries(s)
        value, kept = THROWN[shells], KEPT[shells]
        throws += kept
        if not grants(value):
            break
        counts = value == last if s.thrice == SAME else brings_one(value)
        run, run_of = (run + 1, run_of + kept) if counts else begun(s, kept)
        last = value
        if run == 3:
            throws -= run_of
            run, run_of = 0, np.int64(0)
    put_down(s, throws)


@rule(inline=True)
def begun(s, kept):
    """A run that this throw breaks: with `thrice="same"` it begins another."""
    return (1, kept) if s.thrice == SAME else (0, np.int64(0))


# Pieces.


@rule(inline=True)
def must_enter(s):
    """Whether a throw of 1 is left and a piece waits, which it must pay for."""
    return (s.throws[ONE] > 0) & (on_place(s, row_of(s, s.to_move), WAITING) > 0)


@rule(inline=True)
def may_stop(s):
    return s.use == 1 and not must_enter(s)


@rule(inline=True)
def watched(s, track):
    """The marked cells with an opponent on them, where nobody may come to."""
    if s.chira != SHUT:
        return no_places()
    return in_both(met_on(s, track, row_of(s, s.to_move), False), marks(s, track))


@rule(inline=True)
def usable(s, k, shut):
    """The throws that take a piece in, on or home, but onto no shut cell; while one must enter, that alone."""
    place = s.pieces[row_of(s, s.to_move), k]
    may = REACH[place] & ~values_into(DISTANCES, LANDINGS, beyond(shut, place))
    return may if (place == WAITING) | (not must_enter(s)) else 0


@rule(inline=True)
def go(s, k, value):
    arrive(s, k, s.pieces[row_of(s, s.to_move), k] + DISTANCES[value])


def check_options(options, campaign):
    four = options["players"] == ARMS
    require(not options["teams"] or four, f"teams=True needs players=4, got {options['players']}")


# What players see, and what a position must be.


def observation(options):
    return presentation.race_columns(
        options["players"], pieces_of(options), LAST, NAMES, options["players"], 2 * MOST_THROWS
    )


def actions(options):
    return presentation.actions(NAMES, pieces_of(options))


def check(s, options, given):
    presentation.check_race(s, given, LAST, 2 * MOST_THROWS)
    presentation.check_sides(s, 2 if options["teams"] else options["players"], LAST)


def board(s):
    lanes = [[int(lane(s, r, k)) for k in range(s.pieces.shape[1])] for r in range(len(s.pieces))]
    return cross.drawn(s, cross.MARKED_LARGE, lanes, SHOWN, "team" if s.teams else "player")


RULE_BOOK = RuleBook(
    name="sokkattan",
    title="Sokkattan",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(
        num_actions,
        cross.begin,
        turn.legal,
        turn.play,
        presentation.observe,
        num_players=cross.num_players,
        legal_word=turn.legal_word,
        worth=presentation.worth,
        side=turn.side,
    ),
    result=Result(named_by_play, turn.share),
    family={
        contract.tracks: tracks,
        contract.lane: lane,
        contract.sides: cross.teams_or_alone,
        contract.opposed: cross.opposed_or_alone,
        contract.throw: throw,
        contract.watched: watched,
        contract.usable: usable,
        contract.go: go,
        **turn.BY_THROWS,
        contract.may_stop: may_stop,
    },
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=cross.PHASES,
        descriptions=race(throw, NAMES, LAST),
    ),
    positions=Positions(check),
    check_options=check_options,
    has_chance=lambda options, campaign: True,
    equivalent_results=equivalent_mouths,
    # Every throw may bring a 1 besides.
    most_decisions=lambda options: 2 * MOST_THROWS * options["max_turns"],
)
__doc__ = RULE_BOOK.page
