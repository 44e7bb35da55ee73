"""Fast forms of Koti Keliya: sets of points find the pieces, tables find their moves."""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import LOW_BITS, count_bits, lowest_bit, select_bit, turn_over
from mancala_envs.core.book import Fast
from mancala_envs.core.chance import scale
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.points import bits
from mancala_envs.families.points.board import NOWHERE
from mancala_envs.families.points.draughts import BOARDS, NEIGHBOURS, SIZES, number
from mancala_envs.families.points.hunts import HUNTER, PLACE, PREY
from mancala_envs.families.points.verbs import WAYS, direction_of, start_of
from mancala_envs.games import koti_keliya
from mancala_envs.games.koti_keliya import DOUBLE, SOUTH_EAST, SOUTH_WEST, cattle, heading, squares_of
from mancala_envs.games.koti_keliya import play as plain_play

_NONE, _ONE = np.uint64(0), np.uint64(1)

# A set of points is two words, in which point 64 * h + 8 * i + j is bit 8 * j + i of word h.


def as_set(points):
    """Return a set of points as two words."""
    words = [0, 0]
    for point in points:
        words[point // 64] |= 1 << 8 * (point % 8) + point % 64 // 8
    return words


NEAR, FAR = NEIGHBOURS.copy(), NEIGHBOURS.copy()
"""By `[number of the board, point, direction]`: the next square and the one after it.

If there is no such square, the entry is the point itself, which is not empty when a piece moves from it.
"""
ONLY, BESIDE, ABOVE = (np.zeros((*NEIGHBOURS.shape[:2], 2), np.uint64) for _ in range(3))
"""By `[number of the board, point]`: the sets of the point itself, its neighbours, and the points in rows above it."""
for _number, _board in enumerate(BOARDS):
    _width = SIZES[_number] // 2
    for _point, _ends in enumerate(_board.neighbours.tolist()):
        for _direction, _end in enumerate(_ends):
            _beyond = NEIGHBOURS[_number, _end, _direction] if _end != NOWHERE else NOWHERE
            NEAR[_number, _point, _direction] = _end if _end != NOWHERE else _point
            FAR[_number, _point, _direction] = _beyond if _beyond != NOWHERE else _point
        ONLY[_number, _point] = as_set([_point])
        BESIDE[_number, _point] = as_set(end for end in _ends if end != NOWHERE)
        ABOVE[_number, _point] = as_set(range(_point // _width * _width))


@rule(inline=True)
def men(s, man):
    """Return the set of points with pieces of a code."""
    low = _NONE
    for word in range(min(len(s.board) // 8, 8)):
        low |= flags(s, word, man) << np.uint64(word)
    rest = len(s.board) % 64
    if rest % 8:
        within = (_ONE << np.uint64(8 * (rest % 8))) - _ONE
        low |= (flags(s, rest // 8, man) & within) << np.uint64(rest // 8)
    return low, flags(s, 8, man) if len(s.board) > 64 else _NONE


@rule(inline=True)
def flags(s, word, man):
    """Return a word of the board with 1 in every byte that holds a piece of this code."""
    return s.board_word[word] >> np.uint64(man - 1) & LOW_BITS


@rule(inline=True)
def first_of(low, high):
    """Return one point of a set, which must not be empty."""
    bit = lowest_bit(low if low else high)
    return (0 if low else 64) + 8 * (bit % 8) + bit // 8


@rule(inline=True)
def free_squares(s, point, direction):
    """Fast form of `koti_keliya.free_squares`."""
    near = s.board[NEAR[number(s), point, direction]] == 0
    if s.board[point] != HUNTER:
        return np.int64(near & (direction in (SOUTH_EAST, SOUTH_WEST)))
    far = near & (s.board[FAR[number(s), point, direction]] == 0) & (s.reach == DOUBLE)
    return np.int64(near) + np.int64(far)


@rule(inline=True)
def moves_from(s, point):
    """Return the moves of the piece on a point as bits, by the direction in their action numbers."""
    moves = _NONE
    for direction in range(1, WAYS, 2):
        # In action numbers, a move of two squares comes just before the move of one square.
        squares = free_squares(s, point, direction)
        moves |= np.uint64((squares > 0) * 2 + (squares > 1)) << np.uint64(direction - 1)
    return moves


@rule(inline=True)
def legal_word(s, word):
    """Fast form of `contract.legal_word`."""
    points = len(s.board)
    found = _NONE
    if s.phase == PLACE:
        for point in range(64 * word, min(points, 64 * word + 64)):
            found |= np.uint64(s.board[point] == 0) << np.uint64(point % 64)
        return found
    before = 64 * word - points
    for point in range(max(before - WAYS + 1, 0) // WAYS, min((before + 64 + WAYS - 1) // WAYS, points)):
        if s.board[point] == 1 + s.to_move:
            moves = moves_from(s, point)
            place = WAYS * point - before
            found |= moves << np.uint64(place) if place >= 0 else moves >> np.uint64(-place)
    return found


@rule(inline=True)
def pick(s, random_word):
    """Fast form of `kernels.pick`."""
    points = len(s.board)
    if s.phase == PLACE:
        return cattle(s) + scale(random_word, points - cattle(s))
    if s.to_move == 0:
        low, high = men(s, HUNTER)
        leopard = first_of(low, high)
        moves = moves_from(s, leopard)
        return points + WAYS * leopard + select_bit(moves, scale(random_word, count_bits(moves)), WAYS)
    return points + pick_cow(s, random_word)


@rule(inline=True)
def pick_cow(s, random_word):
    """Pick a move of the cattle; return 8 * point + direction."""
    low, high = men(s, PREY)
    low = turn_over(low)
    # Two bits for each of the cattle, in the order of their points.
    moves, rest, rest_high = _NONE, low, high
    for cow in range(cattle(s)):
        point = lowest_bit(rest) if rest else 64 + lowest_bit(rest_high) // 8
        ways = free_squares(s, point, SOUTH_EAST) + 2 * free_squares(s, point, SOUTH_WEST)
        moves |= np.uint64(ways) << np.uint64(2 * cow)
        rest_high = rest_high if rest else rest_high & (rest_high - _ONE)
        rest = rest & (rest - _ONE) if rest else rest
    bit = select_bit(moves, scale(random_word, count_bits(moves)), 16)
    cow = bit // 2
    below = count_bits(low)
    point = select_bit(low, cow, 64) if cow < below else 64 + select_bit(high, cow - below, 64) // 8
    return WAYS * point + (SOUTH_WEST if bit % 2 else SOUTH_EAST)


@rule(inline=True)
def play(s, action):
    """Fast form of `koti_keliya.play`; the plain rule places the leopard and ends the game."""
    if s.phase == PLACE:
        plain_play(s, action)
        return
    mover = s.to_move
    way = direction_of(s, action)
    start = start_of(s, action)
    end = NEAR[number(s), start, heading(way)] if squares_of(way) == 1 else FAR[number(s), start, heading(way)]
    low, high = men(s, PREY)
    leopard = end
    if mover == 1:
        low ^= ONLY[number(s), start, 0] ^ ONLY[number(s), end, 0]
        high ^= ONLY[number(s), start, 1] ^ ONLY[number(s), end, 1]
        leopard_low, leopard_high = men(s, HUNTER)
        leopard = first_of(leopard_low, leopard_high)
    goes_on = has_any(BESIDE, s, leopard, ~low, ~high) if mover else cattle_can_move(s, low, high, start, end)
    if not goes_on or not has_any(ABOVE, s, leopard, low, high):
        plain_play(s, action)
        return
    # All reads come before the writes, because reading a word just after one of its bytes was written is slow.
    s.board[start] = 0
    s.board[end] = 1 + mover
    s.turn += 1
    s.to_move = 1 - mover
    if s.turn >= s.max_turns:
        s.ended = BY_RULES


@rule(inline=True)
def has_any(sets, s, point, low, high):
    """Return whether the set of a point in the table `sets` has a point in common with the set (low, high)."""
    return (sets[number(s), point, 0] & low | sets[number(s), point, 1] & high) != 0


@rule(inline=True)
def cattle_can_move(s, low, high, start, end):
    """Return whether any of the cattle can move once the leopard has gone from `start` to `end`."""
    while low | high:
        point = first_of(low, high)
        for direction in (SOUTH_EAST, SOUTH_WEST):
            below = NEAR[number(s), point, direction]
            if below == start or (s.board[below] == 0 and below != end):
                return True
        low, high = (low & (low - _ONE), high) if low else (low, high & (high - _ONE))
    return False


FAST = Fast(
    forms={
        contract.legal_word: legal_word,
        kernels.pick: pick,
        koti_keliya.free_squares: free_squares,
        koti_keliya.play: play,
    },
    fits=lambda options: bits.FITS,
)
