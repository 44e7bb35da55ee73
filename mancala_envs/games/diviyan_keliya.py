"""
# Diviyan Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2: player 0 has the leopards, player 1 the cattle |
| Board | 49 points: a square with a triangle, a room, at each face |
| Pieces | 2 leopards, 24 cattle |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import diviyan_keliya_v0` |

```
{board}
```
Two points are neighbours only if a stroke joins them: 13 and 14 are not, and 6 and 7 are not.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 581-583 (Diviyan Keliya, "the Leopards' Game", or Kotiyo saha Harak, "the
Leopards and Cattle"), with the Ludii portal's summary of it (evidence 780).

1. Player 0 begins "by placing one of them at the centre of the board, but any other place may be selected for it". Then
   player 1 places one of the cattle on any empty point ("where it will be safe" is advice), player 0 "the second
   Leopard at any other place which he prefers", and player 1 another of the cattle.
2. From the fifth turn on player 0 moves a leopard, and player 1 places one of the cattle "after each move of a Leopard
   until all are in play, up to which time they cannot be moved". Then both players move.
3. Leopards and cattle step "along the lines, both at right angles and along the diagonals, going one step each time",
   to an empty neighbouring point, in any direction.
4. A leopard "eats" cattle "one at a time, by jumping over them into a vacant place": it jumps over one of the cattle on
   a neighbouring point to the next point in the same direction on that line, which must be empty. It cannot jump over a
   leopard or over two cattle. Leopards can eat from their first move on. Cattle never capture.
5. The leopards are "imprisoned" when it is their turn and neither can move: player 1 wins, even before all cattle are
   placed. One imprisoned leopard is not enough.
6. The cattle "are almost certain to lose the game if the Leopards can capture eight": player 0 wins at once with `goal`
   captures.

## Not settled by the source, decided here
* That eight captures end the game is Parker's judgement and not a rule. But the game is played "in the same manner as
  the last games", which end when "all hopes of checking [...] is lost". `goal=24` is the summary's "capturing all the
  cows". `goal=21` ends the game when three cattle are left, which can never imprison two leopards; four can.
* One capture ends the turn. With `jumps="many"` the same leopard may go on capturing, in any direction, or stop.
* Eating is not compulsory: Parker says of the sister game, the War Game, that it may be refused. With
  `capture="compulsory"` player 0 must capture when either leopard can, and with `jumps="many"` must go on as long as
  that leopard can. If there is a single way to go on, the engine plays it.
* Player 1 loses when it is their turn and no cattle can move. Nobody passes.
* The game is a draw after `quiet_turns` turns in a row without a placement or a capture, or after `max_turns` turns.
  Both are checked when a turn ends, after the conditions for a win.

All rotations and reflections of the square are symmetries of the game.

## Observation
The board has no sides: both players see the points as they are numbered.

## Options
Ludii plays `goal=24`, with either value of `jumps`. No campaign.

## Strength
"With careful play the Cattle will always win" (Parker). In random play the leopards win 97% of the games.

## Versions
* v0: first version.
"""

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import WIN_ONLY
from mancala_envs.core.rule import rule
from mancala_envs.families.points import hunts, verbs
from mancala_envs.families.points.explanation import STEPS_AND_JUMPS
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS, POINTS, with_board
from mancala_envs.families.points.presentation import symmetries

__all__ = ["RULE_BOOK"]

LEOPARDS, CATTLE = 2, 24

OPTIONS = (
    Option("goal", 8, highest=CATTLE),
    hunts.JUMPS,
    hunts.CAPTURE,
    Option("quiet_turns", 100),
    Option("max_turns", 1000),
    WIN_ONLY,
)


@rule
def begin(s):
    hunts.set_out(s, LEOPARDS, CATTLE)


@rule
def legal(s, action):
    return hunts.legal(s, NEIGHBOURS, action)


@rule
def carry_out(s, action):
    return hunts.carry_out(s, NEIGHBOURS, action)


@rule
def advantage(s, p):
    return hunts.advantage(s, NEIGHBOURS, p)


def check(s, options, given):
    hunts.check(s, options, BOARD, LEOPARDS, CATTLE)


RULE_BOOK = RuleBook(
    name="diviyan_keliya",
    title="Diviyan Keliya",
    text=with_board(__doc__),
    options=OPTIONS,
    record=lambda options: hunts.record(POINTS),
    rules=Rules(hunts.num_actions, begin, legal, verbs.play, hunts.observe, worth=advantage),
    family={verbs.carry_out: carry_out},
    presentation=Presentation(
        board=lambda s: hunts.board(s, BOARD, "Lc"),
        observation=lambda options: hunts.observation(POINTS, LEOPARDS, CATTLE),
        actions=lambda options: hunts.actions(POINTS),
        phases=hunts.PHASES,
        descriptions=STEPS_AND_JUMPS,
        grid=lambda options: BOARD.places,
        sides=("the leopards", "the cattle"),
        counted=lambda options: "cattle taken",
        tally=hunts.taken_by,
    ),
    positions=Positions(check),
    symmetries=lambda options: symmetries(BOARD),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + options["goal"],
)
__doc__ = RULE_BOOK.page
