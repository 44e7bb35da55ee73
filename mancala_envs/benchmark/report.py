"""The file of a result: one agent, all tasks and seeds, with everything that is needed to check the score."""

import json
import os
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from mancala_envs.benchmark.play import are_games, play, score_of
from mancala_envs.benchmark.tasks import DECISIONS, LEARNERS, TASKS, TRACKS, protocol, task, version
from mancala_envs.core.arguments import is_integer, require_integer, short
from mancala_envs.programs.files import RunError, exclusive, read_json, write_json

PACKAGES = ("mancala_envs", "numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib", "scipy")
"""The packages whose versions a file names, if they are installed."""

CURVE_OPENINGS = 4
"""Openings against each opponent for a point of a learning curve."""

_KINDS = {"name": str, "track": str, "settings": dict, "version": str, "results": dict, "failures": list}
"""The entries of every file, with their types."""


class Report:
    """The result of an agent in a file, which is written after every change.

    ::

        report = Report("runs/mine.json", "my agent", "learners")
        report.measure("kalah", 0, agent, decisions=100_000)     # a point of the learning curve
        report.add("kalah", 0, agent, decisions=1_000_000)       # the result

    If the file exists, it is continued. Several processes may write results to one file.

    Args:
        path: The file.
        name: The name of the agent for the leaderboard.
        track: `"learners"` for agents that learnt from at most 1,000,000 of their decisions in a task and play without
            search, `"open"` for any agent.
        settings: What else a reader should know, such as hyperparameters.

    Raises:
        ValueError: There is no such track.
        RunError: The file holds no result, or one of another agent, track, settings or version of the benchmark.
    """

    def __init__(
        self, path: str | Path, name: str, track: str = "open", settings: dict[str, Any] | None = None
    ) -> None:
        if track not in TRACKS:
            raise ValueError(f"track must be one of {', '.join(map(repr, TRACKS))}, got {short(track)}")
        self.path = Path(path)
        about = {"name": name, "track": track, "settings": json.loads(json.dumps(settings or {}))}
        self.content: dict[str, Any] = about | {"version": version(), "protocol": protocol(), "machine": machine()}
        self.content |= {"results": {}, "failures": []}
        if self.path.exists():
            found = read(self.path)
            for key, value in about.items():
                if found.get(key) != value:
                    raise RunError(
                        f"{path} is the result of {key} {found.get(key)!r}, not {value!r}: choose another --out"
                    )
            self.content = found

    @property
    def results(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The results by task and seed."""
        results: dict[str, dict[str, dict[str, Any]]] = self.content["results"]
        return results

    def has(self, task_name: str, seed: int) -> bool:
        """Return whether the result of a seed of a task is there."""
        return "score" in self.results.get(task_name, {}).get(str(seed), {})

    def measure(self, task_name: str, seed: int, agent: Any, decisions: int) -> float:
        """Play few games, add a point to the learning curve, and return its score.

        Points after as many decisions or more are dropped: they come from an earlier run.

        Args:
            task_name: The task.
            seed: The seed.
            agent: The agent, as `mancala_envs.agents.Agent` takes it.
            decisions: How many decisions it has learnt from.

        Raises:
            ValueError: As for `add`.
        """
        learnt = self._learnt(decisions)
        score: float = play(task(task_name), agent, seed, CURVE_OPENINGS)["score"]
        with self._changing():
            entry = self._entry(task_name, seed)
            entry["curve"] = [point for point in entry.get("curve", []) if point[0] < learnt] + [[learnt, score]]
        return score

    def add(self, task_name: str, seed: int, agent: Any, decisions: int | None = None) -> float:
        """Play all games of a seed of a task, add the result, and return its score.

        Args:
            task_name: The task.
            seed: The seed.
            agent: The agent, as `mancala_envs.agents.Agent` takes it.
            decisions: In the track `learners`, how many decisions it has learnt from.

        Raises:
            ValueError: `decisions` is missing, above the limit of the track, or given in the track `open`.
        """
        learnt = {} if decisions is None and self.content["track"] != LEARNERS else {"learnt": self._learnt(decisions)}
        result = play(task(task_name), agent, seed)
        self.put(task_name, seed, result | learnt)
        return float(result["score"])

    def put(self, task_name: str, seed: int, result: dict[str, Any]) -> None:
        """Add the result of a seed of a task, as `play` returns it, and forget earlier failures."""
        with self._changing():
            self._entry(task_name, seed).update(result)
            self._drop_failure(task_name, seed)

    def fail(self, task_name: str, seed: int, error: str, position: str) -> None:
        """Add a failure: an agent that raised an error, or did not answer, in this position."""
        with self._changing():
            self._drop_failure(task_name, seed)
            self.content["failures"].append({"task": task_name, "seed": seed, "error": error, "position": position})

    def _learnt(self, decisions: int | None) -> int:
        """Return the number of decisions that an agent has learnt from, or raise ValueError."""
        if self.content["track"] != LEARNERS:
            raise ValueError(f"only the track {LEARNERS!r} has decisions, got {decisions!r}")
        return require_integer("decisions", decisions, 0, DECISIONS)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Read what other processes have added to the file, and write it after the change that the block makes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(self.path.with_name(f".{self.path.name}.lock")):
            if self.path.exists():
                self.content = read(self.path)
            yield
            write_json(self.path, self.content)

    def _entry(self, task_name: str, seed: int) -> dict[str, Any]:
        return self.results.setdefault(task_name, {}).setdefault(str(seed), {})

    def _drop_failure(self, task_name: str, seed: int) -> None:
        kept = [one for one in self.content["failures"] if (one["task"], one["seed"]) != (task_name, seed)]
        self.content["failures"] = kept


def scores_by_task(content: dict[str, Any], seeds: Sequence[int]) -> dict[str, list[float]]:
    """Return the scores of these seeds in every task of a file, checked against its games.

    Raises:
        RunError: A result is missing or broken, or its score does not follow from its games.
    """
    scores = dict[str, list[float]]()
    for name in TASKS:
        rows = content["results"].get(name, {})
        if missing := [seed for seed in seeds if "score" not in rows.get(str(seed), {})]:
            raise RunError(f"{content['name']} has no result of the seeds {missing} of {name}")
        for seed in seeds:
            row = rows[str(seed)]
            learnt = row.get("learnt") if content["track"] == LEARNERS else 0
            if not are_games(row.get("games")) or not (is_integer(learnt) and 0 <= learnt <= DECISIONS):
                raise RunError(f"{content['name']}: the result of seed {seed} of {name} is not one that `play` returns")
            if row["score"] != score_of(row["games"]):
                raise RunError(f"{content['name']}: the score of seed {seed} of {name} does not follow from its games")
            scores.setdefault(name, []).append(row["score"])
    return scores


def read(path: Path) -> dict[str, Any]:
    """Read a file.

    Raises:
        RunError: It is missing or broken, holds no result, or one of another version of the benchmark.
    """
    content = read_json(path)
    if not isinstance(content, dict) or not all(isinstance(content.get(key), kind) for key, kind in _KINDS.items()):
        raise RunError(f"{path} holds no result of the benchmark")
    if content["version"] != version():
        raise RunError(
            f"{path} is a result of version {content['version']} of the benchmark, and this is version {version()}: "
            f"they cannot be compared; {_differences(content.get('protocol'))}"
        )
    return content


def _differences(given: Any) -> str:
    """Return what differs between a protocol and the present one, in words."""
    now, given = protocol(), given if isinstance(given, dict) else {}
    parts = [key for key in now if key != "tasks" and now[key] != given.get(key)]
    tasks = given.get("tasks", {})
    parts += [f"the rules, observations or expert of {name}" for name in TASKS if now["tasks"][name] != tasks.get(name)]
    return f"changed: {', '.join(parts)}"


def machine() -> dict[str, Any]:
    """Return what a file says about the machine and the packages."""
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version_of(name)
        except PackageNotFoundError:
            continue
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "packages": packages,
    }


def _processor() -> str:
    """Return the name of the processor, as Linux has it, or the architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
