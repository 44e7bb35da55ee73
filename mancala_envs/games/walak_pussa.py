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
    may_begin,
    next_hole,
    num_actions,
    seeds,
    sow,
    sow_past,
    total,
)
from mancala_envs.core.rule import rule
from mancala_envs.core.set_out import (
    CAMPAIGN_OPTIONS,
    NO_CUTTING,
    arrange,
    begin,
    end_turn,
    may_arrange,
    owned,
    share,
    worth,
)
from mancala_envs.core.sow import lift

OPTIONS = (*COMMON_OPTIONS, READING)


# The turn.


@rule
def legal(s, action):
    return may_begin(s, action) if s.phase == LIFT else may_arrange(s, action)


@rule
def play(s, action):
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


RULE_BOOK = RuleBook(
    name="walak_pussa",
    title="Walak-pussa",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, NO_CUTTING),
    agree=lambda options, campaign: set_out.agree("walak_pussa", options, campaign),
    record=row_law.record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=row_law.legal_word,
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
