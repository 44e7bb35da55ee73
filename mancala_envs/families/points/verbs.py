"""Verbs of games on points: placing, steps, jumps, slides, rows of three, and counts.

`s.board` holds for each point EMPTY or the code of the man on it, as the game's page says. The arguments `neighbours`
and `rows` are tables of a `PointBoard`.
"""

import numpy as np

from mancala_envs.core.contract import legal, num_actions
from mancala_envs.core.rule import rule

EMPTY = 0
WAYS = 8
"""Number of directions, and so of moves from a point."""


# Actions 0..N-1 are points, where N is their number; action N + 8 * point + direction is a move from a point.


@rule
def start_of(s, action):
    """Return the point from which an action moves."""
    return (action - len(s.board)) // WAYS


@rule
def direction_of(s, action):
    """Return the direction in which an action moves."""
    return (action - len(s.board)) % WAYS


@rule
def view_point(s, p, point):
    """Convert a point between the numbering of the board and that of player p.

    Player 1 sees the board rotated by 180 degrees, so the conversion is the same both ways.
    """
    return len(s.board) - 1 - point if p == 1 else point


@rule
def view_direction(p, direction):
    """Convert a direction between the view of the board and that of player p."""
    return direction ^ WAYS // 2 * p


@rule
def carry_out(s, action):
    """Carry out one decision; return whether the turn continues. Each game replaces this rule by `RuleBook.family`."""
    raise RuntimeError("carry_out is a rule of the book")


@rule
def play(s, action):
    """Carry out an action, and then every following decision of the turn that has a single legal action."""
    goes_on = carry_out(s, action)
    while goes_on:
        action = only_choice(s)
        goes_on = action >= 0 and carry_out(s, action)


@rule
def only_choice(s):
    """Return the legal action if there is exactly one, otherwise -1."""
    only = -1
    for action in range(num_actions(s)):
        if legal(s, action):
            if only >= 0:
                return -1
            only = action
    return only


# Placing and removing.


@rule
def lay(s, point, man):
    """Place a man of a code on a point."""
    s.board[point] = man


@rule
def remove(s, point):
    """Remove the man on a point."""
    s.board[point] = EMPTY


@rule
def count(s, man):
    """Count the men of a code on the board."""
    men = 0
    for point in range(len(s.board)):
        men += s.board[point] == man
    return men


# Steps and slides.


@rule
def is_empty(s, point):
    """Return whether the point exists and is empty."""
    return point >= 0 and s.board[point] == EMPTY


@rule
def move_man(s, start, end):
    """Move the man on `start` to `end`."""
    s.board[end] = s.board[start]
    s.board[start] = EMPTY


@rule
def steps_from(s, neighbours, point):
    """Count the directions in which the man on `point` can step."""
    steps = 0
    for direction in range(WAYS):
        steps += is_empty(s, neighbours[point, direction])
    return steps


@rule
def can_step(s, neighbours, man):
    """Return whether any man of a code can step."""
    for point in range(len(s.board)):
        if s.board[point] == man and steps_from(s, neighbours, point) > 0:
            return True
    return False


@rule
def free_run(s, neighbours, point, direction):
    """Count the empty points in a direction up to the next man or the edge: the range of a slide."""
    run = 0
    point = neighbours[point, direction]
    while is_empty(s, point):
        run += 1
        point = neighbours[point, direction]
    return run


# Jumps.


@rule
def can_jump(s, neighbours, point, direction, prey):
    """Return whether the neighbour in a direction is a man of code `prey` and the point behind it is empty."""
    over = neighbours[point, direction]
    return over >= 0 and s.board[over] == prey and is_empty(s, neighbours[over, direction])


@rule
def jump(s, neighbours, point, direction):
    """Jump over a neighbour and remove it; return the point behind it."""
    over = neighbours[point, direction]
    end = neighbours[over, direction]
    move_man(s, point, end)
    remove(s, over)
    return end


@rule
def jumps_from(s, neighbours, point, prey):
    """Count the directions in which the man on `point` can jump over a man of code `prey`."""
    jumps = 0
    for direction in range(WAYS):
        jumps += can_jump(s, neighbours, point, direction, prey)
    return jumps


@rule
def can_take(s, neighbours, man, prey):
    """Return whether any man of a code can jump over a man of code `prey`."""
    for point in range(len(s.board)):
        if s.board[point] == man and jumps_from(s, neighbours, point, prey) > 0:
            return True
    return False


@rule
def lead(s, p):
    """Return player p's lead in men on the board."""
    return count(s, 1 + p) - count(s, 2 - p)


@rule
def taken(s, p):
    """Return the number of men that player p has captured."""
    return np.int64(s.taken[p])


# Rows of three.


@rule
def makes_row(s, rows, point, man):
    """Return whether a man of a code on `point` makes a row of three; the point itself is not checked."""
    for row in range(rows.shape[1]):
        if s.board[rows[point, row, 0]] == man and s.board[rows[point, row, 1]] == man:
            return True
    return False


@rule
def all_in_rows(s, rows, man):
    """Return whether every man of a code is part of a row."""
    for point in range(len(s.board)):
        if s.board[point] == man and not makes_row(s, rows, point, man):
            return False
    return True
