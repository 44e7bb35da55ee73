"""Operations on 64-bit words, used as sets of bits or as rows of eight bytes.

They handle all bits or bytes at once by shifts and sums, without unpredictable branches.
"""

import numpy as np

from mancala_envs.core.chance import MASK, below, scale
from mancala_envs.core.rule import rule

LOW_BITS = np.uint64(0x0101010101010101)
"""The word in which every byte is 1."""
_LOW_SEVEN = np.uint64(0x7F7F7F7F7F7F7F7F)
_GATHER = np.uint64(0x0102040810204080)
_GATHER_TURNED = np.uint64(0x8040201008040201)
_ALL = np.uint64(MASK)
_ONE, _S2, _S4, _S7, _S56, _BYTE = (np.uint64(number) for number in (1, 2, 4, 7, 56, 255))
_FIVES, _THREES, _FIFTEENS = (np.uint64(MASK // 255 * byte) for byte in (0x55, 0x33, 0x0F))

SELECT = np.zeros((256, 8), np.int64)
"""`SELECT[byte, k]`: the index of the k-th set bit of a byte; bits and k count from 0."""
for _byte in range(256):
    for _k, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        SELECT[_byte, _k] = _place


@rule
def count_bits(bits):
    """Return how many bits of a uint64 are set. LLVM recognises this sum and makes it one instruction."""
    return sum_bytes(count_in_bytes(bits))


@rule(inline=True)
def lowest_bit(bits):
    """Return the index of the lowest set bit of a uint64 that is not zero."""
    return count_bits(~bits & (bits - _ONE))


@rule
def count_in_bytes(bits):
    """Return a word in which each byte is the number of set bits in that byte of `bits`."""
    bits = bits - ((bits >> _ONE) & _FIVES)
    bits = (bits & _THREES) + ((bits >> _S2) & _THREES)
    return (bits + (bits >> _S4)) & _FIFTEENS


@rule
def select_bit(bits, k, width):
    """Return the index of the k-th set bit of a uint64, both counted from 0.

    There must be such a bit, and all set bits must lie below `width`.
    """
    place = np.int64(0)
    for half in (32, 16, 8):
        bits, k, place = skip_half(bits, k, place, half, width)
    return place + SELECT[np.int64(bits & _BYTE), k & 7]


@rule(inline=True)
def skip_half(bits, k, place, half, width):
    """Shift the lower `half` bits out if the k-th set bit is not among them."""
    # `width` is a constant, so steps that it makes unnecessary are not compiled.
    if width <= half:
        return bits, k, place
    below = count_bits(bits & ((_ONE << np.uint64(half)) - _ONE))
    skip = half if k >= below else 0
    return bits >> np.uint64(skip), k - (below if k >= below else 0), place + skip


@rule(inline=True)
def draw_bit(bits, random_word, width):
    """Return the index of a uniformly drawn set bit of a uint64, or -1 if none is set.

    `random_word` is an output of `chance.mix`. All set bits must lie below `width`.
    """
    choices = count_bits(bits)
    place = find_bit(bits, scale(random_word, choices), width)
    return place if choices else -1


@rule(inline=True)
def find_bit(bits, k, width):
    """Do the same as `select_bit` without a table, so that loops compile to vector instructions."""
    place = np.int64(0)
    for half in (32, 16, 8, 4, 2, 1):
        bits, k, place = skip_half(bits, k, place, half, width)
    return place


@rule
def low_bits(number):
    """Return a word whose lowest `number` bits are set: all for 64 and more, none for 0 and less."""
    # Two shifts, because a shift by 64 is undefined.
    number = min(max(number, 0), 64)
    return _ALL ^ ((_ALL << np.uint64(number // 2)) << np.uint64(number - number // 2))


# Bytes. Flags are words whose bytes are 0 or 1.


@rule
def gather(flags):
    """Return a word with bit i set if byte i of `flags` is 1."""
    # The product moves each flag to its own bit of the top byte.
    return np.uint64((int(flags) * int(_GATHER)) & MASK) >> _S56


@rule
def gather_turned(flags, turn):
    """Do the same as `gather`, but for byte i set bit 7 - i if `turn` is true."""
    places = _GATHER_TURNED if turn else _GATHER
    return np.uint64((int(flags) * int(places)) & MASK) >> _S56


@rule
def nonzero_flags(word):
    """Return flags of the bytes of `word` that are not zero."""
    return ((((word & _LOW_SEVEN) + _LOW_SEVEN) | word) >> _S7) & LOW_BITS


@rule
def equal_flags(word, value):
    """Return flags of the bytes of `word` that equal `value`."""
    return nonzero_flags(word ^ np.uint64(int(LOW_BITS) * int(value))) ^ LOW_BITS


@rule
def ones(number):
    """Return flags of the first `number` bytes, at most 7."""
    return LOW_BITS & ~(_ALL << np.uint64(8 * number))


@rule
def select_flag(flags, random_word):
    """Return the index of a uniformly drawn flag; -1 if there is none.

    `random_word` is a generator state (see `core.chance`). The result is that of `select_bit` on `gather(flags)`, but
    without a table, so that loops compile to vector instructions.
    """
    # Byte i of `counts` is the number of flags in bytes 0 to i. The result is the first byte with more than `k`.
    counts = np.uint64((int(flags) * int(LOW_BITS)) & MASK)
    choices = np.int64(counts >> _S56)
    k = below(random_word, choices)
    more = ((counts + np.uint64(int(LOW_BITS) * (127 - k))) >> _S7) & LOW_BITS
    return 8 - sum_bytes(more) if choices else -1


@rule
def sum_bytes(word):
    """Return the sum of the bytes of a uint64, which must be at most 255."""
    return np.int64(np.uint64((int(word) * int(LOW_BITS)) & MASK) >> _S56)


@rule
def turn_over(word):
    """Transpose the 8 x 8 bits of a uint64: bit 8 * i + j becomes bit 8 * j + i."""
    # Swap blocks of 1 x 1 bit across the diagonal, then of 2 x 2, then of 4 x 4.
    for shift, squares in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        change = (word ^ (word >> np.uint64(shift))) & np.uint64(squares)
        word ^= change ^ (change << np.uint64(shift))
    return word


@rule(inline=True)
def write_bytes(word, number, out, first):
    """Write the first `number` bytes of a uint64, at most 8, into out[first], out[first + 1] and so on."""
    # Compilers merge stores of 8, 4 or 2 bytes into one, but not of other numbers.
    at = 0
    for piece in (8, 4, 2, 1):
        if number & piece:
            for byte in range(piece):
                out[first + at + byte] = np.uint8((word >> np.uint64(8 * (at + byte))) & _BYTE)
            at += piece
