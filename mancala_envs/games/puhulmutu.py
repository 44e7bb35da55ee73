"""
# Puhulmutu, "Ash-pumpkin Pearls" (Sri Lanka)

{facts}

## Rules
Source: H. Parker, *Ancient Ceylon*, 1909, pp. 594-597, and the portal's summary of it (evidence 1386).

1. Lift a hole of yours and sow "one by one in the next and the following holes". The first lift chooses the direction
   of the whole round.
2. "A single seed in the last hole on a player's side cannot be taken as the starting-point if any other hole on his
   side of the board contain one, or more than one."
3. "When a hole has three seeds in it, it must be passed over without receiving any seeds, excepting ... the last seed".
4. The last seed in a hole with seeds: take them "out of the hole into which the last one fell" and sow on, "until the
   final seed falls into an empty hole": there the turn ends.
5. The last seed in a hole of three: he "captures the four which are now in that hole. He then takes the seeds of the
   next hole, if there be any, and sows them as before"; "if the next hole ... be empty his turn is ended".
6. "When a player is left without seeds in his row of holes on his turn's coming to play, the round is ended": each
   counts "any that were left in the holes on his side of the board, together with those captured by him".

## The campaign
As in "all the four Kandian forms of the Olinda game".

7. Each "again arranges his seeds in fours". "If they have equal numbers (*hari mutu*, 'equal pearls'), it is optional
   to consider the game ended in a 'draw'" (`equal`).
8. *Blind holes.* Holes the deficient player cannot fill "are left at one end of his row"; "no seeds can be placed in
   the 'blind' holes by either player". He "must now commence the play, sowing the seeds in the direction of his empty
   holes".
9. *Puta, naga, wala.* "Only one seed for the last hole, this seed is termed his 'son' (*puta*)", two are a "younger
   sister" (*naga*), three a "slave" (*wala*). *Puta* and *naga* "cannot be taken out and sown, and are also free from
   capture", and "the turn of the player whose last one falls into either of them comes to an end"; a *wala* is
   "sown and captured as usual". "The opponent removes one, two, or three seeds respectively from his last hole ...,
   so as to make up the sum of four"; "the same names and privileges apply to these holes on both sides".
10. *Fewer than twelve.* "He may place two seeds, or only one seed, in each hole, beginning from one end of the row of
    holes, the last hole on his side ... receiving any surplus seeds, not exceeding four". Then he "only makes a capture
    when his last seed falls into a hole containing two seeds" (or "only one"), "all such holes ... are passed over by
    him", and he "no longer passes over the holes with three seeds". His opponent plays "in the usual manner".
11. *Cutting ash-pumpkins* (*puhul kapanawa*). By `cutting="borrow"` the deficient player "borrows a seed out of each of
    the last two holes on his opponent's side, and places these in the adjoining two holes on his own side. He must then
    begin his play at the next or third hole; and the borrowed seeds are returned when his opponent is about to commence
    sowing". By `cutting="move"` he moves "a seed, or two, on the opponent's side", and then begins "from other holes
    than the first three on his own side".

## Not settled by the source, decided here
* The ban on the single seed in front holds always, not only "towards the latter part of the round", and gives way when
  no other hole can be lifted. The summary bans all singles while a larger hole can be lifted (`reading="summary"`).
* Kept holes are never passed over. When every hole would be, the next one takes the seed.
* The seeds of kept holes are their owner's; a round ends where he has no others, though his row is not empty.
* Sowing that never ends stops after `max_laps` laps of a turn, nothing coming of the last one. `quiet_turns` turns
  without a capture, and `max_turns`, end a round by the same count.
* By the summary the answering seeds come out of the hole opposite, and in the second round the rest stays in the
  store.
* By fours, twos or ones: not by fours where nothing could be lifted then.
* After equal counts the player begins who did not begin the round before.
* A loan is returned from the hole that faces the lender, else from the store, else from the first hole with seeds, else
  not at all. A moved seed goes one hole to either side, the second not on with the first.
* The only lift left after phase 3 is made by the engine: it is a decision inside the turn.
* Loaded positions with too few seeds for the winner's set-out: it goes as far as it goes, and his last hole answers
  only if it holds four. An equal round then keeps no holes.

## Random play
{survey}
| round | 100 [31, 143] | 1.9 | | 49 % by rule 6, 51 % `quiet_turns` | 42 : 48, 10 % drawn |
| campaign | 1277 [231, 1884] | 2.0 | 24 [5, 30] | 38 % a player without seeds, 62 % `max_rounds` | 51 : 43, 6 % drawn |

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
from mancala_envs.families.mancala.olinda.set_out import legal as usually_legal
from mancala_envs.families.mancala.rows import ring_hole, row_begins

__all__ = ["RULE_BOOK"]

CUT = 3
PHASES = {**law.PHASES, CUT: "cut ash-pumpkins, or not"}

BORROW, MOVE = 1, 2
YES, NO = 3, 4
"""Actions of phase CUT, after the 2W that move a seed: cut; decline, or enough."""

OPTIONS = (*law.COMMON_OPTIONS, law.READING)
CUTTING = Option("cutting", "none", choices=("none", "borrow", "move"))


def record(options):
    cut = (
        "0 nothing was cut; 1 + the hole to which the last seed was moved; one more than there are once cutting is over"
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
    return usually_legal(s, action) and (s.cut == 0 or is_fourth_or_later(s, hole_of(s, action)))


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
    """A decision between rounds; after the last of them the mover may cut."""
    arrange(s, action)
    if s.phase == LIFT and can_cut(s):
        s.phase = CUT


@rule
def first_three(s):
    """The first holes of the mover's row in the direction of play."""
    step = np.int64(s.direction)
    first = nth_hole(s, s.to_move, np.int64(0), s.direction)
    return first, first + step, first + 2 * step


@rule
def is_fourth_or_later(s, hole):
    """In the mover's row, in the direction of play."""
    row = row_begins(s, s.to_move)
    return hole >= row + 3 if s.direction > 0 else hole < row + len(s.holes) // 2 - 3


@rule
def can_cut(s):
    """Whether the deficient player, who is to begin the round, may cut."""
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
    """The opponent's hole that faces the mover's hole of this number."""
    return opposite(s, hole_of(s, action))


@rule
def moved_to(s, action):
    """The hole beside it, anticlockwise by the first W actions and clockwise by the others."""
    return moved_from(s, action) + direction_of(s, action)


@rule
def may_move_seed(s, action):
    """One seed from a plain hole of the opponent's to the next one of his row, and not the same seed's hole twice."""
    row = row_begins(s, 1 - s.to_move)
    source = moved_from(s, action)
    goal = moved_to(s, action)
    inside = row <= goal < row + len(s.holes) // 2
    return inside and s.kind[goal] != BLIND and holds_free(s, source) and s.cut != 1 + source


@rule
def cut(s, action):
    """Cut, move a seed, or no more of it; then the lift, which the engine makes if there is but one."""
    answer = action - len(s.holes)
    if answer == YES:
        s.phase = LIFT
        play_on_loan(s)
        return
    enough = answer == NO
    if not enough:
        enough = s.cut > 0
        s.holes[moved_from(s, action)] -= 1
        s.holes[moved_to(s, action)] += 1
        s.cut = 1 + moved_to(s, action)
    if enough or not can_move_a_seed(s):
        s.phase = LIFT
        s.cut = len(s.holes) + 1 if s.cut > 0 else 0
        lift_the_only_hole(s)


@rule
def lift_the_only_hole(s):
    """The lift is a decision inside the turn: asked only where there is a choice."""
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
    """Borrow, lift the third hole, sow, and return the loan before the next player begins."""
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
    """One seed from the facing hole."""
    s.holes[opposite(s, hole)] -= 1
    s.holes[hole] += 1


@rule
def give_back(s, hole):
    """One seed to the facing hole: from here, else from the store, else from his first hole that has one to give."""
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
    """The mover's first plain hole with seeds, -1 where there is none."""
    for n in range(len(s.holes) // 2):
        hole = nth_hole(s, s.to_move, n, s.direction)
        if holds_free(s, hole):
            return hole
    return -1


# What players see, and what a position must be.


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
            "lift_bound", 1, "1 when seeds were moved: the lift must be from the fourth hole in its direction, or later"
        ),
        Columns(
            "moved_to", 1, "1 where the first seed was moved to, own row first", place=range(2 * options["columns"])
        ),
    ]


def actions(options):
    moves = {CUT: 'move a seed from the hole facing it, in this direction (`cutting="move"`)'}
    return law.actions(options, moves, {CUT: 'the first of them: cut (`cutting="borrow"`); the second: no, or enough'})


def check(s, options):
    """`cut` must agree with the phase, the options and the seeds."""
    ring = 2 * options["columns"]
    if s.cut == 0 and s.phase != CUT:
        return
    require(options["cutting"] != "none", "phase 3 and cut need a campaign with cutting")
    require(s.turn == 0 and s.direction != 0 and s.round_number > 1, "a round is cut as it begins")
    own, others = (int(s.seeds_owned[player]) for player in (s.to_move, 1 - s.to_move))
    require(own < others, f"player {s.to_move} has not the fewer seeds and cannot cut")
    if s.phase == CUT:
        row = ring // 2 * (1 - int(s.to_move))
        moved = options["cutting"] == "move" and row < s.cut <= row + ring // 2 and s.holes[s.cut - 1] > 0
        require(s.cut == 0 or moved, f"cut={s.cut} names no hole that a seed was moved to")
        require(can_cut(s), "phase 3, but there is nothing to cut")
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
    facing = in_python(opposite)(s, hole)
    return f"gives 1 back to {in_rows(before, facing)}" if s.holes[facing] > before.holes[facing] else ""


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
