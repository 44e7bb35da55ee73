"""Bestemshe on two words for each board, without branches, so that vector instructions play several games at once.

It replaces `legal_word` and `play`, and the loops over batches, except `play_random_loop`, by those of
`families.mancala.vectorised`.
"""

import numpy as np

from mancala_envs.core.book import Fast
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import vectorised
from mancala_envs.families.mancala.kumalak import MAJORITY
from mancala_envs.families.mancala.laps import LAP_SEEDS, LAPS, MOST_PACKED_COLUMNS, add, byte_of
from mancala_envs.families.mancala.rows import all_seeds, seeds
from mancala_envs.families.mancala.words import are_adjacent, row_of
from mancala_envs.games import bestemshe

_ONE, _BYTE = np.uint64(1), np.uint64(255)


@rule(inline=True)
def play_words(low, high, mover, action, width):
    """Sow, capture and pass the move; return the words, the larger store, and 1 if the next player cannot move."""
    ring = 2 * width
    hole = (action & 7) + width * mover
    lifted = byte_of(low, high, hole) & (LAP_SEEDS - 1)
    # Leaving one of several seeds in the hole has the same effect as lifting one seed fewer.
    moved = lifted - (lifted > 1)
    low, high = add(low, LAPS[width, hole & 15, moved, 0]), add(high, LAPS[width, hole & 15, moved, 1])
    last = (hole + moved) % ring
    held = byte_of(low, high, last)
    taken = np.uint64(held if ((last >= width) != mover) & (held % 2 == 0) else 0)
    from_last = taken << np.uint64(8 * (last & 7))
    low = low - (np.uint64(0) if last & 8 else from_last)
    high = high - (from_last if last & 8 else np.uint64(0))
    high = add(high, taken << np.uint64(8 * (ring + mover - 8)))
    high = high ^ _ONE << np.uint64(8 * (ring + 2 - 8))
    stores = high >> np.uint64(8 * ring - 64)
    most = max(np.int64(stores & _BYTE), np.int64(stores >> np.uint64(8) & _BYTE))
    return low, high, most, np.int64(row_of(low, high, width, 1 - mover) == 0)


@rule(inline=True)
def close_turn(s, low, high, most, shut):
    """`kumalak.end_turn`."""
    s.holes_word[0], s.holes_word[1] = low, high
    s.turn += 1
    decided = (s.end == MAJORITY) & (2 * most > all_seeds(s))
    s.ended = BY_RULES * (decided | (shut != 0) | (s.turn >= s.max_turns))


SIZES = range(4, min(6, MOST_PACKED_COLUMNS) + 1)
assert all(are_adjacent(bestemshe.RULE_BOOK.record({"columns": columns})) for columns in SIZES)

FAST = Fast(
    forms={
        bestemshe.play: vectorised.play,
        vectorised.play_words: play_words,
        vectorised.close_turn: close_turn,
        **vectorised.FORMS,
    },
    fits=lambda options: options["columns"] in SIZES and seeds(options) < LAP_SEEDS,
)
