"""Fast forms of Kotu Ellima, the same as in `fast.peralikatuma`."""

from mancala_envs.core.book import Fast
from mancala_envs.fast import peralikatuma

FAST = Fast(peralikatuma.FAST.forms, peralikatuma.FAST.fits)
