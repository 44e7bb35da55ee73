"""Ceelkoqyuqkoqiji: a position for every sentence of the source that is a rule.

Quotations are from V. Eagle (1995, pp. 53-55) or, where marked, from the summary above that text. South's holes are
0..4, North's 5..9. On the ring the east store lies between 4 and 5, the west store between 9 and 0.
"""

from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import PlainGame, slowly
from helpers.players import first_legal, traced
from helpers.positions import beside, legal, seeds
from helpers.positions import seen as seen_by
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test

from mancala_envs import ceelkoqyuqkoqiji_v0, make_game
from mancala_envs.agents.compiled import act

NAME = "ceelkoqyuqkoqiji"
ROUND = make_game(NAME)
CAMPAIGN = make_game(NAME, campaign=True)
FOUR = PlainGame(NAME, players=4)
FOUR_CAMPAIGN = PlainGame(NAME, players=4, campaign=True)
play = partial(hole_positions.play, game=ROUND)
THROWN = make_game(NAME, first="throw")

LIFT, DROP, ANSWER, HUELSHE, THROW, SELL, BUY_BACK = range(7)
CLOCKWISE = 5
SMALL, MU, GONG, OFFER, YES, NO, HOLE, THUMB = 10, 11, 12, 13, 14, 15, 16, 21
HOME, HAND = -1, 10
WON = (-2, -3)
"""Value of `large` if each player has won the goat of the own store."""


def position(holes, game=ROUND, **fields):
    """Load a position; `holes` is a dict by hole. By default the goats are won and player 0 is to move."""
    board = [holes.get(hole, 0) for hole in range(10)]
    start = {"to_move": 0, "phase": LIFT, "large": WON, "store": [0] * game.num_players, **fields}
    return game.load(holes=board, **start)


def sown(action, holes, game=ROUND, **fields):
    """Return the stones in the holes and in the stores after one action from `position(...)`."""
    state, _ = play(position(holes, game, **fields), action, game=game)
    return seeds(state), state.store.tolist()


def sold(buyers):
    """Return `sold_to` from a dict {hole: buyer}."""
    return [buyers.get(hole, -1) for hole in range(10)]


def goats(action, holes, **fields):
    """Return where the large stones and the stones in the stores are after one action from `position(...)`."""
    state, _ = play(position(holes, **fields), action)
    return state.large.tolist(), state.store.tolist()


# Configuration and preliminaries.


def test_configuration():
    # "Each of the 10 regular holes contains 5 stones at the outset. Each store contains one large stone."
    state = ROUND.init(1, seed=0)[0]
    assert state.holes.tolist() == [5] * 10
    assert (state.large.tolist(), state.store.tolist()) == ([HOME, HOME], [0, 0])


@pytest.mark.slow
def test_seven_columns():
    # "seven holes in a row, seven stones per hole, and the large stones valued at seven"
    game = make_game(NAME, columns=7, seeds=7, prices=[7, 7])
    assert game.init(1, seed=0)[0].holes.tolist() == [7] * 14
    assert (game.num_actions, game.options["hole_price"], game.options["debt_limit"]) == (30, 7, 7)


NO_PRICES = ((7, 0), (7,), (7, 6, 5), 7, "76", (7, 6.0), (True, 6), None)
"""Prices must be two positive integers."""


@pytest.mark.parametrize(
    ("option", "value"),
    [("hole_price", 0), ("debt_limit", 0), ("players", 3), ("first", "loser"), *(("prices", no) for no in NO_PRICES)],
)
def test_option_values_that_are_not_allowed_are_refused(option, value):
    with pytest.raises(ValueError, match=option):
        make_game(NAME, **{option: value})


def test_chance_decides_who_begins():
    opened = ROUND.init(2000, seed=1).to_move
    assert 900 < opened.sum() < 1100
    assert not make_game(NAME, first="player_0").init(50, seed=1).to_move.any()


@pytest.mark.parametrize(
    ("first", "second", "beginner"),
    # "index finger (snake) beats thumb (frog), which beats little finger (centipede), which in turn beats index finger"
    [(1, 0, 0), (0, 2, 0), (2, 1, 0), (0, 1, 1), (2, 0, 1), (1, 2, 1)],
)
def test_finger_throws(first, second, beginner):
    states = THROWN.init(1, seed=0)
    assert legal(THROWN, states) == [THUMB, THUMB + 1, THUMB + 2]
    state, _ = play(states, THUMB + first, game=THROWN)
    assert (state.phase, state.to_move) == (THROW, 1)
    assert f"thrown={first},-1 " in THROWN.text(states, 0) and "thrown=-1,-1 " in THROWN.text(states, 1)
    state, _ = play(states, THUMB + second, game=THROWN)
    assert all(f"thrown={first},{second} " in THROWN.text(states, player) for player in (0, 1))
    assert (state.phase, state.to_move, state.turn) == (LIFT, beginner, 0)
    assert state.thrown.tolist() == [first, second]


def test_a_tie_is_repeated_and_after_eight_chance_decides():
    states = THROWN.init(1, seed=0)
    for _ in range(7):
        state, _ = play(states, THUMB, THUMB, game=THROWN)
        assert (state.phase, state.to_move, state.thrown.tolist()) == (THROW, 0, [-1, -1])
    play(states, THUMB + 2, game=THROWN)
    THROWN.step(states, [THUMB + 2], draws=[[["first", 2, 1]]])
    assert (states[0].phase, states[0].to_move, states[0].thrown.tolist()) == (LIFT, 1, [2, 2])


def test_a_throw_is_hidden_until_both_have_thrown():
    # "the two active players simultaneously throw out either thumb, index finger, or little finger"
    game = PlainGame(NAME, players=4, first="throw")
    states = game.init(3, seed=0)
    states.chance = states.chance[0]
    game.step(states, THUMB + np.arange(3))
    for player in (1, 2, 3):
        assert len(np.unique(game.observe(states, player), axis=0)) == 1
        assert len({game.text(states[i : i + 1], player) for i in range(3)}) == 1
        assert len({str(game.board(states[i : i + 1])) for i in range(3)}) == 1
    assert len(np.unique(game.observe(states, 0), axis=0)) == 3
    assert len({game.text(states[i : i + 1], 0) for i in range(3)}) == 3
    # The greedy opponent does not know the finger either: it throws all fingers equally often.
    many = np.repeat(states, 40)
    chosen = act(game, many, "greedy", seed=5).reshape(3, 40)
    for row in chosen:
        assert np.bincount(row - THUMB, minlength=3).min() > 5
    game.step(states, np.full(3, THUMB))
    seen = {(f.name, i) for i, f in enumerate(game.observation_fields) if "finger" in f.name}
    assert {name for name, _ in seen} == {"own_finger", "other_finger"}
    columns = [i for _, i in sorted(seen)]
    # The first of the three games had a tie, which is repeated.
    assert game.observe(states, 2)[:, columns].tolist() == [[0, 0], [1, 2], [1, 3]]


def test_a_hidden_first_finger_is_drawn_at_random():
    # In a search for player 1 the finger is missing from the state.
    game = PlainGame(NAME, first="throw")
    states = game.init(60, seed=0)
    game.step(states, np.full(60, THUMB))
    states.thrown[:, 0] = -1
    game.step(states, np.full(60, THUMB))
    # The index finger beats the thumb, which beats the little finger.
    ways = {(int(s.phase), int(s.ties), int(s.thrown[0]), int(s.to_move)) for s in states}
    assert ways == {(LIFT, 0, 1, 0), (LIFT, 0, 2, 1), (THROW, 1, -1, 0)}


def test_text_for_a_player_hides_chance():
    states = ROUND.init(1, seed=3)
    assert "chance=?" in ROUND.text(states, 0)
    assert "?" not in ROUND.text(states)


# Sowing.


def test_play_is_in_either_direction():
    # "Play is in either direction throughout the game."
    assert sown(2, {2: 2, 9: 1}) == ({3: 1, 4: 1, 9: 1}, [0, 0])
    assert sown(CLOCKWISE + 2, {2: 2, 8: 1}) == ({0: 1, 1: 1, 8: 1}, [0, 0])
    assert sown(CLOCKWISE + 2, {7: 2, 0: 1}, to_move=1) == ({0: 1, 5: 1, 6: 1}, [0, 0])


def test_only_own_holes_are_lifted_and_no_store():
    # "no player can play from a store"; "A move may not begin from a store."
    states = position({0: 1, 3: 11, 6: 2}, store=[9, 9], large=(HOME, HOME))
    assert legal(ROUND, states) == [0, 3, CLOCKWISE, CLOCKWISE + 3]


def test_origin_is_not_skipped():
    # Thirteen stones go round the twelve places; the last falls into hole 1, and hole 2 is lifted next.
    assert sum(sown(0, {0: 13, 8: 1})[1]) >= 2
    once = make_game(NAME, max_laps=1)
    assert sown(0, {0: 13}, once, store=[0, 1]) == ({hole: 1 + (hole == 1) for hole in range(10)}, [1, 2])


def test_relay_from_the_postultimate_hole():
    # "relay from the postultimate hole of a sowing", whatever the last hole held
    for held in (0, 3):
        state, _ = play(position({0: 1, 1: held, 2: 2, 9: 1}), 0)
        assert seeds(state) == {1: held + 1, 3: 1, 4: 1, 9: 1}
        assert (state.to_move, state.turn) == (1, 1)
    # "if this and the next hole are both empty, the move ends with no capture"
    state, _ = play(position({0: 1, 4: 3, 9: 1}), 0)
    assert seeds(state) == {1: 1, 4: 3, 9: 1}
    assert (state.store.tolist(), state.to_move) == ([0, 0], 1)


def test_capture_of_an_alternating_sequence():
    # "capture from an alternating sequence of empty and non-empty holes beginning with the postultimate hole";
    # summary: "until there are two occupied or two empty holes in a row"
    assert sown(0, {0: 1, 3: 4, 9: 1}) == ({1: 1, 9: 1}, [4, 0])
    assert sown(3, {3: 1, 5: 3, 7: 2, 8: 1, 9: 1}) == ({4: 1, 8: 1, 9: 1}, [5, 0])
    assert sown(3, {3: 1, 5: 3, 7: 2, 0: 1}, store=[0, 1]) == ({0: 1, 4: 1}, [5, 1])
    # A chain goes round once at most.
    assert sown(3, {3: 1, 5: 3, 7: 2, 9: 1, 0: 4, 2: 6}, store=[0, 1]) == ({}, [17, 1])
    # "Following capture, a move ends."
    state, _ = play(position({0: 1, 3: 4, 5: 2}), 0)
    assert (state.to_move, state.turn, state.phase) == (1, 1, LIFT)


def test_endless_sowing_is_stopped():
    twice, holes = make_game(NAME, max_laps=2), {1: 1, 3: 1, 5: 3, 9: 1}
    assert (sown(1, holes)[1], sown(1, holes, twice)[1]) == ([3, 0], [0, 0])
    # The second lap would relay from hole 4.
    state, _ = play(position({0: 1, 2: 1, 5: 3, 9: 1}, twice), 0, game=twice)
    assert (seeds(state), state.store.tolist(), state.turn) == ({1: 1, 3: 1, 5: 3, 9: 1}, [0, 0], 1)
    assert sown(0, {0: 1, 2: 1, 5: 3, 9: 1})[1] == [0, 0]


# Large stones.


def test_large_stones_are_played_relayed_and_captured_like_small_ones():
    # "The large stones are played, relayed and captured just like the small stones."
    assert legal(ROUND, position({9: 1}, large=(0, -3)))[:2] == [0, CLOCKWISE]
    assert goats(0, {9: 1}, large=(0, -3)) == ([1, -3], [0, 0])
    state, _ = play(position({0: 1, 9: 1}, large=(2, -3)), 0)
    assert (state.large.tolist(), seeds(state)) == ([3, -3], {1: 1, 9: 1})
    assert goats(0, {0: 1, 3: 2, 9: 1}, large=(3, 3)) == ([-2, -2], [2, 0])


def test_stones_are_sown_in_any_order():
    # "In sowing the contents of a hole containing both large and small stones, the stones may be sown in any order."
    start = {"holes": {0: 2, 9: 1}, "large": (0, -3)}
    for order, mu in (((MU,), 1), ((SMALL, MU), 2), ((SMALL, SMALL), 3)):
        states = position(**start)
        state, _ = play(states, 0)
        assert (state.phase, state.to_move, state.hand, state.at, state.heading) == (DROP, 0, 2, 0, 1)
        assert (state.large.tolist(), legal(ROUND, states)) == ([HAND, -3], [SMALL, MU])
        state, _ = play(states, *order)
        assert state.large.tolist() == [mu, -3]
        assert seeds(state) == {hole: 1 for hole in (1, 2, 3, 9) if hole != mu}
        assert (state.phase, state.hand, state.at, state.heading) == (LIFT, 0, -1, 0)


def test_both_large_stones_in_one_hand():
    states = position({9: 1}, large=(0, 0))
    play(states, 0)
    assert legal(ROUND, states) == [MU, GONG]
    state, _ = play(states, GONG)
    assert state.large.tolist() == [2, 1]


# Stores.


def test_both_stores_are_sown_into_by_both_players_and_are_sinks():
    # "Both stores are sown into normally by both players."; "whatever is sown in them never comes out, bu in effect
    # has been captured by the owner of the store"
    assert sown(4, {4: 2, 9: 1}) == ({5: 1, 9: 1}, [1, 0])
    assert sown(CLOCKWISE, {0: 2, 5: 1}) == ({5: 1, 9: 1}, [0, 1])
    assert sown(CLOCKWISE, {5: 2, 0: 1}, to_move=1) == ({0: 1, 4: 1}, [1, 0])


def test_a_goat_at_home_is_relayed_and_captured_without_the_small_stones():
    # "The large stone which is originally in a store is captured and relayed normally by both players. But small
    # stones are not captured or relayed from a store"
    home = {"store": [7, 0], "large": (HOME, HOME)}
    assert goats(3, {3: 1, 9: 1}, **home) == ([5, HOME], [7, 0])
    assert goats(CLOCKWISE + 1, {6: 1, 1: 1}, to_move=1, **home) == ([4, HOME], [7, 0])
    assert goats(2, {2: 1, 9: 1}, **home) == ([-2, HOME], [7, 0])
    assert goats(CLOCKWISE + 2, {7: 1, 1: 1}, to_move=1, **home) == ([-3, HOME], [7, 0])


def test_a_goat_sown_into_a_store_belongs_to_its_owner():
    # "nor is a large stone which has left its original store" captured or relayed from it
    state, _ = play(position({9: 1}, large=(4, -3)), 4)
    assert (state.large.tolist(), state.to_move) == ([-2, -3], 1)
    assert goats(CLOCKWISE, {4: 1, 5: 1}, large=(-3, 0)) == ([-3, -3], [0, 0])


def test_a_store_counts_as_empty():
    # "if the ultimate hole of a sowing is just before a store, then the stones in the hole following the store are
    # captured. More generally, it counts as 'empty' in constituting an alternating sequence"
    assert sown(3, {3: 1, 5: 3, 9: 1}, store=[6, 0]) == ({4: 1, 9: 1}, [9, 0])
    assert sown(CLOCKWISE + 1, {1: 1, 3: 1, 5: 1, 7: 1}, store=[6, 0]) == ({0: 1, 3: 1, 5: 1, 7: 1}, [6, 0])
    assert sown(CLOCKWISE + 1, {1: 1, 9: 2, 7: 1, 6: 1}, store=[6, 0]) == ({0: 1, 6: 1}, [9, 0])


def test_with_four_players_the_others_own_the_stores():
    # "there are two inactive players, each owning a store"; "Only the active players sow."
    state, _ = play(position({4: 2, 9: 1}, FOUR, large=(HOME, HOME)), 4, game=FOUR)
    assert (state.store.tolist(), state.to_move) == ([0, 0, 1, 0], 1)
    state, _ = play(position({9: 1}, FOUR, large=(4, -5)), 4, game=FOUR)
    assert state.large.tolist() == [-4, -5]
    with pytest.raises(ValueError, match="to_move"):
        position({4: 2}, FOUR, to_move=2)


# Huelshe.


def test_a_player_without_stones_in_the_row_may_huelshe():
    # "Whenever a player whose turn it is to move has no stones in any of the holes in his sector, he may 'huelshe' by
    # placing a single stone in each hole in his sector, and then playing normally."
    states = position({0: 1, 4: 1}, store=[0, 8])
    state, _ = play(states, 0)
    assert (state.phase, state.to_move, state.turn) == (HUELSHE, 1, 1)
    assert legal(ROUND, states) == [NO, HOLE]
    state, _ = play(states, HOLE)
    assert (seeds(state), state.store.tolist()) == ({1: 1, 4: 1, **dict.fromkeys(range(5, 10), 1)}, [0, 3])
    # The same turn continues, and an offer is no longer allowed.
    assert (state.phase, state.to_move, state.turn, state.offered) == (LIFT, 1, 1, 1)
    assert legal(ROUND, states) == list(range(10))
    # A large stone in the row forbids it.
    state, _ = play(position({0: 1}, large=(-2, 7), store=[0, 8]), 0)
    assert (state.phase, state.to_move) == (LIFT, 1)


def test_declining_ends_the_round():
    # "If he declines to do this, the round ends, and his opponent confiscates all the stones on his side of the board."
    state, rewards = play(position({1: 2, 4: 1}, to_move=1, phase=HUELSHE, store=[6, 8], turn=9), NO)
    assert (state.store.tolist(), seeds(state), state.turn) == ([9, 8], {}, 9)
    assert (state.to_move, state.winner, state.ended, rewards) == (-1, 0, 1, [1, -1])  # 9 + 7 to 8 + 6
    # So does a lack of stones.
    state, rewards = play(position({0: 1, 4: 1}, store=[0, 0], large=(HOME, -3)), 0)
    # The goat at home goes to the owner of its store.
    assert (state.store.tolist(), state.large.tolist(), state.turn) == ([2, 0], [-2, -3], 1)
    assert (state.ended, rewards) == (1, [1, -1])


NORTHS_HUELSHE = {"holes": {1: 2}, "to_move": 1, "phase": HUELSHE}


def test_huelshe_is_obligatory_with_a_goat_at_home():
    # "If there is still a large stone in its original store, then huelshe is obligatory, as otherwise the large stone
    # would belong to neither player."
    assert legal(ROUND, position(**NORTHS_HUELSHE, store=[0, 8], large=(HOME, -3))) == [HOLE]


def test_huelshe_with_fewer_stones_than_holes():
    # "he may place his stones in as many holes as he can. The choice of holes is his, but there may be no gaps"
    assert legal(ROUND, position(**NORTHS_HUELSHE, store=[0, 2])) == [NO, HOLE, HOLE + 1, HOLE + 2, HOLE + 3]
    assert sown(HOLE + 2, **NORTHS_HUELSHE, store=[0, 2]) == ({1: 2, 7: 1, 8: 1}, [0, 0])


def test_huelshe_skips_sold_holes():
    # "on huelshe nothing is placed in it by either player"
    fields = NORTHS_HUELSHE | {"store": [0, 2], "sold_to": sold({7: 0})}
    assert legal(ROUND, position(**fields)) == [NO, HOLE, HOLE + 1, HOLE + 3]
    assert sown(HOLE + 1, **fields) == ({1: 2, 6: 1, 8: 1}, [0, 0])
    assert legal(ROUND, position(**fields | {"store": [0, 9], "sold_to": sold({5: 0})})) == [NO, HOLE + 1]


# The end of a round.


def test_round_ends_by_mutual_agreement():
    # "The round ends by mutual agreement, each player taking the few stones left in his sector."
    states = position({0: 2, 6: 5}, store=[9, 9], large=(3, -3))
    assert OFFER in legal(ROUND, states)
    state, _ = play(states, OFFER)
    assert (state.phase, state.to_move, state.offered, legal(ROUND, states)) == (ANSWER, 1, 1, [YES, NO])
    state, rewards = play(states, YES)
    assert (state.store.tolist(), state.large.tolist(), state.turn) == ([11, 14], [-2, -3], 0)
    assert (rewards, state.winner) == ([-1, 1], 1)  # 11 + 7 to 14 + 6


def test_after_a_refused_offer_the_player_must_move():
    states = position({0: 2, 6: 5})
    state, _ = play(states, OFFER, NO)
    assert (state.phase, state.to_move, state.turn) == (LIFT, 0, 0)
    assert legal(ROUND, states) == [0, CLOCKWISE]
    state, _ = play(states, 0)
    assert (state.offered, state.to_move) == (0, 1)


def test_offers_need_few_stones_and_no_goat_at_home():
    # "otherwise the large stone would belong to neither player"
    assert OFFER in legal(ROUND, position({0: 9, 6: 1}))
    assert OFFER not in legal(ROUND, position({0: 10, 6: 1}))
    for large in ((3, -3), (HOME, -3)):
        assert OFFER not in legal(ROUND, position({0: 9, 6: 1}, large=large))
    without = make_game(NAME, agreement=False)
    assert OFFER not in legal(without, position({0: 9}, without))


def test_max_turns_ends_a_round_as_by_agreement():
    state, rewards = play(position({0: 1, 4: 1, 8: 3}, turn=149, large=(HOME, HOME)), 0)
    assert (state.store.tolist(), state.large.tolist(), state.turn) == ([2, 3], [-2, -3], 150)
    assert (state.ended, rewards) == (1, [0, 0])  # 2 + 7 to 3 + 6


def test_margin_counts_stones_and_prices():
    game = make_game(NAME, reward="margin")
    states = position({0: 2, 6: 5}, game, store=[20, 23])
    assert play(states, OFFER, YES, game=game)[1] == pytest.approx([-5 / 63, 5 / 63])  # 22 + 7 to 28 + 6


@pytest.mark.parametrize(("most", "rewards"), [(20, [1, -1 / 3, -1 / 3, -1 / 3]), (10, [0, 0, 0, 0])])
def test_four_players_share_the_reward(most, rewards):
    # With 10 stones they have 12 each.
    states = position({0: 2, 6: 5}, FOUR, store=[most, 7, 5, 6], large=(-4, -5))
    assert play(states, OFFER, YES, game=FOUR)[1] == pytest.approx(rewards)


# Sold holes.


def test_a_sold_hole_is_a_sink_for_its_owner_and_counts_as_empty_for_either_player():
    # "anything sown into it is immediately taken by the owner"
    assert sown(0, {0: 2, 9: 1}, sold_to=sold({1: 1})) == ({2: 1, 9: 1}, [0, 1])
    assert legal(ROUND, position({0: 2, 9: 1}, sold_to=sold({1: 1}), large=(-2, 4)))[:2] == [0, 4]
    # "counts as an empty hole with respect to pussa kanawa captures for either player"
    assert sown(0, {0: 1, 3: 4, 9: 1}, sold_to=sold({2: 1})) == ({1: 1, 9: 1}, [4, 0])
    # North's last stone falls into hole 3. Hole 2, which is sold, counts as empty, so hole 1 is captured.
    norths = sown(CLOCKWISE, {5: 3, 1: 4, 0: 1}, to_move=1, sold_to=sold({2: 1}))
    assert norths == ({0: 1, 3: 1, 4: 1}, [1, 4])


def test_a_large_stone_played_into_a_bought_hole_is_captured():
    # "A player is free to relay or play a large stone into a hole he has bought,, thereby capturing it."
    fields = {"large": (-2, 4), "sold_to": sold({5: 0})}
    # One stone falls into the store first.
    assert goats(4, {9: 1, 0: 1}, **fields) == ([-2, -2], [0, 0])
    state, _ = play(position({4: 1, 9: 1, 0: 1}, **fields), 4, SMALL)
    assert (state.large.tolist(), state.store.tolist()) == ([-2, -2], [1, 0])


# Between rounds.


def settled(store, game=CAMPAIGN, buyers=None, answers=(), **fields):
    """Return state, legal actions and rewards after a round of a campaign that ends with stocks `store`.

    `buyers` is a dict {sold hole: buyer}; `answers` are actions played after the end of the round.
    """
    sold_to = sold(buyers or {})
    stock = [store[0] - 1, *store[1:]]
    fields = {"large": WON if game.num_players == 2 else (-4, -5), **fields}
    states = position({sold_to.index(-1): 1}, game, to_move=1, phase=ANSWER, store=stock, sold_to=sold_to, **fields)
    state, rewards = play(states, YES, *answers, game=game)
    return state, legal(game, states), rewards


def accounts(*given, **fields):
    """Return the debts and the stores after a round, as `settled`."""
    state, _, _ = settled(*given, **fields)
    return state.debt.tolist(), state.store.tolist()


def test_holes_are_refilled_and_fingers_thrown_again():
    # "At the end of a round the players attempt to refill their holes as they were initially."
    state, _, rewards = settled([25, 25], turn=12)
    assert (state.holes.tolist(), state.store.tolist(), state.large.tolist()) == ([5] * 10, [0, 0], [HOME, HOME])
    assert (state.round_number, state.turn, state.phase, rewards) == (2, 0, LIFT, [0, 0])
    # "This procedure is followed at the start of each round."
    game = make_game(NAME, campaign=True, first="throw")
    state, _, _ = settled([25, 25], game, thrown=[0, 2])
    assert (state.phase, state.to_move, state.thrown.tolist(), state.round_number) == (THROW, 0, [-1, -1], 2)


@pytest.mark.parametrize(
    ("prices", "large", "store", "left"),
    # "The large stones, if they do not now belong to their original owners, must be bought back." "the mu is worth
    # seven, and the gong is worth six. But it is also acceptable to value them both at five."
    [
        ((7, 6), (-2, -3), [25, 25], [0, 0]),
        ((7, 6), (-2, -2), [21, 29], [2, -2]),
        ((7, 6), (-3, -3), [29, 21], [-3, 3]),
        ((7, 6), (-3, -2), [25, 25], [-1, 1]),
        ((5, 5), (-2, -2), [22, 28], [2, -2]),
        ((5, 5), (-3, -2), [25, 25], [0, 0]),
    ],
)
def test_goats_are_paid_for(prices, large, store, left):
    state, _, _ = settled(store, make_game(NAME, campaign=True, prices=prices), large=large)
    claims = state.debt - state.debt.T
    assert [claims[1, 0], claims[0, 1]] == left
    assert (state.holes.tolist(), state.store.tolist()) == ([5] * 10, [0, 0])


def test_a_player_with_too_few_stones_borrows():
    # "A player who, at the end of a round, has less than his original complement, must borrow from another player."
    # "A player who has a surplus may not refuse to lend."
    state, _, _ = settled([27, 23])
    assert (state.debt.tolist(), state.holes.tolist(), state.store.tolist()) == ([[0, 0], [2, 0]], [5] * 10, [0, 0])
    # "The debt is remembered, and accumulates from round to round."
    state, _, _ = settled([27, 23], debt=[[0, 0], [2, 0]])
    assert (state.debt.tolist(), state.phase) == ([[0, 0], [4, 0]], LIFT)


def test_a_debt_of_five_forces_a_sale():
    # "If a player's debt to another reaches five, he is obliged to sell a hole. The seller chooses which of his holes
    # to sell. In return for the hole, the seller receives five stones"
    state, choices, _ = settled([27, 23], debt=[[0, 0], [3, 0]], turn=7)
    assert (state.phase, state.to_move, choices) == (SELL, 1, [HOLE + hole for hole in range(5)])
    assert (state.debt.tolist(), state.store.tolist()) == ([[0, 0], [4, 0]], [26, 24])
    assert (state.round_number, state.turn, seeds(state), state.large.tolist()) == (1, 7, {}, [HOME, HOME])
    # "which he may use to repay debt and to fill holes": 24 + 5 stones fill four holes and repay four.
    state, _, _ = settled([27, 23], debt=[[0, 0], [3, 0]], answers=[HOLE + 2])
    assert (state.debt.tolist(), state.store.tolist()) == ([[0, 0], [0, 0]], [0, 5])
    assert (state.sold_to.tolist(), state.holes.tolist()) == ([-1] * 7 + [0, -1, -1], [5] * 7 + [0, 5, 5])
    assert (state.round_number, state.phase) == (2, LIFT)


def test_no_debt_exceeds_four():
    # "so long as the debt to any player does not exceed four"
    for store, answers, phase, debt, left in (
        ([36, 14], [], SELL, 4, [32, 18]),
        ([40, 10], [HOLE], SELL, 4, [31, 19]),
        ([40, 10], [HOLE, HOLE + 1], LIFT, 0, [5, 5]),
    ):
        state, _, _ = settled(store, answers=answers)
        assert (state.phase, state.debt.tolist(), state.store.tolist()) == (phase, [[0, 0], [debt, 0]], left)


def test_a_surplus_repays_debts_and_mutual_debts_are_netted():
    # Player 1 repays two stones, then lends one to player 0.
    assert accounts([22, 28], debt=[[0, 0], [2, 0]]) == ([[0, 1], [0, 0]], [0, 0])
    assert accounts([25, 25], debt=[[0, 3], [1, 0]]) == ([[0, 2], [0, 0]], [0, 0])


def test_a_sold_hole_is_bought_back():
    # "If a player who has sold a hole originally in his sector accumulates the five surplus stones needed to buy it
    # back, he may do so, and his opponent may not refuse the transaction. But he must still have or borrow the stones
    # needed to fill it."
    state, choices, _ = settled([30, 20], buyers={1: 1, 3: 1}, turn=3)
    assert (state.phase, state.to_move, state.turn) == (BUY_BACK, 0, 3)
    assert choices == [NO, HOLE + 1, HOLE + 3]
    state, choices, _ = settled([30, 20], buyers={1: 1, 3: 1}, answers=[HOLE + 3])
    # After 30 - 5 and four full holes five stones are left. They pay for a hole, but to fill it takes a debt of five.
    assert (state.phase, state.store.tolist(), state.holes.tolist()) == (LIFT, [5, 0], [5, 0, 5, 5, 5] + [5] * 5)
    state, _, _ = settled([25, 25], buyers={1: 1, 3: 1}, answers=[NO])
    assert (state.store.tolist(), state.sold_to.tolist()[:5]) == ([10, 0], [-1, 1, -1, 1, -1])


def test_a_player_who_could_not_fill_a_hole_or_is_in_debt_may_not_buy_it_back():
    for stones, phase in ((25, LIFT), (26, BUY_BACK)):
        assert settled([stones, 50 - stones], buyers={4: 1})[0].phase == phase
    game = make_game(NAME, campaign=True, debt_limit=100)
    state, _, _ = settled([26, 24], game, buyers={4: 1}, debt=[[0, 6], [0, 0]])
    assert (state.phase, state.debt.tolist()) == (LIFT, [[0, 0], [0, 0]])


def test_the_example_in_the_source_is_reproduced():
    # "one of the players has four of the original five holes remaining in his sector, his original large stone, and 26
    # small stones. He then places the large stone in its store, fills each of his four holes with five stones, buys
    # back the fifth hole for five stones, places his single remaining stone in it, and borrows the four stones
    # necessary to fill it from his opponent. The next round then starts."
    state, choices, _ = settled([26, 24], buyers={4: 1})
    assert (state.phase, state.to_move, state.store.tolist(), choices) == (BUY_BACK, 0, [26, 24], [NO, HOLE + 4])
    state, _, _ = settled([26, 24], buyers={4: 1}, answers=[HOLE + 4])
    assert state.debt.tolist() == [[0, 4], [0, 0]]
    assert (state.holes.tolist(), state.store.tolist()) == ([5] * 10, [0, 0])
    assert (state.large.tolist(), state.sold_to.tolist()) == ([HOME, HOME], [-1] * 10)
    assert (state.round_number, state.phase) == (2, LIFT)


def test_a_player_who_sells_the_last_hole_loses():
    state, _, rewards = settled([49, 1], buyers=dict.fromkeys(range(5, 9), 0), debt=[[0, 0], [4, 0]])
    assert (state.ended, state.winner, rewards, state.round_number) == (1, 0, [1, -1], 1)
    # The price is paid, the debt stays.
    assert (state.store.tolist(), state.debt.tolist()) == ([44, 6], [[0, 0], [4, 0]])
    assert state.sold_to.tolist() == [-1] * 5 + [0] * 5
    # Even with more worth: player 0 has nineteen of the twenty stones for the last hole, player 1 none.
    game = make_game(NAME, campaign=True, seeds=20, hole_price=1, debt_limit=1)
    state, _, rewards = settled([19, 0], game, buyers=dict.fromkeys(range(4), 1))
    assert (state.store.tolist(), state.winner, rewards) == ([20, -1], 1, [-1, 1])


def test_after_the_last_round_goats_are_paid_for_and_worth_decides():
    state, _, rewards = settled([28, 22], round_number=30, large=(-3, -3), buyers={0: 1}, debt=[[0, 0], [4, 0]])
    # 28 - 7 + 4 stones and four holes at five against 22 + 7 - 4 stones and six holes.
    assert (state.store.tolist(), state.debt.tolist(), state.round_number) == ([21, 29], [[0, 0], [4, 0]], 30)
    assert (state.winner, rewards) == (1, [-1, 1])
    game = make_game(NAME, campaign=True, reward="margin")
    _, _, rewards = settled([28, 22], game, round_number=30, large=(-3, -3), buyers={0: 1}, debt=[[0, 0], [4, 0]])
    assert rewards == pytest.approx([-10 / 100, 10 / 100])


def test_most_lead_covers_the_prices_of_both_goats_in_every_round():
    # A player can win nothing and pay 7 + 6 thirty times by debts; the other then has all stones and holes and claims.
    total, debts = 2 * 5 * 5 + 10 * 5, 30 * (7 + 6)
    assert CAMPAIGN.book.campaign.most_lead(CAMPAIGN.options) >= (total + 2 * debts) / total


def test_store_owners_borrow_without_limit():
    state, _, _ = settled([25, 25, 0, 0], FOUR_CAMPAIGN, large=(-2, -5))
    assert (state.debt[2].tolist(), state.store.tolist(), state.phase) == ([7, 0, 0, 0], [0, 0, 0, 0], LIFT)


def test_stones_to_fill_a_hole_bought_back_come_from_its_former_owner():
    given = {"store": [26, 8, 16, 0], "game": FOUR_CAMPAIGN, "buyers": {0: 1, 6: 2, 7: 2, 8: 2, 9: 2}}
    state, _, _ = settled(**given)
    assert (state.phase, state.to_move) == (BUY_BACK, 0)
    state, choices, _ = settled(**given, answers=[HOLE])
    assert (state.to_move, choices) == (1, [NO, HOLE + 1, HOLE + 2, HOLE + 3, HOLE + 4])
    debt, store = accounts(**given, answers=[HOLE, NO])
    assert (debt[0], store) == ([0, 4, 0, 0], [0, 4, 16, 0])


def test_after_a_sale_all_players_are_checked_again():
    debt = [[0] * 4, [4, 0, 4, 4], [0] * 4, [0] * 4]
    state, _, _ = settled([29, 13, 4, 4], FOUR_CAMPAIGN, debt=debt, answers=[HOLE])
    # The price leaves player 0 one stone short. Player 0 borrows it before player 1 must sell again.
    assert (state.phase, state.to_move, state.sold_to[5]) == (SELL, 1, 0)
    assert (state.debt[0].tolist(), state.store.tolist()) == ([0, 0, 1, 0], [25, 18, 3, 4])


def test_worth_decides_a_campaign_of_four_players():
    buyers, debt = dict.fromkeys(range(5, 9), 2), [[0] * 4, [4, 0, 4, 4], [0] * 4, [0] * 4]
    state, _, rewards = settled([25, 1, 14, 10], FOUR_CAMPAIGN, buyers, debt=debt)
    # Player 2 buys the last hole: 14 - 5 + 4 and five holes at five.
    assert state.store.tolist() == [25, 6, 9, 10]
    assert (state.winner, rewards) == (0, pytest.approx([1, -1 / 3, -1 / 3, -1 / 3]))


# Positions.


SOWING = {"phase": DROP, "hand": 1, "at": 3, "heading": 1, "holes": [4] + [5] * 9, "large": [HAND, HOME]}
OFFERED = {"phase": ANSWER, "holes": [1] * 10, "store": [20, 20], "large": list(WON)}
SHORT = {"phase": SELL, "holes": [0] * 10, "store": [10, 40], "debt": [[0, 4], [0, 0]]}
RICH = {"phase": BUY_BACK, "holes": [0] * 10, "store": [26, 24], "sold_to": [1] + [-1] * 9}
NO_ROW = {"phase": HUELSHE, "holes": [0] * 5 + [5] * 5, "store": [25, 0]}


@pytest.mark.parametrize(
    ("game", "fields", "says"),
    [
        (ROUND, {"holes": [6] + [5] * 9}, "seeds"),
        (ROUND, {"to_move": 2}, "to_move must"),
        (FOUR, {"to_move": 2}, "to_move must be 0 or 1, the players with rows; got 2"),
        (ROUND, {"holes": [0] + [5] * 9, "store": [5, 0], "sold_to": [0] + [-1] * 9}, "sold_to 0 of hole 0 must be"),
        (ROUND, {"holes": [0] + [5] * 9, "store": [5, 0], "sold_to": [2] + [-1] * 9}, "sold_to 2 of hole 0 must be"),
        (ROUND, {"holes": [0] + [5] * 9, "store": [5, 0], "sold_to": [-2] + [-1] * 9}, "sold_to -2 of hole 0 must be"),
        (ROUND, {"holes": [5] * 9 + [0], "store": [5, 0], "sold_to": [-1] * 9 + [1]}, "sold_to 1 of hole 9 must be"),
        (ROUND, {"sold_to": [1] + [-1] * 9}, "hole 0 is sold and must be empty"),
        (ROUND, {"holes": [0] * 5 + [5] * 5, "store": [25, 0], "sold_to": [1] * 5 + [-1] * 5}, "both rows must have"),
        (ROUND, {"holes": [5] * 5 + [0] * 5, "store": [25, 0], "sold_to": [-1] * 5 + [0] * 5}, "both rows must have"),
        (ROUND, {"debt": [[1, 0], [0, 0]]}, "debt must be at least 0, and 0 on the diagonal"),
        (ROUND, {"debt": [[0, -1], [0, 0]]}, "debt must be at least 0, and 0 on the diagonal"),
        (ROUND, {"asked_first": [-1, 2]}, "asked_first must lie in -1..1"),
        (ROUND, {"asked_first": [-2, -1]}, "asked_first must lie in -1..1"),
        (FOUR, {"asked_first": [-1, -1, -1, 4]}, "asked_first must lie in -1..3"),
        (ROUND, {"store": [-1, 1]}, "store may be below 0 only in phases 5 and 6"),
        (ROUND, {"large": [HAND + 1, HOME]}, "large must lie in -3..10"),
        (ROUND, {"large": [-4, HOME]}, "large must lie in -3..10"),
        (FOUR, {"large": [-6, HOME]}, "large must lie in -5..10"),
        (ROUND, {"large": [HAND, HOME]}, "in the hand .10. only in phase 1"),
        (ROUND, {"thrown": [3, 0]}, "thrown must lie in -1..2"),
        (ROUND, {"thrown": [0, -2]}, "thrown must lie in -1..2"),
        (ROUND, {"ties": 9}, "ties must lie in 0..8"),
        (ROUND, SOWING | {"laps": 256}, "laps must lie in 0..255"),
        (ROUND, SOWING | {"laps": -1}, "laps must lie in 0..255"),
        (ROUND, {"offered": 2}, "offered must be 0 or 1"),
        (ROUND, SOWING | {"at": 12}, "phase 1 needs at in 0..11 and heading -1 or 1"),
        (ROUND, SOWING | {"at": -1}, "phase 1 needs at in 0..11 and heading -1 or 1"),
        (ROUND, SOWING | {"heading": 0}, "phase 1 needs at in 0..11 and heading -1 or 1"),
        (ROUND, SOWING | {"large": [3, HOME]}, "phase 1 needs more than one kind of stone in the hand"),
        (ROUND, SOWING | {"hand": 0, "holes": [5] * 10}, "phase 1 needs more than one kind of stone in the hand"),
        (ROUND, {"hand": 1, "holes": [4] + [5] * 9}, "hand and laps must be 0, at -1 and heading 0 except in phase 1"),
        (ROUND, {"at": 3}, "hand and laps must be 0, at -1 and heading 0 except in phase 1"),
        (ROUND, {"heading": 1}, "hand and laps must be 0, at -1 and heading 0 except in phase 1"),
        (ROUND, {"laps": 1}, "hand and laps must be 0, at -1 and heading 0 except in phase 1"),
        (ROUND, {"phase": THROW}, "phase 4 needs first='throw' and turn 0"),
        (THROWN, {"phase": THROW, "turn": 1}, "phase 4 needs first='throw' and turn 0"),
        (THROWN, {"phase": THROW, "thrown": [0, 1]}, "in phase 4 player 0 throws first, then player 1"),
        (THROWN, {"phase": THROW, "thrown": [0, -1]}, "in phase 4 player 0 throws first, then player 1"),
        (THROWN, {"phase": THROW, "to_move": 1}, "in phase 4 player 0 throws first, then player 1"),
        (THROWN, {"phase": THROW, "ties": 8}, "in phase 4 player 0 throws first, then player 1"),
        (ROUND, {"thrown": [0, -1]}, "thrown must be -1 for both players or for none"),
        (ROUND, {"thrown": [-1, 0]}, "thrown must be -1 for both players or for none"),
        (ROUND, OFFERED | {"offered": 0}, "in phase 2 offered must be 1"),
        (ROUND, OFFERED | {"holes": [2] + [1] * 9, "store": [20, 19]}, "the offer of phase 2 must have been legal"),
        (ROUND, OFFERED | {"large": [3, -3]}, "the offer of phase 2 must have been legal"),
        (ROUND, OFFERED | {"large": [HOME, -3]}, "the offer of phase 2 must have been legal"),
        (ROUND, OFFERED | {"holes": [1] * 5 + [0] * 5, "store": [22, 23]}, "the offer of phase 2 must have been legal"),
        (ROUND, {"phase": HUELSHE}, "in phase 3 the mover must have stones, but none in the own row"),
        (ROUND, NO_ROW | {"store": [0, 25]}, "in phase 3 the mover must have stones, but none in the own row"),
        (ROUND, NO_ROW | {"large": [4, HOME]}, "in phase 3 the mover must have stones, but none in the own row"),
        (ROUND, NO_ROW | {"offered": 1}, "in phase 3 offered must be 0"),
        (ROUND, {"phase": SELL}, "phase 5 needs a campaign"),
        (ROUND, {"phase": BUY_BACK}, "phase 6 needs a campaign"),
        (CAMPAIGN, SHORT | {"holes": [1] + [0] * 9, "store": [10, 39]}, "between rounds the holes are empty"),
        (CAMPAIGN, RICH | {"large": [HOME, -3]}, "between rounds the holes are empty, large is -1, -1 and offered 0"),
        (CAMPAIGN, SHORT | {"offered": 1}, "between rounds the holes are empty, large is -1, -1 and offered 0"),
        (CAMPAIGN, SHORT | {"debt": [[0, 3], [0, 0]]}, "in phase 5 the mover must be short, without a lender"),
        (CAMPAIGN, SHORT | {"store": [25, 25]}, "in phase 5 the mover must be short, without a lender"),
        (CAMPAIGN, SHORT | {"store": [4, 46], "sold_to": [-1] + [1] * 4 + [-1] * 5}, "have at least two holes to sell"),
        (CAMPAIGN, RICH | {"store": [25, 25]}, "in phase 6 the mover must be able to buy a hole back"),
        (CAMPAIGN, RICH | {"to_move": 1}, "in phase 6 the mover must be able to buy a hole back"),
        (ROUND, {"phase": 7}, "phase must"),
        (ROUND, {"round_number": 2}, "round_number must"),
    ],
)
def test_inconsistent_positions_are_refused(game, fields, says):
    with pytest.raises(ValueError, match=f"{NAME}.*{says}"):
        game.load(**{"to_move": 0, **fields})


@pytest.mark.parametrize(
    ("game", "fields"),
    [
        (ROUND, SOWING),
        (ROUND, SOWING | {"at": 11, "heading": -1, "laps": 255}),
        (ROUND, SOWING | {"at": 0, "hand": 0, "holes": [5] * 10, "large": [HAND, HAND]}),
        (ROUND, OFFERED),
        (ROUND, OFFERED | {"holes": [1] * 9 + [0], "store": [20, 21], "large": [0, -3]}),
        (ROUND, NO_ROW),
        (ROUND, {"large": [-3, 9], "asked_first": [1, 0], "ties": 8, "thrown": [2, 2], "offered": 1}),
        (FOUR, {"large": [-5, 0], "asked_first": [3, -1, -1, -1]}),
        (THROWN, {"phase": THROW, "ties": 7}),
        (THROWN, {"phase": THROW, "to_move": 1, "thrown": [2, -1]}),
        (CAMPAIGN, SHORT),
        (CAMPAIGN, SHORT | {"store": [9, 41], "sold_to": [-1, -1, 1, 1, 1] + [-1] * 5}),
        (CAMPAIGN, SHORT | {"store": [-7, 57]}),
        (CAMPAIGN, RICH),
    ],
)
def test_positions_at_the_limits_are_accepted(game, fields):
    states = game.load(**{"to_move": 0, **fields})
    for name, value in fields.items():
        assert states[0][name].tolist() == value
    assert states[0].offered == (fields["offered"] if "offered" in fields else fields.get("phase") == ANSWER)
    assert game.text(states) == game.text(game.parse(game.text(states)))


def test_a_position_with_nothing_to_lift_names_the_phase_to_use():
    empty_row = {"to_move": 0, "holes": [0] * 5 + [5] * 5}
    with pytest.raises(ValueError, match="nothing to lift in phase 0; use phase 3, huelshe or decline"):
        ROUND.load(**empty_row, store=[1, 24])
    assert ROUND.load(**empty_row, store=[25, 0], phase=HUELSHE)[0].phase == HUELSHE
    with pytest.raises(ValueError, match="nothing to lift in phase 0, nor stones for a huelshe"):
        ROUND.load(**empty_row)


@pytest.mark.parametrize(
    ("game", "store", "seen"),
    [
        # A player pays at most one goat or hole before payments balance, and receives at most one from each other one.
        (CAMPAIGN, [-100, 150], {"own_stock": 0, "own_below": 7, "other_stock": 57, "other_below": 0}),
        (CAMPAIGN, [-7, 57], {"own_stock": 0, "own_below": 7, "other_stock": 57, "other_below": 0}),
        (CAMPAIGN, [-6, 56], {"own_stock": 0, "own_below": 6, "other_stock": 56, "other_below": 0}),
        (FOUR_CAMPAIGN, [-100, 150, 0, 0], {"own_below": 7, "opposite_stock": 71, "fourth_stock": 0}),
        (FOUR_CAMPAIGN, [-20, 0, 0, 70], {"own_below": 7, "fourth_stock": 70}),
    ],
)
def test_columns_of_stocks_cover_all_that_payments_can_lead_to(game, store, seen):
    debt = np.zeros((game.num_players,) * 2, int)
    debt[0] = 4
    debt[0, 0] = 0
    states = position({}, game, phase=SELL, store=store, debt=debt, large=(HOME, HOME))
    assert {name: number for name, number in seen_by(game, states).items() if name in seen} == seen
    highest = {column.name: column.high for column in game.observation_fields}
    most = {name.rpartition("_")[2]: number for name, number in highest.items() if name.endswith(("stock", "below"))}
    assert most == {"stock": 50 + 7 * (game.num_players - 1), "below": 7}


@pytest.mark.parametrize(
    "game", [ROUND, CAMPAIGN, THROWN, *slowly(make_game(FOUR_CAMPAIGN.header))], ids=lambda game: game.header
)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_invariants(game, seed):
    states = game.init(50, seed=seed)
    highest = np.array([column.high for column in game.observation_fields])
    for decision in range(400):
        live = states.to_move >= 0
        mask = game.legal(states)
        assert (mask.any(axis=1) == live).all()
        stones = states.holes.sum(axis=1, dtype=int) + states.store.sum(axis=1) + states.hand
        assert (stones == 50).all()
        assert (states.holes[states.sold_to >= 0] == 0).all()
        assert ((states.large == HAND).any(axis=1) <= (states.phase == DROP)).all()
        for player in range(game.num_players):
            assert (game.observe(states, player) <= highest).all()
        if decision % 5 == 0:
            state = states[decision % 50 : decision % 50 + 1]
            assert game.parse(game.text(state)).tobytes() == state.tobytes()
        if not live.any():
            break
        rewards = game.step(states, game.sample(states, seed + decision))
        assert np.abs(rewards.sum(axis=1)).max() < 1e-5
        assert not rewards[states.to_move >= 0].any()


@pytest.mark.parametrize("options", [{"first": "throw"}, {"players": 4}], ids=str)
@settings(max_examples=15, deadline=None)
@given(holes=st.lists(st.integers(0, 4), min_size=10, max_size=10).filter(lambda holes: any(holes[:5])))
def test_positions_with_any_number_of_stones_can_be_played_to_the_end(options, holes):
    game = make_game(NAME, campaign=True, **options)
    highest = [column.high for column in game.observation_fields]
    states = position(dict(enumerate(holes)), game, large=(HOME, HOME))
    stones = sum(holes)
    for decision in range(5000):
        if states[0].to_move < 0:
            break
        if decision % 10 == 0:
            assert game.parse(game.text(states)).tobytes() == states.tobytes()
            assert all((game.observe(states, player) <= highest).all() for player in range(game.num_players))
        assert not states.holes[states.sold_to >= 0].any()
        assert states.holes.sum() + states.store.sum() + states.hand[0] == stones
        game.step(states, game.sample(states, decision))
    assert states[0].ended


def test_the_largest_board_can_be_observed_in_plain_python():
    # In plain Python the fields of a record are small NumPy integers, which can overflow.
    game = PlainGame(NAME, columns=127, seeds=1)
    assert game.observe(game.init(8, 0)).shape == (8, len(game.observation_fields))


# Environments.


@pytest.mark.filterwarnings("ignore::UserWarning")  # of dictionary observations
@pytest.mark.parametrize("options", [{"campaign": True, "max_rounds": 2}, {"players": 4}])
def test_pettingzoo_api(options, capsys):
    api_test(ceelkoqyuqkoqiji_v0.env(**options), num_cycles=200)
    capsys.readouterr()


@pytest.mark.slow
def test_four_agents_of_whom_two_decide():
    env = ceelkoqyuqkoqiji_v0.env(players=4)
    env.reset(seed=1)
    trace, rewards = traced(env, first_legal)
    assert {agent for agent, *_, action in trace if action is not None} == {"player_0", "player_1"}
    assert len(rewards) == 4
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_learners_take_only_seats_that_decide():
    env = gym.make("mancala_envs/Ceelkoqyuqkoqiji-v0", players=4, opponent=["greedy", "random", "random"])
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(30)}
    assert seats == {0, 1}
    with pytest.raises(ValueError, match="seat"):
        gym.make("mancala_envs/Ceelkoqyuqkoqiji-v0", players=4, seat=2)
    envs = gym.make_vec("mancala_envs/Ceelkoqyuqkoqiji-v0", num_envs=64, players=4)
    _, infos = envs.reset(seed=0)
    assert infos["action_mask"].any(axis=1).all()
    envs.close()


def test_captions_show_goats_hand_and_debts():
    states = position({0: 3, 9: 1}, CAMPAIGN, large=(HOME, 9), debt=[[0, 3], [0, 0]])
    deciding = "to decide: lift a hole, or offer to end the round"
    goats = "mu at home, gong in P1's hole 4"
    assert CAMPAIGN.board(states).captions == (goats, f"in hand: nothing; {deciding}", "debts: P0 owes P1 3")
    states = position({9: 1}, hand=2, large=(-3, HAND), phase=DROP, at=3, heading=1)
    sowing = "in hand: 2 small and gong; to decide: choose the stone to drop next"
    assert ROUND.board(states).captions == ("mu with P1, gong in hand", sowing)
    debt = [[0, 0, 0, 4], [1, 0, 0, 0], [0] * 4, [0, 0, 2, 0]]
    states = position({0: 1}, FOUR_CAMPAIGN, debt=debt)
    assert FOUR_CAMPAIGN.board(states).captions[2] == "debts: P0 owes P3 4, P1 owes P0 1, P3 owes P2 2"
    assert CAMPAIGN.board(position({0: 1}, CAMPAIGN)).captions[2] == "debts: none"
    states = position({0: 1}, to_move=1, phase=ANSWER, store=[9, 0])
    play(states, YES)
    assert ROUND.board(states).captions == ("mu with P0, gong with P1", "in hand: nothing; to decide: nothing")


@pytest.mark.parametrize("players", [2, *slowly(4)])
def test_pictures_show_goats_and_sold_holes(players):
    game = make_game(NAME, players=players, campaign=True)
    store = [5, 6, 7, 8][:players]
    states = position({0: 3, 9: 1}, game, store=store, large=(HOME, 0), sold_to=[-1] * 7 + [0, -1, -1])
    board = game.board(states)
    assert [place.large for place in board.places[:10]] == [1] + [0] * 9
    assert [place.mark for place in board.places[:10]] == [-1] * 7 + [0, -1, -1]
    assert [place.large for place in board.places if place.tray] == [1, 0] + [0] * (players - 2)
    assert beside(game, states) == [(f"P{p}", p, store[p]) for p in ((0, 1), (2, 3, 0, 1))[players > 2]]
    env = ceelkoqyuqkoqiji_v0.env(render_mode="rgb_array", players=players)
    env.reset(seed=0)
    assert env.render().ndim == 3
