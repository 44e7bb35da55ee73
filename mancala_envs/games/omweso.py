"""
# Omweso, or Mweso (Uganda)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | 4 x 8 holes |
| Seeds | 32 a player: 4 in each outer hole; option `start` |
| Rewards | +1 / -1 / 0 at the end |
| Import | `from mancala_envs import omweso_v0` |

```
       7  6  5  4  3  2  1  0      North, player_1: outer row
       8  9 10 11 12 13 14 15      inner row
      15 14 13 12 11 10  9  8      South, player_0: inner row
       0  1  2  3  4  5  6  7      outer row
```
Each player owns two rows, a ring of 16 holes over which only that player sows. The numbers are *relative holes*, as the
owner of the hole sees them: 0..7 the outer row from left to right, 8..15 the inner row from right to left. Relative
hole k of player p is hole 16p + k of the record. Anticlockwise is k + 1, clockwise k - 1. The *left four* are the holes
0, 1, 14 and 15. The *pair* of an inner hole is the enemy's inner and outer hole in its column. Wernham's letters are
i..p for the outer row 0..7 and a..h for the inner row 15..8.

## Rules
Sources: B. Wernham, "Omweso: The Royal Mancala Game of Uganda", International Omweso Society, Board Games in Academia V
(extracts); Wikipedia, "Omweso"; R. Shackell, 1934, pp. 14-19, and H. Murray, *A History of Board Games other than
Chess*, 1951, p. 217 (Mweiso of Kagera), both as reported by E. Piette in Ludii ("Mweso", "Mweiso").

1. At the start there are four seeds in every outer hole, the standard layout. Player 0 begins; turns alternate, and
   nobody passes.
2. Lift one of your holes that holds two seeds or more, and sow from the next hole, one seed in each hole,
   anticlockwise. No hole is skipped.
3. Last seed of a lap in an empty hole: the turn ends.
4. Last seed in an occupied hole of your inner row, and both holes of its pair are occupied: you capture all seeds of
   the pair. Your own seeds stay. You sow the captured seeds at once as a new lap, from the hole from which the
   capturing lap began. If this lap captures, too, the newly captured seeds are sown from the same hole again.
5. Last seed in any other occupied hole: lift it, and sow it as a new lap (a *relay*).
6. *Reverse capture.* A lap from one of the left four may run clockwise if that very lap captures. You may choose this
   at the beginning of a turn, when a relay lifts one of the left four, and when seeds that a clockwise lap captured are
   sown again. You never have to capture. Where a clockwise lap would not capture, there is nothing to choose.
7. *Emitwe-ebiri*, two ends: you win at once if you capture in both end columns, at your holes 15 and 8, in one turn.
8. A player to move without a hole of two or more has lost.

## Not settled by the source, decided here
* Other starts: two seeds in every hole (`start="twos"`), or the traditional opening (`start="arrange"`). Before the
  first turn, player 0 puts all 32 seeds, one by one, into own holes of their choice while the other side is empty; then
  player 1 does the same. Ludii lets the players alternate; Wikipedia does not.
* Reverse captures follow Wikipedia, after the International Omweso Society (`reverse="full"`). With `"any"` seeds
  captured by an anticlockwise lap that began from one of the left four may also run clockwise, as Murray reports for
  Mweiso. With `"start"` only the first lap of a turn may be reversed (Shackell in Ludii), with `"none"` no lap.
* Rule 7 is in Wikipedia and Murray. Shackell, as reported in Ludii, has no such win (`two_ends=False`). The seeds that
  win by rule 7 are put into the winner's store; otherwise `store` is always 0.
* Captured seeds are sown from the hole from which the capturing lap began: Wernham's worked example and Shackell agree.
  A summary of Wikipedia on the web says "the pit where the seed landed".
* Sowing that never ends is stopped after `max_laps` laps of a turn; the last of these laps captures nothing.
  Tournaments annul a game if a move takes three minutes.
* At `max_turns` the player with more seeds in their own holes wins; equal numbers are a draw. Rule 8 comes first.
* Not offered: other special wins such as *akakyala*, for which no exact wording was found.

## Options
With `reward="margin"` a win by rule 7 or 8 pays the winner +1 and the loser -1, and a game that ends at `max_turns`
pays the difference in seeds, divided by 64. No campaign.

## Random play
A game takes 35 turns on average (21 with `start="twos"`). The first player wins 50% of the games (75.5% with `"twos"`).

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.actions import Actions
from mancala_envs.core.binding import in_python
from mancala_envs.core.book import Positions, Presentation, RuleBook, Rules, by_scores
from mancala_envs.core.explanation import Descriptions, Summary
from mancala_envs.core.observation import FAR, Columns, observe_phase, phase_columns
from mancala_envs.core.options import MOST_LAPS, Option, require
from mancala_envs.core.outcome import REWARD
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.board import SOUTH_AND_NORTH
from mancala_envs.families.mancala.four_rows import presentation
from mancala_envs.families.mancala.four_rows.rings import (
    ANTICLOCKWISE,
    CLOCKWISE,
    NOWHERE,
    OUTRIGHT,
    WHERE,
    can_begin,
    capture_pair,
    faces_pair,
    facing,
    own_hole,
    pass_on,
    relative,
    score_by,
    sow_hand,
    win,
)
from mancala_envs.families.mancala.position import check_hand, check_seeds, fields, most_decisions
from mancala_envs.families.mancala.rows import other_side, row_seeds
from mancala_envs.families.mancala.sow import drop, lift

__all__ = ["RULE_BOOK"]

COLUMNS, RING, SEEDS = 8, 16, 64
LEFT_END, RIGHT_END = 15, 8
BOTH_ENDS = 3

LIFT, RELAY, SOW, ARRANGE = range(4)
PHASES = {
    LIFT: "lift a hole",
    RELAY: "choose the direction of a relay",
    SOW: "choose the direction of captured seeds",
    ARRANGE: "put a seed into a hole",
}
PHASE_NUMBERS = np.array(list(PHASES))

ASKED = (RELAY, SOW)
"""Phases in which the mover chooses the direction of a lap."""

FOURS, TWOS, ARRANGED = range(3)
FULL, ANY, START, NONE = range(4)

OPTIONS = (
    Option("start", "fours", choices=("fours", "twos", "arrange")),
    Option("reverse", "full", choices=("full", "any", "start", "none")),
    Option("two_ends", True, choices=(False, True)),
    Option("max_turns", 400),
    Option("max_laps", 256, highest=MOST_LAPS),
    REWARD,
)


def record(options):
    own = [
        Field("stock", "u1", "seeds still to be arranged, by player; above 0 in phase 3 only", (2,)),
        Field("hand", "u1", "captured seeds in hand, in phase 2; otherwise 0"),
        Field("at", "i1", "the hole to lift in phase 1, or from which the hand is sown in phase 2; otherwise -1"),
        Field("ends", "u1", "end columns captured so far this turn: 1 at hole 15, 2 at hole 8, 3 both"),
        Field("laps", "i4", "laps sown in this turn; above 0 in phases 1 and 2 only"),
        OUTRIGHT,
    ]
    return fields(2 * RING, 2, own, WHERE, "0, except for the seeds that a winner by two ends captured last")


@rule
def num_actions(s):
    return len(s.holes)


@rule
def begin(s):
    s.holes[:] = 0
    s.store[:] = 0
    s.stock[:] = 0
    s.outright = 0
    rest(s)
    if s.start == FOURS:
        s.holes[:COLUMNS] = 4
        s.holes[RING : RING + COLUMNS] = 4
    elif s.start == TWOS:
        s.holes[:] = 2
    else:
        s.stock[:] = SEEDS // 2
        s.phase = ARRANGE


@rule
def rest(s):
    """Empty the hand between turns."""
    s.phase = LIFT
    s.hand = 0
    s.at = NOWHERE
    s.ends = 0
    s.laps = 0


@rule
def legal(s, action):
    hole = own_hole(s, action % RING)
    if s.phase == ARRANGE:
        return action < RING
    if s.phase != LIFT:
        return hole == s.at
    if s.holes[hole] < 2:
        return False
    return action < RING or (
        s.reverse != NONE and is_left_four(s, hole) and captures_clockwise(s, hole, s.holes[hole], 0)
    )


@rule
def play(s, action):
    hole = own_hole(s, action % RING)
    if s.phase == ARRANGE:
        put(s, hole)
        return
    hand = np.int64(s.hand) if s.phase == SOW else lift(s, hole)
    s.phase = LIFT
    s.hand = 0
    s.at = NOWHERE
    sow_on(s, hole, hand, ANTICLOCKWISE if action < RING else CLOCKWISE)


# The opening.


@rule
def put(s, hole):
    """Put a seed of the stock into a hole; after the last one the next player arranges, or player 0 begins."""
    s.stock[s.to_move] -= 1
    drop(s, hole)
    if s.stock[s.to_move] > 0:
        return
    if s.stock[1] > 0:
        s.to_move = 1
        return
    s.phase = LIFT
    s.to_move = 0
    if not can_begin(s, 0):
        win(s, 1)


# The turn.


@rule
def sow_on(s, hole, hand, direction):
    """Sow `hand` from `hole`, lap after lap, to the end of the turn or until a direction can be chosen."""
    while True:
        last = sow_hand(s, hole, hand, direction)
        s.laps += 1
        if s.laps >= s.max_laps or s.holes[last] == 1:
            break
        if faces_pair(s, last):
            hand = capture(s, last)
            if s.two_ends and s.ends == BOTH_ENDS:
                win_by_two_ends(s, hand)
                return
            if may_reverse_captured(s, hole, direction) and captures_clockwise(s, hole, hand, s.holes[hole]):
                ask(s, SOW, hole, hand)
                return
        else:
            hole = last
            if may_reverse_relay(s, hole) and captures_clockwise(s, hole, s.holes[hole], 0):
                ask(s, RELAY, hole, 0)
                return
            hand = lift(s, hole)
        direction = ANTICLOCKWISE
    rest(s)
    pass_on(s)


@rule
def capture(s, hole):
    """Capture the pair of the inner hole `hole`, and record whether it lies in an end column."""
    k = relative(s, hole)
    if k == LEFT_END:
        s.ends |= 1
    elif k == RIGHT_END:
        s.ends |= 2
    return capture_pair(s, facing(s, hole))


@rule
def win_by_two_ends(s, hand):
    s.store[s.to_move] += hand
    s.turn += 1
    mover = s.to_move
    rest(s)
    win(s, mover)


@rule
def ask(s, phase, hole, hand):
    """Let the mover choose the direction of the next lap: of `hand` captured seeds, or of the seeds in `hole`."""
    s.phase = phase
    s.at = hole
    s.hand = hand


@rule
def is_left_four(s, hole):
    k = relative(s, hole)
    return k < 2 or k >= RING - 2


@rule
def may_reverse_relay(s, hole):
    return s.reverse <= ANY and is_left_four(s, hole)


@rule
def may_reverse_captured(s, hole, direction):
    """Return whether seeds captured by a lap from `hole` in `direction` may be sown clockwise."""
    if s.reverse == ANY:
        return is_left_four(s, hole)
    return s.reverse == FULL and direction == CLOCKWISE


@rule
def captures_clockwise(s, hole, hand, kept):
    """Return whether a clockwise lap of `hand` seeds from `hole`, where `kept` seeds stay, ends in a capture."""
    hand, k = np.int64(hand), relative(s, hole)
    last = hole - k + (k - hand) % RING
    before = np.int64(kept if last == hole else s.holes[last])
    # A lap of more than one round of the ring has already dropped seeds into its last hole.
    return before + (hand - 1) // RING > 0 and faces_pair(s, last)


@rule
def worth(s, p):
    """Return the seeds in the holes of player p, and those in hand."""
    return row_seeds(s, p) + (s.hand if s.to_move == p else 0)


@rule
def score(s, p):
    return score_by(s, p, row_seeds(s, p), SEEDS)


@rule
def all_seeds(s):
    return SEEDS


# Observations, actions, checks of positions and drawings.


@rule(inline=True)
def observe(s, p, out):
    presentation.observe_rings(s, p, out)
    presentation.observe_at(s, out)
    out.own_stock = s.stock[p]
    out.other_stock = s.stock[1 - p]
    out.hand = s.hand
    out.end[0] = s.ends & 1
    out.end[1] = s.ends >> 1
    observe_phase(s, PHASE_NUMBERS, out)
    out.laps_left = min(s.max_laps - s.laps, FAR)


def observation(options):
    return [
        *presentation.ring_columns(RING, SEEDS),
        presentation.at_columns(RING, "1 at the hole where the player to move chooses a direction"),
        Columns("own_stock", SEEDS // 2, "seeds that the observing player has still to arrange"),
        Columns("other_stock", SEEDS // 2, "seeds that the other player has still to arrange"),
        Columns("hand", SEEDS, "captured seeds in hand"),
        Columns(
            "end", 1, "1 when the player to move has captured at hole {each} this turn", each=(LEFT_END, RIGHT_END)
        ),
        phase_columns(PHASES),
        Columns("laps_left", FAR, f"laps left in this turn, {FAR} where more"),
    ]


def actions(options):
    phases = {
        LIFT: "lift it to begin the turn; clockwise only from 0, 1, 14 and 15",
        RELAY: "lift it for the relay",
        SOW: "sow the captured seeds from the next hole",
    }
    arranging = {**phases, ARRANGE: "put a seed into it"}
    return [
        Actions("own hole {place}, anticlockwise", arranging, place=range(RING)),
        Actions("own hole {place}, clockwise", phases, place=range(RING)),
    ]


def check(s, options, given):
    presentation.check_end(s)
    over = s.to_move < 0
    require(over or not s.store.any(), "store must be 0, 0 in a game that is not over")
    require(not s.store.any() or (s.outright and s.store[1 - s.winner] == 0), "store holds only what a winner captured")
    presentation.check_at(s, options, ASKED)
    check_hand(s, SOW)
    check_stock(s)
    check_seeds(s, SEEDS, beside=int(s.hand) + int(s.stock.sum()))
    most = (2 if options["two_ends"] else BOTH_ENDS) if s.phase in ASKED else 0
    require(s.ends <= most, f"ends must lie in 0..{most} in phase {s.phase}, got {s.ends}")
    if s.phase in ASKED:
        check_choice(s, int(s.at))


def check_stock(s):
    """Check the stocks: seeds are arranged in phase 3 only, first by player 0, while the other side is empty."""
    if s.phase != ARRANGE:
        require(s.to_move < 0 or not s.stock.any(), f"stock must be 0, 0 in phase {s.phase}")
        return
    require(s.start == ARRANGED, 'phase 3 needs start="arrange"')
    require(s.turn == 0, "turn must be 0 in phase 3")
    require(s.stock[s.to_move] > 0, "stock must hold seeds of the player to move in phase 3")
    if s.to_move == 0:
        require(not s.holes[RING:].any(), "the holes of player 1 must be empty while player 0 arranges")
    else:
        require(s.stock[0] == 0, "stock must hold no seeds of player 0 while player 1 arranges")


def check_choice(s, hole):
    """Check a choice of direction: the clockwise lap from `hole` must be allowed and must capture."""
    relays = s.phase == RELAY
    require(not relays or s.holes[hole] > 1, "in phase 1 the hole at `at` must hold two seeds or more")
    allowed = s.reverse <= ANY and in_python(is_left_four)(s, hole)
    hand, kept = (s.holes[hole], 0) if relays else (s.hand, s.holes[hole])
    captures = allowed and in_python(captures_clockwise)(s, hole, hand, kept)
    require(captures, f"in phase {s.phase} a clockwise lap from `at` must be allowed, and capture")


def board(s):
    """Draw the board; a hole from which the player to move chooses a direction has that player's colour."""
    arrows = [arrow for p in (0, 1) for arrow in presentation.around(COLUMNS, p, False)]
    beside = presentation.trays(COLUMNS, s.stock, "to arrange") if s.start == ARRANGED else ()
    what = {RELAY: "a relay lifts", SOW: f"{s.hand} captured seeds go on from"}
    chosen = (
        f"{what[int(s.phase)]} hole {s.at % RING}, in either direction" if s.at >= 0 else "sowing runs anticlockwise"
    )
    return presentation.four_rows(s, [int(s.at)], beside, [chosen], arrows)


def describe_end(before, s, hand):
    return f"wins by captures at both ends, with {hand} seeds in hand"


DESCRIPTIONS: Descriptions = {
    **presentation.RINGS,
    put: Summary(lambda before, s, hole: f"puts a seed into own hole {hole % RING}"),
    win_by_two_ends: describe_end,
}

RULE_BOOK = RuleBook(
    name="omweso",
    title="Omweso",
    text=__doc__,
    options=OPTIONS,
    record=record,
    rules=Rules(num_actions, begin, legal, play, observe, worth=worth),
    result=by_scores(score, all_seeds),
    presentation=Presentation(
        board=board,
        observation=observation,
        actions=actions,
        phases=PHASES,
        turn=lambda options: other_side(RING),
        descriptions=DESCRIPTIONS,
        sides=SOUTH_AND_NORTH,
        counted=lambda options: "seeds on own side",
        tally=row_seeds,
    ),
    positions=Positions(check),
    most_decisions=lambda options: most_decisions(options, SEEDS),
)
__doc__ = RULE_BOOK.page
