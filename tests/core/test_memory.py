"""The size of games in progress, in bytes."""

import sys

import pytest
from helpers.forms import PlainGame
from helpers.programs import stdout_of

from mancala_envs import make_game
from mancala_envs.registry import REGISTRY

# Oware records every position since the last capture, because a repeated position ends the game.
BOUNDED = [name for name in REGISTRY if name != "oware"]


@pytest.mark.parametrize("name", BOUNDED)
def test_a_game_in_progress_is_small(name):
    game = PlainGame(name)
    rows = game.board(game.init(1, 0)).places
    two_rows = len({place.y for place in rows if not place.tray}) == 2
    assert game.dtype.itemsize <= (256 if two_rows else 512)


def test_oware_without_its_history_is_small():
    dtype = make_game("oware").dtype
    assert dtype.fields is not None and dtype.names[-1] == "history"
    assert dtype.fields["history"][1] <= 256


# getrusage would include the peak memory of the process from which this one was forked.
MILLION = """
import re
from pathlib import Path
from mancala_envs import make_game
game = make_game("qelat")
states = game.init(1_000_000, 0)
game.step(states, game.sample(states, 0), autoreset=True)
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_with_a_million_games_takes_less_than_400_mb():
    # The first process may compile, which takes additional memory, so the second one counts.
    for _ in range(2):
        peak = int(stdout_of(MILLION))
    assert peak * 1024 < 400e6
