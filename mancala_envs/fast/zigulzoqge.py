"""Fast form of Zigulzoqge: all legal actions at once."""

from mancala_envs.core import contract
from mancala_envs.core.bits import low_bits
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.words import hole_bits, steps_word
from mancala_envs.games.zigulzoqge import LIFT, sector, ways


@rule(inline=True)
def legal_word(s, word):
    """Return `zigulzoqge.legal` of all actions, fewer than 64, as a bit mask."""
    if s.phase == LIFT:
        first, end = sector(s, s.to_move)
        return hole_bits(s, word) & low_bits(end) & ~low_bits(first)
    return steps_word(s, ways(s), word)


FAST = Fast(forms={contract.legal_word: legal_word})
