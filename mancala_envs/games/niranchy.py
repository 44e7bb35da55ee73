"""
# Niranchy (Sri Lanka)

| | |
|---|---|
| Players | 2 |
| Board | three squares with their corners joined, 24 points; option `corners` |
| Men | 12 each; option `men` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import niranchy_v0` |

```
 0 ----------- 1 ----------- 2
 |  \\          |          /  |
 |    3 ------ 4 ------ 5    |
 |    |  \\     |     /  |    |
 |    |    6 - 7 - 8    |    |
 9 - 10 - 11       12 - 13 - 14
 |    |   15 -16 -17    |    |
 |    |  /     |     \\  |    |
 |   18 ----- 19 ----- 20    |
 |  /          |          \\  |
21 ---------- 22 ---------- 23
```

## Rules
Source: L. Ludovisi, "The sports and games of the Singhalese", 1873, p. 34, with the Ludii portal's summary above it
(evidence 1479).

1. By turns each lays a man on any empty point. "The game is won when a player succeeds in laying down three pieces in a
   line": who makes a line, by laying or by moving, has won; "the object of the opponent is to prevent this by giving
   check". Nothing is ever captured.
2. If not decided "by the time one of the players has laid down his twelve men, the game proceeds by moves": as soon as
   one player has none left. With twelve each that is after the 23rd man; one point is empty, and player 1 keeps a man.
3. A man moves along a line to an empty neighbouring point.
4. Who is to move and cannot has lost (the summary: "blocking their opponent from being able to move").

## Not settled by the source, decided here
* Ludovisi's words fit either player; the summary makes it two roles, one wins by a line, the other by shutting him in.
  `maker="first"`: player 0 makes lines, player 1 blocks; `"second"`: the other way round. A mere blocker's own lines
  count for nothing, and where he cannot move he is passed over.
* `moves_after="both"`, the summary's "when all of the pieces are placed": with twelve each the board is full then, and
  the first player shut in.
* `blocked="pass"`: who cannot move is passed over; where nobody can it is a draw. Rule 4 is looked at for the next
  player, then, if he is passed over, for the one who just moved.
* Draws: `quiet_turns` moves in a row, then `max_turns` turns. After a decision are looked at, in this order: the line,
  rule 4, `quiet_turns`, `max_turns`.
* The corners are joined, as in Ludovisi's diagram after the summary.

The game is very sharp. By an exhaustive search the player who lays first can force a line with his fifth man at the
latest; as the only one to make lines, either player can with his fourth. It teaches what a fork is; for a longer game
take `corners=False`, where nobody can force a line within six men (as the only one to make them, player 0 with his
fifth, player 1 with his sixth).

## Options
`reward="margin"` is the same as `"win"`: there is nothing to count. Ludii: `maker="second", moves_after="both"`. No
campaign.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules
from mancala_envs.core.observation import CLOCK, FAR, Columns, observe_clock, observe_phase, phase_columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import BY_RULES, HEAD, Field
from mancala_envs.core.rule import rule
from mancala_envs.families.points.explanation import MILLS
from mancala_envs.families.points.mills import BOARDS, NEIGHBOURS, PLACES, POINTS, ROWS
from mancala_envs.families.points.presentation import (
    board_field,
    check_men,
    drawn,
    men_columns,
    moves,
    observe_men,
    on_points,
    symmetries,
)
from mancala_envs.families.points.verbs import (
    WAYS,
    can_step,
    direction_of,
    is_empty,
    lay,
    makes_row,
    move_man,
    start_of,
)

__all__ = ["RULE_BOOK"]

LAY, MOVE = 0, 1
PHASES = {LAY: "lay a man", MOVE: "move a man"}
PHASE_NUMBERS = np.array(list(PHASES))

BOTH = 0
AFTER_BOTH = 1
LOSE = 0

WON = 100
"""More than all threats come to."""

OPTIONS = (
    Option("corners", True, choices=(False, True)),
    Option("maker", "both", choices=("both", "first", "second")),
    Option("men", 12, lowest=3, highest=12),
    Option("moves_after", "one", choices=("one", "both")),
    Option("blocked", "lose", choices=("lose", "pass")),
    Option("quiet_turns", 50),
    Option("max_turns", 500),
    REWARD,
)


def record(options):
    return [
        board_field(POINTS, "man"),
        Field("hand", "u1", "men that each player has still to lay", (2,)),
        *HEAD,
        Field("quiet", "i4", "moves in a row, below `quiet_turns`"),
    ]


@rule
def num_actions(s):
    return POINTS + POINTS * WAYS


@rule
def begin(s):
    s.board[:] = 0
    s.hand[:] = s.men
    s.quiet = 0


@rule
def legal(s, action):
    if (s.phase == MOVE) != (action >= POINTS):
        return False
    if s.phase == LAY:
        return is_empty(s, action)
    start = start_of(s, action)
    return s.board[start] == 1 + s.to_move and is_empty(s, NEIGHBOURS[s.corners, start, direction_of(s, action)])


@rule
def play(s, action):
    mover = s.to_move
    point = lay_man(s, action) if s.phase == LAY else step(s, action)
    s.turn += 1
    if wins_by_lines(s, mover) and makes_row(s, ROWS[s.corners], point, 1 + mover):
        win(s, mover)
        return
    if laying_is_over(s):
        s.phase = MOVE
    pass_on(s)
    if s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def lay_man(s, point):
    """Returns the point."""
    lay(s, point, 1 + s.to_move)
    s.hand[s.to_move] -= 1
    return point


@rule
def step(s, action):
    """Returns where the man goes."""
    start = start_of(s, action)
    end = NEIGHBOURS[s.corners, start, direction_of(s, action)]
    move_man(s, start, end)
    s.quiet += 1
    return end


@rule
def wins_by_lines(s, p):
    """Whether a line of player p wins; he is a mere blocker otherwise."""
    return s.maker == BOTH or s.maker == 1 + p


@rule
def win(s, p):
    s.winner = p
    s.ended = BY_RULES


@rule
def laying_is_over(s):
    if s.moves_after == AFTER_BOTH:
        return s.hand[0] == 0 and s.hand[1] == 0
    return s.hand[0] == 0 or s.hand[1] == 0


@rule
def pass_on(s):
    """The next player is to move, or has lost, or is passed over; if he is, the same holds for the one who moved."""
    mover = s.to_move
    for seats in (1, 2):
        p = (mover + seats) % 2
        if s.phase == LAY or can_step(s, NEIGHBOURS[s.corners], 1 + p):
            s.to_move = p
            return
        if s.blocked == LOSE and wins_by_lines(s, p):
            win(s, 1 - p)
            return
    s.ended = BY_RULES


@rule
def positional_bonus(s, p):
    """The game, if it is won or lost; else threats, of which the other's are the next to be carried out."""
    if s.winner >= 0:
        return WON if s.winner == p else -WON
    return threats(s, p) - 2 * threats(s, 1 - p)


@rule
def threats(s, p):
    """On how many empty points a man of player p's would win by a line."""
    points = 0
    for point in range(POINTS):
        points += is_empty(s, point) and makes_row(s, ROWS[s.corners], point, 1 + p)
    return points if wins_by_lines(s, p) else 0


# What players see, and what a position must be.


@rule(inline=True)
def observe(s, p, out):
    observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.own_hand = s.hand[p]
    out.other_hand = s.hand[1 - p]
    out.quiet_left = min(s.quiet_turns - s.quiet, FAR)
    out.own_lines_win = wins_by_lines(s, p)
    out.other_lines_win = wins_by_lines(s, 1 - p)


def observation(options):
    return [
        *men_columns(POINTS, "man"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("own_hand", options["men"], "men the observing player has still to lay"),
        Columns("other_hand", options["men"], "men the other player has still to lay"),
        Columns("quiet_left", FAR, f"quiet moves before quiet_turns, {FAR} where more"),
        Columns("own_lines_win", 1, "1 where a line of the observing player wins"),
        Columns("other_lines_win", 1, "1 where a line of the other player wins"),
    ]


def check(s, options, given):
    """No more men than there are, laid by turns; phase and hands agree; nobody has won."""
    check_men(s)
    men, hand = options["men"], [int(number) for number in s.hand]
    for p in (0, 1):
        own = hand[p] + int((s.board == 1 + p).sum())
        require(own <= men, f"player {p} has {men} men, got {own}")
    require(s.quiet >= 0, "quiet must be at least 0")
    if s.to_move < 0:
        return
    require(s.quiet < options["quiet_turns"], f"quiet must be below {options['quiet_turns']}")
    over = max(hand) == 0 if options["moves_after"] == "both" else min(hand) == 0
    require((s.phase == MOVE) == over, f"phase {s.phase} does not go with hand {hand}")
    if s.phase == LAY:
        more = hand[s.to_move] - hand[1 - s.to_move]
        require(more in (0, 1), f"men are laid by turns: the player to move has as many or one more, not {hand}")
        require(s.quiet == 0, "in phase 0 quiet must be 0")
    else:
        require(max(hand) <= 1, f"men are laid by turns: in phase 1 a hand is at most 1, got {hand}")
    for p in (0, 1):
        if options["maker"] in ("both", ("first", "second")[p]):
            lines = [line for line in BOARDS[options["corners"]].lines if (s.board[list(line)] == 1 + p).all()]
            require(not lines, f"player {p} has won by a line {lines[:1]}")


def board(s):
    return drawn(s, BOARDS[s.corners], beside=[(f"P{p} to lay", p, int(s.hand[p])) for p in (0, 1)])


RULE_BOOK = RuleBook(
    name="niranchy",
    title="Niranchy",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=positional_bonus),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=lambda options: [on_points(POINTS, "lay on", {LAY: ""}), moves(POINTS, {MOVE: ""})],
        phases=PHASES,
        descriptions=MILLS,
        grid=lambda options: PLACES,
    ),
    positions=Positions(check),
    symmetries=lambda options: symmetries(BOARDS[options["corners"]]),
    most_decisions=lambda options: options["max_turns"],
)
__doc__ = RULE_BOOK.page
