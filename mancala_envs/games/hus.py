"""
# Hus, or //Hus (Nama and Damara; Namibia)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 4 x 8 holes; option `columns` |
| Seeds | 2 in each of 24 holes |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import hus_v0` |

```
       7  6  5  4  3  2  1  0      North, player_1: outer row
       8  9 10 11 12 13 14 15      inner row
      15 14 13 12 11 10  9  8      South, player_0: inner row
       0  1  2  3  4  5  6  7      outer row
```
Each player owns two rows of W holes, a ring over which only that player sows. The numbers are *relative holes*, as the
owner of the hole sees them: 0..W-1 the outer row from left to right, W..2W-1 the inner row from right to left. Relative
hole k of player p is hole 2W * p + k of the record. Sowing runs anticlockwise, by increasing number.

## Rules
Sources: L. Schultze, *Aus Namaland und Kalahari*, 1907, pp. 313-315, for the Nama, and H. Vedder, *Die Bergdama*, 1923,
pp. 95-96, for the Damara, both as reported by E. Piette in Ludii ("Hus (Nama)", "Hus (Damara)") and on ludii.games;
Wikipedia, "Hus"; boardgamesoftheworld.com, "//Hus".

1. At the start there are two seeds in every outer hole and in every hole of the right half of the inner row, as its
   owner sees it. Player 0 begins; turns alternate, and nobody passes.
2. Lift one of your holes that holds two seeds or more, and sow anticlockwise over your own ring, one seed in each hole.
   No hole is skipped, not even the lifted one.
3. Last seed of a lap in an empty hole: the turn ends.
4. Last seed in an occupied hole of your inner row, and the enemy's inner hole of that column is occupied: you capture
   all seeds of that hole and of the outer hole behind it. Your own seeds stay. You sow the captured seeds at once, from
   the hole after the one where the last seed fell.
5. Last seed in any other occupied hole: lift it, and sow on.
6. A player to move without a hole of two or more has lost.

Captured seeds stay on the board, so `store` is always 0.

## Not settled by the source, decided here
* The outer hole behind a captured inner hole may be empty (`capture="inner"`: Schultze in Ludii's present text;
  boardgamesoftheworld.com). With `capture="both"` rule 4 holds only if both holes are occupied, otherwise rule 5
  (Vedder in Ludii; Wikipedia).
* Sowing that never ends is stopped after `max_laps` laps of a turn; the last of these laps captures nothing. Such turns
  exist: agsteiner.neocities.org, "Hus", shows one.
* At `max_turns` the player with more seeds in their own holes wins; equal numbers are a draw. Rule 6 comes first.
* Not offered: the four opening moves of the Nama, which are made for boards of 16 columns and more; a second, free
  capture in the outer row (ideiasparabrincar.com); clockwise sowing (German sources, according to neocities); the
  capture of the capturing hole's own seeds, as Ludii plays it although its text does not mention it.

## Options
`columns` must be even. With `reward="margin"` a win by rule 6 pays the winner +1 and the loser -1, and a game that ends
at `max_turns` pays the difference in seeds, divided by all seeds. No campaign.

## Random play
With 8 columns a game takes 29 turns on average (49 with `capture="both"`), and the first player wins 47% of the games
(48%). A game takes 70 turns with 12 columns and 135 with 16, where one game in thirty reaches `max_turns`.

## Versions
* v0: first version.
"""

from mancala_envs.core.actions import Actions
from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH
from mancala_envs.families.mancala.four_rows import presentation
from mancala_envs.families.mancala.four_rows.rings import (
    ANTICLOCKWISE,
    OUTRIGHT,
    STORE,
    WHERE,
    capture_pair,
    faces_pair,
    facing,
    is_inner,
    own_hole,
    pass_on,
    score_by,
    sow_hand,
)
from mancala_envs.families.mancala.position import check_seeds, fields, most_decisions
from mancala_envs.families.mancala.rows import num_actions, other_side, row_seeds
from mancala_envs.families.mancala.sow import lift

__all__ = ["RULE_BOOK"]

SEEDS = 2
"""Seeds in a hole at the start."""
BOTH = 1
MOST_COLUMNS = 42
"""With more there would be over 255 seeds."""

OPTIONS = (
    Option("columns", 8, lowest=2, highest=MOST_COLUMNS, size=True),
    Option("capture", "inner", choices=("inner", "both")),
    Option("max_turns", 400),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)


@rule
def begin(s):
    """Put two seeds into the first three quarters of each ring: the outer row and the right half of the inner row."""
    ring = len(s.holes) // 2
    s.holes[:] = 0
    s.holes[: ring * 3 // 4] = SEEDS
    s.holes[ring : ring + ring * 3 // 4] = SEEDS
    s.store[:] = 0
    s.outright = 0


@rule
def legal(s, action):
    return s.holes[own_hole(s, action)] > 1


@rule
def play(s, action):
    hole = own_hole(s, action)
    hand = lift(s, hole)
    laps = 0
    while hand > 0:
        hole = sow_hand(s, hole, hand, ANTICLOCKWISE)
        laps += 1
        hand = take_up(s, hole) if laps < s.max_laps else 0
    pass_on(s)


@rule
def take_up(s, hole):
    """Return how many captured or lifted seeds to sow after a last seed in `hole`; 0 if the turn ends."""
    if s.holes[hole] == 1:
        return 0
    if captures_at(s, hole):
        return capture_pair(s, facing(s, hole))
    return lift(s, hole)


@rule
def captures_at(s, hole):
    """Return whether a last seed in the occupied hole `hole` captures."""
    if s.capture == BOTH:
        return faces_pair(s, hole)
    return is_inner(s, hole) and s.holes[facing(s, hole)] > 0


@rule
def score(s, p):
    return score_by(s, p, row_seeds(s, p), all_seeds(s))


@rule
def all_seeds(s):
    return len(s.holes) * 3 // 4 * SEEDS


def seeds(options):
    return 3 * options["columns"] * SEEDS


def check(s, options, given):
    require(not s.store.any(), "store must be 0, 0: captured seeds stay on the board")
    presentation.check_end(s)
    check_seeds(s, seeds(options))


def board(s):
    columns = len(s.holes) // 4
    return presentation.four_rows(s, arrows=[arrow for p in (0, 1) for arrow in presentation.around(columns, p, False)])


RULE_BOOK = RuleBook(
    name="hus",
    title="Hus",
    text=__doc__,
    options=OPTIONS,
    record=lambda options: fields(4 * options["columns"], 2, [OUTRIGHT], WHERE, STORE),
    rules=Rules(num_actions, begin, legal, play, presentation.observe_rings, worth=row_seeds),
    result=by_scores(score, all_seeds),
    presentation=Presentation(
        board=board,
        observation=lambda options: presentation.ring_columns(2 * options["columns"], seeds(options)),
        actions=lambda options: [
            Actions("lift own hole {place}", {0: "and sow anticlockwise"}, place=range(2 * options["columns"]))
        ],
        phases={0: "lift a hole"},
        turn=lambda options: other_side(2 * options["columns"]),
        descriptions=presentation.RINGS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds on own side",
        tally=row_seeds,
    ),
    positions=Positions(check),
    check_options=lambda options, campaign: require(options["columns"] % 2 == 0, "columns must be even"),
    most_decisions=most_decisions,
)
__doc__ = RULE_BOOK.page
