"""Every game as a functional environment for JAX, in the manner of pgx: inside `jit`, `vmap` and `scan`.

::

    env = make("qelat", campaign=True, columns=4)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 1024))
    state = jax.jit(env.step)(state, state.legal_action_mask.argmax(-1))

A state contains the game's record, so it can be copied, stored and searched like any array. `step` plays the same rules
as `Game.step`, with the same bytes as the result. On the CPU, XLA calls the compiled rules directly; on other devices
it calls them on the host, through Python.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from mancala_envs.core.arguments import States, as_batch
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.kernels import ILLEGAL
from mancala_envs.game import Game
from mancala_envs.integrations.jax_ffi import BEGIN, FAULTS, LOOK, OBSERVE, PLAY, REDRAW, operate_loop, register
from mancala_envs.registry import make_game

with needs_extra():
    import jax
    import jax.numpy as jnp

Array = Any
"""An array of JAX, or what it converts to one. Shapes below are those of one game; a batch has more axes in front."""


@dataclass(frozen=True)
class State:
    """A game in progress and what an agent needs to know of it; a pytree.

    In a game that is over, player 0 observes and all actions are legal, as in pgx, but do nothing.
    """

    current_player: Array
    """() int32, the player to move; 0 in a game that is over."""
    observation: Array
    """(D,) what that player sees, as `Game.observe` returns it."""
    rewards: Array
    """(P,) float32, the rewards of all players for the last step."""
    terminated: Array
    """() bool, whether the game is over. With automatic reset, whether the last step ended the previous game."""
    truncated: Array
    """() bool, always False, because all games end by their rules, which limit the number of turns."""
    legal_action_mask: Array
    """(A,) bool, the legal actions."""
    record: Array
    """(B,) uint8, the bytes of the game's record."""

    def replace(self, **changes: Any) -> "State":
        """Return a copy with other values of some fields."""
        return replace(self, **changes)


jax.tree_util.register_dataclass(State, [field.name for field in fields(State)], [])


class JaxEnv:
    """A game as a functional environment. `make` returns one.

    Args:
        game: the game.
        illegal: what an illegal action does: `"lose"` ends the game with -1 for the player, and the others share +1;
            `"raise"` raises an error; `"random"` plays a random legal action by the key given to `step`.
        autoreset: whether a game that ends starts again in the same step.

    Attributes:
        game: the game.
        id: the game's name with its options.
        num_players: number P of players.
        num_actions: number A of actions.
        observation_shape: (D,).

    Raises:
        ValueError: if `illegal` is not allowed.
    """

    def __init__(self, game: Game, illegal: str = "lose", autoreset: bool = False) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal must be one of {', '.join(map(repr, ILLEGAL))}, got {illegal!r}")
        self.game = game
        self.id = game.header
        self.num_players, self.num_actions = game.num_players, game.num_actions
        self.observation_shape = (len(game.observation_fields),)
        self.illegal, self.autoreset = illegal, bool(autoreset)
        self._blank = np.asarray(game._blank).view(np.uint8)
        start = game.dtype.fields["chance"][1]  # type: ignore[index]
        self._chance = slice(start, start + 8)
        self._target = "" if numba.config.DISABLE_JIT else register(game)
        self._loop = game.bind(operate_loop)

    def __repr__(self) -> str:
        return f"JaxEnv({self.id})"

    def init(self, key: Array) -> State:
        """Start a game, or one for each key. The set-up and all chance of the game depend on the key.

        Args:
            key: a key of `jax.random`, or an array of typed keys.
        """
        shape = jnp.shape(key) if jnp.issubdtype(jnp.asarray(key).dtype, jax.dtypes.prng_key) else jnp.shape(key)[:-1]
        record = jnp.broadcast_to(self._blank, (*shape, self._blank.size))
        return self._operate(BEGIN, self._seeded(record, key), jnp.zeros(shape, jnp.int32))

    def step(self, state: State | Array, action: Array, key: Array | None = None) -> State:
        """Play an action. A game that is over stays as it is, with rewards of 0, unless it is reset.

        Args:
            state: a state, or its `record` alone, which is all that a search needs to store.
            action: () integer.
            key: if given, all chance of the game from now on depends on it; otherwise on the key of `init`.

        Raises:
            TypeError: if the record or the action has a wrong dtype; when a program is traced.
            ValueError: if one has a wrong shape, or there is no key with `illegal="random"`.
            jax.errors.JaxRuntimeError: if a record belongs to another game, or an action is illegal with
                `illegal="raise"`; when a program runs.
        """
        if key is None and self.illegal == "random":
            raise ValueError('illegal="random" draws an action: step needs a key')
        record = self._record(state)
        return self._operate(PLAY, record if key is None else self._seeded(record, key), action)

    def observe(self, state: State | Array, player: Array) -> Array:
        """Return the observation (D,) of a player, () integer.

        Raises:
            jax.errors.JaxRuntimeError: if there is no such player; when a program runs.
        """
        return self._operate(OBSERVE, self._record(state), player).observation

    def look(self, record: Array) -> State:
        """Return the state of a record (B,) uint8, with rewards of 0."""
        record = self._record(record)
        return self._operate(LOOK, record, jnp.zeros(record.shape[:-1], jnp.int32))

    def redraw(self, state: State | Array, key: Array) -> State:
        """Return what the player to move may know, from which a search can start.

        Hidden information is removed and drawn again when it matters, and future chance depends on the key.
        """
        record = self._seeded(self._record(state), key)
        return self._operate(REDRAW, record, jnp.zeros(record.shape[:-1], jnp.int32))

    def from_records(self, records: States) -> State:
        """Return the states (n,) of records of the game; outside of `jit`.

        Raises:
            ValueError: if a record belongs to another game or has other options.
        """
        self.game.view(records)
        if difference := self.game.difference(records):
            raise ValueError(f"{self.id}: {difference}")
        batch = np.ascontiguousarray(as_batch(records))
        return self.look(batch.view(np.uint8).reshape(len(batch), -1))

    def to_records(self, state: State | Array) -> npt.NDArray[Any]:
        """Return the records (n,) of a batch of states, or (1,) of one state, for methods of `Game`."""
        record = np.array(self._record(state))
        return record.reshape(-1, record.shape[-1]).view(self.game.dtype)[:, 0].view(np.recarray)

    def _record(self, state: State | Array) -> Array:
        record = state.record if isinstance(state, State) else state
        size, dtype = self._blank.size, getattr(record, "dtype", type(record))
        if dtype != np.uint8:
            raise TypeError(f"{self.id}: the record of a state must have dtype uint8, got {dtype}")
        if record.shape[-1:] != (size,):
            raise ValueError(f"{self.id}: the record of a state must have {size} bytes, got shape {record.shape}")
        return jnp.asarray(record)

    def _seeded(self, record: Array, key: Array) -> Array:
        """Return records whose random generators are drawn by a key, or by one for each record."""
        shape = record.shape[:-1]
        keys = key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
        if keys.shape not in ((), shape):
            raise ValueError(f"{self.id}: there must be one key or keys of shape {shape}, got {keys.shape}")

        def draw(key: Array) -> Array:
            return jax.random.bits(key, (*(() if keys.shape else shape), 8), jnp.uint8)

        for _ in keys.shape:
            draw = jax.vmap(draw)
        return record.at[..., self._chance].set(draw(keys))

    def _operate(self, operation: int, record: Array, action: Array) -> State:
        """Do one operation of `operate_loop` in every game."""
        action, shape = jnp.asarray(action), record.shape[:-1]
        if not jnp.issubdtype(action.dtype, jnp.integer):
            raise TypeError(f"{self.id}: actions must be integers, got dtype {action.dtype}")
        if action.shape != shape:
            raise ValueError(f"{self.id}: actions must have shape {shape}, as the states, got {action.shape}")
        if action.dtype.itemsize > 4:  # Large values must not wrap around to legal actions or players.
            action = jnp.clip(action, -1, np.iinfo(np.int32).max)
        settings = {
            "operation": operation,
            "illegal": ILLEGAL.index(self.illegal),
            "autoreset": int(self.autoreset and operation == PLAY),
        }

        def by_handler(record: Array, action: Array) -> Any:
            call = jax.ffi.ffi_call(self._target, self._results(shape), vmap_method="broadcast_all")
            # JAX 0.5.0 returns a list, and the results of both choices must have one type.
            return tuple(call(record, action, **{name: np.int64(value) for name, value in settings.items()}))

        def by_callback(record: Array, action: Array) -> Any:
            def call(record: Array, action: Array) -> Any:
                return self._play_on_host(np.array(record), np.asarray(action), settings)

            return jax.pure_callback(call, self._results(shape), record, action, vmap_method="broadcast_all")

        choices: dict[str, Callable[..., Any]] = {"cpu": by_handler} if self._target else {}
        played = jax.lax.platform_dependent(record, action.astype(jnp.int32), default=by_callback, **choices)
        record, rewards, observation, mask, player, over = played
        return State(player, observation, rewards, over, jnp.zeros_like(over), mask, record)

    def _results(self, shape: tuple[int, ...]) -> tuple[Any, ...]:
        """Return the shapes and dtypes of what `operate_loop` writes for games of this shape, and of the records."""
        game = self.game
        kinds = (
            (self._blank.shape, np.uint8), ((game.num_players,), np.float32),
            (self.observation_shape, game.observation_dtype), ((game.num_actions,), np.bool_),
            ((), np.int32), ((), np.bool_),
        )  # fmt: skip
        return tuple(jax.ShapeDtypeStruct((*shape, *own), kind) for own, kind in kinds)

    def _play_on_host(self, record: npt.NDArray[Any], action: npt.NDArray[Any], settings: dict[str, int]) -> Any:
        """Do one operation through Python, on devices that cannot call compiled code of the host."""
        results = [np.zeros(kind.shape, kind.dtype) for kind in self._results(action.shape)]
        rewards, observations, masks, players, over = (
            array.reshape(action.size, *array.shape[action.ndim :]) for array in results[1:]
        )
        records = record.reshape(action.size, -1).view(self.game.dtype)[:, 0]
        fault = self._loop(
            self.game.records(records), self.game._rules, action.ravel(), settings["operation"], settings["illegal"],
            settings["autoreset"], np.empty((self.num_actions + 63) // 64, np.uint64), rewards, observations,
            self.game.layout, masks.view(np.uint8), players, over.view(np.uint8),
        )  # fmt: skip
        if fault:
            raise ValueError(f"{self.id}: {FAULTS[fault]}")
        return (record, *results[1:])


def make(
    game: Game | str, campaign: bool = False, *, illegal: str = "lose", autoreset: bool = False, **options: Any
) -> JaxEnv:
    """Return a game as a functional environment.

    Args:
        game: as `make_game` takes it: a name, a name with options, an id or a `Game`.
        campaign: whether a game is a campaign of several rounds.
        illegal: see `JaxEnv`.
        autoreset: see `JaxEnv`.
        options: options of the game, see its page.

    Raises:
        ValueError: if the game is unknown, or a value is not allowed.
        TypeError: if the game does not have one of the options.
    """
    return JaxEnv(make_game(game, campaign, **options), illegal, autoreset)


def sample(key: Array, mask: Array) -> Array:
    """Draw legal actions uniformly.

    Args:
        key: a key of `jax.random`.
        mask: (..., A) bool, the legal actions.

    Returns:
        (...) int32.
    """
    # First a row of the mask, as a square, then an action of this row: a sum over all actions would take far longer.
    actions, side = mask.shape[-1], math.isqrt(mask.shape[-1] - 1) + 1
    square = jnp.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, side * side - actions)])
    ends = jnp.cumsum(square.reshape(*mask.shape[:-1], side, side).sum(-1, dtype=jnp.uint8), -1, dtype=jnp.int32)
    number = (jax.random.uniform(key, mask.shape[:-1]) * ends[..., -1]).astype(jnp.int32)[..., None]
    row = (ends > number).argmax(-1)[..., None]
    places = jnp.minimum(row * side + jnp.arange(side), actions - 1)
    here = jnp.cumsum(jnp.take_along_axis(mask, places, -1), -1, dtype=jnp.int32)
    before = jnp.where(row > 0, jnp.take_along_axis(ends, row - 1, -1), 0)
    return jnp.take_along_axis(places, (before + here > number).argmax(-1)[..., None], -1)[..., 0].astype(jnp.int32)
