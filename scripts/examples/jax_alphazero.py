"""AlphaZero in JAX: self-play by the search of mctx, and a network on afterstates, one `jit` for each iteration.

    python scripts/examples/jax_alphazero.py --game qelat --minutes 10

The same method as `alphazero.py`, with the games inside the program: a node of the search tree stores a game's record.
For two players. Needs ``pip install "mancala_envs[jax]"``. Ctrl-C ends training early; the network so far is evaluated.
"""

from functools import partial
from time import monotonic

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
WIDTHS, MOST, MINIBATCH, EPOCHS, LEARNING_RATE, LAMBDA, SHARPNESS = (128, 64), 16, 512, 2, 1e-3, 0.98, 5.0


class AlphaZero:
    """Search, self-play and learning for a game. A network is a list of weights and biases."""

    def __init__(self, game):
        self.env, self.selfplay = make(game), make(game, autoreset=True)
        self.highs = np.array([column.high for column in self.env.game.observation_fields])
        each = [
            (column, level) for column, high in enumerate(self.highs) if high > 1 for level in range(min(high, MOST))
        ]
        self.columns, self.levels = np.array(each).T
        self.optimizer = optax.adam(LEARNING_RATE)

    def new(self, key):
        sizes = (len(self.highs) + len(self.levels), *WIDTHS, 2)
        scales = (len(self.highs) ** -0.5, *(width**-0.5 for width in WIDTHS))
        shapes = zip(jax.random.split(key, len(scales)), sizes, sizes[1:], scales, strict=False)
        return [(scale * jax.random.normal(key, (a, b)), jnp.zeros(b)) for key, a, b, scale in shapes]

    def judge(self, network, state):
        """Return logits of all actions and what each is worth to the player to move, from what they lead to."""
        actions = self.env.num_actions
        records = jnp.repeat(state.record, actions, 0)
        players = jnp.repeat(state.current_player, actions)
        after = self.env.step(records, jnp.tile(jnp.arange(actions), len(state.record)))
        seen = self.env.observe(after, players)
        # Counts scaled and one-hot, because one seed more makes a different move.
        hidden = jnp.concatenate([seen / self.highs, seen[:, self.columns] == self.levels], 1)
        for number, (weight, bias) in enumerate(network):
            hidden = (jax.nn.relu(hidden) if number else hidden) @ weight + bias
        reward = jnp.take_along_axis(after.rewards, players[:, None], 1)[:, 0]
        worth = jnp.where(after.terminated, reward, jnp.tanh(hidden[:, 1]))
        scores, worth = hidden[:, 0].reshape(-1, actions), worth.reshape(-1, actions)
        logits = scores + SHARPNESS * jax.lax.stop_gradient(worth)
        return jnp.where(state.legal_action_mask, logits, -1e9), worth

    def evaluate(self, network, state):
        logits, worth = self.judge(network, state)
        return logits, (jax.nn.softmax(logits) * worth).sum(-1)

    def search(self, network, key, state, simulations, gumbel=1.0):
        """Return mctx's search from a batch of states; what a player may not know is drawn again."""

        def visit(network, key, action, node):
            record, player = node
            after = self.env.step(
                record, action, jax.random.split(key, len(action)) if self.env.game.has_chance else None
            )
            logits, value = self.evaluate(network, after)
            reward = jnp.take_along_axis(after.rewards, player[:, None], 1)[:, 0]
            # A value is that of the player to move, who may be the same as before.
            discount = jnp.where(after.current_player == player, 1.0, -1.0) * ~after.terminated
            found = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
            return found, (after.record, after.current_player)

        drawing, searching = jax.random.split(key)
        known = self.env.redraw(state, drawing)
        logits, value = self.evaluate(network, known)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=(known.record, known.current_player))
        return mctx.gumbel_muzero_policy(
            network, searching, root, visit, simulations, ~state.legal_action_mask, gumbel_scale=gumbel
        )

    def play(self, network, state, key):
        """Play STEPS decisions in every game; return the states, actions, policies and values to learn."""

        def decide(state, key):
            found = self.search(network, key, state, SIMULATIONS)
            after = self.selfplay.step(state, found.action)
            reward = jnp.take_along_axis(after.rewards, state.current_player[:, None], 1)[:, 0]
            sign = jnp.where(after.current_player == state.current_player, 1.0, -1.0) * ~after.terminated
            value = found.search_tree.summary().value
            return after, (state, found.action, found.action_weights, value, reward, sign)

        def look_back(later, now):
            (returned, next_value), (value, reward, sign) = later, now
            returned = reward + sign * (LAMBDA * returned + (1 - LAMBDA) * next_value)
            return (returned, value), returned

        state, (states, actions, policies, values, *rest) = jax.lax.scan(decide, state, jax.random.split(key, STEPS))
        last = self.evaluate(network, state)[1]
        _, targets = jax.lax.scan(look_back, (last, last), (values, *rest), reverse=True)
        return state, jax.tree.map(
            lambda array: array.reshape(-1, *array.shape[2:]), (states, actions, policies, targets)
        )

    def loss(self, network, states, actions, policies, targets):
        logits, worth = self.judge(network, states)
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
            change = jax.tree.map(lambda array: rate * array, change)
            return (optax.apply_updates(learner[0], change), moments), loss

        orders = [jax.random.permutation(key, GAMES * STEPS).reshape(-1, MINIBATCH) for key in shuffling]
        (network, moments), losses = jax.lax.scan(learn, (network, moments), jnp.concatenate(orders))
        return network, moments, state, losses.mean()


class Player:
    """Plays by a search, in the form that `evaluate` takes."""

    takes_seeds = True  # so that it gets all waiting games at once

    def __init__(self, alphazero, network, games):
        self.alphazero, self.games, self.key = alphazero, games, jax.random.key(0)
        self.search = jax.jit(lambda key, state: alphazero.search(network, key, state, STRONG, 0.0).action)

    def act(self, states, seed=None):
        # A program is compiled for one number of games.
        state = self.alphazero.env.from_records(np.resize(states, self.games))
        self.key, key = jax.random.split(self.key)
        return np.asarray(self.search(key, state))[: len(states)]


def main():
    parser = training_program(__doc__, "jax-alphazero", "nothing", "qelat")
    parser.add_argument("--minutes", type=float, default=10, help="minutes of training, with compilation")
    args = begin(parser)
    begun, seconds, key = monotonic(), 60 * args.minutes, jax.random.key(args.seed)
    alphazero = AlphaZero(args.game)
    network = alphazero.new(key)
    moments = alphazero.optimizer.init(network)
    state = alphazero.env.init(jax.random.split(key, GAMES))
    with Bar(total=None, unit=" decisions", unit_scale=True) as bar:
        while (left := 1 - (monotonic() - begun) / seconds) > 0:
            key, this = jax.random.split(key)
            network, moments, state, loss = alphazero.iterate(network, moments, state, this, max(0.05, left))
            bar.update(GAMES * STEPS)
            bar.set_postfix_str(f"loss {loss:.3f}")
    np.savez(args.out / "agent.npz", *jax.tree.leaves(network))
    evaluate_and_write(Player(alphazero, network, args.games), args, ("random", "greedy", "mcts:200"))


if __name__ == "__main__":
    main()
