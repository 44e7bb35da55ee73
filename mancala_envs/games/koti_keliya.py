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
The points are the white squares: those where row plus column is even. At the start the cattle stand on 0..5.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, p. 585 (Koti Keliya, "the Leopard Game ... a form of 'Fox and Geese'"), with
the Ludii portal's summary of it (evidence 1480).

1. Six "Cattle" or "Dogs" "are set on the white squares along one side of the board; while the Leopard may be placed
   anywhere on a square with the same colour": this is player 0's first turn.
2. Then the players move in turn, all pieces "diagonally along the squares". The cattle move first and "only move in a
   forward oblique direction and to the extent of one square at a time": down, to an empty square.
3. The leopard goes one square in any of the four oblique directions, or "double the distance in any oblique direction
   if the course be unobstructed": both squares must be empty. It "cannot pass over the Cattle". Nothing is captured.
4. The leopard wins when it is "through or round the Cattle": when none of them is in a row above its own. Cattle in its
   own row are passed, because cattle only move forward. This is checked after every turn, also after turns of the
   cattle.
5. The cattle win when it is the leopard's turn and it cannot move: it is "imprisoned".

## Not settled by the source, decided here
* The first move after the placement: placing the leopard counts as its first turn. With `first="leopard"` it also has
  the second turn.
* `reach=1`: the leopard goes only one square, as in the English game.
* `size=8` is the English board with four cattle; `size=10` has five.
* Player 1 loses when it is their turn and no cattle can move.

The game always ends, because the cattle only move down. It would be a draw after `max_turns` turns, but on the largest
board no game takes more than 133. No reflection maps the board to itself: its upper left square is white, its upper
right one is not.

## Observation
Both players see the board as it is numbered, with the cattle above.

## Options
Ludii plays the default options. No campaign.

## Strength
With best play the leopard wins after every placement, on 8 x 8, 10 x 10 and 12 x 12, and with `reach=1` the cattle do
(solved). Use this game for teaching, not for comparing two equal players. In random play the leopard wins 99% of the
games, and with `reach=1` 92%.

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
from mancala_envs.families.points import hunts, presentation
from mancala_envs.families.points.board import DIRECTIONS
from mancala_envs.families.points.draughts import BOARDS, NEIGHBOURS, SIZES, in_row, neighbour, number
from mancala_envs.families.points.explanation import STEPS_AND_JUMPS
from mancala_envs.families.points.hunts import HUNTER, MOVE, PLACE, PREY
from mancala_envs.families.points.verbs import WAYS, direction_of, free_run, is_empty, lay, move_man, start_of

__all__ = ["RULE_BOOK"]

PHASES = {phase: hunts.PHASES[phase] for phase in (MOVE, PLACE)}
PHASE_NUMBERS = np.array(list(PHASES))

SOUTH_EAST, SOUTH_WEST = DIRECTIONS.index("south-east"), DIRECTIONS.index("south-west")

CATTLE_FIRST, DOUBLE = 0, 0
"""Values of the options `first` and `reach`."""

WON = 10_000
"""The evaluation of a won game, higher than that of any other position."""

OPTIONS = (
    Option("size", 12, choices=SIZES[::-1], size=True),
    Option("first", "cattle", choices=("cattle", "leopard")),
    Option("reach", 2, choices=(2, 1)),
    Option("max_turns", 200),
    WIN_ONLY,
)


def record(options):
    return [
        presentation.board_field(options["size"] ** 2 // 2, "piece"),
        Field("hand", "u1", "1, 0 until the leopard is placed, then 0, 0", (2,)),
        Field("taken", "u1", "always 0, 0: nothing is captured", (2,)),
        *HEAD,
    ]


@rule
def cattle(s):
    """Return the number of cattle, which is the number of white squares in a row."""
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
    """Return the length of a move in squares: two if the direction in its number is even, otherwise one."""
    return 2 - way % 2


@rule
def heading(way):
    """Return the direction on the board of a move with `way` as the direction in its number."""
    return way // 2 * 2 + 1


@rule
def free_squares(s, point, direction):
    """Return how many squares the piece on `point` may go in a direction."""
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
    """End the turn. The leopard wins if no cattle are above it; the player `following`, who is next, needs a move."""
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
    """Count the cattle in rows above the leopard's."""
    above = 0
    for point in range(row_of_leopard(s) * cattle(s)):
        above += s.board[point] == PREY
    return above


@rule
def row_of_leopard(s):
    """Return the leopard's row, or the number of rows if it is not on the board."""
    point = 0
    while point < len(s.board) and s.board[point] != HUNTER:
        point += 1
    return point // cattle(s)


@rule
def moves(s, p):
    """Count the moves of player p."""
    found = 0
    for point in range(len(s.board)):
        if s.board[point] == 1 + p:
            for direction in range(1, WAYS, 2):
                found += free_squares(s, point, direction)
    return found


@rule
def advantage(s, p):
    """Evaluate a position for player p: by cattle passed, then by the leopard's row and moves and the cattle's rows.

    A sum of squared rows grows least when the last of the cattle moves, so the cattle stay in line.
    """
    if s.winner >= 0:
        return WON if s.winner == p else -WON
    line = 0
    for point in range(len(s.board)):
        if s.board[point] == PREY:
            line += (point // cattle(s)) ** 2
    value = 4 * moves(s, 0) + line - 4 * row_of_leopard(s) - 64 * cattle_above(s)
    return value if p == 0 else -value


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.hunts = p == 0


def observation(options):
    return [
        *presentation.men_columns(options["size"] ** 2 // 2, "piece"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("hunts", 1, "1 when the observing player is player 0, who has the leopard"),
    ]


def actions(options):
    points = options["size"] ** 2 // 2
    ways = [f"{squares} {DIRECTIONS[way]}" for way in range(1, WAYS, 2) for squares in ("two squares", "one square")]
    return [
        presentation.on_points(points, "place on", {PLACE: "the leopard"}),
        Actions("move from point {place} {direction}", {MOVE: ""}, place=range(points), direction=ways),
    ]


def check(s, options, given):
    """Check the pieces, that the cattle have not moved while the leopard is in hand, and that player 0 has not won.

    Raises:
        ValueError: if a check fails.
    """
    presentation.check_men(s)
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
        f"phase must be {PLACE} while the leopard is in hand, otherwise {MOVE}, got {s.phase}",
    )
    if s.phase == PLACE:
        begins = s.to_move == 0 and (s.board[:most] == PREY).all()
        require(begins, f"in phase {PLACE} player 0 must be to move and the cattle on points 0..{most - 1}")
        return
    above = in_python(cattle_above)(s)
    require(above > 0, "player 0 has won: none of the cattle is above the leopard")


def board(s):
    return presentation.draw_points(
        s, BOARDS[in_python(number)(s)], "Lc", [("P0 to place", 0, int(s.hand[0]))], squares=True
    )


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
        sides=("the leopard", "the cattle"),
    ),
    positions=Positions(check),
    # Every decision is a turn.
    most_decisions=lambda options: options["max_turns"],
)
__doc__ = RULE_BOOK.page
