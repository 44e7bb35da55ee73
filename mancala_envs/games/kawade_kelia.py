"""PAGE"""

from dataclasses import replace

import numpy as np
from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, look, pancha, turn, verbs
from mancala_envs.families.races.pancha import ANY, SPECIAL
from mancala_envs.families.races.tracks import Tracks

COUNTERS = 3
STEM, RING = (11, 12, 13, 14), tuple(range(16, 59))
JUNCTION = 15
INWARD = tuple(range(59, 70))
MARKED = frozenset({5, 15, 64, 21, 32, 43, 54, 26, 27, 37, 38, 48, 49})


def tracks(ring):
    """Side 0 goes about the ring in this order, side 1 in the opposite one."""
    left = (0, 1, 2, 3, 4, 5, *STEM, JUNCTION, *ring, JUNCTION, *INWARD)
    right = (10, 9, 8, 7, 6, 5, *STEM, JUNCTION, *ring[::-1], JUNCTION, *INWARD)
    return Tracks((left, right), MARKED)


CIRCUITS = (tracks(RING), tracks(RING[::-1]))
"""By the option `circuit`."""
LAST = CIRCUITS[0].length
CELLS = np.stack([way.cells for way in CIRCUITS])
MEETS = np.stack([way.meets for way in CIRCUITS])
SAFE = np.stack([way.is_marked for way in CIRCUITS])
MARKS = np.stack([way.marks for way in CIRCUITS])

BEYOND = 1
"""Of the option `leave`."""

OPTIONS = (
    Option("players", 2, choices=(2, 4), size=True),
    Option("circuit", "right", choices=("right", "left")),
    replace(pancha.ADMIT, default="any"),
    replace(pancha.AGAIN, default="none"),
    pancha.LEAVE,
    *pancha.OPTIONS,
    Option("max_turns", 2000),
    REWARD,
)


@inlined_rule
def num_players(s):
    return len(s.pieces)


@inlined_rule
def admits(s):
    return ANY if s.admit else SPECIAL


@inlined_rule
def grants(s):
    return 0 if s.again else SPECIAL


@inlined_rule
def steps(s, left):
    return ANY if s.leave == BEYOND else pancha.STEPS[left]


@inlined_rule
def home(s):
    return LAST + 1


@inlined_rule
def cell(s, track, place):
    return CELLS[s.circuit, track, place]


@inlined_rule
def safe(s, track, place):
    return SAFE[s.circuit, track, place]


@inlined_rule
def met(s, track, other, place):
    return MEETS[s.circuit, track, other, place, 0], MEETS[s.circuit, track, other, place, 1]


@inlined_rule
def shut_marks(s, track):
    return MARKS[s.circuit, track, 0], MARKS[s.circuit, track, 1]


def check(s, options, given):
    way = CIRCUITS[int(options["circuit"] == "left")]
    pancha.check("kawade_kelia", s, options, given, way, grants=options["again"] == "special")


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="kawade_kelia",
    title="Kawade Kelia",
    page=__doc__,
    options=OPTIONS,
    record=lambda options: turn.fields(options["players"], COUNTERS, len(pancha.VALUES)),
    rules=Rules(
        pancha.num_actions,
        pancha.begin,
        turn.legal,
        turn.play,
        pancha.observe,
        num_players=num_players,
        legal_word=turn.legal_word,
        worth=look.worth,
    ),
    result=Result(named_by_play, turn.share),
    family={
        **pancha.FAMILY,
        contract.home: home,
        contract.cell: cell,
        contract.safe: safe,
        contract.met: met,
        pancha.admits: admits,
        pancha.grants: grants,
        pancha.steps: steps,
        pancha.shut_marks: shut_marks,
    },
    look=Look(
        board=board,
        observation=lambda options: pancha.observation(options["players"], COUNTERS, LAST, options["players"]),
        actions=lambda options: pancha.actions(COUNTERS),
        phases=pancha.PHASES,
    ),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    alike=verbs.alike_mouths,
    # Nobody uses more throws in a turn than he can throw.
    most_decisions=lambda options: 16 * options["max_turns"],
)
