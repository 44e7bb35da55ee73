"""Congkak: a position for every rule of its page. South 0..6, North 7..13; sowing clockwise, by decreasing number."""

from functools import partial

import numpy as np
import pytest
from helpers import hole_positions
from helpers.hole_positions import marks, settled
from helpers.positions import legal, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game
from mancala_envs.core.symmetry import symmetry
from mancala_envs.families.mancala.symmetry import mirror

campaign = partial(make_game, "congkak", campaign=True)
CONGKAK, CAMPAIGN, CHOICE = make_game("congkak"), campaign(), campaign(fill="choice")
position, played, sown, outcome = hole_positions.of(CONGKAK)
LIFT, BURN, GO_ON = 0, 1, 3


def with_options(**options):
    """Return `sown` of the game with these options."""
    return partial(sown, game=make_game("congkak", **options))


# Positions of the page.


def test_the_opening_with_hole_6_ends_in_the_store():
    states = CONGKAK.init(1)
    CONGKAK.step(states, [6])
    assert states[0].holes.tolist() == [8, 8, 8, 8, 8, 8, 0, 7, 7, 7, 7, 7, 7, 7]
    assert (states[0].store.tolist(), states[0].phase, states[0].turn) == ([1, 0], GO_ON, 0)
    assert legal(CONGKAK, states) == [0, 1, 2, 3, 4, 5]


def test_the_opening_with_hole_5_and_one_lap():
    game = make_game("congkak", max_laps=1)
    state, _ = hole_positions.play(game.init(1), 5, game=game)
    assert state.holes.tolist() == [8, 8, 8, 8, 8, 0, 7, 7, 7, 7, 7, 7, 7, 8]
    assert (state.store.tolist(), state.to_move, state.turn) == ([1, 0], 1, 1)


def test_a_turn_of_dakon_goes_as_in_stonesharks_test():
    game = make_game("congkak", direction="anticlockwise")
    states = game.load(to_move=1)
    for action, holes, store, phase in [
        (6, [0, 8, 8, 8, 8, 0, 8, 8, 8, 8, 8, 8, 8, 0], [0, 10], LIFT),
        (4, [3, 1, 11, 11, 3, 4, 2, 11, 11, 11, 0, 2, 11, 3], [4, 10], GO_ON),
        (2, [6, 4, 3, 15, 7, 8, 6, 0, 14, 1, 3, 5, 2, 6], [8, 10], GO_ON),
        (2, [7, 5, 1, 17, 9, 1, 0, 2, 16, 3, 5, 7, 4, 1], [10, 10], LIFT),
    ]:
        game.step(states, [action])
        assert (states[0].holes.tolist(), states[0].store.tolist(), states[0].phase) == (holes, store, phase)
    assert (states[0].to_move, states[0].turn) == (1, 2)


def test_a_first_turn_can_win_the_round():
    states = CONGKAK.init(1)
    for action in (6, 5, 0, 0, 6, 4, 5, 2, 4, 5, 2, 0, 4):
        assert (states[0].to_move, states[0].turn) == (0, 0)
        CONGKAK.step(states, [action])
    assert states[0].holes.tolist() == [4, 6, 6, 0, 0, 0, 2, 5, 0, 7, 4, 2, 4, 1]
    assert (states[0].store.tolist(), states[0].turn) == ([57, 0], 1)


# The circuit.


def test_sows_clockwise_over_the_own_store_and_past_the_other_one():
    assert sown(1, h1=9, h6=1) == ({0: 1, **{hole: 1 for hole in range(6, 14)}}, [1, 0])
    # North's store is between hole 7 and hole 6.
    assert sown(1, to_move=1, h8=4, h0=1) == ({0: 1, 5: 1, 6: 1, 7: 1}, [0, 1])


def test_anticlockwise_the_store_is_at_the_right():
    anticlockwise = with_options(direction="anticlockwise")
    assert anticlockwise(5, h5=4, h2=1) == ({2: 1, 6: 1, 7: 1, 8: 1}, [1, 0])
    assert anticlockwise(5, to_move=1, h12=4, h2=1) == ({0: 1, 1: 1, 2: 1, 13: 1}, [0, 1])


@pytest.mark.parametrize("mover", [0, 1])
def test_burnt_holes_are_stepped_over_beside_the_store_too(mover):
    out = np.roll(marks(0, 1, 12, 13, 10), 7 * mover).tolist()
    holes = np.roll([0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 7 * mover)
    states = CONGKAK.load(holes=holes, burnt=out, to_move=mover)
    # The store, holes 11, 9, 8 and 7.
    CONGKAK.step(states, [2])
    assert np.roll(states[0].holes, -7 * mover).tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0]
    assert states[0].store[mover] == 1 and states[0].store[1 - mover] == 0


# Where the last seed falls.


def test_in_the_own_store_the_player_goes_on_with_any_own_hole():
    states = position(h0=1, h3=2, h5=1, h10=2)
    CONGKAK.step(states, [0])
    assert (states[0].phase, states[0].to_move, states[0].turn, states[0].laps) == (GO_ON, 0, 0, 1)
    assert legal(CONGKAK, states) == [3, 5]
    CONGKAK.step(states, [5])
    assert (states[0].phase, states[0].to_move, states[0].turn, states[0].laps) == (LIFT, 1, 1, 0)
    assert (seeds(states[0]), states[0].store.tolist()) == ({3: 2, 4: 1, 10: 2}, [1, 0])


def test_the_only_hole_to_go_on_with_is_lifted_by_the_engine_and_with_none_the_turn_ends():
    state, _ = played(0, h0=1, h1=2, h9=3)
    # Hole 0 ends in the store, hole 1 by itself in 0 and the store, hole 0 again in the store.
    assert (seeds(state), state.store.tolist()) == ({9: 3}, [3, 0])
    assert (state.to_move, state.turn, state.phase) == (1, 1, LIFT)


def test_in_a_hole_with_seeds_on_either_side_the_player_sows_on():
    assert sown(3, h3=1, h2=1, h9=1)[0] == {0: 1, 1: 1, 9: 1}
    assert sown(0, h0=2, h13=1, h9=1)[0] == {9: 1, 11: 1, 12: 1}
    # In an empty hole of the other row the seed stays.
    state, _ = played(0, h0=2, h9=1)
    assert (seeds(state), state.store.tolist(), state.to_move) == ({9: 1, 13: 1}, [1, 0], 1)


def test_in_an_empty_own_hole_the_player_shoots():
    assert sown(3, h3=1, h11=4, h7=1) == ({7: 1}, [5, 0])
    assert sown(3, to_move=1, h10=1, h4=4, h0=1) == ({0: 1}, [0, 5])
    # Fifteen seeds go once round and shoot from the lifted hole.
    assert sown(0, h0=15, h13=4) == ({hole: 1 for hole in range(1, 13)}, [7, 0])
    # A burnt hole opposite holds nothing.
    assert sown(3, burnt=marks(11), h3=1, h7=1) == ({2: 1, 7: 1}, [0, 0])


@pytest.mark.parametrize(
    ("own_seed", "opposite", "left", "store"),
    [
        ("captured", 4, {}, 5),
        ("captured", 0, {2: 1}, 0),
        ("always", 4, {}, 5),
        ("always", 0, {}, 1),
        ("never", 4, {2: 1}, 4),
        ("never", 0, {2: 1}, 0),
    ],
)
def test_what_becomes_of_the_own_seed_of_a_shot(own_seed, opposite, left, store):
    assert with_options(own_seed=own_seed)(3, h3=1, h11=opposite, h7=1) == ({7: 1, **left}, [store, 0])


# Shooting after a circuit.


@pytest.mark.parametrize("own_seed", ["captured", "always"])
def test_by_circuit_nothing_is_taken_before_a_seed_has_fallen_in_the_other_row(own_seed):
    by_circuit = with_options(shoot="circuit", own_seed=own_seed)
    assert by_circuit(3, h3=1, h11=4) == ({2: 1, 11: 4}, [0, 0])
    # Fifteen seeds pass the other row in the same lap.
    assert by_circuit(0, h0=15, h13=4)[1] == [7, 0]


def test_by_circuit_a_seed_that_fell_there_before_an_end_in_the_store_counts():
    game = make_game("congkak", shoot="circuit")
    # The fourteen seeds of hole 13 end in the store.
    given = {"h0": 2, "h4": 1, "h10": 3, "h13": 13}
    state, _ = played(0, game=game, **given)
    assert (state.phase, state.passed, state.to_move) == (GO_ON, 1, 0)
    # Without that option `passed` stays 0.
    state, _ = played(0, **given)
    assert (state.phase, state.passed) == (GO_ON, 0)
    for passed, store in ((1, [6, 0]), (0, [0, 0])):
        state, _ = played(3, game=game, phase=GO_ON, passed=passed, h3=2, h4=1, h10=3, h11=4, h12=5)
        assert (state.store.tolist(), state.passed) == (store, 0)


# The limit on laps.


def test_nothing_comes_of_the_last_lap_that_is_allowed():
    short = make_game("congkak", max_laps=1, own_seed="always")
    state, _ = played(3, game=short, h3=1, h11=4, h5=1)
    assert (seeds(state), state.store.tolist(), state.turn) == ({2: 1, 5: 1, 11: 4}, [0, 0], 1)
    state, _ = played(0, game=short, h0=1, h3=1, h5=1, h9=1)
    assert (state.store.tolist(), state.phase, state.to_move) == ([1, 0], LIFT, 1)
    # Laps count through the whole turn: the second lap ends opposite five seeds, and takes nothing.
    state, _ = played(0, 3, game=make_game("congkak", max_laps=2), h0=1, h3=1, h5=1, h11=5)
    assert (seeds(state), state.store.tolist(), state.laps) == ({2: 1, 5: 1, 11: 5}, [1, 0], 0)


# Passing, and the end of a round.


def test_a_player_without_seeds_passes():
    state, _ = played(5, h5=1, h2=1)
    assert (state.to_move, state.turn) == (0, 1)


def test_the_round_ends_when_all_holes_are_empty():
    state, rewards = played(0, store=[40, 50], h0=1)
    assert (state.ended, state.winner, rewards) == (1, 1, [-1, 1])
    assert (state.store.tolist(), state.seeds_owned.tolist(), state.phase) == ([41, 50], [49, 49], 0)
    assert played(0, store=[9, 10], h0=1)[1] == [0, 0]


def test_by_row_the_round_ends_when_either_row_is_empty():
    by_row = make_game("congkak", finish="row")
    for action, there, store, rewards in (
        (0, {"h0": 1, "h9": 5}, [4, 4], [-1, 1]),
        (4, {"h4": 1, "h6": 5}, [3, 4], [1, -1]),
    ):
        state, paid = played(action, game=by_row, store=[3, 4], **there)
        assert (state.ended, paid, state.store.tolist()) == (1, rewards, store)
    # Not inside a turn.
    state, _ = played(0, game=by_row, h0=1, h5=2, h6=2)
    assert (state.ended, state.phase) == (0, GO_ON)


def test_max_turns_ends_the_round_by_the_same_count():
    game = make_game("congkak", max_turns=3, reward="margin")
    state, rewards = played(5, game=game, turn=2, store=[2, 3], h5=1, h10=7)
    assert (state.turn, state.ended, state.winner) == (3, 1, 1)
    assert rewards == pytest.approx([-7 / 98, 7 / 98])


# The campaign; test_filling.py has its end.


@pytest.mark.parametrize(
    ("options", "out"),
    [
        ({}, (12, 13)),
        ({"fill": "far"}, (7, 8)),
        ({"direction": "anticlockwise"}, (7, 8)),
        ({"direction": "anticlockwise", "fill": "far"}, (12, 13)),
    ],
)
def test_holes_that_a_player_cannot_fill_are_burnt(options, out):
    (state,), rewards = settled(60, campaign(**options))
    assert state.burnt.tolist() == marks(*out)
    assert state.holes.tolist() == [0 if hole in out else 7 for hole in range(14)]
    assert (state.store.tolist(), state.seeds_owned.tolist()) == ([11, 3], [60, 38])
    assert (state.to_move, state.opener, state.round_number, state.turn, rewards) == (0, 0, 2, 0, [0, 0])


def test_who_wins_seeds_back_fills_holes_again():
    for south, out, store in ((55, marks(13), [6, 1]), (49, marks(), [0, 0])):
        (state,), _ = settled(south, CAMPAIGN, round_number=2, seeds_owned=[60, 38], burnt=marks(12, 13), opener=0)
        assert (state.burnt.tolist(), state.store.tolist()) == (out, store)


@pytest.mark.parametrize(
    ("first", "rounds"),
    # Seeds of South, the player of the last turn, and who opens. Player 0 opened the first round.
    [
        ("winner", [(60, 1, 0), (40, 0, 1), (49, 0, 1)]),
        ("loser", [(60, 0, 1), (40, 0, 0), (49, 0, 1)]),
        ("alternate", [(60, 0, 1), (40, 0, 1)]),
        ("last", [(60, 1, 1), (40, 0, 0), (49, 1, 1), (49, 0, 0)]),
    ],
)
def test_who_opens_the_next_round(first, rounds):
    for south, mover, opener in rounds:
        (state,), _ = settled(south, campaign(first=first), mover)
        assert (state.opener, state.to_move) == (opener, opener)


def test_after_an_even_round_the_player_opens_who_did_not_open_it():
    for opener in (0, 1):
        (state,), _ = settled(49, CAMPAIGN, round_number=2, seeds_owned=[50, 48], burnt=marks(13), opener=opener)
        assert state.opener == 1 - opener


def test_a_round_stopped_by_max_turns_counts_the_rows():
    game = campaign(max_turns=1)
    state, _ = played(3, game=game, h3=2, h6=6, h10=5, store=[40, 45])
    assert state.seeds_owned.tolist() == [48, 50]
    assert (state.burnt.tolist(), state.store.tolist(), state.to_move) == (marks(6), [6, 1], 1)


# The choice of the holes that burn.


def test_a_player_who_lacks_holes_names_those_that_burn():
    states, _ = settled(60, CHOICE)
    state = states[0]
    assert (state.phase, state.to_move, state.opener, state.round_number, state.turn) == (BURN, 1, 0, 2, 0)
    assert (seeds(state), state.burnt.tolist(), state.store.tolist()) == ({}, marks(), [60, 38])
    assert state.seeds_owned.tolist() == [60, 38]
    assert legal(CHOICE, states) == [0, 1, 2, 3, 4, 5, 6]
    CHOICE.step(states, [3])
    assert (states[0].phase, states[0].to_move, states[0].burnt.tolist()) == (BURN, 1, marks(10))
    assert legal(CHOICE, states) == [0, 1, 2, 4, 5, 6]
    CHOICE.step(states, [0])
    assert (states[0].phase, states[0].to_move, states[0].burnt.tolist()) == (LIFT, 0, marks(7, 10))
    assert states[0].holes.tolist() == [7] * 7 + [0, 7, 7, 0, 7, 7, 7]
    assert states[0].store.tolist() == [11, 3]
    # Nobody does once the campaign is over.
    assert settled(92, CHOICE)[0][0].to_move == -1
    assert settled(60, campaign(fill="choice", max_rounds=1))[0][0].to_move == -1


def test_south_names_holes_too_and_nobody_does_when_all_can_be_filled():
    states, _ = settled(48, CHOICE)
    assert (states[0].phase, states[0].to_move, states[0].opener) == (BURN, 0, 1)
    CHOICE.step(states, [6])
    assert (states[0].burnt.tolist(), states[0].to_move) == (marks(6), 1)
    states, _ = settled(49, CHOICE)
    assert (states[0].phase, states[0].burnt.tolist(), states[0].store.tolist()) == (LIFT, marks(), [0, 0])


def test_with_so_few_seeds_that_both_lack_holes_both_name_some():
    states = CHOICE.load(holes=[1] + [0] * 13, store=[13, 14])
    CHOICE.step(states, [0])
    for mover in (0, 1):
        for action in (0, 1, 2, 3, 4):
            assert (states[0].phase, states[0].to_move) == (BURN, mover)
            assert CHOICE.parse(CHOICE.text(states)).tobytes() == states.tobytes()
            CHOICE.step(states, [action])
    assert (seeds(states[0]), states[0].store.tolist()) == ({5: 7, 6: 7, 12: 7, 13: 7}, [0, 0])


# Loaded positions.


def test_phase_1_is_loaded_from_what_the_players_own():
    for fields in ({"seeds_owned": [60, 38]}, {"store": [60, 38]}):
        (state,) = CHOICE.load(phase=BURN, to_move=1, round_number=2, **fields)
        assert (seeds(state), state.store.tolist(), state.seeds_owned.tolist()) == ({}, [60, 38], [60, 38])


BURNING = {"phase": BURN, "seeds_owned": [60, 38], "to_move": 1, "round_number": 2}


@pytest.mark.parametrize(
    ("game", "fields", "words"),
    [
        (CONGKAK, {"burnt": [2] + [0] * 13}, "burnt must be 0 or 1 in every hole, got 2 in hole 0"),
        (CONGKAK, {"burnt": marks(9)}, r"hole 9 is out of play \(burnt 1\) but holds seeds"),
        (CONGKAK, {"burnt": marks(*range(7)), "holes": [0] * 7 + [1] * 7, "to_move": 1}, "leave player 0 a hole"),
        (CONGKAK, {"opener": 2}, "opener must be 0 or 1, got 2"),
        (CONGKAK, {"seeds_owned": [50, 48]}, "seeds_owned must be 49 each in round 1"),
        (CAMPAIGN, {"seeds_owned": [50, 48]}, "seeds_owned must be 49 each in round 1"),
        (CAMPAIGN, {"seeds_owned": [50, 49], "round_number": 2}, "seeds_owned must be 1 to 98 in all"),
        (CAMPAIGN, {"seeds_owned": [92, 6], "round_number": 2}, "must fill houses=1 holes for each player"),
        (CONGKAK, {"holes": [8] + [7] * 13}, "seeds must be 1 to 98 in all, got 99"),
        (CONGKAK, {"laps": 1}, r"laps must be 0\.\.0 in phase 0"),
        (CONGKAK, {"laps": 256, "phase": GO_ON}, r"laps must be 0\.\.255 in phase 3"),
        (CONGKAK, {"laps": -1, "phase": GO_ON}, r"laps must be 0\.\.255 in phase 3"),
        (CONGKAK, {"passed": 1, "phase": GO_ON}, "passed must be at most 0 in phase 3"),
        (make_game("congkak", shoot="circuit"), {"passed": 1}, "passed must be at most 0 in phase 0"),
        (make_game("congkak", shoot="circuit"), {"passed": 2, "phase": GO_ON}, "passed must be at most 1 in phase 3"),
        (CONGKAK, {"phase": BURN, "store": [60, 38]}, "phase 1 comes before the second and later rounds"),
        (CAMPAIGN, {"phase": BURN, "store": [60, 38], "round_number": 2}, "phase 1 comes before"),
        (CHOICE, {"phase": BURN, "store": [60, 38], "to_move": 1}, "phase 1 comes before"),
        (CHOICE, {"phase": BURN, "store": [60, 38], "round_number": 2}, "player 0 has no hole to name in phase 1"),
        (CHOICE, BURNING | {"holes": [1] + [0] * 13, "store": [59, 38]}, "in phase 1 holes must be 0"),
        (CHOICE, BURNING | {"turn": 1}, "in phase 1 turn must be 0, got 1"),
        (CHOICE, BURNING | {"store": [59, 38]}, r"in phase 1 store must be seeds_owned, \[60, 38\], got \[59, 38\]"),
        (CHOICE, BURNING | {"burnt": marks(7, 8, 9)}, "burnt must leave player 1 the 5 holes they can fill"),
        (CHOICE, BURNING | {"burnt": marks(7, 8)}, "player 1 has no hole to name in phase 1"),
        (CHOICE, BURNING | {"burnt": marks(0)}, "burnt must leave player 0 the 7 holes they can fill"),
    ],
)
def test_positions_that_cannot_be_are_refused(game, fields, words):
    with pytest.raises(ValueError, match=words):
        game.load(**fields)


# Symmetry, and what always holds.


@pytest.mark.parametrize("options", [{}, {"campaign": True, "max_turns": 9}])
def test_anticlockwise_it_is_the_same_game_in_a_mirror(options):
    clockwise = make_game("congkak", **options)
    anticlockwise = make_game("congkak", direction="anticlockwise", **options)
    image = symmetry(clockwise.column_kinds, clockwise.action_kinds, mirror(7))
    states, images = clockwise.init(20, 5), anticlockwise.init(20, 5)
    for decision in range(150):
        np.testing.assert_array_equal(anticlockwise.legal(images), image.mask(clockwise.legal(states)))
        for player in (0, 1):
            seen = image.observe(clockwise.observe(states, player))
            np.testing.assert_array_equal(anticlockwise.observe(images, player), seen)
        actions = clockwise.sample(states, decision)
        rewards = clockwise.step(states, actions, autoreset=True)
        np.testing.assert_array_equal(anticlockwise.step(images, image.actions[actions], autoreset=True), rewards)


def test_the_stores_are_drawn_at_the_end_that_their_players_sow_to():
    for game, ends in ((CONGKAK, [0, 8]), (make_game("congkak", direction="anticlockwise"), [8, 0])):
        stores = [place.x for place in game.board(game.init(1)).places if place.tray]
        assert stores == ends


@settings(deadline=None, max_examples=60)
@given(
    holes=st.lists(st.integers(0, 6), min_size=14, max_size=14),
    out=st.sets(st.sampled_from([1, 2, 8, 12]), max_size=2),
    mover=st.integers(0, 1),
    choices=st.lists(st.integers(0, 6), min_size=12, max_size=12),
)
def test_seeds_stay_in_play_and_stores_only_grow(holes, out, mover, choices):
    holes = [0 if hole in out else held for hole, held in enumerate(holes)]
    holes[7 * mover] += 1
    game = make_game("congkak", shoot="circuit")
    states = game.load(holes=holes, burnt=marks(*out), to_move=mover)
    for before, state in hole_positions.choose(states, choices, "burnt", game=game):
        assert (state.burnt == before.burnt).all()
        if state.phase == LIFT:
            assert (state.passed, state.laps) == (0, 0) and state.turn == before.turn + 1
        else:
            assert state.to_move == before.to_move and state.store[state.to_move] > before.store[state.to_move]
