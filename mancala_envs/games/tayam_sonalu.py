"""
# Tayam Sonalu (Sri Lanka)

| | |
|---|---|
| Players | 4 in two teams: 0 and 2 against 1 and 3; alone with `teams=False` |
| Board | a cross of four arms of 3 x 8 |
| Pieces | 4 each; option `counters` |
| Rewards | +1 / -1 / 0 at the end, partners alike; alone the winner +1, the others -1/3 |
| Import | `from mancala_envs import tayam_sonalu_v0` |

```
                                 0   1   2
                                 3   4   5
                                 6   7   8
                                 9  10  11
                                12  13  14
                                15  16  17
                                18  19  20
                                21  22  23
24  25  26  27  28  29  30  31              32  33  34  35  36  37  38  39
40  41  42  43  44  45  46  47              48  49  50  51  52  53  54  55
56  57  58  59  60  61  62  63              64  65  66  67  68  69  70  71
                                72  73  74
                                75  76  77
                                78  79  80
                                81  82  83
                                84  85  86
                                87  88  89
                                90  91  92
                                93  94  95
```
Arms 0 to 3 are south, east, north and west; player p sits at arm p. A piece goes from the centre down the middle row of
its arm (position 1 to 8, its end cell), anticlockwise round the outside (9 to 75), over the end cell again (76) and up
the middle row, home by 84. The turn goes on to the right: south, east, north, west.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 616-618, as summarised in the Ludii portal (evidence 1487).

* The player throws, and again as long as the throw grants another, before he moves; at most 16 times.
* He uses his throws in any order, each whole on one piece, and each takes effect at once. A throw that can be used must
  be; what cannot be used is lost. Who can use nothing passes, which is no turn; after 4000 passes in a row it is a
  draw.
* Pieces of one's own and of the partner stand together, never strike and never stop each other. Of pieces of one player
  as far on one track only the lowest-numbered may be chosen.
* The team, or player, that first has all pieces home (*palam*) wins, at once. At `max_turns` it is a draw.

1. Two long dice, sides 0, 1, 2, 4; the throw is their sum, one number. 0 and 1 is *Tayam* (1), 0 and 4 *Sonal* (a 4 of
   its own), 0 and 0 nothing. After Tayam, 5 and Sonal he throws again.
2. A player's first piece enters by Tayam only; afterwards Tayam, 5 and Sonal bring one in. It stands on position 1, and
   the throw is used up.
3. No throw leads beyond a cell with an opponents' piece on it; stopping on it is allowed.
4. Stopping on a cell with opponents' pieces sends all of them to the centre; no cell is safe. Two of one player sent
   back from one cell by one move may enter together by one throw (`pairs`).
5. Home by the exact throw.

## Not settled by the source, decided here
* `first="always"`: Tayam is needed whenever none of a player's pieces is on the track (`opened` falls back to 0).
* `teams=False` (Ludii): each for himself, everybody else an opponent.
* `use="may"`: the player may stop at every decision; what is left is lost, and the turn counts.

A single choice inside a turn the engine plays itself; the first decision of a turn is always asked.

## Options
With `reward="margin"` the sum of the own team's positions less the other's, or the mean of the others', is paid, as a
part of all pieces times 84. No campaign. `winner` is the team with teams.

## Random play
200 games: the teams win 51.5 and 48.5 %; 519 decisions (737 in the longest) in 339 turns, 20 pieces sent back.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.board import Throw
from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, presentation, turn
from mancala_envs.families.races.cross import ARMS, LAST
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
from mancala_envs.families.races.tracks import WAITING, reach, values_up_to
from mancala_envs.families.races.verbs import (
    DICE,
    FACES,
    MOST_THROWS,
    NONE,
    beyond,
    count_beyond,
    first_of,
    one,
    put_down,
    row_of,
    throw_dice,
)

__all__ = ["RULE_BOOK"]

NAMES = ("Tayam", "2", "3", "two and two", "5", "6", "8", "Sonal")
VALUES = (1, 2, 3, 4, 5, 6, 8, 4)
SHOWN = tuple(
    Throw(name, dice=dice)
    for name, dice in zip(NAMES, ((0, 1), (1, 1), (1, 2), (2, 2), (1, 4), (2, 4), (4, 4), (0, 4)), strict=True)
)
"""A throw of each value; 0 and 2 stand for 2 as well."""
DISTANCES = np.array(VALUES)
TAYAM, TWO_AND_TWO, FIVE, SONAL = (NAMES.index(name) for name in ("Tayam", "two and two", "5", "Sonal"))
FIRST_ADMITS, ADMIT = np.int64(1 << TAYAM), np.int64(1 << TAYAM | 1 << FIVE | 1 << SONAL)
UP_TO = values_up_to(VALUES, NONE).astype(np.int64)
REACH = np.array([reach(VALUES, LAST, int(admit)) for admit in (FIRST_ADMITS, ADMIT)])
"""`[opened, place]`: the throws that take a piece in, or home at most."""

SIDES = (0, 1, 2, 4)
NOTHING = -1


def value_of(dice):
    """The index of what two dice show."""
    one, other = SIDES[dice // FACES], SIDES[dice % FACES]
    if {one, other} == {0, 4}:
        return SONAL
    return VALUES.index(one + other) if one + other else NOTHING


THROWN = np.array([value_of(dice) for dice in range(DICE)])
THROWS = np.array([one(value) if value != NOTHING else 0 for value in THROWN])
GRANTS = np.isin(THROWN, (TAYAM, FIVE, SONAL))
"""`[throw]`: the index of its value, the throw as `put_down` takes it, and whether it grants another."""

ALWAYS = 1
"""Of the option `first`."""

OPTIONS = (
    Option("counters", 4, lowest=1, highest=4, size=True),
    Option("teams", True, choices=(False, True)),
    Option("first", "once", choices=("once", "always")),
    turn.USE,
    Option("max_turns", 2000),
    REWARD,
)


def record(options):
    opened = '1 for each player who has entered a piece once (`first="always"`: and has one on the track)'
    more = [pairs_field(ARMS), Field("opened", "u1", opened, (ARMS,))]
    return turn.fields(ARMS, options["counters"], NAMES, LAST, *more)


@rule(inline=True)
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


@rule
def begin(s):
    s.pairs[:] = 0
    s.opened[:] = 0
    cross.begin(s)


@rule(inline=True)
def throw(s):
    throws = np.int64(0)
    for _ in range(MOST_THROWS):
        dice = throw_dice(s)
        throws += THROWS[dice]
        if not GRANTS[dice]:
            break
    put_down(s, throws)


@rule(inline=True)
def usable(s, k, opponents):
    """The throws that admit a waiting piece, or lead home at most and past no opponent."""
    p = row_of(s, s.to_move)
    place = s.pieces[p, k]
    return REACH[s.opened[p], place] & UP_TO[first_of(beyond(opponents, place))]


@rule(inline=True)
def go(s, k, value):
    p = row_of(s, s.to_move)
    place = s.pieces[p, k]
    if place == WAITING:
        enter_together(s, k, 1)
        s.opened[p] = 1
    else:
        arrive_together(s, k, place + DISTANCES[value])
    if s.first == ALWAYS:
        shut_again(s)


@rule(inline=True)
def shut_again(s):
    """Who has no piece on the track needs Tayam again."""
    for p in range(ARMS):
        if count_beyond(s, p, WAITING) == count_beyond(s, p, LAST):
            s.opened[p] = 0


# What players see, and what a position must be.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_race(s, p, out)
    observe_pairs(s, p, out)
    for after in range(ARMS):
        out.opened[after] = s.opened[(p + after) % ARMS]


def observation(options):
    pieces = options["counters"]
    return [
        *presentation.race_columns(ARMS, pieces, LAST, NAMES, ARMS, MOST_THROWS),
        pair_columns(ARMS, pieces),
        Columns("opened", 1, "1 for the player who needs Tayam no more to enter, in the same order", each=range(ARMS)),
    ]


def actions(options):
    return presentation.actions(NAMES, options["counters"])


def equivalent_pairs(sides):
    """The least throw of the same value."""
    return [THROWN.tolist().index(value) for value in THROWN]


def check_opened(s, options, given):
    """Who has a piece in has opened; with `first="always"` who has none on the track has not."""
    if "opened" not in given:
        entered = s.pieces > WAITING
        s.opened[:] = (entered & (s.pieces <= LAST) if options["first"] == "always" else entered).any(axis=1)
    require(s.opened.max() <= 1, f"opened must hold 0 and 1, got {s.opened.tolist()}")
    for p, pieces in enumerate(s.pieces):
        on_track = bool(((pieces > WAITING) & (pieces <= LAST)).any())
        if options["first"] == "always":
            agrees, opened = s.opened[p] == on_track, int(on_track)
        else:
            agrees, opened = s.opened[p] or not pieces.any(), 1
        require(agrees, f"opened of player {p} must be {opened} with pieces {pieces.tolist()}")


def check(s, options, given):
    presentation.check_race(s, given, LAST, MOST_THROWS)
    check_opened(s, options, given)
    presentation.check_sides(s, cross.TEAMS if options["teams"] else ARMS, LAST)
    check_pairs(s)


def board(s):
    lanes = [[p] * s.pieces.shape[1] for p in range(ARMS)]
    return cross.drawn(
        s, cross.LARGE, lanes, SHOWN, "team" if s.teams else "player", [pairs_note(s), f"opened: {s.opened.tolist()}"]
    )


RULE_BOOK = RuleBook(
    name="tayam_sonalu",
    title="Tayam Sonalu",
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
        contract.tracks: cross.tracks,
        contract.sides: cross.teams_or_alone,
        contract.opposed: cross.opposed_or_alone,
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
        descriptions=race(throw, NAMES, LAST),
    ),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    equivalent_results=equivalent_pairs,
    most_decisions=lambda options: MOST_THROWS * options["max_turns"],
)
__doc__ = RULE_BOOK.page
