"""Pallanguzhi: a position for every rule of its page. South 0..6, North 7..13; sowing by increasing number."""

from functools import partial

import pytest
from helpers import hole_positions
from helpers.hole_positions import marks, settled
from helpers.positions import legal, seeds
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game

campaign = partial(make_game, "pallanguzhi", campaign=True)
PALLANGUZHI, CAMPAIGN = make_game("pallanguzhi"), campaign()
position, played, sown, outcome = hole_positions.of(PALLANGUZHI)


def with_options(**options):
    """Return `sown` of the game with these options."""
    return partial(sown, game=make_game("pallanguzhi", **options))


# Positions of the page.


@pytest.mark.parametrize("action", range(7))
def test_all_openings_are_one_turned_round(action):
    states = PALLANGUZHI.init(1)
    PALLANGUZHI.step(states, [action])
    opening = [0, 0, 7, 7, 7, 7, 7, 0, 7, 7, 7, 7, 7, 7]
    assert states[0].holes.tolist() == [opening[(hole - action) % 14] for hole in range(14)]
    assert (states[0].store.tolist(), states[0].to_move, states[0].turn) == ([7, 0], 1, 1)


COWS = {"h5": 2, "h6": 3, "h7": 3, "h13": 1}


@pytest.mark.parametrize(
    ("options", "store", "left"),
    [({}, [4, 4], {13: 1}), ({"cow_owner": "sower"}, [8, 0], {13: 1}), ({"cow_last": "left"}, [4, 0], {7: 4, 13: 1})],
)
def test_cows_go_to_the_rows_player_or_to_the_sower_and_may_be_left_at_a_laps_end(options, store, left):
    assert with_options(**options)(5, **COWS) == (left, store)


def test_the_hole_beyond_an_empty_one_is_captured():
    state, _ = played(2, h2=1, h5=3, h9=1)
    assert (seeds(state), state.store.tolist()) == ({3: 1, 9: 1}, [3, 0])
    assert (state.to_move, state.turn, state.quiet) == (1, 1, 0)
    # Rubbish holes are neither next nor beyond.
    assert sown(2, rubbish=marks(4), h2=1, h6=3, h9=1) == ({3: 1, 9: 1}, [3, 0])


def test_a_turn_of_seven_laps():
    state, _ = played(0, h0=20, h6=2)
    assert state.holes.tolist() == [2, 0, 3, 3, 0, 3, 1, 0, 0, 0, 2, 0, 2, 0]
    assert state.store.tolist() == [6, 0]


def test_after_a_capture_the_sowing_goes_on_by_option():
    on = with_options(after="on")
    assert on(2, h2=1, h5=3, h9=1, h12=2, h13=1) == ({0: 1, 3: 1, 10: 1}, [5, 0])
    # It passes over empty holes and may use the hole of the last seed: hole 5 is captured; the next seeds are those of
    # hole 3, which end in 4: 5 and 6 are empty.
    assert on(2, h2=1, h5=3) == ({4: 1}, [3, 0])
    # The turn ends when a capture leaves the board empty: the seed of hole 2 makes a cow in 3; 4 is empty, and 5 the
    # last hole with seeds.
    state, _ = played(2, game=make_game("pallanguzhi", after="on", cow=2), h2=1, h3=1, h5=3)
    assert (seeds(state), state.store.tolist(), state.ended) == ({}, [5, 0], 1)


# The turn.


def test_only_own_holes_with_seeds_are_lifted():
    assert legal(PALLANGUZHI, position(h1=1, h5=2, h7=1, h10=5, to_move=1)) == [0, 3]


def test_sows_anticlockwise_round_the_ring_and_over_the_lifted_hole():
    once = with_options(max_laps=1)
    assert once(3, h3=15, h9=1)[0] == {hole: 1 + (hole in (4, 9)) for hole in range(14)}
    # Rubbish holes are stepped over.
    assert once(1, rubbish=marks(2, 3, 6), h1=3, h9=1)[0] == {4: 1, 5: 1, 7: 1, 9: 1}


def test_the_sowing_goes_on_after_a_cow():
    assert sown(0, h0=3, h2=3, h9=1) == ({1: 1, 3: 1, 9: 1}, [4, 0])
    # North's cow in South's row is South's.
    left, store = sown(6, to_move=1, h13=2, h0=3, h4=1, h8=1)
    assert (left.get(0, 0), store) == (0, [4, 0])


@pytest.mark.parametrize("held", [1, 2, 4, 5])
def test_only_the_very_number_is_a_cow(held):
    state, _ = played(0, h0=2, h1=held, h9=1)
    assert (state.holes[1], state.store.tolist()) == (held + 1, [0, 0])


@pytest.mark.parametrize(("cow", "held"), [(2, 1), (3, 2), (6, 5)])
def test_the_cow_may_be_another_number(cow, held):
    left, store = with_options(cow=cow)(0, h0=2, h1=held, h9=1)
    assert (left.get(1, 0), store) == (0, [cow, 0])


@pytest.mark.parametrize("held", [0, 2])
def test_the_next_hole_is_lifted_whatever_the_last_one_holds(held):
    assert sown(0, h0=1, h1=held, h2=1, h9=1)[0] == {1: held + 1, 3: 1, 9: 1}


def test_at_two_empty_holes_the_turn_ends():
    state, _ = played(0, h0=1, h4=3, h9=1)
    assert (seeds(state), state.store.tolist(), state.quiet) == ({1: 1, 4: 3, 9: 1}, [0, 0], 1)


def test_the_last_seeds_own_hole_can_be_the_one_beyond():
    # With two holes in play, the one beyond hole 13 as seen from hole 0 is hole 0.
    assert sown(0, rubbish=marks(*range(1, 13)), h0=2) == ({}, [2, 0])


# The relay from the last seed's own hole.


@pytest.mark.parametrize(
    ("there", "left", "store"),
    [
        # Held two: lifted, to 2, 3 and 4; hole 5 is captured.
        ({"h1": 2, "h5": 6}, {2: 1, 3: 1, 4: 1}, 6),
        # Was empty: the next hole is captured.
        ({"h2": 5}, {1: 1}, 5),
        ({"h3": 5}, {1: 1, 3: 5}, 0),
        # A cow ends the turn.
        ({"h1": 3, "h2": 5}, {2: 5}, 4),
    ],
)
def test_by_relay_last_the_hole_of_the_last_seed_decides(there, left, store):
    assert with_options(relay="last")(0, h0=1, h9=1, **there) == ({9: 1, **left}, [store, 0])


def test_by_relay_last_a_four_that_is_left_is_lifted_and_a_capture_may_be_followed_by_another_lap():
    left = with_options(relay="last", cow_last="left")
    assert left(0, h0=1, h1=3, h9=1, h13=1) == ({2: 1, 3: 1, 4: 1, 5: 1, 9: 1, 13: 1}, [0, 0])
    # 2 is captured; 4 goes to 5, and 6 is captured; 9 goes to 10.
    on = with_options(relay="last", after="on")
    assert on(0, h0=1, h2=5, h4=1, h6=1, h9=1) == ({1: 1, 5: 1, 10: 1}, [6, 0])


def test_nothing_comes_of_the_last_lap_that_is_allowed():
    once = with_options(max_laps=1)
    assert once(5, **COWS) == ({6: 4, 7: 4, 13: 1}, [0, 0])
    assert once(2, h2=1, h5=3, h9=1)[1] == [0, 0]
    # The cow in 1 is of the first lap; the second one ends in 4, and 6 is not captured.
    assert with_options(max_laps=2)(0, h0=2, h1=3, h3=1, h6=3, h9=1) == ({2: 1, 4: 1, 6: 3, 9: 1}, [4, 0])


# The end of a round.


def test_the_round_ends_when_the_player_to_move_has_no_seeds():
    state, rewards = played(0, store=[3, 6], h0=1, h4=2)
    assert (state.ended, state.winner, rewards) == (1, -1, [0, 0])
    assert (seeds(state), state.store.tolist()) == ({1: 1, 4: 2}, [3, 6])


@pytest.mark.parametrize(
    # `emptied`: a turn empties the mover's row; `empty`: it leaves the other row empty.
    ("finish", "emptied", "empty"),
    [("stuck", 0, 1), ("row", 1, 1), ("pass", 0, 0)],
)
def test_an_empty_row_ends_the_round_by_option(finish, emptied, empty):
    game = make_game("pallanguzhi", finish=finish)
    assert outcome(6, game=game, h6=1, h9=2)[0] == emptied
    state, _ = played(0, game=game, h0=1, h4=2)
    assert state.ended == empty
    if not empty:
        assert (state.to_move, state.turn) == (0, 1)


def test_by_passing_the_round_ends_when_both_rows_are_empty():
    state, rewards = played(0, game=make_game("pallanguzhi", finish="pass", cow=2), h0=1, h1=1)
    assert (state.ended, state.store.tolist(), rewards) == (1, [2, 0], [1, -1])


def test_quiet_turns_end_the_round_and_a_cow_of_either_player_makes_noise():
    game = make_game("pallanguzhi", quiet_turns=3)
    state, rewards = played(0, game=game, quiet=2, h0=1, h9=4)
    assert (state.ended, state.quiet, rewards) == (1, 3, [-1, 1])
    # `quiet` may have reached its limit once the round is over.
    assert game.parse(game.text(state)).tobytes() == state.tobytes()
    state, _ = played(5, game=game, quiet=2, h5=2, h7=3, h10=4)
    assert (state.ended, state.quiet, state.store.tolist()) == (0, 0, [0, 4])


def test_max_turns_ends_the_round():
    game = make_game("pallanguzhi", max_turns=3, reward="margin")
    state, rewards = played(0, game=game, turn=2, store=[5, 1], h0=1, h9=4)
    assert (state.ended, state.turn) == (1, 3)
    assert rewards == pytest.approx([1 / 84, -1 / 84])


# The set-up.


@pytest.mark.parametrize("middle", [1, 2, 13])
def test_the_middle_holes_can_hold_another_number(middle):
    game = make_game("pallanguzhi", seeds=12, middle=middle, cow=6, cow_owner="sower", after="on")
    state = game.init(1)[0]
    assert state.holes.tolist() == [12, 12, 12, middle, 12, 12, 12] * 2
    assert state.seeds_owned.tolist() == [72 + middle] * 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"middle": 2, "columns": 6}, "middle=2 needs an odd number of columns, got 6"),
        ({"middle": 2, "campaign": True}, "middle=2 needs campaign=False"),
        ({"seeds": 19}, "266 seeds in play; at most 255"),
        ({"middle": 100, "seeds": 5}, "260 seeds in play; at most 255"),
        ({"cow": 1}, "cow=1 is not allowed; it must be an integer of at least 2"),
        ({"middle": -1}, "middle=-1 is not allowed; it must be an integer of at least 0"),
        ({"houses": 2}, "option houses needs campaign=True"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        make_game("pallanguzhi", **options)


# The campaign; test_filling.py has its end.


def test_holes_that_a_player_cannot_fill_are_rubbish_holes_at_the_right():
    (state,), rewards = settled(50, CAMPAIGN, quiet=3, turn=8)
    assert state.holes.tolist() == [6] * 12 + [0, 0]
    assert (state.rubbish.tolist(), state.store.tolist()) == (marks(12, 13), [8, 4])
    assert (state.seeds_owned.tolist(), rewards) == ([50, 34], [0, 0])
    assert (state.round_number, state.turn, state.quiet, state.opener, state.to_move) == (2, 0, 0, 1, 1)
    (state,), _ = settled(35, CAMPAIGN)
    assert (state.rubbish.tolist(), state.store.tolist()) == (marks(5, 6), [5, 7])


def test_who_wins_seeds_back_fills_holes_again():
    fields = {"round_number": 2, "seeds_owned": [50, 34], "rubbish": marks(12, 13)}
    assert settled(42, CAMPAIGN, **fields)[0][0].rubbish.tolist() == marks()
    assert settled(47, CAMPAIGN, **fields)[0][0].rubbish.tolist() == marks(13)


@pytest.mark.parametrize(
    ("first", "rounds"),
    # Seeds of South, who opened the round, and who opens the next one.
    [
        ("alternate", [(50, 0, 1), (50, 1, 0)]),
        ("winner", [(50, 0, 0), (40, 0, 1), (42, 1, 0)]),
        ("loser", [(50, 0, 1), (40, 0, 0), (42, 0, 1)]),
    ],
)
def test_who_opens_the_next_round(first, rounds):
    for south, opener, opens in rounds:
        (state,), _ = settled(south, campaign(first=first), opener=opener)
        assert (state.opener, state.to_move) == (opens, opens)


# Loaded positions.


@pytest.mark.parametrize(
    ("game", "fields", "words"),
    [
        (PALLANGUZHI, {"rubbish": [2] + [0] * 13}, "rubbish must be 0 or 1 in every hole, got 2 in hole 0"),
        (PALLANGUZHI, {"rubbish": marks(9)}, r"hole 9 is out of play \(rubbish 1\) but holds seeds"),
        (PALLANGUZHI, {"rubbish": marks(*range(7, 14)), "holes": [1] * 7 + [0] * 7}, "must leave player 1 a hole"),
        (PALLANGUZHI, {"opener": 2}, "opener must be 0 or 1, got 2"),
        (PALLANGUZHI, {"seeds_owned": [43, 41]}, "seeds_owned must be 42 each in round 1"),
        (CAMPAIGN, {"seeds_owned": [43, 41]}, "seeds_owned must be 42 each in round 1"),
        (CAMPAIGN, {"seeds_owned": [43, 42], "round_number": 2}, "seeds_owned must be 1 to 84 in all"),
        (CAMPAIGN, {"seeds_owned": [79, 5], "round_number": 2}, "must fill houses=1 holes for each player"),
        (PALLANGUZHI, {"quiet": 100}, r"quiet must be 0\.\.99, got 100"),
        (PALLANGUZHI, {"quiet": -1}, r"quiet must be 0\.\.99, got -1"),
        (PALLANGUZHI, {"store": [1, 0]}, "seeds must be 1 to 84 in all, got 85"),
        (PALLANGUZHI, {"phase": 1}, r"phase must be one of \[0\]"),
    ],
)
def test_positions_that_cannot_be_are_refused(game, fields, words):
    with pytest.raises(ValueError, match=words):
        game.load(**fields)


# Invariants.


@settings(deadline=None, max_examples=60)
@given(
    holes=st.lists(st.integers(0, 5), min_size=14, max_size=14),
    out=st.sets(st.sampled_from([1, 2, 8, 13]), max_size=2),
    mover=st.integers(0, 1),
    relay=st.sampled_from(["next", "last"]),
    after=st.sampled_from(["end", "on"]),
    choices=st.lists(st.integers(0, 6), min_size=10, max_size=10),
)
def test_seeds_stay_in_play_and_stores_only_grow(holes, out, mover, relay, after, choices):
    holes = [0 if hole in out else held for hole, held in enumerate(holes)]
    holes[7 * mover] += 1
    game = make_game("pallanguzhi", relay=relay, after=after, finish="pass")
    states = game.load(holes=holes, rubbish=marks(*out), to_move=mover)
    for before, state in hole_positions.choose(states, choices, "rubbish", game=game):
        assert state.turn == before.turn + 1
        grown = state.store.sum() > before.store.sum()
        assert state.quiet == (0 if grown else before.quiet + 1)
