"""Fast form of Puhulmutu on packed words; see `fast.olinda`."""

from mancala_envs.core import contract
from mancala_envs.core.book import Fast
from mancala_envs.core.contract import legal_word as plain_legal_word
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.olinda.law import LIFT
from mancala_envs.fast import olinda
from mancala_envs.fast.olinda import lifts


@rule(inline=True)
def legal_word(s, word):
    """Return the legal actions as a bit mask; between rounds and after a cut the plain rules decide."""
    return lifts(s) if s.phase == LIFT and s.cut == 0 else plain_legal_word(s, word)


FAST = Fast({**olinda.FORMS, contract.legal_word: legal_word}, olinda.fits)
