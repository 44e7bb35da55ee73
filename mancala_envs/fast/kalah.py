"""Fast form of Kalah: a board is two words, and a move has no branches.

It replaces `legal_word` and `play`, and the loops over batches by the vectorised ones of `families.mancala.vectorised`.
"""

import numpy as np

from mancala_envs.core import kernels
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import vectorised
from mancala_envs.families.mancala.laps import LAP_SEEDS, MOST_PACKED_COLUMNS, add, byte_of, lap_table, stack
from mancala_envs.families.mancala.rows import seeds
from mancala_envs.families.mancala.words import are_adjacent, row_of
from mancala_envs.games import kalah


def mover_ring(columns, mover):
    """Return the bytes that a mover sows into, from the own first hole on: own row, own store, other row."""
    row = list(range(columns))
    other = [columns + hole for hole in row]
    return [*row, 2 * columns, *other] if mover == 0 else [*other, 2 * columns + 1, *row]


LAPS = stack(
    [lap_table(mover_ring(w, mover))[: w + 1] for w in range(max(MOST_PACKED_COLUMNS, 0) + 1) for mover in (0, 1)]
)
"""`[2 * columns + mover, action, seeds]`: see `lap_table`."""
_ONE, _BYTE = np.uint64(1), np.uint64(255)


@rule(inline=True)
def play_words(low, high, mover, action, width):
    """`kalah.play` without branches, which would be unpredictable; see `vectorised.play_words`."""
    # Masks show the compiler that indices are not negative, so it omits checks.
    action &= 7
    lifted = byte_of(low, high, action + width * mover) & (LAP_SEEDS - 1)
    last = (action + lifted) % (2 * width + 1)
    low = add(low, LAPS[2 * width + mover, action, lifted, 0])
    high = add(high, LAPS[2 * width + mover, action, lifted, 1])
    south, north = row_of(low, high, width, 0), row_of(low, high, width, 1)
    own_row, other_row = (north, south) if mover else (south, north)

    # If the last seed falls elsewhere, `own` is the empty byte after the row, so nothing is captured.
    own = np.uint64(8 * min(last, 7))
    opposite = np.uint64(8 * (width - 1 - last) & 63)
    taken = other_row >> opposite & _BYTE
    captures = np.uint64((own_row >> own & _BYTE == _ONE) & (taken > 0))
    taken = taken * captures
    from_own, from_other = captures << own, taken << opposite
    empty = (own_row == from_own) | (other_row == from_other)

    from_south, from_north = (from_other, from_own) if mover else (from_own, from_other)
    low = low - from_south - (from_north << np.uint64(8 * width))
    gained = (captures + taken) << np.uint64(8 * (2 * width + mover - 8))
    high = add(high - (from_north >> np.uint64(64 - 8 * width)), gained)
    passes = (last != width) | empty
    return low, high, np.int64(passes), np.int64(empty)


SIZES = range(4, min(6, MOST_PACKED_COLUMNS) + 1)
assert all(are_adjacent(kalah.RULE_BOOK.record({"columns": columns})) for columns in SIZES)

FAST = Fast(
    forms={
        kalah.play: vectorised.play,
        vectorised.play_words: play_words,
        **vectorised.FORMS,
        kernels.play_random_loop: vectorised.play_random_loop,
        kernels.playout: vectorised.playout,
    },
    fits=lambda options: options["columns"] in SIZES and seeds(options) < LAP_SEEDS,
)
