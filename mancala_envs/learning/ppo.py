"""Self-play training with MaskablePPO on many games in parallel. Needs the extra [train]."""

import time
from functools import partial
from typing import Any
from zipfile import is_zipfile

import numpy as np

from mancala_envs.agents import Policy, Search, Searcher, ValueNetwork
from mancala_envs.core.extras import needs_extra
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation.progress import Bar
from mancala_envs.evaluation.runs import RunError, atomic_write, draw, interruptible, locked, write_json
from mancala_envs.game import Game
from mancala_envs.learning.results import (
    BAR,
    figure_of,
    final_evaluation,
    next_point,
    points_of,
    saved_curve,
    scores_now,
)
from mancala_envs.learning.settings import AFTERSTATES, CONFIG, CURVE, OPPONENTS, VALUES, Settings
from mancala_envs.learning.threads import choose_threads
from mancala_envs.learning.values import values_of
from mancala_envs.registry import make_game
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, League, ObserveAfterstates, late_starts
from mancala_envs.wrappers.sb3 import AfterstatePolicy, CountsExtractor, MancalaVecEnv, SelfPlay, snapshot

with needs_extra():
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback, CallbackList
    from stable_baselines3.common.utils import obs_as_tensor

ROLLOUT = 16_384
"""Decisions between two updates of the policy."""
MEMORY = 2**30
"""Maximum number of bytes of the observations of a rollout; larger ones make rollouts shorter."""
FIRST_RATE, LAST_RATE = 2e-3, 5e-5
"""The learning rate of a policy over afterstates falls from the first to the last, in proportion to the time left."""
OPENINGS_TO_LEARN = (0, 10)
"""The range of random decisions at the start of an episode."""

SEARCHES = ("minimax:2", "minimax:4")
"""Opponents for learning, where they are fast enough."""
AFFORDABLE = 100e-6
"""Seconds of CPU time for a decision of such an opponent, not much more than a decision of the learner takes."""

FOR_VALUES = 0.1
"""Share of the time that goes to the value network, where the policy gets one."""
LOOKAHEAD = "minimax:2"
"""The search that plays with the value network in the final evaluation."""

TOO_FEW = 1000
"""Gradient steps below which a run says that they are too few."""


def train(settings: Settings) -> None:
    """Train an agent, and write the run to its folder.

    Raises:
        RunError: if the run to resume has missing or broken files, if another program writes to the folder, or if
            Ctrl-C came before training began or during the final evaluation.
    """
    curve = saved_curve(settings, is_zipfile) if settings.resume else []
    torch.manual_seed(settings.seed)
    interruptible()
    with locked(settings.out):
        monitor = Monitor(settings, curve)
        print(settings.plan)
        try:
            model = make_model(settings)
            fit_threads(model)
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
    """Save and evaluate the model, draw the learning curve, and fit the value network."""
    settings, out, curve = monitor.settings, monitor.settings.out, monitor.curve
    elapsed = time.monotonic() - monitor.begun
    # The evaluation takes time, in which another signal may come.
    monitor.save()
    monitor.add_point()
    draw(out / "learning_curve.png", partial(figure_of, curve, settings.title), dpi=150)
    print(f"{model.num_timesteps:,} decisions in {curve[-1]['seconds']:.0f} s; {out}/{settings.model_file} saved")
    if (steps := gradient_steps(model)) < TOO_FEW:
        print(
            f"only {steps:,} gradient steps: a policy needs thousands to learn a game; "
            "train for longer, on cores that are less busy, or with fewer --envs"
        )
    ways: dict[str, Policy | Search] = {"policy alone": player(model, settings)}
    if settings.has_values:
        network = fit_values(model, settings, elapsed * FOR_VALUES / (1 - FOR_VALUES))
        ways[f"values in {LOOKAHEAD}"] = Searcher(make_game(**settings.evaluated_game), LOOKAHEAD, network=network)
    write_json(out / "evaluation.json", {way: final_evaluation(play, settings, way) for way, play in ways.items()})
    print(f"wrote {out}/evaluation.json, {CURVE}, learning_curve.png")


def fit_values(model: MaskablePPO, settings: Settings, seconds: float) -> ValueNetwork:
    """Fit a value network for minimax to the model's self-play, in about this time in seconds, and save it."""
    with Bar(total=1.0, leave=False, bar_format=BAR) as bar:

        def report(stage: str, done: float) -> None:
            bar.set_description_str(f"1 of 2, {stage}", refresh=False)
            bar.update(done - bar.n)

        game = make_game(**settings.evaluated_game)
        network = values_of(model.policy, game, seconds, settings.envs, settings.seed, report)
    with atomic_write(settings.out / VALUES) as file:
        network.save(file.name)
    print(f"{settings.out}/{VALUES} fitted to {network.training['positions']:,} positions of self-play")
    return network


class Monitor(BaseCallback):
    """Shows progress, ends training when time is up, evaluates the model at intervals and saves the run."""

    def __init__(self, settings: Settings, curve: list[dict[str, Any]]) -> None:
        super().__init__()
        self.settings, self.curve = settings, curve
        self.seconds = settings.minutes * 60 * (1 - FOR_VALUES if settings.has_values else 1)
        self.started = False

    def _on_training_start(self) -> None:
        self.started = True
        self.first = self.num_timesteps
        self.offset = self.curve[-1]["seconds"] if self.curve else 0.0
        self.begun = self.due = time.monotonic()
        self.bar = Bar(total=round(self.seconds), desc="1 of 2, training", bar_format=BAR)

    def _on_step(self) -> bool:
        elapsed = time.monotonic() - self.begun
        self.bar.update(min(elapsed, self.seconds) - self.bar.n)
        return self._share() < 1

    def _share(self) -> float:
        """Return which share of the training is done."""
        of_time = (time.monotonic() - self.begun) / self.seconds
        steps = self.settings.steps
        return max(of_time, (self.num_timesteps - self.first) / steps if steps else 0.0)

    def _on_rollout_end(self) -> None:
        if self.settings.observe == AFTERSTATES:
            rate = max(LAST_RATE, FIRST_RATE * (1 - self._share()))
            self.model.lr_schedule = lambda _: rate
        if (now := time.monotonic()) >= self.due:
            self.add_point()
            self.due = next_point(self.curve, self.seconds, now)

    def add_point(self) -> None:
        """Evaluate the model, add a point to the learning curve, save the run and show the points."""
        now = time.monotonic()
        elapsed = self.offset + now - self.begun
        scores = scores_now(player(self.model, self.settings), self.settings, self.curve)
        self.offset -= time.monotonic() - now  # The curve shows the time of training.
        self.curve.append({"decisions": self.num_timesteps, "seconds": elapsed, **scores})
        for opponent, score in scores.items():
            self.logger.record(f"points/{opponent}", score["points"])
        self.logger.dump(self.num_timesteps)
        self.save()
        self.bar.set_postfix(decisions=f"{self.num_timesteps / 1e6:.2f}M", **points_of(scores))

    def save(self) -> None:
        """Save everything that is needed to resume the run."""
        out = self.settings.out
        out.mkdir(parents=True, exist_ok=True)
        write_json(out / CONFIG, {**self.settings.config, "decisions": self.num_timesteps})
        write_json(out / CURVE, self.curve)
        # The model comes last, so a folder with a model always has the other files too.
        with atomic_write(out / self.settings.model_file) as file:
            self.model.save(file)

    def _on_training_end(self) -> None:
        self.bar.close()


def player(model: MaskablePPO, settings: Settings) -> Policy | Search:
    """Return the model as an agent of the game that is evaluated."""
    return snapshot(model.policy, make_game(**settings.evaluated_game))


def gradient_steps(model: MaskablePPO) -> int:
    """Return how many steps the optimizer has taken."""
    return max((int(state["step"]) for state in model.policy.optimizer.state.values()), default=0)


def make_environments(settings: Settings) -> Any:
    """Make the vector environment to train in."""
    envs: Any = MancalaVectorEnv(
        settings.game,
        settings.envs,
        illegal="raise",
        autoreset_mode="SameStep",
        campaign=settings.campaign,
        opening=OPENINGS_TO_LEARN,
        **settings.options,
    )
    if settings.curriculum:
        envs = Curriculum(envs, late_starts(envs.game))
    if settings.campaign:
        envs = ChangeOfWorth(envs, settings.shaping)
    return ObserveAfterstates(envs) if settings.observe == AFTERSTATES else envs


def make_model(settings: Settings) -> MaskablePPO:
    """Make a new MaskablePPO model, or load that of the run to resume."""
    envs = MancalaVecEnv(make_environments(settings))
    log = settings.tensorboard and str(settings.tensorboard)
    if settings.resume:
        return MaskablePPO.load(settings.resume / settings.model_file, env=envs, device="cpu", tensorboard_log=log)
    common = {"seed": settings.seed, "device": "cpu", "tensorboard_log": log}
    if settings.observe == AFTERSTATES:
        size = sum(np.prod(space.shape) * space.dtype.itemsize for space in envs.observation_space.spaces.values())
        decisions = min(ROLLOUT, int(MEMORY / size))
        return MaskablePPO(
            AfterstatePolicy,
            envs,
            n_steps=max(4, decisions // settings.envs),
            batch_size=2048,
            n_epochs=3,
            learning_rate=FIRST_RATE,
            gamma=1.0,
            gae_lambda=0.95,
            ent_coef=0.01,
            policy_kwargs={"net_arch": (64, 64)},
            **common,
        )
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=max(4, ROLLOUT // settings.envs),
        batch_size=2048,
        n_epochs=4,
        learning_rate=1e-3 if settings.campaign else 5e-4,
        gamma=0.999 if settings.campaign else 0.995,  # a campaign lasts hundreds of decisions
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": CountsExtractor, "net_arch": [256, 256]},
        **common,
    )


def fit_threads(model: MaskablePPO) -> None:
    """Choose PyTorch's number of threads by measuring gradients of a batch of positions."""
    seen = model.env.reset()
    copies = -(-model.batch_size // model.n_envs)
    rows = {name: np.repeat(array, copies, axis=0) for name, array in seen.items()} if isinstance(seen, dict) else None
    observations = obs_as_tensor(np.repeat(seen, copies, axis=0) if rows is None else rows, model.device)
    actions = torch.zeros(copies * model.n_envs, dtype=torch.long)

    def work() -> None:
        values, log_prob, _ = model.policy.evaluate_actions(observations, actions)
        (values.mean() + log_prob.mean()).backward()
        model.policy.optimizer.zero_grad()

    threads = choose_threads(work)
    print(f"PyTorch uses {threads} thread{'s' * (threads > 1)}, the fastest here")


def searches_to_learn_from(game: Game) -> list[str]:
    """Return those of SEARCHES that decide fast enough in `game`."""
    found: list[str] = []
    for name in SEARCHES:
        search = Searcher(game, name)
        search.act(game.init(1, 0, opening=OPENINGS_TO_LEARN), 0)  # compiles it
        # A first decision alone, because it can take seconds in games of many actions.
        for states in (game.init(n, n, opening=OPENINGS_TO_LEARN) for n in (1, 100)):
            begun = time.process_time()
            search.act(states, 0)
            seconds = (time.process_time() - begun) / len(states)
            if seconds > AFFORDABLE * (10 if len(states) == 1 else 1):
                return found
        found.append(name)
    return found


def learn(model: MaskablePPO, monitor: Monitor) -> None:
    """Train until `monitor` ends training."""
    settings = monitor.settings
    no_limit = 10**12
    if settings.observe == AFTERSTATES:
        members = (*OPPONENTS[::-1], *searches_to_learn_from(model.env.get_attr("game")[0]))
        league = League(members, share=0.5, keep=2)
        self_play = SelfPlay(league, after=0 if settings.resume else 100_000, every=250_000)
    else:
        # A resumed model already beats random play, so it plays the whole league at once. So does a model for
        # campaigns, which in short runs learns faster if greedy is among the opponents from the start.
        self_play = SelfPlay(after=0 if settings.resume or settings.campaign else 400_000)
    callback = CallbackList([self_play, monitor])
    model.learn(no_limit, callback, reset_num_timesteps=not settings.resume, tb_log_name=settings.out.name)
