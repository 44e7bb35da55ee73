"""
# Puhulmutu, "Ash-pumpkin Pearls" (Sri Lanka)

{facts}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 594-597, and the Ludii portal's summary of it (evidence 1386).

1. Lift one of your holes and sow "one by one in the next and the following holes". The first lift chooses the direction
   of the whole round.
2. "A single seed in the last hole on a player's side cannot be taken as the starting-point if any other hole on his
   side of the board contain one, or more than one."
3. "When a hole has three seeds in it, it must be passed over without receiving any seeds, excepting ... the last seed".
4. If the last seed falls into a hole with seeds, take these "out of the hole into which the last one fell" and sow
   them, "until the final seed falls into an empty hole". There the turn ends.
5. If the last seed falls into a hole of three, the player "captures the four which are now in that hole. He then takes
   the seeds of the next hole, if there be any, and sows them as before"; "if the next hole ... be empty his turn is
   ended".
6. "When a player is left without seeds in his row of holes on his turn's coming to play, the round is ended": each
   counts "any that were left in the holes on his side of the board, together with those captured by him".

## The campaign
The following rules hold in "all the four Kandian forms of the Olinda game".

7. Each player "again arranges his seeds in fours". "If they have equal numbers (*hari mutu*, 'equal pearls'), it is
   optional to consider the game ended in a 'draw'" (`equal`).
8. *Blind holes.* Holes that the deficient player, the one with fewer seeds, cannot fill "are left at one end of his
   row"; "no seeds can be placed in the 'blind' holes by either player". The deficient player "must now commence the
   play, sowing the seeds in the direction of his empty holes".
9. *Puta, naga, wala.* "Only one seed for the last hole, this seed is termed his 'son' (*puta*)", two are a "younger
   sister" (*naga*), three a "slave" (*wala*). *Puta* and *naga* "cannot be taken out and sown, and are also free from
   capture", and "the turn of the player whose last one falls into either of them comes to an end"; a *wala* is
   "sown and captured as usual". "The opponent removes one, two, or three seeds respectively from his last hole ...,
   so as to make up the sum of four"; "the same names and privileges apply to these holes on both sides". Holes with a
   *puta* or a *naga* are called *kept holes* here.
10. *Fewer than twelve.* "He may place two seeds, or only one seed, in each hole, beginning from one end of the row of
    holes, the last hole on his side ... receiving any surplus seeds, not exceeding four". Then this player "only makes
    a capture when his last seed falls into a hole containing two seeds" (or "only one"), "all such holes ... are passed
    over by him", and the player "no longer passes over the holes with three seeds". The opponent plays "in the usual
    manner".
11. *Cutting ash-pumpkins* (*puhul kapanawa*). With `cutting="borrow"` the deficient player "borrows a seed out of each
    of the last two holes on his opponent's side, and places these in the adjoining two holes on his own side. He must
    then begin his play at the next or third hole; and the borrowed seeds are returned when his opponent is about to
    commence sowing". With `cutting="move"` the deficient player moves "a seed, or two, on the opponent's side", and
    then begins "from other holes than the first three on his own side".

## Not settled by the source, decided here
* The ban on the single seed in the front hole always applies, not only "towards the latter part of the round", unless
  no other hole can be lifted. The summary bans all single seeds while a larger hole can be lifted
  (`reading="summary"`).
* Kept holes are never skipped. If all holes would be skipped, the next hole receives the seed.
* The seeds of kept holes belong to the player of their row. If a player to move has no other seeds, the round ends,
  although the row is not empty.
* Sowing that never ends stops after `max_laps` laps of a turn; the last lap neither relays nor captures. A round also
  ends after `quiet_turns` turns in a row without a capture, and after `max_turns` turns; seeds are counted in the same
  way.
* According to the summary the seeds that make up the sum of four come out of the opposite hole, and in the second round
  the remaining one to three seeds stay in the store.
* A set-out by fours is not allowed if then no hole could be lifted.
* After equal counts, the player who did not begin the last round begins.
* A borrowed seed is returned from the hole that faces the lending one; if that is empty, from the store; otherwise from
  the first hole with seeds; otherwise it is not returned. A moved seed goes to the next hole on either side. The second
  move must not start from the hole where the first seed went.
* If only one lift is legal after phase 3, the engine plays it, because it is a decision inside the turn.
* If a loaded position has too few seeds for the winner's set-out, holes are filled as far as possible, and the winner's
  last hole gives seeds only if it holds four. After equal counts there are then no kept holes.

## Random play
{survey}
| round | 100 [31, 143] | 1.9 | | 49% by rule 6, 51% `quiet_turns` | 42 : 48, 10% drawn |
| campaign | 1277 [231, 1884] | 2.0 | 24 [5, 30] | 38% a player without seeds, 62% `max_rounds` | 51 : 43, 6% drawn |

## Versions
* v0: first version.
"""

import numpy as np

from mancala_envs.core.binding import in_python
from mancala_envs.core.observation import Columns
from mancala_envs.core.options import Option, require
from mancala_envs.core.record import Field
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.explanation import in_rows
from mancala_envs.families.mancala.olinda import law, set_out
from mancala_envs.families.mancala.olinda.book import book
from mancala_envs.families.mancala.olinda.explanation import DESCRIPTIONS
from mancala_envs.families.mancala.olinda.law import (
    BLIND,
    LIFT,
    begin_with,
    direction_of,
    full_for_mover,
    holds_free,
    hole_of,
    may_begin,
    nth_hole,
    opposite,
    relay_and_capture,
)
from mancala_envs.families.mancala.olinda.set_out import arrange, end_turn
from mancala_envs.families.mancala.olinda.set_out import legal as common_legal
from mancala_envs.families.mancala.rows import ring_hole, row_begins

__all__ = ["RULE_BOOK"]

CUT = 3
PHASES = {**law.PHASES, CUT: "cut ash-pumpkins or decline"}

BORROW, MOVE = 1, 2
YES, NO = 3, 4
"""Actions of phase CUT, after the 2W that move a seed. YES borrows seeds; NO declines, or moves no second seed."""

OPTIONS = (*law.COMMON_OPTIONS, law.READING)
CUTTING = Option("cutting", "none", choices=("none", "borrow", "move"))


def record(options):
    cut = (
        "0: no seed was moved; 1 + the hole to which the first seed was moved, while a second can be moved; "
        "1 + the number of holes: the lift must be from the fourth hole or a later one"
    )
    return law.record(options, Field("cut", "u1", cut))


@rule
def begin(s):
    s.cut = 0
    set_out.begin(s)


# The turn.


@rule
def legal(s, action):
    if s.phase == CUT:
        return may_cut(s, action)
    return common_legal(s, action) and (s.cut == 0 or is_fourth_or_later(s, hole_of(s, action)))


@rule
def play(s, action):
    if s.phase == LIFT:
        lift_and_sow(s, begin_with(s, action))
    elif s.phase == CUT:
        cut(s, action)
    else:
        set_out_and_cut(s, action)


@rule
def lift_and_sow(s, hole):
    before = s.store[s.to_move]
    relay_and_capture(s, hole, full_for_mover(s))
    s.cut = 0
    end_turn(s, s.store[s.to_move] > before)


# Cutting ash-pumpkins.


@rule
def set_out_and_cut(s, action):
    """Carry out a decision between rounds; after the last one ask the mover whether to cut."""
    arrange(s, action)
    if s.phase == LIFT and can_cut(s):
        s.phase = CUT


@rule
def first_three(s):
    """Return the first three holes of the mover's row in the direction of play."""
    step = np.int64(s.direction)
    first = nth_hole(s, s.to_move, np.int64(0), s.direction)
    return first, first + step, first + 2 * step


@rule
def is_fourth_or_later(s, hole):
    """Return whether a hole is the fourth of the mover's row in the direction of play, or a later one."""
    row = row_begins(s, s.to_move)
    return hole >= row + 3 if s.direction > 0 else hole < row + len(s.holes) // 2 - 3


@rule
def can_cut(s):
    """Return whether the deficient player, who begins the round, can cut."""
    if s.cutting == BORROW:
        return can_borrow(s)
    return s.cutting == MOVE and can_lift_from_fourth(s) and can_move_a_seed(s)


@rule
def can_borrow(s):
    first, second, third = first_three(s)
    lent = s.holes[opposite(s, first)] > 0 and s.holes[opposite(s, second)] > 0
    return lent and s.kind[first] != BLIND and s.kind[second] != BLIND and holds_free(s, third)


@rule
def can_lift_from_fourth(s):
    for action in range(len(s.holes)):
        if may_begin(s, action) and is_fourth_or_later(s, hole_of(s, action)):
            return True
    return False


@rule
def can_move_a_seed(s):
    for action in range(len(s.holes)):
        if may_move_seed(s, action):
            return True
    return False


@rule
def may_cut(s, action):
    if action >= len(s.holes):
        answer = action - len(s.holes)
        return answer == NO or (answer == YES and s.cutting == BORROW)
    return s.cutting == MOVE and may_move_seed(s, action)


@rule
def moved_from(s, action):
    """Return the hole that an action moves a seed from: the one that faces the mover's hole of this number."""
    return opposite(s, hole_of(s, action))


@rule
def moved_to(s, action):
    """Return the hole that an action moves a seed to: the next one, anticlockwise for the first W actions."""
    return moved_from(s, action) + direction_of(s, action)


@rule
def may_move_seed(s, action):
    """Return whether an action may move a seed within the opponent's row, from a plain hole to one that is not blind.

    The second move must not be from the hole where the first seed went.
    """
    row = row_begins(s, 1 - s.to_move)
    source = moved_from(s, action)
    goal = moved_to(s, action)
    inside = row <= goal < row + len(s.holes) // 2
    return inside and s.kind[goal] != BLIND and holds_free(s, source) and s.cut != 1 + source


@rule
def cut(s, action):
    """Borrow seeds, move a seed or decline; after the last move ask for a lift, or play the only one."""
    answer = action - len(s.holes)
    if answer == YES:
        s.phase = LIFT
        play_on_loan(s)
        return
    done = answer == NO
    if not done:
        done = s.cut > 0
        s.holes[moved_from(s, action)] -= 1
        s.holes[moved_to(s, action)] += 1
        s.cut = 1 + moved_to(s, action)
    if done or not can_move_a_seed(s):
        s.phase = LIFT
        s.cut = len(s.holes) + 1 if s.cut > 0 else 0
        lift_the_only_hole(s)


@rule
def lift_the_only_hole(s):
    """Play the lift if only one is legal, because it is a decision inside the turn."""
    ways = 0
    only = 0
    for action in range(len(s.holes)):
        if legal(s, action):
            ways += 1
            only = action
    if ways == 1:
        lift_and_sow(s, hole_of(s, only))


@rule
def play_on_loan(s):
    """Borrow two seeds, lift the third hole, sow, and return the loan before the next player begins."""
    first, second, third = first_three(s)
    lend(s, first)
    lend(s, second)
    before = s.store[s.to_move]
    relay_and_capture(s, third, full_for_mover(s))
    ate = s.store[s.to_move] > before
    give_back(s, first)
    give_back(s, second)
    end_turn(s, ate)


@rule
def lend(s, hole):
    """Move one seed to `hole` from the opposite hole."""
    s.holes[opposite(s, hole)] -= 1
    s.holes[hole] += 1


@rule
def give_back(s, hole):
    """Return one seed to the hole opposite `hole`.

    It comes from `hole`, otherwise from the mover's store, otherwise from the mover's first plain hole with seeds.
    """
    if s.holes[hole] > 0:
        s.holes[hole] -= 1
    elif s.store[s.to_move] > 0:
        s.store[s.to_move] -= 1
    else:
        giver = first_free_hole(s)
        if giver < 0:
            return
        s.holes[giver] -= 1
    s.holes[opposite(s, hole)] += 1


@rule
def first_free_hole(s):
    """Return the mover's first plain hole with seeds, -1 if there is none."""
    for n in range(len(s.holes) // 2):
        hole = nth_hole(s, s.to_move, n, s.direction)
        if holds_free(s, hole):
            return hole
    return -1


# Observations, actions and checks of positions.


@rule(inline=True)
def observe(s, p, out):
    law.observe(s, p, out)
    out.phase_3 = s.phase == CUT
    out.lift_bound = s.cut > len(s.holes)
    for step in range(len(s.holes)):
        out.moved_to[step] = s.cut == 1 + ring_hole(s, p, step)


def observation(options):
    return [
        *law.observation(options),
        Columns("phase_3", 1, f"1 when the decision is to {PHASES[CUT]}"),
        Columns(
            "lift_bound",
            1,
            "1 when seeds were moved: the lift must be from the fourth hole in the direction of play, or a later one",
        ),
        Columns(
            "moved_to", 1, "1 where the first seed was moved to, own row first", place=range(2 * options["columns"])
        ),
    ]


def actions(options):
    moves = {CUT: 'move a seed from the opposite hole in this direction (`cutting="move"`)'}
    answers = {CUT: 'the first of them: cut (`cutting="borrow"`); the second: decline, or move no second seed'}
    return law.actions(options, moves, answers)


def check(s, options):
    """Check that `cut` agrees with the phase, the options and the seeds."""
    ring = 2 * options["columns"]
    if s.cut == 0 and s.phase != CUT:
        return
    require(options["cutting"] != "none", "phase 3 and cut need a campaign with cutting")
    starts = s.turn == 0 and s.direction != 0 and s.round_number > 1
    require(starts, "phase 3 and cut come only at the start of a round after the first")
    own, others = (int(s.seeds_owned[player]) for player in (s.to_move, 1 - s.to_move))
    require(own < others, f"player {s.to_move} does not have fewer seeds and cannot cut")
    if s.phase == CUT:
        row = ring // 2 * (1 - int(s.to_move))
        moved = options["cutting"] == "move" and row < s.cut <= row + ring // 2 and s.holes[s.cut - 1] > 0
        require(s.cut == 0 or moved, f"cut={s.cut} names no hole that a seed was moved to")
        require(can_cut(s), "in phase 3 the player to move must be able to cut")
    else:
        require(s.cut == ring + 1 and options["cutting"] == "move", f"cut={s.cut} fits only phase 3")


def describe_cut(before, s, action):
    if action >= len(s.holes):
        return ""
    source, goal = (in_python(end)(before, action) for end in (moved_from, moved_to))
    return f"moves 1 from {in_rows(before, source)} to {in_rows(before, goal)}"


def describe_loan(before, s, hole):
    return f"borrows 1 from {in_rows(before, in_python(opposite)(s, hole))} for {in_rows(before, hole)}"


def describe_return(before, s, hole):
    lender = in_python(opposite)(s, hole)
    return f"gives 1 back to {in_rows(before, lender)}" if s.holes[lender] > before.holes[lender] else ""


RULE_BOOK = book(
    "puhulmutu",
    "Puhulmutu",
    __doc__,
    options=OPTIONS,
    cutting=CUTTING,
    record=record,
    begin=begin,
    legal=legal,
    play=play,
    between_rounds=(set_out_and_cut, cut, may_cut),
    observe=observe,
    observation=observation,
    actions=actions,
    phases=PHASES,
    descriptions={**DESCRIPTIONS, cut: describe_cut, lend: describe_loan, give_back: describe_return},
    check=check,
)
__doc__ = RULE_BOOK.page
