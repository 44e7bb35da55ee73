"""Sure or lucky: a minimal game with chance.

Each of the two players decides once, either to take 2 points or to throw a die that shows 0 to 5. The player with more
points wins.
"""

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Place, heading
from mancala_envs.core.book import Presentation, RuleBook, Rules
from mancala_envs.core.chance import draw
from mancala_envs.core.observation import Columns
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule

SURE, LUCKY = range(2)
POINTS, SIDES = 2, 6


@rule
def num_actions(s):
    return 2


@rule
def begin(s):
    s.points[:] = 0


@rule
def legal(s, action):
    return True


@rule
def play(s, action):
    s.points[s.to_move] = POINTS if action == SURE else draw(s, SIDES)
    s.turn += 1
    s.to_move = 1 - s.to_move
    if s.turn == 2:
        s.ended = BY_RULES
        if s.points[0] != s.points[1]:
            s.winner = 0 if s.points[0] > s.points[1] else 1


@rule
def observe(s, p, out):
    out.own = s.points[p]
    out.other = s.points[1 - p]


@rule
def worth(s, p):
    return s.points[p]


RULE_BOOK = RuleBook(
    name="lucky",
    title="Sure or lucky",
    text=__doc__,
    options=(),
    record=lambda options: [Field("points", "u1", "of each player", (2,)), *HEAD],
    rules=Rules(num_actions, begin, legal, play, observe, worth=worth),
    presentation=Presentation(
        board=lambda s: Board(tuple(Place(p, 0, int(s.points[p]), str(p)) for p in range(2)), heading(s)),
        observation=lambda options: [
            Columns("own", SIDES, "own points"),
            Columns("other", SIDES, "the other's points"),
        ],
        actions=lambda options: [Actions("take 2"), Actions("throw the die")],
        phases={0: "choose"},
    ),
    has_chance=lambda options, campaign: True,
    most_decisions=lambda options: 2,
)
