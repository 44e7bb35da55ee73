"""Bestemshe: a position for every rule of its page. South 0..4, North 5..9, sowing by increasing number."""

from functools import partial

import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import both_forms
from helpers.forms import played as played_in
from helpers.kumalak_games import replay
from helpers.positions import legal, seeds

from mancala_envs import make_game
from mancala_envs.core import contract

BESTEMSHE = make_game("bestemshe")
position, played = partial(hole_positions.position, game=BESTEMSHE), partial(hole_positions.played, game=BESTEMSHE)


def test_the_recorded_beginning_of_a_game():
    state = replay(BESTEMSHE, "c1d2 c2b1")
    assert state.store.tolist() == [6, 6]
    assert len(legal(BESTEMSHE, state)) == 4
    assert len(legal(BESTEMSHE, hole_positions.play(BESTEMSHE.init(1, 0), 2, game=BESTEMSHE)[0])) == 4


def test_the_first_of_several_seeds_falls_back_into_the_lifted_hole():
    state, _ = played(1, h1=3, h8=1)
    assert seeds(state) == {1: 1, 2: 1, 3: 1, 8: 1}
    assert (state.to_move, state.turn) == (1, 1)


def test_a_single_seed_goes_to_the_next_hole():
    state, _ = played(1, h1=1, h8=1)
    assert seeds(state) == {2: 1, 8: 1}


def test_the_lifted_hole_is_not_skipped_on_later_rounds():
    # Twelve seeds: a whole round, and two more.
    state, _ = played(0, h0=12)
    assert state.holes.tolist() == [2, 2] + [1] * 8
    assert state.store.tolist() == [0, 0]


@pytest.mark.parametrize(("held", "taken"), [(0, 0), (1, 2), (2, 0), (3, 4), (4, 0), (9, 10)])
def test_an_even_number_is_captured(held, taken):
    state, _ = played(4, h4=2, h5=held, h8=1)
    assert state.store.tolist() == [taken, 0]
    assert state.holes[5] == (0 if taken else held + 1)


def test_nothing_is_captured_in_the_own_row():
    state, _ = played(0, h0=2, h1=1, h8=1)
    assert seeds(state) == {0: 1, 1: 2, 8: 1}


def test_north_captures_in_souths_row():
    state, _ = played(4, to_move=1, h9=2, h0=3, h5=1)
    assert seeds(state) == {5: 1, 9: 1}
    assert state.store.tolist() == [0, 4]


@pytest.mark.parametrize(("store", "over"), [((22, 10), False), ((24, 10), True), ((20, 26), True)])
def test_more_than_half_the_seeds_end_the_round(store, over):
    # South takes two: 24 of 50 are not yet more than half, 26 are.
    state, _ = played(4, store=store, h4=2, h5=1, h7=1)
    assert state.store.tolist() == [store[0] + 2, store[1]]
    assert bool(state.ended) == over


def test_at_a_majority_each_counts_store_and_row():
    margin = make_game("bestemshe", reward="margin")
    state, rewards = played(4, game=margin, store=(24, 10), h4=2, h5=1, h7=6, h0=3)
    assert (state.winner, state.ended, seeds(state)) == (0, 1, {0: 3, 4: 1, 7: 6})
    assert rewards == pytest.approx([14 / 50, -14 / 50])


def test_end_last_plays_on_at_a_majority():
    state, _ = played(4, game=make_game("bestemshe", end="last"), store=(24, 10), h4=2, h5=1, h7=1)
    assert (state.store.tolist(), state.ended, state.to_move) == ([26, 10], 0, 1)


@pytest.mark.parametrize("end", ["majority", "last"])
def test_the_round_ends_when_the_player_to_move_has_no_seeds(end):
    # South captures North's last seeds; eleven seeds against twelve.
    state, rewards = played(4, game=make_game("bestemshe", end=end), store=(5, 12), h4=2, h5=1, h2=3)
    assert (state.to_move, state.ended, state.winner) == (-1, 1, 1)
    assert seeds(state) == {2: 3, 4: 1}
    assert state.store.tolist() == [7, 12]
    assert rewards == [-1, 1]


def test_what_is_left_belongs_to_the_player_in_whose_row_it_is():
    state, rewards = played(4, store=(5, 10), h4=2, h5=1, h2=3)
    assert (state.ended, state.winner, rewards) == (1, 0, [1, -1])


def test_a_player_who_empties_his_own_row_has_not_lost():
    # North then has to feed South, or not.
    states = position(h4=1, h9=2, h6=1)
    BESTEMSHE.step(states, [4])
    assert (states[0].ended, states[0].to_move, seeds(states[0])) == (0, 1, {5: 1, 6: 1, 9: 2})
    fed, unfed = states.copy(), states.copy()
    BESTEMSHE.step(fed, [4])
    assert (fed[0].ended, fed[0].to_move, seeds(fed[0])) == (0, 0, {0: 1, 5: 1, 6: 1, 9: 1})
    BESTEMSHE.step(unfed, [0])
    assert (unfed[0].ended, unfed[0].winner) == (1, 1)


def test_equal_counts_are_a_draw():
    state, rewards = played(4, store=(4, 7), h4=2, h5=1)
    assert (state.ended, state.winner, rewards) == (1, -1, [0, 0])


def test_at_max_turns_each_counts_his_own_row():
    state, rewards = played(0, turn=299, store=(3, 5), h0=1, h3=2, h8=1)
    assert (state.turn, state.ended, state.winner) == (300, 1, -1)
    assert seeds(state) == {1: 1, 3: 2, 8: 1}
    assert rewards == [0, 0]
    assert played(0, turn=298, store=(3, 5), h0=1, h3=2, h8=1)[0].ended == 0


def test_a_round_with_an_odd_half_has_a_winner():
    # Unless `max_turns` cuts it.
    states = BESTEMSHE.init(200, 4)
    while (states.to_move >= 0).any():
        BESTEMSHE.step(states, BESTEMSHE.sample(states, int(states.turn.max())))
    assert (states.winner[states.turn < 300] >= 0).all()
    assert (states.holes.sum(axis=1) + states.store.sum(axis=1) == 50).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": 1}, "columns=1 is not allowed; it must be an integer of at least 2"),
        ({"columns": 8, "seeds": 16}, "256 seeds in play; at most 255"),
        ({"end": "all"}, "end='all' is not allowed; it must be one of 'majority', 'last'"),
    ],
)
def test_options_that_are_not_allowed(options, words):
    with pytest.raises(ValueError, match=words):
        make_game("bestemshe", **options)


@pytest.mark.parametrize("unknown", ["tuzdyk", "twin", "least", "last_hole"])
def test_there_is_no_tuzdyk(unknown):
    assert unknown not in BESTEMSHE.dtype.names
    with pytest.raises(TypeError, match=f"no option '{unknown}'"):
        make_game("bestemshe", **{unknown: 2})


def test_no_position_has_more_seeds_than_there_are():
    assert position(h0=24, h6=20, store=(3, 3))[0].turn == 0
    with pytest.raises(ValueError, match="the seeds must be 1 to 50 in all, got 51"):
        position(h0=24, h6=20, store=(4, 3))
    with pytest.raises(ValueError, match="no legal action"):
        position(h6=20)


def test_what_is_explained_of_a_capture():
    lines = BESTEMSHE.explain(position(h4=2, h5=3, h8=1), 4)
    assert lines == [
        "player_0: lift own hole 4",
        "lifts 2 from own hole 4",
        "sows 2 from own hole 4 to other hole 0",
        "captures 4 from other hole 0",
        "turn 1, player_1 to move: lift a hole",
    ]


def test_captured_seeds_are_worth_their_number():
    worth = BESTEMSHE.plain.bind(contract.worth)
    state = position(store=(7, 2), h4=2, h5=3)[0]
    assert (worth(state, 0), worth(state, 1)) == (7, 2)


def test_what_searches_add_for_the_own_row():
    # Eighths of a seed: a hole that holds seeds counts as a seed, each seed as a quarter.
    bonus = BESTEMSHE.plain.bind(contract.positional_bonus)
    state = position(h0=7, h4=1, h9=3)[0]
    assert (bonus(state, 0), bonus(state, 1)) == (2 * 8 + 8 * 2, 8 + 3 * 2)


# The fast form.


def positions(game, n=2000):
    """Return random boards, many of them with most seeds in few holes, and a legal action in each."""
    width, luck = game.options["columns"], np.random.default_rng(5)
    total = 2 * width * game.options["seeds"]
    states, actions = game.init(n, 0), luck.integers(width, size=n)
    for i in range(n):
        mover = luck.integers(2)
        held = luck.multinomial(
            luck.integers(total), luck.dirichlet(np.full(2 * width + 2, luck.choice([0.1, 0.5, 2])))
        )
        held[width * mover + actions[i]] += 1
        states.holes[i], states.store[i], states.to_move[i] = held[:-2], held[-2:], mover
    states.turn = luck.choice([3, 4, game.options["max_turns"] - 1], size=n)
    return states, actions


@pytest.mark.parametrize("options", [{}, {"end": "last"}, {"columns": 4, "seeds": 7}, {"columns": 6}], ids=str)
def test_words_are_played_as_the_plain_law_plays(options):
    fast, plain = both_forms("bestemshe", **options)
    before, actions = positions(fast)
    assert np.array_equal(fast.legal_bits(before), plain.legal_bits(before))
    one, other = played_in(plain, before, actions), played_in(fast, before, actions)
    assert one.tobytes() == other.tobytes()
    gained = one.store.sum(axis=1).astype(int) - before.store.sum(axis=1)
    assert gained.max() > 9 and 0 < one.ended.mean() < 1
