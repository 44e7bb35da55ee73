"""Batches split over threads play the same games, byte for byte."""

import sys

import numpy as np
import pytest
from helpers.programs import stdout_of

from mancala_envs import make_game
from mancala_envs.core import shards
from mancala_envs.core.engine import IllegalAction
from mancala_envs.envs.vector import MancalaVectorEnv


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(shards, "FEWEST_GAMES", 1)


THREADS = 3
N = 50
"""Not a multiple of THREADS, so that shards differ in size."""


@pytest.mark.parametrize("name", ["kalah", "qelat"])
def test_step_and_sample_do_not_depend_on_threads(name):
    game = make_game(name)
    one, several = game.init(N, 5), game.init(N, 5)
    ends = 0
    for step in range(150):
        actions = game.sample(one, step)
        assert (game.sample(several, step, threads=THREADS) == actions).all()
        final, others_final = one.copy(), one.copy()
        rewards = game.step(one, actions, autoreset=True, final=final)
        others_rewards = game.step(several, actions, autoreset=True, final=others_final, threads=THREADS)
        assert (rewards == others_rewards).all()
        assert one.tobytes() == several.tobytes() and final.tobytes() == others_final.tobytes()
        ends += (one.ended > 0).sum()
    assert ends > 0


def test_the_first_illegal_action_is_reported_and_nothing_changes():
    game = make_game("kalah")
    states = game.init(N, 5)
    before = states.tobytes()
    actions = game.sample(states, 0)
    actions[[20, 45]] = 6
    with pytest.raises(IllegalAction) as error:
        game.step(states, actions, threads=THREADS)
    assert error.value.index == 20 and states.tobytes() == before


def test_small_batches_are_not_split(monkeypatch):
    monkeypatch.setattr(shards, "FEWEST_GAMES", 10)
    assert shards.in_shards(2, 9, lambda part: part) == [slice(0, 9)]
    assert shards.in_shards(2, 10, lambda part: part) == [slice(0, 5), slice(5, 10)]


def test_there_can_be_more_threads_than_games():
    game = make_game("kalah")
    states = game.init(2, 5)
    actions = game.sample(states, 0, threads=5)
    game.step(states, actions, threads=5)
    assert (states.turn + (states.to_move == 0) > 0).all()


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_wrong_numbers_of_threads_are_refused(threads):
    game = make_game("kalah")
    with pytest.raises(ValueError, match="threads must be an integer of at least 1"):
        game.sample(game.init(1, 0), 0, threads=threads)
    with pytest.raises(ValueError, match="threads must be an integer of at least 1"):
        MancalaVectorEnv("kalah", 2, threads=threads)


def test_the_vector_environment_does_not_depend_on_threads():
    arguments = {"opponent": "greedy", "autoreset_mode": "SameStep", "illegal": "random"}
    one, several = MancalaVectorEnv("kalah", N, **arguments), MancalaVectorEnv("kalah", N, threads=THREADS, **arguments)
    one.reset(seed=1), several.reset(seed=1)
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(60):
        actions = rng.integers(6, size=N)
        ours, theirs = one.step(actions), several.step(actions)
        for mine, other in zip(ours[:4], theirs[:4], strict=True):
            assert (mine == other).all()
        assert (ours[4]["action_mask"] == theirs[4]["action_mask"]).all()
        assert one.states.tobytes() == several.states.tobytes()
        ends += ours[2].sum()
    assert ends > 0


FORKED = """
import os, signal, warnings
from mancala_envs import make_game
from mancala_envs.core import shards

warnings.simplefilter("ignore")  # Python warns of forks beside threads.
shards.FEWEST_GAMES = 1
game = make_game("kalah")
states = game.init(50, 5)
actions = game.sample(states, 0, threads=3).tolist()
child = os.fork()
if child == 0:
    signal.alarm(60)
    os._exit(game.sample(states, 0, threads=3).tolist() != actions)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_process_makes_its_own_threads():
    # This runs in a new process, because a process with other threads, as pytest's may be, must not be forked.
    stdout_of(FORKED)
