"""The common law of Parker's four games on words: all lifts asked at once, and laps in a few additions.

For boards that lie with their stores within two words. Where a hole is blind the plain law relays: tables of laps know
only whole rings.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import LOW_BITS, count_bits
from mancala_envs.core.chance import MASK
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import Rule, inlined_rule, rule
from mancala_envs.families.mancala.laps import LAP_SEEDS, MOST_PACKED_COLUMNS, byte_of
from mancala_envs.families.mancala.olinda import law, set_out
from mancala_envs.families.mancala.olinda.law import (
    BLIND,
    INTO_EMPTY,
    INTO_FULL,
    LIFT,
    OUT_OF_LAPS,
    PLAIN,
    SUMMARY,
    sow_past,
)
from mancala_envs.families.mancala.olinda.law import may_lift as plain_may_lift
from mancala_envs.families.mancala.olinda.law import relay as plain_relay
from mancala_envs.families.mancala.olinda.set_out import end_round
from mancala_envs.families.mancala.words import equal_flags, gather, nonzero_flags, row_of

_ONE, _S8, _S16, _S32 = (np.uint64(number) for number in (1, 8, 16, 32))

_SIZES = range(max(MOST_PACKED_COLUMNS, 0) + 1)
HOLES = np.array([[255 << 8 * hole & MASK, 255 << 8 * hole >> 64] for hole in range(16)], np.uint64)
"""The byte of a hole in two words."""
ROWS = np.array([HOLES[8 : max(8, 2 * columns), 1].sum() for columns in _SIZES], np.uint64)
"""By columns: the bytes of the second word that are holes."""
REACHED = np.zeros((2, len(_SIZES), 16, LAP_SEEDS + 1), np.uint8)
"""`[back, columns, hole, steps]`: the hole so many steps after `hole`; `back` is 1 in clockwise play, else 0."""
for _back, _step in enumerate((1, -1)):
    for _columns in _SIZES[1:]:
        REACHED[_back, _columns] = (np.arange(16)[:, None] + _step * np.arange(LAP_SEEDS + 1)) % (2 * _columns)
ARCS = np.zeros((*REACHED.shape[:3], 16, 2), np.uint64)
"""`[back, columns, hole, n]`: 1 in the bytes of the n holes after `hole`."""
for _n in range(1, 16):
    ARCS[:, :, :, _n] = ARCS[:, :, :, _n - 1] | HOLES[REACHED[:, :, :, _n]] & LOW_BITS


def fits(options: Mapping[str, Any]) -> bool:
    """Whether the board is small enough."""
    return bool(options["columns"] <= MOST_PACKED_COLUMNS)


# Kinds of holes.


@inlined_rule
def plain_flags(kinds):
    """1 in every byte that is PLAIN, of bytes that are kinds."""
    return ~(kinds | kinds >> _ONE) & LOW_BITS


@inlined_rule
def blind_flags(kinds):
    """1 in every byte that is BLIND: of the four kinds only that one has the lower bit without the upper."""
    return kinds & ~(kinds >> _ONE) & LOW_BITS


@inlined_rule
def has_blind_hole(s):
    """Whether any hole is blind."""
    return blind_flags(s.kind_word[0]) | blind_flags(s.kind_word[1] & ROWS[len(s.holes) // 2]) != 0


@inlined_rule
def row_of_player(s, p):
    """Player p's row as the bytes of two words: seeds, and kinds."""
    width = len(s.holes) // 2
    held = row_of(s.holes_word[0], s.holes_word[1], width, p)
    return held, row_of(s.kind_word[0], s.kind_word[1], width, p)


# Lifting.


@inlined_rule
def legal_word(s, word):
    """All lifts at once; the plain rules say what there is to decide between rounds."""
    return lifts(s) if s.phase == LIFT else plain_legal_word(s, word)


@inlined_rule
def lifts(s):
    """Bit a is set where `law.may_begin` allows action a."""
    width = len(s.holes) // 2
    held, kinds = row_of_player(s, s.to_move & 1)
    free = nonzero_flags(held) & plain_flags(kinds)
    single = equal_flags(held, 1) & free
    if s.reading == SUMMARY and single != free:
        free ^= single
        single = np.uint64(0)
    first, last = ends_of(~blind_flags(kinds) & LOW_BITS & ((_ONE << np.uint64(8 * width)) - _ONE))
    bits = np.uint64(0)
    if s.direction >= 0:
        bits = liftable(free, single & last)
    if s.direction <= 0:
        bits |= liftable(free, single & first) << np.uint64(width)
    return bits


@inlined_rule
def ends_of(flags):
    """Of bytes of 0 or 1 the lowest and the highest that is 1, each alone in a word."""
    from_first, up_to_last = flags, flags
    for bytes_further in (_S8, _S16, _S32):
        from_first |= from_first << bytes_further
        up_to_last |= up_to_last >> bytes_further
    return from_first ^ from_first << _S8, up_to_last ^ up_to_last >> _S8


@inlined_rule
def liftable(free, waiting):
    """The free holes as bits, but for the one that waits for all others, if there are others."""
    return gather(free if free == waiting else free ^ waiting)


@inlined_rule
def may_lift(s, hole, direction):
    """`law.may_lift`, nearly always without a branch: there are more seeds than one, or the hole is not in front."""
    row = len(s.holes) // 2 * np.int64(s.to_move & 1)
    ahead = hole + direction
    behind = (ahead >= row) & (ahead < row + len(s.holes) // 2)
    behind &= s.kind[ahead if behind else row] != BLIND
    enough = (s.holes[hole] > 1) | ((s.holes[hole] == 1) & behind & (s.reading != SUMMARY))
    if enough & (s.kind[hole] == PLAIN):
        return True
    return plain_may_lift(s, hole, direction)


@inlined_rule
def end_turn(s, ate):
    """`set_out.end_turn`."""
    mover = s.to_move & 1
    s.turn += 1
    s.quiet = (s.quiet + 1) * np.int64(not ate)
    s.to_move = 1 - mover
    held, kinds = row_of_player(s, 1 - mover)
    stuck = nonzero_flags(held) & plain_flags(kinds) == 0
    if stuck | (s.turn >= s.max_turns) | (s.quiet >= s.quiet_turns):
        end_round(s)


# Sowing.


@inlined_rule
def relay(s, hole, full, last_lap):
    """`law.relay`."""
    if has_blind_hole(s):
        return plain_relay(s, hole, full, last_lap)
    back = np.int64(s.direction < 0)
    low, high, hole = s.holes_word[0], s.holes_word[1], hole & 15
    plain_low, plain_high = plain_flags(s.kind_word[0]), plain_flags(s.kind_word[1])
    while True:
        low, high, hole = sow_past_words(s, low, high, hole, back, full, plain_low, plain_high)
        s.laps_sown += 1
        # What the last seed fell upon, if it may be lifted at all.
        held = (byte_of(low, high, hole) - 1) * byte_of(plain_low, plain_high, hole)
        if (held == 0) | (held == full) | (s.laps_sown == last_lap):
            break
    s.holes_word[0], s.holes_word[1] = low, high
    return hole, OUT_OF_LAPS if s.laps_sown == last_lap else INTO_FULL if held == full else INTO_EMPTY


@inlined_rule
def sow_past_words(s, low, high, hole, back, full, plain_low, plain_high):
    """`law.sow_past` of these words; returns them and the last hole. The lap is not counted."""
    columns = len(s.holes) // 2
    seeds = byte_of(low, high, hole)
    left_low, left_high = low & ~HOLES[hole, 0], high & ~HOLES[hole, 1]
    full_low, full_high = equal_flags(left_low, full) & plain_low, equal_flags(left_high, full) & plain_high
    steps = seeds
    while True:
        last = np.int64(REACHED[back, columns, hole, steps & 15]) & 15
        arc_low = ARCS[back, columns, hole, steps & 15, 0]
        arc_high = ARCS[back, columns, hole, steps & 15, 1]
        # Of the holes reached these get no seed; it goes as many holes further, where more may be passed over.
        passed_low = full_low & arc_low & ~HOLES[last, 0]
        passed_high = full_high & arc_high & ~HOLES[last, 1]
        passed = count_bits(passed_low) + count_bits(passed_high)
        if (steps == seeds + passed) | (steps > 2 * columns):
            break
        steps = seeds + passed
    if steps > 2 * columns:
        return sow_past_by_seeds(s, low, high, hole, full)
    return left_low + (arc_low ^ passed_low), left_high + (arc_high ^ passed_high), last


@rule
def sow_past_by_seeds(s, low, high, hole, full):
    """`law.sow_past`, once round or further, of these words; returns them and the last hole."""
    s.holes_word[0], s.holes_word[1] = low, high
    hole = sow_past(s, hole, full)
    # Who calls counts the lap.
    s.laps_sown -= 1
    return s.holes_word[0], s.holes_word[1], hole & 15


FORMS: dict[Rule, Rule] = {
    contract.legal_word: legal_word,
    law.may_lift: may_lift,
    law.relay: relay,
    set_out.end_turn: end_turn,
}
"""What stands in for the common law."""
