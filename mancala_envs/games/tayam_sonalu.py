"""
# Tayam Sonalu (Sri Lanka)

| | |
|---|---|
| Players | 4 in two teams: 0 and 2 against 1 and 3; alone with `teams=False` |
| Board | a cross of four arms of 3 x 8 |
| Pieces | 4 each; option `counters` |
| Rewards | +1 / -1 / 0 at the end, the same for partners; alone the winner +1, the others -1/3 |
| Import | `from mancala_envs import tayam_sonalu_v0` |

{board}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 616-618, as summarised in the Ludii portal (evidence 1487).

* The player throws, and again as long as the throw grants another, before moving; at most 16 times.
* The player uses the throws in any order, each whole on one piece, and each takes effect at once. A throw that can be
  used must be; throws that cannot be used are lost. A player who cannot use any throw passes, which does not count as a
  turn. After 4000 passes in a row the game is a draw.
* Pieces of a player and their partner may stand together; they never strike or block each other. Of several pieces of a
  player at the same position of the same track, only the lowest-numbered may be chosen.
* The team, or player, that first has all pieces home (*palam*) wins, at once. After `max_turns` turns the game is a
  draw.

1. Two long dice, with sides 0, 1, 2 and 4, are thrown. The throw is their sum, one number. 0 and 1 is *Tayam* (1), 0
   and 4 is *Sonal* (a 4, but a value of its own), and 0 and 0 is no throw. After Tayam, 5 and Sonal the player throws
   again.
2. A player's first piece enters only with Tayam; afterwards a piece enters with Tayam, 5 or Sonal. It stands on
   position 1, and the throw is used up.
3. No throw leads beyond a cell with an opponents' piece on it. A piece may stop on that cell.
4. A piece that stops on a cell sends all opponents' pieces there to the centre; no cell is safe. If one move sends back
   two pieces of one player from one cell, they may enter together with one throw (`pairs`).
5. A piece gets home by the exact throw.

## Not settled by the source, decided here
* `first="always"`: Tayam is needed whenever none of a player's pieces is on the track (`opened` falls back to 0).
* `teams=False` (Ludii): every player plays alone, and all others are opponents.
* `use="may"`: the player may stop at every decision. The remaining throws are lost, and the turn counts.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Options
With `reward="margin"` a team receives the sum of its positions minus the other team's, and a player without a partner
the sum minus the mean of the others', divided by the number of all pieces times 84. No campaign. In teams, `winner` is
the team.

## Random play
200 games: the teams win 51.5% and 48.5%. A game takes 519 decisions (737 in the longest) in 339 turns, and 20 pieces
are sent back.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.board import Throw
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, pairs, presentation, turn, verbs
from mancala_envs.families.races.cross import ARMS, LARGE, LAST
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.tracks import WAITING, reach, values_up_to

__all__ = ["RULE_BOOK"]

NAMES = ("Tayam", "2", "3", "two and two", "5", "6", "8", "Sonal")
VALUES = (1, 2, 3, 4, 5, 6, 8, 4)
SHOWN = tuple(
    Throw(name, dice=dice)
    for name, dice in zip(NAMES, ((0, 1), (1, 1), (1, 2), (2, 2), (1, 4), (2, 4), (4, 4), (0, 4)), strict=True)
)
"""A throw of each value as it is drawn; for 2, dice that show 0 and 2 are drawn as 1 and 1."""
DISTANCES = np.array(VALUES)
TAYAM, FIVE, SONAL = (NAMES.index(name) for name in ("Tayam", "5", "Sonal"))
FIRST_ADMITS, ADMIT = np.int64(1 << TAYAM), np.int64(1 << TAYAM | 1 << FIVE | 1 << SONAL)
UP_TO = values_up_to(VALUES, verbs.NONE).astype(np.int64)
REACH = np.array([reach(VALUES, LAST, int(admit)) for admit in (FIRST_ADMITS, ADMIT)])
"""By `[opened, place]`: the values with which a piece enters, or moves on without going beyond home."""

SIDES = (0, 1, 2, 4)
NOTHING = -1


def value_of(dice):
    """Return the index of the value that two dice show, NOTHING for two zeros."""
    one, other = SIDES[dice // verbs.FACES], SIDES[dice % verbs.FACES]
    if {one, other} == {0, 4}:
        return SONAL
    return VALUES.index(one + other) if one + other else NOTHING


THROWN = np.array([value_of(dice) for dice in range(verbs.DICE)])
THROWS = np.array([verbs.one_throw(value) if value != NOTHING else 0 for value in THROWN])
GRANTS = np.isin(THROWN, (TAYAM, FIVE, SONAL))
"""By throw: the index of its value, the throw as a sum of `one`s, and whether it grants another throw."""

ALWAYS = 1
"""Value of the option `first`."""

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
    more = [pairs.field(ARMS), Field("opened", "u1", opened, (ARMS,))]
    return turn.fields(ARMS, options["counters"], NAMES, LAST, *more)


@rule
def begin(s):
    s.pairs[:] = 0
    s.opened[:] = 0
    turn.begin(s)


@rule(inline=True)
def throw(s):
    throws = np.int64(0)
    for _ in range(verbs.MOST_THROWS):
        dice = verbs.throw_dice(s)
        throws += THROWS[dice]
        if not GRANTS[dice]:
            break
    verbs.store_throws(s, throws)


@rule(inline=True)
def usable(s, k, opponents):
    """Return the values with which piece k can enter, or move on without passing an opponent or going beyond home."""
    p = verbs.row_of(s, s.to_move)
    place = s.pieces[p, k]
    return REACH[s.opened[p], place] & UP_TO[verbs.distance_to_first(verbs.beyond(opponents, place))]


@rule(inline=True)
def go(s, k, value):
    p = verbs.row_of(s, s.to_move)
    place = s.pieces[p, k]
    if place == WAITING:
        pairs.enter_together(s, k, 1)
        s.opened[p] = 1
    else:
        pairs.arrive_together(s, k, place + DISTANCES[value])
    if s.first == ALWAYS:
        reset_opened(s)


@rule(inline=True)
def reset_opened(s):
    """Make players without a piece on the track need Tayam again."""
    for p in range(ARMS):
        if verbs.count_beyond(s, p, WAITING) == verbs.count_beyond(s, p, LAST):
            s.opened[p] = 0


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_race(s, p, out)
    pairs.observe(s, p, out)
    for after in range(ARMS):
        out.opened[after] = s.opened[(p + after) % ARMS]


def observation(options):
    pieces = options["counters"]
    return [
        *presentation.race_columns(ARMS, pieces, LAST, NAMES, ARMS, verbs.MOST_THROWS),
        pairs.columns(ARMS, pieces),
        Columns("opened", 1, "1 for a player who can also enter by 5 and Sonal, in the same order", each=range(ARMS)),
    ]


def actions(options):
    return presentation.actions(NAMES, options["counters"])


def equivalent_pairs(sides):
    """Return for each throw the lowest one of the same value."""
    return [THROWN.tolist().index(value) for value in THROWN]


def check_opened(s, options, given):
    """Fill in `opened` if it is not given, and check that it fits the places of the pieces."""
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
    presentation.check_race(s, given, LAST, verbs.MOST_THROWS)
    check_opened(s, options, given)
    presentation.check_sides(s, turn.TEAMS if options["teams"] else ARMS, LAST)
    pairs.check(s)


def board(s):
    notes = [pairs.note(s), f"opened: {s.opened.tolist()}"]
    return cross.draw_cross(s, LARGE, SHOWN, "team" if s.teams else "player", notes)


RULE_BOOK = presentation.book(
    "tayam_sonalu",
    "Tayam Sonalu",
    __doc__,
    drawing=LARGE.drawing,
    options=OPTIONS,
    record=record,
    begin=begin,
    family={
        contract.tracks: cross.tracks,
        contract.sides: cross.sides_by_option,
        contract.are_opponents: cross.are_opponents_by_option,
        contract.throw: throw,
        contract.obstacles: cross.opponents,
        contract.usable: usable,
        contract.go: go,
        **turn.BY_THROWS,
    },
    check=check,
    board=board,
    observe=observe,
    observation=observation,
    actions=actions,
    descriptions=race(throw, NAMES, LAST),
    equivalent_results=equivalent_pairs,
    most_decisions=lambda options: verbs.MOST_THROWS * options["max_turns"],
)
__doc__ = RULE_BOOK.page
