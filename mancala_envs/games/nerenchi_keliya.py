"""
# Nerenchi Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | three squares, 24 points; option `corners` |
| Pieces | 22, laid in turn; option `placing` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import nerenchi_keliya_v0` |

```
 0 ----------- 1 ----------- 2
 |             |             |
 |    3 ------ 4 ------ 5    |
 |    |        |        |    |
 |    |    6 - 7 - 8    |    |
 9 - 10 - 11       12 - 13 - 14
 |    |   15 -16 -17    |    |
 |    |        |        |    |
 |   18 ----- 19 ----- 20    |
 |             |             |
21 ---------- 22 ---------- 23
```
`corners=True` adds the lines 0 3 6, 2 5 8, 21 18 15 and 23 20 17.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 577 and 580, with the Ludii portal's summary of it (evidence 1478). The
summary describes nine men's morris (nine pieces each, down to two). Parker, who is older, describes another game, which
is followed here; the options offer the summary's readings.

1. The players "alternately lay down" a piece on any empty point. If it makes a *row*, three of the player's own pieces
   on a line, the player lays one additional piece at once, in the same turn, which may make a row again. Two rows with
   one piece give one additional piece. Nothing is removed while pieces are laid.
2. "When only two places remain unfilled the next player moves": after 22 pieces, no matter who laid them, no more are
   laid. A row made with the last one gives nothing. With `placing="nine"` each player has nine. A player with none left
   gets no additional piece, and passes until the other player has laid all; then the player who did not lay the last
   piece moves first.
3. In turn, the players move a piece along a line to an empty neighbouring point. The same row may be opened and closed
   again.
4. A player who makes a row, or two, by a move removes any one opposing piece, even one that is part of a row, "and has
   an additional move", in the same turn, which may make a row again. A move that makes no row ends the turn.
5. "The play ends when one player has lost all his pieces": at once; the other player wins.

## Not settled by the source, decided here
* According to both texts a piece could go anywhere, "into one of the vacant points". Here it moves along the lines,
  as in all such games; `moves="any"` allows any empty point.
* `protect=True`, usual elsewhere: a piece in a row may be removed only if all of that player's pieces are in rows.
* `end="two"`, from the summary: a player reduced to two pieces has lost; checked only after a removal.
* A player who cannot move passes; then the other player always can.
* The game is a draw after `quiet_turns` moves in a row that made no row, or after `max_turns` turns. Both are checked
  when a turn ends.
* Neither text mentions slanting lines, so `corners` is False by default.

Inside a turn, a removal or an additional move with a single choice is played by the engine.

## Actions
With `moves="any"` a move is 24 + 24 * from + to, below 600.

## Observation
With `placing="fill"` the pieces still to lay are those of both players together.

## Options
With `reward="margin"` a player receives the number of pieces they removed minus the other player's, divided by 22, or
by 18 with `placing="nine"`. Ludii plays `placing="nine", end="two"`. No campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.book import Positions, Presentation, Result, RuleBook, Rules
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock, observe_phase, phase_columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD, named_by_play, share_of_winner_or_margin
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points import presentation, verbs
from mancala_envs.families.points.explanation import MILLS
from mancala_envs.families.points.mills import BOARDS, NEIGHBOURS, PLACES, POINTS, ROWS
from mancala_envs.families.points.verbs import lead

__all__ = ["RULE_BOOK"]

LAY, MOVE, REMOVE = 0, 1, 2
PHASES = {LAY: "lay a piece", MOVE: "move a piece", REMOVE: "remove a piece"}
PHASE_NUMBERS = np.array(list(PHASES))

ALL_PIECES = 22
"""Number of pieces of both players together with `placing="fill"`; two points stay empty."""
NINE_PIECES = 9
"""Number of pieces of each player with `placing="nine"`."""

FILL, NINE = 0, 1
ANY = TWO = 1
"""Values of the options `placing`, `moves` and `end`."""

OPTIONS = (
    Option("placing", "fill", choices=("fill", "nine")),
    Option("moves", "line", choices=("line", "any")),
    Option("protect", False, choices=(False, True)),
    Option("end", "all", choices=("all", "two")),
    Option("corners", False, choices=(False, True)),
    Option("quiet_turns", 100),
    Option("max_turns", 1000),
    REWARD,
)


def record(options):
    return [
        presentation.board_field(POINTS, "piece"),
        Field("hand", "u1", "pieces that each player still has to lay", (2,)),
        Field("taken", "u1", "pieces that each player has removed", (2,)),
        *HEAD,
        Field("quiet", "i4", "moves in a row that formed no row, below `quiet_turns`"),
    ]


@rule
def num_actions(s):
    return POINTS + POINTS * (POINTS if s.moves == ANY else verbs.WAYS)


@rule
def begin(s):
    s.board[:] = 0
    s.hand[:] = NINE_PIECES if s.placing == NINE else ALL_PIECES
    s.taken[:] = 0
    s.quiet = 0


@rule
def legal(s, action):
    if (s.phase == MOVE) != (action >= POINTS):
        return False
    if s.phase == LAY:
        return verbs.is_empty(s, action)
    if s.phase == REMOVE:
        return may_remove(s, action)
    return s.board[origin(s, action)] == 1 + s.to_move and verbs.is_empty(s, goal(s, action))


@rule
def origin(s, action):
    """Return the point from which a move starts."""
    return (action - POINTS) // POINTS if s.moves == ANY else verbs.start_of(s, action)


@rule
def goal(s, action):
    """Return the point at which a move ends, below 0 if there is none."""
    if s.moves == ANY:
        return action % POINTS
    return NEIGHBOURS[s.corners, verbs.start_of(s, action), verbs.direction_of(s, action)]


@rule
def may_remove(s, point):
    other = 2 - s.to_move
    if s.board[point] != other:
        return False
    rows = ROWS[s.corners]
    return not s.protect or not verbs.makes_row(s, rows, point, other) or verbs.all_in_rows(s, rows, other)


@rule
def carry_out(s, action):
    """Carry out an action; return whether the turn continues."""
    if s.phase == LAY:
        goes_on = lay_piece(s, action)
    elif s.phase == MOVE:
        goes_on = move_piece(s, origin(s, action), goal(s, action))
    else:
        goes_on = remove_piece(s, action)
    if not goes_on:
        end_turn(s)
    return goes_on


@rule
def lay_piece(s, point):
    """Lay a piece; return whether it makes a row and so gives an additional piece, if one is left."""
    verbs.lay(s, point, 1 + s.to_move)
    s.hand[s.to_move] -= 1
    if s.placing == FILL:
        s.hand[1 - s.to_move] = s.hand[s.to_move]
    return verbs.makes_row(s, ROWS[s.corners], point, 1 + s.to_move) and s.hand[s.to_move] > 0


@rule
def move_piece(s, start, end):
    """Move a piece; return whether it makes a row and so removes a piece."""
    verbs.move_man(s, start, end)
    if not verbs.makes_row(s, ROWS[s.corners], end, 1 + s.to_move):
        s.quiet += 1
        return False
    s.phase = REMOVE
    return True


@rule
def remove_piece(s, point):
    """Remove a piece; return whether an additional move follows, that is, whether the game is not won."""
    verbs.remove(s, point)
    s.taken[s.to_move] += 1
    s.quiet = 0
    s.phase = MOVE
    if verbs.count(s, 2 - s.to_move) <= (2 if s.end == TWO else 0):
        s.winner = s.to_move
        return False
    return True


@rule
def end_turn(s):
    s.turn += 1
    if s.winner >= 0 or s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES
        return
    other = 1 - s.to_move
    if s.hand[0] == 0 and s.hand[1] == 0:
        s.phase = MOVE
    if can_act(s, other):
        s.to_move = other


@rule
def can_act(s, p):
    """Return whether player p has a piece to lay, or one that can move."""
    if s.phase == LAY:
        return s.hand[p] > 0
    if s.moves == ANY:
        # Some point is always empty.
        return verbs.count(s, 1 + p) > 0
    return verbs.can_step(s, NEIGHBOURS[s.corners], 1 + p)


@rule
def all_pieces(s):
    return 2 * NINE_PIECES if s.placing == NINE else ALL_PIECES


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.own_hand = s.hand[p]
    out.other_hand = s.hand[1 - p]
    out.own_taken = s.taken[p]
    out.other_taken = s.taken[1 - p]
    out.quiet_left = min(s.quiet_turns - s.quiet, FAR)


def observation(options):
    most = NINE_PIECES if options["placing"] == "nine" else ALL_PIECES
    return [
        *presentation.men_columns(POINTS, "piece"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("own_hand", most, "pieces the observing player still has to lay"),
        Columns("other_hand", most, "pieces the other player still has to lay"),
        Columns("own_taken", most, "pieces the observing player has removed"),
        Columns("other_taken", most, "pieces the other player has removed"),
        Columns("quiet_left", FAR, f"quiet moves left before quiet_turns, at most {FAR}"),
    ]


def actions(options):
    points = range(POINTS)
    lays = presentation.on_points(POINTS, "lay on or remove from", {LAY: "lay a piece", REMOVE: "remove the piece"})
    if options["moves"] == "line":
        return [lays, presentation.moves(POINTS, {MOVE: ""})]
    return [lays, Actions("move from point {place} to point {to}", {MOVE: ""}, place=points, to=points)]


def check(s, options, given):
    """Check the number of pieces, that phase and hands agree, and that no one has lost."""
    presentation.check_men(s)
    on_board = [int((s.board == 1 + p).sum()) for p in (0, 1)]
    hand, removed = [[int(number) for number in field] for field in (s.hand, s.taken)]
    if options["placing"] == "fill":
        require(hand[0] == hand[1], f"hand must be twice the same number, got {hand}")
        pieces = sum(on_board) + hand[0] + sum(removed)
        require(pieces <= ALL_PIECES, f"there are {ALL_PIECES} pieces, got {pieces}")
    else:
        for p in (0, 1):
            pieces = on_board[p] + hand[p] + removed[1 - p]
            require(pieces <= NINE_PIECES, f"player {p} has {NINE_PIECES} pieces, got {pieces}")
    require(s.quiet >= 0, "quiet must be at least 0")
    if s.to_move < 0:
        return
    require(s.quiet < options["quiet_turns"], f"quiet must be below {options['quiet_turns']}")
    if s.phase == LAY:
        require(hand[s.to_move] > 0, "in phase 0 the player to move must have a piece to lay")
        require(s.quiet == 0 and sum(removed) == 0, "in phase 0 quiet and taken must be 0")
        return
    require(sum(hand) == 0, f"in phase {s.phase} hand must be 0, got {hand}")
    fewest = 2 if options["end"] == "two" else 0
    for p in (0, 1):
        lost = removed[1 - p] > 0 and on_board[p] <= fewest
        require(on_board[p] > 0 and not lost, f"player {p} has lost: {on_board[p]} pieces on the board")
    if s.phase == REMOVE:
        require(may_have_made_row(s, options), "in phase 2 the player to move must have made a row by a move")


def may_have_made_row(s, options):
    """Return whether a piece in a row of the player to move can have come from an empty point in the last move."""
    board = BOARDS[options["corners"]]
    rows = [row for row in board.lines if all(s.board[point] == 1 + s.to_move for point in row)]
    if options["moves"] == "any":
        return bool(rows)
    ends = {end for row in rows for point in row for end in board.neighbours[point].tolist() if end >= 0}
    return any(s.board[end] == 0 for end in ends)


def board(s):
    hands = [("to lay", -1, s.hand[0])] if s.placing == FILL else [(f"P{p} to lay", p, s.hand[p]) for p in (0, 1)]
    beside = [*hands, *((f"P{p} took", p, s.taken[p]) for p in (0, 1))]
    return presentation.draw_points(
        s, BOARDS[s.corners], beside=[(what, owner, int(number)) for what, owner, number in beside]
    )


RULE_BOOK = RuleBook(
    name="nerenchi_keliya",
    title="Nerenchi Keliya",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, verbs.play, observe, worth=lead),
    family={verbs.carry_out: carry_out},
    result=Result(named_by_play, share_of_winner_or_margin, score=verbs.taken, whole=all_pieces),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        descriptions=MILLS,
        grid=lambda options: PLACES,
        counted=lambda options: "pieces taken",
    ),
    positions=Positions(check),
    symmetries=lambda options: presentation.symmetries(BOARDS[options["corners"]]),
    # A row made by a move adds two decisions to its turn, an additional piece adds one.
    most_decisions=lambda options: options["max_turns"] + 3 * ALL_PIECES,
)
__doc__ = RULE_BOOK.page
