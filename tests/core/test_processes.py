"""Games played in forked and in spawned processes are those played here, byte for byte."""

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
def test_other_processes_play_the_same_bytes():
    # In a process of its own: one that has threads, as pytest's may, must not be forked.
    stdout_of(COMPARE)
