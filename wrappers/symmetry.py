"""Symmetries of rules: boards that look different and are the same, for more training data from the same games.

A symmetry here keeps every player in his seat, and holds for all positions that play can reach. Every rule book says
which its game has; many have none, as Kalah, which goes one way round only.
"""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import Game
from mancala_envs.core.symmetry import Indices, Symmetry
from mancala_envs.envs.solo import whole_number


def symmetries(game: Game) -> list[Symmetry]:
    """All but the one that changes nothing; empty for games without."""
    return game.symmetries


def augment(
    game: Game, observations: npt.NDArray[Any], actions: Indices, masks: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Indices, npt.NDArray[Any]]:
    """Training data (n, D), (n,), (n, A) and, after it, its images under each symmetry of `game`.

    What else belongs to the data, returns say, is to be repeated as often: `1 + len(symmetries(game))` times.
    """
    images = symmetries(game)
    return (
        np.concatenate([observations, *(image.observe(observations) for image in images)]),
        np.concatenate([actions, *(image.actions[actions] for image in images)]),
        np.concatenate([masks, *(image.mask(masks) for image in images)]),
    )


class RandomSymmetry(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: draws for every episode one of the game's symmetries, or none, through which the learner sees it.

    Opponents see the game itself. ValueError for a game without symmetries. Place: right around what `gym.make`
    gives, inside stacking and `MaskInObservation`.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        game = env.get_wrapper_attr("game")
        self._choice = symmetries(game)
        if not self._choice:
            raise ValueError(f"{game!r} has no symmetries")
        self._choice.insert(0, Symmetry(np.arange(len(game.observation_fields)), np.arange(game.num_actions)))
        self._now = self._choice[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """As the environment's."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._now = self._choice[self.np_random.integers(len(self._choice))]
        return self._now.observe(observation), self._seen(info)

    def step(self, action: Any) -> tuple[npt.NDArray[Any], Any, bool, bool, dict[str, Any]]:
        """As the environment's; `action` is one of the image. A number that is no action goes through as it is."""
        original = whole_number(action, len(self._now.actions))
        if 0 <= original < len(self._now.actions):
            original = int(self._now.sources[original])
        observation, reward, terminated, truncated, info = self.env.step(original)
        return self._now.observe(observation), reward, terminated, truncated, self._seen(info)

    def _seen(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": self._now.mask(info["action_mask"])}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(A,) bool: what is legal now."""
        return self._now.mask(self.env.get_wrapper_attr("action_masks")())
