r"""
# Hat Diviyan Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2: player 0 has the tiger, player 1 the leopards |
| Board | a triangle of 10 points |
| Pieces | 1 tiger, 7 leopards |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import hat_diviyan_keliya_v0` |

```
          0
       /  |  \
      1 - 2 - 3
    /     |     \
   4 ---- 5 ---- 6
 /        |        \
7 ------- 8 ------- 9
```

## Rules
Source: L. Ludovisi, *The sports and games of the Singhalese*, 1873, pp. 33-34 ("Hatdiviyan or 'Seven Leopards'"), with
the Ludii portal's summary of it (evidence 837). Where the source is silent, the rules are those of Diviyan Keliya.

1. "The player or the tiger lays down his piece first, and as the apex of the triangle is the most advantageous, chooses
   that": the tiger may be placed on any point.
2. "The other player then lays down a piece when the tiger makes a move", and so on "until all the seven pieces are
   laid"; until then no leopard moves. Then both players move.
3. The tiger and the leopards step along a line to an empty neighbouring point, in any direction.
4. The tiger captures a leopard on a neighbouring point by jumping over it to the next point in the same direction on
   that line, which must be empty. Leopards never capture. Captured leopards are out of the game.
5. "The moves go on with greater deliberation until either the tiger is checked": when it is the tiger's turn and it
   cannot move, player 1 wins, even before all leopards are placed.
6. "Or the great number of leopards being taken, all hopes of checking the former is lost; when the game ends": player 0
   wins at once with `goal` captures.

## Not settled by the source, decided here
* All hope is lost with the fourth capture: to check the tiger takes six leopards if it is on the apex, five on 1..6,
  and four on 7, 8 and 9. Leopards still to be placed count as not captured.
* The summary's tiger "starts on the apex": `start="apex"` allows no other first placement.
* Of its games together the source says "much on the same principle as draughts". Here one capture ends the turn; with
  `jumps="many"` the tiger may go on capturing, in any direction, or stop. Capturing is not compulsory. With
  `capture="compulsory"` the tiger must capture when it can, and with `jumps="many"` must go on as long as it can. If
  there is a single way to go on, the engine plays it.
* Player 1 loses when it is their turn and no leopard can move. Nobody passes.
* The game is a draw after `quiet_turns` turns in a row without a placement or a capture, or after `max_turns` turns.
  Both are checked when a turn ends, after the conditions for a win.

The reflection that exchanges left and right is the only symmetry of the game.

## Options
Ludii plays the default options. No campaign.

## Strength
With best play the leopards win after every first placement, with all values of `capture` and `jumps` (solved). In
random play the tiger wins 78% of the games.

## Versions
* v0: first version.
"""

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import WIN_ONLY
from mancala_envs.core.rule import rule
from mancala_envs.families.points import hunts, verbs
from mancala_envs.families.points.board import PointBoard, lines_of, points_of
from mancala_envs.families.points.explanation import STEPS_AND_JUMPS
from mancala_envs.families.points.presentation import symmetries

__all__ = ["RULE_BOOK"]

PLACES = points_of("""
   *
  ***
 * * *
*  *  *
""")
BOARD = PointBoard(PLACES, lines_of("0 1 4 7, 0 2 5 8, 0 3 6 9, 1 2 3, 4 5 6, 7 8 9"))
POINTS = len(PLACES)
NEIGHBOURS = BOARD.neighbours
APEX = 0

TIGERS, LEOPARDS = 1, 7

ANYWHERE = 0
"""Value of the option `start`."""

OPTIONS = (
    Option("start", "any", choices=("any", "apex")),
    Option("goal", 4, highest=LEOPARDS),
    hunts.JUMPS,
    hunts.CAPTURE,
    Option("quiet_turns", 60),
    Option("max_turns", 400),
    WIN_ONLY,
)


@rule
def begin(s):
    hunts.set_out(s, TIGERS, LEOPARDS)


@rule
def legal(s, action):
    if s.hand[0] > 0 and s.start != ANYWHERE:
        return action == APEX
    return hunts.legal(s, NEIGHBOURS, action)


@rule
def carry_out(s, action):
    return hunts.carry_out(s, NEIGHBOURS, action)


@rule
def advantage(s, p):
    return hunts.advantage(s, NEIGHBOURS, p)


def check(s, options, given):
    hunts.check(s, options, BOARD, TIGERS, LEOPARDS)
    if options["start"] == "apex" and s.hand[0] == 0 and s.hand[1] == LEOPARDS:
        require(s.board[APEX] == hunts.HUNTER, f"player 0 must have begun on point {APEX}")


RULE_BOOK = RuleBook(
    name="hat_diviyan_keliya",
    title="Hat Diviyan Keliya",
    text=__doc__,
    options=OPTIONS,
    record=lambda options: hunts.record(POINTS),
    rules=Rules(hunts.num_actions, begin, legal, verbs.play, hunts.observe, worth=advantage),
    family={verbs.carry_out: carry_out},
    presentation=Presentation(
        board=lambda s: hunts.board(s, BOARD, "Tl"),
        observation=lambda options: hunts.observation(POINTS, TIGERS, LEOPARDS),
        actions=lambda options: hunts.actions(POINTS),
        phases=hunts.PHASES,
        descriptions=STEPS_AND_JUMPS,
        sides=("the tiger", "the leopards"),
        counted=lambda options: "leopards taken",
        tally=hunts.taken_by,
    ),
    positions=Positions(check),
    symmetries=lambda options: symmetries(BOARD),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + options["goal"],
)
__doc__ = RULE_BOOK.page
