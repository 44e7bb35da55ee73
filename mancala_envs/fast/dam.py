"""Dam on sets of squares: what all men can do is found at once, what kings can along their diagonals."""

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import scale
from mancala_envs.core.rule import rule
from mancala_envs.families.points import draughts, verbs
from mancala_envs.families.points.draughts import DIAGONALS, can_jump_from, done, is_king, is_of, leg, neighbour
from mancala_envs.families.points.draughts_bits import (
    BY_GOAL,
    FITS,
    all_jumpers,
    all_steppers,
    in_any_direction,
    intersection,
    is_empty_set,
    pieces,
    select,
    select_way,
    size,
    with_square,
)
from mancala_envs.families.points.verbs import is_empty, view_point
from mancala_envs.games.dam import FREE, GO_ON, legal, must_capture

_ZERO, _ONE, _SIXTY_THREE = (np.uint64(number) for number in (0, 1, 63))
WAYS = np.array(BY_GOAL)


@rule
def can_jump(s, p):
    """`draughts.can_jump`."""
    own, others, kings, empty = pieces(s, p)
    if not is_empty_set(in_any_direction(all_jumpers(s, own, others, empty))):
        return True
    return not is_empty_set(intersection(own, kings)) and king_can_jump(s, p)


@rule
def king_can_jump(s, p):
    """Whether a king of player p can capture."""
    for square in range(len(s.board)):
        if s.board[square] == draughts.KING + p and can_jump_from(s, square, p):
            return True
    return False


@rule
def can_move(s, p):
    """`draughts.can_move`: who can capture from afar can step."""
    own, others, _, empty = pieces(s, p)
    if not is_empty_set(in_any_direction(all_steppers(s, own, empty))):
        return True
    return not is_empty_set(in_any_direction(all_jumpers(s, own, others, empty)))


@rule
def goals(s, square, capturing):
    """The squares to which the mover's piece on `square` can go as the turn begins, if `capturing` only by captures.

    They are numbered as the mover sees them.
    """
    found = _ZERO, _ZERO
    flies = is_king(s, square)
    for direction in DIAGONALS:
        jumps = 0
        end = neighbour(s, square, direction)
        goes = True
        while goes and end >= 0:
            after = neighbour(s, end, direction)
            if is_empty(s, end):
                if jumps > 0 or not capturing:
                    found = with_square(found, view_point(s, s.to_move, end))
                goes = flies
            else:
                jumps += 1
                goes = is_of(s, end, 1 - s.to_move) and is_empty(s, after)
            end = after
    return found


@rule(inline=True)
def pick(s, random_word):
    """`kernels.pick`."""
    if s.phase == GO_ON:
        return pick_further(s, random_word)
    own, others, kings, empty = pieces(s, s.to_move)
    if s.capture == FREE or not is_empty_set(intersection(own, kings)):
        return pick_any(s, random_word)
    ways = all_jumpers(s, own, others, empty)
    jumps = not is_empty_set(in_any_direction(ways))
    if not jumps:
        ways = all_steppers(s, own, empty)
    choices = size(ways[0]) + size(ways[1]) + size(ways[2]) + size(ways[3])
    # From player 1's side the same ways come in the opposite order.
    start, way = select_way(ways, turned_place(s, scale(random_word, choices), choices))
    end = neighbour(s, start, WAYS[way])
    action = leg(s, start, neighbour(s, end, WAYS[way]) if jumps else end)
    return turned_place(s, action, done(s))


@rule(inline=True)
def turned_place(s, place, number):
    """A place in a row of so many as the player to move counts them: player 1 does from the other end."""
    return number - 1 - place if s.to_move == 1 else place


@rule
def pick_any(s, random_word):
    """`pick` at the beginning of a turn, piece by piece."""
    capturing = must_capture(s)
    choices = 0
    for start in range(len(s.board)):
        if is_of(s, start, s.to_move):
            choices += size(goals(s, start, capturing))
    k = scale(random_word, choices)
    for seen in range(len(s.board)):
        start = view_point(s, s.to_move, seen)
        if is_of(s, start, s.to_move):
            ends = goals(s, start, capturing)
            if k < size(ends):
                return leg(s, seen, select(ends, k))
            k -= size(ends)
    return -1


@rule
def pick_further(s, random_word):
    """`pick` inside a turn."""
    ends = further_goals(s)
    choices = size(ends)
    k = scale(random_word, choices + legal(s, done(s)))
    return leg(s, view_point(s, s.to_move, s.moving), select(ends, k)) if k < choices else done(s)


@rule
def further_goals(s):
    """The squares, as the mover sees them, to which the piece that goes on can go."""
    found = _ZERO, _ZERO
    start = view_point(s, s.to_move, s.moving)
    for end in range(len(s.board)):
        if legal(s, leg(s, start, end)):
            found = with_square(found, end)
    return found


@rule
def only_choice(s):
    """`verbs.only_choice`, inside a turn."""
    ends = further_goals(s)
    if size(ends) != 1 or legal(s, done(s)):
        return -1
    return leg(s, view_point(s, s.to_move, s.moving), select(ends, 0))


@rule(inline=True)
def write_words(s, words):
    """`kernels.write_words`."""
    words[:] = 0
    if s.phase == GO_ON:
        write_goals(s, words, s.moving, further_goals(s))
        words[-1] |= np.uint64(legal(s, done(s))) << np.uint64(done(s) % 64)
        return
    capturing = must_capture(s)
    for start in range(len(s.board)):
        if is_of(s, start, s.to_move):
            write_goals(s, words, start, goals(s, start, capturing))


@rule(inline=True)
def write_goals(s, words, start, ends):
    """Write the moves from `start`, a square of the board, to all squares of a set."""
    first = leg(s, view_point(s, s.to_move, start), 0)
    write_bits(words, first, ends[0])
    write_bits(words, first + 64, ends[1])


@rule(inline=True)
def write_bits(words, first, bits):
    """Set the bits that are set in `bits`, from bit `first` on."""
    word, shift = first // 64, np.uint64(first % 64)
    if bits:
        words[word] |= bits << shift
    rest = bits >> _ONE >> (_SIXTY_THREE - shift)
    if rest:
        words[word + 1] |= rest


FAST = Fast(
    forms={
        kernels.pick: pick,
        kernels.write_words: write_words,
        draughts.can_jump: can_jump,
        draughts.can_move: can_move,
        verbs.only_choice: only_choice,
    },
    fits=lambda options: FITS,
)
