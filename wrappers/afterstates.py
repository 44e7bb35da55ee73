"""Observe what each legal action leads to, instead of the position before it."""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import AutoresetMode, VectorWrapper
from gymnasium.vector.utils import batch_space

from mancala_envs import Game
from mancala_envs.agents import ActionValues, Exchanges, ValueNetwork
from mancala_envs.envs.solo import observation_box
from mancala_envs.wrappers.forms import Forms

Observation = dict[str, npt.NDArray[Any]]


def afterstates_space(
    game: Game, draws: int | None = None, valued: bool = False, exchanges: bool = False
) -> gym.spaces.Dict:
    """Return the space of the observations of `ObserveAfterstates`; those of a value network are `valued`."""
    rows = (game.num_actions,) if draws is None else (game.num_actions, draws)
    box = observation_box(game)
    high = np.broadcast_to(box.high, (*rows, *box.high.shape))
    most = game.most_reward(rounds=1)  # One action can end a round and the campaign.
    spaces: dict[str, gym.Space[Any]] = {
        "observation": gym.spaces.Box(np.zeros_like(high), high, dtype=box.high.dtype.type),
        "reward": gym.spaces.Box(-most, most, rows, np.float32),
        "ended": gym.spaces.Box(0, 1, rows, np.int8),
        "same_player": gym.spaces.Box(0, 1, rows, np.int8),
        "action_mask": gym.spaces.Box(0, 1, rows[:1], np.int8),
    }
    if valued:
        spaces["value"] = gym.spaces.Box(-most, most, rows[:1], np.float32)
    if exchanges:
        spaces["exchange"] = gym.spaces.Box(0, Exchanges.highest, rows[:1], np.uint8)
    return gym.spaces.Dict(spaces)


class ObserveAfterstates(Forms):
    """Observe what each legal action leads to, seen by the agent: Gymnasium or vector environments.

    The observation is a dict of `Game.afterstates`: `observation` (A, D) after each of the A actions, before the other
    players move; its `reward` (A,) float32; whether it `ended` the game (A,) int8; whether the `same_player`, the
    agent, decides next (A,) int8; and `action_mask` (A,) int8. Rows of illegal actions are zeros, and all rows when the
    game is over. The mask is in the info, too. `mancala_envs.wrappers.sb3.AfterstatePolicy` is a policy for these
    observations.

    In games with chance or hidden information, outcomes are drawn; with `draws=K` there are K for each action, so all
    arrays but the mask get an axis: (A, K, D) and (A, K). Which outcomes are drawn depends only on the seed of `reset`.

    With a value network there is also the `value` (A,) float32 of each action: what the agent can expect to be paid by
    it and from then on, a mean over outcomes. Assign to `network` to replace the network by another one for the same
    game; the attribute `values` judges the actions in states.

    With `exchanges` there is also the `exchange` (A,) uint8 of each action: what the next player can gain at once, less
    what the answer gains, as a code of `mancala_envs.agents.Exchanges`.

    >>> env = ObserveAfterstates(gym.make("mancala_envs/Qelat-v0"))

    Args:
        env: an environment of mancala_envs. Wrappers that change observations must not be inside; rewards are those of
            the game, without the payments of wrappers.
        draws: the number of outcomes of each action, see `Game.afterstates`.
        network: a value network for the game of `env`.
        exchanges: whether to observe exchanges.

    Raises:
        TypeError: if `env` is not a Gymnasium or vector environment of mancala_envs.
        ValueError: if a wrapper inside changes the observations, `draws` is not allowed, or the network was trained for
            another game.
    """

    def __init__(
        self, env: Any, draws: int | None = None, network: ValueNetwork | None = None, exchanges: bool = False
    ) -> None:
        if not hasattr(env.unwrapped, "play_campaigns"):
            raise TypeError(f"ObserveAfterstates takes environments of mancala_envs, got {env}")
        if env.observation_space is not env.unwrapped.observation_space:
            raise ValueError(f"apply ObserveAfterstates inside the wrappers that change observations, got {env}")
        whole = isinstance(draws, int | np.integer) and not isinstance(draws, bool)
        if draws is not None and not (whole and draws >= 1):
            raise ValueError(f"draws must be None or an integer of at least 1, got {draws!r}")
        super().__init__(env)  # type: ignore[call-arg]  # the wrapper class of the subclass
        self.draws, self.network = draws, network
        self._exchanges = Exchanges(env.unwrapped.game) if exchanges else None
        self._space = afterstates_space(env.unwrapped.game, draws, network is not None, exchanges)

    @property
    def network(self) -> ValueNetwork | None:
        """The value network."""
        return self.values.network if self.values else None

    @network.setter
    def network(self, network: ValueNetwork | None) -> None:
        self.values = ActionValues(self.env.unwrapped.game, network) if network else None

    def _observed(self, states: npt.NDArray[Any]) -> Observation:
        # A seed from the game's generator makes outcomes repeatable, and shows nothing of the generator's draws.
        game: Game = self.env.unwrapped.game
        observed = game.afterstates(states, self.draws, np.asarray(states["chance"])).as_dict()
        judges = {"value": self.values, "exchange": self._exchanges}
        return observed | {name: judge(states) for name, judge in judges.items() if judge}


class SoloObserveAfterstates(ObserveAfterstates, gym.Wrapper, RecordConstructorArgs):
    """`ObserveAfterstates` of a Gymnasium environment."""

    def __init__(
        self, env: Any, draws: int | None = None, network: ValueNetwork | None = None, exchanges: bool = False
    ) -> None:
        RecordConstructorArgs.__init__(self, draws=draws, network=network, exchanges=exchanges)
        super().__init__(env, draws, network, exchanges)
        self.observation_space = self._space

    def _observation(self) -> Observation:
        return {name: array[0] for name, array in self._observed(self.env.unwrapped.record).items()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._observation(), info

    def step(self, action: Any) -> tuple[Observation, Any, bool, bool, dict[str, Any]]:
        """Play the agent's action and the replies."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._observation(), reward, terminated, truncated, info


class VectorObserveAfterstates(ObserveAfterstates, VectorWrapper):
    """`ObserveAfterstates` of a vector environment, in any autoreset mode, including `final_obs`."""

    def __init__(
        self, env: Any, draws: int | None = None, network: ValueNetwork | None = None, exchanges: bool = False
    ) -> None:
        super().__init__(env, draws, network, exchanges)
        self.single_observation_space = self._space
        self.observation_space = batch_space(self._space, env.num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start all games, or those of `options["reset_mask"]`."""
        _, infos = self.env.reset(seed=seed, options=options)
        return self._observed(self.env.unwrapped.states), infos

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Play one action in every game, and the replies."""
        _, rewards, terminated, truncated, infos = self.env.step(actions)
        if self.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP and "final_obs" in infos:
            for i in np.flatnonzero(infos["_final_obs"]):
                infos["final_obs"][i] = self._nothing()
        return self._observed(self.env.unwrapped.states), rewards, terminated, truncated, infos

    def _nothing(self) -> Observation:
        """Return the observation of a game that is over, in which nothing is legal."""
        spaces: Any = self._space.spaces
        return {name: np.zeros(space.shape, space.dtype) for name, space in spaces.items()}
