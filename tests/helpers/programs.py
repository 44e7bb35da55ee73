"""Programs of the repository in processes of their own."""

import importlib.util
import math
import os
import subprocess
import sys
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
"""Who was himself started in the background has children that are deaf to Ctrl-C, unless they listen anew."""


def command(program, *arguments):
    """What runs `program`, a path below the repository, and hears SIGINT."""
    return [sys.executable, "-u", "-c", START, str(ROOT / program), *map(str, arguments)]


def stdout_of(program, *arguments, **environment):
    """Run Python source in its own process, where it can import these helpers and warnings are errors."""
    paths = [str(Path(mancala_envs.__file__).parents[1]), str(ROOT / "tests")]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def logged(folder):
    """What TensorBoard draws of the runs in a folder: steps and values, by the names of curves."""
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    curves = {}
    for run in folder.iterdir():
        events = accumulator.EventAccumulator(str(run))
        events.Reload()
        for name in events.Tags()["scalars"]:
            curves.setdefault(name, []).extend((event.step, event.value) for event in events.Scalars(name))
    return curves


def assert_drawn(folder, names):
    """The curves of these names go on, and are of numbers."""
    curves = logged(folder)
    assert names <= curves.keys()
    for name in names:
        steps, values = zip(*curves[name], strict=True)
        assert len(steps) > 1 and list(steps) == sorted(set(steps)), name
        assert all(map(math.isfinite, values)), name


def interpreter(name, library):
    """MANCALA_RLLIB_PYTHON or its like, else that of `make .venv/rllib/.ready`, else ours if it has the library."""
    own = ROOT / ".venv" / name / "bin" / "python"
    if given := os.environ.get(f"MANCALA_{name.upper()}_PYTHON"):
        return given
    if own.is_file():
        return str(own)
    if importlib.util.find_spec(library):
        return sys.executable
    pytest.skip(f"there is no {library}; `make .venv/{name}/.ready` installs it")
