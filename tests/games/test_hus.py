"""Hus: a position for every rule of its page. Player 0 owns holes 0..15, player 1 holes 16..31 of the record."""

import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import PlainGame
from helpers.positions import after, legal, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game

HUS, BOTH = PlainGame("hus"), PlainGame("hus", capture="both")
position, played, sown, _ = hole_positions.of(HUS)
ENEMY = {"h16": 2}
"""A hole from which the enemy can play on."""


def test_the_setup_leaves_the_left_half_of_the_inner_rows_empty():
    (state,) = HUS.init(1, 0)
    assert state.holes.tolist() == 2 * ([2] * 12 + [0] * 4)
    assert state.store.tolist() == [0, 0] and (state.to_move, state.turn) == (0, 0)
    assert PlainGame("hus", columns=2).init(1, 0)[0].holes.tolist() == 2 * [2, 2, 2, 0]


def test_only_own_holes_of_two_or_more_are_lifted():
    assert legal(HUS, position(h0=1, h3=2, h15=7, h20=9)) == [3, 15]
    assert legal(HUS, position(h0=9, h16=1, h19=2, h31=7, to_move=1)) == [3, 15]


def test_a_lap_runs_anticlockwise_over_the_own_ring_and_ends_in_an_empty_hole():
    state, rewards = played(13, h13=4, h15=1, h0=3, **ENEMY)
    assert seeds(state) == {14: 1, 15: 2, 0: 4, 1: 1, 16: 2}
    assert (state.to_move, state.turn, rewards) == (1, 1, [0, 0])
    # Of sixteen seeds the last falls into the hole that they came from, which is empty.
    assert sown(3, h3=16, **ENEMY)[0] == {**{k: 1 for k in range(16)}, 16: 2}


def test_a_last_seed_in_an_occupied_outer_hole_is_a_relay():
    assert sown(0, h0=2, h2=1, **ENEMY)[0] == {1: 1, 3: 1, 4: 1, 16: 2}
    # Nothing is captured: hole 3 is in the column of the enemy's holes 28 and 19.
    assert sown(1, h1=2, h3=1, h28=4, h19=4)[0] == {2: 1, 4: 1, 5: 1, 28: 4, 19: 4}


def test_capture_takes_both_holes_and_sows_on_from_the_next_hole():
    # The example of the page.
    assert sown(10, h10=2, h12=1, h27=1, h20=2, h30=5)[0] == {11: 1, 12: 2, 13: 1, 14: 1, 15: 1, 30: 5}
    # A single seed in an empty inner hole captures nothing.
    assert sown(10, h10=2, h27=1, h20=2, h30=5)[0] == {11: 1, 12: 1, 27: 1, 20: 2, 30: 5}


def test_the_outer_hole_behind_may_be_empty_unless_both_are_asked():
    fields = {"h10": 2, "h12": 1, "h27": 1, "h30": 5}
    assert sown(10, **fields)[0] == {11: 1, 12: 2, 13: 1, 30: 5}
    assert sown(10, game=BOTH, **fields)[0] == {11: 1, 13: 1, 14: 1, 27: 1, 30: 5}


@pytest.mark.parametrize("game", [HUS, BOTH])
def test_an_empty_inner_hole_opposite_protects_the_outer_one(game):
    assert sown(10, game=game, h10=2, h12=1, h20=7, h30=5)[0] == {11: 1, 13: 1, 14: 1, 20: 7, 30: 5}


@pytest.mark.parametrize("k", range(8, 16))
@pytest.mark.parametrize("player", [0, 1])
def test_each_inner_hole_captures_in_its_own_column(k, player):
    own, other = 16 * player, 16 * (1 - player)
    inner, outer = other + 23 - k, other + k - 8
    fields = {f"h{own + k - 2}": 2, f"h{own + k}": 1, f"h{inner}": 1, f"h{outer}": 1}
    rest = next(hole for hole in range(other, other + 8) if hole != outer)
    left = {own + k - 1: 1, own + k: 2, own + (k + 1) % 16: 1, own + (k + 2) % 16: 1, rest: 2}
    assert sown(k - 2, to_move=player, **fields, **{f"h{rest}": 2})[0] == left


NEVER_ENDING = {f"h{hole}": n for hole, n in enumerate([2, 3, 4, 1, 2, 2, 1, 4, 1, 0, 1, 0, 1, 0, 8, 0, 18])}


@pytest.mark.parametrize("max_laps", [256, 300])
def test_a_turn_that_never_ends_is_stopped(max_laps):
    state, _ = played(4, game=PlainGame("hus", max_laps=max_laps), **NEVER_ENDING)
    assert (state.to_move, state.turn) == (1, 1)
    assert state.holes.sum() == 48


def test_the_last_lap_allowed_captures_nothing():
    fields = {"h10": 2, "h12": 1, "h27": 1, "h20": 2, "h30": 5}
    assert sown(10, game=PlainGame("hus", max_laps=1), **fields)[0] == {11: 1, 12: 2, 27: 1, 20: 2, 30: 5}
    left = {11: 1, 12: 2, 13: 1, 14: 1, 15: 2, 30: 5}
    assert sown(10, game=PlainGame("hus", max_laps=2), **fields, h15=1)[0] == left


@pytest.mark.parametrize("turn", [0, 399])
@pytest.mark.parametrize("reward", ["win", "margin"])
def test_a_player_without_a_hole_of_two_has_lost_even_at_max_turns(reward, turn):
    game = PlainGame("hus", reward=reward)
    state, rewards = played(10, game=game, turn=turn, h10=2, h12=1, h27=1, h20=2, h30=1, h31=1)
    assert (state.to_move, state.ended, state.winner, state.turn) == (-1, 1, 0, turn + 1)
    assert rewards == [1, -1]


def test_the_mover_may_be_left_with_single_seeds():
    state, _ = played(0, h0=2, h20=9)
    assert (state.ended, state.to_move) == (0, 1)


@pytest.mark.parametrize(
    ("other", "winner", "margin"), [({"h20": 9}, 1, -7 / 48), ({"h20": 2}, -1, 0), ({"h20": 2, "h5": 1}, 0, 1 / 48)]
)
def test_at_max_turns_more_seeds_win(other, winner, margin):
    game = PlainGame("hus", reward="margin")
    state, rewards = played(0, game=game, turn=399, h0=2, **other)
    assert (state.turn, state.ended, state.winner) == (400, 1, winner)
    assert rewards == pytest.approx([margin, -margin])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"h0": 49}, "the seeds must be 1 to 48 in all, got 49"),
        ({"h0": 2, "store": [0, 1]}, "store must be 0, 0"),
        ({"h0": 2, "outright": 1}, "outright must be 0"),
        ({"h0": 1, "h16": 5}, "player 0 to move has no legal action"),
        ({"h0": 2, "phase": 1}, r"phase must be one of \[0\]"),
    ],
)
def test_positions_that_no_game_has_are_refused(fields, said):
    with pytest.raises(ValueError, match=said):
        position(**fields)


@pytest.mark.parametrize("columns", [0, 1, 3, 7, 43, 44])
def test_columns_must_be_even_and_few_enough(columns):
    with pytest.raises(ValueError, match="columns"):
        make_game("hus", columns=columns)


def test_texts_of_games_that_are_over_must_fit_their_end():
    game = PlainGame("hus")
    states = game.load(holes=[2, *[0] * 15, 1, *[0] * 15])
    game.step(states, [0])
    text = game.text(states)
    assert "outright=1" in text and game.parse(text).tobytes() == states.tobytes()
    assert game.parse(text.replace("outright=1", "outright=0"))[0].outright == 0
    with pytest.raises(ValueError, match="outright must be 0, or 1"):
        game.parse(text.replace("winner=0", "winner=-1"))


@given(st.lists(st.integers(0, 3), min_size=32, max_size=32), st.integers(0, 1), st.booleans())
@settings(deadline=None, max_examples=40)
def test_seeds_are_conserved_and_rings_are_sown_by_their_owners_alone(holes, mover, both):
    game = BOTH if both else HUS
    own = slice(16 * mover, 16 * mover + 16)
    if sum(holes) > 48 or max(holes[own]) < 2:
        return
    states = game.load(holes=holes, to_move=mover)
    for action in legal(game, states):
        (state,) = after(game, states, action)
        assert state.holes.sum() == sum(holes)
        other = np.delete(state.holes, range(own.start, own.stop))
        assert (other <= np.delete(holes, range(own.start, own.stop))).all()
        assert state.holes[own].sum() >= sum(holes[own])


def test_greedy_counts_seeds_on_the_own_holes():
    states = position(h10=2, h12=1, h0=2, h27=1, h20=2, h30=5)
    assert [HUS.plain.bind(HUS.book.rules.worth)(states[0], p) for p in (0, 1)] == [5, 8]


def test_actions_and_names_lead_player_1_to_the_own_holes():
    assert [action.place for action in HUS.actions_for(1)] == list(range(16, 32))
    assert [action.place for action in PlainGame("hus", columns=2).actions_for(1)] == [4, 5, 6, 7]


def test_a_capture_is_told_with_both_holes():
    told = HUS.explain(position(h10=2, h12=1, h27=1, h20=2, h30=5), 10)
    assert told == [
        "player_0: lift own hole 10",
        "lifts 2 from own hole 10",
        "sows 2 from own hole 11 to own hole 12",
        "captures 2 from other hole 4, 1 from other hole 11",
        "sows 3 from own hole 13 to own hole 15",
        "turn 1, player_1 to move: lift a hole",
    ]


def test_the_board_shows_both_rings_and_the_direction_of_sowing():
    board = HUS.board(position(h0=2, h8=3, h16=4, h24=5))
    spots = {(place.x, place.y): (place.owner, place.label, place.pieces) for place in board.places}
    assert len(spots) == 32
    assert spots[0, 3] == (0, "0", 2) and spots[7, 2] == (0, "8", 3)
    assert spots[7, 0] == (1, "0", 4) and spots[0, 1] == (1, "8", 5)
    assert {(arrow.x, arrow.y, arrow.dx, arrow.dy) for arrow in board.arrows} == {
        (-0.5, 0.5, 0, 1), (-0.5, 2.5, 0, 1), (7.5, 0.5, 0, -1), (7.5, 2.5, 0, -1),
    }  # fmt: skip
