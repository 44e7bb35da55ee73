"""Training by self-play with search, on the cores of this machine or of a Ray cluster. Needs the extra [train].

Actors play games with a copy of the network each (`learning.self_play`). The learner waits for them in turn. After each
it learns from a sample of the last decisions, and the actor continues with the network as it is then.
"""

import copy
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from mancala_envs.agents import Policy, Puct, PuctAgent, Search
from mancala_envs.core.arguments import require_some
from mancala_envs.core.extras import needs_extra
from mancala_envs.evaluation.matches import connected, import_ray
from mancala_envs.learning.afterstate_network import AfterstateNetwork, PolicyAgent
from mancala_envs.learning.exact import Endings, solved_rows
from mancala_envs.learning.results import Progress, saved_curve, write_evaluation
from mancala_envs.learning.self_play import ACTIONS, ReplayBuffer, Rows, SelfPlayGames
from mancala_envs.learning.settings import Settings
from mancala_envs.programs.files import RunError, locked
from mancala_envs.programs.tensorboard import curves

with needs_extra():
    import torch

DECISIONS = 32
"""Decisions that an actor plays in each of its games between two copies of the network."""
BUFFER, MINIBATCH, REUSE = 300_000, 1024, 4
"""Decisions in the replay buffer, and in a gradient step; how often each is learnt from, on average."""
FIRST_RATE, LAST_RATE, DECAY = 1e-3, 5e-5, 1e-4
"""The learning rate falls from the first to the last, in proportion to the time left; and the weight decay."""
SOLVED = 8
"""In a gradient step one decision of this number is a solved position, where there are any."""
AT_ONCE = 256
"""Games that the final evaluation searches at once."""


def train(settings: Settings) -> None:
    """Train a network, and write the run to its folder.

    Raises:
        RunError: if the run to resume has missing or broken files, if another program writes to the folder, or if
            Ctrl-C came before training began or during the final evaluation.
    """
    curve = saved_curve(settings, Path.is_file) if settings.resume else []
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # More threads do not help networks this small, and the actors use all cores.
    with locked(settings.out):
        run = Run(settings, curve)

        def learn() -> None:
            with actors_of(settings, run.decisions) as actors:
                run.learn(actors)

        run.carry_out(learn, run.finish)


Start: TypeAlias = Callable[[AfterstateNetwork], Callable[[], Rows]]
"""Lets an actor play with a network, which must not change; returns a function that waits for its decisions."""


class Actor:
    """Plays games in a thread of its own or on a Ray cluster."""

    def __init__(self, settings: Settings, seed: tuple[int, ...]) -> None:
        game = settings.make_game()
        self._games = SelfPlayGames(game, settings.envs, settings.simulations, seed, Endings(game).values)

    def play(self, network: AfterstateNetwork) -> Rows:
        """Play DECISIONS decisions in every game."""
        torch.set_num_threads(1)
        return self._games.play(network.evaluate, DECISIONS)

    def node(self) -> str:
        """Return the node of the Ray cluster on which this actor is."""
        import ray

        node: str = ray.get_runtime_context().get_node_id()
        return node


def in_thread(pool: ThreadPoolExecutor, actor: Actor) -> Start:
    """Return what starts an actor in a thread of this process."""
    return lambda network: pool.submit(actor.play, network).result


@contextmanager
def actors_of(settings: Settings, decisions: int) -> Iterator[list[Start]]:
    """Make the actors of a run that has learnt from this number of decisions already.

    Raises:
        MissingExtra: if the actors are to play on a cluster and Ray is not installed.
    """
    seeds = ((settings.seed, decisions, actor) for actor in range(2**31))
    if not settings.ray:
        number = settings.actors or os.cpu_count() or 1
        with ThreadPoolExecutor(number) as pool:
            yield [in_thread(pool, Actor(settings, next(seeds))) for _ in range(number)]
        return
    ray = import_ray()
    with connected(ray, settings.ray):
        remote = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(Actor)
        number = settings.actors or int(ray.cluster_resources()["CPU"])
        actors = [remote.remote(settings, next(seeds)) for _ in range(number)]
        nodes = set(ray.get([actor.node.remote() for actor in actors]))
        print(f"{number} actor{'s' * (number > 1)} on {len(nodes)} node{'s' * (len(nodes) > 1)}", flush=True)

        def on_cluster(actor: Any) -> Start:
            return lambda network: partial(ray.get, actor.play.remote(network))

        yield [on_cluster(actor) for actor in actors]


class Learner:
    """A network and its optimizer.

    Args:
        network: the network to train.
        seed: seed of the samples.
        solved: solved positions, which then make up one in SOLVED decisions of every gradient step.
    """

    def __init__(self, network: AfterstateNetwork, seed: int = 0, solved: Rows | None = None) -> None:
        self.network, self._chance = network, np.random.default_rng(seed)
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=FIRST_RATE, weight_decay=DECAY)
        self._minibatch = min(MINIBATCH, network.at_once)
        self._solved = solved

    def learn(self, buffer: ReplayBuffer, decisions: int, rate: float) -> tuple[float, float]:
        """Learn from a sample of the decisions of a buffer.

        Args:
            buffer: the buffer.
            decisions: the number of decisions to sample, at least 1.
            rate: the learning rate.

        Returns:
            The mean losses of policies and values.

        Raises:
            ValueError: `decisions` is not allowed.
        """
        require_some(decisions, "decisions")
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        losses = torch.zeros(2)
        steps = max(1, decisions // self._minibatch)
        for _ in range(steps):
            both = torch.stack(self.network.losses(self._sample(buffer), int(self._chance.integers(2**63))))
            self.optimizer.zero_grad()
            both.sum().backward()
            self.optimizer.step()
            losses += both.detach()
        policy, value = (losses / steps).tolist()
        return policy, value

    def _sample(self, buffer: ReplayBuffer) -> Rows:
        if self._solved is None:
            return buffer.sample(self._minibatch, self._chance)
        number = self._minibatch // SOLVED
        rows = buffer.sample(self._minibatch - number, self._chance)
        return rows.joined(self._solved[self._chance.integers(len(self._solved), size=number)])


class Run(Progress):
    """A training run: its network, learning curve and files.

    Args:
        settings: the settings.
        curve: the learning curve so far.

    Raises:
        RunError: the model to resume is broken, or does not fit the game.
    """

    def __init__(self, settings: Settings, curve: list[dict[str, Any]]) -> None:
        super().__init__(settings, curve)
        self.game = settings.make_game()
        self.network, self.decisions, saved = AfterstateNetwork(self.game), 0, dict[str, Any]()
        if settings.resume:
            try:
                self.network, saved = AfterstateNetwork.load(settings.resume / settings.model_file, self.game)
            except ValueError as error:
                raise RunError(f"the run cannot be resumed: {error}") from error
            self.decisions = saved["decisions"]
        self.learner = Learner(self.network, settings.seed + self.decisions, solved_rows(self.game))
        if saved:
            self.learner.optimizer.load_state_dict(saved["optimizer"])
        self._log = curves(settings.tensorboard, settings.out.name)

    def learn(self, actors: list[Start]) -> None:
        """Train until the time is up or the maximum number of decisions is reached."""
        buffer = ReplayBuffer(self.game, BUFFER)
        self.begin(self.decisions)
        waits = [start(copy.deepcopy(self.network)) for start in actors]
        for actor in cycle(range(len(actors))):
            if (done := self.share(self.decisions)) >= 1:
                break
            # While the network learns from one actor's games, the other actors play.
            rows = waits[actor]()
            if len(rows):
                buffer.add(rows)
                self.decisions += len(rows)
                losses = self.learner.learn(buffer, REUSE * len(rows), max(LAST_RATE, FIRST_RATE * (1 - done)))
                for name, loss in zip(("policy", "value"), losses, strict=True):
                    self._log(f"loss/{name}", loss, self.decisions)
            waits[actor] = actors[actor](copy.deepcopy(self.network))
            if time.monotonic() >= self.due:
                self.add_point()

    def add_point(self) -> None:
        """Evaluate the network without a search, add a point to the learning curve, and save the run."""
        for opponent, score in self.measure(PolicyAgent(self.network), self.decisions).items():
            self._log(f"points/{opponent}", score["points"], self.decisions)
        self.save()

    def save(self) -> None:
        """Save everything that is needed to resume the run, except the replay buffer, which is filled again."""
        self.write(self.decisions)
        state = self.learner.optimizer.state_dict()
        path = self.settings.out / self.settings.model_file
        self.network.save(path, optimizer=state, decisions=self.decisions)

    def finish(self) -> None:
        """Save and evaluate the network, alone and with search, and draw the learning curve."""
        self.save()
        self.add_point()
        self.conclude()
        simulations = self.settings.simulations
        search = Puct(self.game, AT_ONCE, simulations, gumbel=(ACTIONS, 0.0))  # as in self-play, without noise
        ways: dict[str, Policy | Search] = {
            "network alone": PolicyAgent(self.network),
            f"{simulations} simulations": PuctAgent(search, self.network.evaluate),
        }
        write_evaluation(ways, self.settings)
