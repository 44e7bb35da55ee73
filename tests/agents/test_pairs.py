"""Pairs of holes as inputs of value networks."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.forms import some_states
from helpers.networks import expected_values, random_network

from mancala_envs import make_game
from mancala_envs.agents import Agent, load_network
from mancala_envs.agents.network import evaluate
from mancala_envs.agents.pairs import HolePairs, hole_pairs, holes_of

KALAH, QELAT = make_game("kalah"), make_game("qelat", columns=2)


def pairs_of(game):
    return hole_pairs(game, game.observe(some_states(game, 500, 12)))


def test_a_code_names_what_two_holes_hold():
    # Three holes with one column each; two seeds or more count as two, and one or none are the same.
    pairs = HolePairs(((0,), (1,), (3,)), (2,), (0, 0, 1))
    found = pairs.codes(np.array([[5, 1, 9, 2], [0, 2, 9, 0]]))
    # The pairs (0, 1), (0, 2) and (1, 2) of levels [1, 0, 1] and [0, 1, 0].
    assert found.tolist() == [[2, 3, 1], [1, 0, 2]] and len(pairs) == 3


def test_the_columns_of_a_hole_are_its_seeds_its_owner_and_what_else_is_known_of_it():
    names = [column.name for column in QELAT.observation_fields]
    assert [[names[column] for column in hole] for hole in holes_of(QELAT)] == [
        [f"{side}_hole[{k % 2}]", f"own[{k}]", f"child[{k}]"] for k, side in enumerate(["own"] * 2 + ["other"] * 2)
    ]
    for name, shape in (("ceelkoqyuqkoqiji", (10, 4)), ("hus", (32, 1)), ("dam", (0, 1))):
        assert holes_of(make_game(name)).shape == shape
    assert pairs_of(make_game("hus")) is None and pairs_of(make_game("dam")) is None


def test_frequent_combinations_have_a_level_of_their_own():
    assert pairs_of(KALAH).levels == tuple(np.argsort(np.argsort(-counts_of_kalah(), kind="stable")))
    seen = QELAT.observe(some_states(QELAT, 500, 12))
    pairs = hole_pairs(QELAT, seen)
    assert pairs.number == 12 and pairs.highest == (8, 1, 3)
    rare = [level for level in pairs.levels if level == 11]
    assert len(rare) == 9 * 2 * 4 - 11


def counts_of_kalah():
    """Return how often a hole holds 0 to 7 seeds, or more."""
    return np.bincount(np.minimum(KALAH.observe(some_states(KALAH, 500, 12))[:, :12], 8).ravel(), minlength=9)


@pytest.mark.parametrize("game", [KALAH, QELAT])
def test_compiled_values_are_those_of_numpy(game):
    states, pairs = some_states(game, 50, 12), pairs_of(game)
    network = random_network(game, pairs=pairs)
    expected = expected_values(game, states, network)
    np.testing.assert_array_equal(evaluate(game, states, network), expected)
    columns = len(game.observation_fields)
    without = replace(network, pairs=None, tables=network.tables[: -len(pairs) * pairs.number**2])
    assert (evaluate(game, states, without) != expected).any()
    np.testing.assert_array_equal(evaluate(game, states, without.with_pairs(pairs)), evaluate(game, states, without))
    assert max(column for hole in pairs.columns for column in hole) < columns


def test_a_network_with_pairs_is_the_same_after_saving_and_loading(tmp_path):
    network = random_network(KALAH, pairs=pairs_of(KALAH))
    network.save(tmp_path / "kalah.network")
    loaded = load_network(tmp_path / "kalah.network")
    assert loaded.pairs == network.pairs and (loaded.tables == network.tables).all()
    states = some_states(KALAH, 20, 8)
    chosen = [Agent(KALAH, "minimax:2", network=each).act(states, 0) for each in (network, loaded)]
    np.testing.assert_array_equal(*chosen)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"columns": ((0,), (1, 2))}, "as many for each hole"),
        ({"columns": ((0,), (-1,))}, "must be numbers"),
        ({"levels": (0, 1.5, 1)}, "must be numbers"),
        ({"levels": (0, 1)}, "each combination needs a level"),
        ({"levels": (0, 1, 256)}, "each combination needs a level below 256"),
    ],
)
def test_wrong_pairs_are_refused(changed, message):
    right = {"columns": ((0,), (1,)), "highest": (2,), "levels": (0, 1, 1)}
    with pytest.raises(ValueError, match=message):
        HolePairs(**(right | changed))


def test_pairs_of_columns_that_a_game_lacks_are_refused():
    pairs = HolePairs(((0,), (17,)), (1,), (0, 1))
    with pytest.raises(ValueError, match="trained for other rules or observations"):
        evaluate(KALAH, KALAH.init(1, 0), random_network(KALAH, pairs=pairs))
