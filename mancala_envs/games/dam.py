"""
# Dam (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | 72 squares of one colour of 12 x 12; option `size` |
| Pieces | 30 men each, which can become kings |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import dam_v0` |

```
 0     1     2     3     4     5          x     x     x     x     x     x
    6     7     8     9    10    11          x     x     x     x     x     x
12    13    14    15    16    17          x     x     x     x     x     x
   18    19    20    21    22    23          x     x     x     x     x     x
24    25    26    27    28    29          x     x     x     x     x     x
   30    31    32    33    34    35          .     .     .     .     .     .
36    37    38    39    40    41          .     .     .     .     .     .
   42    43    44    45    46    47          o     o     o     o     o     o
48    49    50    51    52    53          o     o     o     o     o     o
   54    55    56    57    58    59          o     o     o     o     o     o
60    61    62    63    64    65          o     o     o     o     o     o
   66    67    68    69    70    71          o     o     o     o     o     o
```
The set-up is on the right: player 0 (o) sits below and begins, player 1 (x) sits above. Only these N = 72 squares are
used. With `size=10` N is 50 and each player has 20 men; with `size=8` N is 32 and each has 12.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 584-585 (Dam, "Draughts: or literally 'The Net'"), with the Ludii
portal's summary of it (evidence 1194). The summary's "first three ranks" cannot hold thirty pieces: all rows are full,
"thus leaving only the two central rows vacant".

1. A man (*itta*) steps one square diagonally to an empty square, "backwards as well as forwards from the beginning,
   thus having the powers of Kings in the ordinary English game".
2. A man captures by jumping over a neighbouring enemy piece to the empty square right behind it, in any of the four
   directions, "several consecutively if possible". Each jump is a decision.
3. A man that is on the last row, at the opponent's side, when a turn ends "is doubled, and is termed a 'King'".
4. A king moves any number of empty squares along one diagonal. Without a capture the turn ends there.
5. On a diagonal a king also passes over any number of enemy pieces that each have an empty square right behind them,
   and captures them all. It has "the option of remaining at any empty intermediate square". It never passes over pieces
   of its own side or over two pieces in a row. Such a move along one diagonal is one *leg*, and one decision.
6. A leg that captured and ended on the end square of its diagonal may be followed by another one "at a right angle from
   the last one", to either side. This leg must capture too. When the king has no further leg, the turn ends by itself.
7. "In other respects the play is the same as in English Draughts": a player who can capture must begin with a capture,
   of their choice, and a man must jump on as long as it can. A king need not go further along a diagonal, and need not
   take a further leg. The huff is left out.
8. A player who is to move and has no piece ("who captures all the pieces of his opponent" has won), or no move (English
   Draughts), has lost.

## Not settled by the source, decided here
* `capture="free"`: any move is legal at any time, and a man may stop between jumps.
* A man whose jump ends on the last row is crowned, and the turn ends, as in English Draughts. With `crown="pass"` it
  jumps on as a man where it can, and is crowned only if the turn ends there, as in Polish Draughts.
* "It must capture one or more pieces on each diagonal passed over". With `king_turn="free"` a further leg may also go,
  without a capture, to an empty square before the first piece; it ends the turn.
* Captured pieces leave the board at once. With `lift="end"`, as in Polish Draughts, they stay until the turn ends,
  cannot be jumped again, and block the way.
* The game is a draw after `quiet_turns` turns in a row without a capture or a crowning, or after `max_turns` turns.
  Both are checked when a turn ends, after the conditions for a win. Positions may repeat.

Inside a turn the engine plays a single choice itself; ending the turn counts as a choice. The only symmetry of the
set-up is a rotation by 180 degrees that also exchanges the players.

Ludii plays differently: captures are optional; a king lands right behind each piece that it jumps and goes on in the
same direction, or at an edge along any diagonal but the opposite one.

## Actions
Actions are seen from the mover's side. For player 1 the board is rotated by 180 degrees, as in the observation: square
q of an action is square N - 1 - q of `board`.

## Observation
Player 1 sees the board rotated by 180 degrees, as from their side: their column i is square 71 - i.

## Options
With `reward="margin"` a player receives their captures minus the opponent's, divided by the number of pieces in the
set-up. No campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock, observe_phase, phase_columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD, named_by_play, share_of_winner_or_margin
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points import presentation, verbs
from mancala_envs.families.points.board import DIRECTIONS
from mancala_envs.families.points.draughts import (
    BOARDS,
    DIAGONALS,
    JUMPED,
    MAN,
    SIZES,
    board,
    can_jump,
    can_jump_from,
    can_jump_towards,
    can_move,
    check_pieces,
    crown,
    direction_to,
    done,
    end_of,
    is_king,
    is_of,
    is_on_last_row,
    lead,
    lift_jumped,
    men_each,
    neighbour,
    set_out_men,
    start_of,
)
from mancala_envs.families.points.verbs import EMPTY, is_empty, move_man, remove, view_direction, view_point

__all__ = ["RULE_BOOK"]


BEGIN, GO_ON = 0, 1
PHASES = {BEGIN: "begin a turn", GO_ON: "go on"}
PHASE_NUMBERS = np.array(list(PHASES))

FREE = 1
"""Value of the options `capture` and `king_turn`."""
PASS, END = 1, 1
"""Values of the options `crown` and `lift`."""

OPTIONS = (
    Option("size", 12, choices=SIZES[::-1], size=True),
    Option("capture", "must", choices=("must", "free")),
    Option("crown", "stop", choices=("stop", "pass")),
    Option("king_turn", "capture", choices=("capture", "free")),
    Option("lift", "jump", choices=("jump", "end")),
    Option("quiet_turns", 120),
    Option("max_turns", 1000),
    REWARD,
)


def squares(options):
    return options["size"] ** 2 // 2


def record(options):
    stands = "of each square: 0 empty, 1 and 2 men of players 0 and 1, 3 and 4 their kings; plus 4 if jumped"
    came = "direction in which a king came to that square: 1, 3, 5 or 7, as player 0 sees it; otherwise -1"
    return [
        Field("board", "u1", stands, (squares(options),)),
        Field("taken", "u1", "pieces that each player has captured", (2,)),
        Field("moving", "i1", "square of the piece that goes on in phase 1; otherwise -1"),
        Field("heading", "i1", came),
        *HEAD,
        Field("quiet", "i4", "turns in a row without capture or crowning, below `quiet_turns`"),
    ]


@rule
def num_actions(s):
    return done(s) + 1


@rule
def begin(s):
    set_out_men(s)
    s.taken[:] = 0
    s.moving = -1
    s.heading = -1
    s.quiet = 0


# Legal actions.


@rule
def legal(s, action):
    if action == done(s):
        return s.phase == GO_ON and (s.heading >= 0 or s.capture == FREE)
    start = start_of(s, action)
    end = end_of(s, action)
    if not is_of(s, start, s.to_move):
        return False
    if s.phase == GO_ON:
        return start == s.moving and may_follow(s, end)
    jumps = jumps_to(s, start, end)
    return jumps > 0 or (jumps == 0 and not must_capture(s))


@rule
def must_capture(s):
    return s.capture != FREE and can_jump(s, s.to_move)


@rule
def jumps_to(s, start, end):
    """Count the enemies that the piece on `start` captures in one leg to `end`; -1 if there is no such leg."""
    direction = direction_to(s, start, end)
    if direction < 0 or not is_empty(s, end):
        return -1
    jumps = 0
    length = 0
    square = start
    while square != end:
        square = neighbour(s, square, direction)
        length += 1
        if not is_empty(s, square):
            if not is_of(s, square, 1 - s.to_move) or not is_empty(s, neighbour(s, square, direction)):
                return -1
            jumps += 1
    # A man steps to the next square, or lands right behind the one piece that it jumps.
    return jumps if is_king(s, start) or length == 1 + jumps else -1


@rule
def may_follow(s, end):
    """Return whether the piece that goes on may do so by a leg to `end`."""
    jumps = jumps_to(s, s.moving, end)
    if s.heading < 0:
        return jumps > 0
    turns = (direction_to(s, s.moving, end) - s.heading) % 4 == 2
    return turns and (jumps > 0 or (jumps == 0 and s.king_turn == FREE))


# Turns.


@rule
def carry_out(s, action):
    """Carry out an action; return whether the turn continues."""
    if action != done(s) and go(s, start_of(s, action), end_of(s, action)):
        return True
    end_turn(s)
    return False


@rule
def go(s, start, end):
    """Make a step or a leg; return whether the piece can go on."""
    jumps = jump_all(s, start, end)
    move_man(s, start, end)
    s.moving = end
    if jumps == 0:
        s.quiet += s.phase == BEGIN
        return False
    s.heading = direction_to(s, start, end) if is_king(s, end) else -1
    s.phase = GO_ON
    s.taken[s.to_move] += jumps
    s.quiet = 0
    return can_go_on(s)


@rule
def jump_all(s, start, end):
    """Capture all pieces between two squares; return their number."""
    direction = direction_to(s, start, end)
    jumps = 0
    square = neighbour(s, start, direction)
    while square != end:
        if not is_empty(s, square):
            jumps += 1
            if s.lift == END:
                s.board[square] += JUMPED
            else:
                remove(s, square)
        square = neighbour(s, square, direction)
    return jumps


@rule
def can_go_on(s):
    """Return whether the piece that has just captured has a further jump or leg."""
    if s.heading < 0:
        stops = s.crown != PASS and is_on_last_row(s, s.moving, s.to_move)
        return not stops and can_jump_from(s, s.moving, s.to_move)
    at_the_end = neighbour(s, s.moving, s.heading) < 0
    return at_the_end and (can_turn(s, (s.heading + 2) % 8) or can_turn(s, (s.heading + 6) % 8))


@rule
def can_turn(s, direction):
    """Return whether the king at the end of a diagonal has a further leg in this direction."""
    if s.king_turn == FREE and is_empty(s, neighbour(s, s.moving, direction)):
        return True
    return can_jump_towards(s, s.moving, direction, s.to_move)


@rule
def end_turn(s):
    """End the turn; a player to move without pieces or moves has lost."""
    mover = s.to_move
    if s.lift == END:
        lift_jumped(s)
    if is_on_last_row(s, s.moving, mover) and not is_king(s, s.moving):
        crown(s, s.moving)
        s.quiet = 0
    s.phase = BEGIN
    s.moving = -1
    s.heading = -1
    s.turn += 1
    s.to_move = 1 - mover
    if not can_move(s, s.to_move):
        s.winner = mover
    if s.winner >= 0 or s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def all_men(s):
    return 2 * men_each(s)


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_men(s, p, out)
    for square in range(len(s.board)):
        out.own_king[square] = s.board[square] == 3 + p
        out.other_king[square] = s.board[square] == 4 - p
    for square in range(len(out.jumped)):
        out.jumped[square] = s.board[square] > JUMPED
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.own_taken = s.taken[p]
    out.other_taken = s.taken[1 - p]
    out.quiet_left = min(s.quiet_turns - s.quiet, FAR)
    for way in range(len(DIAGONALS)):
        out.heading[way] = s.heading == view_direction(p, DIAGONALS[way])
    presentation.observe_moving(s, out)
    if p == 1:
        presentation.reverse(out.own_man)
        presentation.reverse(out.other_man)
        presentation.reverse(out.own_king)
        presentation.reverse(out.other_king)
        presentation.reverse(out.moving)
        presentation.reverse(out.jumped)


def observation(options):
    points = range(squares(options))
    most = len(points) // 2
    return [
        *presentation.men_columns(len(points), "man"),
        Columns("own_king", 1, "1 where a king of the observing player stands", place=points),
        Columns("other_king", 1, "1 where a king of the other player stands", place=points),
        *CLOCK,
        phase_columns(PHASES),
        Columns("own_taken", most, "pieces the observing player has captured"),
        Columns("other_taken", most, "pieces the other player has captured"),
        Columns("quiet_left", FAR, f"turns without capture or crowning left before quiet_turns, at most {FAR}"),
        Columns(
            "heading",
            1,
            "1 when a king may go on whose last leg went {each}, as the observing player sees it",
            each={way: DIRECTIONS[way] for way in DIAGONALS},
        ),
        Columns("moving", 1, "1 where the piece stands that must or may go on", place=points),
        Columns(
            "jumped",
            1,
            "1 where a captured piece stays until the turn ends",
            place=points if options["lift"] == "end" else (),
        ),
    ]


def actions(options):
    places = range(squares(options))
    legs = {BEGIN: "a step, a jump, or a leg of a king", GO_ON: ""}
    return [
        Actions("go from square {place} to square {to}", legs, place=places, to=places),
        Actions("end the turn", {GO_ON: ""}),
    ]


def check(s, options, given):
    """Check the numbers of pieces, that no man stands on its last row, and that phase, `moving` and `heading` agree."""
    check_pieces(s)
    jumping_on = s.moving if s.phase == GO_ON and options["crown"] == "pass" else -1
    for p in (0, 1):
        for square in np.flatnonzero(s.board == MAN + p).tolist():
            still_man = square == jumping_on or not in_python(is_on_last_row)(s, square, p)
            require(still_man, f"on square {square} a man of player {p} would be a king")
    require(s.quiet >= 0, "quiet must be at least 0")
    if s.to_move >= 0:
        require(s.quiet < options["quiet_turns"], f"quiet must be below {options['quiet_turns']}")
    if s.phase == GO_ON:
        check_going_on(s, options)
        return
    for name in ("moving", "heading"):
        require(s[name] == -1, f"{name} must be -1 in phase {BEGIN}, got {s[name]}")
    require(s.board.max() <= JUMPED, f"in phase {BEGIN} board must hold 0..{JUMPED}, got {s.board.tolist()}")
    if s.to_move >= 0:
        for p in (0, 1):
            here = any(in_python(is_of)(s, square, p) for square in range(len(s.board)))
            require(here, f"player {p} has lost: no pieces are left on the board")


def check_going_on(s, options):
    """Check that the piece that goes on has just captured, and that it has a choice."""
    mover, moving, heading = int(s.to_move), int(s.moving), int(s.heading)
    own = 0 <= moving < len(s.board) and in_python(is_of)(s, moving, mover)
    require(own, f"in phase {GO_ON} moving must be the square of a piece of the player to move, got {moving}")
    jumped = s.board[s.board > JUMPED]
    enemies = bool((jumped % 2 == mover).all())
    fewest, most = (1, int(s.taken[mover])) if options["lift"] == "end" else (0, 0)
    require(
        enemies and fewest <= len(jumped) <= most,
        f"in phase {GO_ON} board must hold {fewest} to {most} jumped pieces of player {1 - mover}, got {len(jumped)}",
    )
    captured = s.taken[mover] > 0 and s.quiet == 0
    require(captured, f"in phase {GO_ON} the player to move must have captured: taken above 0, quiet 0")
    king = in_python(is_king)(s, moving)
    if king:
        at_the_end = heading in DIAGONALS and in_python(neighbour)(s, moving, heading) < 0
        require(at_the_end, f"heading must be a direction in which the board ends at moving, got {heading}")
    else:
        require(heading == -1, f"heading must be -1 when a man goes on, got {heading}")
    came = any(in_python(has_jumped)(s, (way + 4) % 8) for way in ((heading,) if king else DIAGONALS))
    require(came, f"the piece on square {moving} cannot have reached it by a capture")
    first = in_python(view_point)(s, mover, moving) * len(s.board)
    legs = range(first, first + len(s.board))
    choices = sum(bool(in_python(legal)(s, action)) for action in (*legs, len(s.board) ** 2))
    require(choices >= 2, f"in phase {GO_ON} there must be two or more choices, got {choices}")


@rule
def has_jumped(s, back):
    """Return whether the piece that goes on can have arrived by a capture, where `back` is the way it came from."""
    over = neighbour(s, s.moving, back)
    while s.lift == END and is_king(s, s.moving) and is_empty(s, over):
        over = neighbour(s, over, back)
    if over < 0 or not is_empty(s, neighbour(s, over, back)):
        return False
    return s.board[over] > JUMPED if s.lift == END else s.board[over] == EMPTY


def describe_leg(before, s, start, end):
    jumped = [str(square) for square in np.flatnonzero(before.board != s.board).tolist() if square not in (start, end)]
    captures = f" and captures on square {' and '.join(jumped)}" if jumped else ""
    return f"goes from square {start} to square {end}{captures}"


DESCRIPTIONS: Descriptions = {
    go: Summary(describe_leg),
    crown: lambda before, s, square: f"becomes a king on square {square}",
}

RULE_BOOK = RuleBook(
    name="dam",
    title="Dam",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, verbs.play, observe, worth=lead),
    family={verbs.carry_out: carry_out},
    result=Result(named_by_play, share_of_winner_or_margin, score=verbs.taken, whole=all_men),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        turn=lambda options: presentation.half_turn(squares(options)),
        descriptions=DESCRIPTIONS,
        grid=lambda options: BOARDS[SIZES.index(options["size"])].places,
        counted=lambda options: "men taken",
    ),
    positions=Positions(check),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + options["size"] * (options["size"] - 2) // 2,
)
__doc__ = RULE_BOOK.page
