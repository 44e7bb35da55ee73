"""The Gymnasium vector environment: n games in one process, with compiled opponents."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mancala_envs.core.arguments import require_some, seed_word
from mancala_envs.envs.base import GameEnv
from mancala_envs.envs.match import Match
from mancala_envs.envs.solo import observation_box, opening_option
from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.render import FPS, MODES, Renderer

Batch = npt.NDArray[Any]


class MancalaVectorEnv(GameEnv, VectorEnv[Batch, npt.NDArray[np.int64], Batch]):
    """A game as a Gymnasium vector environment of n independent games, equivalent to n `SoloEnv`.

    Observations are (n, D), actions (n,) int64, rewards (n,) float64; `infos` have `action_mask` (n, A) int8 and the
    other keys of `SoloEnv`. After `reset(seed=s)`, environment i plays like a `SoloEnv` after `reset(seed=s + i)`.

    >>> envs = MancalaVectorEnv("kalah", num_envs=1024, opponent="greedy")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))

    Args:
        game: as `make_game` takes it: a name, a name with options, an id or a `Game`.
        num_envs: n, the number of games.
        opponent: as in `SoloEnv`, but callables take batches: observations (k, D) and masks (k, A) -> actions (k,).
        seat: as in `SoloEnv`.
        illegal: as in `SoloEnv`.
        autoreset_mode: an `AutoresetMode` or its value; by default NEXT_STEP, as in Gymnasium.
        copy: whether to return copies; otherwise the next step overwrites the returned arrays.
        render_mode: None, `"ansi"`, `"rgb_array"` or `"svg"`; `render()` returns a frame for each game.
        campaign: whether an episode is a campaign of several rounds.
        opening: as in `SoloEnv`, drawn for every game and episode.
        threads: number of threads for 131,072 games or more; the results do not depend on it.
        options: options of the game, see its page.

    Raises:
        ValueError: if the game is unknown, or a value is not allowed.
        TypeError: if the game does not have one of the options, or an argument has a wrong type.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        opponent: Any = "random",
        seat: int | str = "random",
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        campaign: bool = False,
        opening: Any = 0,
        threads: int = 1,
        **options: Any,
    ) -> None:
        require_some(num_envs, "num_envs")
        if render_mode == "human":
            raise ValueError(
                "render_mode of a vector environment must be None, 'ansi', 'rgb_array' or 'svg', got 'human'"
            )
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            allowed = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ValueError(f"autoreset_mode must be one of {allowed}, got {autoreset_mode!r}") from None
        self.num_envs = int(num_envs)
        self.copy = copy
        self.render_mode = render_mode
        self.metadata = {
            "render_modes": [mode for mode in MODES if mode != "human"],
            "render_fps": FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self._renderer = Renderer(render_mode) if render_mode else None
        self._seating = (opponent, seat, illegal)
        self.opening = opening
        """The opening, as given."""
        self._threads = threads
        self._all = np.arange(self.num_envs)
        self._all_true = np.ones(self.num_envs, np.bool_)
        self._play_by(make_game(game, campaign, **options))

    def __repr__(self) -> str:
        return f"MancalaVectorEnv({self.game.header}, num_envs={self.num_envs})"

    def _repr_html_(self) -> str:
        """Return the boards as HTML, for notebooks."""
        html: str = self._match.states._repr_html_()
        return html

    def _play_by(self, game: Game) -> None:
        # First what can fail, so that an error changes nothing.
        self._match = Match(game, self.num_envs, *self._seating, self.opening, self._threads)
        self.game = game
        self.single_observation_space: gym.spaces.Box = observation_box(game)
        self.single_action_space: gym.spaces.Discrete = gym.spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._started = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Batch, dict[str, Any]]:
        """Start all games, or some of them.

        Args:
            seed: environment i gets seed + i; or a list of n seeds. None continues the generators.
            options: `reset_mask` (n,) bool: the games to start; `opening` or `position`: for all of these, as in
                `SoloEnv.reset`.

        Returns:
            Observations (n, D), and the infos.

        Raises:
            ValueError: if a seed, the mask, the opening or the position is not allowed.
            TypeError: if the opening, the position or the options have a wrong type.
            gymnasium.error.ResetNeeded: if the first reset does not start all games.
        """
        opening = opening_option(self.game, options, ("position", "opening", "reset_mask"))
        which = self._all
        mask = (options or {}).get("reset_mask")
        if mask is not None:
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},), got {mask!r}")
            if not mask.any():
                raise ValueError("reset_mask must be True somewhere")
            if not (self._started or mask.all()):
                raise gym.error.ResetNeeded("the first reset must start all games: reset_mask is False somewhere")
            which = np.flatnonzero(mask)
        given, words = self._seeds(seed)
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
        seeded = which[given[which]]
        self._match.seed(seeded, words[seeded])
        self._match.begin(which, opening)
        self._started = True
        self._match.refresh()
        return self._returned(self._match.observations), self._infos()

    def _seeds(self, seed: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint64]]:
        """Return which games get a new seed, (n,) bool, and the seeds (n,). Raise ValueError for an invalid seed."""
        n = self.num_envs
        if isinstance(seed, list | tuple):
            if len(seed) != n:
                raise ValueError(f"a list of seeds must have one for each of the {n} games, got {len(seed)}")
            given = np.array([one is not None for one in seed])
            words = np.array([0 if one is None else seed_word(one) for one in seed], np.uint64)
        elif seed is None:
            given, words = np.zeros(n, np.bool_), np.zeros(n, np.uint64)
        else:
            # The seed of the last game must be valid too.
            seed_word(int(seed_word(seed)) + n - 1)
            return np.ones(n, np.bool_), seed_word(seed) + np.arange(n, dtype=np.uint64)
        if self._started:
            return given, words
        # The first reset: there are no generators to continue.
        drawn = self.np_random.integers(2**63, size=n, dtype=np.uint64)
        return np.ones(n, np.bool_), np.where(given, words, drawn)

    def step(self, actions: npt.NDArray[np.int64]) -> tuple[Batch, Batch, Batch, Batch, dict[str, Any]]:
        """Play one action in every game, and the replies of the opponents.

        Args:
            actions: (n,) integers.

        Returns:
            Observations (n, D), rewards (n,), terminated (n,), truncated (n,) and the infos.

        Raises:
            ValueError: if `actions` are not n integers.
            IllegalAction: if an action is illegal, with `illegal="raise"`.
            gymnasium.error.ResetNeeded: before the first reset and, with AutoresetMode.DISABLED, if a finished game has
                not been reset.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be integers of shape ({self.num_envs},), got {actions!r}")
        if not self._started:
            raise gym.error.ResetNeeded("call reset before step")
        match = self._match
        waiting = match.over.nonzero()[0]
        if len(waiting) and self.autoreset_mode == AutoresetMode.DISABLED:
            raise gym.error.ResetNeeded(f"games {waiting.tolist()} are over: reset them with reset_mask")
        match.step(np.ascontiguousarray(chosen, np.int64))
        match.begin(waiting)  # only in NEXT_STEP mode: the games that ended in the last step
        match.refresh()
        terminated, truncated = match.over.copy(), np.zeros(self.num_envs, np.bool_)
        infos = self._infos()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and np.count_nonzero(terminated):
            infos = self._reset_in_same_step(terminated, infos)
        return self._returned(match.observations), self._returned(match.rewards), terminated, truncated, infos

    def _reset_in_same_step(self, over: Batch, last_infos: dict[str, Any]) -> dict[str, Any]:
        """Reset the games that are over; return infos with their final observations and infos."""
        final_obs = np.full(self.num_envs, None, dtype=object)
        which = np.flatnonzero(over)
        for i, last in zip(which.tolist(), self._match.observations[which], strict=True):
            final_obs[i] = last
        final_info: dict[str, Any] = {}
        for name, value in last_infos.items():
            if f"_{name}" in last_infos and (present := last_infos[f"_{name}"] & over).any():
                final_info |= {name: value.copy(), f"_{name}": present}
        self._match.begin(which)
        self._match.refresh()
        ends = {"final_obs": final_obs, "_final_obs": over.copy(), "final_info": final_info, "_final_info": over.copy()}
        return {**self._infos(), **ends}

    def _returned(self, array: Batch) -> Batch:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        match, all_true = self._match, self._all_true
        infos = {
            "action_mask": self._returned(match.masks), "_action_mask": all_true,
            "seat": self._returned(match.seats), "_seat": all_true,
            "opponent": self._returned(match.opponent_numbers), "_opponent": all_true,
        }  # fmt: skip
        if self.game.campaign:
            for name, values in self.game.standing(match.states).items():
                infos |= {name: values, f"_{name}": all_true}
        if np.count_nonzero(match.illegal):
            infos |= {"illegal_action": match.illegal.copy(), "_illegal_action": match.illegal.copy()}
        return infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions (n, A) bool."""
        return self._returned(self._match.masks).view(np.bool_)

    @property
    def states(self) -> npt.NDArray[Any]:
        """A copy of the games' records (n,)."""
        return self._match.states.copy()

    def xla(self) -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
        """Return functions that play these games inside programs of JAX, as in the Arcade Learning Environment.

        ::

            handle, reset, step = envs.xla()
            handle, (observations, infos) = reset(handle, seed=0)
            handle, (observations, rewards, terminated, truncated, infos) = step(handle, actions)

        The handle contains the games as they are now, and the functions return a new one; they change neither the old
        one nor this environment. Both run on the host, through Python. `infos` always have `illegal_action`, and never
        the last observations of games that are reset in the same step.

        Returns:
            The handle, (n, B) uint8, `reset(handle, seed=None, reset_mask=None)` and `step(handle, actions)`.

        Raises:
            ValueError: if an opponent is a policy or search of the caller.
            MissingExtra: if JAX is not installed.
        """
        from mancala_envs.envs.xla import Games  # Needs JAX.

        games = Games(self)
        return games.handle, games.reset, games.step

    def set_opponent(self, opponent: Any) -> None:
        """Replace the opponent from each game's next episode on.

        Args:
            opponent: as in the constructor.
        """
        self._match.set_opponent(opponent)
        self._seating = (opponent, *self._seating[1:])

    def set_opening(self, opening: Any) -> None:
        """Replace the opening from each game's next episode on, see `SoloEnv.set_opening`."""
        self._match.set_opening(opening)
        self.opening = opening

    def render(self) -> tuple[Any, ...] | None:
        """Return a frame of each game, a str or (H, W, 3) uint8, by `render_mode`; None without one."""
        if self._renderer is None:
            return None
        boards = (self.game.board(self._match.states[i : i + 1]) for i in range(self.num_envs))
        return tuple(self._renderer.draw(board) for board in boards)
