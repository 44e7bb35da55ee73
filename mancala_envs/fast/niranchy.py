"""Fast forms of Niranchy on sets of points; see `fast.mills`."""

from mancala_envs.core import contract, kernels
from mancala_envs.core.book import Fast
from mancala_envs.families.points import bits, verbs
from mancala_envs.fast import mills

FAST = Fast(
    forms={contract.legal_word: mills.legal_word, kernels.pick: mills.pick, verbs.can_step: mills.can_step},
    fits=lambda options: bits.FITS,
)
