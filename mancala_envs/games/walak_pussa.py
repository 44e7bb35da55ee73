"""
# Walak-pussa, "A Hole Empty" (Sri Lanka)

{facts}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 597-598, and the Ludii portal's summary of it (evidence 690).

1. "Begun like the last", Puhulmutu (p. 594): the first lift chooses the direction of the round, and a single seed in
   the front hole can be lifted only if no other hole can. No hole is skipped.
2. The player "does not remove and re-sow the seeds out of that hole" where the last seed fell, "but always takes those
   in the next one for the purpose".
3. *Pussa kanawa.* "If this next hole be empty, the seeds in the following one ... are captured or 'eaten'".
4. "If the following or third hole be empty, the seeds in the one after it are also captured, and so on as long as there
   is a sequence of alternate empty and full holes": "picking out the pearls of the necklaces". "He then stops playing".
5. The round ends when the player to move cannot lift a hole. Each player keeps the seeds left in their row.

## The campaign
"At the commencement of the next or succeeding rounds the same arrangements as in Puhulmutu are necessary in case there
be a *puta*, *naga*, *wala*, or 'blind' holes" (p. 598): rules 7 to 10 there hold. There is "no 'Cutting Ash-pumpkins'".
"The player with the fewest seeds always begins the play after the first round, and it must go in the direction of the
empty or deficient holes."

A *puta* or a *naga* "is considered to be *pussa*, 'empty,' and the seeds in which cannot be captured"; "these are
passed over as though non-existent, and the seeds in the next hole to them are 'eaten'".

## Not settled by the source, decided here
* Rule 3 applies whatever the last seed's hole held. According to the summary a last seed in an empty or a kept hole
  ends the turn at once (`reading="summary"`).
* A chain of captures stops at two empty or two full holes in a row. It goes round the ring once at most and can end
  with the hole of the last seed.
* A kept hole, one with a *puta* or a *naga*, always counts as empty. According to the summary it is skipped like a
  blind hole, in relays too.
* A player who set out by twos (or ones) skips holes of two seeds (or one) and captures only there, with the last seed,
  which ends the turn. This player relays from the next hole as usual.
* Limits, equal counts and set-outs with few seeds are as in Puhulmutu.

## Random play
{survey}
| round | 26 [10, 44] | 3.0 | | all by rule 5 | 57 : 38, 5% drawn |
| campaign | 492 [213, 611] | 2.3 | 28 [14, 30] | 12% a player without seeds, 88% `max_rounds` | 46 : 52, 3% drawn |

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
    full_for_mover,
    holds_free,
    next_hole,
    sow,
    sow_past,
)
from mancala_envs.families.mancala.olinda.set_out import arrange, end_turn
from mancala_envs.families.mancala.sow import capture

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
    """Lift `hole` and sow, then relay from the next hole as long as it holds seeds; capture at the end."""
    for _ in range(s.max_laps - 1):
        last = sow(s, hole)
        if stops_at(s, last):
            return
        hole = hole_after(s, last)
        if not holds_free(s, hole):
            pick_pearls(s, last)
            return
    # The last lap that is allowed neither relays nor captures.
    sow(s, hole)


@rule
def stops_at(s, last):
    """Return whether the turn ends at once: with the summary's rules, after a last seed in an empty or a kept hole."""
    return s.reading == SUMMARY and (s.kind[last] != PLAIN or s.holes[last] == 1)


@rule
def hole_after(s, hole):
    """Return the next hole; the summary also skips kept holes, "as though they are non-existent"."""
    after = next_hole(s, hole)
    while s.reading == SUMMARY and s.kind[after] == KEPT and after != hole:
        after = next_hole(s, after)
    return after


@rule
def pick_pearls(s, last):
    """Capture every other hole after `last` while empty and full holes alternate, at most once round the ring."""
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
    """Sow and relay like `sow_on`, for a `few` player, who captures only full holes that the last seed falls into."""
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
    # The last lap that is allowed neither relays nor captures.
    sow_past(s, hole, full)


RULE_BOOK = book("walak_pussa", "Walak-pussa", __doc__, options=OPTIONS, play=play)
__doc__ = RULE_BOOK.page
