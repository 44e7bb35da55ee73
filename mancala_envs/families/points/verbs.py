"""What men do on points: they are laid, step, jump and slide, stand in rows, and are counted.

`s.board` says what stands on each point: EMPTY, or the code of a man, by the game's page. `neighbours` and `rows` are
the tables of a `PointBoard`.
"""

from mancala_envs.core.contract import legal, num_actions
from mancala_envs.core.rule import rule

EMPTY = 0
WAYS = 8
"""Actions for every point: of those from number N on, N being the points, each moves from one point one way."""


# Actions: 0..N-1 name a point, N + 8 * point + direction a move from it.


@rule
def start_of(s, action):
    """The point from which the action moves."""
    return (action - len(s.board)) // WAYS


@rule
def direction_of(s, action):
    """The direction in which the action moves."""
    return (action - len(s.board)) % WAYS


@rule
def turned(s, p, point):
    """The number of a point as player p sees it, and back: player 1 sees the board turned by half a turn."""
    return len(s.board) - 1 - point if p == 1 else point


@rule
def turned_way(p, direction):
    """The number of a direction as player p sees it, and back."""
    return direction ^ WAYS // 2 * p


@rule
def carry_out(s, action):
    """Carry out one decision; returns whether the turn goes on. The book's own, by `RuleBook.family`."""
    raise RuntimeError("carry_out is a rule of the book")


@rule
def play(s, action):
    """Carry out an action and then, as long as the turn goes on by a single choice, that one."""
    goes_on = carry_out(s, action)
    while goes_on:
        action = only_choice(s)
        goes_on = action >= 0 and carry_out(s, action)


@rule
def only_choice(s):
    """The legal action if there is exactly one; otherwise -1."""
    only = -1
    for action in range(num_actions(s)):
        if legal(s, action):
            if only >= 0:
                return -1
            only = action
    return only


# Laying and removing.


@rule
def lay(s, point, man):
    s.board[point] = man


@rule
def remove(s, point):
    s.board[point] = EMPTY


@rule
def count(s, man):
    """How many men of this code are on the board."""
    men = 0
    for point in range(len(s.board)):
        men += s.board[point] == man
    return men


# Steps and slides.


@rule
def is_empty(s, point):
    """Whether there is such a point, and nobody on it."""
    return point >= 0 and s.board[point] == EMPTY


@rule
def move_man(s, start, end):
    """Whoever stands on `start` goes to `end`."""
    s.board[end] = s.board[start]
    s.board[start] = EMPTY


@rule
def steps_from(s, neighbours, point):
    """In how many directions the man on `point` can step."""
    steps = 0
    for direction in range(WAYS):
        steps += is_empty(s, neighbours[point, direction])
    return steps


@rule
def can_step(s, neighbours, man):
    """Whether any man of this code can step."""
    for point in range(len(s.board)):
        if s.board[point] == man and steps_from(s, neighbours, point) > 0:
            return True
    return False


@rule
def free_run(s, neighbours, point, direction):
    """How many points in a row are empty in a direction: as far may slide who slides."""
    run = 0
    point = neighbours[point, direction]
    while is_empty(s, point):
        run += 1
        point = neighbours[point, direction]
    return run


# Jumps.


@rule
def can_jump(s, neighbours, point, direction, prey):
    """Whether `prey`, the code of a man, is the neighbour in this direction, and nobody right behind him."""
    over = neighbours[point, direction]
    return over >= 0 and s.board[over] == prey and is_empty(s, neighbours[over, direction])


@rule
def jump(s, neighbours, point, direction):
    """The man on `point` jumps over his neighbour, who is taken off; returns where he lands."""
    over = neighbours[point, direction]
    end = neighbours[over, direction]
    move_man(s, point, end)
    remove(s, over)
    return end


@rule
def jumps_from(s, neighbours, point, prey):
    """In how many directions the man on `point` can jump over a man of code `prey`."""
    jumps = 0
    for direction in range(WAYS):
        jumps += can_jump(s, neighbours, point, direction, prey)
    return jumps


@rule
def can_take(s, neighbours, man, prey):
    """Whether any man of this code can jump over a man of code `prey`."""
    for point in range(len(s.board)):
        if s.board[point] == man and jumps_from(s, neighbours, point, prey) > 0:
            return True
    return False


# Rows of three.


@rule
def makes_row(s, rows, point, man):
    """Whether a man of this code makes a row of three on `point`, whether he stands there or not."""
    for row in range(rows.shape[1]):
        if s.board[rows[point, row, 0]] == man and s.board[rows[point, row, 1]] == man:
            return True
    return False


@rule
def all_in_rows(s, rows, man):
    """Whether every man of this code stands in a row."""
    for point in range(len(s.board)):
        if s.board[point] == man and not makes_row(s, rows, point, man):
            return False
    return True
