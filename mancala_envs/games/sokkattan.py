"""PAGE"""

import numpy as np

from mancala_envs.core.binding import inlined
from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, cross, look, turn
from mancala_envs.families.races.cross import ARMS, LAST, LARGE, MEETS
from mancala_envs.families.races.tracks import WAITING, WORD, values_up_to
from mancala_envs.families.races.verbs import (
    MOST_THROWS,
    MOUTHS,
    alike_mouths,
    arrive,
    beyond,
    first_waiting,
    is_named,
    met_on,
    row_of,
    throw_cowries,
    uses,
    values_into,
)

VALUES = (1, 2, 3, 4, 6, 10, 12, 25)
DISTANCES = np.array(VALUES)
NAMES = tuple(map(str, VALUES))
ONE, SIX, TEN, TWELVE, TWENTY_FIVE = (VALUES.index(value) for value in (1, 6, 10, 12, 25))
THROWN = np.array([VALUES.index((6, 10, 2, 3, 4, 25, 12)[mouths]) for mouths in MOUTHS])
"""`[throw]`: the index of its value."""
STEPS = values_up_to(VALUES, 2 * WORD).astype(np.int64)
NO_THROW = -1

COLOURS, ARM = 0, 1
SAME = 1
SHUT = 0
"""Of the options `two`, `thrice` and `chira`."""

MARKED, MARKS = LARGE.tracks.is_marked, LARGE.tracks.marks

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
    return turn.fields(options["players"], pieces_of(options), len(VALUES))


@inlined_rule
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


@inlined_rule
def lane(s, r, k):
    """The arm of a piece: two players have two opposite colours each, or sit opposite each other."""
    if len(s.pieces) > 2:
        return r
    if s.two == ARM:
        return 2 * r
    return r + (2 if 2 * k >= s.pieces.shape[1] else 0)


@inlined_rule
def safe(s, track, place):
    return MARKED[track, place]


# Throws.


@inlined_rule
def brings_one(value):
    return value == TEN or value == TWENTY_FIVE


@inlined_rule
def grants(value):
    return brings_one(value) or value == SIX or value == TWELVE


@inlined_rule
def add(s, value, times):
    """So many throws of a value more, with the throw of 1 that a 10 and a 25 bring."""
    s.throws[value] = np.int64(s.throws[value]) + times
    if brings_one(value):
        s.throws[ONE] = np.int64(s.throws[ONE]) + times


@inlined
def throw(s):
    """Three throws running of 10 or 25, or of the same number, are struck off, and the count of three begins anew."""
    before, last, run = NO_THROW, NO_THROW, 0
    for _ in range(MOST_THROWS):
        value = THROWN[throw_cowries(s)]
        add(s, value, 1)
        if not grants(value):
            return
        if s.thrice == SAME:
            run = run + 1 if value == last else 1
        else:
            run = run + 1 if brings_one(value) else 0
        if run == 3:
            add(s, before, -1)
            add(s, last, -1)
            add(s, value, -1)
            last, run = NO_THROW, 0
        else:
            before, last = last, value


# Pieces.


@inlined
def must_enter(s):
    """Whether a throw of 1 is left and a piece waits, which it must pay for."""
    return s.throws[ONE] > 0 and first_waiting(s, row_of(s, s.to_move), -1) >= 0


@inlined
def choices(s):
    if must_enter(s):
        return entries(s)
    return uses(s)


@inlined
def entries(s):
    """To enter by a throw of 1, with two colours either of them."""
    r = row_of(s, s.to_move)
    bits = np.uint64(0)
    for k in range(s.pieces.shape[1]):
        if s.pieces[r, k] == WAITING and is_named(s, r, k):
            bits |= np.uint64(1) << np.uint64(ONE * s.pieces.shape[1] + k)
    return bits


@inlined
def may_stop(s):
    return s.use == 1 and not must_enter(s)


@inlined
def usable(s, k):
    """The throws that take a piece on the board on or home, but onto no marked cell with an opponent on it."""
    r = row_of(s, s.to_move)
    place = s.pieces[r, k]
    if place == WAITING or place == LAST + 1:
        return 0
    steps = STEPS[LAST + 1 - place]
    if s.chira == SHUT:
        track = lane(s, r, k)
        there = met_on(s, track, r, False)
        shut = there[0] & MARKS[track, 0], there[1] & MARKS[track, 1]
        steps &= ~values_into(DISTANCES, beyond(shut, place))
    return steps


@inlined
def go(s, k, value):
    arrive(s, k, s.pieces[row_of(s, s.to_move), k] + DISTANCES[value])


def agree(options, campaign):
    four = options["players"] == ARMS
    require("sokkattan", not options["teams"] or four, f"teams=True needs players=4, got {options['players']}")


# What players see, and what a position must be.


@inlined
def observe(s, p, out):
    look.observe_race(s, p, out)


def observation(options):
    return look.race_columns(options["players"], pieces_of(options), LAST, NAMES, options["players"], 2 * MOST_THROWS)


def actions(options):
    return look.action_names(NAMES, pieces_of(options))


def check(s, options, given):
    look.check_race("sokkattan", s, given, LAST, 2 * MOST_THROWS)
    look.check_sides("sokkattan", s, 2 if options["teams"] else options["players"], LAST)


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="sokkattan",
    title="Sokkattan",
    page=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(
        num_actions,
        cross.begin,
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
        contract.lane: lane,
        contract.safe: safe,
        contract.sides: cross.teams_or_alone,
        contract.throw: throw,
        contract.usable: usable,
        contract.go: go,
        contract.choices: choices,
        contract.carry_out: turn.use_one,
        contract.may_stop: may_stop,
    },
    look=Look(board=board, observation=observation, actions=actions, phases=cross.PHASES),
    positions=Positions(check),
    agree=agree,
    has_chance=lambda options, campaign: True,
    alike=alike_mouths,
    most_decisions=lambda options: 32 * options["max_turns"],
)
