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
the Ludii portal's summary above it (evidence 837). What he does not tell is as in Diviyan Keliya.

1. "The player or the tiger lays down his piece first, and as the apex of the triangle is the most advantageous, chooses
   that": any point.
2. "The other player then lays down a piece when the tiger makes a move", and so on "until all the seven pieces are
   laid"; until then leopards are not moved. Then both move.
3. Tiger and leopards step along a line to an empty neighbouring point, in any direction.
4. The tiger takes a leopard on a neighbouring point by jumping over it, if the next point in the same direction on that
   line is empty. Leopards never capture. Those taken are out.
5. "The moves go on with greater deliberation until either the tiger is checked": the tiger cannot move when it is his
   turn, and player 1 wins, also while leopards are still being laid.
6. "Or the great number of leopards being taken, all hopes of checking the former is lost; when the game ends": player 0
   wins at once when he has taken `goal` of them.

## Not settled by the source, decided here
* At the fourth leopard all hope is lost: to check the tiger takes six leopards on the apex, five on 1..6, four on 7, 8
  and 9; leopards in hand count as not taken.
* The summary's tiger "starts on the apex": with `start="apex"` there is no other first placement.
* Of its games together the source says "much on the same principle as draughts". One capture ends the turn here;
  `jumps="many"` lets the tiger go on capturing, in any direction, or stop. Taking is not compulsory;
  `capture="compulsory"`: when he can he must, and with `jumps="many"` goes on as long as he can; a single way to go on
  the engine plays itself.
* Leopards that cannot move when it is their turn have lost. Nobody passes.
* Draws: `quiet_turns` turns in a row without a placement or a capture, then `max_turns` turns; both looked at when a
  turn ends, after the victory.

The mirror that changes left and right lays the game on itself.

## Options
Ludii: as here. No campaign.

## Strength
With best play the leopards win from every first placement, whatever is agreed on `capture` and `jumps` (solved). At
random the tiger wins 78% of the games.

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
"""Of the option `start`."""

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
    ),
    positions=Positions(check),
    symmetries=lambda options: symmetries(BOARD),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + options["goal"],
)
__doc__ = RULE_BOOK.page
