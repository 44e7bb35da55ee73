"""Fast forms of both war games on sets of points; see `fast.jumpers`."""

import numpy as np

from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits, verbs, wars
from mancala_envs.families.points.forty_nine import BOARD, NEIGHBOURS
from mancala_envs.families.points.verbs import WAYS, can_jump, is_empty, move_man, view_direction, view_point
from mancala_envs.families.points.wars import DONE, FREE, GO_ON, direction_of, pass_on, start_of
from mancala_envs.families.points.wars import carry_out as plain_carry_out
from mancala_envs.fast import jumpers

STEPPERS_INTO, THREES = bits.steppers_into(BOARD), bits.threes(BOARD)
_ONE = np.uint64(1)


@rule(inline=True)
def sides(s, p):
    """Return the sets of player p's points, the other player's points, and the empty points."""
    own, other = bits.men(s, 1 + p), bits.men(s, 2 - p)
    return own, other, bits.everywhere(s) & ~(own | other)


@rule(inline=True)
def choice_sets(s):
    """Replace `jumpers.choice_sets`: the points are numbered as the player to move sees them."""
    mover = s.to_move & 1
    own, other = bits.men_in_view(s, 1 + mover, mover), bits.men_in_view(s, 2 - mover, mover)
    empty = bits.everywhere(s) & ~(own | other)
    going = np.int64(s.phase == GO_ON)
    own = _ONE << np.uint64(view_point(s, mover, s.moving)) if going else own
    return own, other, empty, np.int64(s.capture == FREE), going, 0


@rule(inline=True)
def first_move(s):
    """Replace `jumpers.first_move`: no piece is placed."""
    return 0


# Fast forms of plain rules.


@rule(inline=True)
def only_choice(s):
    """Fast form of `verbs.only_choice`, which is only called for a soldier that goes on."""
    if s.capture == FREE:
        return -1
    ways, only, soldier = 0, -1, np.int64(s.moving)
    for direction in range(WAYS):
        if can_jump(s, NEIGHBOURS, soldier, direction, 2 - s.to_move):
            ways += 1
            only = WAYS * view_point(s, s.to_move, soldier) + view_direction(s.to_move, direction)
    return only if ways == 1 else -1


@rule(inline=True)
def must_capture(s):
    """Fast form of `wars.must_capture`."""
    if s.capture == FREE:
        return False
    own, other, empty = sides(s, s.to_move)
    return bits.can_capture(THREES, own, other, empty)


@rule(inline=True)
def carry_out(s, action):
    """Fast form of `wars.carry_out`: steps are played on sets, everything else by the plain rule."""
    if action == DONE:
        return plain_carry_out(s, action)
    start = start_of(s, action)
    end = NEIGHBOURS[start, direction_of(s, action)]
    if not is_empty(s, end):
        return plain_carry_out(s, action)
    # All reads come before the writes, because reading a word just after one of its bytes was written is slow.
    own, other, empty = sides(s, s.to_move)
    both = _ONE << np.uint64(start) | _ONE << np.uint64(end)
    can_move_on = have_move(other, own ^ both, empty ^ both)
    move_man(s, start, end)
    s.quiet += 1
    pass_on(s, can_move_on)
    return False


@rule(inline=True)
def can_move(s, p):
    """Fast form of `wars.can_move`."""
    own, other, empty = sides(s, p)
    return have_move(own, other, empty)


@rule(inline=True)
def have_move(own, other, empty):
    """Return whether a man of `own` can step or capture."""
    return bits.can_step(STEPPERS_INTO, empty, own) or bits.can_capture(THREES, own, other, empty)


FAST = Fast(
    forms={
        **jumpers.FORMS,
        jumpers.choice_sets: choice_sets,
        jumpers.first_move: first_move,
        verbs.only_choice: only_choice,
        wars.must_capture: must_capture,
        wars.carry_out: carry_out,
        wars.can_move: can_move,
    },
    fits=lambda options: bits.FITS,
)
