"""
# Asi Keliya (Sri Lanka)

| | |
|---|---|
| Players | 4 in two teams: 0 and 2 against 1 and 3 |
| Board | a cross of four arms of 3 x 4 with a cell in each angle |
| Pieces | 4 each; option `counters` |
| Rewards | +1 / -1 / 0 at the end, the same for partners |
| Import | `from mancala_envs import asi_keliya_v0` |

{board} `*` is a corner cell: safe.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 614-616 (Asi Keliya or Sonaru), as summarised in the Ludii portal
(evidence 1486).

* The player throws, and again as long as the throw grants another, before moving; at most 16 times.
* The player uses the throws in any order, each whole on one piece, and each takes effect at once. A throw that can be
  used must be; throws that cannot be used are lost. A player who cannot use any throw passes, which does not count as a
  turn. After 4000 passes in a row the game is a draw.
* Pieces of a player and their partner may stand together; they never strike or block each other. Of several pieces of a
  player at the same position of the same track, only the lowest-numbered may be chosen.
* The team that first has all pieces home wins, at once. After `max_turns` turns the game is a draw.

1. Six cowries are thrown, one of them yellow. The throw is the number of mouths up; with none up there is no throw.
   Three mouths up with the yellow shell down is *So-hatara*: four throws of 1. After 1, 5 and So-hatara the player
   throws again.
2. A piece enters with a throw of 1 or 5. It stands on position 1, and the throw is used up.
3. No throw leads beyond a cell with an opponents' piece on it. A piece may stop on that cell.
4. A piece that stops on a cell sends all opponents' pieces there to the centre, except on corner cells, which all
   players share.
5. If one move sends back two pieces of one player from one cell, they may enter together with one throw (`pairs`).
6. A throw other than 1 leads no further than 44, the first cell of the middle row. From there on pieces move only by
   throws of 1.

## Not settled by the source, decided here
* `division="all"`: if a So-hatara is among the throws of the turn, all of them are divided into throws of 1.
* `enter="count"`: the throw is counted from the centre, so a 5 enters on position 5, under rules 3 and 4.
* `use="may"`: the player may stop at every decision. The remaining throws are lost, and the turn counts.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Options
With `reward="margin"` a team receives the sum of its positions minus the other team's, divided by the number of all
pieces times 48. No campaign. `winner` is the team.

## Random play
200 games: the teams win 54.5% and 45.5%. A game takes 819 decisions (1431 in the longest) in 370 turns, and 51 pieces
are sent back.

## Versions
* v0: first version.
"""

from dataclasses import replace

import numpy as np

from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, pairs, presentation, turn, verbs
from mancala_envs.families.races.cross import ARMS, SMALL, SMALL_END, SMALL_LAST
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.tracks import WAITING, values_up_to

__all__ = ["RULE_BOOK"]

VALUES = tuple(range(1, verbs.SHELLS + 1))
NAMES = tuple(map(str, VALUES))
SHOWN = tuple(replace(shown, shells=shown.shells[::-1]) for shown in presentation.mouths(*VALUES))
"""A throw of each value as it is drawn. The yellow shell is up, because three mouths without it are So-hatara."""
ONE, FIVE = (VALUES.index(value) for value in (1, 5))
ADMIT = np.int64(1 << ONE | 1 << FIVE)
UP_TO = values_up_to(VALUES, verbs.NONE).astype(np.int64)

YELLOW = 5
"""Index of the yellow shell, the bit in a throw of six."""
SO_HATARA = np.array([mouths == 3 and not throw >> YELLOW & 1 for throw, mouths in enumerate(verbs.MOUTHS)])
"""Whether three shells lie mouth up and the yellow one down, by throw."""
ONES = 4
"""Number of throws of 1 that So-hatara counts for."""
MOST_ONES = (verbs.MOST_THROWS - 2) * 5 + ONES + verbs.SHELLS
"""Maximum number of throws of 1 in a turn: all throws divided, namely fives, one So-hatara, and a six at the end."""

THROWN = np.array([verbs.one_throw(mouths - 1) if mouths else 0 for mouths in verbs.MOUTHS])
THROWN[SO_HATARA] = ONES * verbs.one_throw(ONE)
GRANTS = SO_HATARA | (verbs.MOUTHS == 1) | (verbs.MOUTHS == 5)
"""By throw: the throws that it counts for, as a sum of `one`s, and whether it grants another throw."""

ALL, ENTER_FIRST = 1, 0
"""Values of the options `division` and `enter`."""
MIDDLE = SMALL_LAST - SMALL_END + 1
"""The place of the end cell on the way home, the first cell of the middle row."""
REACH = np.array([ADMIT, *(UP_TO[max(MIDDLE - place, 1)] for place in range(1, SMALL_LAST + 1)), 0], np.int64)
"""By place: the values with which a piece enters or moves on if no opponent is in the way."""
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
    return turn.fields(ARMS, options["counters"], NAMES, SMALL_LAST, pairs.field(ARMS))


@rule(inline=True)
def tracks(s):
    return CELLS, SAFE, MARKS, MEETS


@rule
def begin(s):
    s.pairs[:] = 0
    turn.begin(s)


@rule(inline=True)
def throw(s):
    throws, total, divided = np.int64(0), 0, False
    for _ in range(verbs.MOST_THROWS):
        shells = verbs.throw_cowries(s)
        throws += THROWN[shells]
        total += verbs.MOUTHS[shells] + SO_HATARA[shells]
        divided |= SO_HATARA[shells]
        if not GRANTS[shells]:
            break
    # So-hatara has three mouths up but counts for four throws of 1.
    verbs.store_throws(s, total if divided and s.division == ALL else throws)


@rule(inline=True)
def usable(s, k, opponents):
    """Return the values with which piece k can enter, or move on without passing an opponent."""
    place = s.pieces[verbs.row_of(s, s.to_move), k]
    # A piece that enters on the first cell passes no other.
    enters = (place == WAITING) & (s.enter == ENTER_FIRST)
    return REACH[place] & UP_TO[verbs.NONE if enters else verbs.distance_to_first(verbs.beyond(opponents, place))]


@rule(inline=True)
def go(s, k, value):
    place = s.pieces[verbs.row_of(s, s.to_move), k]
    if place == WAITING:
        pairs.enter_together(s, k, 1 if s.enter == ENTER_FIRST else value + 1)
    else:
        pairs.arrive_together(s, k, place + value + 1)


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_race(s, p, out)
    pairs.observe(s, p, out)


def observation(options):
    pieces = options["counters"]
    return [*presentation.race_columns(ARMS, pieces, SMALL_LAST, NAMES, ARMS, MOST_ONES), pairs.columns(ARMS, pieces)]


def actions(options):
    return presentation.actions(NAMES, options["counters"])


def equivalent_pairs(sides):
    """Return for each throw the lowest one with the same number of mouths up; So-hatara is a group of its own."""
    kinds = [(int(mouths), bool(so)) for mouths, so in zip(verbs.MOUTHS, SO_HATARA, strict=True)]
    return [kinds.index(kind) for kind in kinds]


def check(s, options, given):
    presentation.check_race(s, given, SMALL_LAST, MOST_ONES)
    presentation.check_sides(s, turn.TEAMS, SMALL_LAST)
    pairs.check(s)


def board(s):
    return cross.draw_cross(s, SMALL, SHOWN, "team", [pairs.note(s)])


RULE_BOOK = presentation.book(
    "asi_keliya",
    "Asi Keliya",
    __doc__,
    drawing=SMALL.drawing,
    options=OPTIONS,
    record=record,
    begin=begin,
    family={
        contract.tracks: tracks,
        contract.sides: turn.two_sides,
        contract.are_opponents: turn.are_opponents_in_teams,
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
    descriptions=race(throw, NAMES, SMALL_LAST),
    equivalent_results=equivalent_pairs,
    most_decisions=lambda options: MOST_ONES * options["max_turns"],
)
__doc__ = RULE_BOOK.page
