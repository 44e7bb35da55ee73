"""Togyz Kumalak on words: 18 holes, the stores and the player to move are the bytes of three words.

Replaces `legal_word` and `play`.
"""

import sys

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import gather, nonzero_flags
from mancala_envs.core.book import Fast
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.kumalak import MAJORITY
from mancala_envs.families.mancala.laps import LAP_SEEDS, add
from mancala_envs.families.mancala.rows import all_seeds
from mancala_envs.families.mancala.words import are_adjacent
from mancala_envs.games import togyz_kumalak
from mancala_envs.games.togyz_kumalak import is_captured, may_be_tuzdyk

COLUMNS = 9
RING = 2 * COLUMNS


SEED = np.array([[1 << 8 * hole >> 64 * word & 2**64 - 1 for word in range(3)] for hole in range(RING)], np.uint64)
"""`[hole]`: the three words with one seed in that hole."""
HOLE = np.concatenate([0 * SEED[:1], 255 * SEED])
"""`[1 + hole]`: the bits of a hole in the three words; no bits for -1, which stands for no hole."""


def lap_table():
    """Return the effects of laps: `[hole, n]` is the change of the three words by a lap of n seeds from `hole`."""
    holes = np.arange(RING)[:, None]
    reached = (holes + np.arange(1, LAP_SEEDS)) % RING
    changes = (SEED[reached] - SEED[holes]).cumsum(axis=1, dtype=np.uint64)
    return np.concatenate([np.zeros_like(changes[:, :1]), changes], axis=1)


LAPS = lap_table()
_ONE, _S8, _S16, _S24, _S32, _S56, _BYTE, _TWO_BYTES = (
    np.uint64(number) for number in (1, 8, 16, 24, 32, 56, 255, 2**16 - 1)
)


@rule(inline=True)
def legal_word(s, word):
    """`rows.holds_seeds` of all actions at once."""
    a, b, c = s.holes_word[0], s.holes_word[1], s.holes_word[2]
    eight = b >> _S8 | c << _S56 if s.to_move else a
    last = c >> _S8 if s.to_move else b
    return gather(nonzero_flags(eight)) | np.uint64(last & _BYTE != 0) << _S8


@rule
def play(s, action):
    """`togyz_kumalak.play`. A branch on the row of the last seed is faster than selecting between both results."""
    mover = np.int64(s.to_move)
    hole = action + COLUMNS * mover
    lifted = np.int64(s.holes[hole])
    if lifted >= LAP_SEEDS:
        togyz_kumalak.play(s, action)
        return
    # Leaving one of several seeds in the hole has the same effect as lifting one seed fewer.
    moved = lifted - (lifted > 1)
    lap = LAPS[hole, moved]
    a, b, c = add(s.holes_word[0], lap[0]), add(s.holes_word[1], lap[1]), add(s.holes_word[2], lap[2])
    for p in range(2):
        a, b, c, fallen = emptied(a, b, c, np.int64(s.tuzdyk[p]))
        c += fallen << np.uint64(16 + 8 * p)

    last = hole + moved
    last -= RING * (last // RING)
    if (last >= COLUMNS) != mover:
        held = seeds_in(a, b, c, last)
        takes = is_captured(s, held)
        if held == 3 and may_be_tuzdyk(s, last):
            s.tuzdyk[mover] = last
            takes = True
        if takes:
            a, b, c, taken = emptied(a, b, c, last)
            c += taken << np.uint64(16 + 8 * mover)

    # `kumalak.end_turn`.
    s.turn += 1
    most = max(np.int64(c >> _S16 & _BYTE), np.int64(c >> _S24 & _BYTE))
    row = a | b & _BYTE if mover else b >> _S8 | c & _TWO_BYTES
    s.holes_word[0], s.holes_word[1], s.holes_word[2] = a, b, c ^ _ONE << _S32
    if (s.end == MAJORITY) & (2 * most > all_seeds(s)) | (row == 0) | (s.turn >= s.max_turns):
        s.ended = BY_RULES


@rule(inline=True)
def seeds_in(a, b, c, hole):
    """Return the number of seeds in a hole; 0 for -1, which stands for no hole."""
    bits = HOLE[hole + 1]
    return np.int64((a & bits[0] | b & bits[1] | c & bits[2]) >> np.uint64(8 * (hole & 7)))


@rule(inline=True)
def emptied(a, b, c, hole):
    """Return the words without the seeds of a hole, and the number of these seeds; -1, no hole, changes nothing."""
    bits = HOLE[hole + 1]
    return a & ~bits[0], b & ~bits[1], c & ~bits[2], np.uint64(seeds_in(a, b, c, hole))


assert are_adjacent(togyz_kumalak.record({"columns": COLUMNS}))

FAST = Fast(
    forms={contract.legal_word: legal_word, togyz_kumalak.play: play},
    fits=lambda options: options["columns"] == COLUMNS and sys.byteorder == "little",
)
