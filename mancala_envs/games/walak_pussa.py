"""
# Walak-pussa, "A Hole Empty" (Sri Lanka)

| | |
|---|---|
| Players | 2 (`player_0` South, `player_1` North) |
| Board | ring of 2 x 7 holes; option `columns` |
| Seeds | 4 a hole; option `seeds` |
| Decisions | `Discrete(19)`: 7 holes, two directions, and 5 between rounds |
| Observation | `(58,)` uint8, from the observing player's side |
| Rewards | +1 / -1 / 0 at the end of the round, or of the campaign; `round_reward` besides |
| Import | `from mancala_envs import walak_pussa_v0` |

```
      13 12 11 10  9  8  7      North, player_1
  [1]                      [0]
       0  1  2  3  4  5  6      South, player_0
```
Anticlockwise is by increasing number; the stores are off the ring.

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 597-598, and the portal's summary of it (evidence 690).

1. "Begun like the last", Puhulmutu (p. 594): the first lift chooses the direction of the round, and a single seed in
   the front hole waits for all others. No hole is passed over.
2. The player "does not remove and re-sow the seeds out of that hole" where his last seed fell, "but always takes those
   in the next one for the purpose".
3. *Pussa kanawa.* "If this next hole be empty, the seeds in the following one ... are captured or 'eaten'".
4. "If the following or third hole be empty, the seeds in the one after it are also captured, and so on as long as there
   is a sequence of alternate empty and full holes": "picking out the pearls of the necklaces". "He then stops playing".
5. The round ends when a player can lift nothing on his turn; seeds left in his row are his.

## The campaign
"At the commencement of the next or succeeding rounds the same arrangements as in Puhulmutu are necessary in case there
be a *puta*, *naga*, *wala*, or 'blind' holes" (p. 598): see there, rules 7 to 10; there is "no 'Cutting Ash-pumpkins'".
"The player with the fewest seeds always begins the play after the first round, and it must go in the direction of the
empty or deficient holes."

A *puta* or a *naga* "is considered to be *pussa*, 'empty,' and the seeds in which cannot be captured"; "these are
passed over as though non-existent, and the seeds in the next hole to them are 'eaten'".

## Not settled by the source, decided here
* Rule 3 holds whatever the last seed's hole held. By the summary a last seed in an empty or a kept hole ends the turn
  at once (`reading="summary"`).
* The chain stops at two empty or two full holes in a row, and after one circuit, the last seed's own hole included.
* A kept hole counts as empty everywhere. By the summary it is stepped over as a blind one is, in relays too.
* Who set out by twos or ones passes over such holes, and captures only there, with his last seed, which ends the turn;
  he sows on from the next hole as ever.
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
`columns` (7, at least 4), `seeds` (4; a campaign needs 4), `reading` (`"parker"`, `"summary"`),
`max_turns` (400), `max_laps` (256), `quiet_turns` (100), `reward` (`"win"`, `"margin"`); with `campaign=True` also
`equal` (`"continue"`, `"draw"`), `max_rounds` (30), `round_reward` (0.0, any number).

## Random play
A round of 2000, a campaign of 500 (`scripts/survey.py`): mean [5 %, 95 %].

| | turns | laps a turn | rounds | ends | seats |
|---|---|---|---|---|---|
| round | 26 [10, 44] | 3.0 | | all by rule 5 | 57 : 38, 5 % drawn |
| campaign | 492 [213, 611] | 2.3 | 28 [14, 30] | 12 % a player without seeds, 88 % `max_rounds` | 46 : 52, 3 % drawn |

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.row_law import (
    COMMON_OPTIONS,
    KEPT,
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
    seeds,
    sow,
    sow_past,
    total,
)
from mancala_envs.core.row_words import (
    HOLES,
    REACHED,
    ROWS,
    begin_with_packed,
    end_turn_packed,
    legal,
    legal_word,
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
from mancala_envs.core.sow import LAP_SEEDS, LAPS, add, byte_of, is_packed, lap_table, lift, stack
from mancala_envs.core.words import count_bits, nonzero_flags

OPTIONS = (*COMMON_OPTIONS, READING)

_MASK = 0xFFFFFFFFFFFFFFFF
_LOW_BITS = np.uint64(0x0101010101010101)
_ONE, _S56 = np.uint64(1), np.uint64(56)

_CLOCKWISE_LAPS = [lap_table(range(2 * columns)[::-1])[::-1] for columns in range(1, len(LAPS))]
BOTH_LAPS = np.array([LAPS, stack([LAPS[0, :1], *_CLOCKWISE_LAPS])])
"""`[back, columns, hole, seeds]`: see `lap_table`."""
_GATHER = np.array([0x0102040810204080, 0x8040201008040201], np.uint64)
"""By `back`: moves the flags of a word to its top byte, as `words.gather` does, in their order or in the other."""

_EVERY_OTHER = np.uint64(0xAAAAAAAAAAAAAAAA)

PEARLS = np.zeros((*REACHED.shape[:3], 8, 2), np.uint64)
"""`[back, columns, last, n]`: the bytes of every other hole after `last`, the first n of them."""
for _n in range(1, 8):
    PEARLS[:, :, :, _n] = PEARLS[:, :, :, _n - 1] | HOLES[REACHED[:, :, :, 2 * _n]]


# The turn.


@inlined_rule
def play(s, action):
    """`play_plain`, of nearly all lifts by words."""
    if s.phase != LIFT or s.reading == SUMMARY or s.few[s.to_move & 1] > 0 or not all_plain(s):
        play_plain(s, action)
        return
    ring = len(s.holes)
    hole, back = begin_with_packed(s, action)
    low, high, laps = s.word[0], s.word[1], 0
    while True:
        seeds = byte_of(low, high, hole) & (LAP_SEEDS - 1)
        low = add(low, BOTH_LAPS[back, ring // 2, hole, seeds, 0])
        high = add(high, BOTH_LAPS[back, ring // 2, hole, seeds, 1])
        hole = np.int64(REACHED[back, ring // 2, hole, seeds + 1]) & 15
        laps += 1
        if (byte_of(low, high, hole) == 0) | (laps == s.max_laps):
            break
    last = np.int64(REACHED[1 - back, ring // 2, hole, 1]) & 15
    full = bits_ahead(nonzero_flags(low), nonzero_flags(high) & ROWS[ring // 2], ring, last, back)
    # The chain goes as far as every other hole is full, and only these.
    broken = full ^ _EVERY_OTHER | _ONE << np.uint64(ring)
    pearls = count_bits(~broken & (broken - _ONE)) // 2 * np.int64(laps < s.max_laps)
    eaten_low = low & PEARLS[back, ring // 2, last, pearls & 7, 0]
    eaten_high = high & PEARLS[back, ring // 2, last, pearls & 7, 1]
    eaten = sum_bytes(eaten_low) + sum_bytes(eaten_high)
    end_turn_packed(s, low - eaten_low, high - eaten_high, laps, eaten)


@rule
def play_plain(s, action):
    if s.phase != LIFT:
        arrange(s, action)
        return
    before = s.store[s.to_move]
    hole = begin_with(s, action)
    if s.few[s.to_move] > 0:
        sow_on_as_few(s, hole)
    else:
        sow_on(s, hole)
    end_turn(s, s.store[s.to_move] > before)


@rule
def sow_on(s, hole):
    """Lift `hole` and sow, and go on with the hole after the last seed's while that is full; else eat."""
    for _ in range(s.max_laps - 1):
        last = sow(s, hole)
        if stops_at(s, last):
            return
        hole = hole_after(s, last)
        if not holds_free(s, hole):
            pick_pearls(s, last)
            return
    # Nothing comes of the last lap that is allowed.
    sow(s, hole)


@rule
def stops_at(s, last):
    """By the summary a last seed in an empty hole ends the turn at once."""
    return s.reading == SUMMARY and (s.kind[last] != PLAIN or s.holes[last] == 1)


@rule
def hole_after(s, hole):
    """The next hole; the summary steps over kept holes too, "as though they are non-existent"."""
    after = next_hole(s, hole)
    while s.reading == SUMMARY and s.kind[after] == KEPT and after != hole:
        after = next_hole(s, after)
    return after


@rule
def pick_pearls(s, last):
    """Eat every other hole after `last`, as long as empty and full holes alternate, once round at most."""
    hole = last
    while True:
        hole = hole_after(s, hole)
        if holds_free(s, hole) or hole == last:
            return
        hole = hole_after(s, hole)
        if not holds_free(s, hole):
            return
        s.store[s.to_move] += lift(s, hole)
        if hole == last:
            return


@rule
def sow_on_as_few(s, hole):
    """A `few` player eats only what his last seed falls into, but goes on from the next hole as ever."""
    full = full_for_mover(s)
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        if s.kind[last] == PLAIN and s.holes[last] == full + 1:
            s.store[s.to_move] += lift(s, last)
            return
        if stops_at(s, last):
            return
        hole = hole_after(s, last)
        if not holds_free(s, hole):
            return
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


# By words.


@inlined_rule
def all_plain(s):
    """Whether it lies within two words, no hole can hold more seeds than the table of laps has, and all are plain."""
    if not is_packed(s) or total(s) >= LAP_SEEDS:
        return False
    return s.kind_word[0] | s.kind_word[1] & ROWS[len(s.holes) // 2] == 0


@inlined_rule
def bits_ahead(low, high, ring, hole, back):
    """Bit i is set where of these flags, bytes of 0 or 1, that of the hole 1 + i steps after `hole` is 1."""
    first, second = times(low, _GATHER[back]) >> _S56, times(high, _GATHER[back]) >> _S56
    bits = (first << np.uint64(8 * back) | second << np.uint64(8 - 8 * back)) >> np.uint64((16 - ring) * back)
    place = np.uint64(hole + (ring - 1 - 2 * hole) * back)
    bits = bits >> (place + _ONE) | bits << (np.uint64(ring - 1) - place)
    return bits & ((_ONE << np.uint64(ring)) - _ONE)


@inlined_rule
def times(word, factor):
    """The product of two uint64, modulo 2^64 in plain Python too."""
    return np.uint64((int(word) * int(factor)) & _MASK)


@inlined_rule
def sum_bytes(word):
    """At most 255."""
    return times(word, _LOW_BITS) >> _S56


RULE_BOOK = RuleBook(
    name="walak_pussa",
    title="Walak-pussa",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    between_rounds=(set_out.next_round, set_out.may_arrange, arrange),
    agree=lambda options, campaign: set_out.agree("walak_pussa", options, campaign),
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
    check=lambda s, options, given: set_out.check("walak_pussa", s, options, given),
    phases=PHASES,
    action_names=row_law.action_names,
    share=share,
    owned=owned,
    worth=worth,
)
