"""Train an agent: MaskablePPO by self-play on thousands of games at once.

    python scripts/train.py qelat --minutes 4.5
    python scripts/train.py qelat --resume runs/qelat

Writes into the run's folder: model.zip, config.json, evaluation.json, learning_curve.json and learning_curve.png.
Ctrl-C ends training early; what was learnt until then is saved and evaluated all the same.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import matplotlib
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from tqdm import tqdm

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.registry import REGISTRY
from mancala_envs.wrappers import Score, evaluate
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot

matplotlib.use("Agg")
from matplotlib import pyplot, ticker

OPPONENTS = ("random", "greedy")
POINT_GAMES = 400
"""Games a point of the learning curve, for each opponent."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=REGISTRY, help="which game to learn")
    parser.add_argument("--minutes", type=float, default=4.5, help="length of training (default %(default)s)")
    parser.add_argument("--steps", type=int, help="end after so many decisions of the learner, if that is earlier")
    parser.add_argument("--envs", type=int, default=256, help="games at once (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the games and the network (default %(default)s)")
    parser.add_argument(
        "--games", type=int, default=400, help="games of the final evaluation for each seat and opponent"
    )
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/GAME)")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with the model in this folder")
    return parser.parse_args()


class Watch(BaseCallback):
    """Shows progress, ends training when time is up, and takes the points of the learning curve."""

    def __init__(
        self, game: str, minutes: float, steps: int | None, curve: list[dict[str, Any]], points: int = 12
    ) -> None:
        super().__init__()
        self.game, self.steps, self.curve = game, steps, curve
        self.seconds, self.between = minutes * 60, minutes * 60 / points
        self.offset = curve[-1]["seconds"] if curve else 0.0

    def _on_training_start(self) -> None:
        self.first = self.num_timesteps
        self.begun = self.due = time.monotonic()
        self.bar = tqdm(total=round(self.seconds), unit="s", desc=self.game, dynamic_ncols=True)
        self.bar.bar_format = "{desc} {percentage:3.0f}%|{bar}| {n:.0f}/{total:.0f} s{postfix}"

    def _on_step(self) -> bool:
        elapsed = time.monotonic() - self.begun
        self.bar.update(min(elapsed, self.seconds) - self.bar.n)
        done = self.num_timesteps - self.first
        return elapsed < self.seconds and (self.steps is None or done < self.steps)

    def _on_rollout_end(self) -> None:
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + self.between
            self.point()

    def point(self) -> None:
        """Measure, and show what was measured."""
        elapsed = self.offset + time.monotonic() - self.begun
        play = snapshot(self.model.policy)
        scores = {o: evaluate(play, self.game, o, games=POINT_GAMES, seed=len(self.curve)).as_dict() for o in OPPONENTS}
        self.curve.append({"decisions": self.num_timesteps, "seconds": elapsed, **scores})
        shown = {f"vs {opponent}": f"{score['win_rate']:.0%}" for opponent, score in scores.items()}
        self.bar.set_postfix(decisions=f"{self.num_timesteps / 1e6:.2f}M", **shown)

    def _on_training_end(self) -> None:
        self.bar.close()


def learner(config: dict[str, Any], resume: Path | None) -> MaskablePPO:
    """A new MaskablePPO, or the one of a former run, on `config["envs"]` games."""
    envs = MancalaVecEnv(MancalaVectorEnv(config["game"], config["envs"], illegal="raise", autoreset_mode="SameStep"))
    if resume:
        return MaskablePPO.load(resume / "model.zip", env=envs, device="cpu")
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=2048,
        n_epochs=4,
        learning_rate=5e-4,
        gamma=0.995,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": CountsExtractor, "net_arch": [256, 256]},
        seed=config["seed"],
        device="cpu",
    )


def final_evaluation(model: MaskablePPO, game: str, games: int) -> dict[str, Any]:
    """From both seats, against every built-in opponent; printed, and returned as plain numbers."""
    play = snapshot(model.policy)
    results: dict[str, Any] = {}
    for opponent in OPPONENTS:
        seats = [evaluate(play, game, opponent, seat=seat, games=games, seed=1_000_000 + seat) for seat in (0, 1)]
        both = sum(seats, Score(0, 0, 0))
        results[opponent] = {"both_seats": both.as_dict(), "seats": [score.as_dict() for score in seats]}
        print(f"against {opponent:7s} {both}; first seat {seats[0].win_rate:.1%}, second {seats[1].win_rate:.1%}")
    return results


def draw_curve(curve: list[dict[str, Any]], title: str, path: Path) -> None:
    """Win rates by decisions, with their intervals."""
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    decisions = [point["decisions"] / 1e6 for point in curve]
    for opponent, colour in zip(OPPONENTS, ("#2a6f97", "#bc4b32"), strict=True):
        rates = [point[opponent]["win_rate"] for point in curve]
        low, high = zip(*(point[opponent]["interval_95"] for point in curve), strict=True)
        axes.plot(decisions, rates, "o-", color=colour, markersize=3.5, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(title=title, xlabel="decisions of the learner (millions)", ylabel="wins of decided games", ylim=(0, 1))
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1.0))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def main() -> None:
    args = arguments()
    out = args.out or args.resume or Path("runs") / args.game
    out.mkdir(parents=True, exist_ok=True)
    config = {"game": args.game, "minutes": args.minutes, "steps": args.steps, "envs": args.envs, "seed": args.seed}
    curve: list[dict[str, Any]] = []
    if args.resume:
        if not (args.resume / "model.zip").is_file():
            sys.exit(f"{args.resume} has no model.zip to go on with")
        before = json.loads((args.resume / "config.json").read_text())
        if before["game"] != args.game:
            sys.exit(f"the model in {args.resume} plays {before['game']}, not {args.game}")
        curve = json.loads((args.resume / "learning_curve.json").read_text())
    torch.manual_seed(args.seed)
    model = learner(config, args.resume)
    watch = Watch(args.game, args.minutes, args.steps, curve)
    endless = 10**12
    # Whoever goes on with a learner that beats random begins where the last run ended.
    self_play = SelfPlay(after=0) if args.resume else SelfPlay()
    try:
        model.learn(endless, callback=CallbackList([self_play, watch]), reset_num_timesteps=not args.resume)
    except KeyboardInterrupt:
        watch.bar.close()
        print("stopped by hand; saving and evaluating what was learnt so far")
    model.save(out / "model.zip")
    watch.point()
    (out / "config.json").write_text(json.dumps({**config, "decisions": model.num_timesteps}, indent=2) + "\n")
    (out / "learning_curve.json").write_text(json.dumps(curve, indent=1) + "\n")
    draw_curve(curve, f"{REGISTRY[args.game].book.title}: MaskablePPO, seed {args.seed}", out / "learning_curve.png")
    print(f"{model.num_timesteps:,} decisions in {curve[-1]['seconds']:.0f} s; {out}/model.zip saved")
    evaluation = final_evaluation(model, args.game, args.games)
    (out / "evaluation.json").write_text(json.dumps(evaluation, indent=2) + "\n")
    print(f"wrote {out}/evaluation.json, learning_curve.json, learning_curve.png")


if __name__ == "__main__":
    main()
