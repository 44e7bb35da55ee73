"""
# Kotu-baendum, "Tying up the Enclosures" (Sri Lanka)

{facts}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 598-599 (evidence 691).

1. "Begun and played like Puhulmutu" (p. 594). This covers the direction, the single seed in the front hole, skipped
   holes of three seeds, relays from "the hole in which the last seed was placed", and the end of the round.
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
Rules 7 to 10 of Puhulmutu hold. At the end of a round tied holes become plain again.

## Not settled by the source, decided here
* Rule 2 applies to each player's first turn of round one. The end holes are then the first and the last hole of the
  player's row that is not blind. If neither can be lifted in a direction, the player may lift any hole in it.
* Holes that can be tied are the ends of the board's rows, even if the holes beside them are blind. A tied hole is never
  skipped.
* Tying ends the turn and is not a capture. Tied seeds count for their owner at the end of the round.
* A player who set out by twos or ones ties an end hole with the number of seeds at which they capture, three or two.
* Limits, equal counts and set-outs with few seeds are as in Puhulmutu. The Ludii portal has no summary of it.

## Random play
{survey}
| round | 36 [22, 57] | 1.7 | | 99.6% by rule 1, 0.4% `quiet_turns` | 47 : 48, 5% drawn |
| campaign | 791 [476, 954] | 1.7 | 29 [18, 30] | 9% a player without seeds, 91% `max_rounds` | 50 : 45, 5% drawn |

## Versions
* v0: first version.
"""

from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.explanation import in_rows
from mancala_envs.families.mancala.olinda import law
from mancala_envs.families.mancala.olinda.book import book
from mancala_envs.families.mancala.olinda.explanation import DESCRIPTIONS
from mancala_envs.families.mancala.olinda.law import (
    BLIND,
    COMMON_OPTIONS,
    INTO_FULL,
    KEPT,
    LIFT,
    PLAIN,
    TIED,
    begin_with,
    direction_of,
    front_hole,
    full_for_mover,
    hole_of,
    may_lift,
    relay,
)
from mancala_envs.families.mancala.olinda.set_out import arrange, end_turn
from mancala_envs.families.mancala.olinda.set_out import legal as common_legal
from mancala_envs.families.mancala.sow import capture

__all__ = ["RULE_BOOK"]

OPTIONS = (*COMMON_OPTIONS, Option("reading", "parker", choices=("parker",)))

OPENING_TURNS = 2


@rule
def legal(s, action):
    return common_legal(s, action) and not (is_opening(s) and avoids_ends(s, action))


@rule
def is_opening(s):
    """Return whether this is a player's first turn of the first round."""
    return s.round_number == 1 and s.turn < OPENING_TURNS


@rule
def avoids_ends(s, action):
    """Return whether a lift is from the middle of the row although an end hole could be lifted in its direction."""
    direction = direction_of(s, action)
    front = front_hole(s, s.to_move, direction)
    back = front_hole(s, s.to_move, -direction)
    hole = hole_of(s, action)
    if hole in (front, back):
        return False
    return may_lift(s, front, direction) or may_lift(s, back, direction)


@rule
def play(s, action):
    if s.phase != LIFT:
        arrange(s, action)
        return
    before = s.store[s.to_move]
    last, stopped = relay(s, begin_with(s, action), full_for_mover(s), s.laps_sown + s.max_laps)
    if stopped == INTO_FULL:
        tie_or_eat(s, last)
    end_turn(s, s.store[s.to_move] > before)


@rule
def tie_or_eat(s, hole):
    """Let the mover, who filled `hole`, tie it if it is an end hole, and otherwise capture its seeds."""
    if is_end_hole(s, hole):
        s.kind[hole] = TIED
        s.owner[hole] = s.to_move
    else:
        capture(s, hole)


@rule
def is_end_hole(s, hole):
    """Return whether a hole is the first or the last of its row."""
    column = hole % (len(s.holes) // 2)
    return column == 0 or column == len(s.holes) // 2 - 1


@rule(inline=True)
def observe(s, p, out):
    law.observe(s, p, out)
    out.opening = is_opening(s)


def observation(options):
    return [
        *law.observation(options),
        Columns("opening", 1, "1 in each player's first turn of round one, which must start from an end hole"),
    ]


RULE_BOOK = book(
    "kotu_baendum",
    "Kotu-baendum",
    __doc__,
    options=OPTIONS,
    legal=legal,
    play=play,
    observe=observe,
    observation=observation,
    kinds=(PLAIN, BLIND, KEPT, TIED),
    opening_turns=OPENING_TURNS,
    descriptions={
        **DESCRIPTIONS,
        tie_or_eat: lambda before, s, hole: f"ties {in_rows(before, hole)}" if s.kind[hole] == TIED else "",
    },
)
__doc__ = RULE_BOOK.page
