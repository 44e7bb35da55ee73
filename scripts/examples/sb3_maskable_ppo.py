"""Stable-Baselines3: MaskablePPO learns a game, on single environments or by self-play on our vector environment.

    python scripts/examples/sb3_maskable_ppo.py --game kalah --steps 100000
    python scripts/examples/sb3_maskable_ppo.py --game kalah --steps 500000 --self-play

Needs ``pip install "mancala_envs[train]"``. Ctrl-C ends training early; what was learnt until then is saved and
evaluated all the same. `scripts/train.py` is the long form, with a learning curve.
"""

import argparse
import json
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.curves import add_tensorboard
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers import evaluate
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot


def alone(game, **settings):
    """A learner on eight environments of `gym.make`, against random play."""
    envs = make_vec_env(REGISTRY[game].id, n_envs=8, env_kwargs={"opponent": "random"})
    return learner(envs, n_steps=256, batch_size=256, **settings)


def among_many(game, **settings):
    """A learner on 256 games at once, whose opponents `SelfPlay` chooses."""
    envs = MancalaVecEnv(MancalaVectorEnv(game, 256, autoreset_mode="SameStep"))
    return learner(envs, n_steps=32, batch_size=1024, **settings)


def learner(envs, **settings):
    network = {"features_extractor_class": CountsExtractor, "net_arch": [64, 64]}
    return MaskablePPO(
        "MlpPolicy", envs, learning_rate=1e-3, n_epochs=4, ent_coef=0.01, policy_kwargs=network, **settings
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=REGISTRY, default="kalah")
    parser.add_argument("--self-play", action="store_true", help="against its own past too, after the first fifth")
    parser.add_argument("--steps", type=int, default=100_000, help="decisions to learn from (default %(default)s)")
    parser.add_argument("--games", type=int, default=400, help="of the evaluation, for each opponent")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/sb3-GAME)")
    add_tensorboard(parser, "what Stable-Baselines3 measures")
    args = parser.parse_args()
    out = args.out or Path("runs") / f"sb3-{args.game}"
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # Networks this small gain little from more, and on busy cores lose nearly all speed.
    kind = among_many if args.self_play else alone
    model = kind(args.game, seed=args.seed, tensorboard_log=args.tensorboard and str(args.tensorboard))
    opponents = SelfPlay(after=args.steps // 5, every=args.steps // 10) if args.self_play else None
    try:
        model.learn(args.steps, callback=opponents, progress_bar=True, tb_log_name=out.name)
    except KeyboardInterrupt:
        print("interrupted; saving and evaluating the model so far")
    model.save(out / "model.zip")
    scores = {}
    for opponent in ("random", "greedy"):
        score = evaluate(snapshot(model.policy), args.game, opponent, games=args.games)
        scores[opponent] = score.as_dict()
        print(f"against {opponent:7s} {score}")
    (out / "evaluation.json").write_text(json.dumps(scores, indent=2) + "\n")


if __name__ == "__main__":
    main()
