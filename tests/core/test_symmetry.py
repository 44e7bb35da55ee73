"""Symmetries of rules: transformed games play and look exactly like the original, for every observing player."""

import numpy as np
import pytest

from mancala_envs import REGISTRY, make_game
from mancala_envs.core.symmetry import symmetry
from mancala_envs.families.mancala.symmetry import mirror
from mancala_envs.wrappers import augment, symmetries

PARKER = ("puhulmutu", "walak_pussa", "kotu_baendum", "daramutu")
SYMMETRIC = [
    *((name, {}) for name in PARKER),
    *((name, {"campaign": True, "max_rounds": 8}) for name in PARKER),
    ("kotu_baendum", {"campaign": True, "max_rounds": 8, "columns": 4}),
    ("puhulmutu", {"reading": "summary", "campaign": True, "max_rounds": 8}),
    ("walak_pussa", {"reading": "summary", "campaign": True, "max_rounds": 8}),
    ("daramutu", {"fours": False, "campaign": True, "max_rounds": 8}),
    ("bao", {"start": "beginners"}),
    ("baokujifunza", {"first_kichwa": "choice", "takasia": "forced"}),
    ("dongjintian", {}),
    ("dongjintian", {"relay_back": True}),
    ("dongjintian", {"rows": 4, "columns": 4}),
    ("zigulzoqge", {}),
    ("zigulzoqge", {"capture": "chain", "onward": "straight"}),
    ("zigulzoqge", {"teams": True, "lift": "team", "leftover": "neutral"}),
    ("nerenchi_keliya", {}),
    ("nerenchi_keliya", {"placing": "nine", "moves": "any", "max_turns": 60}),
    ("niranchy", {}),
    ("diviyan_keliya", {"jumps": "many", "max_turns": 100}),
    ("hat_diviyan_keliya", {"jumps": "many", "start": "apex"}),
]


def play_both(game, symmetry, games=40, decisions=300):
    """Play random games side by side with their images; return how many games ended."""
    states, images = game.init(games, 5), game.init(games, 5)
    ends = 0
    for decision in range(decisions):
        np.testing.assert_array_equal(game.legal(images), symmetry.mask(game.legal(states)))
        for player in range(game.num_players):
            seen = symmetry.observe(game.observe(states, player))
            np.testing.assert_array_equal(game.observe(images, player), seen)
        actions = game.sample(states, decision)
        rewards = game.step(states, actions, autoreset=True)
        np.testing.assert_array_equal(game.step(images, symmetry.actions[actions], autoreset=True), rewards)
        ends += (states["ended"] > 0).sum()
    return ends


@pytest.mark.parametrize(("name", "options"), SYMMETRIC, ids=[f"{n}-{o}" for n, o in SYMMETRIC])
def test_transformed_games_play_like_the_original(name, options):
    game = make_game(name, **options)
    found = symmetries(game)
    assert found
    for image in found:
        ends = play_both(game, image)
        assert ends or name == "dongjintian"


@pytest.mark.parametrize(
    "name", ["kalah", "oware", "togyz_kumalak", "bestemshe", "qelat", "magazeb_ii", "congkak", "pallanguzhi"]
)
def test_games_with_one_direction_of_sowing_have_no_mirror_symmetry(name):
    game = make_game(name)
    with pytest.raises(AssertionError, match="Arrays are not equal"):
        image = symmetry(game.column_kinds, game.action_kinds, mirror(game.options["columns"]))
        play_both(game, image, games=8)


# Symmetries that exchange the players.


UNEQUAL = {
    "ceelkoqyuqkoqiji": "the goats of players 0 and 1, mu and gong, differ in price",
    "zigulzoqge": "actions and observations number the holes of the grid in the same way for all players",
    "kawade_kelia": "the ring is lopsided",
    "diviyan_keliya": "leopards against cattle",
    "hat_diviyan_keliya": "leopards against cattle",
    "koti_keliya": "a leopard against cattle",
}
"""Games in which the players have different positions or rules, and why."""


def seats_exchanged(game, states, seats):
    """Return the starts of the same games with every player moved on by `seats` seats."""
    others = states.copy()
    for field in {"to_move", "opener"} & set(game.dtype.names):
        others[field] = (states[field] + seats) % game.num_players
    return others


def play_in_other_seats(game, seats, games=8):
    """Play random games to the end, side by side with the same actions from another seat.

    In the second games the board is turned and the players are exchanged, so the player to move must have the same
    observation, legal actions and rewards.
    """
    states = game.init(games, 3)
    others = seats_exchanged(game, states, seats)
    decision = 0
    while (states.to_move >= 0).any():
        np.testing.assert_array_equal(game.legal(others), game.legal(states))
        for player in range(game.num_players):
            there = (player + seats) % game.num_players
            np.testing.assert_array_equal(game.observe(others, there), game.observe(states, player))
        actions = game.sample(states, decision)
        rewards = game.step(states, actions)
        np.testing.assert_array_equal(np.roll(game.step(others, actions), -seats, axis=1), rewards)
        decision += 1


@pytest.mark.parametrize("name", [name for name in REGISTRY if name not in UNEQUAL])
def test_games_are_the_same_from_every_seat(name):
    game = make_game(name)
    for seats in range(1, game.num_players):
        play_in_other_seats(game, seats)


@pytest.mark.parametrize("name", UNEQUAL)
def test_unequal_games_differ_between_seats(name):
    with pytest.raises(AssertionError, match="Arrays are not equal"):
        play_in_other_seats(make_game(name), 1)


def test_symmetries_of_every_game_are_tested():
    symmetric = {name for name in REGISTRY if symmetries(make_game(name))}
    only_with_options = {"bao"}
    assert symmetric == {name for name, _ in SYMMETRIC} - only_with_options
    assert not symmetries(make_game("puhulmutu", campaign=True, cutting="move"))


def test_a_square_grid_has_seven_symmetries_and_a_rectangular_one_three():
    for options, number in (({"rows": 4, "columns": 4}, 7), ({}, 3)):
        game = make_game("dongjintian", **options)
        found = symmetries(game)
        assert len({tuple(image.actions) for image in found}) == len(found) == number
        for image in found:
            assert (image.actions != np.arange(game.num_actions)).any()


def test_augment_appends_the_images():
    game = make_game("dongjintian")
    states = game.init(50, 1)
    for decision in range(30):
        game.step(states, game.sample(states, decision))
    actions = game.sample(states)
    observations, images, masks = augment(game, game.observe(states), actions, game.legal(states))
    assert observations.shape == (200, len(game.observation_fields)) and masks.shape == (200, game.num_actions)
    np.testing.assert_array_equal(images[:50], actions)
    assert masks[np.arange(200), images].all()
    assert masks.sum() == 4 * game.legal(states).sum()
    np.testing.assert_array_equal(observations.sum(axis=1), np.tile(observations[:50].sum(axis=1), 4))
