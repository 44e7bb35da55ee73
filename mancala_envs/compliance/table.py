"""One table of games and suites: each suite run on each game, in this Python or in another."""

import contextlib
import io
import json
import subprocess
import tempfile
import time
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path

from mancala_envs.compliance.suites import NOTHING, SUITES, Case, Suite, every_case

HELD, FAILED, MISSING = "ok", "FAILED", "missing"

Cells = dict[str, dict[str, str]]
"""By game, then by suite."""
Versions = dict[str, dict[str, str | None]]
"""By suite, then by library."""


def outcome(one: Suite, case: Case) -> str:
    """HELD, FAILED (with the reason printed), MISSING or NOTHING."""
    if None in one.versions.values():
        return MISSING
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return one.run(case) or HELD
    except Exception:
        # Whatever a suite raises is its verdict.
        print(f"\n{said.getvalue()}{traceback.format_exc()}")
        return FAILED


def run_here(chosen: list[str], names: list[str]) -> tuple[Cells, Versions]:
    """Run suites in this Python, a line for each game."""
    cells: Cells = {}
    for case in every_case(names):
        print(f"{case.name}:", end="", flush=True)
        cells[case.name] = {}
        for name in chosen:
            began = time.perf_counter()
            result = cells[case.name][name] = outcome(SUITES[name], case)
            print(f" {name} {result} {time.perf_counter() - began:.1f}s", end="", flush=True)
        print(flush=True)
    return cells, {name: SUITES[name].versions for name in chosen}


THERE = """
import json, os, sys
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
from mancala_envs.compliance.table import run_here
found = json.dumps(run_here(*json.loads(sys.argv[2])))
with open(sys.argv[1], "w") as report:
    report.write(found)
"""
"""A program for another Python: `run_here` there, with its results in a file."""


def run_there(python: str, chosen: list[str], names: list[str]) -> tuple[Cells, Versions]:
    """Run suites in another Python. Raises RuntimeError if it breaks off."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [python, "-c", THERE, str(report), json.dumps([chosen, names])]
        status = subprocess.run(command, check=False).returncode
        if not report.exists():
            raise RuntimeError(f"{python} broke off with status {status}")
        cells, versions = json.loads(report.read_text())
    return cells, versions


def run(names: list[str], chosen: list[str], pythons: Mapping[str, str]) -> tuple[Cells, Versions]:
    """Run suites, each in the Python of its place or in this one."""
    cells, versions = run_here([name for name in chosen if SUITES[name].place not in pythons], names)
    for place, python in pythons.items():
        if there := [name for name in chosen if SUITES[name].place == place]:
            more, their_versions = run_there(python, there, names)
            versions |= their_versions
            for game, row in more.items():
                cells[game] |= row
    return cells, versions


def held(cells: Cells) -> bool:
    """Whether every suite held for every game."""
    return {result for row in cells.values() for result in row.values()} <= {HELD, NOTHING}


def table(cells: Cells, versions: Versions) -> str:
    """Games down, suites across; below, what the suites are, and with which versions they ran."""
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
