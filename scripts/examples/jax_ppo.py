"""PPO in one program of JAX: play against opponents, learning and all updates in one `jit`.

    python scripts/examples/jax_ppo.py --game kalah --updates 300

The same method as `cleanrl_ppo.py`, with the vector environment inside the program. Needs
``pip install ".[jax]"``. Ctrl-C ends the program without a result.
"""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from mancala_envs.agents import Mixture
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program

GAMES, STEPS, MINIBATCHES, WIDTH = 2048, 16, 8, 64
LEARNING_RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, MAX_NORM = 1e-3, 0.995, 0.95, 0.2, 0.01, 0.5, 0.5


def new_network(key, levels, actions):
    """Return the weights of a network that embeds every count of every column; `levels` are the numbers of counts."""
    shapes = {"counts": (levels.sum(), WIDTH), "hidden": (WIDTH, WIDTH), "out": (WIDTH, actions + 1)}
    scales = {"counts": len(levels) ** -0.5, "hidden": WIDTH**-0.5, "out": 0.01}
    keys = dict(zip(shapes, jax.random.split(key, 3), strict=True))
    weights = {name: scales[name] * jax.random.normal(keys[name], shape) for name, shape in shapes.items()}
    return weights | {f"{name}_bias": jnp.zeros(shape[1]) for name, shape in shapes.items()}


def apply(weights, offsets, observations, masks):
    """Return the logits of legal actions and the value of positions."""
    hidden = jax.nn.relu(weights["counts"][observations + offsets].sum(-2) + weights["counts_bias"])
    hidden = jax.nn.relu(hidden @ weights["hidden"] + weights["hidden_bias"])
    out = hidden @ weights["out"] + weights["out_bias"]
    return jnp.where(masks, out[..., :-1], -1e9), out[..., -1]


def trainer(envs, offsets, updates):
    """Return a function that trains a network from its weights and a key, to be compiled as one program."""
    optimizer = optax.chain(optax.clip_by_global_norm(MAX_NORM), optax.adam(LEARNING_RATE, eps=1e-5))
    handle, reset, step = envs.xla()

    def play(weights, games, key):
        """Play STEPS decisions in every game; return what there is to learn of them."""

        def decide(games, key):
            handle, observation, mask = games
            logits, value = apply(weights, offsets, observation, mask)
            action = jax.random.categorical(key, logits)
            log_prob = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0]
            handle, (seen, reward, terminated, _, infos) = step(handle, action)
            games = handle, seen, infos["action_mask"].astype(bool)
            return games, (observation, mask, action, log_prob, value, reward, ~terminated)

        games, decisions = jax.lax.scan(decide, games, jax.random.split(key, STEPS))
        *decisions, values, rewards, goes_on = decisions
        last = apply(weights, offsets, *games[1:])[1]

        def look_back(later, now):
            advantage, next_value = later
            value, reward, goes_on = now
            error = reward + GAMMA * goes_on * next_value - value
            advantage = error + GAMMA * LAMBDA * goes_on * advantage
            return (advantage, value), advantage

        _, advantages = jax.lax.scan(look_back, (jnp.zeros_like(last), last), (values, rewards, goes_on), reverse=True)
        return games, (*decisions, advantages, advantages + values)

    def loss(weights, observations, masks, actions, old_log_probs, advantages, returns):
        logits, values = apply(weights, offsets, observations, masks)
        log_probs = jax.nn.log_softmax(logits)
        ratio = jnp.exp(jnp.take_along_axis(log_probs, actions[:, None], 1)[:, 0] - old_log_probs)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = jnp.minimum(ratio * advantages, ratio.clip(1 - CLIP, 1 + CLIP) * advantages).mean()
        entropy = -(jnp.exp(log_probs) * log_probs * masks).sum(1).mean()
        return -gain + VALUE * jnp.square(values - returns).mean() - ENTROPY * entropy

    def learn(learner, batch):
        weights, moments = learner
        change, moments = optimizer.update(jax.grad(loss)(weights, *batch), moments)
        return (optax.apply_updates(weights, change), moments), None

    def update(carry, key):
        learner, games = carry
        playing, shuffling = jax.random.split(key)
        games, rows = play(learner[0], games, playing)
        order = jax.random.permutation(shuffling, GAMES * STEPS).reshape(MINIBATCHES, -1)
        learner, _ = jax.lax.scan(learn, learner, [part.reshape(-1, *part.shape[2:])[order] for part in rows])
        return (learner, games), None

    def train(weights, key):
        starting, key = jax.random.split(key)
        games, (observation, infos) = reset(handle, jax.random.randint(starting, (GAMES,), 0, 2**31 - 1))
        games = games, observation, infos["action_mask"].astype(bool)
        carry = (weights, optimizer.init(weights)), games
        return jax.lax.scan(update, carry, jax.random.split(key, updates))[0][0][0]

    return train


def main():
    parser = training_program(__doc__, "jax-ppo", "")
    parser.add_argument("--updates", type=int, default=300, help=f"updates, each from {GAMES * STEPS:,} decisions")
    args = begin(parser)
    envs = MancalaVectorEnv(args.game, GAMES, Mixture(("random", "greedy")), autoreset_mode="SameStep")
    highs = envs.single_observation_space.high.astype(int)
    offsets = np.cumsum(highs + 1) - highs - 1
    building, training = jax.random.split(jax.random.key(args.seed))
    weights = new_network(building, highs + 1, envs.single_action_space.n)
    weights = jax.jit(trainer(envs, offsets, args.updates))(weights, training)
    np.savez(args.out / "agent.npz", **weights)
    logits = jax.jit(lambda observations, masks: apply(weights, offsets, observations, masks)[0])

    def policy(observations, masks):
        return np.asarray(logits(observations, masks.astype(bool)).argmax(1))

    evaluate_and_write(policy, args)


if __name__ == "__main__":
    main()
