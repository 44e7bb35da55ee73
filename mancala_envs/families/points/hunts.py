"""Hunt games: a few hunters capture pieces of a larger herd, which tries to enclose them. First all pieces are placed.

Source: H. Parker, *Ancient Ceylon*, 1909, pp. 581-583 (Diviyan Keliya); L. Ludovisi, *The sports and games of the
Singhalese*, 1873, pp. 33-34 (Hat Diviyan Keliya). Each game adds its board, its numbers of pieces, its options and its
page. Player 0 has the hunters, player 1 the herd. The argument `neighbours` is the table of the game's board.
"""

from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.board import Board
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock, observe_phase, phase_columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points import presentation
from mancala_envs.families.points.board import PointBoard
from mancala_envs.families.points.verbs import (
    WAYS,
    can_jump,
    can_step,
    can_take,
    direction_of,
    is_empty,
    jump,
    jumps_from,
    lay,
    move_man,
    start_of,
    steps_from,
)

HUNTER, PREY = 1, 2
"""Codes of the pieces of player 0 and of player 1 on the board."""

MOVE, PLACE, GO_ON = 0, 1, 2
PHASES = {MOVE: "move a piece", PLACE: "place a piece", GO_ON: "go on capturing"}
PHASE_NUMBERS = np.array(list(PHASES))

ONE, FREE = 0, 0
"""Values of the options `jumps` and `capture`."""
MORE_THAN_WAYS = 20
"""A number above 16, the maximum number of steps that two hunters can have."""
JUMPS = Option("jumps", "one", choices=("one", "many"))
CAPTURE = Option("capture", "free", choices=("free", "compulsory"))


def record(points):
    """Return the fields of the record, for a number of points; see `RuleBook.record`."""
    return [
        presentation.board_field(points, "piece"),
        Field("hand", "u1", "pieces that each player still has to place", (2,)),
        Field("taken", "u1", "pieces that player 0 has captured; the second number is 0", (2,)),
        Field("moving", "i1", "point of the piece of player 0 that goes on capturing in phase 2; otherwise -1"),
        *HEAD,
        Field("quiet", "i4", "turns in a row without a placement or a capture, below `quiet_turns`"),
    ]


@rule
def done(s):
    """Return the action that ends a turn although the hunter could capture again."""
    return len(s.board) * (1 + WAYS)


@rule
def num_actions(s):
    """Return the number of actions."""
    return done(s) + 1


@rule
def set_out(s, hunters, herd):
    """Set up an empty board, with all pieces in hand."""
    s.board[:] = 0
    s.hand[0], s.hand[1] = hunters, herd
    s.taken[:] = 0
    s.moving = -1
    s.quiet = 0
    s.phase = PLACE


@rule
def legal(s, neighbours, action):
    """Return whether an action is legal."""
    points = len(s.board)
    if action < points:
        return s.phase == PLACE and is_empty(s, action)
    if action == done(s):
        return s.phase == GO_ON and s.capture == FREE
    start = start_of(s, action)
    direction = direction_of(s, action)
    if s.phase == GO_ON:
        return start == s.moving and can_jump(s, neighbours, start, direction, PREY)
    if s.phase == PLACE or s.board[start] != 1 + s.to_move:
        return False
    if is_empty(s, neighbours[start, direction]):
        return not must_capture(s, neighbours)
    return s.to_move == 0 and can_jump(s, neighbours, start, direction, PREY)


@rule
def must_capture(s, neighbours):
    """Return whether the player to move must capture."""
    return s.capture != FREE and s.to_move == 0 and can_take(s, neighbours, HUNTER, PREY)


@rule
def carry_out(s, neighbours, action):
    """Carry out an action; return whether the turn continues."""
    if s.phase == PLACE:
        place(s, action)
    elif action != done(s) and go(s, neighbours, start_of(s, action), direction_of(s, action)):
        return True
    end_turn(s, neighbours)
    return False


@rule
def place(s, point):
    """Place a piece of the player to move."""
    lay(s, point, 1 + s.to_move)
    s.hand[s.to_move] -= 1
    s.quiet = 0


@rule
def go(s, neighbours, start, direction):
    """Step or capture once; return whether the hunter may capture again."""
    if is_empty(s, neighbours[start, direction]):
        move_man(s, start, neighbours[start, direction])
        s.quiet += 1
        return False
    end = jump(s, neighbours, start, direction)
    s.taken[0] += 1
    s.quiet = 0
    if s.jumps == ONE or s.taken[0] >= s.goal or jumps_from(s, neighbours, end, PREY) == 0:
        return False
    s.moving = end
    s.phase = GO_ON
    return True


@rule
def end_turn(s, neighbours):
    """End the turn. The hunters win when they reach their goal; a player who can neither place nor move loses."""
    mover = s.to_move
    s.moving = -1
    s.turn += 1
    s.to_move = 1 - mover
    s.phase = PLACE if s.hand[s.to_move] > 0 else MOVE
    if s.taken[0] >= s.goal:
        s.winner = 0
    elif s.phase == MOVE and not can_move(s, neighbours, s.to_move):
        s.winner = mover
    if s.winner >= 0 or s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def can_move(s, neighbours, p):
    """Return whether player p can step or capture."""
    return can_step(s, neighbours, 1 + p) or (p == 0 and can_take(s, neighbours, HUNTER, PREY))


@rule
def advantage(s, neighbours, p):
    """Evaluate a position for player p: first by captures, then by possible captures, then by the hunters' steps."""
    threats = 0
    steps = 0
    for point in range(len(s.board)):
        if s.board[point] == HUNTER:
            threats += jumps_from(s, neighbours, point, PREY)
            steps += steps_from(s, neighbours, point)
    value = (np.int64(s.taken[0]) * MORE_THAN_WAYS + threats) * MORE_THAN_WAYS + steps
    return value if p == 0 else -value


@rule
def taken_by(s, p):
    """Return how many of the herd the hunters have captured; -1 for the herd, which never captures."""
    return np.int64(s.taken[0]) if p == 0 else -1


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    """Write the observation of player p; see `contract.observe`."""
    presentation.observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.own_hand = s.hand[p]
    out.other_hand = s.hand[1 - p]
    out.taken = s.taken[0]
    out.goal_left = s.goal - s.taken[0]
    out.quiet_left = min(s.quiet_turns - s.quiet, FAR)
    out.hunts = p == 0
    presentation.observe_moving(s, out)


def observation(points: int, hunters: int, herd: int) -> list[Columns]:
    """Return the columns that `observe` writes, for these numbers of points and pieces."""
    most = max(hunters, herd)
    return [
        *presentation.men_columns(points, "piece"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("own_hand", most, "pieces the observing player still has to place"),
        Columns("other_hand", most, "pieces the other player still has to place"),
        Columns("taken", herd, "pieces the hunters have captured"),
        Columns("goal_left", herd, "captures the hunters still need to win"),
        Columns("quiet_left", FAR, f"turns without placement or capture left before quiet_turns, at most {FAR}"),
        Columns("hunts", 1, "1 when the observing player is player 0, who hunts"),
        Columns("moving", 1, "1 where the hunter stands that may go on capturing", place=range(points)),
    ]


def actions(points: int) -> list[Actions]:
    """Return the actions, by kind, for a number of points."""
    return [
        presentation.on_points(points, "place on", {PLACE: ""}),
        presentation.moves(points, {MOVE: "a step or a capture", GO_ON: "capture once more"}),
        Actions("stop capturing", {GO_ON: ""}),
    ]


def check(s: Any, options: Any, board: PointBoard, hunters: int, herd: int) -> None:
    """Check the numbers of pieces, and that phase, hands and `moving` agree with the board.

    Args:
        s: The record of the game.
        options: The game's options.
        board: The game's board.
        hunters: The number of hunters.
        herd: The number of pieces in the herd.

    Raises:
        ValueError: If a check fails.
    """
    presentation.check_men(s)
    on_board = [int((s.board == man).sum()) for man in (HUNTER, PREY)]
    hand, taken = [[int(number) for number in field] for field in (s.hand, s.taken)]
    all_hunters = on_board[0] + hand[0]
    require(all_hunters == hunters, f"player 0 has {hunters} pieces, got {all_hunters}, those in hand included")
    prey = on_board[1] + hand[1] + taken[0]
    require(prey <= herd, f"player 1 has {herd} pieces, got {prey}, those in hand and captured included")
    require(taken[1] == 0, f"taken[1] must be 0, got {taken[1]}")
    require(s.quiet >= 0, "quiet must be at least 0")
    if s.phase != GO_ON:
        require(s.moving == -1, f"moving must be -1 in phase {s.phase}, got {s.moving}")
    if s.to_move < 0:
        return
    require(s.quiet < options["quiet_turns"], f"quiet must be below {options['quiet_turns']}")
    require(taken[0] < options["goal"], f"taken[0] must be below {options['goal']}, the goal, got {taken[0]}")
    check_hands(s, hand, hunters, herd)
    if s.phase == GO_ON:
        check_going_on(s, options, board)


def check_hands(s: Any, hand: list[int], hunters: int, herd: int) -> None:
    """Check the phase and the numbers of pieces in hand.

    Raises:
        ValueError: If a player with pieces in hand is not to place one, or the pieces were not placed in turn.
    """
    places = hand[s.to_move] > 0
    require(
        places == (s.phase == PLACE),
        f"phase must {'' if places else 'not '}be {PLACE}: player {s.to_move} has {hand[s.to_move]} pieces in hand",
    )
    placed, other_placed = hunters - hand[0], herd - hand[1]
    fewest = placed - int(s.to_move)
    fits = other_placed == fewest if hand[0] > 0 else other_placed >= fewest
    require(fits, f"hand is impossible: player 0 has placed {placed} pieces, player 1 {other_placed}")
    require(hand[0] == 0 or s.taken[0] == 0, "taken must be 0 while player 0 places")


def check_going_on(s: Any, options: Any, board: PointBoard) -> None:
    """Check that the hunter on `moving` has just captured and can capture again.

    Raises:
        ValueError: If a check fails.
    """
    require(options["jumps"] == "many", f"phase {GO_ON} needs jumps='many'")
    hunter = s.to_move == 0 and 0 <= s.moving < len(s.board) and s.board[s.moving] == HUNTER
    require(hunter, f"in phase {GO_ON} moving must be a point of player 0, who is to move, got {s.moving}")
    made = s.taken[0] > 0 and s.quiet == 0
    require(made, f"in phase {GO_ON} player 0 must have captured: taken above 0, quiet 0")
    fewest = 1 if options["capture"] == "free" else 2
    ways = in_python(jumps_from)(s, board.neighbours, int(s.moving), PREY)
    require(ways >= fewest, f"in phase {GO_ON} moving must have {fewest} or more captures, got {ways}")


def board(s: Any, board: PointBoard, men: str) -> Board:
    """Draw the board; `men` has the letters of a hunter and of a piece of the herd."""
    hands = [(f"P{p} to place", p, int(s.hand[p])) for p in (0, 1)]
    return presentation.draw_points(s, board, men, [*hands, ("P0 took", 0, int(s.taken[0]))], marked=int(s.moving))
