"""Zigulzoqge: the legal actions at once."""

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.words import lifts_word, steps_word
from mancala_envs.games.zigulzoqge import LIFT, sector, ways


@rule(inline=True)
def legal_word(s, word):
    """`zigulzoqge.legal` of all actions at once: there are fewer than 64."""
    if s.phase == LIFT:
        first, end = sector(s, s.to_move)
        return lifts_word(s, first, end, word)
    return steps_word(s, ways(s), word)


FAST = Fast(forms={contract.legal_word: legal_word})
