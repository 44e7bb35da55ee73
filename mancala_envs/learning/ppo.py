"""Train an agent: MaskablePPO by self-play on thousands of games at once.

    python scripts/train.py qelat --minutes 4.5
    python scripts/train.py qelat --resume runs/qelat
    python scripts/train.py qelat --tensorboard runs/board    # and beside it: tensorboard --logdir runs/board
    python scripts/train.py qelat --campaign --option columns=4 --option max_rounds=20 --minutes 10

With --campaign an episode is a whole campaign, of some hundred decisions. The learner is then paid besides after every
round, by what it has changed (`ChangeOfWorth`); all evaluation is by wins alone. No recurrence and no stacking is
needed: the observation holds all that later play depends on, the round, the holes owned and the debts included, so that
a network that sees nothing else can play as well as any.

Writes into the run's folder, a new one unless told: model.zip, config.json, evaluation.json, learning_curve.json and
learning_curve.png. The first two and the curve are written anew at every point of the curve, each file whole before it
takes the old one's place. Ctrl-C and SIGTERM end training early; what was learnt until then is saved and evaluated.
"""

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from itertools import count
from math import inf
from pathlib import Path
from typing import IO, Any
from zipfile import is_zipfile

import matplotlib
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from tqdm import tqdm

from mancala_envs.core.game import Game
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.scripts.arguments import add_game_options, positive
from mancala_envs.scripts.curves import add_tensorboard
from mancala_envs.scripts.files import read_json, whole, write_json
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, evaluate, late_starts
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot

matplotlib.use("Agg")
from matplotlib import pyplot, ticker

OPPONENTS = ("random", "greedy")
STRONG = ("minimax:4", "mcts:400")
"""Opponents of the final evaluation besides, for at most STRONG_GAMES from each seat: they think."""
STRONG_GAMES = 100
POINT_GAMES = 400
"""Games a point of the learning curve, for each opponent."""


def minutes(text: str) -> float:
    """Above 0."""
    number = float(text)
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"must be above 0, got {text}")
    return number


def played(args: argparse.Namespace) -> Game:
    """The game with its options."""
    return make_game(args.game, args.campaign, **args.options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=REGISTRY, help="which game to learn")
    add_game_options(parser)
    parser.add_argument(
        "--shaping", type=float, default=0.5, help="weight of ChangeOfWorth in campaigns (default %(default)s, 0: none)"
    )
    parser.add_argument("--curriculum", action="store_true", help="begin with the last rounds of campaigns")
    parser.add_argument("--minutes", type=minutes, default=4.5, help="length of training (default %(default)s)")
    parser.add_argument("--steps", type=positive, help="end after so many decisions of the learner, if that is earlier")
    parser.add_argument("--envs", type=positive, default=256, help="games at once (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the games and the network (default %(default)s)")
    parser.add_argument(
        "--games", type=positive, default=400, help="games of the final evaluation for each seat and opponent"
    )
    parser.add_argument("--out", type=Path, help="folder of the run (default runs/GAME, runs/GAME_2, ...)")
    add_tensorboard(parser, "what Stable-Baselines3 measures, and the win rates")
    parser.add_argument("--resume", type=Path, metavar="RUN", help="go on with the model in this folder")
    args = parser.parse_args()
    args.options = dict(args.options)
    if args.curriculum and not args.campaign:
        parser.error("--curriculum needs --campaign")
    try:
        played(args)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    args.out = args.out or args.resume or next(free_folders(args))
    if args.out != args.resume and (args.out / MODEL).exists():
        parser.error(f"{args.out} holds a run already: go on with it by --resume, or choose another folder")
    return args


def free_folders(args: argparse.Namespace) -> Iterator[Path]:
    """runs/GAME, or runs/GAME_campaign, then numbered from 2 on: those that hold no run yet."""
    name = args.game + "_campaign" * args.campaign
    for number in count(1):
        folder = Path("runs") / (name if number == 1 else f"{name}_{number}")
        if not (folder / MODEL).exists():
            yield folder


BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}, {remaining} to come{postfix}"
MODEL, CONFIG, CURVE = "model.zip", "config.json", "learning_curve.json"


def former(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The learning curve of the run to go on with. Ends the program where its files are missing, broken or another
    game's."""
    if not is_zipfile(args.resume / MODEL):
        sys.exit(f"{args.resume / MODEL} is missing or broken: there is nothing to go on with")
    config = read_json(args.resume / CONFIG)
    plays = config.get("plays") if isinstance(config, dict) else None
    curve: list[dict[str, Any]] = read_json(args.resume / CURVE)
    if plays != played(args).header:
        sys.exit(f"the model in {args.resume} plays {plays}, not {played(args).header}")
    return curve


class Watch(BaseCallback):
    """Shows progress, ends training when time is up, takes the points of the learning curve and saves the run."""

    def __init__(self, args: argparse.Namespace, curve: list[dict[str, Any]], points: int = 12) -> None:
        super().__init__()
        self.args, self.steps, self.curve = args, args.steps, curve
        self.seconds, self.between = args.minutes * 60, args.minutes * 60 / points
        self.started = False

    def _on_training_start(self) -> None:
        self.started = True
        self.first = self.num_timesteps
        self.offset = self.curve[-1]["seconds"] if self.curve else 0.0
        self.begun = self.due = time.monotonic()
        self.bar = tqdm(total=round(self.seconds), desc="1 of 2, training", bar_format=BAR, dynamic_ncols=True)

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
        asked = {"games": POINT_GAMES, "seed": len(self.curve), **measured(self.args)}
        scores = {opponent: evaluate(play, opponent=opponent, **asked).as_dict() for opponent in OPPONENTS}
        self.curve.append({"decisions": self.num_timesteps, "seconds": elapsed, **scores})
        shown = {f"vs {opponent}": f"{score['win_rate']:.0%}" for opponent, score in scores.items()}
        for opponent, score in scores.items():
            self.logger.record(f"win_rate/{opponent}", score["win_rate"])
        self.logger.dump(self.num_timesteps)
        self.save()
        self.bar.set_postfix(decisions=f"{self.num_timesteps / 1e6:.2f}M", **shown)

    def save(self) -> None:
        """Everything that another run needs to go on."""
        out: Path = self.args.out
        out.mkdir(parents=True, exist_ok=True)
        kept = ("game", "campaign", "options", "shaping", "curriculum", "minutes", "steps", "envs", "seed")
        config = {"plays": played(self.args).header} | {name: getattr(self.args, name) for name in kept}
        write_json(out / CONFIG, {**config, "decisions": self.num_timesteps})
        write_json(out / CURVE, self.curve)
        # Last: where there is a model there is all the rest.
        with whole(out / MODEL) as file:
            self.model.save(file)

    def _on_training_end(self) -> None:
        self.bar.close()


def measured(args: argparse.Namespace) -> dict[str, Any]:
    """What is played where the result alone counts: arguments of `evaluate`."""
    options = {name: value for name, value in args.options.items() if name != "round_reward"}
    return {"game": args.game, "campaign": args.campaign, **options}


def environments(args: argparse.Namespace) -> Any:
    """What the learner plays, a vector environment."""
    envs: Any = MancalaVectorEnv(
        args.game, args.envs, illegal="raise", autoreset_mode="SameStep", campaign=args.campaign, **args.options
    )
    if args.curriculum:
        envs = Curriculum(envs, late_starts(envs.game))
    return ChangeOfWorth(envs, args.shaping) if args.campaign else envs


def learner(args: argparse.Namespace) -> MaskablePPO:
    """A new MaskablePPO, or the one of a former run."""
    envs = MancalaVecEnv(environments(args))
    log = args.tensorboard and str(args.tensorboard)
    if args.resume:
        return MaskablePPO.load(args.resume / MODEL, env=envs, device="cpu", tensorboard_log=log)
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=2048,
        n_epochs=4,
        learning_rate=1e-3 if args.campaign else 5e-4,
        gamma=0.999 if args.campaign else 0.995,  # a campaign ends some hundred decisions ahead
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": CountsExtractor, "net_arch": [256, 256]},
        seed=args.seed,
        device="cpu",
        tensorboard_log=log,
    )


def final_evaluation(model: MaskablePPO, args: argparse.Namespace) -> dict[str, Any]:
    """From every seat, against the same opponent in all others; printed, and returned as plain numbers."""
    play, results = snapshot(model.policy), dict[str, Any]()
    meetings = games_to_come(args)
    bar = tqdm(total=sum(meetings.values()), bar_format=BAR, dynamic_ncols=True, leave=False)
    for opponent, games in meetings.items():
        bar.set_description_str(f"2 of 2, {games} games against {opponent}")
        score = evaluate(play, opponent=opponent, games=games, seed=1_000_000, **measured(args))
        results[opponent] = score.as_dict()
        tqdm.write(f"against {opponent:9s} {score}")
        bar.update(games)
    bar.close()
    return results


def games_to_come(args: argparse.Namespace) -> dict[str, int]:
    """How many games the final evaluation plays against whom."""
    seats = played(args).num_deciding
    few = min(args.games, STRONG_GAMES)
    return dict.fromkeys(OPPONENTS, seats * args.games) | dict.fromkeys(STRONG, seats * few)


def plan(args: argparse.Namespace) -> str:
    """What is going to happen, in words."""
    limit = f", at most {args.steps:,} decisions" if args.steps else ""
    games = ", ".join(f"{games} against {opponent}" for opponent, games in games_to_come(args).items())
    return f"{played(args).header}: {args.minutes:g} minutes of training{limit}, then games: {games}"


def title(args: argparse.Namespace) -> str:
    """What is learnt, by whom."""
    options = [f"{name}={value}" for name, value in args.options.items()]
    what = ", ".join([REGISTRY[args.game].book.title + " campaigns" * args.campaign, *options])
    return f"{what}: MaskablePPO, seed {args.seed}"


def draw_curve(curve: list[dict[str, Any]], title: str, file: IO[bytes]) -> None:
    """Win rates by decisions, with their intervals."""
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    decisions = [point["decisions"] / 1e6 for point in curve]
    for opponent, colour in zip(OPPONENTS, ("#2a6f97", "#bc4b32"), strict=True):
        rates = [point[opponent]["win_rate"] for point in curve]
        low, high = zip(*(point[opponent]["interval_95"] for point in curve), strict=True)
        axes.plot(decisions, rates, "o-", color=colour, markersize=3.5, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(title=title, xlabel="decisions of the learner (millions)", ylabel="wins of decided games", ylim=(0, 1.02))
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(1.0))
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    figure.savefig(file, dpi=150, format="png")
    pyplot.close(figure)


def main() -> None:
    args = arguments()
    curve = former(args) if args.resume else []
    torch.manual_seed(args.seed)
    # Whoever ends the program from outside shall find the same as by Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    watch = Watch(args, curve)
    print(plan(args))
    try:
        model = learner(args)
        # The last point may be of a model that was never saved.
        curve[:] = [point for point in curve if point["decisions"] <= model.num_timesteps]
        learn(model, watch)
    except KeyboardInterrupt:
        if not watch.started:
            sys.exit("stopped before training began")
        watch.bar.close()
        print("stopped by hand; saving and evaluating what was learnt so far")
    watch.point()
    out = args.out
    with whole(out / "learning_curve.png") as file:
        draw_curve(curve, title(args), file)
    print(f"{model.num_timesteps:,} decisions in {curve[-1]['seconds']:.0f} s; {out}/{MODEL} saved")
    write_json(out / "evaluation.json", final_evaluation(model, args))
    print(f"wrote {out}/evaluation.json, {CURVE}, learning_curve.png")


def learn(model: MaskablePPO, watch: Watch) -> None:
    """Train until `watch` ends it."""
    args = watch.args
    endless = 10**12
    # Whoever goes on with a learner that beats random begins where the last run ended. Campaigns are learnt sooner with
    # greedy among the opponents from the first, as short runs showed.
    self_play = SelfPlay(after=0 if args.resume or args.campaign else 400_000)
    callback = CallbackList([self_play, watch])
    model.learn(endless, callback, reset_num_timesteps=not args.resume, tb_log_name=args.out.name)


if __name__ == "__main__":
    main()
