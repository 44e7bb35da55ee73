"""Fast form of Dongjintian: 64 legal actions at once."""

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.words import hole_bits, steps_word
from mancala_envs.games.dongjintian import LIFT, ways


@rule(inline=True)
def legal_word(s, word):
    """Return `dongjintian.legal` of 64 actions as a bit mask."""
    return hole_bits(s, word) if s.phase == LIFT else steps_word(s, ways(s), word)


FAST = Fast(forms={contract.legal_word: legal_word})
