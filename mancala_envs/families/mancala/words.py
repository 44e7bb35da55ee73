"""Rows of holes as the bytes of words, for fast forms; see `core.bits` for operations on them."""

from collections.abc import Sequence

import numpy as np

from mancala_envs.core.bits import gather, low_bits, nonzero_flags
from mancala_envs.core.record import Field, record_dtype
from mancala_envs.core.rule import rule

_ONE, _S8, _S16, _S24, _S63, _BYTE = (np.uint64(number) for number in (1, 8, 16, 24, 63, 255))


@rule
def row_of(low, high, width, p):
    """Return the row of player p, `width` holes, as the bytes of one word of the position (`low`, `high`)."""
    # Shifts avoid an unpredictable branch on p.
    bits = np.uint64(8 * width)
    skipped = bits * np.uint64(p)
    # A shift by 64 has no effect, so shift by one first.
    row = (low >> skipped) | ((high << _ONE) << (_S63 - skipped))
    return row & ((_ONE << bits) - _ONE)


@rule(inline=True)
def packed(first, second, rest, width):
    """Return two rows of 4 to 7 holes, and the rest of the record, as its first two words."""
    return (
        first | second << np.uint64(8 * width),
        second >> np.uint64(64 - 8 * width) | rest << np.uint64(16 * width - 64),
    )


@rule(inline=True)
def observation_words(low, high, mover, p, width):
    """Return all but the last column of `observe_rows` as two words, for boards with 4 to 6 columns."""
    own, other = row_of(low, high, width, p), row_of(low, high, width, 1 - p)
    stores = high >> np.uint64(16 * width - 64)
    own_store, other_store = stores >> np.uint64(8 * p) & _BYTE, stores >> np.uint64(8 - 8 * p) & _BYTE
    rest = own_store | other_store << _S8 | np.uint64(mover == p) << _S16 | np.uint64(mover < 0) << _S24
    return packed(own, other, rest, width)


def are_adjacent(fields: Sequence[Field]) -> bool:
    """Return whether holes, stores and the player to move are adjacent in the record, as these rules require."""
    names = record_dtype(fields).names or ()
    first = names.index("holes")
    return names[first : first + 3] == ("holes", "store", "to_move")


@rule
def hole_bits(s, word):
    """Return a word in which bit i is set if hole 64 * word + i holds seeds."""
    bits = np.uint64(0)
    left = len(s.holes) - 64 * word
    for eight in range(min(8, (left + 7) // 8)):
        bits |= gather(nonzero_flags(s.holes_word[8 * word + eight])) << np.uint64(8 * eight)
    return bits & low_bits(left)


@rule(inline=True)
def steps_word(s, ways, word):
    """Return a set of headings as bits of a word of legal actions in which steps follow the holes."""
    first = len(s.holes) - 64 * word
    if first >= 64:
        return np.uint64(0)
    return np.uint64(ways) << np.uint64(first) if first >= 0 else np.uint64(ways) >> np.uint64(-first)
