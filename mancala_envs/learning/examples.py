"""Common parts of the examples of training libraries: arguments, and the evaluation at the end."""

import argparse
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mancala_envs.evaluation import evaluate
from mancala_envs.programs.arguments import natural, positive, program
from mancala_envs.programs.files import write_text
from mancala_envs.programs.tensorboard import add_tensorboard
from mancala_envs.registry import REGISTRY


def training_program(about: str | None, name: str, logged: str, game: str = "kalah") -> argparse.ArgumentParser:
    """Make a parser with the arguments that all examples have; `begin` parses them.

    Args:
        about: description of the program.
        name: name of its runs; the folder of a run is by default `runs/NAME-GAME`.
        logged: what the program logs, for the help of `--tensorboard`; "" if it has no such option.
        game: default of `--game`.
    """
    parser = program(about)
    parser.set_defaults(name=name)
    parser.add_argument("--game", choices=REGISTRY, default=game, help="game to learn")
    parser.add_argument("--games", type=positive, default=400, help="evaluation games for each opponent")
    parser.add_argument("--seed", type=natural, default=0, help="random seed")
    parser.add_argument("--out", type=Path, help=f"folder of the run (default runs/{name}-GAME)")
    if logged:
        add_tensorboard(parser, logged)
    return parser


def begin(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the arguments, make the folder `out` of the run, and let PyTorch begin with the seed, on one thread.

    More threads do not speed up networks as small as these, and slow them down on busy cores. Examples for JAX run
    without PyTorch.
    """
    args = parser.parse_args()
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)
        torch.manual_seed(args.seed)
    args.out = args.out or Path("runs") / f"{args.name}-{args.game}"
    args.out.mkdir(parents=True, exist_ok=True)
    return args


def evaluate_and_write(agent: Any, args: argparse.Namespace, opponents: Sequence[str] = ("random", "greedy")) -> None:
    """Let an agent play `args.games` games against each opponent, print its scores and write them to `args.out`."""
    scores = {}
    width = max(map(len, opponents)) + 1
    for opponent in opponents:
        score = evaluate(agent, args.game, opponent, games=args.games)
        scores[opponent] = score.as_dict()
        print(f"against {opponent:{width}s} {score}")
    write_text(args.out / "evaluation.json", json.dumps(scores, indent=2) + "\n")
