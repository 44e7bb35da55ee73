"""Forked and spawned processes play the same games as this one, byte for byte."""

import sys

import pytest
from helpers.programs import stdout_of

COMPARE = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from helpers.digests import play_digests

games = [("qelat", True, {}), ("pancha_keliya", False, {})]
here = [play_digests(*game) for game in games]
for method in ("fork", "spawn"):
    with ProcessPoolExecutor(1, get_context(method)) as pool:
        assert list(pool.map(play_digests, *zip(*games))) == here, method
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_forked_and_spawned_processes_play_the_same_games():
    # This runs in a new process, because a process with threads, as pytest's may be, must not be forked.
    stdout_of(COMPARE)
