"""Fast form of Qelat: table-driven laps on packed words, and all legal actions at once."""

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
    """Return a mask in which bit h is set if player p may lift hole h."""
    ring = len(s.holes)
    low, high = liftable_flags(s, p, 0), liftable_flags(s, p, 1)
    return (gather(low) | (gather(high) << _S8)) & ((_ONE << np.uint64(ring)) - _ONE)


@rule(inline=True)
def liftable_flags(s, p, word):
    """Return `qelat.may_lift` of the eight holes of a word, as 1 or 0 in its bytes."""
    # Owners 0 and 1 differ in the last bit. The last two bits differ in children 1 and 2, not in FREE and SPARED.
    others = s.owner_word[word] ^ np.uint64(p) * LOW_BITS
    children = s.child_word[word] ^ s.child_word[word] >> _ONE
    return nonzero_flags(s.holes_word[word]) & ~(others | children)


@rule
def num_liftable(s, p):
    """`qelat.num_liftable`."""
    return count_bits(liftable_bits(s, p))


@rule(inline=True)
def legal_word(s, word):
    """Return `qelat.legal` of all actions as a bit mask."""
    if s.phase == TAKE:
        return plain_legal_word(s, word)
    ring = len(s.holes)
    bits = liftable_bits(s, s.to_move)
    turn = np.uint64(ring // 2 * s.to_move)
    return ((bits >> turn) | (bits << (np.uint64(ring) - turn))) & ((_ONE << np.uint64(ring)) - _ONE)


@rule
def relay(s, hole):
    """`qelat.relay`, by the table of laps; on these boards no hole holds more seeds than the table covers."""
    mover = s.to_move & 1
    low, high = s.holes_word[0], s.holes_word[1]
    laps = s.laps
    effect = RELAYS
    while effect == RELAYS and laps < s.max_laps:
        low, high, hole = sow_words(low, high, len(s.holes), hole)
        hole &= 15
        laps += 1
        effect = np.int64(LAST_SEED[mover, s.owner[hole], s.child[hole] & 3, min(byte_of(low, high, hole), MANY)])
    s.holes_word[0], s.holes_word[1] = low, high
    s.laps = laps
    return hole, effect


FAST = Fast(
    forms={contract.legal_word: legal_word, qelat.num_liftable: num_liftable, qelat.relay: relay},
    fits=lambda options: options["columns"] <= MOST_PACKED_COLUMNS,
)
