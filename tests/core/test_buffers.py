"""Arrays of any layout: a `final` or states that cannot be written are refused before anything is played."""

import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mancala_envs import make_game


@pytest.fixture
def game():
    game = make_game("kalah", seeds=1)
    game.step(game.init(4, 1), [0, 0, 0, 0], autoreset=True, final=game.init(4, 1))  # kernels are called at once now
    return game


def read_only(states):
    """Return the same bytes in an immutable buffer."""
    return np.frombuffer(states.tobytes(), states.dtype)


@pytest.mark.parametrize("draws", [None, [[]] * 4])
def test_a_read_only_final_is_refused_and_nothing_is_played(game, draws):
    states, final = game.init(4, 1), read_only(game.init(4, 2))
    before, kept = states.tobytes(), final.tobytes()
    for _ in range(3):
        with pytest.raises(ValueError, match="final must not be read-only"):
            game.step(states, [0, 0, 0, 0], autoreset=True, final=final, draws=draws)
    assert (states.tobytes(), final.tobytes()) == (before, kept)


@pytest.mark.parametrize(
    ("states", "final"),
    [
        (slice(0, 4), slice(0, 4)),
        (slice(0, 4), slice(3, 7)),
        (slice(0, 8, 2), slice(2, 6)),
        (slice(7, 3, -1), slice(4, 8)),
    ],
)
@pytest.mark.parametrize("draws", [None, [[]] * 4])
def test_a_final_that_overlaps_the_states_is_refused_and_nothing_is_played(game, states, final, draws):
    room = game.init(8, 1)
    before = room.tobytes()
    with pytest.raises(ValueError, match="final must not share memory with states"):
        game.step(room[states], [0, 0, 0, 0], autoreset=True, final=room[final], draws=draws)
    assert room.tobytes() == before


def test_a_final_next_to_the_states_in_memory_is_written(game):
    room = game.init(8, 1)
    beside, before = room[4:], room[4:].tobytes()
    while beside.tobytes() == before:
        game.step(room[:4], game.sample(room[:4], 1), autoreset=True, final=beside)
    assert beside["ended"].any()


@pytest.mark.parametrize("draws", [None, [[]] * 4])
@pytest.mark.parametrize("spaced", [False, True])
def test_read_only_states_are_refused_and_final_is_not_written(game, spaced, draws):
    room = np.repeat(game.init(4, 1), 2)
    states = room[::2] if spaced else room[:4].copy()
    states.setflags(write=False)
    final = game.init(4, 2)
    kept = final.tobytes()
    with pytest.raises(ValueError, match="states must not be read-only"):
        game.step(states, [0, 0, 0, 0], final=final, draws=draws)
    with pytest.raises(ValueError, match="states must not be read-only"):
        game.play_random(states, 3)
    assert final.tobytes() == kept


def test_random_play_changes_each_of_the_given_games_and_no_others(game):
    room = game.init(8, 1)
    spaced, together, before = room[::2], room[::2].copy(), room.copy()
    for states in (spaced, together):
        game.play_random(states, 3, seed=1)
    assert np.array_equal(room != before, [True, False] * 4)
    assert spaced.tobytes() == together.tobytes()


# From version 2.5 on, NumPy warns about these assignments.
@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype) on a NumPy array has been deprecated:DeprecationWarning")
def test_a_batch_given_another_shape_or_dtype_after_a_step_is_refused(game):
    states = game.init(4, 1)
    game.legal(states)
    states.shape = (2, 2)
    with pytest.raises(ValueError, match=r"states must have shape \(n,\)"):
        game.legal(states)
    states = np.asarray(game.init(4, 1))
    game.legal(states)
    states.dtype = np.uint8
    with pytest.raises(ValueError, match="states must have the dtype"):
        game.legal(states)


def test_states_that_are_dropped_are_freed(game):
    states = game.init(4, 1)
    game.legal(states)
    memory = weakref.ref(states.base if states.base is not None else states)
    del states
    assert memory() is None


def test_threads_can_share_a_game(game):
    batches = [game.init(n, n) for n in (50, 51, 52)]
    for states in batches[1:]:
        game.step(states, game.sample(states, 1))
    expected = [game.legal(states) for states in batches]

    def stays_the_same(states, legal):
        return all(
            np.array_equal(game.legal(states), legal) and len(game.observe(states)) == len(states) for _ in range(2000)
        )

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            assert all(pool.map(stays_the_same, batches, expected))
    finally:
        sys.setswitchinterval(interval)


def test_a_batch_can_be_empty(game):
    assert game.step(game.init(4, 1)[:0], np.zeros(0, int)).shape == (0, game.num_players)


def test_init_needs_as_many_seeds_as_indices(game):
    with pytest.raises(ValueError, match="one shape"):
        game.init_each(np.zeros(3, np.uint64), np.zeros(4, np.int64))
    states = game.init_each(np.zeros(3, np.int32), np.arange(3, dtype=np.int8))
    assert states.tobytes() == game.init(3, 0).tobytes()
