"""Saved MaskablePPO models of sb3-contrib as agents."""

from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, Streams
from mancala_envs.agents.compiled import mix_loop
from mancala_envs.core.arguments import States, short
from mancala_envs.core.engine import Engine
from mancala_envs.core.extras import needs_extra


class SavedPolicy:
    """The policy of a saved model; `load_policy` returns one. Copies share the network, which never changes."""

    def __init__(self, path: str | Path, deterministic: bool) -> None:
        with needs_extra():
            from sb3_contrib import MaskablePPO  # Heavy, and only needed here.
        try:
            self._model = MaskablePPO.load(path, device="cpu")
        except Exception as error:  # A file of another kind fails anywhere in SB3, PyTorch or pickle.
            raise ValueError(f"{path} is no saved MaskablePPO model: {short(error)}") from error
        self._model.policy.set_training_mode(False)
        self.path, self.deterministic = path, deterministic

    def __repr__(self) -> str:
        return f"load_policy({str(self.path)!r})"

    def __deepcopy__(self, memo: Any) -> "SavedPolicy":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return load_policy, (self.path, self.deterministic)

    def require_fit(self, game: Engine) -> None:
        """Raise ValueError unless the model takes the game's observations and returns its actions."""
        taken, returned = self._model.observation_space, self._model.action_space
        columns, actions = len(game.observation_fields), game.num_actions
        if getattr(taken, "shape", None) != (columns,) or getattr(returned, "n", None) != actions:
            raise ValueError(
                f"{self.path} is a model for {taken} and {returned}, not for {game.header}, whose observations have "
                f"shape ({columns},), with {actions} actions"
            )

    def __call__(self, observation: npt.NDArray[Any], mask: npt.NDArray[np.int8]) -> Any:
        """Return the action for an observation (D,) with a mask (A,), or the actions for batches of them."""
        return self._model.predict(observation, action_masks=mask, deterministic=self.deterministic)[0]

    def probabilities(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the probabilities (n, A) of the actions, for observations (n, D) and masks (n, A)."""
        import torch

        policy = self._model.policy
        with torch.no_grad():
            found = policy.get_distribution(policy.obs_to_tensor(observations)[0], masks).distribution.probs
        probabilities: npt.NDArray[np.float64] = found.numpy().astype(np.float64) * masks
        return probabilities


def load_policy(path: str | Path, deterministic: bool = False) -> SavedPolicy:
    """Load the policy of a MaskablePPO model (sb3-contrib), for one observation or batches of them.

    Loading such a file can run code that it contains. Load only files from people you trust.

    Args:
        path: The saved model.
        deterministic: Whether to play the most probable action; otherwise actions are drawn by the model's
            probabilities, with PyTorch's generator.

    Raises:
        MissingExtra: sb3-contrib is not installed.
        FileNotFoundError: There is no such file.
        ValueError: The file holds no such model.
    """
    if not isfile(path):
        raise FileNotFoundError(f"there is no saved model {short(str(path))}")
    return SavedPolicy(path, deterministic)


class Model:
    """Plays a game by the policy of a saved model.

    Args:
        game: The game.
        policy: The policy.
    """

    def __init__(self, game: Engine, policy: SavedPolicy) -> None:
        self._game, self._policy = game, policy

    def act(self, view: States, streams: Streams) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game of `view` is over."""
        out = np.full(len(view), -1, np.int64)
        running = np.flatnonzero(view["to_move"] >= 0)
        if len(running):
            probabilities = self._probabilities(view[running])
            if self._policy.deterministic:
                out[running] = probabilities.argmax(1)
            else:
                mix_loop(streams)  # type: ignore[no-untyped-call]  # A rule has no annotations.
                # With 24 bits, the product below never rounds up to the sum of all probabilities.
                drawn = (streams[running] >> np.uint64(40)) / 2.0**24
                sums = probabilities.cumsum(1)
                out[running] = (sums <= drawn[:, None] * sums[:, -1:]).sum(1)
        return out

    def analyse(self, view: States, streams: Streams) -> Analysis:
        """Return the probabilities of the actions in the single game of `view`, which must not be over."""
        (probabilities,) = self._probabilities(view)
        values = {int(action): float(probabilities[action]) for action in np.flatnonzero(self._legal(view)[0])}
        action = max(values, key=values.__getitem__)
        return Analysis(action, values[action], values, [action], depth=1)

    def _probabilities(self, view: States) -> npt.NDArray[np.float64]:
        return self._policy.probabilities(self._game.observe(self._plain(view)), self._legal(view))

    def _legal(self, view: States) -> npt.NDArray[np.bool_]:
        return self._game.legal(self._plain(view))

    def _plain(self, view: States) -> States:
        return np.asarray(view).view(self._game.dtype)
