"""Sessions, and servers of the browser board, for tests of play."""

import os
import re
import signal
import subprocess
from contextlib import contextmanager

from helpers.programs import command
from mancala_envs.play.session import Session
from mancala_envs.registry import make_game

CAPTURE = {"holes": [1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 9, 1], "to_move": 0}
"""A position of Kalah in which hole 0 captures the nine seeds opposite."""


def make_session(name="kalah", people=None, opponent="random", seed=1, position=None, **options):
    """Begin a session; `people` are those of every seat by default."""
    game = make_game(name, **options)
    start = game.init(1, seed) if position is None else game.load(seed, **position)
    return Session(game, start, range(game.num_deciding) if people is None else people, opponent, seed)


class UniformPolicy:
    """A saved model that finds all legal actions equally good."""

    def __init__(self, deterministic):
        self.deterministic = deterministic

    def require_fit(self, game):
        pass

    def judges_for(self, game):
        return {}

    def observe(self, game, states, seeds, judges):
        return game.observe(states)

    def probabilities(self, observations, masks):
        return masks / masks.sum(1, keepdims=True)


@contextmanager
def served(*arguments, **environment):
    """Run the browser board; yield its process and its port. Then check that it printed no error."""
    board = command("scripts/board.py", *arguments, "--port", 0)
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(board, env={**os.environ, **environment}, **output) as process:
        try:
            yield process, int(re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline())[1])
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
            assert [line for line in errors.splitlines() if "is compiling" not in line] == []
        finally:
            process.kill()
