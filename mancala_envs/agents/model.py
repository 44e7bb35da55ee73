"""Saved MaskablePPO models of sb3-contrib as agents."""

from collections.abc import Callable, Mapping
from os.path import isfile  # Path.is_file raises OSError for a name that is too long.
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mancala_envs.agents.common import Analysis, Streams, streams_of
from mancala_envs.agents.compiled import mix_loop
from mancala_envs.agents.exchanges import Exchanges
from mancala_envs.agents.judges import ActionValues
from mancala_envs.core.arguments import Seed, States, seed_words, short
from mancala_envs.core.engine import Engine
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.names import as_game

Judges: TypeAlias = Mapping[str, Callable[[States], npt.NDArray[Any]]]
"""Functions that judge the actions in states, by the names of their results in an observation of afterstates."""


class Network:
    """A policy of MaskablePPO, for observations of a game or for its afterstates. The network never changes.

    Args:
        policy: The policy of sb3-contrib.
        deterministic: Whether to play the most probable action; otherwise actions are drawn.
    """

    def __init__(self, policy: Any, deterministic: bool = False) -> None:
        policy.set_training_mode(False)
        self.policy, self.deterministic = policy, deterministic

    def judges_for(self, game: Engine) -> Judges:
        """Return what judges the actions of `game` for an `AfterstatePolicy`: values, exchanges, both or neither."""
        network, judges = getattr(self.policy, "values", None), dict[str, Any]()
        if network:
            judges["value"] = ActionValues(game, network)
        if "exchange" in getattr(self.policy.observation_space, "spaces", {}):
            judges["exchange"] = Exchanges(game)
        return judges

    def observe(self, game: Engine, states: States, seeds: npt.NDArray[np.uint64], judges: Judges) -> Any:
        """Return what the network takes as input for states (n,) of `game`; outcomes of chance follow from `seeds`.

        The judges are those of `judges_for`.
        """
        space = self.policy.observation_space
        if not hasattr(space, "spaces"):
            return game.observe(states)
        rows = space["reward"].shape  # as in the space of `ObserveAfterstates`
        observed = game.afterstates(states, rows[1] if len(rows) == 2 else None, seeds).as_dict()
        return observed | {name: judge(states) for name, judge in judges.items()}

    def probabilities(self, observations: Any, masks: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Return the probabilities (n, A) of the actions, for the observations of n states and masks (n, A)."""
        import torch

        with torch.no_grad():
            found = self.policy.get_distribution(self.policy.obs_to_tensor(observations)[0], masks).distribution.probs
        probabilities: npt.NDArray[np.float64] = found.cpu().numpy().astype(np.float64) * masks
        return probabilities


class SavedPolicy(Network):
    """The policy of a saved model; `load_policy` returns one. Copies share the network."""

    def __init__(self, path: str | Path, deterministic: bool) -> None:
        with needs_extra():
            from sb3_contrib import MaskablePPO  # Heavy, and only needed here.
        try:
            self._model = MaskablePPO.load(path, device="cpu")
        except Exception as error:  # A file of another kind fails anywhere in SB3, PyTorch or pickle.
            raise ValueError(f"{path} is no saved MaskablePPO model: {short(error)}") from error
        super().__init__(self._model.policy, deterministic)
        self.path = path

    def __repr__(self) -> str:
        return f"load_policy({str(self.path)!r})"

    def __deepcopy__(self, memo: Any) -> "SavedPolicy":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return load_policy, (self.path, self.deterministic)

    def require_fit(self, game: Engine) -> None:
        """Raise ValueError unless the model takes the game's observations or afterstates and returns its actions.

        A model that takes the values of a network plays only the game of this network.
        """
        taken, returned = self._model.observation_space, self._model.action_space
        columns, actions = len(game.observation_fields), game.num_actions
        rows = getattr(taken, "spaces", {}).get("observation")
        shape = getattr(taken if rows is None else rows, "shape", None) or ()
        # Afterstates have a row for each action, and perhaps for each outcome of it.
        fits = shape == (columns,) if rows is None else (shape[:1], shape[-1:]) == ((actions,), (columns,))
        if not fits or getattr(returned, "n", None) != actions:
            what = "observations" if rows is None else "afterstates"
            raise ValueError(
                f"{self.path} is a model for {what} of shape {shape} and {returned}, not for {game.header}, whose "
                f"observations have shape ({columns},), with {actions} actions"
            )
        if network := getattr(self.policy, "values", None):
            network.check(game)

    def __call__(self, observation: Any, mask: npt.NDArray[np.int8]) -> Any:
        """Return the action for an observation with a mask (A,), or the actions for batches of them.

        An observation is (D,), or for a model of afterstates a dict as of `ObserveAfterstates`.

        Raises:
            TypeError: The model judges afterstates, and the observation is an array, or lacks the values of actions.
        """
        keys = getattr(self.policy.observation_space, "spaces", {}).keys()
        if keys and not isinstance(observation, dict):
            raise TypeError(
                f"{self.path} is a model of afterstates: it takes the dict of ObserveAfterstates, not an array; as an "
                "opponent, or in evaluate, give its path"
            )
        if lacking := ", ".join(sorted(keys - observation.keys() if keys else ())):
            raise TypeError(
                f"the observation for {self.path} lacks {lacking}: give ObserveAfterstates network=policy.values and "
                "exchanges=True, where the policy takes them"
            )
        return self._model.predict(observation, action_masks=mask, deterministic=self.deterministic)[0]


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
    """Plays a game by the policy of a model.

    Args:
        game: The game.
        policy: The policy.
    """

    def __init__(self, game: Engine, policy: Network) -> None:
        self._game, self._policy, self._judges = game, policy, policy.judges_for(game)

    def act(self, view: States, streams: Streams) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game of `view` is over."""
        out = np.full(len(view), -1, np.int64)
        running = np.flatnonzero(view["to_move"] >= 0)
        if len(running):
            probabilities = self._probabilities(view[running], streams[running])
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
        (probabilities,) = self._probabilities(view, streams)
        values = {int(action): float(probabilities[action]) for action in np.flatnonzero(self._legal(view)[0])}
        action = max(values, key=values.__getitem__)
        return Analysis(action, values[action], values, [action], depth=1)

    def _probabilities(self, view: States, streams: Streams) -> npt.NDArray[np.float64]:
        observations = self._policy.observe(self._game, self._plain(view), streams, self._judges)
        return self._policy.probabilities(observations, self._legal(view))

    def _legal(self, view: States) -> npt.NDArray[np.bool_]:
        return self._game.legal(self._plain(view))

    def _plain(self, view: States) -> States:
        return np.asarray(view).view(self._game.dtype)


class NetworkAgent:
    """A policy of MaskablePPO as an agent, also one that judges afterstates (see `agents.Search`).

    Args:
        game: The game.
        policy: The policy of sb3-contrib; it must not change.
        deterministic: Whether to play the most probable action; otherwise actions are drawn.
    """

    takes_seeds = True

    def __init__(self, game: Engine | str, policy: Any, deterministic: bool = False) -> None:
        self._game = as_game(game)
        self._model = Model(self._game, Network(policy, deterministic))

    def act(self, states: States, seed: Seed = None) -> npt.NDArray[np.int64]:
        """Return the actions (n,) int64, -1 where a game is over; they depend on nothing but the seed and the state."""
        view = self._game.view(states)
        return self._model.act(view, streams_of(len(view), seed_words(len(view), seed)))
