"""
# Sokkattan (Sri Lanka)

| | |
|---|---|
| Players | 4; option `players` (2, 3, 4), with four also two teams (`teams=True`) |
| Board | a cross of four arms of 3 x 8 |
| Pieces | 3 each, with two players 6; option `counters` |
| Rewards | the winner +1, the others -1/3; with teams +1 / -1 each; 0 for a draw |
| Import | `from mancala_envs import sokkattan_v0` |

{board} `*` is a marked cell
(*chira*).

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 619-621, "Pachis in Ceylon", in the Ludii portal (evidence 828).

* The player throws, and again as long as the throw grants another, before moving; at most 16 times.
* The player uses the throws in any order, each whole on one piece, and each takes effect at once. A throw that can be
  used must be; throws that cannot be used are lost. A player who cannot use any throw passes, which does not count as a
  turn. After 4000 passes in a row the game is a draw.
* Pieces of a player and their partner may stand together; they never strike or block each other. Of several pieces of a
  player at the same position of the same track, only the lowest-numbered may be chosen.
* The player who first has all pieces home wins, at once; with `teams=True` the first team. After `max_turns` turns the
  game is a draw.

1. Six cowries are thrown. The throw by mouths up: 0 up is 6, 1 up is 10, 2 up is 2, 3 up is 3, 4 up is 4, 5 up is 25,
   and 6 up is 12. After 6, 10, 12 and 25 the player throws again.
2. If three throws in a row are each 10 or 25, all three are cancelled. The player throws on, and the count starts
   again.
3. Every 10 and 25 that is not cancelled also brings a throw of 1. As long as the player to move has a 1 left and a
   waiting piece, the only legal action is to enter that piece, on position 1. Pieces enter in no other way. If no piece
   is waiting, a 1 is an ordinary throw.
4. Pieces do not block each other. A piece that stops on a cell sends all opponents' pieces there to the centre.
5. On a marked cell no piece is sent back, and no piece may stop where an opponent stands.
6. A piece gets home by the exact number.

## Not settled by the source, decided here
* With two players each has two colours, player 0 at arms 0 and 2, player 1 at arms 1 and 3, as in Indian pachisi. With
  `two="arm"` player 0 has only arm 0 and player 1 only arm 2. Three players sit at arms 0, 1 and 2.
* `thrice="same"` (the summary): three equal throws in a row are cancelled, including 6 and 12.
* `chira="shared"`: an opponent may stop on a marked cell, and both pieces stay there.
* `use="may"`: the player may stop at every decision, except while a piece must enter. The remaining throws are lost,
  and the turn counts.
* Every player plays alone, and the winner is the one who brings all pieces home. `teams=True` (0 and 2 against 1 and 3)
  is the Indian way.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Options
`counters` is the number of pieces of one colour. With `reward="margin"` a player receives the sum of their positions
minus the mean of the others', divided by the number of all pieces times 84. No campaign. With `teams=True` `winner` is
the team.

## Random play
200 games: the seats win 20%, 26%, 27.5% and 26.5%. A game takes 197 decisions (310 in the longest) in 134 turns; with
two players it takes 222 decisions.

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.board import Throw
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, presentation, turn, verbs
from mancala_envs.families.races.contract import marked_places
from mancala_envs.families.races.cross import ARMS, LAST, MARKED_LARGE
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.tracks import WAITING, landings, reach

__all__ = ["RULE_BOOK"]

VALUES = (1, 2, 3, 4, 6, 10, 12, 25)
DISTANCES = np.array(VALUES)
NAMES = tuple(map(str, VALUES))
SHOWN = tuple(
    replace(shown, label=name)
    for name, shown in zip(NAMES, (Throw(""), *presentation.mouths(2, 3, 4, 0, 1, 6, 5)), strict=True)
)
"""A throw of each value as it is drawn; the extra 1 has no shells."""
ONE, SIX, TEN, TWELVE, TWENTY_FIVE = (VALUES.index(value) for value in (1, 6, 10, 12, 25))
THROWN = np.array([VALUES.index((6, 10, 2, 3, 4, 25, 12)[mouths]) for mouths in verbs.MOUTHS])
"""The index of the value, by throw."""
REACH = reach(VALUES, LAST, 1 << ONE)
LANDINGS = landings(VALUES)
NO_THROW = -1
KEPT = np.array([verbs.one_throw(value) + verbs.one_throw(ONE) * (value in (TEN, TWENTY_FIVE)) for value in THROWN])
"""The throws that a throw counts for, as a sum of `one`s: a 10 or 25 also brings a throw of 1."""

ARM, SAME, SHUT = 1, 1, 0
"""Values of the options `two`, `thrice` and `chira`."""

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
    """Return the number of pieces of each player; each of two players has the pieces of two colours."""
    return options["counters"] * (2 if options["players"] == 2 else 1)


def record(options):
    return turn.fields(options["players"], pieces_of(options), NAMES, LAST)


@rule(inline=True)
def tracks(s):
    return CELLS, SAFE, MARKS, MEETS


@rule(inline=True)
def lane(s, r, k):
    """Return the arm of a piece; each of two players has two opposite arms, or one, opposite the other player's."""
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
    """Throw; cancel three throws in a row of 10 or 25, or of the same number, and begin a new count of three."""
    throws = run_of = np.int64(0)
    last, run = NO_THROW, 0
    for _ in range(verbs.MOST_THROWS):
        shells = verbs.throw_cowries(s)
        value, kept = THROWN[shells], KEPT[shells]
        throws += kept
        if not grants(value):
            break
        counts = value == last if s.thrice == SAME else brings_one(value)
        run, run_of = (run + 1, run_of + kept) if counts else new_run(s, kept)
        last = value
        if run == 3:
            throws -= run_of
            run, run_of = 0, np.int64(0)
    verbs.store_throws(s, throws)


@rule(inline=True)
def new_run(s, kept):
    """Return the count and the throws of the run after a throw that breaks the last one."""
    return (1, kept) if s.thrice == SAME else (0, np.int64(0))


# Pieces.


@rule(inline=True)
def must_enter(s):
    """Return whether a throw of 1 is left and a piece waits, which the 1 must bring in."""
    return (s.throws[ONE] > 0) & (verbs.count_on(s, verbs.row_of(s, s.to_move), WAITING) > 0)


@rule(inline=True)
def may_stop(s):
    return s.use == 1 and not must_enter(s)


@rule(inline=True)
def obstacles(s, track):
    """Return the marked places with an opponent on them, where no piece may stop."""
    if s.chira != SHUT:
        return verbs.no_places()
    occupied = verbs.occupied_places(s, track, verbs.row_of(s, s.to_move), False)
    return verbs.intersection(occupied, marked_places(s, track))


@rule(inline=True)
def usable(s, k, shut):
    """Return the values with which piece k can enter, move or get home without stopping on a shut place.

    While a piece must enter, no other piece can move.
    """
    place = s.pieces[verbs.row_of(s, s.to_move), k]
    may = REACH[place] & ~verbs.values_into(DISTANCES, LANDINGS, verbs.beyond(shut, place))
    return may if (place == WAITING) | (not must_enter(s)) else 0


@rule(inline=True)
def go(s, k, value):
    verbs.arrive(s, k, s.pieces[verbs.row_of(s, s.to_move), k] + DISTANCES[value])


def check_options(options, campaign):
    four = options["players"] == ARMS
    require(not options["teams"] or four, f"teams=True needs players=4, got {options['players']}")


# Observations, actions and checks of positions.


def observation(options):
    return presentation.race_columns(
        options["players"], pieces_of(options), LAST, NAMES, options["players"], 2 * verbs.MOST_THROWS
    )


def actions(options):
    return presentation.actions(NAMES, pieces_of(options))


def check(s, options, given):
    presentation.check_race(s, given, LAST, 2 * verbs.MOST_THROWS)
    presentation.check_sides(s, 2 if options["teams"] else options["players"], LAST)


def board(s):
    lanes = [[int(lane(s, r, k)) for k in range(s.pieces.shape[1])] for r in range(len(s.pieces))]
    return cross.draw_cross(s, MARKED_LARGE, SHOWN, "team" if s.teams else "player", lanes=lanes)


RULE_BOOK = presentation.book(
    "sokkattan",
    "Sokkattan",
    __doc__,
    drawing=MARKED_LARGE.drawing,
    options=OPTIONS,
    record=record,
    family={
        contract.tracks: tracks,
        contract.lane: lane,
        contract.sides: cross.sides_by_option,
        contract.are_opponents: cross.are_opponents_by_option,
        contract.throw: throw,
        contract.obstacles: obstacles,
        contract.usable: usable,
        contract.go: go,
        **turn.BY_THROWS,
        contract.may_stop: may_stop,
    },
    check=check,
    check_options=check_options,
    board=board,
    observation=observation,
    actions=actions,
    descriptions=race(throw, NAMES, LAST),
    equivalent_results=verbs.equivalent_mouths,
    # Every throw may also bring a 1.
    most_decisions=lambda options: 2 * verbs.MOST_THROWS * options["max_turns"],
)
__doc__ = RULE_BOOK.page
