"""Symmetries of games, which provide more training data from the same games.

A symmetry maps positions to equivalent ones without exchanging the players, and holds for all reachable positions.
Each rule book lists its symmetries. Many games have none; Kalah, for example, is sown in one direction only.
"""

from copy import deepcopy
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs import Game, make_game
from mancala_envs.core.symmetry import Indices, Symmetry
from mancala_envs.envs.solo import whole_number


def symmetries(game: Game | str) -> list[Symmetry]:
    """Return the symmetries of a game, as `make_game` takes it, without the identity."""
    return make_game(game).symmetries


def augment(
    game: Game | str, observations: npt.NDArray[Any], actions: Indices, masks: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], Indices, npt.NDArray[Any]]:
    """Return training data followed by its images under each symmetry.

    The data grow by the factor `1 + len(symmetries(game))`. Repeat other arrays, such as returns, by the same factor.

    Args:
        game: the game, as `make_game` takes it.
        observations: (n, D) observations.
        actions: (n,) actions.
        masks: (n, A) action masks.

    Returns:
        Observations, actions and masks, (m n, ...) with m = 1 + len(symmetries(game)).
    """
    images = symmetries(game)
    return (
        np.concatenate([observations, *(image.observe(observations) for image in images)]),
        np.concatenate([actions, *(image.actions[actions] for image in images)]),
        np.concatenate([masks, *(image.mask(masks) for image in images)]),
    )


class RandomSymmetry(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """Gymnasium: transform the agent's view by a symmetry of the game, or none, drawn for each episode.

    Opponents get untransformed observations. Apply it directly to an environment from `gym.make`, inside stacking and
    `MaskInObservation`.

    Args:
        env: a Gymnasium environment of mancala_envs.

    Raises:
        ValueError: if the game has no symmetries.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        gym.utils.RecordConstructorArgs.__init__(self)
        gym.Wrapper.__init__(self, env)
        # Observations change, which outer wrappers can only see by a space that is not the environment's own.
        self.observation_space = deepcopy(env.observation_space)
        game = env.get_wrapper_attr("game")
        self._choice = symmetries(game)
        if not self._choice:
            raise ValueError(f"{game!r} has no symmetries")
        self._choice.insert(0, Symmetry(np.arange(len(game.observation_fields)), np.arange(game.num_actions)))
        self._symmetry = self._choice[0]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Reset the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._symmetry = self._choice[self.np_random.integers(len(self._choice))]
        return self._symmetry.observe(observation), self._transformed(info)

    def step(self, action: Any) -> tuple[npt.NDArray[Any], Any, bool, bool, dict[str, Any]]:
        """Step the environment with an action of the transformed game. Numbers out of range are passed on unchanged."""
        original = whole_number(action, len(self._symmetry.actions))
        if 0 <= original < len(self._symmetry.actions):
            original = int(self._symmetry.sources[original])
        observation, reward, terminated, truncated, info = self.env.step(original)
        return self._symmetry.observe(observation), reward, terminated, truncated, self._transformed(info)

    def _transformed(self, info: dict[str, Any]) -> dict[str, Any]:
        return {**info, "action_mask": self._symmetry.mask(info["action_mask"])}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions (A,) bool of the transformed game."""
        return self._symmetry.mask(self.env.get_wrapper_attr("action_masks")())
