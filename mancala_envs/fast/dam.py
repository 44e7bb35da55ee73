"""Dam on sets of squares: the moves of all men are found at once, those of kings along each diagonal."""

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import scale
from mancala_envs.core.rule import rule
from mancala_envs.families.points import draughts, verbs
from mancala_envs.families.points import draughts_bits as bits
from mancala_envs.families.points.bits import FITS
from mancala_envs.families.points.draughts import DIAGONALS, can_jump_from, done, is_king, is_of, leg, neighbour
from mancala_envs.families.points.verbs import is_empty, view_point
from mancala_envs.games.dam import FREE, GO_ON, legal, must_capture

_ZERO, _ONE, _SIXTY_THREE = (np.uint64(number) for number in (0, 1, 63))
WAYS = np.array(bits.BY_GOAL)


@rule
def can_jump(s, p):
    """Fast form of `draughts.can_jump`."""
    own, others, kings, empty = bits.pieces(s, p)
    if not bits.is_empty_set(bits.in_any_direction(bits.all_jumpers(s, own, others, empty))):
        return True
    return not bits.is_empty_set(bits.intersection(own, kings)) and king_can_jump(s, p)


@rule
def king_can_jump(s, p):
    """Return whether a king of player p can capture."""
    for square in range(len(s.board)):
        if s.board[square] == draughts.KING + p and can_jump_from(s, square, p):
            return True
    return False


@rule
def can_move(s, p):
    """Fast form of `draughts.can_move`; a king that can capture a distant piece can also step."""
    own, others, _, empty = bits.pieces(s, p)
    if not bits.is_empty_set(bits.in_any_direction(bits.all_steppers(s, own, empty))):
        return True
    return not bits.is_empty_set(bits.in_any_direction(bits.all_jumpers(s, own, others, empty)))


@rule
def goals(s, square, capturing):
    """Return the squares to which the mover's piece on `square` can go at the start of a turn.

    They are numbered as the mover sees them. If `capturing`, only captures count.
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
                    found = bits.with_square(found, view_point(s, s.to_move, end))
                goes = flies
            else:
                jumps += 1
                goes = is_of(s, end, 1 - s.to_move) and is_empty(s, after)
            end = after
    return found


@rule(inline=True)
def pick(s, random_word):
    """Fast form of `kernels.pick`."""
    if s.phase == GO_ON:
        return pick_further(s, random_word)
    own, others, kings, empty = bits.pieces(s, s.to_move)
    if s.capture == FREE or not bits.is_empty_set(bits.intersection(own, kings)):
        return pick_any(s, random_word)
    ways = bits.all_jumpers(s, own, others, empty)
    jumps = not bits.is_empty_set(bits.in_any_direction(ways))
    if not jumps:
        ways = bits.all_steppers(s, own, empty)
    choices = bits.size(ways[0]) + bits.size(ways[1]) + bits.size(ways[2]) + bits.size(ways[3])
    # For player 1 the same moves come in the opposite order.
    start, way = bits.select_way(ways, place_in_view(s, scale(random_word, choices), choices))
    end = neighbour(s, start, WAYS[way])
    action = leg(s, start, neighbour(s, end, WAYS[way]) if jumps else end)
    return place_in_view(s, action, done(s))


@rule(inline=True)
def place_in_view(s, place, number):
    """Return a place in a row of `number` places as the player to move counts it; player 1 counts from the end."""
    return number - 1 - place if s.to_move == 1 else place


@rule
def pick_any(s, random_word):
    """Pick an action at the start of a turn, piece by piece."""
    capturing = must_capture(s)
    choices = 0
    for start in range(len(s.board)):
        if is_of(s, start, s.to_move):
            choices += bits.size(goals(s, start, capturing))
    k = scale(random_word, choices)
    for viewed in range(len(s.board)):
        start = view_point(s, s.to_move, viewed)
        if is_of(s, start, s.to_move):
            ends = goals(s, start, capturing)
            if k < bits.size(ends):
                return leg(s, viewed, bits.select(ends, k))
            k -= bits.size(ends)
    return -1


@rule
def pick_further(s, random_word):
    """Pick an action inside a turn."""
    ends = further_goals(s)
    choices = bits.size(ends)
    k = scale(random_word, choices + legal(s, done(s)))
    return leg(s, view_point(s, s.to_move, s.moving), bits.select(ends, k)) if k < choices else done(s)


@rule
def further_goals(s):
    """Return the squares, as the mover sees them, to which the piece that goes on can go."""
    found = _ZERO, _ZERO
    start = view_point(s, s.to_move, s.moving)
    for end in range(len(s.board)):
        if legal(s, leg(s, start, end)):
            found = bits.with_square(found, end)
    return found


@rule
def only_choice(s):
    """Fast form of `verbs.only_choice`, which is only called inside a turn."""
    ends = further_goals(s)
    if bits.size(ends) != 1 or legal(s, done(s)):
        return -1
    return leg(s, view_point(s, s.to_move, s.moving), bits.select(ends, 0))


@rule(inline=True)
def write_words(s, words):
    """Fast form of `kernels.write_words`."""
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
    """Write the moves from `start`, as the board is numbered, to the squares of a set."""
    first = leg(s, view_point(s, s.to_move, start), 0)
    write_bits(words, first, ends[0])
    write_bits(words, first + 64, ends[1])


@rule(inline=True)
def write_bits(words, first, bits):
    """Set in `words`, from bit `first` on, the bits that are set in `bits`."""
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
