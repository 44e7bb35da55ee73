"""War games on the board of 49 points: soldiers step and capture in every direction, with multiple captures.

Source: H. Parker, *Ancient Ceylon*, 1909, p. 583 (Peralikatuma); L. Ludovisi, *The sports and games of the Singhalese*,
1873, pp. 33-34 (Kotu Ellima). Each game adds its set-up, its options and its page.
"""

from typing import Any

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.board import Board
from mancala_envs.core.book import Presentation
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock, observe_phase, phase_columns
from mancala_envs.core.options import require
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points import presentation
from mancala_envs.families.points.board import Table
from mancala_envs.families.points.explanation import STEPS_AND_JUMPS
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS, PLACES, POINTS
from mancala_envs.families.points.verbs import (
    WAYS,
    can_step,
    can_take,
    is_empty,
    jump,
    jumps_from,
    move_man,
    view_direction,
    view_point,
)
from mancala_envs.families.points.verbs import can_jump as can_capture

MOVE, GO_ON = 0, 2
PHASES = {MOVE: "move a soldier", GO_ON: "go on capturing"}
PHASE_NUMBERS = np.array(list(PHASES))

DONE = POINTS * WAYS
"""The action that ends a turn although the soldier could capture again."""

FREE = 0
"""Value of the option `capture`."""


def set_up(square: str) -> Table:
    """Return the codes of all points for a set-up.

    Player 0 fills the bottom and left triangles, player 1 the other two.

    Args:
        square: The codes of the points of the square, in five rows; "." for empty points.
    """
    a, b, c, d, e = square.split()
    rows = f"222 222 1{a}2 1{b}2 11{c}22 1{d}2 1{e}2 111 111"
    return np.array([".12".index(code) for code in rows.replace(" ", "")])


def record(options):
    """Return the fields of the record; see `RuleBook.record`."""
    return [
        presentation.board_field(POINTS, "soldier"),
        Field("taken", "u1", "soldiers that each player has captured", (2,)),
        Field("moving", "i1", "point of the soldier that goes on capturing in phase 2; otherwise -1"),
        *HEAD,
        Field("quiet", "i4", "turns in a row without a capture, below `quiet_turns`"),
    ]


@rule
def num_actions(s):
    """Return the number of actions."""
    return DONE + 1


@rule(allocates=True)
def set_out(s, soldiers):
    """Set up the board; `soldiers` has the code of each point."""
    s.board[:] = soldiers
    s.taken[:] = 0
    s.moving = -1
    s.quiet = 0


# Action 8 * point + direction steps or captures, from the view of the player to move; the last action is `DONE`.


@rule
def start_of(s, action):
    """Return the point of the board from which an action moves."""
    return view_point(s, s.to_move, action // WAYS)


@rule
def direction_of(s, action):
    """Return the direction on the board in which an action moves."""
    return view_direction(s.to_move, action % WAYS)


@rule
def legal(s, action):
    """Return whether an action is legal."""
    if action == DONE:
        return s.phase == GO_ON and s.capture == FREE
    start = start_of(s, action)
    direction = direction_of(s, action)
    if s.phase == GO_ON:
        return start == s.moving and can_capture(s, NEIGHBOURS, start, direction, 2 - s.to_move)
    if s.board[start] != 1 + s.to_move:
        return False
    if is_empty(s, NEIGHBOURS[start, direction]):
        return not must_capture(s)
    return can_capture(s, NEIGHBOURS, start, direction, 2 - s.to_move)


@rule
def must_capture(s):
    """Return whether the player to move must capture."""
    return s.capture != FREE and can_take(s, NEIGHBOURS, 1 + s.to_move, 2 - s.to_move)


@rule
def carry_out(s, action):
    """Carry out an action; return whether the turn continues."""
    if action != DONE and go(s, start_of(s, action), direction_of(s, action)):
        return True
    end_turn(s)
    return False


@rule
def go(s, start, direction):
    """Step or capture once; return whether the soldier can capture again."""
    if is_empty(s, NEIGHBOURS[start, direction]):
        move_man(s, start, NEIGHBOURS[start, direction])
        s.quiet += 1
        return False
    s.moving = jump(s, NEIGHBOURS, start, direction)
    s.phase = GO_ON
    s.taken[s.to_move] += 1
    s.quiet = 0
    return jumps_from(s, NEIGHBOURS, s.moving, 2 - s.to_move) > 0


@rule
def end_turn(s):
    """End the turn of the player to move."""
    pass_on(s, can_move(s, 1 - s.to_move))


@rule
def pass_on(s, can_move_on):
    """Give the turn to the other player, who has lost unless `can_move_on`, and check for a draw."""
    mover = s.to_move
    s.phase = MOVE
    s.moving = -1
    s.turn += 1
    s.to_move = 1 - mover
    if not can_move_on:
        s.winner = mover
    if s.winner >= 0 or s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def can_move(s, p):
    """Return whether player p can step or capture."""
    return can_step(s, NEIGHBOURS, 1 + p) or can_take(s, NEIGHBOURS, 1 + p, 2 - p)


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    """Write the observation of player p; see `contract.observe`."""
    presentation.observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.own_taken = s.taken[p]
    out.other_taken = s.taken[1 - p]
    out.quiet_left = min(s.quiet_turns - s.quiet, FAR)
    presentation.observe_moving(s, out)
    if p == 1:
        presentation.reverse(out.own_man)
        presentation.reverse(out.other_man)
        presentation.reverse(out.moving)


def observation(options):
    """Return the columns that `observe` writes."""
    return [
        *presentation.men_columns(POINTS, "soldier"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("own_taken", POINTS, "soldiers the observing player has captured"),
        Columns("other_taken", POINTS, "soldiers the other player has captured"),
        Columns("quiet_left", FAR, f"turns without a capture left before quiet_turns, at most {FAR}"),
        Columns("moving", 1, "1 where the soldier stands that may go on capturing", place=range(POINTS)),
    ]


def actions(options):
    """Return the actions, by kind."""
    return [
        presentation.moves(POINTS, {MOVE: "a step or a capture", GO_ON: "capture once more"}),
        Actions("stop capturing", {GO_ON: ""}),
    ]


def check(s: Any, options: Any, soldiers: Table) -> None:
    """Check the numbers of soldiers, and that phase and `moving` agree with the board.

    Args:
        s: The record of the game.
        options: The game's options.
        soldiers: The codes of the points in the set-up.

    Raises:
        ValueError: If a check fails.
    """
    presentation.check_men(s)
    on_board = [int((s.board == 1 + p).sum()) for p in (0, 1)]
    captured = [int(number) for number in s.taken]
    for p in (0, 1):
        own, most = on_board[p] + captured[1 - p], int((soldiers == 1 + p).sum())
        require(own <= most, f"player {p} has {most} soldiers, got {own}, those captured included")
    require(s.quiet >= 0, "quiet must be at least 0")
    if s.phase == MOVE:
        require(s.moving == -1, f"moving must be -1 in phase {MOVE}, got {s.moving}")
    if s.to_move < 0:
        return
    require(s.quiet < options["quiet_turns"], f"quiet must be below {options['quiet_turns']}")
    for p in (0, 1):
        require(on_board[p] > 0, f"player {p} has lost: no soldiers are left on the board")
    if s.phase == GO_ON:
        own = 0 <= s.moving < POINTS and s.board[s.moving] == 1 + s.to_move
        require(own, f"in phase {GO_ON} moving must be a point of the player to move, got {s.moving}")
        made = captured[s.to_move] > 0 and s.quiet == 0
        require(made, f"in phase {GO_ON} the player to move must have captured: taken above 0, quiet 0")
        fewest = 1 if options["capture"] == "free" else 2
        ways = in_python(jumps_from)(s, BOARD.neighbours, int(s.moving), 2 - s.to_move)
        require(ways >= fewest, f"in phase {GO_ON} moving must have {fewest} or more captures, got {ways}")


def board(s: Any) -> Board:
    """Draw the board."""
    beside = [(f"P{p} took", p, int(s.taken[p])) for p in (0, 1)]
    return presentation.draw_points(s, BOARD, beside=beside, marked=int(s.moving))


PRESENTATION = Presentation(
    board,
    observation,
    actions,
    phases=PHASES,
    grid=lambda options: PLACES,
    turn=lambda options: presentation.half_turn(POINTS),
    descriptions=STEPS_AND_JUMPS,
    counted=lambda options: "soldiers taken",
)
