"""Fast forms that wars and hunts share: the men that can step or jump are eight sets of points, one per direction.

Random choices for many games are made as vector instructions. A game replaces `choice_sets`, which says what may move,
and on another board `moves`.
"""

import numpy as np

from mancala_envs.core import contract, kernels
from mancala_envs.core.bits import count_bits, find_bit, sum_bytes
from mancala_envs.core.chance import MASK, mix, scale, stream
from mancala_envs.core.rule import Rule, rule
from mancala_envs.families.points import bits
from mancala_envs.families.points.forty_nine import BOARD
from mancala_envs.families.points.verbs import WAYS

SHIFTS = bits.shifts(BOARD)
LANES = 32
"""Number of games whose choices are made at once."""
_NONE, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64(MASK)


# Rules that a game replaces.


@rule(inline=True)
def choice_sets(s):
    """Return what the player to move can choose from; the result has no meaning when the game is over.

    Returns:
        Three sets of points: the men that may move, the men that they can capture, and the empty points. Then 1 or 0
        for each of: capturing is optional, a man goes on capturing, a piece is to be placed.
    """
    raise RuntimeError("each game must define choice_sets")


@rule(inline=True)
def moves(own, other, empty, steppers):
    """Return `bits.moves` on the board of 49 points; games on other boards replace this rule."""
    return bits.moves(SHIFTS, own, other, empty, steppers)


@rule(inline=True)
def first_move(s):
    """Return the number of the first action that moves; actions that place pieces come before it."""
    return len(s.board)


# Fast forms of plain rules.


@rule(inline=True)
def legal_moves(own, other, empty, free, going):
    """Return the legal moves as the result of `moves`."""
    captures = bits.movers(moves(own, other, empty, _NONE)) != 0
    return moves(own, other, empty, _NONE if going | (captures & (1 - free)) else _ALL)


@rule(inline=True)
def choose_action(first, done, own, other, empty, free, going, placing, random_word):
    """Pick an action from the results of `choice_sets`, without branches.

    `first` is the first action that moves and `done` is the last action.
    """
    found = legal_moves(own, other, empty, free, going)
    counts = bits.count_moves(found)
    choices = sum_bytes(counts)
    k = scale(random_word, count_bits(empty) if placing else choices + (free & going))
    move = first + bits.find_move(found, counts, k)
    return find_bit(empty, k, 64) if placing else move if k < choices else done


@rule(inline=True)
def legal_word(s, word):
    """Fast form of `contract.legal_word`."""
    own, other, empty, free, going, placing = choice_sets(s)
    if placing:
        return empty if word == 0 else _NONE
    found = legal_moves(own, other, empty, free, going)
    first = first_move(s)
    here = bits.moves_word(found, word) << np.uint64(first)
    # Two shifts, because `first` may be 0 and a shift by 64 is undefined.
    rest = bits.moves_word(found, word - 1) >> _ONE >> np.uint64(63 - first) if word > 0 else _NONE
    done = first + WAYS * len(s.board)
    return here | rest | np.uint64(free & going & (word == done // 64)) << np.uint64(done % 64)


@rule(inline=True)
def pick(s, random_word):
    """Fast form of `kernels.pick`."""
    own, other, empty, free, going, placing = choice_sets(s)
    first = first_move(s)
    return choose_action(first, first + WAYS * len(s.board), own, other, empty, free, going, placing, random_word)


@rule(allocates=True)
def sample_many_loop(states, rules, seed, first, out):
    """Fast form of `kernels.sample_many_loop`: the choices, in a loop of their own, become vector instructions."""
    own, other, empty = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    free, going, placing = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    actions = np.zeros(LANES, np.int64)
    for begin in range(0, len(states), LANES):
        lanes = min(LANES, len(states) - begin)
        first_action = first_move(states[begin])
        done = first_action + WAYS * len(states[begin].board)
        for k in range(lanes):
            if states[begin + k].rules != rules:
                return begin + k
            own[k], other[k], empty[k], free[k], going[k], placing[k] = choice_sets(states[begin + k])
        for k in range(LANES):
            random_word = mix(stream(seed, first + begin + k))
            actions[k] = choose_action(
                first_action, done, own[k], other[k], empty[k], free[k], going[k], placing[k], random_word
            )
        for k in range(lanes):
            out[begin + k] = actions[k] if states[begin + k].to_move >= 0 else -1
    return -1


FORMS: dict[Rule, Rule] = {
    contract.legal_word: legal_word,
    kernels.pick: pick,
    kernels.sample_many_loop: sample_many_loop,
}
