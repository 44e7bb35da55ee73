"""PAGE"""

import numpy as np

from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, look, pancha, turn, verbs
from mancala_envs.families.races.tracks import Tracks

COUNTERS = 3
KENDA_GE = 33
RING = tuple(range(9, 34))
TRACKS = Tracks(((0, 1, 2, 3, 4, *RING), (8, 7, 6, 5, 4, *RING)), frozenset({4, 13, 18, 23, 28}))
WITH_LAST = Tracks(TRACKS.lanes, TRACKS.marked | {KENDA_GE})
LAST = TRACKS.length
CELLS, MEETS = TRACKS.cells, TRACKS.meets
SAFE = np.stack([TRACKS.is_marked, WITH_LAST.is_marked])
MARKS = np.stack([TRACKS.marks, WITH_LAST.marks])
"""By the option `last`."""

OPTIONS = (
    Option("players", 2, choices=(2, 4)),
    Option("last", "plain", choices=("plain", "safe")),
    *pancha.OPTIONS,
    Option("max_turns", 1000),
    REWARD,
)


@inlined_rule
def num_players(s):
    return 2 + 2 * s.players


@inlined_rule
def home(s):
    return LAST + 1


@inlined_rule
def cell(s, track, place):
    return CELLS[track, place]


@inlined_rule
def safe(s, track, place):
    return SAFE[s.last, track, place]


@inlined_rule
def met(s, track, other, place):
    return MEETS[track, other, place, 0], MEETS[track, other, place, 1]


@inlined_rule
def shut_marks(s, track):
    return MARKS[s.last, track, 0], MARKS[s.last, track, 1]


def check(s, options, given):
    tracks = WITH_LAST if options["last"] == "safe" else TRACKS
    pancha.check("pancha_keliya", s, options, given, tracks, grants=True)


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="pancha_keliya",
    title="Pancha Keliya",
    page=__doc__,
    options=OPTIONS,
    record=lambda options: turn.fields(pancha.SIDES, COUNTERS, len(pancha.VALUES)),
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
        pancha.shut_marks: shut_marks,
    },
    look=Look(
        board=board,
        observation=lambda options: pancha.observation(pancha.SIDES, COUNTERS, LAST, options["players"]),
        actions=lambda options: pancha.actions(COUNTERS),
        phases=pancha.PHASES,
    ),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    alike=verbs.alike_mouths,
    # Nobody uses more throws in a turn than he can throw.
    most_decisions=lambda options: 16 * options["max_turns"],
)
