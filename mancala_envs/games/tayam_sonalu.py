"""PAGE"""

import numpy as np

from mancala_envs.core.binding import inlined
from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.observation import columns
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, cross, look, turn
from mancala_envs.families.races.cross import ARMS, LAST, opponents_ahead
from mancala_envs.families.races.together import arrive_together, check_pairs, enter_together, observe_pairs, pair_columns
from mancala_envs.families.races.tracks import WAITING, WORD, values_up_to
from mancala_envs.families.races.verbs import MOST_THROWS, count_beyond, first_of, row_of, throw_dice, uses

NAMES = ("Tayam", "2", "3", "two and two", "5", "6", "8", "Sonal")
VALUES = (1, 2, 3, 4, 5, 6, 8, 4)
DISTANCES = np.array(VALUES)
TAYAM, TWO_AND_TWO, FIVE, SONAL = (NAMES.index(name) for name in ("Tayam", "two and two", "5", "Sonal"))
FIRST_ADMITS, ADMIT = np.int64(1 << TAYAM), np.int64(1 << TAYAM | 1 << FIVE | 1 << SONAL)
GRANT = ADMIT
STEPS = values_up_to(VALUES, 2 * WORD).astype(np.int64)

SIDES = (0, 1, 2, 4)
NOTHING = -1


def value_of(dice):
    """The index of what two dice show."""
    one, other = SIDES[dice // 4], SIDES[dice % 4]
    if {one, other} == {0, 4}:
        return SONAL
    return VALUES.index(one + other) if one + other else NOTHING


THROWN = np.array([value_of(dice) for dice in range(16)])

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
    more = [("pairs", "u1", (ARMS,)), ("opened", "u1", (ARMS,))]
    return turn.fields(ARMS, options["counters"], len(VALUES), *more)


@inlined_rule
def num_actions(s):
    return len(VALUES) * s.pieces.shape[1] + 1


def begin(s):
    s.pairs[:] = 0
    s.opened[:] = 0
    cross.begin(s)


@inlined
def throw(s):
    for _ in range(MOST_THROWS):
        value = THROWN[throw_dice(s)]
        if value == NOTHING:
            return
        s.throws[value] += 1
        if GRANT >> value & 1 == 0:
            return


@inlined
def usable(s, k):
    """The throws that admit a waiting piece, or lead home at most and past no opponent."""
    p = row_of(s, s.to_move)
    place = s.pieces[p, k]
    if place == LAST + 1:
        return 0
    if place == WAITING:
        return ADMIT if s.opened[p] else FIRST_ADMITS
    values = STEPS[LAST + 1 - place]
    ahead = opponents_ahead(s, p, k)
    if ahead != 0:
        values &= STEPS[first_of(ahead)]
    return values


@inlined
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


@inlined
def shut_again(s):
    """Who has no piece on the track needs Tayam again."""
    for p in range(ARMS):
        if count_beyond(s, p, WAITING) == count_beyond(s, p, LAST):
            s.opened[p] = 0


# What players see, and what a position must be.


@inlined
def observe(s, p, out):
    at = observe_pairs(s, p, out, look.observe_race(s, p, out))
    for after in range(ARMS):
        out[at + after] = s.opened[(p + after) % ARMS]


def observation(options):
    pieces = options["counters"]
    return [
        *look.race_columns(ARMS, pieces, LAST, NAMES, ARMS, MOST_THROWS),
        *pair_columns(pieces),
        *columns("opened", ARMS, 1, "1 when the player so many turns after the own one needs Tayam no more"),
    ]


def actions(options):
    return look.action_names(NAMES, options["counters"])


def alike(sides):
    """The least throw of the same value."""
    return [THROWN.tolist().index(value) for value in THROWN]


def check(s, options, given):
    look.check_race("tayam_sonalu", s, given, LAST, MOST_THROWS)
    look.check_sides("tayam_sonalu", s, cross.TEAMS if options["teams"] else ARMS, LAST)
    check_pairs("tayam_sonalu", s)


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="tayam_sonalu",
    title="Tayam Sonalu",
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
        contract.sides: cross.teams_or_alone,
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
    most_decisions=lambda options: 16 * options["max_turns"],
)
