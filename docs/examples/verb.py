"""The turn of a game in which players sow anticlockwise and capture nothing."""

from mancala_envs.core.rule import rule
from mancala_envs.families.mancala.sow import sow


@rule
def play(s, action):
    sow(s, action)
    s.to_move = 1 - s.to_move


print(play.__name__, "uses", sow.__doc__)
