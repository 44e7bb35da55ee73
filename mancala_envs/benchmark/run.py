"""Results of all tasks, each seed of a task in a process of its own, so that an agent that fails ends no other task."""

import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np

from mancala_envs.agents import Agent
from mancala_envs.agents.agent import checksum_of, is_search
from mancala_envs.benchmark.play import play
from mancala_envs.benchmark.report import CURVE_OPENINGS, Report, scores_by_task
from mancala_envs.benchmark.tasks import DECISIONS, LADDER, LEARNERS, OPEN, SEEDS, TASKS, Task, task
from mancala_envs.core.arguments import States
from mancala_envs.core.extras import MissingExtra, needs_extra
from mancala_envs.evaluation.timed import Watch
from mancala_envs.programs.files import INTERRUPTED, RunError, locked
from mancala_envs.programs.processes import end_with_parent, sigint_blocked
from mancala_envs.programs.progress import Bar

SECONDS = 60.0
"""How long an agent may take for a decision, on average over the decisions of one request."""

LOADING = 600.0
"""How many seconds more it may take for its first request, and before it, for compilation and for loading a model."""


TITLES = {
    "ppo": "MaskablePPO over positions",
    "ppo-afterstates": "MaskablePPO over afterstates",
    "alphazero": "AlphaZero, network alone",
    "dqn": "Double DQN",
}
"""The baselines that `--train` trains, with their names on the leaderboard."""


@dataclass(frozen=True)
class Unit:
    """The work of one process: play a seed of a task, after training if the agent is a baseline that trains.

    Args:
        task_name: The task.
        seed: The seed.
        agent: An agent, see `agent_for`, or the name of a baseline, if `trains`.
        decisions: The decisions that a learner learns from, or has learnt from.
        trains: Whether to train the baseline.
    """

    task_name: str
    seed: int
    agent: str
    decisions: int | None = None
    trains: bool = False

    def run(self, watch: Watch) -> dict[str, Any]:
        """Return the result, as `play` does, with what a learner has learnt from, and how."""
        one = task(self.task_name)
        if self.trains:
            return self._train(one, watch)
        result = play(one, agent_for(self.agent, one, self.seed), self.seed, watch=watch)
        result |= {} if self.decisions is None else {"learnt": self.decisions}
        return result if self.checksum is None else result | {"checksum": self.checksum}

    @property
    def checksum(self) -> int | None:
        """The checksum of the agent's network, see `checksum_of`; None without one or before it has learnt."""
        if self.trains or _function(self.agent):
            return None
        one = task(self.task_name)
        return checksum_of(one.game, agent_for(self.agent, one, self.seed))

    def _train(self, one: Task, watch: Watch) -> dict[str, Any]:
        import torch

        from mancala_envs.benchmark.learners import LEARNING

        torch.set_num_threads(1)  # Small networks gain nothing from more, and other processes use the other cores.
        torch.manual_seed(self.seed)
        curve, measuring, begun = list[list[float]](), 0.0, process_time()

        def measure(agent: Any, decisions: int) -> None:
            nonlocal measuring
            before = process_time()
            curve.append([decisions, play(one, agent, self.seed, CURVE_OPENINGS, watch)["score"]])
            measuring += process_time() - before

        agent, learnt = LEARNING[self.agent](one, self.seed, self.decisions or DECISIONS, measure)
        seconds = round(process_time() - begun - measuring, 1)
        result = play(one, agent, self.seed, watch=watch)
        return result | {"learnt": learnt, "training_cpu_seconds": seconds, "curve": curve}


def benchmark(
    agent: str | None,
    train: str | None = None,
    tasks: Sequence[str] = tuple(TASKS),
    seeds: Sequence[int] = SEEDS,
    track: str = OPEN,
    decisions: int | None = None,
    name: str | None = None,
    jobs: int = 1,
    seconds: float = SECONDS,
    out: Path | None = None,
) -> bool:
    """Evaluate an agent or train a baseline, see `scripts/benchmark.py`; return whether no task failed.

    Raises:
        ValueError: An argument is not allowed.
        RunError: The file of the result is broken, or holds another result.
    """
    if (agent is None) == (train is None):
        raise ValueError("give either AGENT or --train")
    track = LEARNERS if train else track
    if train and decisions is None:
        decisions = DECISIONS
    if track == LEARNERS and not (decisions and decisions <= DECISIONS):
        raise ValueError(f"the track {LEARNERS} needs --decisions, up to {DECISIONS:,}, got {decisions}")
    if track == OPEN and decisions is not None:
        raise ValueError(f"only the track {LEARNERS} has --decisions")
    what = train or agent or ""
    if track == LEARNERS and is_search(what):
        raise ValueError(f"{what} searches when it plays, so its track is {OPEN}")
    tasks, seeds = tuple(dict.fromkeys(tasks)), tuple(dict.fromkeys(seeds))
    units = [Unit(one, seed, what, decisions, bool(train)) for seed in seeds for one in tasks]
    if train:
        with needs_extra():
            import_module("mancala_envs.benchmark.learners")
    else:
        for unit in units:
            check(unit)
    path = out or Path("runs/benchmark") / f"{re.sub('[^A-Za-z0-9]+', '_', what).strip('_')}.json"
    settings = {"agent": what} | ({} if decisions is None else {"decisions": decisions})
    with locked(path.parent):
        report = Report(path, name or TITLES.get(train or "", what), track, settings)
        for unit in units:
            played = report.results.get(unit.task_name, {}).get(str(unit.seed), {})
            if played.get("checksum", unit.checksum) != unit.checksum:
                raise RunError(f"{what} is not the agent that played {unit.task_name} in {path}: choose another --out")
        try:
            run(report, units, jobs, seconds)
        except KeyboardInterrupt:
            print(INTERRUPTED)
            return False
    print("\n".join(summary(report.content, tasks, seeds)))
    print(f"wrote {path}")
    return all(report.has(unit.task_name, unit.seed) for unit in units)


def summary(content: dict[str, Any], tasks: Sequence[str], seeds: Sequence[int]) -> list[str]:
    """Return a table of the tasks, with the points against each opponent in percent, and the score of the suite."""
    lines = [f"{'':28s}{'score':>6s}{'CPU ms':>8s}" + "".join(f"{opponent:>14s}" for opponent in LADDER)]
    for one in tasks:
        rows = [row for seed in seeds if "score" in (row := content["results"].get(one, {}).get(str(seed), {}))]
        if rows:
            score, cpu_ms = (np.mean([row[name] for row in rows]) for name in ("score", "cpu_ms"))
            points = [100 * np.mean([row["points"][opponent] for row in rows]) for opponent in LADDER]
            lines.append(f"{one:28s}{score:6.1f}{cpu_ms:8.3f}" + "".join(f"{share:14.1f}" for share in points))
    try:
        from mancala_envs.benchmark.score import suite_score  # needs an extra, and only here

        score, interval = suite_score(scores_by_task(content, seeds))
    except (RunError, MissingExtra) as error:
        return [*lines, f"no score of the suite: {error}"]
    between = "" if interval is None else f" [{interval[0]:.1f}, {interval[1]:.1f}]"
    return [*lines, f"score {score:.1f}{between}, version {content['version']}, seeds {', '.join(map(str, seeds))}"]


def check(unit: Unit) -> None:
    """Raise ValueError if the agent of a unit does not exist or does not fit the task, before anything is played."""
    one = task(unit.task_name)
    text = agent_for(unit.agent, one, unit.seed) if not _function(unit.agent) else "random"
    Agent(one.game, text)


def agent_for(text: str, one: Task, seed: int) -> Any:
    """Return the agent that a text means for a task, as `Agent` takes it.

    Args:
        text: A name, such as `mcts:400`; the path of a saved model, in which `{task}` and `{seed}` are replaced; or
            `module:function`, a function that is called with a `Task` and the seed and returns an agent.
        one: The task.
        seed: The seed.
    """
    function = _function(text)
    return function(one, seed) if function else text.replace("{task}", one.name).replace("{seed}", str(seed))


def _function(text: str) -> Callable[[Task, int], Any] | None:
    """Return the function that `module:function` names; None if a text has another form, or there is no such module.

    Raises:
        ValueError: The module has no such function.
    """
    module, _, name = text.partition(":")
    if is_search(text) or not (name and all(part.isidentifier() for part in module.split("."))):
        return None
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name, None)
    except ModuleNotFoundError as error:
        if not f"{module}.".startswith(f"{error.name}."):  # The module is there, and lacks another one.
            raise
        return None
    if not callable(found):
        raise ValueError(f"{module} has no function {name}")
    function: Callable[[Task, int], Any] = found
    return function


def run(report: Report, units: Sequence[Unit], jobs: int, seconds: float = SECONDS) -> None:
    """Run the units whose results a report lacks, `jobs` at a time, and add their results.

    Ctrl-C ends all processes; the report keeps what is done, and the same call continues.

    Args:
        report: The report.
        units: The units.
        jobs: The number of processes at a time.
        seconds: See SECONDS.
    """
    waiting = [unit for unit in units if not report.has(unit.task_name, unit.seed)][::-1]
    running = list["Running"]()
    with Bar(total=len(waiting), desc=report.content["name"]) as bar:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    with sigint_blocked():
                        running.append(Running(waiting.pop(), seconds))
                wait([one.connection for one in running], timeout=1.0)
                for one in [one for one in running if one.is_done()]:
                    running.remove(one)
                    _add(report, one)
                    bar.update()
        finally:
            for one in running:
                one.process.kill()


def _add(report: Report, one: "Running") -> None:
    unit = one.unit
    if one.result is not None:
        report.put(unit.task_name, unit.seed, one.result)
        note = f", {one.result['illegal']} games lost by illegal actions" if one.result["illegal"] else ""
        Bar.write(f"{unit.task_name:28s} seed {unit.seed}: {one.result['score']:6.2f}{note}")
    else:
        report.fail(unit.task_name, unit.seed, one.error, one.position)
        last = one.error.strip().splitlines()[-1]
        Bar.write(f"{unit.task_name:28s} seed {unit.seed}: FAILED: {last}; position: {one.position}")


class Running:
    """A unit that runs in a process.

    Args:
        unit: The unit.
        seconds: See SECONDS.
    """

    def __init__(self, unit: Unit, seconds: float) -> None:
        context = get_context("spawn")
        self.unit, self._seconds = unit, seconds
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_work, args=(unit, other), daemon=True)
        self.process.start()
        other.close()
        self.result: dict[str, Any] | None = None
        self.error = ""
        self._states: States = np.empty(0)
        self._first = True
        self._asked, self._allowed = 0.0 if unit.trains else monotonic(), LOADING

    def is_done(self) -> bool:
        """Read what the process has sent, and return whether it is done; end it if its agent takes too long."""
        self._receive()
        if self._asked and monotonic() > self._asked + self._allowed:
            what = f"to a request for {len(self._states)} decisions" if len(self._states) else "to the first request"
            self.error = f"no answer within {self._allowed:g} seconds {what}"
        if self.result is None and not self.error:
            return False
        self.process.kill()
        self.process.join()
        self.connection.close()
        return True

    def _receive(self) -> None:
        try:
            while self.connection.poll():
                kind, content = self.connection.recv()
                if kind == "asked":
                    self._states, self._asked = content, monotonic()
                    self._allowed = self._seconds * len(content) + LOADING * self._first
                elif kind == "answered":
                    self._asked, self._first = 0.0, False
                elif kind == "result":
                    self.result = content
                else:
                    self.error = content
        except EOFError:
            self.process.join()
            if self.result is None and not self.error:
                self.error = f"the process ended with exit code {self.process.exitcode}"

    @property
    def position(self) -> str:
        """The first position of the last request, as `Game.parse` takes it."""
        if not len(self._states):
            return "none, before the first decision"
        return task(self.unit.task_name).game.text(self._states[0])


def _work(unit: Unit, connection: Connection) -> None:
    end_with_parent()

    def watch(states: States | None) -> None:
        connection.send(("answered", None) if states is None else ("asked", states.copy()))

    try:
        connection.send(("result", unit.run(watch)))
    except Exception:
        connection.send(("error", traceback.format_exc()))
