"""Random play inside programs of JAX, by our games and by those of pgx. Needs the extra [jax]; pgx needs `pgx`."""

from collections.abc import Callable
from time import process_time
from typing import Any

from mancala_envs.core.extras import needs_extra
from mancala_envs.integrations.jax import make, sample

with needs_extra():
    import jax

GAMES = 4096
STEPS = 20
"""Steps of one call of a program."""

Run = Callable[[int], float]
"""Plays approximately the given number of decisions, and returns the number of decisions per CPU second."""


def our_loop(name: str, games: int = GAMES, **options: Any) -> Run:
    """Return a run of one of our games."""
    env = make(name, autoreset=True, **options)
    return _loop(env.init, lambda state, action, keys: env.step(state, action), games)


def pgx_loop(name: str, games: int = GAMES) -> Run:
    """Return a run of a game of pgx."""
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    return _loop(jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init)), games)


def _loop(init: Callable[..., Any], step: Callable[..., Any], games: int) -> Run:
    """Return a run of a batch; `init` takes keys (n,), and `step` states, actions and keys."""

    def body(state: Any, key: Any) -> tuple[Any, Any]:
        sampling, stepping = jax.random.split(key)
        action = sample(sampling, state.legal_action_mask)
        # XLA computes only what a program returns.
        state = step(state, action, jax.random.split(stepping, games))
        return state, (state.rewards.sum(), state.observation.sum(), state.terminated.sum())

    program = jax.jit(lambda state, key: jax.lax.scan(body, state, jax.random.split(key, STEPS)))
    state = jax.jit(init)(jax.random.split(jax.random.key(0), games))
    for key in jax.random.split(jax.random.key(0), 2):  # compiles for a new state, and for one that the program returns
        state, _ = program(state, key)

    def run(decisions: int) -> float:
        nonlocal state
        calls = max(1, decisions // (games * STEPS))
        keys = list(jax.random.split(jax.random.key(1), calls))
        begin = process_time()
        for key in keys:
            state, _ = jax.block_until_ready(program(state, key))
        return calls * STEPS * games / (process_time() - begin)

    return run
