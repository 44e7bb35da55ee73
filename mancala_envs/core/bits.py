"""Words of 64 bits: sets as their bits, and rows of numbers as their bytes, of which all are asked at once.

By shifts and sums they are read without a branch, which the processor would have to guess.
"""

import numpy as np

from mancala_envs.core.chance import MASK, below, scale
from mancala_envs.core.rule import rule

LOW_BITS = np.uint64(0x0101010101010101)
"""1 in every byte of a word."""
_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_GATHER = np.uint64(0x0102040810204080)
_GATHER_TURNED = np.uint64(0x8040201008040201)
_ALL = np.uint64(MASK)
_ONE, _S2, _S4, _S7, _S56, _BYTE = (np.uint64(number) for number in (1, 2, 4, 7, 56, 255))
_FIVES, _THREES, _FIFTEENS = (np.uint64(MASK // 255 * byte) for byte in (0x55, 0x33, 0x0F))

SELECT = np.zeros((256, 8), np.int64)
"""`SELECT[byte, k]`: place of the byte's k-th bit, counted from 0."""
for _byte in range(256):
    for _k, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        SELECT[_byte, _k] = _place


@rule
def count_bits(bits):
    """How many bits of a uint64 are set. Compilers know this sum and make one instruction of it."""
    return sum_bytes(count_in_bytes(bits))


@rule
def count_in_bytes(bits):
    """In every byte, how many of its bits are set."""
    bits = bits - ((bits >> _ONE) & _FIVES)
    bits = (bits & _THREES) + ((bits >> _S2) & _THREES)
    return (bits + (bits >> _S4)) & _FIFTEENS


@rule
def select_bit(bits, k, width):
    """Place of the k-th bit of a uint64, counted from 0; there must be one. All bits lie below `width`."""
    place = np.int64(0)
    for half in (32, 16, 8):
        bits, k, place = skip_half(bits, k, place, half, width)
    return place + SELECT[np.int64(bits & _BYTE), k & 7]


@rule(inline=True)
def skip_half(bits, k, place, half, width):
    """Leave out the lower `half` bits where the k-th one is not among them."""
    # Halves are chosen by arithmetic, not by branches; of those that `width` makes needless nothing is compiled.
    if width <= half:
        return bits, k, place
    below = count_bits(bits & ((_ONE << np.uint64(half)) - _ONE))
    skip = half if k >= below else 0
    return bits >> np.uint64(skip), k - (below if k >= below else 0), place + skip


@rule(inline=True)
def draw_bit(bits, luck, width):
    """The place of one of the bits of a uint64, uniformly drawn by the mixed random word `luck`; -1 for no bits.

    It is the one that `select_bit` gives.
    """
    choices = count_bits(bits)
    place = find_bit(bits, scale(luck, choices), width)
    return place if choices else -1


@rule(inline=True)
def find_bit(bits, k, width):
    """`select_bit` by arithmetic alone: vector instructions cannot look into tables."""
    place = np.int64(0)
    for half in (32, 16, 8, 4, 2, 1):
        bits, k, place = skip_half(bits, k, place, half, width)
    return place


@rule
def low_bits(number):
    """The lowest `number` bits: all from 64 on, none below 1."""
    # By two shifts, of which none is by 64.
    number = min(max(number, 0), 64)
    return _ALL ^ ((_ALL << np.uint64(number // 2)) << np.uint64(number - number // 2))


# Bytes: flags are words whose bytes are 0 or 1.


@rule
def gather(flags):
    """Bit i is set where byte i of `flags` is 1, the others being 0."""
    # Every flag lands in the top byte at its own place; what overflows is not wanted.
    return np.uint64((int(flags) * int(_GATHER)) & MASK) >> _S56


@rule
def gather_turned(flags, turn):
    """`gather`; where `turn` is true bit 7 - i is set in place of bit i."""
    places = _GATHER_TURNED if turn else _GATHER
    return np.uint64((int(flags) * int(places)) & MASK) >> _S56


@rule
def nonzero_flags(word):
    """1 in every byte of `word` that is not zero, 0 in the others."""
    return ((((word & _LOW_SEVEN) + _LOW_SEVEN) | word) >> _S7) & LOW_BITS


@rule
def equal_flags(word, value):
    """1 in every byte of `word` that is `value`, 0 in the others."""
    return nonzero_flags(word ^ np.uint64(int(LOW_BITS) * int(value))) ^ LOW_BITS


@rule
def ones(number):
    """1 in each of the first `number` bytes of a word, 7 at most."""
    return LOW_BITS & ~(_ALL << np.uint64(8 * number))


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
def turn_over(word):
    """Bit 8 * i + j of a uint64 becomes bit 8 * j + i: its bytes as rows become columns."""
    # Squares of one bit beside the diagonal change places, then of two bits by two, then of four by four.
    for shift, squares in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        change = (word ^ (word >> np.uint64(shift))) & np.uint64(squares)
        word ^= change ^ (change << np.uint64(shift))
    return word


@rule(inline=True)
def write_bytes(word, number, out, first):
    """The first `number` bytes of a uint64, 8 at most, into out[first], out[first + 1], and so on."""
    # Compilers make one store of 8, 4 or 2 bytes, but single ones of any other number.
    at = 0
    for piece in (8, 4, 2, 1):
        if number & piece:
            for byte in range(piece):
                out[first + at + byte] = np.uint8((word >> np.uint64(8 * (at + byte))) & _BYTE)
            at += piece
