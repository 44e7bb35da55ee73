"""`NUMBA_DISABLE_JIT=1` runs the same rules as ordinary Python: same seeds, actions and bytes of the states."""

import json

import pytest
from helpers.digests import play_digests
from helpers.programs import stdout_of

from mancala_envs.registry import REGISTRY

GAMES = [(name, False, {}) for name in REGISTRY] + [("qelat", True, {"columns": 4})]
PLAY = """
import json, sys
from helpers.digests import play_digests

print(json.dumps([play_digests(*game) for game in json.loads(sys.argv[1])]))
"""


@pytest.mark.slow
def test_plain_python_plays_identically():
    plain = json.loads(stdout_of(PLAY, json.dumps(GAMES), NUMBA_DISABLE_JIT="1"))
    compiled = [list(play_digests(*game)) for game in GAMES]
    for game, one, other in zip(GAMES, plain, compiled, strict=True):
        assert one == other, game
    # The campaign got past the settlement of a round.
    assert compiled[-1][1] > 1
