"""Forked and spawned processes play the same games as this one, byte for byte."""

import sys

import pytest
from helpers.programs import stdout_of

COMPARE = """
import multiprocessing
from helpers.digests import play_digests

games = [("qelat", True, {}), ("pancha_keliya", False, {})]
here = [play_digests(*game) for game in games]
for method in ("fork", "spawn"):
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.starmap(play_digests, games) == here, method
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_forked_and_spawned_processes_play_the_same_games():
    # This runs in a new process, because a process with threads, as pytest's may be, must not be forked.
    stdout_of(COMPARE)
