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
    # The campaign has passed the end of a round.
    assert compiled[-1][1] > 1


SEARCHES = """
import numpy as np
from mancala_envs import make_game
from mancala_envs.agents import Puct, Agent
from mancala_envs.agents.solve import solve, solve_by_graph
from mancala_envs.agents.solve.database import compute_database

kalah = make_game("kalah")
states = kalah.init(3, 1)
for name in ("greedy", "minimax:2", "mcts:30"):
    print(Agent(kalah, name).act(states, 1), Agent(kalah, name).analyse(states[0], 1))
search = Puct(kalah, 3, 10)
search.run(states, lambda leaves: (np.ones((len(leaves), 6)), leaves["store"] / 48), 1)
print(search.visits())
late = kalah.load(holes=[0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 1], store=[22, 21])
few = compute_database(kalah, 2, lambda done: None)
print(solve(kalah, late, memory=1, database=few).by_action, solve_by_graph(kalah, late).by_action)
"""


def test_plain_python_searches_identically():
    """A field of a record must not have the name of a NumPy attribute, such as `sum`."""
    assert stdout_of(SEARCHES, NUMBA_DISABLE_JIT="1") == stdout_of(SEARCHES)
