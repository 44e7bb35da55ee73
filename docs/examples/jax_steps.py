"""Play campaigns of Qelat in one program of JAX."""

import jax

from mancala_envs.integrations.jax import make, sample

env = make("qelat", campaign=True, columns=4, autoreset=True)


@jax.jit
def play(state, keys):
    def body(state, key):
        state = env.step(state, sample(key, state.legal_action_mask))
        return state, state.rewards

    return jax.lax.scan(body, state, keys)


state = env.init(jax.random.split(jax.random.key(0), 1024))
state, rewards = play(state, jax.random.split(jax.random.key(1), 50))
print(state.observation.shape, rewards.shape)
