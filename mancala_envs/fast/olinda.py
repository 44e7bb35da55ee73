"""The law of `row_law` by words, for nearly all turns: without branches that the processor would have to guess.

A position `is_open` where it lies within two words and no hole is blind. `back` is 1 where play goes clockwise, else 0.
The plain rules are the law, and what all other positions are played by; tests run both over random positions.
"""

import numpy as np

from mancala_envs.core.row_law import BLIND, LIFT, PLAIN, SUMMARY, lift_bits, may_begin, num_actions, sow_past
from mancala_envs.core.rule import inlined_rule, rule
from mancala_envs.core.set_out import end_round, may_arrange
from mancala_envs.core.sow import LAP_SEEDS, MOST_PACKED_COLUMNS, byte_of, is_packed
from mancala_envs.core.words import count_bits, equal_flags, gather, nonzero_flags, row_of

_MASK = 0xFFFFFFFFFFFFFFFF
_LOW_BITS = np.uint64(0x0101010101010101)
_ONE, _S3, _BYTE = np.uint64(1), np.uint64(3), np.uint64(255)

_SIZES = range(max(MOST_PACKED_COLUMNS, 0) + 1)
HOLES = np.array([[255 << 8 * hole & _MASK, 255 << 8 * hole >> 64] for hole in range(16)], np.uint64)
"""The byte of a hole in two words."""
ROWS = np.array([HOLES[8 : max(8, 2 * columns), 1].sum() for columns in _SIZES], np.uint64)
"""By columns: the bytes of the second word that are holes."""
REACHED = np.zeros((2, len(_SIZES), 16, LAP_SEEDS + 1), np.uint8)
"""`[back, columns, hole, steps]`: the hole so many steps after `hole`."""
for _back, _step in enumerate((1, -1)):
    for _columns in _SIZES[1:]:
        REACHED[_back, _columns] = (np.arange(16)[:, None] + _step * np.arange(LAP_SEEDS + 1)) % (2 * _columns)
ARCS = np.zeros((*REACHED.shape[:3], 16, 2), np.uint64)
"""`[back, columns, hole, n]`: 1 in the bytes of the n holes after `hole`."""
for _n in range(1, 16):
    ARCS[:, :, :, _n] = ARCS[:, :, :, _n - 1] | HOLES[REACHED[:, :, :, _n]] & _LOW_BITS


@inlined_rule
def plain_flags(kinds):
    """1 in every byte that is PLAIN, of bytes that are kinds."""
    return ~(kinds | kinds >> _ONE) & _LOW_BITS


@inlined_rule
def is_open(s):
    """Whether it lies within two words and no hole is blind."""
    if not is_packed(s):
        return False
    low, high = s.kind_word[0], s.kind_word[1] & ROWS[len(s.holes) // 2]
    # Of the four kinds only BLIND has the lower bit without the upper.
    return (low & ~(low >> _ONE) | high & ~(high >> _ONE)) & _LOW_BITS == 0


# Lifting.


@inlined_rule
def legal(s, action):
    """Whether a lift may begin the turn, or a decision between rounds is legal."""
    width = len(s.holes) // 2
    if s.phase == LIFT and 0 <= action < 2 * width:
        # Nearly all that are legal lift more seeds than one, or one that is not in front.
        back = np.int64(action >= width)
        row = width * np.int64(s.to_move & 1)
        place = action - width * back
        beyond = place + 1 - 2 * back
        behind = (beyond >= 0) & (beyond < width)
        behind &= s.kind[row + (beyond if behind else 0)] != BLIND
        held = s.holes[row + place]
        enough = (held > 1) | ((held == 1) & behind & (s.reading != SUMMARY))
        if enough & (s.kind[row + place] == PLAIN) & (s.direction != 2 * back - 1):
            return True
    return legal_plain(s, action)


@rule
def legal_plain(s, action):
    """`legal`."""
    return may_begin(s, action) if s.phase == LIFT else may_arrange(s, action)


@inlined_rule
def legal_word(s, word):
    """`legal` of 64 actions at once."""
    if s.phase != LIFT or s.direction == 0 or s.reading == SUMMARY or not is_open(s):
        return legal_word_plain(s, np.int64(word))
    width = len(s.holes) // 2
    back = np.uint64(s.direction < 0)
    held = row_of(s.word[0], s.word[1], width, s.to_move & 1)
    kinds = row_of(s.kind_word[0], s.kind_word[1], width, s.to_move & 1)
    free = gather(nonzero_flags(held) & plain_flags(kinds))
    front = np.uint64(width - 1) * (_ONE - back)
    lone = np.uint64((held >> (front << _S3)) & _BYTE == _ONE) << front
    waits = free & lone if free != lone else np.uint64(0)
    return (free ^ waits) << (np.uint64(width) * back)


@rule
def legal_word_plain(s, word):
    """`legal_word`."""
    if s.phase == LIFT and num_actions(s) <= 64:
        return lift_bits(s)
    bits = np.uint64(0)
    first = 64 * word
    for action in range(first, min(num_actions(s), first + 64)):
        bits |= np.uint64(legal_plain(s, action)) << np.uint64(action - first)
    return bits


@inlined_rule
def begin_with_packed(s, action):
    """`begin_with`; returns the hole, and `back`."""
    width = len(s.holes) // 2
    back = np.int64(action >= width)
    s.direction = 1 - 2 * back
    return (action + width * ((s.to_move & 1) - back)) & 15, back


# Sowing.


@inlined_rule
def relay_past(s, low, high, hole, back, full, laps):
    """`sow_past` lap after lap, until the last seed falls where no lap begins, or no lap is left.

    Returns the words, the last hole, the free seeds it held (none, or `full`, where no lap begins), and the laps.
    """
    ring = len(s.holes)
    plain_low, plain_high = plain_flags(s.kind_word[0]), plain_flags(s.kind_word[1])
    while True:
        seeds = byte_of(low, high, hole)
        left_low, left_high = low & ~HOLES[hole, 0], high & ~HOLES[hole, 1]
        full_low, full_high = equal_flags(left_low, full) & plain_low, equal_flags(left_high, full) & plain_high
        steps = seeds
        while True:
            last = np.int64(REACHED[back, ring // 2, hole, steps & 15]) & 15
            arc_low = ARCS[back, ring // 2, hole, steps & 15, 0]
            arc_high = ARCS[back, ring // 2, hole, steps & 15, 1]
            # Of the holes reached these get no seed; it goes as many holes further, where more may be passed over.
            passed_low = full_low & arc_low & ~HOLES[last, 0]
            passed_high = full_high & arc_high & ~HOLES[last, 1]
            passed = count_bits(passed_low) + count_bits(passed_high)
            if (steps == seeds + passed) | (steps > ring):
                break
            steps = seeds + passed
        if steps > ring:
            low, high, hole = sow_past_by_seeds(s, low, high, hole, full)
        else:
            low, high, hole = left_low + (arc_low ^ passed_low), left_high + (arc_high ^ passed_high), last
        laps += 1
        held = (byte_of(low, high, hole) - 1) * byte_of(plain_low, plain_high, hole)
        if (held == 0) | (held == full) | (laps == s.max_laps):
            break
    return low, high, hole, held, laps


@rule
def sow_past_by_seeds(s, low, high, hole, full):
    """A lap by the plain rule, on words; it is not counted."""
    s.word[0], s.word[1] = low, high
    hole = sow_past(s, hole, full)
    s.laps_sown -= 1
    return s.word[0], s.word[1], hole & 15


@inlined_rule
def relay_eating(s, low, high, hole, back, full):
    """`relay_past`, but full holes are eaten, and the next one is lifted, if it is free; returns what was eaten too."""
    laps, eaten = np.int64(0), np.int64(0)
    while True:
        low, high, hole, held, laps = relay_past(s, low, high, hole, back, full, laps)
        if (held != full) | (laps == s.max_laps):
            break
        low &= ~HOLES[hole, 0]
        high &= ~HOLES[hole, 1]
        eaten += full + 1
        hole = np.int64(REACHED[back, len(s.holes) // 2, hole, 1]) & 15
        if (s.kind[hole] != PLAIN) | (byte_of(low, high, hole) == 0):
            break
    return low, high, hole, held, laps, eaten


@inlined_rule
def end_turn_packed(s, low, high, laps, eaten):
    """`end_turn` of a turn that left these words, without the seeds eaten."""
    ring = len(s.holes)
    mover = s.to_move & 1
    # Stores are in the second word, of at least four columns.
    high += np.uint64(eaten) << np.uint64(8 * (ring + mover - 8))
    s.word[0], s.word[1] = low, high
    s.laps_sown += laps
    s.turn += 1
    s.quiet = (s.quiet + 1) * np.int64(eaten == 0)
    s.to_move = 1 - mover
    held = row_of(low, high, ring // 2, 1 - mover)
    kinds = row_of(s.kind_word[0], s.kind_word[1], ring // 2, 1 - mover)
    stuck = nonzero_flags(held) & plain_flags(kinds) == 0
    if stuck | (s.turn >= s.max_turns) | (s.quiet >= s.quiet_turns):
        end_round(s)
