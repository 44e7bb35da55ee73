"""
# Pahada Keliya (Sri Lanka)

| | |
|---|---|
| Players | 4 in two teams: 0 and 2 against 1 and 3 |
| Board | a cross of four arms of 3 x 8 |
| Pieces | 4 each, set up on the board |
| Rewards | +1 / -1 / 0 at the end, partners alike |
| Import | `from mancala_envs import pahada_keliya_v0` |

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
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 611-614, as summarised in the Ludii portal (evidence 1485).

* He uses his throws in any order, each whole on one piece, and each takes effect at once. A throw that can be used must
  be; what cannot be used is lost. Who can use nothing passes, which is no turn; after 4000 passes in a row it is a
  draw.
* Pieces of one's own and of the partner stand together, never strike and never stop each other. Of pieces of one player
  as far on one track only the lowest-numbered may be chosen.
* The team that first has all pieces home wins, at once. At `max_turns` it is a draw.

1. Pieces start on positions 6, 7, 11 and 11.
2. Two long dice once, sides 1, 3, 4, 6; each die is a throw. A double is two throws of one value.
3. Stopping on a cell with opponents' pieces sends all of them to the centre; any throw n takes a piece from there to n.
   No cell of the ring is safe, and pieces do not block each other. Home by the exact throw.
4. The gate. The left inner corner of p's arm, his position 68, is position 34 of his partner m. Pieces of m beyond it
   are *past*. p's gate is shut while fewer than two of them are; then none of his pieces on 75 or less may go beyond
   75. 73, 74 and 75 are his *waiting cells*.
5. Held. p is held while his gate is shut and a piece of his stands on a waiting cell. Meanwhile none of m's pieces on
   34 or less may go beyond 34 by itself; the corner is reached by the exact throw, and not when two of m's stand on it.
   Two standing there go on together by a double, both dice being used; not by a double six while a piece of p stands on
   74, where it leads.

## Not settled by the source, decided here
* `past=3`: three of the partner's pieces must be past. Both numbers are in the summary.
* `edge="end"`: the waiting cells are 74, 75 and the end cell 76, and the bound 76.
* `third="inner"`: two pieces start on 14 instead of 11: the third cell counted from the centre.
* `use="may"`: the player may stop at every decision; what is left is lost, and the turn counts.

A single choice inside a turn the engine plays itself; the first decision of a turn is always asked.

## Actions
The corner pair are the two lowest-numbered pieces on the corner.

## Options
With `reward="margin"` the sum of the own team's positions less the other's is paid, as a part of 16 * 84. No campaign.
`winner` is the team.

## Random play
200 games: the teams win 49 and 51 %; 635 decisions (1074 in the longest) in 335 turns, 34 pieces sent back. The mover's
partner is held at 9 % of the decisions. Players who strike whenever they can take 1704 turns on average.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Throw
from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, cross, presentation, turn
from mancala_envs.families.races.cross import ARMS, LAST, partner_of
from mancala_envs.families.races.explanation import race
from mancala_envs.families.races.tracks import WORD, values_up_to
from mancala_envs.families.races.verbs import (
    FACES,
    arrive,
    as_actions,
    count_beyond,
    equivalent_dice,
    is_use,
    on_place,
    one,
    put_down,
    row_of,
    throw_dice,
    uses,
)

__all__ = ["RULE_BOOK"]

VALUES = (1, 3, 4, 6)
DISTANCES = np.array(VALUES)
NAMES = tuple(map(str, VALUES))
SHOWN = tuple(Throw(name, dice=(value,)) for name, value in zip(NAMES, VALUES, strict=True))
SIX = VALUES.index(6)
STEPS = values_up_to(VALUES, 2 * WORD).astype(np.int64)
PIECES = 4
PAIR = len(VALUES) * PIECES
"""The first action by which the corner pair goes on."""
DONE = PAIR + len(VALUES)

SET_UPS = np.array([[6, 7, 11, 11], [6, 7, 14, 14]])
"""By the option `third`."""
CORNER = 34
"""The left inner corner of the partner's arm, on one's own track."""
HALF_ROUND = 34
"""A piece so far on is as far on the partner's track as this is more."""
WAITING_CELLS = 3
ROW_END = 75
"""The last place of the left row of one's own arm; the end cell is next."""

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


@rule
def begin(s):
    for p in range(ARMS):
        s.pieces[p] = SET_UPS[s.third]
    turn.first_turn(s)


@rule(inline=True)
def throw(s):
    dice = throw_dice(s)
    put_down(s, one(dice // FACES) + one(dice % FACES))


# The gate.


@rule(inline=True)
def edge(s):
    """The last place before the gate."""
    return ROW_END + s.edge


@rule(inline=True)
def gate_is_shut(s, p):
    """Whether too few of the partner's pieces are past the corner."""
    return count_beyond(s, partner_of(p), CORNER) < 2 + s.past


@rule(inline=True)
def is_held(s, p):
    """Whether player p waits before his shut gate."""
    waits = count_beyond(s, p, edge(s) - WAITING_CELLS) > count_beyond(s, p, edge(s))
    return gate_is_shut(s, p) & waits


# Pieces.


@rule(inline=True)
def choices(s):
    return uses(s) | as_actions(pairs(s), PAIR)


@rule(inline=True)
def is_choice(s, action):
    if action >= PAIR:
        return pairs(s) >> action - PAIR & 1 != 0
    return is_use(s, action)


@rule(inline=True)
def usable(s, k, there):
    """The throws that lead home at most, to the edge before a shut gate, to the corner while the partner waits."""
    p = row_of(s, s.to_move)
    place = np.int64(s.pieces[p, k])
    bound = CORNER - (on_place(s, p, CORNER) >= 2)
    last = edge(s) if gate_is_shut(s, p) & (place <= edge(s)) else LAST + 1
    last = bound if is_held(s, partner_of(p)) & (place <= CORNER) else last
    return STEPS[max(last - place, 0)]


@rule(inline=True)
def pairs(s):
    """The doubles by which two pieces on the corner go on together, as a set of values."""
    p = row_of(s, s.to_move)
    values = 0
    if on_place(s, p, CORNER) >= 2 and is_held(s, partner_of(p)):
        for value in range(len(VALUES)):
            barred = value == SIX and on_place(s, partner_of(p), CORNER + DISTANCES[SIX] + HALF_ROUND) > 0
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
    """The two lowest-numbered pieces on the corner go on together, by both dice."""
    s.throws[value] = 0
    p, moved = row_of(s, s.to_move), 0
    for k in range(PIECES):
        if s.pieces[p, k] == CORNER and moved < 2:
            go(s, k, value)
            moved += 1


@rule(inline=True)
def go(s, k, value):
    arrive(s, k, s.pieces[row_of(s, s.to_move), k] + DISTANCES[value])


# What players see, and what a position must be.


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
    presentation.check_sides(s, cross.TEAMS, LAST)


def gates(s):
    """Whose gate is open, in words: `gate_is_shut` in ordinary Python."""
    past = [int((s.pieces[(p + 2) % ARMS] > CORNER).sum()) for p in range(ARMS)]
    return ["gates: " + ", ".join(f"P{p} {'open' if past[p] >= 2 + s.past else 'shut'}" for p in range(ARMS))]


def board(s):
    lanes = [[p] * s.pieces.shape[1] for p in range(ARMS)]
    return cross.drawn(s, cross.LARGE, lanes, SHOWN, "team", gates(s))


RULE_BOOK = RuleBook(
    name="pahada_keliya",
    title="Pahada Keliya",
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
        contract.sides: cross.two_teams,
        contract.opposed: cross.opposed_teams,
        contract.throw: throw,
        contract.usable: usable,
        contract.go: go,
        contract.choices: choices,
        contract.is_choice: is_choice,
        contract.carry_out: carry_out,
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
    equivalent_results=equivalent_dice,
    # Two dice.
    most_decisions=lambda options: 2 * options["max_turns"],
)
__doc__ = RULE_BOOK.page
