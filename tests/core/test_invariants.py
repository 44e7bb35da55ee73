"""Invariants of all positions, searched for counterexamples by Hypothesis."""

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from mancala_envs import make_game

GAMES = {
    "kalah": make_game("kalah"),
    "oware": make_game("oware"),
    "qelat": make_game("qelat"),
    "qelat_campaign": make_game("qelat", campaign=True, max_rounds=3),
    "qelat_choice": make_game("qelat", campaign=True, territory="choice", max_turns=4),
}
SEEDS = 48
seeds = st.integers(0, 2**64 - 1)
# Drawing compiles games, which takes long.
unhurried = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


@st.composite
def reached(draw, names=tuple(GAMES)):
    """Draw a game and a state that random play reaches."""
    game = GAMES[draw(st.sampled_from(names))]
    states = game.init(1, seed=draw(seeds))
    for decision in range(draw(st.integers(0, 150))):
        game.step(states, game.sample(states, decision), autoreset=True)
    return game, states


@st.composite
def loaded(draw, names=("kalah", "oware", "qelat")):
    """Draw a game, a position given by its fields, and the same position with the players exchanged."""
    name = draw(st.sampled_from(names))
    game = GAMES[name]
    weights = np.array(draw(st.lists(st.integers(0, 9), min_size=14, max_size=14)))
    assume(weights.sum() > 0)
    total = draw(st.integers(1, SEEDS))
    # Distribute the seeds by weights; the remainder goes to the first place.
    shares = weights * total // weights.sum()
    shares[0] += total - shares.sum()
    shares = np.roll(shares, draw(st.integers(0, 13)))
    fields = {"holes": shares[:12], "store": shares[12:], "to_move": draw(st.integers(0, 1))}
    fields["turn"] = draw(st.integers(0, 299))
    swapped = {"holes": np.roll(shares[:12], 6), "store": shares[:11:-1], "to_move": 1 - fields["to_move"]}
    swapped["turn"] = fields["turn"]
    if name == "qelat":
        captured = np.array(draw(st.lists(st.booleans(), min_size=12, max_size=12)))
        opener = draw(st.integers(0, 1))
        fields |= {"child": np.where(captured, [2] * 6 + [1] * 6, 0), "opener": opener}
        swapped |= {"child": np.where(np.roll(captured, 6), [2] * 6 + [1] * 6, 0), "opener": 1 - opener}
    try:
        states = game.load(seed=1, **fields)
    except ValueError as error:
        assert "no legal action" in str(error)
        assume(False)
    return game, states, game.load(seed=1, **swapped)


def all_seeds(states):
    return int(states["holes"].sum()) + int(states["store"].sum())


@given(reached(), seeds)
@unhurried
def test_seeds_are_conserved(example, seed):
    game, states = example
    for step in range(40):
        assert all_seeds(states) == SEEDS
        game.step(states, game.sample(states, seed=(seed + step) % 2**64))


@given(loaded())
@unhurried
def test_seeds_of_a_loaded_position_are_conserved(example):
    game, states, _ = example
    before = all_seeds(states)
    for step in range(40):
        game.step(states, game.sample(states, seed=step))
        assert all_seeds(states) == before


@given(loaded())
@unhurried
def test_both_players_see_and_play_the_same_game_from_their_own_sides(example):
    game, one, other = example
    for step in range(25):
        for player in (0, 1):
            assert np.array_equal(game.observe(one, player), game.observe(other, 1 - player))
        assert np.array_equal(game.legal(one), game.legal(other))
        actions = game.sample(one, seed=step)
        assert np.array_equal(game.step(one, actions), game.step(other, actions)[:, ::-1])
        assert np.array_equal(one.winner >= 0, other.winner >= 0) and np.array_equal(one.turn, other.turn)
        if one[0].to_move >= 0:
            assert one[0].to_move == 1 - other[0].to_move


@given(reached(), seeds)
@unhurried
def test_turns_and_captures_never_decrease_within_a_round(example, seed):
    game, states = example
    for step in range(40):
        before = states.copy()
        game.step(states, game.sample(states, seed=(seed + step) % 2**64))
        if states[0].round_number == before[0].round_number and states[0].ended == 0:
            assert states[0].turn - before[0].turn in (0, 1)
            assert (states[0].store >= before[0].store).all()
        else:
            assert states[0].ended or states[0].round_number == before[0].round_number + 1


@given(seeds, st.integers(1, 200))
@unhurried
def test_rollouts_leave_no_game_over(seed, decisions):
    game = GAMES["kalah"]
    states = game.init(20, seed=seed)
    game.play_random(states, decisions, seed=seed)
    assert (states.to_move >= 0).all() and game.legal(states).any(axis=1).all()
    assert (states.holes.sum(axis=1) + states.store.sum(axis=1) == SEEDS).all()
