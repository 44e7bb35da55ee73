"""MaskablePPO by self-play on thousands of games at once. Needs the extra [train]."""

import time
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from tqdm import tqdm

from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.evaluation.runs import Unusable, draw, interruptible, read_json, whole, write_json
from mancala_envs.learning.settings import CONFIG, CURVE, MODEL, OPPONENTS, Settings
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, late_starts
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot

POINT_GAMES = 400
"""Games a point of the learning curve, for each opponent."""

BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}, {remaining} to come{postfix}"


def train(settings: Settings) -> None:
    """Train an agent, and write the run into its folder.

    Raises:
        Unusable: if there is nothing to go on with, or Ctrl-C came before training began.
    """
    curve = former(settings, settings.resume) if settings.resume else []
    torch.manual_seed(settings.seed)
    interruptible()
    watch = Watch(settings, curve)
    print(settings.plan)
    try:
        model = learner(settings)
        # The last point may be of a model that was never saved.
        curve[:] = [point for point in curve if point["decisions"] <= model.num_timesteps]
        learn(model, watch)
    except KeyboardInterrupt:
        if not watch.started:
            raise Unusable("stopped before training began") from None
        watch.bar.close()
        print("stopped by hand; saving and evaluating what was learnt so far")
    watch.point()
    out = settings.out
    draw(out / "learning_curve.png", partial(figure_of, curve, settings.title), dpi=150)
    print(f"{model.num_timesteps:,} decisions in {curve[-1]['seconds']:.0f} s; {out}/{MODEL} saved")
    write_json(out / "evaluation.json", final_evaluation(model, settings))
    print(f"wrote {out}/evaluation.json, {CURVE}, learning_curve.png")


def former(settings: Settings, folder: Path) -> list[dict[str, Any]]:
    """The learning curve of the run to go on with. Raises Unusable where its files are missing, broken or
    another game's."""
    if not is_zipfile(folder / MODEL):
        raise Unusable(f"{folder / MODEL} is missing or broken: there is nothing to go on with")
    config = read_json(folder / CONFIG)
    plays = config.get("plays") if isinstance(config, dict) else None
    curve: list[dict[str, Any]] = read_json(folder / CURVE)
    if plays != settings.header:
        raise Unusable(f"the model in {folder} plays {plays}, not {settings.header}")
    return curve


class Watch(BaseCallback):
    """Shows progress, ends training when time is up, takes the points of the learning curve and saves the run."""

    def __init__(self, settings: Settings, curve: list[dict[str, Any]], points: int = 12) -> None:
        super().__init__()
        self.settings, self.curve = settings, curve
        self.seconds, self.between = settings.minutes * 60, settings.minutes * 60 / points
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
        return elapsed < self.seconds and (self.settings.steps is None or done < self.settings.steps)

    def _on_rollout_end(self) -> None:
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + self.between
            self.point()

    def point(self) -> None:
        """Measure, and show what was measured."""
        elapsed = self.offset + time.monotonic() - self.begun
        play = snapshot(self.model.policy)
        asked = {"games": POINT_GAMES, "seed": len(self.curve), **self.settings.measured}
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
        out = self.settings.out
        out.mkdir(parents=True, exist_ok=True)
        write_json(out / CONFIG, {**self.settings.config, "decisions": self.num_timesteps})
        write_json(out / CURVE, self.curve)
        # Last: where there is a model there is all the rest.
        with whole(out / MODEL) as file:
            self.model.save(file)

    def _on_training_end(self) -> None:
        self.bar.close()


def environments(settings: Settings) -> Any:
    """What the learner plays, a vector environment."""
    envs: Any = MancalaVectorEnv(
        settings.game,
        settings.envs,
        illegal="raise",
        autoreset_mode="SameStep",
        campaign=settings.campaign,
        **settings.options,
    )
    if settings.curriculum:
        envs = Curriculum(envs, late_starts(envs.game))
    return ChangeOfWorth(envs, settings.shaping) if settings.campaign else envs


def learner(settings: Settings) -> MaskablePPO:
    """A new MaskablePPO, or the one of a former run."""
    envs = MancalaVecEnv(environments(settings))
    log = settings.tensorboard and str(settings.tensorboard)
    if settings.resume:
        return MaskablePPO.load(settings.resume / MODEL, env=envs, device="cpu", tensorboard_log=log)
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=2048,
        n_epochs=4,
        learning_rate=1e-3 if settings.campaign else 5e-4,
        gamma=0.999 if settings.campaign else 0.995,  # a campaign ends some hundred decisions ahead
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": CountsExtractor, "net_arch": [256, 256]},
        seed=settings.seed,
        device="cpu",
        tensorboard_log=log,
    )


def final_evaluation(model: MaskablePPO, settings: Settings) -> dict[str, Any]:
    """From every seat, against the same opponent in all others; printed, and returned as plain numbers."""
    play, results = snapshot(model.policy), dict[str, Any]()
    meetings = settings.meetings
    bar = tqdm(total=sum(meetings.values()), bar_format=BAR, dynamic_ncols=True, leave=False)
    for opponent, games in meetings.items():
        bar.set_description_str(f"2 of 2, {games} games against {opponent}")
        score = evaluate(play, opponent=opponent, games=games, seed=1_000_000, **settings.measured)
        results[opponent] = score.as_dict()
        tqdm.write(f"against {opponent:9s} {score}")
        bar.update(games)
    bar.close()
    return results


def figure_of(curve: list[dict[str, Any]], title: str, pyplot: Any) -> Any:
    """Win rates by decisions, with their intervals."""
    from matplotlib.ticker import PercentFormatter

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    decisions = [point["decisions"] / 1e6 for point in curve]
    for opponent, colour in zip(OPPONENTS, ("#2a6f97", "#bc4b32"), strict=True):
        rates = [point[opponent]["win_rate"] for point in curve]
        low, high = zip(*(point[opponent]["interval_95"] for point in curve), strict=True)
        axes.plot(decisions, rates, "o-", color=colour, markersize=3.5, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(title=title, xlabel="decisions of the learner (millions)", ylabel="wins of decided games", ylim=(0, 1.02))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    return figure


def learn(model: MaskablePPO, watch: Watch) -> None:
    """Train until `watch` ends it."""
    settings = watch.settings
    endless = 10**12
    # Whoever goes on with a learner that beats random begins where the last run ended. Campaigns are learnt sooner with
    # greedy among the opponents from the first, as short runs showed.
    self_play = SelfPlay(after=0 if settings.resume or settings.campaign else 400_000)
    callback = CallbackList([self_play, watch])
    model.learn(endless, callback, reset_num_timesteps=not settings.resume, tb_log_name=settings.out.name)
