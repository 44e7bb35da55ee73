"""
# Pahada Keliya (Sri Lanka)

| | |
|---|---|
| Players | 4 in two teams: 0 and 2 against 1 and 3 |
| Board | a cross of four arms of 3 x 8 |
| Pieces | 4 each, set up on the board |
| Rewards | +1 / -1 / 0 at the end, the same for partners |
| Import | `from mancala_envs import pahada_keliya_v0` |

{board}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 611-614, as summarised in the Ludii portal (evidence 1485).

* The player uses the throws in any order, each whole on one piece, and each takes effect at once. A throw that can be
  used must be; throws that cannot be used are lost. A player who cannot use any throw passes, which does not count as a
  turn. After 4000 passes in a row the game is a draw.
* Pieces of a player and their partner may stand together; they never strike or block each other. Of several pieces of a
  player at the same position of the same track, only the lowest-numbered may be chosen.
* The team that first has all pieces home wins, at once. After `max_turns` turns the game is a draw.

1. Pieces start on positions 6, 7, 11 and 11.
2. Two long dice, with sides 1, 3, 4 and 6, are thrown once; each die is a throw. A double is two throws of one value.
3. A piece that stops on a cell sends all opponents' pieces there to the centre; any throw n takes a piece from the
   centre to position n. No cell of the ring is safe, and pieces do not block each other. A piece gets home by the exact
   throw.
4. The gate. The left inner corner of p's arm is position 68 for p and position 34 for their partner m. Pieces of m
   beyond it are *past*. p's gate is shut while fewer than two pieces of m are past; then no piece of p on 75 or less
   may go beyond 75. Positions 73, 74 and 75 are p's *waiting cells*.
5. Held. p is held while p's gate is shut and a piece of p stands on a waiting cell. Meanwhile no single piece of m on
   34 or less may go beyond 34. It reaches the corner only by the exact throw, and not if two pieces of m stand there.
   Two pieces on the corner go on together by a double, which uses both dice; but not by a double six while a piece of p
   stands on 74, where they would land.

## Not settled by the source, decided here
* `past=3`: three of the partner's pieces must be past. The summary has both numbers.
* `edge="end"`: the waiting cells are 74, 75 and the end cell 76, and no piece may go beyond 76.
* `third="inner"`: two pieces start on 14 instead of 11: the third cell counted from the centre.
* `use="may"`: the player may stop at every decision. The remaining throws are lost, and the turn counts.

Inside a turn the engine plays a single choice itself. The first decision of a turn is always asked.

## Actions
The corner pair is the two lowest-numbered pieces on the corner.

## Options
With `reward="margin"` a team receives the sum of its positions minus the other team's, divided by 16 * 84. No campaign.
`winner` is the team.

## Random play
200 games: the teams win 49% and 51%. A game takes 635 decisions (1074 in the longest) in 335 turns, and 34 pieces are
sent back. At 9% of the decisions the partner of the player to move is held. Games of players who strike whenever they
can take 1704 turns on average.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, presentation, turn, verbs
from mancala_envs.families.races.cross import ARMS, LARGE, LAST, partner_of
from mancala_envs.families.races.dice import DISTANCES, NAMES, SHOWN, VALUES, cast
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.tracks import WORD, values_up_to

__all__ = ["RULE_BOOK"]

SIX = VALUES.index(6)
STEPS = values_up_to(VALUES, 2 * WORD).astype(np.int64)
PIECES = 4
PAIR = len(VALUES) * PIECES
"""The first action that moves the corner pair."""
DONE = PAIR + len(VALUES)

SET_UPS = np.array([[6, 7, 11, 11], [6, 7, 14, 14]])
"""Indexed by the option `third`."""
CORNER = 34
"""The place of the left inner corner of the partner's arm."""
HALF_ROUND = 34
"""Added to a place on a player's track, the place of the same cell on their partner's track."""
WAITING_CELLS = 3
ROW_END = 75
"""The last place of the left row of the player's own arm; the end cell is next."""

OPTIONS = (
    Option("past", 2, choices=(2, 3)),
    Option("edge", "row", choices=("row", "end")),
    Option("third", "outer", choices=("outer", "inner")),
    turn.USE,
    Option("max_turns", 4000),
    REWARD,
)


def record(options):
    return turn.fields(ARMS, PIECES, NAMES, LAST)


@rule(inline=True)
def num_actions(s):
    return DONE + 1


@rule(allocates=True)
def begin(s):
    for p in range(ARMS):
        s.pieces[p] = SET_UPS[s.third]
    turn.first_turn(s)


# The gate.


@rule(inline=True)
def edge(s):
    """Return the last place before the gate."""
    return ROW_END + s.edge


@rule(inline=True)
def gate_is_shut(s, p):
    """Return whether too few pieces of player p's partner are past the corner."""
    return verbs.count_beyond(s, partner_of(p), CORNER) < 2 + s.past


@rule(inline=True)
def is_held(s, p):
    """Return whether player p's gate is shut and a piece of player p stands on a waiting cell."""
    waits = verbs.count_beyond(s, p, edge(s) - WAITING_CELLS) > verbs.count_beyond(s, p, edge(s))
    return gate_is_shut(s, p) & waits


# Pieces.


@rule(inline=True)
def choices(s):
    return verbs.uses(s) | verbs.as_actions(pairs(s), PAIR)


@rule(inline=True)
def is_choice(s, action):
    if action >= PAIR:
        return pairs(s) >> action - PAIR & 1 != 0
    return verbs.is_use(s, action)


@rule(inline=True)
def usable(s, k, there):
    """Return the values that do not lead piece k beyond home, a shut gate, or the corner while the partner is held."""
    p = verbs.row_of(s, s.to_move)
    place = np.int64(s.pieces[p, k])
    bound = CORNER - (verbs.count_on(s, p, CORNER) >= 2)
    last = edge(s) if gate_is_shut(s, p) & (place <= edge(s)) else LAST + 1
    last = bound if is_held(s, partner_of(p)) & (place <= CORNER) else last
    return STEPS[max(last - place, 0)]


@rule(inline=True)
def pairs(s):
    """Return the set of values by a double of which two pieces on the corner can go on together."""
    p = verbs.row_of(s, s.to_move)
    values = 0
    if verbs.count_on(s, p, CORNER) >= 2 and is_held(s, partner_of(p)):
        for value in range(len(VALUES)):
            barred = value == SIX and verbs.count_on(s, partner_of(p), CORNER + DISTANCES[SIX] + HALF_ROUND) > 0
            if s.throws[value] == 2 and not barred:
                values |= 1 << value
    return values


@rule(inline=True)
def carry_out(s, action):
    if action >= PAIR:
        move_pair(s, action - PAIR)
    else:
        turn.use_one(s, action)


@rule(inline=True)
def move_pair(s, value):
    """Move the two lowest-numbered pieces on the corner by a double."""
    s.throws[value] = 0
    p, moved = verbs.row_of(s, s.to_move), 0
    for k in range(PIECES):
        if s.pieces[p, k] == CORNER and moved < 2:
            go(s, k, value)
            moved += 1


@rule(inline=True)
def go(s, k, value):
    verbs.arrive(s, k, s.pieces[verbs.row_of(s, s.to_move), k] + DISTANCES[value])


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_race(s, p, out)
    partner = partner_of(p)
    out.own_gate_shut = gate_is_shut(s, p)
    out.partners_gate_shut = gate_is_shut(s, partner)
    out.own_held = is_held(s, p)
    out.partner_held = is_held(s, partner)


def observation(options):
    return [
        *presentation.race_columns(ARMS, PIECES, LAST, NAMES, ARMS, 2),
        Columns("own_gate_shut", 1, "1 while the observing player's gate is shut"),
        Columns("partners_gate_shut", 1, "1 while their partner's gate is shut"),
        Columns("own_held", 1, "1 while the observing player is held"),
        Columns("partner_held", 1, "1 while their partner is held: then the corner binds the observing player"),
    ]


def actions(options):
    return presentation.actions(
        NAMES, PIECES, Actions("the corner pair goes on by {throws}", throws=[f"{value} {value}" for value in NAMES])
    )


def check(s, options, given):
    presentation.check_race(s, given, LAST, 2)
    presentation.check_sides(s, turn.TEAMS, LAST)


def gates(s):
    """Return a caption that says whose gate is open."""
    shut = [in_python(gate_is_shut)(s, p) for p in range(ARMS)]
    return ["gates: " + ", ".join(f"P{p} {'shut' if shut[p] else 'open'}" for p in range(ARMS))]


def board(s):
    return cross.draw_cross(s, LARGE, SHOWN, "team", gates(s))


RULE_BOOK = presentation.book(
    "pahada_keliya",
    "Pahada Keliya",
    __doc__,
    drawing=LARGE.drawing,
    options=OPTIONS,
    record=record,
    num_actions=num_actions,
    begin=begin,
    family={
        contract.tracks: cross.tracks,
        contract.sides: turn.two_sides,
        contract.are_opponents: turn.are_opponents_in_teams,
        contract.throw: cast,
        contract.usable: usable,
        contract.go: go,
        contract.choices: choices,
        contract.is_choice: is_choice,
        contract.carry_out: carry_out,
    },
    check=check,
    board=board,
    observe=observe,
    observation=observation,
    actions=actions,
    descriptions=race(cast, NAMES, LAST),
    equivalent_results=verbs.equivalent_dice,
    # Each of the two dice is one decision.
    most_decisions=lambda options: 2 * options["max_turns"],
)
__doc__ = RULE_BOOK.page
