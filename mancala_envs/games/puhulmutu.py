"""
# Puhulmutu, "Ash-pumpkin Pearls"
"""

import numpy as np

from mancala_envs.core import row_law, set_out
from mancala_envs.core.game import RuleBook
from mancala_envs.core.observation import Column, columns
from mancala_envs.core.options import Option
from mancala_envs.core.row_law import (
    BLIND,
    COMMON_OPTIONS,
    LIFT,
    PLAIN,
    READING,
    begin_with,
    captured,
    count,
    full_for_mover,
    holds_free,
    hole_of,
    may_begin,
    next_hole,
    nth_hole,
    num_actions,
    opposite,
    require,
    seeds,
    sow_past,
    total,
)
from mancala_envs.core.rule import rule
from mancala_envs.core.set_out import CAMPAIGN_OPTIONS, arrange, end_turn, may_arrange, round_reward, share
from mancala_envs.core.sow import lift

CUT = 3
PHASES = {**row_law.PHASES, CUT: "cut ash-pumpkins, or not"}

BORROW, MOVE = 1, 2
YES, NO = 3, 4
"""Actions of phase CUT, after the 2W that move a seed: cut; decline, or enough."""

OPTIONS = (*COMMON_OPTIONS, READING)
CUTTING = Option("cutting", "none", choices=("none", "borrow", "move"))


def record(options):
    return row_law.record(options, ("cut", "u1"))


@rule
def begin(s):
    s.cut = 0
    set_out.begin(s)


# The turn.


@rule
def legal(s, action):
    if s.phase == LIFT:
        return may_begin(s, action) and (s.cut == 0 or is_fourth_or_later(s, hole_of(s, action)))
    if s.phase == CUT:
        return may_cut(s, action)
    return may_arrange(s, action)


@rule
def play(s, action):
    if s.phase == LIFT:
        lift_and_sow(s, begin_with(s, action))
    elif s.phase == CUT:
        cut(s, action)
    else:
        arrange(s, action)
        if s.phase == LIFT and can_cut(s):
            s.phase = CUT


@rule
def lift_and_sow(s, hole):
    before = s.store[s.to_move]
    sow_on(s, hole)
    s.cut = 0
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
            s.store[s.to_move] += lift(s, last)
            last = next_hole(s, last)
            if not holds_free(s, last):
                return
        hole = last
    # Nothing comes of the last lap that is allowed.
    sow_past(s, hole, full)


# Cutting ash-pumpkins.


@rule
def is_fourth_or_later(s, hole):
    """In the mover's row, in the direction of play."""
    for n in range(3):
        if hole == nth_hole(s, s.to_move, n, s.direction):
            return False
    return True


@rule
def can_cut(s):
    """Whether the deficient player, who is to begin the round, may cut."""
    if s.cutting == BORROW:
        return can_borrow(s)
    return s.cutting == MOVE and can_lift_from_fourth(s) and can_move_a_seed(s)


@rule
def can_borrow(s):
    first = nth_hole(s, s.to_move, 0, s.direction)
    second = nth_hole(s, s.to_move, 1, s.direction)
    third = nth_hole(s, s.to_move, 2, s.direction)
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
    return moved_from(s, action) + row_law.direction_of(s, action)


@rule
def may_move_seed(s, action):
    """One seed from a plain hole of the opponent's to the next one of his row, and not the same seed's hole twice."""
    width = len(s.holes) // 2
    row = width * (1 - np.int64(s.to_move))
    source = moved_from(s, action)
    goal = moved_to(s, action)
    inside = row <= goal < row + width
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
    first = nth_hole(s, s.to_move, 0, s.direction)
    second = nth_hole(s, s.to_move, 1, s.direction)
    lend(s, first)
    lend(s, second)
    before = s.store[s.to_move]
    sow_on(s, nth_hole(s, s.to_move, 2, s.direction))
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
    if s.holes[hole] == 0:
        if s.store[s.to_move] > 0:
            s.store[s.to_move] -= 1
            s.holes[opposite(s, hole)] += 1
            return
        giver = first_free_hole(s)
        if giver < 0:
            return
        s.holes[giver] -= 1
    else:
        s.holes[hole] -= 1
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


@rule
def observe(s, p, out):
    at = row_law.observe(s, p, out)
    ring = len(s.holes)
    out[at] = s.phase == CUT
    out[at + 1] = s.cut > ring
    for step in range(ring):
        out[at + 2 + step] = s.cut == 1 + (step + ring // 2 * p) % ring


def observation(options):
    return [
        *row_law.observation(options),
        Column(f"phase_{CUT}", 1, f"1 when the decision is to {PHASES[CUT]}"),
        Column("lift_bound", 1, "1 when seeds were moved, so that the lift must be from the fourth hole or a later"),
        *columns("moved_to", 2 * options["columns"], 1, "1 where the first seed was moved to, own row first"),
    ]


def check(s, options, given):
    set_out.check("puhulmutu", s, options, given)
    ring = 2 * options["columns"]
    if s.cut == 0 and s.phase != CUT:
        return
    require("puhulmutu", options["cutting"] != "none", "phase 3 and cut need a campaign with cutting")
    require("puhulmutu", s.turn == 0 and s.direction != 0 and s.round_number > 1, "a round is cut as it begins")
    own, others = (int(s.seeds_owned[player]) for player in (s.to_move, 1 - s.to_move))
    require("puhulmutu", own < others, f"player {s.to_move} has not the fewer seeds and cannot cut")
    if s.phase == CUT:
        row = ring // 2 * (1 - int(s.to_move))
        moved = options["cutting"] == "move" and row < s.cut <= row + ring // 2 and s.holes[s.cut - 1] > 0
        require("puhulmutu", s.cut == 0 or moved, f"cut={s.cut} names no hole that a seed was moved to")
        require("puhulmutu", can_cut(s), "phase 3, but there is nothing to cut")
    else:
        require("puhulmutu", s.cut == ring + 1 and options["cutting"] == "move", f"cut={s.cut} fits only phase 3")


RULE_BOOK = RuleBook(
    name="puhulmutu",
    title="Puhulmutu",
    page=__doc__,
    options=OPTIONS,
    campaign_options=(*CAMPAIGN_OPTIONS, CUTTING),
    agree=lambda options, campaign: set_out.agree("puhulmutu", options, campaign),
    record=record,
    seeds=seeds,
    num_actions=num_actions,
    begin=begin,
    legal=legal,
    legal_word=row_law.legal_word,
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
    round_reward=round_reward,
)
