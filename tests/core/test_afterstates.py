"""`Game.afterstates`: what every legal action leads to, compared with copies that are played one by one."""

import numpy as np
import pytest
from books import lucky, picking
from helpers.forms import PlainGame, slowly

from mancala_envs import Game, make_game

KALAH = make_game("kalah")
LUCKY = Game(lucky.RULE_BOOK, "lucky", False, {})
PICKING = Game(picking.RULE_BOOK, "picking", False, {})
CEEL = make_game("ceelkoqyuqkoqiji", first="throw")
CAMPAIGN = make_game("qelat", campaign=True, columns=2, round_reward=0.5)


def in_play(game, n, decisions):
    """Return states (n,) after random decisions, the first of them over."""
    states = game.init(n, 3)
    game.play_random(states, decisions, 4)
    while states.to_move[0] >= 0:
        game.step(states[:1], game.sample(states[:1], 1))
    return states


def one_by_one(game, states, draws, seed):
    """Play every action in copies, and return the arrays with an axis of draws, and the legal actions."""
    movers = np.maximum(states.to_move, 0)
    copies = game.copies(states, draws, seed, movers)
    shape = (len(states), game.num_actions, draws)
    observations = np.zeros((*shape, len(game.observation_fields)), game.observation_dtype)
    rewards, ended, same = np.zeros(shape), np.zeros(shape, bool), np.zeros(shape, bool)
    for i, action in zip(*np.nonzero(game.legal(states)), strict=True):
        for k in range(draws):
            played = copies[i * draws + k : i * draws + k + 1].copy()
            rewards[i, action, k] = game.step(played, [action])[0, movers[i]]
            observations[i, action, k] = game.observe(played, movers[i])[0]
            ended[i, action, k] = played.to_move[0] < 0
            same[i, action, k] = played.to_move[0] == movers[i]
    return observations, rewards, ended, same, game.legal(states)


@pytest.mark.parametrize(
    ("game", "decisions"),
    [(KALAH, 25), (LUCKY, 1), (PICKING, 8), *slowly((CEEL, 1), (CAMPAIGN, 60))],
    ids=lambda x: str(x),
)
def test_afterstates_are_what_a_step_in_a_copy_leads_to(game, decisions):
    states = in_play(game, 30, decisions)
    before = states.tobytes()
    found, expected = game.afterstates(states, 3, seed=5), one_by_one(game, states, 3, 5)
    assert found.observations.dtype == game.observation_dtype and found.rewards.dtype == np.float32
    for name, array, played in zip(found._fields, found, expected, strict=True):
        np.testing.assert_allclose(array, played, err_msg=name, rtol=1e-6)
    assert states.tobytes() == before
    single, expected = game.afterstates(states, seed=5), one_by_one(game, states, 1, 5)
    for array, played in zip(single[:-1], expected[:-1], strict=True):
        np.testing.assert_allclose(array, played[:, :, 0], rtol=1e-6)


def test_the_positions_of_the_test_end_and_go_on():
    for game, decisions in ((KALAH, 25), (LUCKY, 1), (PICKING, 8)):
        found = game.afterstates(in_play(game, 30, decisions))
        assert found.ended.any() and (found.rewards != 0).any()
    assert KALAH.afterstates(KALAH.init(1, 0)).same_player[0].tolist() == [False, False, True, False, False, False]
    assert PICKING.afterstates(PICKING.init(1, 0)).observations[0, :, 0].tolist() == [3, 3]


def test_chance_and_hidden_information_are_drawn_anew():
    states = LUCKY.init(1, 0)
    found = LUCKY.afterstates(states, draws=60, seed=1)
    assert len(np.unique(found.observations[0, lucky.LUCKY], axis=0)) == lucky.SIDES
    assert len(np.unique(found.observations[0, lucky.SURE], axis=0)) == 1
    again, other = LUCKY.afterstates(states, 60, seed=1), LUCKY.afterstates(states, 60, seed=2)
    assert (again.observations == found.observations).all() and (other.observations != found.observations).any()
    # The result of player 1's throw depends on the fingers of player 0, which player 1 does not know.
    game = PlainGame("ceelkoqyuqkoqiji", first="throw")
    thrown = game.init(1, 1)
    action = np.flatnonzero(game.legal(thrown)[0])[:1]
    game.step(thrown, action)
    assert thrown.to_move[0] == 1
    seen = game.afterstates(thrown, draws=30, seed=3)
    assert len(np.unique(seen.observations[0, action[0]], axis=0)) > 1


def test_a_seed_for_each_state_makes_its_outcomes_independent_of_the_batch():
    states, seeds = LUCKY.init(5, 0), np.arange(5, dtype=np.uint64) + np.uint64(7)
    every = LUCKY.afterstates(states, 4, seeds)
    for i in range(5):
        alone = LUCKY.afterstates(states[i], 4, int(seeds[i]))
        assert (every.observations[i] == alone.observations[0]).all()


def test_bad_arguments_are_refused():
    states = LUCKY.init(2, 0)
    for draws in (0, -1, 1.0, True, "2"):
        with pytest.raises(ValueError, match="draws must be an integer of at least 1"):
            LUCKY.afterstates(states, draws)
    with pytest.raises(ValueError, match=r"seeds must be integers .* of shape \(2,\)"):
        LUCKY.afterstates(states, seed=np.arange(3))
    with pytest.raises(ValueError, match="seed must be None or an integer"):
        LUCKY.afterstates(states, seed=-1)
    with pytest.raises(TypeError, match="states must be an array"):
        LUCKY.afterstates([1])
    assert LUCKY.afterstates(states[:0]).observations.shape == (0, 2, len(LUCKY.observation_fields))
