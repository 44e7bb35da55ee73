"""Run programs of the repository, in this process or in separate ones."""

import importlib.util
import math
import os
import subprocess
import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest

import mancala_envs

ROOT = Path(__file__).parents[2]

START = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Restores the handler of SIGINT: processes started from a background job inherit that it is ignored."""


def command(program, *arguments):
    """Return the command that runs `program`, a path in the repository, so that SIGINT interrupts it."""
    return [sys.executable, "-u", "-c", START, str(ROOT / program), *map(str, arguments)]


def run_program(main, *words):
    """Run a program in this process with these arguments, and return what it returns."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(sys, "argv", [main.__module__, *map(str, words)])
        return main()


def refused(main, *words):
    """Run a program that must refuse its arguments, and return its error message."""
    with redirect_stderr(StringIO()) as errors, pytest.raises(SystemExit) as ended:
        run_program(main, *words)
    assert ended.value.code not in (0, None)
    return f"{ended.value.code} {errors.getvalue()}"


def run_python(*words, python=sys.executable, cwd=ROOT, **environment):
    """Run Python with these arguments in its own process, where the package can be imported."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [python, *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=1200)


def stdout_of(program, *arguments, cwd=None, **environment):
    """Run Python source, or a file in `cwd`, in its own process, where it can import these helpers.

    Warnings are errors there. `environment` has additional environment variables.
    """
    paths = os.pathsep.join([str(Path(mancala_envs.__file__).parents[1]), str(ROOT / "tests")])
    source, more = [program] if cwd else ["-c", program], {name: str(value) for name, value in environment.items()}
    done = run_python("-W", "error", *source, *arguments, cwd=cwd, **{"PYTHONPATH": paths, **more})
    assert done.returncode == 0, done.stderr
    return done.stdout


def train(*arguments, **pipes):
    """Start to train in a process."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command("scripts/train.py", *arguments), env=environment, text=True, **pipes)


def until_learning(running):
    """Wait for the first point of the learning curve."""
    while "decisions=" not in os.read(running.stderr.fileno(), 4096).decode(errors="replace"):
        assert running.poll() is None


def logged(folder):
    """Return the TensorBoard curves of the runs in a folder: (step, value) pairs by name."""
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    curves = {}
    for run in folder.iterdir():
        events = accumulator.EventAccumulator(str(run))
        events.Reload()
        for name in events.Tags()["scalars"]:
            curves.setdefault(name, []).extend((event.step, event.value) for event in events.Scalars(name))
    return curves


def assert_drawn(folder, names):
    """Check that these curves exist, have increasing steps and contain only finite values."""
    curves = logged(folder)
    assert names <= curves.keys()
    for name in names:
        steps, values = zip(*curves[name], strict=True)
        assert len(steps) > 1 and list(steps) == sorted(set(steps)), name
        assert all(map(math.isfinite, values)), name


def interpreter(name, library):
    """Return a Python interpreter that has a library, or skip the test.

    The candidates are the one named by a variable such as MANCALA_RLLIB_PYTHON, the environment of a target such as
    `make .venv/rllib/.ready`, and the current interpreter.
    """
    own = ROOT / ".venv" / name / "bin" / "python"
    if given := os.environ.get(f"MANCALA_{name.upper()}_PYTHON"):
        return given
    if own.is_file():
        return str(own)
    if importlib.util.find_spec(library):
        return sys.executable
    pytest.skip(f"there is no {library}; `make .venv/{name}/.ready` installs it")
