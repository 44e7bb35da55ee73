"""Programs of the repository in processes of their own."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

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
