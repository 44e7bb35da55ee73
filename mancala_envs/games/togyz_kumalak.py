"""
# Togyz Kumalak (Kazakhstan), Toguz Korgool (Kyrgyzstan)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 9 holes; option `columns` |
| Seeds | 9 a hole; option `seeds` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import togyz_kumalak_v0` |

```
      17 16 15 14 13 12 11 10  9      North, player_1
  [1]                            [0]
       0  1  2  3  4  5  6  7  8      South, player_0
```
Sowing runs anticlockwise, by increasing number; the stores (*kazan*) are off the ring. Rule 4 numbers the holes of each
row from the left, as the row's player sees them.

## Rules
The game is played in tournaments. Sources: PlayStrategy, rules page "Togyzqumalaq" (after the codification of 1949 by
M. Auezov and K. Kuanyshbayev), and its library strategygames (Togyzkumalak).

1. Lift one of your own holes that holds seeds. A single seed goes to the next hole. Of several seeds, the first falls
   back into the hole just emptied, and the others go one by one into the following holes, anticlockwise; no hole is
   skipped.
2. A seed of either player that falls into a *tuzdyk* goes to the store of the player whose tuzdyk it is.
3. Last seed in an opponent's hole, making it even: all of it goes to your store.
4. Last seed in an opponent's hole, making it three: if you have no tuzdyk yet, the hole becomes your tuzdyk for the
   rest of the round and the three go to your store. The opponent's last hole cannot become a tuzdyk, nor can the hole
   with the same number as the opponent's tuzdyk: the seeds then stay.
5. A last seed anywhere else, or in a tuzdyk, captures nothing. The turn is over after one lap.
6. The round ends after a turn when a player has more than half of all seeds in the store, or when the player to move
   has no seeds in their row (*atsyz kalu*, "left without a horse"). A player who empties their own row has not lost:
   the opponent moves next, and may have to feed them.
7. Each player counts the seeds in their store and in their own row, and no seeds are moved. More seeds win; equal
   counts are a draw. `max_turns` ends the round in the same way.

## Not settled by the source, decided here
* The player does not choose whether a hole becomes a tuzdyk: no source has such a choice.
* When a player has the majority, the seeds on the board are counted by rows; this matters only for `reward="margin"`.
* Endless play is possible and no source forbids it; `max_turns` bounds it.

## Options
* `end="last"`: a majority does not end the round; play goes on until a player cannot move (Ludii, *Toguz Kumalak*,
  after Pantusov, 1906, pp. 149-152).
* `last_hole="open"`: the opponent's last hole can become a tuzdyk (Ludii).
* `twin="opposite"`: the barred hole is not the one with the same number but the one opposite the opponent's tuzdyk
  (StoneShark's MancalaGames, *Toguz Xorgol*, after Russ, *Mancala Games*, 1984, p. 25). `twin="free"`: neither is
  barred.
* `least=4`: two seeds are not captured (*Toguz Xorgol*).
* At most 255 seeds. No campaign.

## Versions
* v0: first version.
"""

from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH, two_rows
from mancala_envs.families.mancala.explanation import in_rows, sowing
from mancala_envs.families.mancala.kumalak import (
    END,
    begin_with_seeds,
    end_turn,
    is_in_other_row,
    row_bonus,
    sow_leaving_one,
)
from mancala_envs.families.mancala.position import check_capacity, check_seeds, fields, in_store, most_decisions
from mancala_envs.families.mancala.rows import (
    all_seeds,
    holds_seeds,
    lifts,
    num_actions,
    observe_rows,
    other_side,
    own_hole,
    row_columns,
    seeds,
    seeds_of_side,
)
from mancala_envs.families.mancala.sow import capture, lift

__all__ = ["RULE_BOOK"]

NUMBER, OPPOSITE = 0, 1
BARRED = 0
FOUR = 1
OPTIONS = (
    Option("columns", 9, lowest=2, size=True),
    Option("seeds", 9),
    END,
    Option("twin", "number", choices=("number", "opposite", "free")),
    Option("last_hole", "barred", choices=("barred", "open")),
    Option("least", 2, choices=(2, 4)),
    Option("max_turns", 400),
    REWARD,
)

NONE = -1
"""Value of `tuzdyk` for a player who has none."""


def record(options):
    own = [Field("tuzdyk", "i2", "the hole that each player made their tuzdyk, in the other row; -1 none", (2,))]
    return fields(2 * options["columns"], players=2, more=own)


@rule
def begin(s):
    begin_with_seeds(s)
    s.tuzdyk[:] = NONE


@rule
def play(s, action):
    last = sow_leaving_one(s, own_hole(s, action))
    empty_tuzdyk(s, 0)
    empty_tuzdyk(s, 1)
    if is_in_other_row(s, last) and last != s.tuzdyk[s.to_move]:
        if is_captured(s, s.holes[last]):
            capture(s, last)
        elif s.holes[last] == 3 and may_be_tuzdyk(s, last):
            make_tuzdyk(s, last)
    end_turn(s)


@rule
def empty_tuzdyk(s, p):
    """Put the seeds that fell into player p's tuzdyk into the store of player p."""
    if s.tuzdyk[p] != NONE:
        s.store[p] += lift(s, s.tuzdyk[p])


@rule
def is_captured(s, count):
    """Return whether a hole that the last seed brought to `count` seeds is captured."""
    return count % 2 == 0 and not (count == 2 and s.least == FOUR)


@rule
def may_be_tuzdyk(s, hole):
    """Return whether a hole of the opponent may become the tuzdyk of the player to move."""
    width = len(s.holes) // 2
    theirs = s.tuzdyk[1 - s.to_move]
    if s.tuzdyk[s.to_move] != NONE or (s.last_hole == BARRED and hole % width == width - 1):
        return False
    if theirs == NONE:
        return True
    has_their_number = s.twin == NUMBER and hole % width == theirs % width
    faces_theirs = s.twin == OPPOSITE and hole == 2 * width - 1 - theirs
    return not (has_their_number or faces_theirs)


@rule
def make_tuzdyk(s, hole):
    """Make `hole` the tuzdyk of the player to move, who takes its seeds."""
    s.tuzdyk[s.to_move] = hole
    s.store[s.to_move] += lift(s, hole)


@rule
def positional_bonus(s, p):
    """Return the positional bonus of player p: for their row, and for a tuzdyk 3/16 of all seeds, about 30 of 162."""
    tuzdyk = 3 * all_seeds(s) // 2 if s.tuzdyk[p] != NONE else 0
    return row_bonus(s, p) + tuzdyk


@rule(inline=True)
def observe(s, p, out):
    width = len(out.own_tuzdyk)
    observe_rows(s, p, s.max_turns, out)
    for step in range(width):
        out.own_tuzdyk[step] = out.other_tuzdyk[step] = 0
    # Without a tuzdyk, the place is negative and a 0 is written.
    out.own_tuzdyk[max(s.tuzdyk[p] - width * (1 - p), 0)] = s.tuzdyk[p] != NONE
    out.other_tuzdyk[max(s.tuzdyk[1 - p] - width * p, 0)] = s.tuzdyk[1 - p] != NONE


def columns(options):
    width = options["columns"]
    return [
        *row_columns(width, seeds(options)),
        Columns("own_tuzdyk", 1, "1 at the own tuzdyk, in the other row", place=range(width, 2 * width)),
        Columns("other_tuzdyk", 1, "1 at the other player's tuzdyk, in the own row", place=range(width)),
    ]


def check(s, options, given):
    width = len(s.holes) // 2
    for p, hole in enumerate(s.tuzdyk.tolist()):
        require(hole in (NONE, *other_row(width, p)), f"the tuzdyk of player_{p} must be -1 or in the other row")
        require(hole == NONE or s.holes[hole] == 0, f"the tuzdyk of player_{p} must hold no seeds")
        last = s.last_hole == BARRED and hole % width == width - 1
        require(hole == NONE or not last, f"the tuzdyk of player_{p} must not be the last hole of its row")
    one, other = s.tuzdyk.tolist()
    if NONE not in (one, other):
        require(s.twin != NUMBER or one % width != other % width, "the two tuzdyks must not have the same number")
        require(s.twin != OPPOSITE or one != 2 * width - 1 - other, "the two tuzdyks must not lie opposite each other")
    check_seeds(s, seeds(options))


def other_row(width, p):
    """Return the holes of the opponent of player p."""
    return range(width * (1 - p), width * (2 - p))


def board(s):
    """A hole filled with a player's colour is the tuzdyk of that player."""
    marks = [NONE] * len(s.holes)
    for p, hole in enumerate(s.tuzdyk.tolist()):
        if hole != NONE:
            marks[hole] = p
    return two_rows(s, marks=marks)


def describe_tuzdyk(before, s, p):
    gained = int(s.store[p]) - int(before.store[p])
    return f"player_{p}'s tuzdyk takes {gained}" if gained else ""


DESCRIPTIONS: Descriptions = {
    **sowing(in_rows, capture),
    empty_tuzdyk: Summary(describe_tuzdyk),
    make_tuzdyk: Summary(lambda before, s, hole: f"makes {in_rows(before, hole)} a tuzdyk and takes the 3 in it"),
}

RULE_BOOK = RuleBook(
    name="togyz_kumalak",
    title="Togyz Kumalak",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, holds_seeds, play, observe, worth=in_store, positional_bonus=positional_bonus),
    result=by_scores(seeds_of_side, all_seeds, secured_score=in_store),
    presentation=Presentation(
        board=board,
        observation=columns,
        actions=lambda options: lifts(options["columns"]),
        phases={0: "lift a hole"},
        turn=lambda options: other_side(options["columns"]),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds in store and row",
    ),
    positions=Positions(check),
    check_options=lambda options, campaign: check_capacity(seeds(options)),
    most_decisions=most_decisions,
)
__doc__ = RULE_BOOK.page
