"""Gymnasium: one learner against opponents."""

from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from mancala_envs.agents import each
from mancala_envs.core.arguments import seed_word
from mancala_envs.envs.match import Match
from mancala_envs.game import Game
from mancala_envs.registry import make_game
from mancala_envs.render import FPS, MODES, Renderer

Observation = npt.NDArray[Any]


def observation_box(game: Game) -> gym.spaces.Box:
    """The space of `Game.observe`, with every column's own bound."""
    high = np.array([column.high for column in game.observation_fields], game.observation_dtype)
    return gym.spaces.Box(np.zeros_like(high), high, dtype=game.observation_dtype.type)


def single(opponent: Any) -> Any:
    """An opponent whose callables take one observation, as one that takes batches of them."""
    return each(opponent, lambda one: InTurn(one) if callable(one) else one)


class InTurn:
    """A callable that takes one observation, as one that takes batches; it is copied and pickled with what it calls."""

    def __init__(self, opponent: Callable[..., Any]) -> None:
        self.__wrapped__ = opponent

    def __call__(self, observations: Observation, masks: npt.NDArray[np.int8]) -> list[Any]:
        """(n,): what it plays."""
        pairs = zip(observations, masks, strict=True)
        return [self.__wrapped__(observation, mask) for observation, mask in pairs]


class SoloEnv(gym.Env[Observation, np.int64]):
    """One learner; opponents act inside `step` until the learner decides again.

    Observation: (D,) unsigned integers from the learner's side, described by `game.observation_fields`. Action:
    `Discrete(A)`; `info["action_mask"]` (A,) int8 and `action_masks()` (A,) bool say which are legal. Reward: the
    learner's, the loser's -1 included, at the end. `info` also has the learner's `seat`, `opponent` (P - 1,) int64, the
    numbers of those drawn from a `Mixture` for the other seats (0 elsewhere), and in a campaign `Game.standing`.

    Arguments:
        game: its registered name.
        opponent: `"random"`, `"greedy"`, a search such as `"minimax:6"` or `"mcts:400"` (see
            `mancala_envs.agents.Searcher`), one of your own with a method `act(states, seed)` (`agents.Search`), a
            callable (observation, mask) -> action, the path of a saved MaskablePPO model (a program of
            whoever saved it), a `Mixture`, or a list with one for each other seat, counted on from the learner's.
        seat: `"random"` (drawn for every episode) or a player's number.
        illegal: what an illegal action does: `"lose"` ends the episode with -1, `"raise"` raises IllegalAction,
            `"random"` plays a legal one; `info["illegal_action"]` tells.
        render_mode: None, `"ansi"`, `"rgb_array"`, `"svg"` or `"human"`.
        campaign, options: of the game, see its page.

    `reset(options={"position": ...})` starts from a position: a text in the game's notation, a dict of fields as
    `Game.load` takes them, or the record of a game, as `state` gives it. Raises ValueError or TypeError for arguments
    that are not allowed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": FPS}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        opponent: Any = "random",
        seat: int | str = "random",
        illegal: str = "lose",
        render_mode: str | None = None,
        campaign: bool = False,
        **options: Any,
    ) -> None:
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode) if render_mode else None
        self.opponent = opponent
        """Who sits in the other seats, as it was given."""
        self._seating = (single(opponent), seat, illegal)
        self._play_by(make_game(game, campaign, **options))

    def __repr__(self) -> str:
        return f"SoloEnv({self.game.header})"

    __str__ = __repr__

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.game.svg(self._match.states)

    def _play_by(self, game: Game) -> None:
        self.game = game
        self._match = Match(game, 1, *self._seating)
        self.observation_space = observation_box(game)
        self.action_space = gym.spaces.Discrete(game.num_actions)
        self._running = False

    def tie_rounds(self, **options: Any) -> None:
        """From the next `reset` on play a campaign, with these options besides the ones agreed already."""
        self._play_by(tied(self.game, options))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode. The same seed gives the same chance, seat and opponents' luck; without one they go on."""
        position = position_option(self.game, options)
        fresh_generator = self._np_random is None
        given = None if seed is None else seed_word(seed)
        super().reset(seed=None if given is None else int(given))
        if given is not None or fresh_generator:
            word = given if given is not None else self.np_random.integers(2**63)
            self._match.seed(_THE_ONE, np.array([word], np.uint64))
        self._match.begin(_THE_ONE)
        if position is not None:
            self._match.put(_THE_ONE, position)
        self._running = True
        if self._renderer is not None:
            self._renderer.begin()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner's action and all replies.

        Raises gymnasium.error.ResetNeeded when the episode is over, or an opponent raised an error in the last step,
        and TypeError for what is not an integer.
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
        self._match.look()
        if self.render_mode == "human":
            self.render()
        observation: Observation = self._match.observations[0].copy()
        return observation

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(A,) bool: what is legal now, as MaskablePPO asks for it."""
        mask: npt.NDArray[np.bool_] = self._match.masks[0].view(np.bool_).copy()
        return mask

    @property
    def state(self) -> npt.NDArray[Any]:
        """(1,) copy of the game's record."""
        return self._match.states.copy()

    def set_opponent(self, opponent: Any) -> None:
        """Who sits in the other seats from the next episode on; see `opponent` above."""
        seated = single(opponent)
        self._match.set_opponent(seated)
        self.opponent, self._seating = opponent, (seated, *self._seating[1:])

    def set_starts(self, states: npt.NDArray[Any] | None) -> None:
        """Positions, (m,) records of `game`; every further episode starts from one of them, drawn. None: as ever.

        A `position` of `reset` goes before. Raises TypeError or ValueError for what is no position of this very game.
        """
        self._match.set_starts(states)

    @property
    def starts(self) -> npt.NDArray[Any]:
        """(m,) copy of what `set_starts` was given; (0,) where episodes start as the rules say."""
        return self._match.starts.copy()

    def _info(self) -> dict[str, Any]:
        match = self._match
        info = {"action_mask": match.masks[0].copy(), "seat": int(match.seats[0]), "opponent": match.met[0].copy()}
        return info | standing_of_one(self.game, match.states)

    def render(self) -> Any:
        """str (text or SVG), (H, W, 3) uint8 or None, by `render_mode`."""
        if self._renderer is None:
            gym.logger.warn('render() without a render_mode: make the environment with render_mode="rgb_array", say')
            return None
        return self._renderer.render(self.game.board(self._match.states))

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._renderer is not None:
            self._renderer.close()


_THE_ONE = np.zeros(1, np.int64)


def whole_number(action: Any, actions: int, what: str = "action") -> int:
    """The one integer that `action` is, brought into the range of int64. Raises TypeError for what is none."""
    try:
        if isinstance(action, bool):
            raise TypeError
        number = index(action)
    except TypeError:
        raise TypeError(f"{what} must be one integer of 0..{actions - 1}, got {action!r}") from None
    return max(-_LARGEST, min(number, _LARGEST))


_LARGEST = int(np.iinfo(np.int64).max)


def tied(game: Game, options: dict[str, Any]) -> Game:
    """The campaign of a game, with `options` besides the ones agreed already."""
    return make_game(game.name, True, **{**game.options, **options})


def standing_of_one(game: Game, states: npt.NDArray[Any]) -> dict[str, Any]:
    """`Game.standing` of the one campaign in `states`, without the first axis; nothing where there is no campaign."""
    if not game.campaign:
        return {}
    standing = {name: values[0] for name, values in game.standing(states).items()}
    return {**standing, "round_number": int(standing["round_number"])}


def position_option(
    game: Game, options: dict[str, Any] | None, known: Sequence[str] = ("position",)
) -> npt.NDArray[Any] | None:
    """The state (1,) that `reset(options={"position": ...})` asks for: by a text, by fields, or itself.

    Raises ValueError or TypeError as `Game.parse` and `Game.load` do. Options that are not `known` only bring a
    warning: they may be meant for a wrapper, and the compliance suites make some up.
    """
    if not isinstance(options, Mapping | None):
        raise TypeError(f"options of reset must be a dict or None, got {options!r}")
    unknown = sorted(set(options or ()) - {*known}, key=str)
    if unknown:
        gym.logger.warn(f"reset knows the options {', '.join(known)}, not {', '.join(map(repr, unknown))}")
    position = (options or {}).get("position")
    if position is None:
        return None
    if isinstance(position, Mapping):
        # A position is one and the same at every reset: what no field says and chance decides is as by seed 0.
        state = game.load(0, **position)
    elif isinstance(position, str):
        state = game.parse(position)
    elif isinstance(position, np.ndarray | np.void):
        # So that it is checked as a text is.
        state = game.parse(game.text(np.atleast_1d(position)))
    else:
        allowed = "a text, a mapping of fields or the record of one game"
        raise TypeError(f"the position to start from must be {allowed}, got {position!r}")
    if state[0].to_move < 0:
        raise ValueError("the position to start from is over")
    return state
