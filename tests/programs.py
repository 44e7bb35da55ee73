"""Programs of the repository in processes of their own."""

import sys
from pathlib import Path

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
