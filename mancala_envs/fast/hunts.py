"""Fast forms that both hunts share: those of `fast.jumpers`, and most turns played on sets of points."""

import numpy as np

from mancala_envs.core.bits import sum_bytes
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.points import bits, verbs
from mancala_envs.families.points.hunts import FREE, GO_ON, HUNTER, MOVE, ONE, PLACE, PREY
from mancala_envs.families.points.verbs import direction_of, start_of
from mancala_envs.fast import jumpers

_NONE, _ONE = np.uint64(0), np.uint64(1)


@rule(inline=True)
def sides(s):
    """Return the sets of the hunters' points, the herd's points, and the empty points."""
    hunters, prey = bits.men(s, HUNTER), bits.men(s, PREY)
    return hunters, prey, bits.everywhere(s) & ~(hunters | prey)


@rule(inline=True)
def choice_sets(s):
    """Replace `jumpers.choice_sets` for both hunts: the herd never captures."""
    hunters, prey, empty = sides(s)
    own = prey if s.to_move == 1 else hunters
    going = np.int64(s.phase == GO_ON)
    own = _ONE << np.uint64(s.moving) if going else own
    prey = _NONE if s.to_move == 1 else prey
    return own, prey, empty, np.int64(s.capture == FREE), going, np.int64(s.phase == PLACE)


@rule(inline=True)
def only_choice(s):
    """Fast form of `verbs.only_choice`, which is only called for a hunter that goes on."""
    own, prey, empty, free, going, _ = choice_sets(s)
    moves = jumpers.legal_moves(own, prey, empty, free, going)
    counts = bits.count_moves(moves)
    return -1 if free or sum_bytes(counts) != 1 else len(s.board) + bits.find_move(moves, counts, 0)


@rule(inline=True)
def must_capture(s, threes):
    """Fast form of `hunts.must_capture`; `threes` is the board's table for `bits.can_capture`."""
    if s.capture == FREE or s.to_move == 1:
        return False
    hunters, prey, empty = sides(s)
    return bits.can_capture(threes, hunters, prey, empty)


@rule(inline=True)
def play_simple_turn(s, neighbours, steppers_into, action):
    """Play a turn of one placement, step or capture after which the game goes on; return whether the turn was one.

    Otherwise nothing is changed. `neighbours` and `steppers_into` are tables of the board, as for `bits.can_step`.
    """
    if s.phase == GO_ON:
        return False
    mover = s.to_move
    places = action < len(s.board)
    start, over, end = action, action, action
    captures = False
    hunters, prey, _ = sides(s)
    if not places:
        start, way = start_of(s, action), direction_of(s, action)
        over = end = neighbours[start, way]
        captures = s.board[over] != 0
        if captures:
            if s.jumps != ONE or s.taken[0] + 1 >= s.goal:
                return False
            end = neighbours[over, way]
            prey ^= _ONE << np.uint64(over)
    changed = _ONE << np.uint64(end) | (_NONE if places else _ONE << np.uint64(start))
    hunters, prey = (hunters, prey ^ changed) if mover else (hunters ^ changed, prey)
    following = hunters if mover else prey
    placing = s.hand[1 - mover] > 0
    if not placing and not bits.can_step(steppers_into, bits.everywhere(s) & ~(hunters | prey), following):
        return False
    # All reads come before the writes, because reading a word just after one of its bytes was written is slow.
    s.board[start] = 0
    s.board[over] = 0
    s.board[end] = 1 + mover
    s.hand[mover] -= places
    s.taken[0] += captures
    s.quiet = 0 if places or captures else s.quiet + 1
    s.turn += 1
    s.to_move = 1 - mover
    s.phase = PLACE if placing else MOVE
    if s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES
    return True


FORMS: dict[Rule, Rule] = {**jumpers.FORMS, jumpers.choice_sets: choice_sets, verbs.only_choice: only_choice}
