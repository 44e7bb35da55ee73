"""Sets of actions as the bits of a word: kernels choose among them without branches that a processor must guess."""

import numpy as np

from mancala_envs.core.chance import MASK, scale
from mancala_envs.core.rule import inlined_rule, rule

LOW_BITS = np.uint64(0x0101010101010101)
"""1 in every byte of a word."""
_ONE, _S2, _S4, _S56, _BYTE = (np.uint64(number) for number in (1, 2, 4, 56, 255))
_FIVES, _THREES, _FIFTEENS = (np.uint64(MASK // 255 * byte) for byte in (0x55, 0x33, 0x0F))

SELECT = np.zeros((256, 8), np.int64)
"""`SELECT[byte, k]`: place of the byte's k-th bit, counted from 0."""
for _byte in range(256):
    for _k, _place in enumerate(place for place in range(8) if _byte >> place & 1):
        SELECT[_byte, _k] = _place


@rule
def count_bits(bits):
    """How many bits of a uint64 are set. Compilers know this sum and make one instruction of it."""
    bits = bits - ((bits >> _ONE) & _FIVES)
    bits = (bits & _THREES) + ((bits >> _S2) & _THREES)
    bits = (bits + (bits >> _S4)) & _FIFTEENS
    return np.int64(np.uint64((int(bits) * int(LOW_BITS)) & MASK) >> _S56)


@rule
def select_bit(bits, k, width):
    """Place of the k-th bit of a uint64, counted from 0; there must be one. All bits lie below `width`."""
    place = np.int64(0)
    for half in (32, 16, 8):
        bits, k, place = skip_half(bits, k, place, half, width)
    return place + SELECT[np.int64(bits & _BYTE), k & 7]


@inlined_rule
def skip_half(bits, k, place, half, width):
    """Leave out the lower `half` bits where the k-th one is not among them."""
    # Halves are chosen by arithmetic, not by branches; of those that `width` makes needless nothing is compiled.
    if width <= half:
        return bits, k, place
    below = count_bits(bits & ((_ONE << np.uint64(half)) - _ONE))
    skip = half if k >= below else 0
    return bits >> np.uint64(skip), k - (below if k >= below else 0), place + skip


@inlined_rule
def draw_bit(bits, luck, width):
    """The place of one of the bits of a uint64, uniformly drawn by the mixed random word `luck`; -1 for no bits.

    It is the one that `select_bit` gives, by arithmetic alone: vector instructions cannot look into tables.
    """
    choices = count_bits(bits)
    k, place = scale(luck, choices), np.int64(0)
    for half in (32, 16, 8, 4, 2, 1):
        bits, k, place = skip_half(bits, k, place, half, width)
    return place if choices else -1
