"""Picking: a minimal game for three players.

The players take turns to take a number from either end of a row. A player who takes a 0 takes again. The highest sum
wins.
"""

from books.lucky import legal, num_actions
from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Place, heading
from mancala_envs.core.book import Presentation, RuleBook, Rules
from mancala_envs.core.observation import Columns
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule

LENGTH, MOST = 9, 9


@rule
def num_players(s):
    return 3


@rule
def begin(s):
    for place in range(LENGTH):
        s.row[place] = (5 * place + 3) % (MOST + 1)
    s.first = 0
    s.end = LENGTH
    s.sums[:] = 0


@rule
def play(s, action):
    if action == 0:
        number = s.row[s.first]
        s.first += 1
    else:
        number = s.row[s.end - 1]
        s.end -= 1
    s.sums[s.to_move] += number
    if number > 0:
        s.turn += 1
        s.to_move = (s.to_move + 1) % 3
    if s.first == s.end:
        s.ended = BY_RULES
        for p in range(3):
            if s.sums[p] > s.sums[(p + 1) % 3] and s.sums[p] > s.sums[(p + 2) % 3]:
                s.winner = p


@rule
def observe(s, p, out):
    for q in range(3):
        out.sums[q] = s.sums[(p + q) % 3]


@rule
def worth(s, p):
    return s.sums[p]


RULE_BOOK = RuleBook(
    name="picking",
    title="Picking",
    text=__doc__,
    options=(),
    record=lambda options: [
        Field("row", "u1", "the numbers", (LENGTH,)),
        Field("first", "u1", "the first place that is left"),
        Field("end", "u1", "the place after the last one that is left"),
        Field("sums", "u1", "of each player", (3,)),
        Field("padding", "u1", "nothing", (2,)),
        *HEAD,
    ],
    rules=Rules(num_actions, begin, legal, play, observe, num_players=num_players, worth=worth),
    presentation=Presentation(
        board=lambda s: Board(tuple(Place(k, 0, int(s.row[k]), str(k)) for k in range(LENGTH)), heading(s)),
        observation=lambda options: [Columns("sums", LENGTH * MOST, "the own sum and the others'", each=range(3))],
        actions=lambda options: [Actions("take the {end}", end=("first", "last"))],
        phases={0: "take"},
    ),
    most_decisions=lambda options: LENGTH,
)
