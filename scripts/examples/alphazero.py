"""AlphaZero in one file: a network learns a game of two players from games against itself, by searching with PUCT.

    python scripts/examples/alphazero.py --game qelat --minutes 30

On every core an actor plays some hundred games at once, in each of which a search led by the network decides. The
network learns to choose what the searches chose, and to value positions as they came out. Then it plays, searching too,
against the built-in opponents. In Qelat eight minutes on two busy cores were enough to win all of 400 games against
`mcts:1000`, with as many simulations. Needs PyTorch and tqdm besides mancala_envs. Ctrl-C ends training early; what was
learnt until then is saved and evaluated all the same.
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
"""Games that an actor plays at once, and decisions of each between two looks at the newest network."""
SIMULATIONS, NOISE, OPENING = 64, (0.5, 0.25), 12
"""Of a search; and for so many turns actions are drawn by visits, later nearly always the best."""
LAMBDA = 0.95
"""How far values come from how games went on, and not from the search after the next decision."""
KEPT, MINIBATCH, LESSONS, LEARNING_RATE, DECAY = 400_000, 1024, 4, 2e-3, 1e-4
"""Decisions that are remembered; LESSONS: how often each is learnt from, in the mean."""
STRONG = 1000
"""Simulations of a search in the evaluation, as many as its strongest opponent has."""


class Network(nn.Module):
    """Logits of the actions, and what the position is worth to the player to move, from -1 to 1.

    One seed more or less is another move altogether: every number in every column has an embedding of its own.
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


def advice_of(network, game):
    """`network` as `Puct` asks it: records -> priors, of which only the proportions matter, and values."""

    @torch.inference_mode()
    def advice(leaves):
        logits, values = network(torch.from_numpy(game.observe(leaves)))
        return logits.exp().numpy(), values.numpy()

    return advice


class Actor:
    """Games against itself."""

    def __init__(self, game, network, seed):
        self.game, self.network = game, copy.deepcopy(network)
        self.chance = np.random.default_rng(seed)
        self.states = game.init(GAMES, int(self.chance.integers(2**63)))
        self.puct = Puct(game, GAMES, SIMULATIONS, noise=NOISE)

    def play(self):
        """STEPS decisions in every game: observations, shares of visits, and values for who decided, as tensors."""
        game, states, puct, advice = self.game, self.states, self.puct, advice_of(self.network, self.game)
        steps = []
        for _ in range(STEPS):
            luck = int(self.chance.integers(2**63))
            puct.run(states, advice, luck)
            decision = game.observe(states), puct.visits() / SIMULATIONS, states.to_move.copy(), puct.values()
            actions = puct.actions(np.where(states.turn < OPENING, 1.0, 0.2), luck)
            rewards = game.step(states, actions, autoreset=True)
            steps.append((*decision, rewards, states.ended > 0))
        seen, shares, movers, values, rewards, over = map(np.stack, zip(*steps, strict=True))
        returns = returns_of(values, rewards, over)
        mine = np.take_along_axis(returns, movers[..., None].astype(np.int64), 2)[..., 0]
        return tuple(torch.from_numpy(part.reshape(STEPS * GAMES, *part.shape[2:])) for part in (seen, shares, mine))


def returns_of(values, rewards, over):
    """What everyone gets from each decision on, (STEPS, GAMES, P): TD(lambda), up to what the last search expects."""
    returns = np.where(over[..., None], rewards, values)
    for t in reversed(range(len(values) - 1)):
        later = LAMBDA * returns[t + 1] + (1 - LAMBDA) * values[t + 1]
        returns[t] = rewards[t] + np.where(over[t, :, None], 0, later)
    return returns


class Memory:
    """The last KEPT decisions."""

    def __init__(self, game):
        columns = len(game.observation_fields)
        self.seen = torch.empty(KEPT, columns, dtype=torch.from_numpy(np.empty(0, game.observation_dtype)).dtype)
        self.shares, self.values = torch.empty(KEPT, game.num_actions), torch.empty(KEPT)
        self.written = 0

    def add(self, seen, shares, values):
        places = torch.arange(self.written, self.written + len(seen)) % KEPT
        self.seen[places], self.shares[places], self.values[places] = seen, shares.float(), values.float()
        self.written += len(seen)

    def draw(self, number):
        chosen = torch.randint(min(self.written, KEPT), (number,))
        return self.seen[chosen], self.shares[chosen], self.values[chosen]


def learn(network, optimizer, memory, minibatches):
    """Returns the mean losses of policy and value."""
    total = torch.zeros(2)
    for _ in range(minibatches):
        seen, shares, returns = memory.draw(MINIBATCH)
        logits, values = network(seen)
        of_policy = -(shares * logits.log_softmax(1)).sum(1).mean()
        of_values = (values - returns).square().mean()
        optimizer.zero_grad()
        (of_policy + of_values).backward()
        optimizer.step()
        total += torch.stack([of_policy, of_values]).detach()
    return (total / minibatches).tolist()


def train(network, game, minutes, seed, log):
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE, weight_decay=DECAY, fused=True)
    memory = Memory(game)
    cores = os.cpu_count() or 1
    actors = [Actor(game, network, (seed, k)) for k in range(cores)]
    begin, end = monotonic(), monotonic() + 60 * minutes
    with (
        ThreadPoolExecutor(cores, initializer=torch.set_num_threads, initargs=(1,)) as pool,
        tqdm(total=round(60 * minutes), unit="s", bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} s{postfix}") as bar,
    ):
        running = [pool.submit(actor.play) for actor in actors]
        while monotonic() < end:
            # While one actor's games are learnt from all others play on.
            actor, played = actors.pop(0), running.pop(0)
            memory.add(*played.result())
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE * max(0.02, (end - monotonic()) / (end - begin))
            losses = learn(network, optimizer, memory, LESSONS * STEPS * GAMES // MINIBATCH)
            for name, loss in zip(("policy", "value"), losses, strict=True):
                log(f"loss/{name}", loss, memory.written)
            actor.network.load_state_dict(network.state_dict())
            actors.append(actor)
            running.append(pool.submit(actor.play))
            bar.n = min(round(monotonic() - begin), bar.total)
            simulations = memory.written * SIMULATIONS / (monotonic() - begin)
            bar.set_postfix_str(
                f"{memory.written:,} decisions, {simulations / 1e6:.2f} M simulations/s, "
                f"losses {losses[0]:.3f} and {losses[1]:.3f}"
            )


def save(network, path):
    """Whole or not at all."""
    part = path.with_suffix(".part")
    torch.save(network.state_dict(), part)
    part.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="qelat", help="of two players (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=30, help="of training (default %(default)s)")
    parser.add_argument("--games", type=int, default=400, help="of the evaluation, for each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/alphazero-GAME)")
    add_tensorboard(parser, "losses")
    args = parser.parse_args()
    game = make_game(args.game)
    if game.num_players != 2:
        parser.error(f"{args.game} is a game of {game.num_players} players; the network values positions for two")
    out = args.out or Path("runs") / f"alphazero-{args.game}"
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # Networks this small gain little from more, and all cores are busy.
    torch.manual_seed(args.seed)
    network = Network(game)
    try:
        train(network, game, args.minutes, args.seed, curves(args.tensorboard, out.name))
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    save(network, out / "agent.pt")
    agent = PuctAgent(Puct(game, args.games, STRONG), advice_of(network, game))
    scores = {}
    for opponent in ("random", "greedy", "mcts:1000"):
        score = evaluate(agent, args.game, opponent, games=args.games)
        scores[opponent] = score.as_dict()
        print(f"against {opponent:9s} {score}")
    (out / "evaluation.json").write_text(json.dumps(scores, indent=2) + "\n")


if __name__ == "__main__":
    main()
