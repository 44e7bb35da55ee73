"""Qelat on words: laps by a table, and all holes asked at once whether they may be lifted."""

import numpy as np

from mancala_envs.core import contract
from mancala_envs.core.bits import LOW_BITS, count_bits, gather, nonzero_flags
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.laps import MOST_PACKED_COLUMNS, byte_of, sow_words
from mancala_envs.games import qelat
from mancala_envs.games.qelat import LAST_SEED, MANY, RELAYS, TAKE

_ONE, _S8 = np.uint64(1), np.uint64(8)


@rule(inline=True)
def liftable_bits(s, p):
    """Bit h is set where player p may lift hole h."""
    ring = len(s.holes)
    low, high = liftable_flags(s, p, 0), liftable_flags(s, p, 1)
    return (gather(low) | (gather(high) << _S8)) & ((_ONE << np.uint64(ring)) - _ONE)


@rule(inline=True)
def liftable_flags(s, p, word):
    """`qelat.may_lift` of the eight holes of one word: 1 in the bytes of those that player p may lift."""
    # By the lowest bits of the few values there are: of owners 0 and 1 the last; of children 1 and 2 the last two
    # differ, of FREE and SPARED they do not.
    others = s.owner_word[word] ^ np.uint64(p) * LOW_BITS
    children = s.child_word[word] ^ s.child_word[word] >> _ONE
    return nonzero_flags(s.holes_word[word]) & ~(others | children)


@rule
def liftable(s, p):
    """`qelat.liftable`."""
    return count_bits(liftable_bits(s, p))


@rule(inline=True)
def legal_word(s, word):
    """`qelat.legal` of all actions at once: one run over the ring, then turned to begin at the mover's row."""
    if s.phase == TAKE:
        return plain_legal_word(s, word)
    ring = len(s.holes)
    bits = liftable_bits(s, s.to_move)
    turn = np.uint64(ring // 2 * s.to_move)
    return ((bits >> turn) | (bits << (np.uint64(ring) - turn))) & ((_ONE << np.uint64(ring)) - _ONE)


@rule
def relay(s, hole):
    """`qelat.relay`. On these boards no hole holds as many seeds as the table of laps ends at."""
    mover = s.to_move & 1
    low, high = s.holes_word[0], s.holes_word[1]
    laps = s.laps
    becomes = RELAYS
    while becomes == RELAYS and laps < s.max_laps:
        low, high, hole = sow_words(low, high, len(s.holes), hole)
        hole &= 15
        laps += 1
        becomes = np.int64(LAST_SEED[mover, s.owner[hole], s.child[hole] & 3, min(byte_of(low, high, hole), MANY)])
    s.holes_word[0], s.holes_word[1] = low, high
    s.laps = laps
    return hole, becomes


FAST = Fast(
    forms={contract.legal_word: legal_word, qelat.liftable: liftable, qelat.relay: relay},
    fits=lambda options: options["columns"] <= MOST_PACKED_COLUMNS,
)
