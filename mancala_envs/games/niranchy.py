r"""
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
 |  \          |          /  |
 |    3 ------ 4 ------ 5    |
 |    |  \     |     /  |    |
 |    |    6 - 7 - 8    |    |
 9 - 10 - 11       12 - 13 - 14
 |    |   15 -16 -17    |    |
 |    |  /     |     \  |    |
 |   18 ----- 19 ----- 20    |
 |  /          |          \  |
21 ---------- 22 ---------- 23
```

## Rules
Source: L. Ludovisi, "The sports and games of the Singhalese", 1873, p. 34, with the Ludii portal's summary of it
(evidence 1479).

1. The players in turn lay a man on any empty point. "The game is won when a player succeeds in laying down three pieces
   in a line": a player who makes a line, by laying or by moving, has won; "the object of the opponent is to prevent
   this by giving check". Nothing is captured.
2. If the game is not decided "by the time one of the players has laid down his twelve men, the game proceeds by moves":
   as soon as one player has none left to lay. With twelve men each this is after the 23rd man; one point is empty, and
   player 1 has one man left over.
3. A man moves along a line to an empty neighbouring point.
4. A player who is to move and cannot has lost (the summary: "blocking their opponent from being able to move").

## Not settled by the source, decided here
* Ludovisi's words fit either player. The summary has two roles: one player wins by a line, the other by blocking.
  `maker="first"`: player 0 makes lines, player 1 blocks; `maker="second"`: the other way round. A blocker's own lines
  do not win, and a blocker who cannot move passes.
* `moves_after="both"` is the summary's "when all of the pieces are placed". With twelve men each the board is then
  full, and the player to move first is blocked.
* `blocked="pass"`: a player who cannot move passes; if neither player can move, the game is a draw. Rule 4 is checked
  for the next player and then, if that player passes, for the one who just moved.
* The game is a draw after `quiet_turns` moves in a row, or after `max_turns` turns. After a decision the conditions are
  checked in this order: the line, rule 4, `quiet_turns`, `max_turns`.
* The corners are joined, as in Ludovisi's diagram according to the summary.

The game is very sharp. By an exhaustive search, the player who lays first can force a line with their fifth man at the
latest; if only one player makes lines, that player can force one with their fourth man. The game teaches what a fork
is. For a longer game use `corners=False`, where neither player can force a line within six men; if only one player
makes lines, player 0 can force one with the fifth man, player 1 with the sixth.

## Options
`reward="margin"` is the same as `"win"`, because there is nothing to count. Ludii plays `maker="second",
moves_after="both"`. No campaign.

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
from mancala_envs.families.points import presentation, verbs
from mancala_envs.families.points.explanation import MILLS
from mancala_envs.families.points.mills import BOARDS, NEIGHBOURS, PLACES, POINTS, ROWS

__all__ = ["RULE_BOOK"]

LAY, MOVE = 0, 1
PHASES = {LAY: "lay a man", MOVE: "move a man"}
PHASE_NUMBERS = np.array(list(PHASES))

BOTH = LOSE = 0
AFTER_BOTH = 1
"""Values of the options `maker`, `blocked` and `moves_after`."""

WON = 100
"""The evaluation of a won game, higher than that of any number of threats."""

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
        presentation.board_field(POINTS, "man"),
        Field("hand", "u1", "men that each player still has to lay", (2,)),
        *HEAD,
        Field("quiet", "i4", "moves in a row, below `quiet_turns`"),
    ]


@rule
def num_actions(s):
    return POINTS + POINTS * verbs.WAYS


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
        return verbs.is_empty(s, action)
    start = verbs.start_of(s, action)
    end = NEIGHBOURS[s.corners, start, verbs.direction_of(s, action)]
    return s.board[start] == 1 + s.to_move and verbs.is_empty(s, end)


@rule
def play(s, action):
    mover = s.to_move
    point = lay_man(s, action) if s.phase == LAY else step(s, action)
    s.turn += 1
    if wins_by_lines(s, mover) and verbs.makes_row(s, ROWS[s.corners], point, 1 + mover):
        win(s, mover)
        return
    if laying_is_over(s):
        s.phase = MOVE
    pass_on(s)
    if s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule
def lay_man(s, point):
    """Lay a man on a point; return the point."""
    verbs.lay(s, point, 1 + s.to_move)
    s.hand[s.to_move] -= 1
    return point


@rule
def step(s, action):
    """Move a man; return the point that it reaches."""
    start = verbs.start_of(s, action)
    end = NEIGHBOURS[s.corners, start, verbs.direction_of(s, action)]
    verbs.move_man(s, start, end)
    s.quiet += 1
    return end


@rule
def wins_by_lines(s, p):
    """Return whether a line of player p wins; otherwise player p only blocks."""
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
    """Give the move to the next player, who loses or passes if blocked; after a pass the mover is treated the same."""
    mover = s.to_move
    for seats in (1, 2):
        p = (mover + seats) % 2
        if s.phase == LAY or verbs.can_step(s, NEIGHBOURS[s.corners], 1 + p):
            s.to_move = p
            return
        if s.blocked == LOSE and wins_by_lines(s, p):
            win(s, 1 - p)
            return
    s.ended = BY_RULES


@rule
def advantage(s, p):
    """Evaluate the result of a finished game, otherwise threats; the opponent, who moves next, counts twice."""
    if s.winner >= 0:
        return WON if s.winner == p else -WON
    return threats(s, p) - 2 * threats(s, 1 - p)


@rule
def threats(s, p):
    """Count the empty points on which a man of player p would win by a line."""
    points = 0
    for point in range(POINTS):
        points += verbs.is_empty(s, point) and verbs.makes_row(s, ROWS[s.corners], point, 1 + p)
    return points if wins_by_lines(s, p) else 0


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_men(s, p, out)
    observe_clock(s, p, s.max_turns, out)
    observe_phase(s, PHASE_NUMBERS, out)
    out.own_hand = s.hand[p]
    out.other_hand = s.hand[1 - p]
    out.quiet_left = min(s.quiet_turns - s.quiet, FAR)
    out.own_lines_win = wins_by_lines(s, p)
    out.other_lines_win = wins_by_lines(s, 1 - p)


def observation(options):
    return [
        *presentation.men_columns(POINTS, "man"),
        *CLOCK,
        phase_columns(PHASES),
        Columns("own_hand", options["men"], "men the observing player still has to lay"),
        Columns("other_hand", options["men"], "men the other player still has to lay"),
        Columns("quiet_left", FAR, f"quiet moves left before quiet_turns, at most {FAR}"),
        Columns("own_lines_win", 1, "1 where a line of the observing player wins"),
        Columns("other_lines_win", 1, "1 where a line of the other player wins"),
    ]


def check(s, options, given):
    """Check that the men were laid in turn, that phase and hands agree, and that no one has won."""
    presentation.check_men(s)
    men, hand = options["men"], [int(number) for number in s.hand]
    for p in (0, 1):
        own = hand[p] + int((s.board == 1 + p).sum())
        require(own <= men, f"player {p} has {men} men, got {own}")
    require(s.quiet >= 0, "quiet must be at least 0")
    if s.to_move < 0:
        return
    require(s.quiet < options["quiet_turns"], f"quiet must be below {options['quiet_turns']}")
    over = max(hand) == 0 if options["moves_after"] == "both" else min(hand) == 0
    require((s.phase == MOVE) == over, f"phase {s.phase} does not fit hand {hand}")
    if s.phase == LAY:
        more = hand[s.to_move] - hand[1 - s.to_move]
        require(more in (0, 1), f"men are laid in turn: the player to move has as many in hand or one more, got {hand}")
        require(s.quiet == 0, "in phase 0 quiet must be 0")
    else:
        require(max(hand) <= 1, f"men are laid in turn: in phase 1 hand must be at most 1, got {hand}")
    for p in (0, 1):
        if options["maker"] in ("both", ("first", "second")[p]):
            lines = [line for line in BOARDS[options["corners"]].lines if (s.board[list(line)] == 1 + p).all()]
            require(not lines, f"player {p} has won by a line {lines[:1]}")


def board(s):
    return presentation.draw_points(s, BOARDS[s.corners], beside=[(f"P{p} to lay", p, int(s.hand[p])) for p in (0, 1)])


RULE_BOOK = RuleBook(
    name="niranchy",
    title="Niranchy",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=advantage),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=lambda options: [
            presentation.on_points(POINTS, "lay on", {LAY: ""}),
            presentation.moves(POINTS, {MOVE: ""}),
        ],
        phases=PHASES,
        descriptions=MILLS,
        grid=lambda options: PLACES,
    ),
    positions=Positions(check),
    symmetries=lambda options: presentation.symmetries(BOARDS[options["corners"]]),
    most_decisions=lambda options: options["max_turns"],
)
__doc__ = RULE_BOOK.page
