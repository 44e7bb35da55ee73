"""
# Walak-pussa, "A Hole Empty" (Sri Lanka)

{facts}

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

## Random play
{survey}
| round | 26 [10, 44] | 3.0 | | all by rule 5 | 57 : 38, 5 % drawn |
| campaign | 492 [213, 611] | 2.3 | 28 [14, 30] | 12 % a player without seeds, 88 % `max_rounds` | 46 : 52, 3 % drawn |

## Versions
* v0: first version.
"""

from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.olinda.book import book
from mancala_envs.families.mancala.olinda.law import (
    COMMON_OPTIONS,
    KEPT,
    LIFT,
    PLAIN,
    READING,
    SUMMARY,
    begin_with,
    capture,
    full_for_mover,
    holds_free,
    next_hole,
    sow,
    sow_past,
)
from mancala_envs.families.mancala.olinda.set_out import arrange, end_turn

__all__ = ["RULE_BOOK"]

OPTIONS = (*COMMON_OPTIONS, READING)


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
        capture(s, hole)
        if hole == last:
            return


@rule
def sow_on_as_few(s, hole):
    """A `few` player eats only what his last seed falls into, but goes on from the next hole as ever."""
    full = full_for_mover(s)
    for _ in range(s.max_laps - 1):
        last = sow_past(s, hole, full)
        if s.kind[last] == PLAIN and s.holes[last] == full + 1:
            capture(s, last)
            return
        if stops_at(s, last):
            return
        hole = hole_after(s, last)
        if not holds_free(s, hole):
            return
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


RULE_BOOK = book("walak_pussa", "Walak-pussa", __doc__, options=OPTIONS, play=play)
__doc__ = RULE_BOOK.page
