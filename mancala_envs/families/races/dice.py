"""Two long dice with the faces 1, 3, 4 and 6, as Pahada Keliya and Saturankam throw them."""

import numpy as np

from mancala_envs.core.board import Throw
from mancala_envs.core.rule import rule
from mancala_envs.families.races import verbs

VALUES = (1, 3, 4, 6)
DISTANCES = np.array(VALUES)
NAMES = tuple(map(str, VALUES))
SHOWN = tuple(Throw(name, dice=(value,)) for name, value in zip(NAMES, VALUES, strict=True))
"""By face: what it shows, as a number, as a name and as it is drawn."""


@rule
def cast(s):
    """Throw both dice; each face is a throw to be used."""
    faces = verbs.throw_dice(s)
    verbs.store_throws(s, verbs.one_throw(faces // verbs.FACES) + verbs.one_throw(faces % verbs.FACES))
