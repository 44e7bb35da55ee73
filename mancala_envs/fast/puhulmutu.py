"""Puhulmutu on words: see `fast.olinda`."""

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.olinda.law import LIFT
from mancala_envs.fast import olinda
from mancala_envs.fast.olinda import lifts


@rule(inline=True)
def legal_word(s, word):
    """All lifts at once; the plain rules say what else there is to decide, and what may be lifted after a cut."""
    return lifts(s) if s.phase == LIFT and s.cut == 0 else plain_legal_word(s, word)


FAST = Fast({**olinda.FORMS, contract.legal_word: legal_word}, olinda.fits)
