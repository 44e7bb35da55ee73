"""Play a vector environment inside programs of JAX."""

import jax

from mancala_envs.envs.vector import MancalaVectorEnv

envs = MancalaVectorEnv("kalah", 256, opponent="minimax:1", autoreset_mode="SameStep")
handle, reset, step = envs.xla()
handle, (observations, infos) = jax.jit(reset)(handle, seed=0)
actions = infos["action_mask"].argmax(-1)
handle, (observations, rewards, terminated, truncated, infos) = jax.jit(step)(handle, actions)
print(rewards.sum())
