"""Self-play training with MaskablePPO on many games in parallel. Needs the extra [train]."""

import time
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any
from zipfile import is_zipfile

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent, Policy, Search, ValueNetwork, expert_for, load_policy
from mancala_envs.core.extras import needs_extra
from mancala_envs.core.opening import OPENINGS_TO_LEARN
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League
from mancala_envs.game import Game
from mancala_envs.learning.results import Progress, saved_curve, write_evaluation
from mancala_envs.learning.settings import AFTERSTATES, OPPONENTS, VALUES, Settings
from mancala_envs.learning.threads import choose_threads
from mancala_envs.learning.values import Beside
from mancala_envs.programs.files import atomic_write, locked
from mancala_envs.registry import make_game
from mancala_envs.wrappers import ChangeOfWorth, Curriculum, ObserveAfterstates, late_starts
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

SEARCHES = ("minimax:2", "minimax:4")
"""Opponents for learning, where they are fast enough."""
EXPERT = "expert:400"
"""The expert as an opponent for learning."""
FEW_ACTIONS = 24
"""Actions of games whose policies observe exchanges; with more actions these take too long."""
AFFORDABLE = 100e-6
"""Seconds of CPU time for a decision of such an opponent, not much more than a decision of the learner takes."""

LAMBDA = 0.7
"""The lambda of generalised advantages from a value network: with 1 it only reduces the variance of the results of
games, with 0 a decision is judged by the value of the next position alone."""

WIDTHS = 256, 128
"""The widths of the hidden layers of a policy over afterstates. Policies of half the width were as strong after 4.5
minutes of Qelat, but in campaigns they no longer learnt (docs/notes/afterstates.md)."""

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
    with locked(settings.out):
        run = Progress(settings, curve)
        monitor = Monitor(run)
        try:
            run.carry_out(partial(learn, monitor), partial(finish, monitor))
        finally:
            if monitor.values:
                monitor.values.close()


def finish(monitor: "Monitor") -> None:
    """Save and evaluate the model and the value network, and draw the learning curve."""
    settings, model = monitor.settings, monitor.model
    monitor.save()
    network = monitor.values and monitor.values.finish()
    monitor.add_point()
    monitor.run.conclude()
    if (steps := gradient_steps(model)) < TOO_FEW:
        print(
            f"only {steps:,} gradient steps: a policy needs thousands to learn a game; "
            "train for longer, on cores that are less busy, or with fewer --envs"
        )
    ways: dict[str, Policy | Search] = {"policy alone": player(model, settings)}
    if network:
        print(f"{settings.out}/{VALUES} learnt from {network.training['positions']:,} positions of self-play")
        ways[f"values in {LOOKAHEAD}"] = Agent(make_game(**settings.evaluated_game), LOOKAHEAD, network=network)
    write_evaluation(ways, settings)


class Critic(BaseCallback):
    """Judges the decisions of a rollout by a value network, which another process learns at the same time.

    A campaign has hundreds of decisions, and its result says little about one of them. The network learns from many
    times as many games as the policy, so what a decision was worth follows from the values in its observations: the
    advantages are those of these values, and the values of the policy are fitted to them.

    Args:
        values: The process that learns the network.
    """

    def __init__(self, values: Beside) -> None:
        super().__init__()
        self.values = values

    def _on_rollout_start(self) -> None:
        if network := self.values.newer():
            follow(self.model, network)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        buffer, last = self.model.rollout_buffer, best_values(self.model._last_obs)
        buffer.gae_lambda = LAMBDA
        buffer.values[:] = best_values(buffer.observations)
        buffer.compute_returns_and_advantage(torch.from_numpy(last), self.locals["dones"])


def best_values(observed: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.float32]:
    """Return the value of the best action in observations of afterstates with values; the last axis is of actions."""
    values: npt.NDArray[np.float32] = np.where(observed["action_mask"] > 0, observed["value"], -np.inf).max(-1)
    return values


def follow(model: MaskablePPO, network: ValueNetwork) -> None:
    """Let a policy over afterstates take the values of a new network, at once and when it is saved and loaded."""
    envs = model.env.envs
    envs.network = model.policy.values = model.policy_kwargs["values"] = network
    model._last_obs["value"] = envs.values(envs.unwrapped.states)


class Monitor(BaseCallback):
    """Shows progress, ends training when time is up, evaluates the model at intervals and saves the run."""

    def __init__(self, run: Progress) -> None:
        super().__init__()
        self.run, self.settings = run, run.settings
        self.values: Beside | None = None

    def _on_training_start(self) -> None:
        self.run.begin(self.num_timesteps)

    def _on_step(self) -> bool:
        return self.run.share(self.num_timesteps) < 1

    def _on_rollout_end(self) -> None:
        if self.settings.observe == AFTERSTATES:
            rate = max(LAST_RATE, FIRST_RATE * (1 - self.run.share(self.num_timesteps)))
            self.model.lr_schedule = lambda _: rate
        if time.monotonic() >= self.run.due:
            self.add_point()

    def add_point(self) -> None:
        """Evaluate the model, add a point to the learning curve, and save the run."""
        scores = self.run.measure(player(self.model, self.settings), self.num_timesteps)
        for opponent, score in scores.items():
            self.logger.record(f"points/{opponent}", score["points"])
        self.logger.dump(self.num_timesteps)
        self.save()

    def save(self) -> None:
        """Save everything that is needed to resume the run."""
        self.run.write(self.num_timesteps)
        with atomic_write(self.settings.out / self.settings.model_file) as file:
            self.model.save(file)


def player(model: MaskablePPO, settings: Settings) -> Policy | Search:
    """Return the model as an agent of the game that is evaluated."""
    return snapshot(model.policy, make_game(**settings.evaluated_game))


def gradient_steps(model: MaskablePPO) -> int:
    """Return how many steps the optimizer has taken."""
    return max((int(state["step"]) for state in model.policy.optimizer.state.values()), default=0)


def make_environments(settings: Settings, values: ValueNetwork | None = None, exchanges: bool = False) -> Any:
    """Make the vector environment to train in; observations of afterstates may have values and exchanges."""
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
    return ObserveAfterstates(envs, None, values, exchanges) if settings.observe == AFTERSTATES else envs


def make_model(settings: Settings, values: ValueNetwork | None = None) -> MaskablePPO:
    """Make a new MaskablePPO model that takes the values of a network, if any, or load that of the run to resume."""
    log = settings.tensorboard and str(settings.tensorboard)
    if settings.resume:
        path = settings.resume / settings.model_file
        saved = load_policy(path).policy
        exchanges = "exchange" in getattr(saved.observation_space, "spaces", {})
        envs = MancalaVecEnv(make_environments(settings, getattr(saved, "values", None), exchanges))
        steps = rollout_steps(settings, envs)
        return MaskablePPO.load(path, env=envs, device="cpu", tensorboard_log=log, n_steps=steps)
    envs = MancalaVecEnv(make_environments(settings, values, settings.make_game().num_actions <= FEW_ACTIONS))
    common = {"batch_size": 2048, "ent_coef": 0.01, "seed": settings.seed, "device": "cpu", "tensorboard_log": log}
    if settings.observe == AFTERSTATES:
        return MaskablePPO(
            AfterstatePolicy,
            envs,
            n_steps=rollout_steps(settings, envs),
            n_epochs=3,
            learning_rate=FIRST_RATE,
            gamma=1.0,
            gae_lambda=0.95,
            policy_kwargs={"net_arch": WIDTHS, "values": values},
            **common,
        )
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=rollout_steps(settings, envs),
        n_epochs=4,
        learning_rate=1e-3 if settings.campaign else 5e-4,
        gamma=0.999 if settings.campaign else 0.995,  # a campaign lasts hundreds of decisions
        policy_kwargs={"features_extractor_class": CountsExtractor, "net_arch": [256, 256]},
        **common,
    )


def rollout_steps(settings: Settings, envs: MancalaVecEnv) -> int:
    """Return the number of decisions in each game between two updates."""
    decisions = ROLLOUT
    if settings.observe == AFTERSTATES:
        size = sum(np.prod(space.shape) * space.dtype.itemsize for space in envs.observation_space.spaces.values())
        decisions = min(ROLLOUT, int(MEMORY / size))
    return max(4, decisions // settings.envs)


def fit_threads(model: MaskablePPO, spare: int) -> None:
    """Choose PyTorch's number of threads by measuring gradients of a batch of positions, and leave some cores."""
    seen = model.env.reset()
    copies = -(-model.batch_size // model.n_envs)
    rows = {name: np.repeat(array, copies, axis=0) for name, array in seen.items()} if isinstance(seen, dict) else None
    observations = obs_as_tensor(np.repeat(seen, copies, axis=0) if rows is None else rows, model.device)
    actions = torch.zeros(copies * model.n_envs, dtype=torch.long)

    def work() -> None:
        values, log_prob, _ = model.policy.evaluate_actions(observations, actions)
        (values.mean() + log_prob.mean()).backward()
        model.policy.optimizer.zero_grad()

    threads = choose_threads(work, spare=spare)
    print(f"PyTorch uses {threads} thread{'s' * (threads > 1)}, the fastest here")


def searches_to_learn_from(game: Game) -> list[str]:
    """Return those of SEARCHES that decide fast enough in `game`."""
    found: list[str] = []
    for name in SEARCHES:
        search = Agent(game, name)
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


def begin_values(settings: Settings, path: Path) -> None:
    """Let the values in a new folder begin with those of the run to resume or of the expert, or from the start."""
    path.unlink(missing_ok=True)
    if settings.resume and (settings.resume / VALUES).exists():
        copyfile(settings.resume / VALUES, path)
    elif settings.expert:
        expert_for(make_game(**settings.evaluated_game)).save(path)


def learn(monitor: Monitor) -> None:
    """Train until `monitor` ends training."""
    settings, no_limit = monitor.settings, 10**12
    if settings.observe == AFTERSTATES:
        rules, game = settings.make_game(), make_game(**settings.evaluated_game)
        searches = searches_to_learn_from(rules)
        expert = (EXPERT,) if settings.expert else ()
        league = League((*OPPONENTS[::-1], *searches, *expert), share=0.5, keep=2)
        callbacks: list[BaseCallback] = [SelfPlay(league, after=0 if settings.resume else 100_000, every=250_000)]
        path = settings.out / VALUES
        if settings.out != settings.resume:
            begin_values(settings, path)
        opponents = OPPONENTS[1:] + tuple(searches[:1])
        monitor.values = Beside(settings.evaluated_game, opponents, settings.seed, monitor.run.seconds, path)
        # The network knows nothing of the payments of `round_reward`, so with them the policy learns alone.
        model = make_model(settings, monitor.values.first() if rules.header == game.header else None)
        callbacks += [Critic(monitor.values)] if model.policy.values else []
    else:
        # A resumed model already beats random play, so it plays the whole league at once. So does a model for
        # campaigns, which in short runs learns faster if greedy is among the opponents from the start.
        callbacks = [SelfPlay(after=0 if settings.resume or settings.campaign else 400_000)]
        model = make_model(settings)
    fit_threads(model, spare=int(settings.has_values))
    callback = CallbackList([*callbacks, monitor])
    model.learn(no_limit, callback, reset_num_timesteps=not settings.resume, tb_log_name=settings.out.name)
