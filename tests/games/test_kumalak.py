"""Common rules of Togyz Kumalak and Bestemshe. Holes have their numbers in their rows, -1 is the last one."""

import numpy as np
import pytest
from helpers import hole_positions

from mancala_envs import make_game
from mancala_envs.core import contract

SEEDS = {"togyz_kumalak": 162, "bestemshe": 50}
"""Seeds in play."""
both = pytest.mark.parametrize("name", SEEDS)


def position(game, south, north, **fields):
    """Load a position from dicts {hole: seeds} of both rows and other fields."""
    columns = game.options["columns"]
    holes = {f"h{hole % columns}": held for hole, held in south.items()}
    holes |= {f"h{columns + hole % columns}": held for hole, held in north.items()}
    return hole_positions.position(game=game, **holes, **fields)


def played(game, hole, south, north, **fields):
    """Return the state after the lift of a hole from `position(...)`, and the rewards."""
    return hole_positions.play(position(game, south, north, **fields), hole % game.options["columns"], game=game)


def rows(state):
    """Return dicts {hole: seeds} of both rows, in which the last hole is -1."""
    columns = len(state.holes) // 2
    numbers = [*range(columns - 1), -1]
    south, north = np.split(state.holes, 2)
    return tuple({hole: int(row[hole]) for hole in numbers if row[hole]} for row in (south, north))


@both
def test_the_first_of_several_seeds_falls_back_into_the_lifted_hole(name):
    game = make_game(name)
    state, _ = played(game, 1, {1: 3}, {3: 1})
    assert (rows(state), state.to_move, state.turn) == (({1: 1, 2: 1, 3: 1}, {3: 1}), 1, 1)
    # A single seed goes to the next hole.
    assert rows(played(game, 1, {1: 1}, {3: 1})[0]) == ({2: 1}, {3: 1})
    # The lifted hole is not skipped on later rounds: a whole round, and two more.
    holes = 2 * game.options["columns"]
    state, _ = played(game, 0, {0: holes + 2}, {})
    assert (state.holes.tolist(), state.store.tolist()) == ([2, 2] + [1] * (holes - 2), [0, 0])


@both
@pytest.mark.parametrize(("held", "taken"), [(0, 0), (1, 2), (3, 4), (4, 0), (9, 10), (10, 0)])
def test_an_even_number_is_captured(name, held, taken):
    state, _ = played(make_game(name), -1, {-1: 2}, {0: held, 3: 1})
    assert state.store.tolist() == [taken, 0]
    assert rows(state)[1].get(0, 0) == (0 if taken else held + 1)


@both
def test_only_holes_of_the_other_row_are_captured(name):
    state, _ = played(make_game(name), 0, {0: 2, 1: 1}, {3: 1})
    assert (rows(state), state.store.tolist()) == (({0: 1, 1: 2}, {3: 1}), [0, 0])
    state, _ = played(make_game(name), -1, {0: 3, 2: 1}, {0: 1, -1: 2}, to_move=1)
    assert (rows(state), state.store.tolist()) == (({2: 1}, {0: 1, -1: 1}), [0, 4])


@both
@pytest.mark.parametrize(("souths", "norths", "over"), [(-3, -15, 0), (-2, -15, 0), (-1, -15, 1), (-5, 1, 1)])
def test_more_than_half_the_seeds_end_the_round(name, souths, norths, over):
    # The stores, counted from half the seeds, before South takes two.
    half = SEEDS[name] // 2
    state, _ = played(make_game(name), -1, {-1: 2}, {0: 1, 2: 1}, store=(half + souths, half + norths))
    assert (state.store.tolist(), state.ended) == ([half + souths + 2, half + norths], over)


@both
def test_at_a_majority_each_counts_store_and_row(name):
    half = SEEDS[name] // 2
    given = {"south": {-1: 2, 0: 3}, "north": {0: 1, 2: 6}, "store": (half - 1, 10)}
    state, rewards = played(make_game(name, reward="margin"), -1, **given)
    assert (state.winner, state.ended, rows(state)) == (0, 1, ({0: 3, -1: 1}, {2: 6}))
    # The margin is a part of all the seeds of the set-up.
    lead = (half + 5 - 16) / SEEDS[name]
    assert rewards == pytest.approx([lead, -lead])
    # With end="last" play goes on.
    state, _ = played(make_game(name, end="last"), -1, **given)
    assert (state.store.tolist(), state.ended, state.to_move) == ([half + 1, 10], 0, 1)


@both
@pytest.mark.parametrize("end", ["majority", "last"])
@pytest.mark.parametrize(("norths", "winner"), [(12, 1), (10, 0), (11, -1)])
def test_the_round_ends_when_the_player_to_move_has_no_seeds(name, end, norths, winner):
    # South captures North's last seeds, and has eleven seeds with those in the own row.
    state, rewards = played(make_game(name, end=end), -1, {-1: 2, 2: 3}, {0: 1}, store=(5, norths))
    assert (state.to_move, state.ended, state.winner) == (-1, 1, winner)
    assert (rows(state), state.store.tolist()) == (({2: 3, -1: 1}, {}), [7, norths])
    assert rewards == {1: [-1, 1], 0: [1, -1], -1: [0, 0]}[winner]


@both
def test_a_player_with_an_empty_row_has_not_lost_if_the_other_feeds_it(name):
    game = make_game(name)
    states = position(game, {-1: 1}, {1: 1, -1: 2})
    last = game.options["columns"] - 1
    state, _ = hole_positions.play(states, last, game=game)
    assert (state.ended, state.to_move, rows(state)) == (0, 1, ({}, {0: 1, 1: 1, -1: 2}))
    fed, _ = hole_positions.play(states.copy(), last, game=game)
    assert (fed.ended, fed.to_move, rows(fed)) == (0, 0, ({0: 1}, {0: 1, 1: 1, -1: 1}))
    unfed, _ = hole_positions.play(states.copy(), 0, game=game)
    assert (unfed.ended, unfed.winner) == (1, 1)


@both
def test_at_max_turns_players_count_their_own_rows(name):
    game = make_game(name)
    most = game.options["max_turns"]
    assert most == {"togyz_kumalak": 400, "bestemshe": 300}[name]
    for before, ended in ((2, 0), (1, 1)):
        state, rewards = played(game, 0, {0: 1, 3: 2}, {3: 2}, store=(3, 5), turn=most - before)
        assert (state.turn, state.ended) == (most - before + 1, ended)
    assert (state.winner, rows(state), rewards) == (1, ({1: 1, 3: 2}, {3: 2}), [-1, 1])


@both
def test_what_searches_count(name):
    game = make_game(name)
    worth, bonus = (game.plain.bind(rule) for rule in (contract.worth, contract.positional_bonus))
    state = position(game, {4: 2}, {0: 3}, store=(7, 2))[0]
    assert (worth(state, 0), worth(state, 1)) == (7, 2)
    # Eighths of a seed: a hole that holds seeds counts as a seed, each seed as a quarter.
    state = position(game, {0: 7, -1: 1}, {-1: 3})[0]
    assert (bonus(state, 0), bonus(state, 1)) == (2 * 8 + 8 * 2, 8 + 3 * 2)


@both
def test_sizes_that_are_not_allowed(name):
    with pytest.raises(ValueError, match="columns=1 is not allowed; it must be an integer of at least 2"):
        make_game(name, columns=1)
    with pytest.raises(ValueError, match="256 seeds in play; at most 255"):
        make_game(name, columns=8, seeds=16)
    assert make_game(name, columns=2, seeds=63).options["seeds"] == 63
