"""PAGE"""

from mancala_envs.core.book import Look, Positions, Result, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.races import contract, look, pancha, turn, verbs
from mancala_envs.families.races.pancha import ANY, SPECIAL
from mancala_envs.families.races.tracks import Tracks

STEM, RING, INNER = (11, 12, 13, 14), tuple(range(16, 55)), (55, 56, 57, 58, 59)
JUNCTION, APEX = 15, 69
LEFT = (0, 1, 2, 3, 4, 5, *STEM, JUNCTION, *RING, JUNCTION, *INNER, *range(60, 69), APEX)
RIGHT = (10, 9, 8, 7, 6, 5, *STEM, JUNCTION, *RING[::-1], JUNCTION, *INNER, *range(70, 79), APEX)
TRACKS = Tracks((LEFT, RIGHT), frozenset({*range(0, 51, 5), 59, 64, 69, 74}))
LAST = TRACKS.length
CELLS, MEETS, SAFE, MARKS = TRACKS.cells, TRACKS.meets, TRACKS.is_marked, TRACKS.marks

BEYOND = 1
"""Of the option `leave`."""

OPTIONS = (
    Option("counters", 3, lowest=2, highest=6, size=True),
    pancha.ADMIT,
    pancha.AGAIN,
    pancha.LEAVE,
    *pancha.OPTIONS,
    Option("max_turns", 2000),
    REWARD,
)


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
    return CELLS[track, place]


@inlined_rule
def safe(s, track, place):
    return SAFE[track, place]


@inlined_rule
def met(s, track, other, place):
    return MEETS[track, other, place, 0], MEETS[track, other, place, 1]


@inlined_rule
def shut_marks(s, track):
    return MARKS[track, 0], MARKS[track, 1]


def check(s, options, given):
    pancha.check("pancha_keliya_complex", s, options, given, TRACKS, grants=options["again"] == "special")


def board(s):
    raise RuntimeError


RULE_BOOK = RuleBook(
    name="pancha_keliya_complex",
    title="Pancha Keliya (Complex)",
    page=__doc__,
    options=OPTIONS,
    record=lambda options: turn.fields(pancha.SIDES, options["counters"], len(pancha.VALUES)),
    rules=Rules(
        pancha.num_actions,
        pancha.begin,
        turn.legal,
        turn.play,
        pancha.observe,
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
        observation=lambda options: pancha.observation(pancha.SIDES, options["counters"], LAST, pancha.SIDES),
        actions=lambda options: pancha.actions(options["counters"]),
        phases=pancha.PHASES,
    ),
    positions=Positions(check),
    has_chance=lambda options, campaign: True,
    alike=verbs.alike_mouths,
    # Nobody uses more throws in a turn than he can throw.
    most_decisions=lambda options: 16 * options["max_turns"],
)
