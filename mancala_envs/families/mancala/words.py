"""Rows of holes as the bytes of words, for fast forms: what all holes of a row are asked at once.

Flags are words whose bytes are 0 or 1, one for each hole. By shifts and sums they are read without a branch, which the
processor would have to guess.
"""

import numpy as np

from mancala_envs.core.bits import LOW_BITS
from mancala_envs.core.chance import MASK, below
from mancala_envs.core.rule import inlined_rule, rule

_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_GATHER = np.uint64(0x0102040810204080)
_ALL = np.uint64(MASK)
_ONE, _S7, _S8, _S16, _S24, _S56, _S63, _BYTE = (np.uint64(number) for number in (1, 7, 8, 16, 24, 56, 63, 255))


@rule
def row_of(low, high, width, p):
    """The row of player p, of `width` holes, as the bytes of one word; the position is the words `low` and `high`."""
    # By shifts, not by a branch on p: who moves is a coin toss to the processor.
    bits = np.uint64(8 * width)
    skipped = bits * np.uint64(p)
    # Shifts by 64 are no shifts, hence the one in advance.
    row = (low >> skipped) | ((high << _ONE) << (_S63 - skipped))
    return row & ((_ONE << bits) - _ONE)


@rule
def gather(flags):
    """Bit i is set where byte i of `flags` is 1, the others being 0."""
    # Every flag lands in the top byte at its own place; what overflows is not wanted.
    return np.uint64((int(flags) * int(_GATHER)) & MASK) >> _S56


@rule
def nonzero_flags(word):
    """1 in every byte of `word` that is not zero, 0 in the others."""
    return ((((word & _LOW_SEVEN) + _LOW_SEVEN) | word) >> _S7) & LOW_BITS


@rule
def equal_flags(word, value):
    """1 in every byte of `word` that is `value`, 0 in the others."""
    return nonzero_flags(word ^ np.uint64(int(LOW_BITS) * int(value))) ^ LOW_BITS


@rule
def ones(count):
    """1 in each of the first `count` bytes of a word, 7 at most."""
    return LOW_BITS & ~(_ALL << np.uint64(8 * count))


@rule
def select_flag(flags, luck):
    """One of the bytes that are 1 in `flags`, the others being 0, uniformly drawn by `luck`; -1 where there is none.

    It is the one that `select_bit` gives of `gather(flags)`, by arithmetic alone: tables are no good to vectors.
    """
    # Byte i counts the flags up to there; the byte wanted is the first that counts more than `k`.
    counts = np.uint64((int(flags) * int(LOW_BITS)) & MASK)
    choices = np.int64(counts >> _S56)
    k = below(luck, choices)
    more = ((counts + np.uint64(int(LOW_BITS) * (127 - k))) >> _S7) & LOW_BITS
    return 8 - sum_bytes(more) if choices else -1


@rule
def sum_bytes(word):
    """The sum of the bytes of a uint64, 255 at most."""
    return np.int64(np.uint64((int(word) * int(LOW_BITS)) & MASK) >> _S56)


@rule
def low_bits(count):
    """The lowest `count` bits: all from 64 on, none below 1."""
    # By two shifts, of which none is by 64.
    count = min(max(count, 0), 64)
    return _ALL ^ ((_ALL << np.uint64(count // 2)) << np.uint64(count - count // 2))


@inlined_rule
def write_bytes(word, count, out, first):
    """The first `count` bytes of a uint64, 8 at most, into out[first], out[first + 1], and so on."""
    # Compilers make one store of 8, 4 or 2 bytes, but single ones of any other number.
    at = 0
    for piece in (8, 4, 2, 1):
        if count & piece:
            for byte in range(piece):
                out[first + at + byte] = np.uint8((word >> np.uint64(8 * (at + byte))) & _BYTE)
            at += piece


@inlined_rule
def seen_words(low, high, mover, p, width):
    """All but the last column of `observe_rows` as two words, from the first two of the record; 4 to 6 columns."""
    own, other = row_of(low, high, width, p), row_of(low, high, width, 1 - p)
    stores = high >> np.uint64(16 * width - 64)
    own_store, other_store = stores >> np.uint64(8 * p) & _BYTE, stores >> np.uint64(8 - 8 * p) & _BYTE
    rest = own_store | other_store << _S8 | np.uint64(mover == p) << _S16 | np.uint64(mover < 0) << _S24
    return (
        own | other << np.uint64(8 * width),
        other >> np.uint64(64 - 8 * width) | rest << np.uint64(16 * width - 64),
    )


@rule
def hole_bits(s, word):
    """Bit i is set where hole 64 * word + i holds seeds."""
    bits = np.uint64(0)
    left = len(s.holes) - 64 * word
    for eight in range(min(8, (left + 7) // 8)):
        bits |= gather(nonzero_flags(s.holes_word[8 * word + eight])) << np.uint64(8 * eight)
    return bits & low_bits(left)


@inlined_rule
def lifts_word(s, first, end, word):
    """Those of the holes `first` to `end` - 1 that hold seeds, as bits of a word of legal actions."""
    if 64 * word >= len(s.holes):
        return np.uint64(0)
    return hole_bits(s, word) & low_bits(end - 64 * word) & ~low_bits(first - 64 * word)


@inlined_rule
def steps_word(s, ways, word):
    """A set of headings, bit h for heading h, as bits of a word of legal actions in which steps follow the holes."""
    first = len(s.holes) - 64 * word
    if first >= 64:
        return np.uint64(0)
    return np.uint64(ways) << np.uint64(first) if first >= 0 else np.uint64(ways) >> np.uint64(-first)
