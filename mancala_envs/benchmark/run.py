"""Results of all tasks, each seed of a task in a process of its own, so that an agent that fails ends no other task."""

import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from mancala_envs.benchmark.play import play
from mancala_envs.benchmark.report import CURVE_OPENINGS, Report
from mancala_envs.benchmark.tasks import Task, task
from mancala_envs.core.arguments import States, did_you_mean, short
from mancala_envs.evaluation.matches import end_with_parent
from mancala_envs.programs.progress import Bar

SECONDS = 60.0
"""How long an agent may take for a decision, on average over the decisions of one request."""

LOADING = 600.0
"""How many seconds more its first request may take, for compilation and for loading a model."""


@dataclass(frozen=True)
class Unit:
    """What one process does: play a seed of a task, after training if the agent is a learner.

    Args:
        task_name: The task.
        seed: The seed.
        agent: An agent by name or path, `module:function`, or the name of a learner.
        learns: The decisions to learn from; None for an agent that does not learn.
    """

    task_name: str
    seed: int
    agent: str
    learns: int | None = None

    def run(self, watch: Callable[[States | None], None]) -> dict[str, Any]:
        """Return the result, as `play` does, with the learning curve of a learner."""
        one = task(self.task_name)
        if self.learns is None:
            return play(one, agent_for(self.agent, one, self.seed), self.seed, watch=watch)
        import torch

        from mancala_envs.benchmark.learners import LEARNING

        torch.set_num_threads(1)  # Small networks gain nothing from more, and other units use the other cores.
        torch.manual_seed(self.seed)
        curve, measuring, begun = list[list[float]](), 0.0, process_time()

        def measure(agent: Any, decisions: int) -> None:
            nonlocal measuring
            before = process_time()
            curve.append([decisions, play(one, agent, self.seed, CURVE_OPENINGS, watch)["score"]])
            measuring += process_time() - before

        agent, learnt = LEARNING[self.agent](one, self.seed, self.learns, measure)
        seconds = round(process_time() - begun - measuring, 1)
        result = play(one, agent, self.seed, watch=watch)
        return result | {"learnt": learnt, "training_cpu_seconds": seconds, "curve": curve}


def agent_for(text: str, one: Task, seed: int) -> Any:
    """Return the agent that a text means for a task, as `Agent` takes it.

    Args:
        text: A name, such as `mcts:400`; the path of a saved model, in which `{task}` and `{seed}` are replaced; or
            `module:function`, a function that is called with a `Task` and the seed and returns an agent.
        one: The task.
        seed: The seed.
    """
    module, _, function = text.partition(":")
    if not function or not _is_module(module):
        return text.replace("{task}", one.name).replace("{seed}", str(seed))
    return getattr(importlib.import_module(module), function)(one, seed)


def _is_module(name: str) -> bool:
    """Return whether Python would find a module of this name, in the current folder or among the installed ones."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def run(report: Report, units: Sequence[Unit], jobs: int, seconds: float = SECONDS) -> None:
    """Run the units whose results a report lacks, `jobs` at a time, and add their results.

    Ctrl-C ends all processes; the report keeps what is done.

    Args:
        report: The report.
        units: The units.
        jobs: The number of processes at a time.
        seconds: See SECONDS.
    """
    waiting = [unit for unit in units if not report.has(unit.task_name, unit.seed)][::-1]
    running = dict[Connection, Running]()
    with Bar(total=len(waiting), desc=report.content["name"]) as bar:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    started = Running(waiting.pop(), seconds)
                    running[started.connection] = started
                for connection in wait(list(running), timeout=1.0):
                    running[connection].receive()
                for connection, one in list(running.items()):
                    if one.check():
                        del running[connection]
                        _add(report, one)
                        bar.update()
        finally:
            for one in running.values():
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
        self._states: States | None = None
        self._asked, self._allowed, self._first = 0.0, 0.0, True

    def receive(self) -> None:
        """Read what the process has sent; None stands for its end."""
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

    def check(self) -> bool:
        """Return whether the unit is done; end it if the agent takes too long."""
        if self._asked and monotonic() - self._asked > self._allowed and self.result is None:
            self.process.kill()
            self.error = f"no answer within {self._allowed:.0f} seconds to a request for {len(self._states)} decisions"
        done = self.result is not None or bool(self.error)
        if done:
            self.process.join()
            self.connection.close()
        return done

    @property
    def position(self) -> str:
        """The first position of the last request, as `Game.parse` takes it."""
        if self._states is None:
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
