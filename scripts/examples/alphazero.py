"""AlphaZero in one file: self-play with a PUCT search that a network guides, for two-player games.

    python scripts/examples/alphazero.py --game qelat --minutes 30

Each core has an actor that plays hundreds of games in parallel; a search guided by the network chooses all actions. The
network is trained to predict the visit counts of the search and the results of the games. Then it plays against the
built-in opponents, again with search. In Qelat, after eight minutes of training on two busy cores, it won all of 400
games against `mcts:1000` with the same number of simulations. Needs PyTorch and tqdm. Ctrl-C ends training early; the
network so far is saved and evaluated.

Source: D. Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play" (2018).
"""

import argparse
import copy
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import numpy as np
import torch
from torch import nn
from tqdm import tqdm

from mancala_envs import make_game
from mancala_envs.agents import Puct, PuctAgent
from mancala_envs.learning.curves import add_tensorboard, curves
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers import evaluate

GAMES, STEPS = 512, 32
"""Games that an actor plays in parallel, and decisions in each between updates of its network."""
SIMULATIONS, NOISE, OPENING = 64, (0.5, 0.25), 12
"""Simulations and root noise of a search; number of turns in which actions are sampled in proportion to visit counts.
Later actions are nearly always the most visited."""
LAMBDA = 0.95
"""The lambda of TD(lambda): 1 takes value targets from the rest of the game, 0 from the next search."""
BUFFER, MINIBATCH, EPOCHS, LEARNING_RATE, DECAY = 400_000, 1024, 4, 2e-3, 1e-4
"""BUFFER: decisions in the replay buffer. EPOCHS: how often each decision is trained on, on average."""
STRONG = 1000
"""Simulations of a search in the evaluation, the same number as the strongest opponent's."""


class Network(nn.Module):
    """Returns logits of the actions, and the value of the position for the player to move, from -1 to 1.

    Every count in every column has its own embedding, because one seed more or less makes a different move.
    """

    def __init__(self, game, width=128):
        super().__init__()
        numbers = torch.tensor([column.high for column in game.observation_fields]) + 1
        self.register_buffer("offsets", (numbers.cumsum(0) - numbers).int())
        self.counts = nn.EmbeddingBag(int(numbers.sum()), width, mode="sum")
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, game.num_actions + 1))
        nn.init.normal_(self.counts.weight, std=len(numbers) ** -0.5)
        nn.init.normal_(self.rest[-1].weight, std=0.01)

    def forward(self, observations):
        output = self.rest(self.counts(observations + self.offsets))
        return output[:, :-1], output[:, -1].tanh()


def evaluator_of(network, game):
    """Return `network` in the form that `Puct` takes: records -> priors, up to a factor, and values."""

    @torch.inference_mode()
    def evaluator(leaves):
        logits, values = network(torch.from_numpy(game.observe(leaves)))
        return logits.exp().numpy(), values.numpy()

    return evaluator


class Actor:
    """Plays games against itself."""

    def __init__(self, game, network, seed):
        self.game, self.network = game, copy.deepcopy(network)
        self.chance = np.random.default_rng(seed)
        self.states = game.init(GAMES, int(self.chance.integers(2**63)))
        self.puct = Puct(game, GAMES, SIMULATIONS, noise=NOISE)

    def play(self):
        """Play STEPS decisions in every game; return observations, visit shares and value targets as tensors."""
        game, states, puct, evaluator = self.game, self.states, self.puct, evaluator_of(self.network, self.game)
        steps = []
        for _ in range(STEPS):
            rng = int(self.chance.integers(2**63))
            puct.run(states, evaluator, rng)
            decision = game.observe(states), puct.visits() / SIMULATIONS, states.to_move.copy(), puct.values()
            actions = puct.actions(np.where(states.turn < OPENING, 1.0, 0.2), rng)
            rewards = game.step(states, actions, autoreset=True)
            steps.append((*decision, rewards, states.ended > 0))
        observations, shares, movers, values, rewards, over = map(np.stack, zip(*steps, strict=True))
        returns = returns_of(values, rewards, over)
        targets = np.take_along_axis(returns, movers[..., None].astype(np.int64), 2)[..., 0]
        parts = observations, shares, targets
        return tuple(torch.from_numpy(part.reshape(STEPS * GAMES, *part.shape[2:])) for part in parts)


def returns_of(values, rewards, over):
    """Return the TD(lambda) returns (STEPS, GAMES, P) of all players, bootstrapped from the last search's values."""
    returns = np.where(over[..., None], rewards, values)
    for t in reversed(range(len(values) - 1)):
        later = LAMBDA * returns[t + 1] + (1 - LAMBDA) * values[t + 1]
        returns[t] = rewards[t] + np.where(over[t, :, None], 0, later)
    return returns


class ReplayBuffer:
    """The last BUFFER decisions."""

    def __init__(self, game):
        columns = len(game.observation_fields)
        dtype = torch.from_numpy(np.empty(0, game.observation_dtype)).dtype
        self.observations = torch.empty(BUFFER, columns, dtype=dtype)
        self.shares, self.values = torch.empty(BUFFER, game.num_actions), torch.empty(BUFFER)
        self.written = 0

    def add(self, observations, shares, values):
        places = torch.arange(self.written, self.written + len(observations)) % BUFFER
        self.observations[places], self.shares[places], self.values[places] = (
            observations, shares.float(), values.float(),
        )  # fmt: skip
        self.written += len(observations)

    def sample(self, number):
        chosen = torch.randint(min(self.written, BUFFER), (number,))
        return self.observations[chosen], self.shares[chosen], self.values[chosen]


def learn(network, optimizer, buffer, minibatches):
    """Train on minibatches; return the mean losses of policy and value."""
    total = torch.zeros(2)
    for _ in range(minibatches):
        observations, shares, returns = buffer.sample(MINIBATCH)
        logits, values = network(observations)
        policy_loss = -(shares * logits.log_softmax(1)).sum(1).mean()
        value_loss = (values - returns).square().mean()
        optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        optimizer.step()
        total += torch.stack([policy_loss, value_loss]).detach()
    return (total / minibatches).tolist()


def train(network, game, minutes, seed, log):
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=DECAY, fused=True)
    buffer = ReplayBuffer(game)
    cores = os.cpu_count() or 1
    actors = [Actor(game, network, (seed, k)) for k in range(cores)]
    begin, end = monotonic(), monotonic() + 60 * minutes
    with (
        ThreadPoolExecutor(cores, initializer=torch.set_num_threads, initargs=(1,)) as pool,
        tqdm(total=round(60 * minutes), unit="s", bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} s{postfix}") as bar,
    ):
        running = [pool.submit(actor.play) for actor in actors]
        while monotonic() < end:
            # While the network trains on one actor's games, the other actors play.
            actor, played = actors.pop(0), running.pop(0)
            buffer.add(*played.result())
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE * max(0.02, (end - monotonic()) / (end - begin))
            losses = learn(network, optimizer, buffer, EPOCHS * STEPS * GAMES // MINIBATCH)
            for name, loss in zip(("policy", "value"), losses, strict=True):
                log(f"loss/{name}", loss, buffer.written)
            actor.network.load_state_dict(network.state_dict())
            actors.append(actor)
            running.append(pool.submit(actor.play))
            bar.n = min(round(monotonic() - begin), bar.total)
            simulations = buffer.written * SIMULATIONS / (monotonic() - begin)
            bar.set_postfix_str(
                f"{buffer.written:,} decisions, {simulations / 1e6:.2f} M simulations/s, "
                f"losses {losses[0]:.3f} and {losses[1]:.3f}"
            )


def save(network, path):
    """Save the network, replacing the file only when everything is written."""
    part = path.with_suffix(".part")
    torch.save(network.state_dict(), part)
    part.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="qelat", help="a two-player game (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=30, help="minutes of training (default %(default)s)")
    parser.add_argument("--games", type=int, default=400, help="evaluation games for each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/alphazero-GAME)")
    add_tensorboard(parser, "losses")
    args = parser.parse_args()
    game = make_game(args.game)
    if game.num_players != 2:
        parser.error(f"{args.game} has {game.num_players} players; the network's value is for two-player games")
    out = args.out or Path("runs") / f"alphazero-{args.game}"
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # More threads do not help networks this small, and the actors use all cores.
    torch.manual_seed(args.seed)
    network = Network(game)
    try:
        train(network, game, args.minutes, args.seed, curves(args.tensorboard, out.name))
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    save(network, out / "agent.pt")
    agent = PuctAgent(Puct(game, args.games, STRONG), evaluator_of(network, game))
    scores = {}
    for opponent in ("random", "greedy", "mcts:1000"):
        score = evaluate(agent, args.game, opponent, games=args.games)
        scores[opponent] = score.as_dict()
        print(f"against {opponent:9s} {score}")
    (out / "evaluation.json").write_text(json.dumps(scores, indent=2) + "\n")


if __name__ == "__main__":
    main()
