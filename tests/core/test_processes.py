"""Games played in forked and in spawned processes are those played here, byte for byte."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mancala_envs

COMPARE = """
import multiprocessing
from test_plain_python import play

games = [("qelat", True, {}), ("pancha_keliya", False, {})]
here = [play(*game) for game in games]
for method in ("fork", "spawn"):
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.starmap(play, games) == here, method
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_other_processes_play_the_same_bytes():
    # In a process of its own: one that has threads, as pytest's may, must not be forked.
    paths = [str(Path(mancala_envs.__file__).parents[1]), str(Path(__file__).parent)]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", COMPARE],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
