"""Bagh-chal: four tigers hunt goats on 5 x 5 points. Written with the verbs of families/points only."""

from mancala_envs.core.book import Presentation, RuleBook, Rules
from mancala_envs.core.observation import CLOCK, Columns, observe_clock
from mancala_envs.core.options import Option
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points import presentation, verbs
from mancala_envs.families.points.board import PointBoard, lines_of, points_of

STRAIGHT = [tuple(range(5 * i, 5 * i + 5)) for i in range(5)] + [tuple(range(i, 25, 5)) for i in range(5)]
SLANTING = lines_of("0 6 12 18 24, 4 8 12 16 20, 2 6 10, 2 8 14, 10 16 22, 14 18 22")
BOARD = PointBoard(points_of("*****\n" * 5), (*STRAIGHT, *SLANTING))
NEIGHBOURS = BOARD.neighbours
GOATS, GOAL, PLACE, MOVE, GOAT, TIGER = 20, 5, 0, 1, 1, 2


@rule
def num_actions(s):
    return 25 + 25 * verbs.WAYS


@rule
def begin(s):
    s.board[:] = 0
    for corner in (0, 4, 20, 24):
        verbs.lay(s, corner, TIGER)
    s.hand, s.taken = GOATS, 0


@rule
def legal(s, action):
    if s.phase == PLACE or action < 25:
        return s.phase == PLACE and action < 25 and verbs.is_empty(s, action)
    start, direction = verbs.start_of(s, action), verbs.direction_of(s, action)
    takes = s.to_move == 1 and verbs.can_jump(s, NEIGHBOURS, start, direction, GOAT)
    return s.board[start] == 1 + s.to_move and (takes or verbs.is_empty(s, NEIGHBOURS[start, direction]))


@rule
def play(s, action):
    start, direction = verbs.start_of(s, action), verbs.direction_of(s, action)
    if s.phase == PLACE:
        verbs.lay(s, action, GOAT)
        s.hand -= 1
    elif verbs.is_empty(s, NEIGHBOURS[start, direction]):
        verbs.move_man(s, start, NEIGHBOURS[start, direction])
    else:
        verbs.jump(s, NEIGHBOURS, start, direction)
        s.taken += 1
    s.turn, s.to_move = s.turn + 1, 1 - s.to_move
    s.phase = PLACE if s.to_move == 0 and s.hand > 0 else MOVE
    tigers_take = s.to_move == 1 and verbs.can_take(s, NEIGHBOURS, TIGER, GOAT)
    if s.taken == GOAL or (s.phase == MOVE and not tigers_take and not verbs.can_step(s, NEIGHBOURS, 1 + s.to_move)):
        s.winner = 1 - s.to_move
    if s.winner >= 0 or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    out.hand, out.taken, out.tigers = s.hand, s.taken, p


NUMBERS = [
    Columns("hand", GOATS, "to place"),
    Columns("taken", GOAL, "goats taken"),
    Columns("tigers", 1, "1 for theirs"),
]
FIELDS = [
    presentation.board_field(25, "beast"),
    Field("hand", "u1", "to place"),
    Field("taken", "u1", "goats taken"),
    *HEAD,
]
RULE_BOOK = RuleBook(
    *("bagh_chal", "Bagh-chal", __doc__, (Option("max_turns", 300),), lambda options: FIELDS),
    rules=Rules(num_actions, begin, legal, play, observe),
    presentation=Presentation(
        board=lambda s: presentation.draw_points(
            s, BOARD, "gT", [("to place", 0, int(s.hand)), ("taken", 1, int(s.taken))]
        ),
        observation=lambda options: [*presentation.men_columns(25, "beast"), *CLOCK, *NUMBERS],
        actions=lambda options: [
            presentation.on_points(25, "place a goat on", {PLACE: ""}),
            presentation.moves(25, {MOVE: ""}),
        ],
        phases={PLACE: "place a goat", MOVE: "move"},
    ),
    most_decisions=lambda options: options["max_turns"],
    symmetries=lambda options: presentation.symmetries(BOARD),
)
