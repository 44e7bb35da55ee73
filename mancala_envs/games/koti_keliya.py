"""
# Koti Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2: player 0 has the leopard, player 1 the cattle |
| Board | the white squares of a chequered board, 12 x 12; option `size` |
| Pieces | 1 leopard; cattle half as many as the board has rows |
| Rewards | +1 / -1 at the end |
| Import | `from mancala_envs import koti_keliya_v0` |

```
row 0   0  .  1  .  2  .  3  .  4  .  5  .
row 1   .  6  .  7  .  8  .  9  . 10  . 11
row 2  12  . 13  . 14  . 15  . 16  . 17  .
...
row 11  . 66  . 67  . 68  . 69  . 70  . 71
```
Points are the white squares, whose row and column together are even. At the start the cattle stand on 0..5.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, p. 585 (Koti Keliya, "the Leopard Game ... a form of 'Fox and Geese'"), with
the Ludii portal's summary above it (evidence 1480).

1. Six "Cattle" or "Dogs" "are set on the white squares along one side of the board; while the Leopard may be placed
   anywhere on a square with the same colour": player 0's first turn.
2. Then they move by turns, all "diagonally along the squares". The cattle, who move first, "only move in a forward
   oblique direction and to the extent of one square at a time": down, to an empty square.
3. The leopard goes one square in any of the four oblique directions, or "double the distance in any oblique direction
   if the course be unobstructed": both squares are empty. He "cannot pass over the Cattle". Nobody is captured.
4. The leopard wins when he is "through or round the Cattle": none of them is in a row above his own; those in the
   same row are passed too, for they go only forward. Looked at after every turn, also the cattle's.
5. The cattle win when the leopard cannot move and it is his turn: he is "imprisoned".

## Not settled by the source, decided here
* Who moves first: the placing counts as the leopard's first turn. With `first="leopard"` he has the second one too.
* `reach=1`: the leopard goes one square only, the English game.
* `size=8` is the English board with four cattle, `size=10` has five.
* Cattle that cannot move when it is their turn have lost.

The game always ends, for the cattle go only down. After `max_turns` turns it would be a draw; on the largest board 133
are the most. Left and right are not alike: the upper left square is white, the upper right one is not.

## Observation
Both players see the board as it is numbered, the cattle above.

## Options
Ludii: as here. No campaign.

## Strength
With best play the leopard wins on 8 x 8 and on 10 x 10, and the cattle win on 8 x 8 with `reach=1`, after every
placement (solved). 12 x 12 is not solved: this project's programs never tried it. It is a game for teaching, not for
measuring two equal players. At random the leopard wins 99% of the games, with `reach=1` 92%.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules
from mancala_envs.core.observation import CLOCK, Columns, observe_clock, observe_phase, phase_columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import WIN_ONLY
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points import hunts
from mancala_envs.families.points.board import DIRECTIONS
from mancala_envs.families.points.draughts import BOARDS, NEIGHBOURS, SIZES, in_row, neighbour, number
from mancala_envs.families.points.explanation import STEPS_AND_JUMPS
from mancala_envs.families.points.hunts import HUNTER, MOVE, PLACE, PREY
from mancala_envs.families.points.presentation import board_field, check_men, drawn, men_columns, observe_men, on_points
from mancala_envs.families.points.verbs import WAYS, direction_of, free_run, is_empty, lay, move_man, start_of

__all__ = ["RULE_BOOK"]

PHASES = {phase: hunts.PHASES[phase] for phase in (MOVE, PLACE)}
PHASE_NUMBERS = np.array(list(PHASES))

SOUTH_EAST, SOUTH_WEST = DIRECTIONS.index("south-east"), DIRECTIONS.index("south-west")

CATTLE_FIRST, DOUBLE = 0, 0
"""Of the options `first` and `reach`."""

WON = 10_000
"""More than any advantage."""

OPTIONS = (
    Option("size", 12, choices=SIZES[::-1], size=True),
    Option("first", "cattle", choices=("cattle", "leopard")),
    Option("reach", 2, choices=(2, 1)),
    Option("max_turns", 200),
    WIN_ONLY,
)


def record(options):
    return [
        board_field(options["size"] ** 2 // 2, "piece"),
        Field("hand", "u1", "1, 0 until the leopard is placed, then 0, 0", (2,)),
        Field("taken", "u1", "always 0, 0: nobody is captured", (2,)),
        *HEAD,
    ]


@rule
def cattle(s):
    """How many there are: as many as white squares in a row."""
    return in_row(s)


@rule
def num_actions(s):
    return len(s.board) * (1 + WAYS)


@rule
def begin(s):
    s.board[:] = 0
    s.board[: cattle(s)] = PREY
    s.hand[0], s.hand[1] = 1, 0
    s.taken[:] = 0
    s.phase = PLACE


@rule
def legal(s, action):
    if action < len(s.board):
        return s.phase == PLACE and is_empty(s, action)
    start = start_of(s, action)
    way = direction_of(s, action)
    if s.phase == PLACE or s.board[start] != 1 + s.to_move:
        return False
    return squares_of(way) <= free_squares(s, start, heading(way))


@rule
def squares_of(way):
    """How far a move goes, by the direction in its number: two squares where that is even."""
    return 2 - way % 2


@rule
def heading(way):
    """In which direction a move goes, by the direction in its number."""
    return way // 2 * 2 + 1


@rule
def free_squares(s, point, direction):
    """How far the piece on `point` may go in a direction."""
    if s.board[point] == HUNTER:
        reach = 2 if s.reach == DOUBLE else 1
    else:
        reach = 1 if direction in (SOUTH_EAST, SOUTH_WEST) else 0
    return min(reach, free_run(s, NEIGHBOURS[number(s)], point, direction))


@rule
def play(s, action):
    if s.phase == PLACE:
        lay(s, action, HUNTER)
        s.hand[0] = 0
        s.phase = MOVE
        end_turn(s, 1 if s.first == CATTLE_FIRST else 0)
        return
    way = direction_of(s, action)
    start = start_of(s, action)
    end = start
    for _ in range(squares_of(way)):
        end = neighbour(s, end, heading(way))
    move_man(s, start, end)
    end_turn(s, 1 - s.to_move)


@rule
def end_turn(s, following):
    """The leopard may be through; or player `following` is to move and cannot, and has lost."""
    s.turn += 1
    s.to_move = following
    if cattle_above(s) == 0:
        s.winner = 0
    elif moves(s, following) == 0:
        s.winner = 1 - following
    if s.winner >= 0 or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def cattle_above(s):
    """How many of the cattle are in rows above the leopard's."""
    above = 0
    for point in range(row_of_leopard(s) * cattle(s)):
        above += s.board[point] == PREY
    return above


@rule
def row_of_leopard(s):
    """The number of his row; below the board while he is not placed."""
    point = 0
    while point < len(s.board) and s.board[point] != HUNTER:
        point += 1
    return point // cattle(s)


@rule
def moves(s, p):
    """How many moves player p has."""
    found = 0
    for point in range(len(s.board)):
        if s.board[point] == 1 + p:
            for direction in range(1, WAYS, 2):
                found += free_squares(s, point, direction)
    return found


@rule
def advantage(s, p):
    """Of the leopard: first how many cattle he has passed, then how far he has come and where he can go.

    For the cattle it is better that the last of them goes than the first: they stay in line.
    """
    if s.winner >= 0:
        return WON if s.winner == p else -WON
    line = 0
    for point in range(len(s.board)):
        if s.board[point] == PREY:
            line += (point // cattle(s)) ** 2
    value = 4 * moves(s, 0) + line - 4 * row_of_leopard(s) - 64 * cattle_above(s)
    return value if p == 0 else -value


# What players see, and what a position must be.


@rule(inline=True)
def observe(s, p, out):
    observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.hunts = p == 0


def observation(options):
    return [
        *men_columns(options["size"] ** 2 // 2, "piece"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("hunts", 1, "1 when the observing player is player 0, who has the leopard"),
    ]


def actions(options):
    points = options["size"] ** 2 // 2
    ways = [f"{squares} {DIRECTIONS[way]}" for way in range(1, WAYS, 2) for squares in ("two squares", "one square")]
    return [
        on_points(points, "place on", {PLACE: "the leopard"}),
        Actions("move from point {place} {direction}", {MOVE: ""}, place=range(points), direction=ways),
    ]


def check(s, options, given):
    """The leopard and all cattle are on the board, or he is in hand and they where they begin; he is not through."""
    check_men(s)
    leopards, all_cattle = [int((s.board == man).sum()) for man in (HUNTER, PREY)]
    most = options["size"] // 2
    require(s.hand.tolist() in ([0, 0], [1, 0]), f"hand must be [0, 0] or [1, 0], got {s.hand.tolist()}")
    require(not s.taken.any(), f"taken must be [0, 0], got {s.taken.tolist()}")
    require(leopards + s.hand[0] == 1, f"there is one leopard, got {leopards + s.hand[0]}, those in hand included")
    require(all_cattle == most, f"there are {most} cattle, got {all_cattle}")
    if s.to_move < 0:
        return
    require(
        (s.phase == PLACE) == (s.hand[0] == 1),
        f"phase must be {PLACE} while the leopard is in hand, else {MOVE}, got {s.phase}",
    )
    if s.phase == PLACE:
        begins = s.to_move == 0 and (s.board[:most] == PREY).all()
        require(begins, f"in phase {PLACE} player 0 must be to move and the cattle on points 0..{most - 1}")
        return
    above = in_python(cattle_above)(s)
    require(above > 0, "player 0 has won: none of the cattle is above the leopard")


def board(s):
    return drawn(s, BOARDS[in_python(number)(s)], "Lc", [("P0 to place", 0, int(s.hand[0]))], squares=True)


RULE_BOOK = RuleBook(
    name="koti_keliya",
    title="Koti Keliya",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=advantage),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        descriptions=STEPS_AND_JUMPS,
        grid=lambda options: BOARDS[SIZES.index(options["size"])].places,
    ),
    positions=Positions(check),
    # Every decision is a turn.
    most_decisions=lambda options: options["max_turns"],
)
__doc__ = RULE_BOOK.page
