"""`NUMBA_DISABLE_JIT=1` runs the same rules as ordinary Python: same seeds, actions and bytes of the states."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mancala_envs
from mancala_envs import make_game
from mancala_envs.registry import REGISTRY

GAMES = [(name, False, {}) for name in REGISTRY] + [("qelat", True, {"columns": 4})]


def play(name, campaign, options, n=2, decisions=60):
    """A digest of everything that a number of random decisions shows."""
    game = make_game(name, campaign=campaign, **options)
    states = game.init(n, seed=21)
    digests = []
    for decision in range(decisions if not campaign else 3 * decisions):
        actions = game.sample(states, seed=decision)
        seen = [game.legal(states), game.legal_bits(states), game.observe(states, 1), actions]
        rewards = game.step(states, actions, autoreset=True)
        shown = b"".join(np_array.tobytes() for np_array in (*seen, rewards, states))
        digests.append(hashlib.sha256(shown).hexdigest()[:16])
    return digests, int(states["round_number"].max())


def play_all():
    return [play(*game) for game in GAMES]


@pytest.mark.slow
def test_plain_python_plays_identically():
    package = str(Path(mancala_envs.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import test_plain_python as t, json; print(json.dumps(t.play_all()))"],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join([package, str(Path(__file__).parent)]),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    plain, compiled = json.loads(done.stdout), json.loads(json.dumps(play_all()))
    for game, one, other in zip(GAMES, plain, compiled, strict=True):
        assert one == other, game
    # The campaign got past the settlement of a round.
    assert compiled[-1][1] > 1
