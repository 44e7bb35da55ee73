r"""
# Diviyan Keliya (Sri Lanka)

| | |
|---|---|
| Players | 2: player 0 has the leopards, player 1 the cattle |
| Board | 49 points: a square with a triangle, a room, at each face |
| Pieces | 2 leopards, 24 cattle |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import diviyan_keliya_v0` |

```
             0 --------- 1 --------- 2
                \        |        /
                   3 --- 4 --- 5
                      \  |  /
 6           7 --- 8 --- 9 --- 10 -- 11          12
 |  \        |  \  |  /  |  \  |  /  |        /  |
 |     13    14 -- 15 -- 16 -- 17 -- 18    19    |
 |     |  \  |  /  |  \  |  /  |  \  |  /  |     |
 20 -- 21 -- 22 -- 23 -- 24 -- 25 -- 26 -- 27 -- 28
 |     |  /  |  \  |  /  |  \  |  /  |  \  |     |
 |     29    30 -- 31 -- 32 -- 33 -- 34    35    |
 |  /        |  /  |  \  |  /  |  \  |        \  |
 36          37 -- 38 -- 39 -- 40 -- 41          42
                      /  |  \
                   43 -- 44 -- 45
                /        |        \
             46 -------- 47 -------- 48
```
Only what a stroke joins is joined: 13 and 14, say, are not, nor 6 and 7.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 581-583 (Diviyan Keliya, "the Leopards' Game", or Kotiyo saha Harak, "the
Leopards and Cattle"), with the Ludii portal's summary above it (evidence 780).

1. Player 0 begins "by placing one of them at the centre of the board, but any other place may be selected for it".
   Then player 1 places one of the cattle on any empty point ("where it will be safe" is advice), player 0 "the second
   Leopard at any other place which he prefers", player 1 another of the cattle.
2. From the fifth turn on player 0 moves a leopard, and player 1 places one of the cattle "after each move of a Leopard
   until all are in play, up to which time they cannot be moved". Then both move.
3. Leopards and cattle step "along the lines, both at right angles and along the diagonals, going one step each time",
   to an empty neighbouring point, in any direction.
4. A leopard "eats" cattle "one at a time, by jumping over them into a vacant place": one on a neighbouring point, and
   the next point in the same direction on that line is empty. Not over a leopard, not over two. Leopards eat from the
   first move they make. Cattle never capture.
5. The leopards are "imprisoned" when neither can move and it is their turn: player 1 wins, also before all cattle are
   down. One imprisoned leopard is not enough.
6. The cattle "are almost certain to lose the game if the Leopards can capture eight": player 0 wins at once when he has
   captured `goal` of them.

## Not settled by the source, decided here
* Eight as the end of the game is a judgement, no rule. But the game is played "in the same manner as the last games",
  which end when "all hopes of checking [...] is lost". `goal=24` is the summary's "capturing all the cows"; with
  `goal=21` the game ends when three cattle are left, who can never imprison two leopards; four can.
* One capture ends the turn. With `jumps="many"` the same leopard may go on capturing, in any direction, or stop.
* Eating is not compulsory: Parker says of the sister game, the War Game, that it may be refused. With
  `capture="compulsory"` player 0 must capture when he can, with either leopard, and with `jumps="many"` goes on as long
  as he can; a single way to go on the engine plays itself.
* Cattle that cannot move when it is their turn have lost. Nobody passes.
* Draws: `quiet_turns` turns in a row without a placement or a capture, then `max_turns` turns; both looked at when a
  turn ends, after the victory.

Every turn and every reflection of the square lays the game on itself.

## Observation
Nobody has a side of this board: both players see the points as they are numbered.

## Options
Ludii: `goal=24`; it has both ways to jump. No campaign.

## Strength
"With careful play the Cattle will always win" (Parker). At random the leopards win 97% of the games.

## Versions
* v0: first version.
"""

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules
from mancala_envs.core.options import Option
from mancala_envs.core.outcome import WIN_ONLY
from mancala_envs.core.rule import rule
from mancala_envs.families.points import hunts, verbs
from mancala_envs.families.points.explanation import STEPS_AND_JUMPS
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS, POINTS
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
    text=__doc__,
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
    ),
    positions=Positions(check),
    symmetries=lambda options: symmetries(BOARD),
    # Every decision ends a turn or captures.
    most_decisions=lambda options: options["max_turns"] + options["goal"],
)
__doc__ = RULE_BOOK.page
