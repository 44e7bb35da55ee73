"""Games played abreast are the games that are played one by one, byte for byte."""

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.core import kernels, lanes

KALAH = [
    ("kalah", {}),
    ("kalah", {"columns": 4, "seeds": 6, "max_turns": 7, "reward": "margin"}),
    ("kalah", {"columns": 5, "seeds": 1}),
]
OWARE = [
    ("oware", {"max_turns": 50}),
    ("oware", {"max_turns": 50, "seeds": 10}),
    ("oware", {"columns": 4, "seeds": 6, "max_turns": 7, "reward": "margin"}),
    ("oware", {"columns": 5, "max_turns": 50, "seeds": 1}),
]
GAMES = KALAH + OWARE
BATCHES = (1, lanes.LANES - 1, 2 * lanes.LANES + 5)


def loops(game, module):
    return [game.bind(loop) for loop in (module.sample_loop, module.step_loop, module.rollout_loop)]


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
@pytest.mark.parametrize("autoreset", [False, True])
def test_abreast_is_one_by_one(name, options, batch, autoreset):
    game = make_game(name, **options)
    assert game.book.abreast(game.options)
    (sample, step, _), (sample_one, step_one, _) = loops(game, lanes), loops(game, kernels)
    one, other = (game.records(game.init(batch, 3)) for _ in range(2))
    final, final_one = one.copy(), one.copy()
    ends, seeds = 0, np.uint64(0)
    for _ in range(120):
        seeds += np.uint64(1)
        actions, actions_one = np.full(batch, 77), np.full(batch, 77)
        sample(one, seeds, 5, actions)
        sample_one(other, seeds, 5, actions_one)
        assert actions.tolist() == actions_one.tolist()
        rewards, rewards_one = np.zeros((2, batch, 2), np.float32)
        step(one, actions, rewards, autoreset, final)
        step_one(other, actions, rewards_one, autoreset, final_one)
        assert one.tobytes() == other.tobytes() and final.tobytes() == final_one.tobytes()
        assert (rewards == rewards_one).all()
        ends += (one["ended"] > 0).sum()
    assert ends > 0


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("name", "options"), KALAH, ids=str)
def test_rollouts_abreast_are_those_one_by_one(name, options, batch):
    game = make_game(name, **options)
    (*_, rollout), (*_, rollout_one) = loops(game, lanes), loops(game, kernels)
    one, other = (game.records(game.init(batch, 3)) for _ in range(2))
    for decisions in (0, 1, 150):
        assert rollout(one, np.uint64(9), decisions) == rollout_one(other, np.uint64(9), decisions)
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("name", "options"), GAMES, ids=str)
def test_what_is_seen_abreast_is_what_one_sees(name, options, batch):
    game = make_game(name, **options)
    look, look_one = game.bind(lanes.observe_loop), game.bind(kernels.observe_loop)
    states = game.init(batch, 3)
    over = 0
    for step in range(60):
        game.step(states, game.sample(states, step))
        for players in (np.empty(0, np.int64), np.zeros(batch, np.int64), np.arange(batch) % 2):
            one, other = np.zeros((2, batch, len(game.observation_fields)), np.uint8)
            look(game.records(states), players, one)
            look_one(game.records(states), players, other)
            assert (one == other).all()
        over += (states.to_move < 0).sum()
    assert batch == 1 or 0 < over < 60 * batch


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, {"columns": columns}) for name in ("kalah", "oware") for columns in (3, 7)]
    + [("kalah", {"seeds": 6}), ("oware", {"seeds": 11})],
    ids=str,
)
def test_boards_too_short_or_too_full_are_played_one_by_one(name, options):
    game = make_game(name, **options)
    assert not game.book.abreast(game.options)
