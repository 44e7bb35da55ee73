"""AlphaZero in JAX: self-play by the search of mctx, and a network on afterstates, one `jit` for each iteration.

    python scripts/examples/jax_alphazero.py --game qelat --minutes 10

The same method as `alphazero.py`, with the games inside the program: a node of the search tree stores a game's record.
For games of two players without chance. Needs ``pip install ".[jax]"``.
"""

from functools import partial
from time import monotonic
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax

from mancala_envs.integrations.jax import make
from mancala_envs.learning.examples import begin, evaluate_and_write, training_program
from mancala_envs.programs.progress import Bar

GAMES, STEPS, SIMULATIONS, STRONG = 256, 32, 16, 32
"""Games at once, decisions of each in an iteration, and simulations of a search in training and in the evaluation."""
WIDTHS, LEVELS, MINIBATCH, EPOCHS, LEARNING_RATE, LAMBDA, SHARPNESS = (128, 64), 16, 512, 2, 1e-3, 0.98, 5.0


def for_player(player, after):
    """Return rewards of players for a step, and by what later values count for them: 1, -1, or 0 at the end."""
    reward = jnp.take_along_axis(after.rewards, player[:, None], 1)[:, 0]
    return reward, jnp.where(after.current_player == player, 1.0, -1.0) * ~after.terminated


class AlphaZero:
    """Search, self-play and learning for a game. A network is a list of weights and biases."""

    def __init__(self, game):
        self.env, self.selfplay = make(game), make(game, autoreset=True)
        self.highs = np.array([column.high for column in self.env.game.observation_fields])
        counts = np.flatnonzero(self.highs > 1)
        self.columns, self.levels = np.repeat(counts, LEVELS), np.tile(np.arange(LEVELS), len(counts))
        self.optimizer = optax.adam(LEARNING_RATE)

    def new(self, key):
        sizes = (len(self.highs) + len(self.levels), *WIDTHS, 2)
        scales = (len(self.highs) ** -0.5, *(width**-0.5 for width in WIDTHS))
        shapes = zip(jax.random.split(key, len(scales)), sizes, sizes[1:], scales, strict=False)
        return [(scale * jax.random.normal(key, (a, b)), jnp.zeros(b)) for key, a, b, scale in shapes]

    def judge(self, network, state):
        """Return logits of all actions, what each is worth to the player to move by what it leads to, and the mean."""
        games, actions = state.legal_action_mask.shape
        records, players = (jnp.repeat(array, actions, 0) for array in (state.record, state.current_player))
        after = self.env.step(records, jnp.tile(jnp.arange(actions), games))
        seen = self.env.observe(after, players)
        # Counts scaled and one-hot, because one seed more makes a different move.
        hidden = jnp.concatenate([seen / self.highs, seen[:, self.columns] == self.levels], 1)
        for number, (weight, bias) in enumerate(network):
            hidden = (jax.nn.relu(hidden) if number else hidden) @ weight + bias
        worth = jnp.where(after.terminated, for_player(players, after)[0], jnp.tanh(hidden[:, 1]))
        scores, worth = hidden[:, 0].reshape(-1, actions), worth.reshape(-1, actions)
        logits = jnp.where(state.legal_action_mask, scores + SHARPNESS * jax.lax.stop_gradient(worth), -1e9)
        return logits, worth, (jax.nn.softmax(logits) * worth).sum(-1)

    def search(self, network, key, state, simulations, gumbel=1.0):
        """Return mctx's search from a batch of states."""

        def visit(network, key, action, node):
            record, player = node
            after = self.env.step(record, action)
            logits, _, value = self.judge(network, after)
            reward, sign = for_player(player, after)
            found = mctx.RecurrentFnOutput(reward=reward, discount=sign, prior_logits=logits, value=value)
            return found, (after.record, after.current_player)

        logits, _, value = self.judge(network, state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=(state.record, state.current_player))
        illegal = ~state.legal_action_mask
        return mctx.gumbel_muzero_policy(network, key, root, visit, simulations, illegal, gumbel_scale=gumbel)

    def play(self, network, state, key):
        """Play STEPS decisions in every game; return the states, actions, policies and values to learn."""

        def decide(state, key):
            found = self.search(network, key, state, SIMULATIONS)
            after = self.selfplay.step(state, found.action)
            learnt = state, found.action, found.action_weights, found.search_tree.summary().value
            return after, (*learnt, *for_player(state.current_player, after))

        def look_back(later, now):
            (returned, next_value), (value, reward, sign) = later, now
            returned = reward + sign * (LAMBDA * returned + (1 - LAMBDA) * next_value)
            return (returned, value), returned

        state, (states, actions, policies, values, *rest) = jax.lax.scan(decide, state, jax.random.split(key, STEPS))
        last = self.judge(network, state)[2]
        _, targets = jax.lax.scan(look_back, (last, last), (values, *rest), reverse=True)
        rows = states, actions, policies, targets
        return state, jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), rows)

    def loss(self, network, states, actions, policies, targets):
        logits, worth, _ = self.judge(network, states)
        played = jnp.take_along_axis(worth, actions[:, None], 1)[:, 0]
        return optax.softmax_cross_entropy(logits, policies).mean() + jnp.square(played - targets).mean()

    @partial(jax.jit, static_argnums=0)
    def iterate(self, network, moments, state, key, rate):
        """Play, and learn from what was played."""
        playing, *shuffling = jax.random.split(key, 1 + EPOCHS)
        state, rows = self.play(network, state, playing)

        def learn(learner, some):
            loss, gradient = jax.value_and_grad(self.loss)(learner[0], *jax.tree.map(lambda array: array[some], rows))
            change, moments = self.optimizer.update(gradient, learner[1])
            return (jax.tree.map(lambda weight, step: weight + rate * step, learner[0], change), moments), loss

        orders = [jax.random.permutation(key, GAMES * STEPS).reshape(-1, MINIBATCH) for key in shuffling]
        (network, moments), losses = jax.lax.scan(learn, (network, moments), jnp.concatenate(orders))
        return network, moments, state, losses.mean()


def main():
    parser = training_program(__doc__, "jax-alphazero", "", "qelat")
    parser.add_argument("--minutes", type=float, default=10, help="minutes of training, with compilation")
    args = begin(parser)
    begun, key, alphazero = monotonic(), jax.random.key(args.seed), AlphaZero(args.game)
    game = alphazero.env.game
    if game.num_players != 2 or game.has_chance or game.has_secrets:
        parser.error(f"{args.game} is not a game of two players without chance")
    moments = alphazero.optimizer.init(network := alphazero.new(key))
    state = alphazero.env.init(jax.random.split(key, GAMES))
    with Bar(total=None, unit=" decisions", unit_scale=True) as bar:
        while (left := 1 - (monotonic() - begun) / (60 * args.minutes)) > 0:
            this = jax.random.fold_in(key, bar.n)
            network, moments, state, loss = alphazero.iterate(network, moments, state, this, max(0.05, left))
            bar.update(GAMES * STEPS)
            bar.set_postfix_str(f"loss {loss:.3f}")
    np.savez(args.out / "agent.npz", *jax.tree.leaves(network))
    search = jax.jit(lambda state: alphazero.search(network, key, state, STRONG, 0.0).action)

    def act(states, seed=None):
        # A program is compiled for one number of games.
        return np.asarray(search(alphazero.env.from_records(np.resize(states, args.games))))[: len(states)]

    # An agent that takes seeds gets all waiting games at once.
    evaluate_and_write(SimpleNamespace(act=act, takes_seeds=True), args, ("random", "greedy", "mcts:200"))


if __name__ == "__main__":
    main()
