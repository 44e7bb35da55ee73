"""Hunts on bits: hunters, herd and empty points as sets, for boards of fewer than 64 points.

A game gives its tables, those of `families/points/bits.py`: `steps_into` and `steppers_into`, `near` and `far`.
"""

import numpy as np

from mancala_envs.core.bits import count_bits, select_bit
from mancala_envs.core.chance import MASK, scale
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import inlined_rule
from mancala_envs.families.points import bits
from mancala_envs.families.points.hunts import FREE, GO_ON, HUNTER, MOVE, ONE, PLACE, PREY, done
from mancala_envs.families.points.verbs import WAYS, direction_of, start_of

_NONE, _ONE, _ALL = (np.uint64(number) for number in (0, 1, MASK))


@inlined_rule
def lowest(points):
    """The lowest of a set of points; 64 of none."""
    return count_bits(~points & (points - _ONE))


@inlined_rule
def hunters_moves(s, near, far, hunters, prey, empty):
    """The moves of one hunter or two, and on which points they stand: bit 8 * which + direction, lower points first."""
    if s.phase == GO_ON:
        hunters = _ONE << np.uint64(s.moving)
    first = lowest(hunters)
    second = lowest(hunters & (hunters - _ONE) | _ONE << np.uint64(63))
    steps, jumps = _NONE, _NONE
    for direction in range(WAYS):
        for which in range(2):
            point = second if which else first
            at = near[point, direction]
            bit = np.uint64(WAYS * which + direction)
            steps |= (empty >> at & _ONE) << bit
            jumps |= (prey >> at & empty >> far[point, direction] & _ONE) << bit
    only_jumps = s.phase == GO_ON or (s.capture != FREE and jumps != _NONE)
    return jumps if only_jumps else jumps | steps, first, second


@inlined_rule
def may_stop(s):
    return s.phase == GO_ON and s.capture == FREE


@inlined_rule
def moves_word(s, steps_into, near, far, word):
    """The moves of whoever is to move, bit 8 * point + direction, one word of them."""
    hunters, prey = bits.men(s, HUNTER), bits.men(s, PREY)
    empty = bits.everywhere(s) & ~(hunters | prey)
    if s.to_move == 1:
        return bits.steps(s, steps_into, empty, PREY, word)
    moves, first, second = hunters_moves(s, near, far, hunters, prey, empty)
    found = _NONE
    if first // 8 == word:
        found |= (moves & np.uint64(255)) << np.uint64(first % 8 * 8)
    if second // 8 == word:
        found |= moves >> np.uint64(8) << np.uint64(second % 8 * 8)
    return found


@inlined_rule
def legal_word(s, steps_into, near, far, word):
    """`hunts.legal` of 64 actions at once: the points, the moves, the end of a turn."""
    points = len(s.board)
    if s.phase == PLACE:
        return bits.empty_points(s) if word == 0 else _NONE
    found = _NONE
    for part in range(steps_into.shape[2]):
        place = points + 64 * part - 64 * word
        if -64 < place < 64:
            moves = moves_word(s, steps_into, near, far, part)
            found |= moves << np.uint64(place) if place >= 0 else moves >> np.uint64(-place)
    if done(s) // 64 == word and may_stop(s):
        found |= _ONE << np.uint64(done(s) % 64)
    return found


@inlined_rule
def pick(s, steps_into, near, far, luck):
    """`kernels.pick`."""
    points = len(s.board)
    hunters, prey = bits.men(s, HUNTER), bits.men(s, PREY)
    empty = bits.everywhere(s) & ~(hunters | prey)
    if s.phase == PLACE:
        return select_bit(empty, scale(luck, count_bits(empty)), points)
    if s.to_move == 1:
        return points + pick_step(s, steps_into, empty, luck)
    moves, first, second = hunters_moves(s, near, far, hunters, prey, empty)
    choices = count_bits(moves)
    k = scale(luck, choices + may_stop(s))
    if k == choices:
        return done(s)
    bit = select_bit(moves, k, 16)
    return points + bit + (8 * first if bit < 8 else 8 * second - 8)


@inlined_rule
def pick_step(s, steps_into, empty, luck):
    """A step of the herd, 8 * point + direction."""
    choices = 0
    for word in range(steps_into.shape[2]):
        choices += count_bits(bits.steps(s, steps_into, empty, PREY, word))
    k = scale(luck, choices)
    for word in range(steps_into.shape[2]):
        steps = bits.steps(s, steps_into, empty, PREY, word)
        here = count_bits(steps)
        if k < here:
            return 64 * word + select_bit(steps, k, 64)
        k -= here
    return -1


@inlined_rule
def only_choice(s, near, far):
    """`verbs.only_choice` inside a turn."""
    hunters, prey = bits.men(s, HUNTER), bits.men(s, PREY)
    moves, first, _ = hunters_moves(s, near, far, hunters, prey, bits.everywhere(s) & ~(hunters | prey))
    if may_stop(s) or count_bits(moves) != 1:
        return -1
    return len(s.board) + WAYS * first + select_bit(moves, 0, 8)


@inlined_rule
def must_capture(s, near, far):
    """`hunts.must_capture`."""
    if s.capture == FREE or s.to_move == 1:
        return False
    hunters, prey = bits.men(s, HUNTER), bits.men(s, PREY)
    empty = bits.everywhere(s) & ~(hunters | prey)
    for _ in range(2):
        point = lowest(hunters)
        for direction in range(WAYS):
            if prey >> near[point, direction] & empty >> far[point, direction] & _ONE:
                return True
        hunters = hunters & (hunters - _ONE) | _ONE << np.uint64(63)
    return False


@inlined_rule
def plays(s, neighbours, steppers_into, action):
    """Play as most turns are, by one piece and without an end; else returns False, and nothing is changed."""
    if s.phase == GO_ON:
        return False
    points = len(s.board)
    mover = s.to_move
    hunters, prey = bits.men(s, HUNTER), bits.men(s, PREY)
    start, over, end = action, action, action
    changed = _NONE
    captures = False
    if action >= points:
        start = start_of(s, action)
        end = neighbours[start, direction_of(s, action)]
        over = end
        changed = _ONE << np.uint64(start)
        captures = s.board[end] != 0
        if captures:
            if s.jumps != ONE or s.taken[0] + 1 >= s.goal:
                return False
            end = neighbours[over, direction_of(s, action)]
            prey ^= _ONE << np.uint64(over)
    changed |= _ONE << np.uint64(end)
    hunters, prey = (hunters, prey ^ changed) if mover else (hunters ^ changed, prey)
    placing = s.hand[1 - mover] > 0
    following = hunters if mover else prey
    if not placing and not bits.can_step(steppers_into, bits.everywhere(s) & ~(hunters | prey), following):
        return False
    # All is read before anything is written, which could not be read as part of a word at once.
    if action < points:
        s.hand[mover] -= 1
    s.board[start] = 0
    s.board[over] = 0
    s.board[end] = 1 + mover
    s.taken[0] += captures
    s.quiet = 0 if captures or action < points else s.quiet + 1
    s.turn += 1
    s.to_move = 1 - mover
    s.phase = PLACE if placing else MOVE
    if s.quiet >= s.quiet_turns or s.turn >= s.max_turns:
        s.ended = BY_RULES
    return True
