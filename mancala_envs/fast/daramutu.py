"""Fast form of Daramutu on packed words; see `fast.olinda`."""

from mancala_envs.core.book import Fast
from mancala_envs.fast import olinda

FAST = Fast(olinda.FORMS, olinda.fits)
