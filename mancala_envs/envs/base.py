"""Common parts of the environments: campaigns and, where there is one game at a time, the record and rendering."""

from typing import Any

import gymnasium as gym
import numpy.typing as npt

from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.render import Renderer


class GameEnv:
    """Base of all environments. It has no constructor, so that it can be combined with those of other libraries."""

    game: Game
    _renderer: Renderer | None

    def _play_by(self, game: Game) -> None:
        """Play a game from the next `reset` on. An error changes nothing."""
        raise NotImplementedError

    def play_campaigns(self, **options: Any) -> None:
        """Turn episodes into campaigns from the next `reset` on.

        Args:
            options: options of the game, in addition to its present ones.

        Raises:
            ValueError: if an option is not allowed, or the opening has positions of the game without campaigns.
        """
        self._play_by(make_game(self.game, True, **options))


class OneGameEnv(GameEnv):
    """Base of environments of one game, whose record (1,) is `_state`."""

    _state: npt.NDArray[Any]

    def _repr_svg_(self) -> str:
        """Return the board as SVG, for notebooks."""
        return self.game.svg(self._state)

    @property
    def record(self) -> npt.NDArray[Any]:
        """A copy of the game's record (1,), random generator included."""
        return self._state.copy()

    def render(self) -> Any:
        """Return a frame, a str (text or SVG) or (H, W, 3) uint8, by `render_mode`; None in a window."""
        if self._renderer is None:
            gym.logger.warn('render() needs a render_mode: make the environment with render_mode="rgb_array", say')
            return None
        return self._renderer.render(self.game.board(self._state))

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._renderer is not None:
            self._renderer.close()
