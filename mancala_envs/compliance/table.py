"""Runs suites on games, in this Python interpreter or in others, and makes a table of the results."""

import contextlib
import io
import json
import subprocess
import tempfile
import time
import traceback
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mancala_envs.compliance.suites import NOTHING, SUITES, Case, Suite, every_case

PASSED, FAILED, MISSING = "ok", "FAILED", "missing"

Cells = dict[str, dict[str, str]]
"""Results by game, then by suite."""
Versions = dict[str, dict[str, str | None]]
"""Versions of libraries by suite, then by library; None if it is not installed."""


def outcome(one: Suite, case: Case) -> str:
    """Run a suite on a case; return PASSED, FAILED, MISSING or NOTHING. On failure, print its output and traceback."""
    if None in one.versions.values():
        return MISSING
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return one.run(case) or PASSED
    except Exception:
        # Any exception means failure.
        print(f"\n{output.getvalue()}{traceback.format_exc()}")
        return FAILED


def run_here(chosen: list[str], names: list[str]) -> tuple[Cells, Versions]:
    """Run suites in this process, and print a line for each case.

    Args:
        chosen: names of suites.
        names: names of games.
    """
    cells: Cells = {}
    for case in every_case(names):
        row, line = cells.setdefault(case.name, {}), f"{case.name}:"
        for name in chosen:
            began = time.perf_counter()
            row[name] = outcome(SUITES[name], case)
            line += f" {name} {row[name]} {time.perf_counter() - began:.1f}s"
        print(line, flush=True)  # A line at a time, because other interpreters print in between.
    return cells, {name: SUITES[name].versions for name in chosen}


RUN_SUITES = """
import json, os, sys
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
from mancala_envs.compliance.table import run_here
found = json.dumps(run_here(*json.loads(sys.argv[2])))
with open(sys.argv[1], "w") as report:
    report.write(found)
"""
"""A program that calls `run_here` and writes the results to a file."""


def run_in(python: str, chosen: list[str], names: list[str]) -> tuple[Cells, Versions]:
    """Run suites in another Python interpreter.

    Args:
        python: path of the interpreter.
        chosen: names of suites.
        names: names of games.

    Raises:
        RuntimeError: if it ends without results.
    """
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [python, "-c", RUN_SUITES, str(report), json.dumps([chosen, names])]
        status = subprocess.run(command, check=False).returncode
        if not report.exists():
            raise RuntimeError(f"{python} ended without results, with status {status}")
        cells, versions = json.loads(report.read_text())
    return cells, versions


def run(names: list[str], chosen: list[str], pythons: Mapping[str, str]) -> tuple[Cells, Versions]:
    """Run suites, each in the interpreter for its virtual environment, or otherwise in this process; all at once.

    Args:
        names: names of games.
        chosen: names of suites.
        pythons: paths of interpreters by virtual environment.
    """
    of_environment = {
        environment: [name for name in chosen if SUITES[name].environment == environment] for environment in pythons
    }
    with ThreadPoolExecutor() as pool:
        others = [
            pool.submit(run_in, pythons[which], suites, names) for which, suites in of_environment.items() if suites
        ]
        cells, versions = run_here([name for name in chosen if SUITES[name].environment not in pythons], names)
    for other in others:
        more, their_versions = other.result()
        versions |= their_versions
        for game, row in more.items():
            cells[game] |= row
    return cells, versions


def all_passed(cells: Cells) -> bool:
    """Return whether every suite passed or did not apply, for every game."""
    return {result for row in cells.values() for result in row.values()} <= {PASSED, NOTHING}


def table(cells: Cells, versions: Versions) -> str:
    """Return a text table with a row for each game, and below it the suites with the versions of their libraries."""
    shown = [name for name in SUITES if name in versions]
    widths = {name: max(len(name), len(MISSING)) + 1 for name in shown}
    first = max(map(len, cells)) + 1
    lines = ["".join([" " * first, *(name.rjust(widths[name]) for name in shown)])]
    for game, row in cells.items():
        lines.append("".join([game.ljust(first), *(row[name].rjust(widths[name]) for name in shown)]))
    lines += [""]
    for name in shown:
        found = ", ".join(f"{library} {version or 'not installed'}" for library, version in versions[name].items())
        lines.append(f"{name:{max(map(len, shown))}}  {SUITES[name].about} ({found})")
    return "\n".join(lines)
