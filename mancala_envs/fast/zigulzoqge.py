"""Fast form of Zigulzoqge: all legal actions at once."""

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.words import lifts_word, steps_word
from mancala_envs.games.zigulzoqge import LIFT, sector, ways


@rule(inline=True)
def legal_word(s, word):
    """Return `zigulzoqge.legal` of all actions, fewer than 64, as a bit mask."""
    if s.phase == LIFT:
        first, end = sector(s, s.to_move)
        return lifts_word(s, first, end, word)
    return steps_word(s, ways(s), word)


FAST = Fast(forms={contract.legal_word: legal_word})
