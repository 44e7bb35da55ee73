"""Lock: a minimal game whose turns have too many continuations for an exhaustive search.

In a turn a player says yes or no 20 times, which gives 2^20 continuations, and scores a point if the first five answers
are yes. Each of the two players has two turns. The player with more points wins.
"""

from books.lucky import legal, num_actions, worth
from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Place, heading
from mancala_envs.core.book import Presentation, RuleBook, Rules
from mancala_envs.core.observation import Columns
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule

WORDS, KEY = 20, 5
NO, YES = range(2)


@rule
def begin(s):
    s.said = 0
    s.words = 0
    s.points[:] = 0


@rule
def play(s, action):
    s.said += action << s.words
    s.words += 1
    if s.words == WORDS:
        s.points[s.to_move] += s.said % (1 << KEY) == (1 << KEY) - 1
        s.said = 0
        s.words = 0
        s.turn += 1
        s.to_move = 1 - s.to_move
        if s.turn == 4:
            s.ended = BY_RULES
            if s.points[0] != s.points[1]:
                s.winner = s.points[1] > s.points[0]


@rule
def observe(s, p, out):
    out.words = s.words


RULE_BOOK = RuleBook(
    name="lock",
    title="Lock",
    text=__doc__,
    options=(),
    record=lambda options: [
        Field("said", "u4", "the words said in this turn, bit by bit"),
        Field("words", "u4", "how many they are"),
        Field("points", "u1", "of each player", (2,)),
        Field("padding", "u1", "nothing", (6,)),
        *HEAD,
    ],
    rules=Rules(num_actions, begin, legal, play, observe, worth=worth),
    presentation=Presentation(
        board=lambda s: Board((Place(0, 0, int(s.words), "words"),), heading(s)),
        observation=lambda options: [Columns("words", WORDS, "words said in this turn")],
        actions=lambda options: [Actions("{word}", word=("no", "yes"))],
        phases={0: "say"},
    ),
    most_decisions=lambda options: 4 * WORDS,
)
