"""Ludo: four tokens each run round 52 cells and up an arm of their own. Written with the verbs of families/races."""

from mancala_envs.core.board import Board, heading
from mancala_envs.core.book import Presentation, Result, RuleBook, Rules
from mancala_envs.core.chance import draw
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import REWARD, named_by_play
from mancala_envs.core.rule import rule
from mancala_envs.families.races import contract, presentation, turn, verbs
from mancala_envs.families.races.tracks import WAITING, Tracks, values_up_to

TOKENS, RING, ARM, SIX = 4, 52, 5, 5
RINGS = [[(13 * p + i) % RING for i in range(RING - 1)] for p in range(4)]
LANES = tuple((*ring, *range(RING + ARM * p, RING + ARM * (p + 1))) for p, ring in enumerate(RINGS))
TRACKS = Tracks(LANES, frozenset({0, 13, 26, 39}))
CELLS, SAFE, MARKS, MEETS = TRACKS.tables
LAST = TRACKS.length
STEPS = values_up_to(range(1, 7), LAST + 1).astype("i8")


@rule(inline=True)
def num_players(s):
    return len(s.pieces)


@rule(inline=True)
def num_actions(s):
    return 6 * TOKENS + 1


@rule(inline=True)
def tracks(s):
    return CELLS, SAFE, MARKS, MEETS


def begin(s):
    s.pieces[:] = WAITING
    turn.first_turn(s)


@rule(inline=True)
def throw(s):
    """Throw one die, again after a six, at most three times."""
    throws, value = 0, SIX
    while value == SIX and throws < 3 * verbs.one_throw(SIX):
        value = draw(s, 6)
        throws += verbs.one_throw(value)
    verbs.store_throws(s, throws)


@rule(inline=True)
def usable(s, k, there):
    """A six enters a token; home needs the exact throw."""
    place = s.pieces[s.to_move, k]
    return 1 << SIX if place == WAITING else STEPS[LAST + 1 - place]


@rule(inline=True)
def go(s, k, value):
    place = s.pieces[s.to_move, k]
    verbs.arrive(s, k, 1 if place == WAITING else place + value + 1)


NAMES = [str(value) for value in range(1, 7)]
RULE_BOOK = RuleBook(
    *("ludo", "Ludo", __doc__, (turn.USE, Option("max_turns", 3000), REWARD)),
    record=lambda options: turn.fields(4, TOKENS, NAMES, LAST),
    rules=Rules(
        num_actions, begin, turn.legal, turn.play, presentation.observe, num_players, legal_word=turn.legal_word
    ),
    result=Result(named_by_play, turn.share),
    family={contract.tracks: tracks, contract.throw: throw, contract.usable: usable, contract.go: go, **turn.BY_THROWS},
    presentation=Presentation(
        board=lambda s: Board((), heading(s), (str(s.pieces.tolist()),)),
        observation=lambda options: presentation.race_columns(4, TOKENS, LAST, NAMES, 4, 3),
        actions=lambda options: presentation.actions(NAMES, TOKENS),
        phases={0: "use a throw"},
    ),
    most_decisions=lambda options: 3 * options["max_turns"],
    has_chance=lambda options, campaign: True,
)
