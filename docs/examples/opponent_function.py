"""Use a function as an opponent."""

from mancala_envs import make_game
from mancala_envs.evaluation import evaluate

names = [column.name for column in make_game("kalah").observation_fields]
print(names)


def fullest_hole(observations, masks):
    """Lift the hole with the most seeds; the first columns are the player's own holes."""
    holes = observations[:, : masks.shape[1]].astype(int)
    return (holes * masks + masks).argmax(axis=1)


print("the fullest hole against random:", evaluate(fullest_hole, "kalah", "random", games=200, seed=1))
