"""The Gymnasium environment, in which one agent plays against opponents."""

from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs.agents.mixture import each
from mancala_envs.core.arguments import seed_word
from mancala_envs.core.opening import Opening
from mancala_envs.envs.base import OneGameEnv
from mancala_envs.envs.match import Match
from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.render import FPS, MODES, Renderer

Observation = npt.NDArray[Any]


def observation_box(game: Game) -> gym.spaces.Box:
    """Return the space of the observations (D,), with a separate bound for each column."""
    high = np.array([column.high for column in game.observation_fields], game.observation_dtype)
    return gym.spaces.Box(np.zeros_like(high), high, dtype=game.observation_dtype.type)


def single(opponent: Any) -> Any:
    """Return `opponent` with its callables adapted from single observations to batches."""
    return each(opponent, lambda one: Batched(one) if callable(one) else one)


class Batched:
    """Adapts a callable for single observations to batches. A class, so that it can be copied and pickled.

    Args:
        opponent: maps an observation (D,) and a mask (A,) to an action.
    """

    def __init__(self, opponent: Callable[..., Any]) -> None:
        self._opponent = opponent

    def __repr__(self) -> str:
        return repr(self._opponent)

    def __call__(self, observations: Observation, masks: npt.NDArray[np.int8]) -> list[Any]:
        """Return n actions for observations (n, D) and masks (n, A)."""
        pairs = zip(observations, masks, strict=True)
        return [self._opponent(observation, mask) for observation, mask in pairs]


class SoloEnv(OneGameEnv, gym.Env[Observation, np.int64]):
    """A game as a Gymnasium environment for one agent; opponents act inside `step` until the agent decides again.

    Observations are (D,) unsigned integers from the agent's point of view; `game.observation_fields` describes the
    columns. Actions are `Discrete(A)`; `info["action_mask"]` (A,) int8 and `action_masks()` (A,) bool are the legal
    ones. The reward is the agent's, paid at the end, including the loser's -1. `info` also has the agent's `seat`,
    `opponent` (P - 1,) int64, the numbers of the opponents sampled from a `Mixture` (otherwise 0), and in a campaign
    `Game.standing`.

    >>> env = SoloEnv("kalah", opponent="greedy", seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())

    Args:
        game: as `make_game` takes it: a name, a name with options, an id or a `Game`.
        opponent: `"random"`, `"greedy"`, a search such as `"minimax:6"`, `"mcts:400"` or `"expert"` (see
            `mancala_envs.agents.Agent`), an object with a method `act(states, seed)` (`agents.Search`), a callable
            (observation, mask) -> action, the path of a saved MaskablePPO model (loading it runs code: use only files
            that you trust), a `Mixture`, or a list with one for each other seat, in turn order from the agent's.
        seat: `"random"` (drawn for every episode) or the number of a seat.
        illegal: what an illegal action does: `"lose"` ends the episode with reward -1, `"random"` plays a random legal
            action, `"raise"` raises IllegalAction. With `"lose"` and `"random"`, `info["illegal_action"]` is True.
        render_mode: None, `"ansi"`, `"rgb_array"`, `"svg"` or `"human"`.
        campaign: whether an episode is a campaign of several rounds.
        opening: what happens before the first observation of every episode: a number, or a range (low, high), of
            uniformly random decisions by all players; or positions, an array of records, of which one is drawn. An
            opening in which the game or a round ends is drawn again. 0 is the usual opening.
        options: options of the game, see its page.

    Raises:
        ValueError: if the game is unknown, or a value is not allowed.
        TypeError: if the game does not have one of the options, or an argument has a wrong type.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": FPS}  # type: ignore[misc]

    def __init__(
        self,
        game: Game | str,
        opponent: Any = "random",
        seat: int | str = "random",
        illegal: str = "lose",
        render_mode: str | None = None,
        campaign: bool = False,
        opening: Any = 0,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode) if render_mode else None
        self.opponent = opponent
        """The opponent, as given."""
        self.opening = opening
        """The opening, as given."""
        self._seating = (single(opponent), seat, illegal)
        self._keeps_actions = False
        self._play_by(make_game(game, campaign, **options))

    def __repr__(self) -> str:
        return f"SoloEnv({self.game.header})"

    __str__ = __repr__

    def _play_by(self, game: Game) -> None:
        # First what can fail, so that an error changes nothing.
        self._match = Match(game, 1, *self._seating, self.opening)
        self._state = self._match.states
        self.game = game
        if self._keeps_actions:
            self._match.keep_actions(self._seating[0])
        self.observation_space = observation_box(game)
        self.action_space = gym.spaces.Discrete(game.num_actions)
        self._running = self._seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: seed of the game's random draws, of seat, opponents and opening; None continues their generators.
            options: replace the opening of this episode. `{"opening": ...}` is as in the constructor; `{"position":
                ...}` is a position: a text in the game's notation, a dict of fields as `Game.load` takes them, or the
                record of a game, such as `record`.

        Returns:
            The agent's first observation, and the info.

        Raises:
            ValueError: if the opening or position is not allowed, or leaves the agent nothing to decide.
            TypeError: if the opening, the position or the options have a wrong type.
        """
        opening = opening_option(self.game, options)
        given = None if seed is None else seed_word(seed)
        super().reset(seed=None if given is None else int(given))
        if given is not None or not self._seeded:
            word = given if given is not None else self.np_random.integers(2**63)
            self._match.seed(_THE_ONE, np.array([word], np.uint64))
            self._seeded = True
        self._match.begin(_THE_ONE, opening)
        self._running = True
        if self._renderer is not None:
            self._renderer.begin()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the agent's action and all replies of the opponents.

        Args:
            action: an integer.

        Returns:
            Observation, reward, terminated, truncated and info.

        Raises:
            gymnasium.error.ResetNeeded: if the episode is over, or an opponent raised an error in the last step.
            TypeError: if `action` is not an integer.
            IllegalAction: if the action is illegal, with `illegal="raise"`.
        """
        if not self._running:
            raise gym.error.ResetNeeded("call reset before step: no episode is running")
        match = self._match
        match.step(np.array([whole_number(action, self.game.num_actions)], np.int64))
        terminated = bool(match.over[0])
        self._running = not terminated
        observation, info = self._observation(), self._info()
        if match.illegal[0]:
            info["illegal_action"] = True
        return observation, float(match.rewards[0]), terminated, False, info

    def _observation(self) -> Observation:
        self._match.refresh()
        if self.render_mode == "human":
            self.render()
        observation: Observation = self._match.observations[0].copy()
        return observation

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions (A,) bool, the method that MaskablePPO looks for."""
        mask: npt.NDArray[np.bool_] = self._match.masks[0].view(np.bool_).copy()
        return mask

    def keep_actions(self) -> None:
        """From the next `reset` on, keep the actions of all players for `history`.

        Opponents choose the same actions as without it. The opponents `"random"` and `"greedy"` take longer, because
        each of their decisions is a call of its own.
        """
        self._keeps_actions = True
        self._match.keep_actions(self._seating[0])

    @property
    def history(self) -> tuple[npt.NDArray[Any], list[int]]:
        """The record (1,) at the start of the episode, and the actions of all players since; see `keep_actions`.

        Raises:
            ValueError: if `keep_actions` was not called.
        """
        if self._match.actions is None:
            raise ValueError("the actions were not kept: call keep_actions before reset")
        return self._match.start.copy(), self._match.actions.copy()

    def set_opponent(self, opponent: Any) -> None:
        """Replace the opponent from the next episode on.

        Args:
            opponent: as in the constructor.
        """
        seated = single(opponent)
        self._match.set_opponent(seated)
        self.opponent, self._seating = opponent, (seated, *self._seating[1:])

    def set_opening(self, opening: Any) -> None:
        """Replace the opening from the next episode on.

        Args:
            opening: as in the constructor.

        Raises:
            TypeError: if `opening` has a wrong type.
            ValueError: if a number is out of range, there are no positions, or one is over or not from this game with
                its options.
        """
        self._match.set_opening(opening)
        self.opening = opening

    def _info(self) -> dict[str, Any]:
        match = self._match
        info = {
            "action_mask": match.masks[0].copy(),
            "seat": int(match.seats[0]),
            "opponent": match.opponent_numbers[0].copy(),
        }
        return info | standing_of_one(self.game, match.states)


_THE_ONE = np.zeros(1, np.int64)


def whole_number(action: Any, actions: int, what: str = "action") -> int:
    """Return `action` as an int, clipped to the range of int64.

    Args:
        action: any integer type.
        actions: number of actions, for the error message.
        what: what the integer is, for the error message.

    Raises:
        TypeError: if `action` is not an integer.
    """
    try:
        if isinstance(action, bool):
            raise TypeError
        number = index(action)
    except TypeError:
        raise TypeError(f"{what} must be one integer of 0..{actions - 1}, got {action!r}") from None
    return max(-_LARGEST, min(number, _LARGEST))


_LARGEST = int(np.iinfo(np.int64).max)


def standing_of_one(game: Game, states: npt.NDArray[Any]) -> dict[str, Any]:
    """Return `Game.standing` of the campaign in `states` (1,), without the first axis; {} if it is not a campaign."""
    if not game.campaign:
        return {}
    standing = {name: values[0] for name, values in game.standing(states).items()}
    return {**standing, "round_number": int(standing["round_number"])}


def opening_option(
    game: Game, options: dict[str, Any] | None, known: Sequence[str] = ("position", "opening")
) -> Opening | None:
    """Return the opening in the options of `reset`.

    Unknown options cause a warning, not an error, because they may be for a wrapper, and because compliance suites pass
    made-up ones.

    Args:
        game: the game.
        options: the options of `reset`.
        known: names of the known options.

    Returns:
        The opening of `options["opening"]`, or of the one position `options["position"]`; None if there is neither.

    Raises:
        ValueError: if the opening or position is not allowed or over, or both are given.
        TypeError: if the opening, the position or the options have a wrong type.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise TypeError(f"options of reset must be a dict or None, got {options!r}")
    unknown = sorted(set(options) - {*known}, key=str)
    if unknown:
        gym.logger.warn(f"reset takes the options {', '.join(known)}, got {', '.join(map(repr, unknown))}")
    opening, position = options.get("opening"), options.get("position")
    if position is None:
        return None if opening is None else game.opening(opening)
    if opening is not None:
        raise ValueError("the options of reset must have a position or an opening, got both")
    if isinstance(position, Mapping):
        # Seed 0 makes the position the same at every reset, even if the set-up draws the fields that are not given.
        state = game.load(0, **position)
    elif isinstance(position, str):
        state = game.parse(position)
    elif isinstance(position, np.ndarray | np.void):
        # Via the notation, which checks the position.
        state = game.parse(game.text(np.atleast_1d(position)))
    else:
        allowed = "a text, a mapping of fields or the record of one game"
        raise TypeError(f"the position to start from must be {allowed}, got {position!r}")
    if state[0].to_move < 0:
        raise ValueError("the position to start from is over")
    return game.opening(state)
