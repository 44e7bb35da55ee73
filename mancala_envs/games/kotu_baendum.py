"""
# Kotu-baendum, "Tying up the Enclosures" (Sri Lanka)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 7 holes; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Decisions | `Discrete(19)`: 7 holes, two directions, and 5 between rounds |
| Observation | `(59,)` uint8, from the observing player's side |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` besides |
| Import | `from mancala_envs import kotu_baendum_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [1]                      [0]
       0  1  2  3  4  5  6      South, player_0
```
Anticlockwise is by increasing number; the stores are off the ring.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 598-599 (evidence 691).

1. "Begun and played like Puhulmutu" (p. 594): direction, the single seed in front, threes passed over, relays from
   "the hole in which the last seed was placed", the end of the round.
2. "It must be commenced from either of the two end hole in each player's row. During the rest of the game the players
   may begin each turn at any hole on their own side of the board."
3. If the last seed's hole "previously held three seeds the four now in it are 'eaten,' and the next player then
   begins".
4. "When the last seed falls into an end hole in which there were three seeds, thus making four, that hole is said to be
   'tied'": "the seeds in it cannot be captured, although others continue to be sown in it by both players". It belongs
   "to the person who puts the fourth seed" there, "whether [it] be on his own or his opponent's side".
5. "When the last seed is sown in a 'tied' hole the player stops ..., since the seeds in it cannot be taken out and
   played."

## The campaign
As Puhulmutu's, rules 7 to 10; nothing stays tied.

## Not settled by the source, decided here
* Rule 2 binds each player's first turn of round one, to the first and the last playable hole of his row, judged for
  each direction by itself; where neither can be lifted he lifts any.
* End holes are those of the board, even where holes beside them are blind. A tied hole is never passed over.
* Tying ends the turn and is no capture. Tied seeds count for their owner at the end of the round.
* Who set out by twos or ones ties at three or two seeds as he captures.
* Bounds, equal counts and short set-outs: as in Puhulmutu. The portal has no summary of this game.

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
| 58 | 1 while rule 2 binds the player to end holes |

## Options
`columns` (7, at least 4), `seeds` (4; a campaign needs 4), `reading` (`"parker"`),
`max_turns` (400), `max_laps` (256), `quiet_turns` (100), `reward` (`"win"`, `"margin"`); with `campaign=True` also
`equal` (`"continue"`, `"draw"`), `max_rounds` (30), `round_reward` (0.0, any number).

## Random play
A round of 2000, a campaign of 500 (`scripts/survey.py`): mean [5 %, 95 %].

| | turns | laps a turn | rounds | ends | seats |
|---|---|---|---|---|---|
| round | 36 [22, 57] | 1.7 | | 99.6 % by rule 1, 0.4 % `quiet_turns` | 47 : 48, 5 % drawn |
| campaign | 791 [476, 954] | 1.7 | 29 [18, 30] | 9 % a player without seeds, 91 % `max_rounds` | 50 : 45, 5 % drawn |

## Speed
A seed costs 1.7 times as much as in Qelat, a decision 1.1 times (`make bench`): a random decision drops 5.6 seeds
against Qelat's 8.7.

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.observation import Column
from mancala_envs.core.options import Option
from mancala_envs.core.row_law import (
    BLIND,
    COMMON_OPTIONS,
    KEPT,
    LIFT,
    PHASES,
    PLAIN,
    TIED,
    begin_with,
    captured,
    count,
    direction_of,
    front_hole,
    full_for_mover,
    hole_of,
    may_lift,
    num_actions,
    seeds,
    sow_past,
    total,
)
from mancala_envs.core.row_words import (
    HOLES,
    begin_with_packed,
    end_turn_packed,
    is_open,
    legal_word_plain,
    relay_past,
)
from mancala_envs.core.row_words import legal as usually_legal
from mancala_envs.core.row_words import legal_word as usual_word
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
from mancala_envs.core.sow import lift

OPTIONS = (*COMMON_OPTIONS, Option("reading", "parker", choices=("parker",)))


# The turn.


@inlined_rule
def legal(s, action):
    return usually_legal(s, action) and not (is_opening(s) and spares_ends(s, action))


@inlined_rule
def legal_word(s, word):
    """`legal` of 64 actions at once."""
    return opening_word(s, np.int64(word)) if is_opening(s) else usual_word(s, word)


@rule
def opening_word(s, word):
    """`legal_word` where `is_opening`."""
    bits = legal_word_plain(s, word)
    first = 64 * word
    for action in range(first, min(len(s.holes), first + 64)):
        bit = np.uint64(1) << np.uint64(action - first)
        if bits & bit and spares_ends(s, action):
            bits ^= bit
    return bits


@rule
def is_opening(s):
    """Each player's first turn of the first round."""
    return s.round_number == 1 and s.turn < 2


@rule
def spares_ends(s, action):
    """Whether this lift is from the middle of the row though an end hole could be lifted in its direction."""
    direction = direction_of(s, action)
    front = front_hole(s, s.to_move, direction)
    back = front_hole(s, s.to_move, -direction)
    hole = hole_of(s, action)
    if hole in (front, back):
        return False
    return may_lift(s, front, direction) or may_lift(s, back, direction)


@inlined_rule
def play(s, action):
    """`play_plain`, of nearly all lifts by words."""
    if s.phase != LIFT or not is_open(s):
        play_plain(s, action)
        return
    full = full_for_mover(s)
    hole, back = begin_with_packed(s, action)
    low, high, last, held, laps = relay_past(s, s.word[0], s.word[1], hole, back, full, 0)
    eaten = 0
    if (held == full) & (laps < s.max_laps):
        if is_end_hole(s, last):
            tie(s, last)
        else:
            eaten = full + 1
            low &= ~HOLES[last, 0]
            high &= ~HOLES[last, 1]
    end_turn_packed(s, low, high, laps, eaten)


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
    full = full_for_mover(s)
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        held = s.holes[last] - 1
        if s.kind[last] != PLAIN or held == 0:
            return
        if held == full:
            tie_or_eat(s, last)
            return
        hole = last
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


@rule
def tie_or_eat(s, hole):
    """An end hole is tied by who fills it; the seeds of another are his at once."""
    if is_end_hole(s, hole):
        tie(s, hole)
    else:
        s.store[s.to_move] += lift(s, hole)


@rule
def tie(s, hole):
    s.kind[hole] = TIED
    s.owner[hole] = s.to_move


@rule
def is_end_hole(s, hole):
    """Of either row of the board."""
    column = hole % (len(s.holes) // 2)
    return column == 0 or column == len(s.holes) // 2 - 1


# What players see, and what a position must be.


@inlined_rule
def observe(s, p, out):
    at = row_law.observe(s, p, out)
    out[at] = is_opening(s)


def observation(options):
    return [
        *row_law.observation(options),
        Column("opening", 1, "1 while each player's first turn of round one is played, which is bound to end holes"),
    ]


def check(s, options, given):
    set_out.check("kotu_baendum", s, options, given, kinds=(PLAIN, BLIND, KEPT, TIED))


RULE_BOOK = RuleBook(
    name="kotu_baendum",
    title="Kotu-baendum",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    between_rounds=(set_out.next_round, set_out.may_arrange, arrange),
    agree=lambda options, campaign: set_out.agree("kotu_baendum", options, campaign),
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
    observe=observe,
    observation=observation,
    board=row_law.board,
    check=check,
    phases=PHASES,
    action_names=row_law.action_names,
    share=share,
    owned=owned,
    worth=worth,
)
