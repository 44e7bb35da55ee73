"""Tic-tac-toe: a minimal rule book of a game outside the families."""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.board import Board, Place, heading
from mancala_envs.core.book import Presentation, RuleBook, Rules
from mancala_envs.core.observation import Columns
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule

LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]])


@rule
def num_actions(s):
    return 9


@rule
def begin(s):
    s.board[:] = 0


@rule
def legal(s, action):
    return s.board[action] == 0


@rule
def play(s, action):
    s.board[action] = 1 + s.to_move
    s.turn += 1
    for line in range(len(LINES)):
        first, second, third = s.board[LINES[line, 0]], s.board[LINES[line, 1]], s.board[LINES[line, 2]]
        if first > 0 and first == second and second == third:
            s.winner = s.to_move
    if s.winner >= 0 or s.turn == 9:
        s.ended = BY_RULES
    s.to_move = 1 - s.to_move


@rule
def observe(s, p, out):
    for point in range(9):
        out.own[point] = s.board[point] == 1 + p
        out.other[point] = s.board[point] == 2 - p


RULE_BOOK = RuleBook(
    name="tic_tac_toe",
    title="Tic-tac-toe",
    text=__doc__,
    options=(),
    record=lambda options: [
        Field("board", "u1", "of each point: 0 empty, 1 + the player who has been there", (9,)),
        *HEAD,
    ],
    rules=Rules(num_actions, begin, legal, play, observe),
    presentation=Presentation(
        board=lambda s: Board(
            tuple(Place(i % 3, i // 3, int(s.board[i] > 0), str(i), mark=int(s.board[i]) - 1) for i in range(9)),
            heading(s),
        ),
        observation=lambda options: [
            Columns("own", 1, "1 where the observing player has been", place=range(9)),
            Columns("other", 1, "1 where the other player has been", place=range(9)),
        ],
        actions=lambda options: [Actions("point {place}", place=range(9))],
        phases={0: "choose a point"},
    ),
    most_decisions=lambda options: 9,
)
