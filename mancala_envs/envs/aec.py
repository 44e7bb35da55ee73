"""The PettingZoo AEC environment, in which every seat is an agent."""

from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from mancala_envs.core.arguments import seed_word
from mancala_envs.core.contract import observe
from mancala_envs.core.engine import IllegalAction
from mancala_envs.core.kernels import may_play, move, pay, write_mask
from mancala_envs.core.observation import row_of
from mancala_envs.core.record import ENGINE_FIELDS, TRUNCATED
from mancala_envs.core.rule import rule
from mancala_envs.envs.base import OneGameEnv
from mancala_envs.envs.solo import observation_box, opening_option, standing_of_one
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.render import FPS, MODES, Renderer

Observation = dict[str, npt.NDArray[Any]]


_ILLEGAL = -1
"""The result of `turn` for an illegal action."""
_ENDED = 256
"""When the game is over, the result of `turn` is this number times the field `ended`; during play it is the player to
move."""
_PAID = 1024
"""Added to the result of `turn` if the action paid rewards."""


@rule
def turn(states, action, rewards, words, mask, observations, layout):
    """Play an action, then write all observations and the mask of the player to move.

    Args:
        states: (1,) record of the game.
        action: the action, -1 for none.
        rewards: (P,) float64, written only if the action ends the game or a round.
        words: (ceil(A / 64),) uint64, scratch memory.
        mask: (A,) int8, written.
        observations: (P, D), written; its rows are records of the dtype `layout`.
        layout: the dtype of an observation.

    Returns:
        One number for the player to move, the end of the game and payment, see `_ENDED` and `_PAID`; -1 for an illegal
        action, which changes nothing.
    """
    s = states[0]
    paid = 0
    if action != -1:
        if not may_play(s, action):
            return _ILLEGAL
        if move(s, action):
            paid = _PAID
            for p in range(len(rewards)):
                rewards[p] = pay(s, p)
    if s.to_move >= 0:
        write_mask(s, words, mask)
    else:
        mask[:] = 0
    for p in range(len(observations)):
        observe(s, p, row_of(observations, p, layout))
    return paid + (np.int64(s.to_move) if s.to_move >= 0 else _ENDED * np.int64(s.ended))


_INTEGERS = (int, np.integer)


class _NoEpisode:
    """Placeholder for attributes of an episode before the first `reset`; any use raises ResetNeeded."""

    def _refuse(self, *_: object) -> Any:
        raise gym.error.ResetNeeded("call reset first: there is no episode yet")

    __getitem__ = __iter__ = __len__ = __bool__ = __contains__ = __eq__ = get = keys = values = items = _refuse
    __hash__ = object.__hash__


_EPISODE_ATTRIBUTES = (
    "agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards",
    "_observations",
)  # fmt: skip


class RawEnv(OneGameEnv, AECEnv[str, Observation, int | np.integer[Any] | None]):
    """A game as a PettingZoo AEC environment. A player can have several decisions in a row.

    Observations are `{"observation": (D,) unsigned integers, "action_mask": (A,) int8}` from the agent's point of view;
    the mask is all zeros for agents that are not to move. `infos` have the mask too and, in a campaign, every player's
    `Game.standing`. Rewards are paid at the end of the game (and of every round, if the option `round_reward` is set)
    and sum to zero. `copy.deepcopy` and `pickle` preserve the exact state. Before the first `reset`, using an attribute
    of an episode raises `gymnasium.error.ResetNeeded`.

    >>> env = RawEnv("kalah")
    >>> env.reset(seed=1)
    >>> env.step(0)

    Args:
        game: as `make_game` takes it: a name, a name with options, an id or a `Game`.
        render_mode: None, `"ansi"`, `"rgb_array"`, `"svg"` or `"human"`.
        campaign: whether an episode is a campaign of several rounds.
        opening: what happens before the first decision of an agent, as in `SoloEnv`; the player who is then to move
            begins.
        options: options of the game, see its page.

    Raises:
        ValueError: if the game is unknown, or a value is not allowed.
        TypeError: if the game does not have one of the options.
    """

    metadata: ClassVar[dict[str, Any]] = {}

    def __init__(
        self, game: Game | str, render_mode: str | None = None, campaign: bool = False, opening: Any = 0, **options: Any
    ) -> None:
        super().__init__()
        rules = make_game(game, campaign, **options)
        self.metadata = {  # type: ignore[misc]
            "name": REGISTRY[rules.name].module if rules.name in REGISTRY else rules.name,
            "render_modes": list(MODES),
            "render_fps": FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode) if render_mode else None
        self._generator = np.random.default_rng()
        self.opening = opening
        """The opening, as given."""
        self._play_by(rules)

    def _play_by(self, game: Game) -> None:
        # First what can fail, so that an error changes nothing.
        self._opening = game.opening(self.opening)
        self.game = game
        # With `__getattr__`, or by using `__dict__` here, every attribute access would be slower.
        for name in _EPISODE_ATTRIBUTES:
            setattr(self, name, _NoEpisode())
        self.possible_agents = [f"player_{player}" for player in range(game.num_players)]
        self._player = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {
            agent: gym.spaces.Dict(
                {
                    "observation": observation_box(game),
                    "action_mask": gym.spaces.Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: gym.spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._nothing = np.zeros(game.num_actions, np.int8)
        self._shape = (len(self.possible_agents), len(game.observation_fields))
        self._last_rewards = np.zeros(len(self.possible_agents))
        self._words = np.empty((self.game.num_actions + 63) // 64, np.uint64)
        self._state = game.init(1, 0)
        self._bind()

    def _bind(self) -> None:
        self._turn = self.game.kernel(turn)
        self._records = self.game.records(self._state)

    def __getstate__(self) -> dict[str, Any]:
        # These refer to the memory of `_state`, so a copy makes its own.
        return {name: value for name, value in self.__dict__.items() if name not in ("_turn", "_records")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def __repr__(self) -> str:
        return f"RawEnv({self.game.header})"

    def observation_space(self, agent: str) -> gym.spaces.Dict:
        """Return the agent's observation space, the same object at every call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Discrete:
        """Return the agent's action space, the same object at every call."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: seed of the game's random draws and of the opening; None continues the environment's generator.
            options: `{"opening": ...}` or `{"position": ...}` replaces the opening of this episode, as in
                `SoloEnv.reset`.

        Raises:
            ValueError: if the opening or position is not allowed.
            TypeError: if the opening, the position or the options have a wrong type.
        """
        opening = opening_option(self.game, options) or self._opening
        if seed is not None:
            self._generator = np.random.default_rng(int(seed_word(seed)))
        self._state[:] = self.game.init(1, int(self._generator.integers(2**63)), opening=opening)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._paid = False
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._nothing} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._play(-1)
        if self._renderer is not None:
            self._renderer.begin()
        if self.render_mode == "human":
            self.render()

    def _play(self, action: int) -> int:
        """Play an action and update masks and observations in new arrays; return the result of `turn`."""
        mask = np.empty(self.game.num_actions, np.int8)
        observations = np.empty(self._shape, self.game.observation_dtype)
        result: int = self._turn.call(
            self._records, action, self._last_rewards, self._words, mask, observations, self.game.layout
        )
        if result == _ILLEGAL:
            return result
        # New infos, because callers may have kept those before.
        standing = standing_of_one(self.game, self._state) if self.game.campaign else {}
        self.infos = {agent: {"action_mask": self._nothing, **standing} for agent in self.infos}
        if result % _PAID < _ENDED:
            self.agent_selection = agent = self.possible_agents[result % _PAID]
            self.infos[agent]["action_mask"] = mask
        self._observations = observations
        return result

    def observe(self, agent: str) -> Observation:
        """Return the agent's current observation and action mask."""
        # An agent that has left has no info.
        info = self.infos.get(agent)
        mask = info["action_mask"] if info else self._nothing
        return {"observation": self._observations[self._player[agent]], "action_mask": mask}

    def state(self) -> npt.NDArray[np.uint8]:
        """Return the global state (B,) uint8: the bytes of the record, without its random generator and game number."""
        names = [name for name in self.game.dtype.names or () if name not in ENGINE_FIELDS]
        return np.concatenate([self._state[name].reshape(-1).view(np.uint8) for name in names])

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Play the selected agent's action.

        Args:
            action: the action; None for an agent whose game is over.

        Raises:
            IllegalAction: if the action is illegal; nothing changes then.
            gymnasium.error.ResetNeeded: if there is no episode, or all agents have left.
        """
        agent = self.agent_selection
        try:
            over = self.terminations[agent] or self.truncations[agent]
        except KeyError:
            raise gym.error.ResetNeeded("call reset first: the episode is over and all agents have left") from None
        if over:
            self._was_dead_step(action)
            return
        result = _ILLEGAL
        # The range is checked here because to `turn` -1 means no action, and numbers above int64 would overflow.
        if isinstance(action, _INTEGERS) and not isinstance(action, bool) and 0 <= action < self.game.num_actions:
            result = self._play(int(action))
        if result == _ILLEGAL:
            raise IllegalAction(0, action, np.flatnonzero(self.infos[agent]["action_mask"]).tolist())
        self._cumulative_rewards[agent] = 0.0
        if result >= _PAID:
            self._pay()
        elif self._paid:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._paid = result >= _PAID
        ended = result % _PAID // _ENDED
        if ended:
            self._end(truncated=ended == TRUNCATED)
        if self.render_mode == "human":
            self.render()

    def _pay(self) -> None:
        self.rewards = {agent: float(self._last_rewards[self._player[agent]]) for agent in self.agents}
        self._accumulate_rewards()

    def _end(self, truncated: bool) -> None:
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._deads_step_first()


class Guarded(wrappers.OrderEnforcingWrapper):
    """PettingZoo's `OrderEnforcingWrapper`, with a `repr` that shows the environment."""

    def __repr__(self) -> str:
        return f"Guarded({self.unwrapped!r})"

    def __str__(self) -> str:
        return str(self.env)

    def _repr_svg_(self) -> str:
        return str(self.unwrapped._repr_svg_())


def wrapped(**arguments: Any) -> AECEnv[str, Observation, int | np.integer[Any] | None]:
    """Make a `RawEnv` with PettingZoo's usual wrappers: an illegal action loses, and misuse raises an error.

    Args:
        arguments: arguments of `RawEnv`.
    """
    env: AECEnv[Any, Any, Any] = RawEnv(**arguments)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return Guarded(env)
