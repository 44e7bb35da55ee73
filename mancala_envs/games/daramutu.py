"""
# Daramutu, or Ellaewala-kanda (Sri Lanka)

{facts}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, p. 599, and the Ludii portal's summary of it (evidence 692).

1. "Play begins at any hole of the player's row."
2. "When the last seed of the set which is being sown falls in an empty hole the seeds in the opposite hole on the other
   side of the board are 'eaten.' The player then stops, and the opponent begins."
3. "If the last seed fall in a hole containing a *puta* or *naga* it is treated as an empty one, and those in the
   opposite hole are eaten."
4. "In other respects the game resembles Puhulmutu" (p. 594). This covers the direction, the single seed in the front
   hole, skipped holes of three seeds, captures of four seeds, relays, and the end of the round.

## The campaign
Rules 7 to 10 of Puhulmutu hold.

## Not settled by the source, decided here
* "On the other side of the board" means the opposite hole, whichever row the last seed falls into. The last seed itself
  stays. Kept holes, those with a *puta* or a *naga*, are not captured.
* Fours are captured as in Puhulmutu. Other descriptions have neither captures of four nor skipped holes
  (`fours=False`). This also holds for a player who set out by twos or ones; that player still captures opposite holes.
* The summary repeats Puhulmutu's rules and has no captures of opposite holes (`reading="summary"`). It cannot be
  combined with `fours=False`, because then nothing could be captured.
* Limits, equal counts and set-outs with few seeds are as in Puhulmutu.

## Random play
{survey}
| round | 22 [13, 32] | 2.3 | | all by rule 4 | 51 : 44, 5% drawn |
| campaign | 503 [283, 581] | 2.1 | 29 [17, 30] | 9% a player without seeds, 91% `max_rounds` | 50 : 47, 3% drawn |

## Versions
* v0: first version.
"""

from mancala_envs.core.options import Option, require
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.olinda.book import book
from mancala_envs.families.mancala.olinda.law import (
    COMMON_OPTIONS,
    INTO_EMPTY,
    LIFT,
    PLAIN,
    READING,
    SUMMARY,
    begin_with,
    full_for_mover,
    opposite,
    relay_and_capture,
)
from mancala_envs.families.mancala.olinda.set_out import arrange, end_turn
from mancala_envs.families.mancala.position import MOST_SEEDS
from mancala_envs.families.mancala.sow import capture

__all__ = ["RULE_BOOK"]

OPTIONS = (*COMMON_OPTIONS, READING, Option("fours", True, choices=(False, True)))

NEVER = MOST_SEEDS
"""More seeds than a hole holds before the last seed falls, so that no hole counts as full by this number."""


@rule
def play(s, action):
    if s.phase != LIFT:
        arrange(s, action)
        return
    before = s.store[s.to_move]
    full = full_for_mover(s) if s.fours else NEVER
    last, stopped = relay_and_capture(s, begin_with(s, action), full)
    if stopped == INTO_EMPTY and s.reading != SUMMARY:
        eat_opposite(s, last)
    end_turn(s, s.store[s.to_move] > before)


@rule
def eat_opposite(s, hole):
    """Capture the seeds opposite `hole`, unless they lie in a kept hole."""
    across = opposite(s, hole)
    if s.kind[across] == PLAIN:
        capture(s, across)


def check_options(options):
    no_captures = not options["fours"] and options["reading"] == "summary"
    require(not no_captures, 'with fours=False and reading="summary" nothing could be captured')


RULE_BOOK = book("daramutu", "Daramutu", __doc__, options=OPTIONS, play=play, check_options=check_options)
__doc__ = RULE_BOOK.page
