"""
# Daramutu, or Ellaewala-kanda (Sri Lanka)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 7 holes; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Decisions | `Discrete(19)`: 7 holes, two directions, and 5 between rounds |
| Observation | `(58,)` uint8, from the observing player's side |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` besides |
| Import | `from mancala_envs import daramutu_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [1]                      [0]
       0  1  2  3  4  5  6      South, player_0
```
Anticlockwise is by increasing number; the stores are off the ring.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, p. 599, and the portal's summary of it (evidence 692).

1. "Play begins at any hole of the player's row."
2. "When the last seed of the set which is being sown falls in an empty hole the seeds in the opposite hole on the other
   side of the board are 'eaten.' The player then stops, and the opponent begins."
3. "If the last seed fall in a hole containing a *puta* or *naga* it is treated as an empty one, and those in the
   opposite hole are eaten."
4. "In other respects the game resembles Puhulmutu" (p. 594): direction, the single seed in front, threes passed over,
   fours captured, relays, the end of the round.

## The campaign
As Puhulmutu's, rules 7 to 10.

## Not settled by the source, decided here
* "On the other side of the board" is across, from either row; the last seed itself stays. Kept holes are not eaten.
* Fours are captured as in Puhulmutu; other descriptions have neither them nor holes passed over (`fours=False`, for a
  player who set out by twos or ones too, who still eats across).
* The summary repeats Puhulmutu's rules and eats nothing across (`reading="summary"`); not with `fours=False`.
* Bounds, equal counts and short set-outs: as in Puhulmutu.

## Actions
| number | phase | meaning |
|---|---|---|
| 0..6 | 0 | lift own hole, left to right, and sow anticlockwise |
| 7..13 | 0 | lift own hole (less 7) and sow clockwise |
| 14, 15, 16 | 1 | set out by fours, by twos, by ones |
| 17, 18 | 2 | leave the blind holes at the anticlockwise, at the clockwise end of the row |

## Observation
| columns | meaning |
|---|---|
| 0..6 | seeds in the own row, left to right |
| 7..13 | seeds in the other row, left to right as its player sees it |
| 14, 15 | own store, the other's store |
| 16, 17 | 1 when the observing player decides now; 1 when the game is over |
| 18 | turns left before `max_turns`, 255 where more |
| 19..32 | 0 plain, 1 blind, 2 kept, 3 tied, in the order of columns 0..13 |
| 33..46 | 1 where the seeds will be the observing player's, in the same order |
| 47, 48 | 1 when the round goes anticlockwise; 1 when clockwise; neither while it is not chosen |
| 49, 50 | 1 or 2 for who set out by ones or twos: the observing player, the other |
| 51..53 | one column a phase: lift, how to set out, towards which end |
| 54 | quiet turns left before `quiet_turns`, 255 where more |
| 55, 56 | number of the round, 255 where higher; rounds left before `max_rounds` (0 without a campaign) |
| 57 | 1 when the observing player opened this round |

## Options
`columns` (7, at least 4), `seeds` (4; a campaign needs 4), `reading` (`"parker"`, `"summary"`), `fours` (True),
`max_turns` (400), `max_laps` (256), `quiet_turns` (100), `reward` (`"win"`, `"margin"`); with `campaign=True` also
`equal` (`"continue"`, `"draw"`), `max_rounds` (30), `round_reward` (0.0, any number).

## Random play
A round of 2000, a campaign of 500 (`scripts/survey.py`): mean [5 %, 95 %].

| | turns | laps a turn | rounds | ends | seats |
|---|---|---|---|---|---|
| round | 22 [13, 32] | 2.3 | | all by rule 4 | 51 : 44, 5 % drawn |
| campaign | 503 [283, 581] | 2.1 | 29 [17, 30] | 9 % a player without seeds, 91 % `max_rounds` | 50 : 47, 3 % drawn |

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.options import Option
from mancala_envs.core.row_law import (
    COMMON_OPTIONS,
    LIFT,
    PHASES,
    PLAIN,
    READING,
    SUMMARY,
    begin_with,
    captured,
    count,
    full_for_mover,
    holds_free,
    next_hole,
    num_actions,
    opposite,
    require,
    seeds,
    sow_past,
    total,
)
from mancala_envs.core.row_words import (
    HOLES,
    begin_with_packed,
    end_turn_packed,
    is_open,
    legal,
    legal_word,
    relay_eating,
)
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.set_out import (
    CAMPAIGN_OPTIONS,
    NO_CUTTING,
    arrange,
    begin,
    end_turn,
    owned,
    share,
    worth,
)
from mancala_envs.core.sow import byte_of, lift
from mancala_envs.core.state import MOST_SEEDS

OPTIONS = (*COMMON_OPTIONS, READING, Option("fours", True, choices=(False, True)))

NEVER = MOST_SEEDS
"""No hole that a seed may fall into holds so many."""


# The turn.


@inlined_rule
def play(s, action):
    """`play_plain`, of nearly all lifts by words."""
    if s.phase != LIFT or not is_open(s):
        play_plain(s, action)
        return
    full = full_for_mover(s) if s.fours else NEVER
    hole, back = begin_with_packed(s, action)
    low, high, last, held, laps, eaten = relay_eating(s, s.word[0], s.word[1], hole, back, full)
    across = opposite(s, last) & 15
    crosses = (held == 0) & (laps < s.max_laps) & (s.reading != SUMMARY) & (s.kind[across] == PLAIN)
    low_taken, high_taken = HOLES[across, 0] * np.uint64(crosses), HOLES[across, 1] * np.uint64(crosses)
    eaten += byte_of(low & low_taken, high & high_taken, across)
    end_turn_packed(s, low & ~low_taken, high & ~high_taken, laps, eaten)


@rule
def play_plain(s, action):
    if s.phase != LIFT:
        arrange(s, action)
        return
    before = s.store[s.to_move]
    sow_on(s, begin_with(s, action))
    end_turn(s, s.store[s.to_move] > before)


@rule
def sow_on(s, hole):
    """Lift `hole` and sow, lap after lap."""
    full = full_for_mover(s) if s.fours else NEVER
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        held = s.holes[last] - 1
        if s.kind[last] != PLAIN or held == 0:
            eat_opposite(s, last)
            return
        if held == full:
            s.store[s.to_move] += lift(s, last)
            last = next_hole(s, last)
            if not holds_free(s, last):
                return
        hole = last
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


@rule
def eat_opposite(s, hole):
    """The last seed fell into an empty or a kept hole: what lies across is eaten, by Parker."""
    across = opposite(s, hole)
    if s.reading != SUMMARY and holds_free(s, across):
        s.store[s.to_move] += lift(s, across)


def agree(options, campaign):
    set_out.agree("daramutu", options, campaign)
    nothing = not options["fours"] and options["reading"] == "summary"
    require("daramutu", not nothing, 'with fours=False and reading="summary" nothing could be captured')


RULE_BOOK = RuleBook(
    name="daramutu",
    title="Daramutu",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    between_rounds=(set_out.next_round, set_out.may_arrange, arrange),
    agree=agree,
    record=row_law.record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=legal_word,
    play=play,
    captured=captured,
    count=count,
    total=total,
    observe=row_law.observe,
    observation=row_law.observation,
    board=row_law.board,
    check=lambda s, options, given: set_out.check("daramutu", s, options, given),
    phases=PHASES,
    action_names=row_law.action_names,
    share=share,
    owned=owned,
    worth=worth,
)
