"""PAGE"""

import numpy as np

from mancala_envs.core.binding import inlined
from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.observation import Column
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, cross, look, turn
from mancala_envs.families.races.cross import ARMS, LAST, partner_of
from mancala_envs.families.races.tracks import WORD, values_up_to
from mancala_envs.families.races.verbs import alike_dice, arrive, count_beyond, on_place, row_of, throw_dice, uses

VALUES = (1, 3, 4, 6)
DISTANCES = np.array(VALUES)
NAMES = tuple(map(str, VALUES))
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
    return turn.fields(ARMS, PIECES, len(VALUES))


@inlined_rule
def num_actions(s):
    return DONE + 1


def begin(s):
    for p in range(ARMS):
        s.pieces[p] = SET_UPS[s.third]
    turn.first_turn(s)


@inlined
def throw(s):
    dice = throw_dice(s)
    s.throws[dice // ARMS] += 1
    s.throws[dice % ARMS] += 1


# The gate.


@inlined_rule
def edge(s):
    """The last place before the gate."""
    return ROW_END + s.edge


@inlined
def gate_is_shut(s, p):
    """Whether too few of the partner's pieces are past the corner."""
    return count_beyond(s, partner_of(p), CORNER) < 2 + s.past


@inlined
def is_held(s, p):
    """Whether player p waits before his shut gate."""
    if not gate_is_shut(s, p):
        return False
    return count_beyond(s, p, edge(s) - WAITING_CELLS) > count_beyond(s, p, edge(s))


# Pieces.


@inlined
def choices(s):
    return uses(s) | pairs(s) << np.uint64(PAIR)


@inlined
def usable(s, k):
    """The throws that lead home at most; up to the edge while the gate is shut, to the corner while the partner waits."""
    p = row_of(s, s.to_move)
    place, last = s.pieces[p, k], np.int64(LAST + 1)
    if place <= edge(s) and gate_is_shut(s, p):
        last = edge(s)
    if place <= CORNER and is_held(s, partner_of(p)):
        last = CORNER - (on_place(s, p, CORNER) >= 2)
    return STEPS[max(last - place, 0)]


@inlined
def pairs(s):
    """The doubles by which two pieces on the corner go on together, as the bits of the values."""
    p = row_of(s, s.to_move)
    values = np.uint64(0)
    if on_place(s, p, CORNER) >= 2 and is_held(s, partner_of(p)):
        for value in range(len(VALUES)):
            barred = value == SIX and on_place(s, partner_of(p), CORNER + DISTANCES[SIX] + HALF_ROUND) > 0
            if s.throws[value] == 2 and not barred:
                values |= np.uint64(1) << np.uint64(value)
    return values


@inlined
def carry_out(s, action):
    if action >= PAIR:
        move_pair(s, action - PAIR)
    else:
        turn.use_one(s, action)


@inlined
def move_pair(s, value):
    """The two lowest-numbered pieces on the corner go on together, by both dice."""
    s.throws[value] = 0
    p, moved = row_of(s, s.to_move), 0
    for k in range(PIECES):
        if s.pieces[p, k] == CORNER and moved < 2:
            go(s, k, value)
            moved += 1


@inlined
def go(s, k, value):
    arrive(s, k, s.pieces[row_of(s, s.to_move), k] + DISTANCES[value])


# What players see, and what a position must be.


@inlined
def observe(s, p, out):
    at = look.observe_race(s, p, out)
    partner = partner_of(p)
    out[at] = gate_is_shut(s, p)
    out[at + 1] = gate_is_shut(s, partner)
    out[at + 2] = is_held(s, p)
    out[at + 3] = is_held(s, partner)


def observation(options):
    return [
        *look.race_columns(ARMS, PIECES, LAST, NAMES, ARMS, 2),
        Column("own_gate_shut", 1, "1 while the observing player's gate is shut"),
        Column("partners_gate_shut", 1, "1 while his partner's gate is shut"),
        Column("own_held", 1, "1 while the observing player is held"),
        Column("partner_held", 1, "1 while his partner is held: then the corner binds the observing player"),
    ]


def actions(options):
    return look.action_names(NAMES, PIECES, *(f"the corner pair goes on by {value} {value}" for value in NAMES))


def check(s, options, given):
    look.check_race("pahada_keliya", s, given, LAST, 2)
    look.check_sides("pahada_keliya", s, cross.TEAMS, LAST)


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="pahada_keliya",
    title="Pahada Keliya",
    page=__doc__,
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
        worth=look.worth,
    ),
    result=Result(named_by_play, turn.share),
    family={
        **cross.LARGE_FAMILY,
        contract.sides: cross.two_teams,
        contract.throw: throw,
        contract.usable: usable,
        contract.go: go,
        contract.choices: choices,
        contract.carry_out: carry_out,
    },
    look=Look(board=board, observation=observation, actions=actions, phases=cross.PHASES),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    alike=alike_dice,
    most_decisions=lambda options: 2 * options["max_turns"],
)
