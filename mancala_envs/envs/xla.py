"""The vector environment inside programs of JAX, see `MancalaVectorEnv.xla`."""

from collections.abc import Callable
from copy import deepcopy
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.core.extras import needs_extra

with needs_extra():
    import jax
    import jax.numpy as jnp

Array = Any
"""An array of JAX, or what it converts to one."""
Shown = tuple[Array, Array, Array, Array, dict[str, Array]]
"""Observations, rewards, terminated, truncated and infos, as `MancalaVectorEnv.step` returns them."""

FIELDS = ("states", "rng", "seats", "agents", "opponent_numbers", "pending_rewards", "over", "illegal")
"""The arrays of a `Match` that its games go on from, with a row for each game."""


class Games:
    """The games of a vector environment outside of it: a handle is all that play depends on, (n, B) uint8.

    The handle goes into a copy of the environment, which plays, and comes out again.

    Args:
        envs: a `MancalaVectorEnv`; it does not change.
    """

    def __init__(self, envs: Any) -> None:
        self.envs = deepcopy(envs)
        self.envs.copy = False
        if any(not isinstance(agent.agent, str) for agent in self.envs._match._asked.values()):
            raise ValueError(f"xla needs opponents by name, such as 'greedy' or 'minimax:2', got {envs._seating[0]!r}")
        if not envs._started:
            self.envs.reset()
        self._lock = Lock()
        arrays = {name: getattr(self.envs._match, name) for name in FIELDS}
        self._row = np.dtype([(name, array.dtype, array.shape[1:]) for name, array in arrays.items()])
        self.handle = jnp.asarray(self._bytes())
        self._kinds = jax.tree.map(
            lambda array: jax.ShapeDtypeStruct(array.shape, jax.dtypes.canonicalize_dtype(array.dtype)),
            (self._bytes(), self._shown(self.envs._infos())),
        )

    def _bytes(self) -> npt.NDArray[np.uint8]:
        rows = np.empty(self.envs.num_envs, self._row)
        for name in FIELDS:
            rows[name] = getattr(self.envs._match, name)
        return rows.view(np.uint8).reshape(self.envs.num_envs, -1)

    def _restore(self, handle: npt.NDArray[np.uint8]) -> None:
        rows = np.ascontiguousarray(handle).view(self._row)[:, 0]
        for name in FIELDS:
            getattr(self.envs._match, name)[:] = rows[name]
        self.envs._match._interrupted = False

    def _shown(self, infos: dict[str, Any]) -> Shown:
        match, never = self.envs._match, np.zeros(self.envs.num_envs, np.bool_)
        left_out = ("final_obs", "final_info")
        shown = {name: value for name, value in infos.items() if name[0] != "_" and name not in left_out}
        return match.observations, match.rewards, match.over, never, {**shown, "illegal_action": match.illegal}

    def play(self, handle: Array, function: Callable[..., Any], *arguments: Array) -> tuple[Array, Shown]:
        """Call a function of this module with these games and the arguments, on the host."""

        def on_host(handle: Array, *arguments: Array) -> Any:
            with self._lock:
                self._restore(np.asarray(handle))
                infos, over = function(self.envs, *map(np.asarray, arguments))
                observations, rewards, _, truncated, infos = self._shown(infos)
                results = self._bytes(), (observations, rewards, over, truncated, infos)
                return jax.tree.map(lambda array, kind: np.array(array, kind.dtype), results, self._kinds)

        if handle.dtype != np.uint8 or handle.shape != self.handle.shape:
            raise ValueError(f"handle must be (uint8) of shape {self.handle.shape}, got {handle.dtype} {handle.shape}")
        played: tuple[Array, Shown] = jax.pure_callback(
            on_host, self._kinds, handle, *arguments, vmap_method="sequential"
        )
        return played

    def reset(
        self, handle: Array, seed: Array | None = None, reset_mask: Array | None = None
    ) -> tuple[Array, tuple[Array, dict[str, Array]]]:
        """Start all games, or those of `reset_mask` (n,) bool.

        Args:
            handle: (n, B) uint8, the games.
            seed: an integer, from which game i gets seed + i, or (n,); None continues the generators.
            reset_mask: see above.

        Returns:
            The handle of the new games, and the observations (n, D) and infos.
        """
        n = self.envs.num_envs
        seeds = -1 if seed is None else jnp.asarray(seed) + (jnp.arange(n) if jnp.ndim(seed) == 0 else 0)
        mask = True if reset_mask is None else reset_mask
        handle, shown = self.play(handle, _reset, jnp.broadcast_to(seeds, n), jnp.broadcast_to(mask, n))
        return handle, (shown[0], shown[-1])

    def step(self, handle: Array, actions: Array) -> tuple[Array, Shown]:
        """Play one action in every game, and the replies of the opponents, as `MancalaVectorEnv.step` does.

        Args:
            handle: (n, B) uint8, the games.
            actions: (n,) integers.

        Returns:
            The handle of the games after the step; observations (n, D), rewards, terminated and truncated (n,), and
            the infos.
        """
        actions = jnp.asarray(actions)
        if not jnp.issubdtype(actions.dtype, jnp.integer) or actions.shape != (self.envs.num_envs,):
            expected = f"integers of shape ({self.envs.num_envs},)"
            raise ValueError(f"actions must be {expected}, got {actions.dtype} of shape {actions.shape}")
        return self.play(handle, _step, actions)


def _reset(envs: Any, seeds: npt.NDArray[Any], mask: npt.NDArray[np.bool_]) -> Any:
    given = [int(seed) if seed >= 0 else None for seed in seeds]
    _, infos = envs.reset(seed=given, options=None if mask.all() else {"reset_mask": mask})
    return infos, envs._match.over


def _step(envs: Any, actions: npt.NDArray[Any]) -> Any:
    _, _, over, _, infos = envs.step(actions)
    return infos, over
