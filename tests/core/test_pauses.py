"""Long computations can be watched and stopped, and pauses change no result."""

import signal
import threading
import time

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.core import engine
from mancala_envs.core.pauses import Pace, watched

KALAH = make_game("kalah")

MANY = KALAH.init(500_000, 0)

ENDLESS = {
    "rollout": lambda: KALAH.rollout(KALAH.init(3, 0), 10**11, seed=1),
    "playouts": lambda: KALAH.playout(MANY, seed=1, agent="greedy"),
}
"""Computations that take much longer than a test."""


class Stopped(Exception):
    """What a test's `watch` raises."""


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """Compile before anything is timed."""
    KALAH.rollout(KALAH.init(3, 0), 1, seed=1)
    KALAH.playout(KALAH.init(1, 0), seed=1, agent="greedy")


@pytest.fixture
def ctrl_c():
    """Interrupt the main thread half a second from now."""
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ENDLESS)
def test_keyboard_interrupt_ends_it_within_a_second(name, ctrl_c):
    begun = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        ENDLESS[name]()
    assert time.perf_counter() - begun < 1.5


@pytest.mark.parametrize("name", ENDLESS)
def test_another_thread_stops_it_and_sees_how_far_it_is(name):
    stopped, seen = threading.Event(), []

    def watch(done, total, unit):
        seen.append((done, total, unit))
        if stopped.is_set():
            raise Stopped

    threading.Timer(0.3, stopped.set).start()
    begun = time.perf_counter()
    with pytest.raises(Stopped), watched(watch):
        ENDLESS[name]()
    assert time.perf_counter() - begun < 1.3
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert {unit for _, _, unit in seen} == {"decisions"}
    KALAH.rollout(KALAH.init(3, 0), 1000, seed=1)
    assert seen[-1][0] == max(done for done, _, _ in seen), "nothing is watched outside the block"


@pytest.fixture(params=[1, 7])
def slices(request, monkeypatch):
    """Make every slice as small as this."""
    begin, pause = Pace.__init__, Pace.pause

    def small(self, *args, **settings):
        begin(self, *args, **settings)
        self.size = request.param

    def paused(self, work):
        pause(self, work)
        self.size = request.param

    def apply():
        monkeypatch.setattr(Pace, "__init__", small)
        monkeypatch.setattr(Pace, "pause", paused)

    return apply


@pytest.mark.parametrize("name", ["kalah", "oware"])
def test_rollouts_do_not_depend_on_slices(name, slices):
    game = make_game(name)
    one, other = game.init(70, 1), game.init(70, 1)
    ended = game.rollout(one, 200, seed=5)
    slices()
    assert game.rollout(other, 200, seed=5) == ended > 0
    assert one.tobytes() == other.tobytes()


def test_rollouts_of_many_games_are_those_of_each(monkeypatch):
    one, other = KALAH.init(70, 1), KALAH.init(70, 1)
    KALAH.rollout(one, 20, seed=5)
    monkeypatch.setattr(engine, "ROLLOUT", 32)
    KALAH.rollout(other, 20, seed=5)
    assert one.tobytes() == other.tobytes()


def test_playouts_do_not_depend_on_slices(slices):
    found = KALAH.playout(KALAH.init(9, 1), seed=2)
    slices()
    np.testing.assert_array_equal(KALAH.playout(KALAH.init(9, 1), seed=2), found)


@pytest.mark.parametrize("decisions", [-1, 2**63, 10**30, 1.5, True])
def test_a_rollout_names_the_decisions_that_are_allowed(decisions):
    with pytest.raises(ValueError, match="decisions must be an integer from 0 to 9223372036854775807, got"):
        KALAH.rollout(KALAH.init(1, 0), decisions)
