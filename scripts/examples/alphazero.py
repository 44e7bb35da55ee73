"""AlphaZero from the parts of the library: self-play by search, a network on afterstates, and a search that uses it.

    python scripts/examples/alphazero.py --game qelat --minutes 10

`python scripts/train.py GAME --method alphazero` does the same with several actors, checkpoints and learning curves.
Here one process plays and learns in turn, in any game. Then the agent plays against the built-in opponents, with
search. Needs PyTorch and Bar. Ctrl-C ends training early; the network so far is saved and evaluated.
"""

import argparse
import json
from pathlib import Path
from time import monotonic

import torch

from mancala_envs import make_game
from mancala_envs.agents import Puct, PuctAgent
from mancala_envs.evaluation import evaluate
from mancala_envs.learning import AfterstateNetwork, Learner, ReplayBuffer, SelfPlayGames
from mancala_envs.learning.afterstate_network import save
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tensorboard import add_tensorboard, curves
from mancala_envs.registry import REGISTRY

GAMES, DECISIONS, SIMULATIONS = 256, 32, 32
"""Games in parallel, decisions in each between updates of the network, and simulations of a full search."""
REUSE, LEARNING_RATE = 4, 1e-3
"""How often each decision is learnt from, on average, and the learning rate at the start."""
STRONG = 200
"""Simulations of a search in the evaluation."""


def train(network, minutes, seed, log):
    games = SelfPlayGames(network.game, GAMES, SIMULATIONS, seed)
    learner, buffer = Learner(network, seed), ReplayBuffer(network.game, 300_000)
    begin, seconds = monotonic(), 60 * minutes
    with Bar(total=round(seconds), unit="s", bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt} s{postfix}") as bar:
        while (left := 1 - (monotonic() - begin) / seconds) > 0:
            rows = games.play(network.evaluate, DECISIONS)
            buffer.add(rows)
            losses = learner.learn(buffer, REUSE * len(rows), LEARNING_RATE * max(0.05, left))
            for name, loss in zip(("policy", "value"), losses, strict=True):
                log(f"loss/{name}", loss, buffer.written)
            bar.n = min(round(monotonic() - begin), bar.total)
            bar.set_postfix_str(f"{buffer.written:,} decisions, losses {losses[0]:.3f} and {losses[1]:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="qelat", help="(default %(default)s)")
    parser.add_argument("--minutes", type=float, default=10, help="minutes of training (default %(default)s)")
    parser.add_argument("--games", type=int, default=400, help="evaluation games for each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/alphazero-GAME)")
    add_tensorboard(parser, "losses")
    args = parser.parse_args()
    game = make_game(args.game)
    out = args.out or Path("runs") / f"alphazero-{args.game}"
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # More threads do not help networks this small.
    torch.manual_seed(args.seed)
    network = AfterstateNetwork(game)
    try:
        train(network, args.minutes, args.seed, curves(args.tensorboard, out.name))
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    save(network, out / "agent.pt")
    agent = PuctAgent(Puct(game, args.games, STRONG, gumbel=(16, 0.0)), network.evaluate)
    scores = {}
    for opponent in ("random", "greedy", f"mcts:{STRONG}"):
        score = evaluate(agent, args.game, opponent, games=args.games)
        scores[opponent] = score.as_dict()
        print(f"against {opponent:9s} {score}")
    (out / "evaluation.json").write_text(json.dumps(scores, indent=2) + "\n")


if __name__ == "__main__":
    main()
