"""Self-play training with MaskablePPO on many games in parallel. Needs the extra [train]."""

import time
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

from tqdm import tqdm

from mancala_envs.core.extras import needs_extra
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import evaluate
from mancala_envs.evaluation.runs import RunError, atomic_write, draw, interruptible, locked, read_json, write_json
from mancala_envs.learning.settings import CONFIG, CURVE, MODEL, OPPONENTS, Settings
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, late_starts
from mancala_envs.wrappers.sb3 import CountsExtractor, MancalaVecEnv, SelfPlay, snapshot

with needs_extra():
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback, CallbackList

POINT_GAMES = 400
"""Games for a point of the learning curve, against each opponent."""

BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}, {remaining} left{postfix}"


def train(settings: Settings) -> None:
    """Train an agent, and write the run to its folder.

    Raises:
        RunError: if the run to resume has missing or broken files, if another program writes to the folder, or if
            Ctrl-C came before training began or during the final evaluation.
    """
    curve = saved_curve(settings, settings.resume) if settings.resume else []
    torch.manual_seed(settings.seed)
    interruptible()
    with locked(settings.out):
        monitor = Monitor(settings, curve)
        print(settings.plan)
        try:
            model = make_model(settings)
            # If the run was killed, the last point may belong to a model that was never saved.
            curve[:] = [point for point in curve if point["decisions"] <= model.num_timesteps]
            learn(model, monitor)
        except KeyboardInterrupt:
            if not monitor.started:
                raise RunError("stopped before training began") from None
            monitor.bar.close()
            print("interrupted; saving and evaluating the model so far", flush=True)
        try:
            finish(model, monitor)
        except KeyboardInterrupt:
            raise RunError(f"interrupted before the evaluation was complete: {settings.out} can be resumed") from None


def finish(model: MaskablePPO, monitor: "Monitor") -> None:
    """Save and evaluate the model, and draw the learning curve."""
    settings, out, curve = monitor.settings, monitor.settings.out, monitor.curve
    # The evaluation takes time, in which another signal may come.
    monitor.save()
    monitor.add_point()
    draw(out / "learning_curve.png", partial(figure_of, curve, settings.title), dpi=150)
    print(f"{model.num_timesteps:,} decisions in {curve[-1]['seconds']:.0f} s; {out}/{MODEL} saved")
    write_json(out / "evaluation.json", final_evaluation(model, settings))
    print(f"wrote {out}/evaluation.json, {CURVE}, learning_curve.png")


def saved_curve(settings: Settings, folder: Path) -> list[dict[str, Any]]:
    """Return the learning curve of the run to resume.

    Raises:
        RunError: if a file of the run is missing or broken, or its model plays another game.
    """
    if not is_zipfile(folder / MODEL):
        raise RunError(f"{folder / MODEL} is missing or broken: the run cannot be resumed")
    config = read_json(folder / CONFIG)
    plays = config.get("plays") if isinstance(config, dict) else None
    curve: list[dict[str, Any]] = read_json(folder / CURVE)
    if plays != settings.header:
        raise RunError(f"the model in {folder} plays {plays}, not {settings.header}")
    return curve


class Monitor(BaseCallback):
    """Shows progress, ends training when time is up, evaluates the model at intervals and saves the run."""

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
            self.add_point()

    def add_point(self) -> None:
        """Evaluate the model, add a point to the learning curve, save the run and show the win rates."""
        elapsed = self.offset + time.monotonic() - self.begun
        play = snapshot(self.model.policy)
        arguments = {"games": POINT_GAMES, "seed": len(self.curve), **self.settings.evaluated_game}
        scores = {opponent: evaluate(play, opponent=opponent, **arguments).as_dict() for opponent in OPPONENTS}
        self.curve.append({"decisions": self.num_timesteps, "seconds": elapsed, **scores})
        shown = {f"vs {opponent}": f"{score['win_rate']:.0%}" for opponent, score in scores.items()}
        for opponent, score in scores.items():
            self.logger.record(f"win_rate/{opponent}", score["win_rate"])
        self.logger.dump(self.num_timesteps)
        self.save()
        self.bar.set_postfix(decisions=f"{self.num_timesteps / 1e6:.2f}M", **shown)

    def save(self) -> None:
        """Save everything that is needed to resume the run."""
        out = self.settings.out
        out.mkdir(parents=True, exist_ok=True)
        write_json(out / CONFIG, {**self.settings.config, "decisions": self.num_timesteps})
        write_json(out / CURVE, self.curve)
        # The model comes last, so a folder with a model always has the other files too.
        with atomic_write(out / MODEL) as file:
            self.model.save(file)

    def _on_training_end(self) -> None:
        self.bar.close()


def make_environments(settings: Settings) -> Any:
    """Make the vector environment to train in."""
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


def make_model(settings: Settings) -> MaskablePPO:
    """Make a new MaskablePPO model, or load that of the run to resume."""
    envs = MancalaVecEnv(make_environments(settings))
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
        gamma=0.999 if settings.campaign else 0.995,  # a campaign lasts hundreds of decisions
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": CountsExtractor, "net_arch": [256, 256]},
        seed=settings.seed,
        device="cpu",
        tensorboard_log=log,
    )


def final_evaluation(model: MaskablePPO, settings: Settings) -> dict[str, Any]:
    """Evaluate the model from every seat against each opponent; print the scores and return them by opponent."""
    play, results = snapshot(model.policy), dict[str, Any]()
    opponents = settings.evaluation_games
    bar = tqdm(total=sum(opponents.values()), bar_format=BAR, dynamic_ncols=True, leave=False)
    for opponent, games in opponents.items():
        bar.set_description_str(f"2 of 2, {games} games against {opponent}")
        score = evaluate(play, opponent=opponent, games=games, seed=1_000_000, **settings.evaluated_game)
        results[opponent] = score.as_dict()
        tqdm.write(f"against {opponent:9s} {score}")
        bar.update(games)
    bar.close()
    return results


def figure_of(curve: list[dict[str, Any]], title: str, pyplot: Any) -> Any:
    """Plot win rates against decisions, with their 95% intervals."""
    from matplotlib.ticker import PercentFormatter

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    decisions = [point["decisions"] / 1e6 for point in curve]
    for opponent, colour in zip(OPPONENTS, ("#2a6f97", "#bc4b32"), strict=True):
        rates = [point[opponent]["win_rate"] for point in curve]
        low, high = zip(*(point[opponent]["interval_95"] for point in curve), strict=True)
        axes.plot(decisions, rates, "o-", color=colour, markersize=3.5, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(title=title, xlabel="decisions (millions)", ylabel="win rate, draws excluded", ylim=(0, 1.02))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    return figure


def learn(model: MaskablePPO, monitor: Monitor) -> None:
    """Train until `monitor` ends training."""
    settings = monitor.settings
    no_limit = 10**12
    # A resumed model already beats random play, so it plays the whole league at once. So does a model for campaigns,
    # which in short runs learns faster if greedy is among the opponents from the start.
    self_play = SelfPlay(after=0 if settings.resume or settings.campaign else 400_000)
    callback = CallbackList([self_play, monitor])
    model.learn(no_limit, callback, reset_num_timesteps=not settings.resume, tb_log_name=settings.out.name)
