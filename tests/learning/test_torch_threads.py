"""The choice of PyTorch's number of threads, with a clock that work moves on."""

import pytest

pytest.importorskip("torch")

import torch

from mancala_envs.learning import threads


@pytest.fixture
def cores(monkeypatch):
    """Let there be four cores, and restore the number of threads."""
    before = torch.get_num_threads()
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda process: set(range(4)), raising=False)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("takes", "chosen"),
    [
        ({1: 1.0, 2: 0.6, 4: 0.4}, 4),
        ({1: 1.0, 2: 0.6, 4: 0.58}, 2),  # not worth two more cores
        ({1: 1.0, 2: 0.95, 4: 0.93}, 1),
        ({1: 1.0, 2: 7.0, 4: 13.0}, 1),  # on busy cores
    ],
)
def test_the_fastest_number_is_chosen_and_set(cores, monkeypatch, takes, chosen):
    now, used = [0.0], set()

    def work():
        used.add(torch.get_num_threads())
        now[0] += takes[torch.get_num_threads()]

    monkeypatch.setattr(threads.time, "monotonic", lambda: now[0])
    assert threads.choose_threads(work, seconds=20) == chosen == torch.get_num_threads()
    assert used == {1, 2, 4}
