"""PAGE"""

import numpy as np

from mancala_envs.core.binding import inlined
from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, cross, look, turn
from mancala_envs.families.races.cross import ARMS, SMALL, SMALL_END, SMALL_LAST, opponents_ahead
from mancala_envs.families.races.together import arrive_together, enter_together, pair_columns, check_pairs, observe_pairs
from mancala_envs.families.races.tracks import WAITING, WORD, values_up_to
from mancala_envs.families.races.verbs import MOST_THROWS, MOUTHS, SHELLS, first_of, row_of, throw_cowries, uses

VALUES = tuple(range(1, SHELLS + 1))
NAMES = tuple(map(str, VALUES))
ONE, FIVE = (VALUES.index(value) for value in (1, 5))
ADMIT = np.int64(1 << ONE | 1 << FIVE)
STEPS = values_up_to(VALUES, 2 * WORD).astype(np.int64)

YELLOW = 5
"""The marked shell."""
SO_HATARA = np.array([mouths == 3 and not throw >> YELLOW & 1 for throw, mouths in enumerate(MOUTHS)])
"""`[throw]`: whether three shells lie mouth up and the yellow one down."""
ONES = 4
"""Throws of 1 that So-hatara is worth."""

ALL, ENTER_FIRST = 1, 0
"""Of the options `division` and `enter`."""
MIDDLE = SMALL_LAST - SMALL_END + 1
"""The end cell on the way home: the first of the middle row."""
SAFE = SMALL.tracks.is_marked

OPTIONS = (
    Option("counters", 4, lowest=1, highest=4, size=True),
    Option("division", "four", choices=("four", "all")),
    Option("enter", "first", choices=("first", "count")),
    turn.USE,
    Option("max_turns", 2000),
    REWARD,
)


def record(options):
    return turn.fields(ARMS, options["counters"], len(VALUES), ("pairs", "u1", (ARMS,)))


@inlined_rule
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


def begin(s):
    s.pairs[:] = 0
    cross.begin(s)


@inlined_rule
def safe(s, track, place):
    return SAFE[track, place]


@inlined
def throw(s):
    divided = False
    for _ in range(MOST_THROWS):
        shells = throw_cowries(s)
        mouths = MOUTHS[shells]
        if SO_HATARA[shells]:
            s.throws[ONE] += ONES
            divided = True
        elif mouths > 0:
            s.throws[mouths - 1] += 1
        if not SO_HATARA[shells] and mouths != 1 and mouths != 5:
            break
    if divided and s.division == ALL:
        divide(s)


@inlined_rule
def divide(s):
    """All throws become throws of 1."""
    total = 0
    for value in range(len(VALUES)):
        total += (value + 1) * np.int64(s.throws[value])
        s.throws[value] = 0
    s.throws[ONE] = total


@inlined
def usable(s, k):
    """The throws that lead past no opponent; in the middle row only ones."""
    place = np.int64(s.pieces[row_of(s, s.to_move), k])
    if place == SMALL_LAST + 1:
        return 0
    if place == WAITING and s.enter == ENTER_FIRST:
        return ADMIT
    values = STEPS[max(MIDDLE - place, 1)]
    ahead = opponents_ahead(s, row_of(s, s.to_move), k)
    if ahead != 0:
        values &= STEPS[first_of(ahead)]
    return values & ADMIT if place == WAITING else values


@inlined
def go(s, k, value):
    place = s.pieces[row_of(s, s.to_move), k]
    if place == WAITING:
        enter_together(s, k, 1 if s.enter == ENTER_FIRST else value + 1)
    else:
        arrive_together(s, k, place + value + 1)


# What players see, and what a position must be.


@inlined
def observe(s, p, out):
    observe_pairs(s, p, out, look.observe_race(s, p, out))


def observation(options):
    pieces = options["counters"]
    return [*look.race_columns(ARMS, pieces, SMALL_LAST, NAMES, ARMS, 5 * MOST_THROWS), *pair_columns(pieces)]


def actions(options):
    return look.action_names(NAMES, options["counters"])


def alike(sides):
    """Throws with as many mouths up, of three those without the yellow shell apart: the least such throw."""
    kinds = [(int(mouths), bool(so)) for mouths, so in zip(MOUTHS, SO_HATARA, strict=True)]
    return [kinds.index(kind) for kind in kinds]


def check(s, options, given):
    look.check_race("asi_keliya", s, given, SMALL_LAST, 5 * MOST_THROWS)
    look.check_sides("asi_keliya", s, cross.TEAMS, SMALL_LAST)
    check_pairs("asi_keliya", s)


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="asi_keliya",
    title="Asi Keliya",
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
        **cross.SMALL_FAMILY,
        contract.safe: safe,
        contract.sides: cross.two_teams,
        contract.throw: throw,
        contract.usable: usable,
        contract.go: go,
        contract.choices: uses,
        contract.carry_out: turn.use_one,
    },
    look=Look(board=board, observation=observation, actions=actions, phases=cross.PHASES),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    alike=alike,
    most_decisions=lambda options: 80 * options["max_turns"],
)
