"""Oware: a position for every rule of its page. South 0..5, North 6..11, sowing by increasing number."""

import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import both_forms, compare_turns
from helpers.positions import legal, seeds

from mancala_envs import make_game

OWARE = make_game("oware")
position, played, sown, outcome = hole_positions.of(OWARE)


def test_origin_is_skipped_on_every_round():
    # 23 seeds: eleven holes twice, and a third in hole 1.
    state, _ = played(0, h0=23)
    assert state.holes.tolist() == [0, 3] + [2] * 10


@pytest.mark.parametrize(("held", "taken"), [(0, 0), (1, 2), (2, 3), (3, 0)])
def test_last_seed_captures_by_making_two_or_three(held, taken):
    state, _ = played(5, h5=2, h7=held, h10=4, h1=1)
    assert (state.store.tolist(), state.holes[7]) == ([taken, 0], 0 if taken else held + 1)
    assert (state.to_move, state.turn) == (1, 1)


def test_capture_continues_backwards_through_twos_and_threes():
    assert sown(5, h5=4, h6=2, h7=1, h8=2, h9=1, h11=1, h0=1) == ({0: 1, 11: 1}, [10, 0])
    # It stops where the sequence is broken.
    assert sown(5, h5=4, h6=1, h7=3, h8=2, h9=1, h0=1) == ({0: 1, 6: 2, 7: 4}, [5, 0])
    # It does not begin before a last hole that is not two or three.
    assert sown(5, h5=2, h6=1, h7=3, h0=1) == ({0: 1, 6: 2, 7: 4}, [0, 0])


def test_capture_stays_in_the_opponents_row():
    assert sown(3, h3=3, h4=1, h5=1, h6=1, h9=1) == ({4: 2, 5: 2, 9: 1}, [2, 0])
    assert sown(0, h0=1, h1=1, h8=1) == ({1: 2, 8: 1}, [0, 0])
    assert sown(5, to_move=1, h11=2, h0=1, h1=2, h4=1, h8=1) == ({4: 1, 8: 1}, [0, 5])


def test_a_grand_slam_is_legal_but_captures_nothing():
    state, _ = played(5, h5=2, h6=1, h7=1, h2=3)
    assert seeds(state) == {2: 3, 6: 2, 7: 2}
    assert (state.store.tolist(), state.to_move, state.ended) == ([0, 0], 1, 0)


@pytest.mark.parametrize("spared", [8, 11])
def test_capture_of_all_but_one_seed_is_no_grand_slam(spared):
    assert sown(5, h5=2, h6=1, h7=1, h2=3, **{f"h{spared}": 1}) == ({2: 3, spared: 1}, [4, 0])


def test_an_opponent_without_seeds_must_be_given_some():
    # Hole 2 reaches North's row with four seeds, not with three; hole 0 needs six.
    assert legal(OWARE, position(h0=5, h1=5, h2=3, h5=1)) == [1, 5]
    assert legal(OWARE, position(h0=6, h2=4, h3=1)) == [0, 2]
    # An opponent with seeds need not be given any.
    assert legal(OWARE, position(h0=5, h2=3, h6=1)) == [0, 2]


@pytest.mark.parametrize(
    ("given", "store", "winner"),
    [
        # The mover cannot give any.
        ({"to_move": 1, "store": (20, 24), "h11": 1, "h2": 1}, [22, 24], 1),
        # A player has more than half.
        ({"store": (23, 10), "h5": 1, "h6": 1, "h8": 5, "h0": 3}, [28, 15], 0),
    ],
)
def test_round_ends_and_players_take_their_own_rows(given, store, winner):
    state, rewards = played(5, **given)
    assert (state.to_move, state.ended, state.winner) == (-1, 1, winner)
    assert (seeds(state), state.store.tolist(), rewards[winner]) == ({}, store, 1)


def test_round_ends_when_the_opening_position_repeats():
    # Two seeds follow each other round the ring.
    circle, given = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5], {"store": (20, 18), "h0": 1, "h6": 1}
    assert outcome(*circle[:-1], **given)[0] == 0
    state, _ = played(*circle, **given)
    assert (state.turn, state.ended, state.to_move, state.winner) == (12, 1, -1, 0)
    assert (seeds(state), state.store.tolist()) == ({}, [21, 19])


def test_at_max_turns_players_take_their_own_rows():
    state, rewards = played(0, turn=999, store=(3, 5), h0=1, h3=2, h8=1)
    assert (state.turn, state.ended, state.winner) == (1000, 1, -1)
    assert (seeds(state), state.store.tolist(), rewards) == ({}, [6, 6], [0, 0])


@pytest.mark.parametrize("leader", [0, 1])
@pytest.mark.parametrize(("leads", "over"), [(24, False), (25, True)])
def test_more_than_half_the_seeds_end_the_round(leader, leads, over):
    store = [20, 20]
    store[leader] = leads
    assert outcome(0, h0=1, h3=1, h9=46 - sum(store), store=store)[0] == over


def test_a_position_with_too_many_seeds_is_refused():
    assert position(h0=24, h6=20, store=(2, 2))[0].turn == 0
    with pytest.raises(ValueError, match="the seeds must be 1 to 48 in all, got 49"):
        position(h0=24, h6=20, store=(3, 2))


def test_after_a_reset_the_history_holds_only_the_opening():
    states = position(turn=999, store=(3, 5), h0=1, h3=2, h8=1)
    OWARE.step(states, [0], autoreset=True)
    assert (states[0].turn, states[0].positions, states[0].history[1:].any()) == (0, 1, False)
    # After a capture that ends the game it is empty.
    states = position(store=(23, 10), h5=1, h6=1, h8=5, h0=3)
    OWARE.step(states, [5])
    text = OWARE.text(states)
    assert "positions=0" in text and OWARE.parse(text).tobytes() == states.tobytes()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("positions=1", "positions=0", r"positions must lie in 1\.\.1, got 0"),
        ("positions=1", "positions=2", r"positions must lie in 1\.\.1, got 2"),
        ("holes=1,0,", "holes=0,1,", "history must be the current one"),
        ("store=3,5", "store=5,3", "history must be the current one"),
    ],
)
def test_a_text_whose_history_does_not_fit_is_refused(old, new, said):
    text = OWARE.text(position(store=(3, 5), h0=1, h3=2, h8=1))
    assert old in text
    with pytest.raises(ValueError, match=said):
        OWARE.parse(text.replace(old, new))


def test_both_forms_agree_on_a_history_that_no_game_has():
    # Row 0 is the position after action 3, which cannot repeat so soon.
    states = OWARE.init(1, 0)
    for action in (2, 1):
        OWARE.step(states, [action])
    following = states.copy()
    OWARE.step(following, [3])
    states["history"][0, 0] = following["history"][0, following["positions"][0] - 1]
    fast, plain = both_forms("oware")
    compare_turns(fast, plain, plain.parse(plain.text(states)), [3])


def test_margin_is_the_lead_divided_by_the_seeds_of_the_setup():
    # 28 to 15, of 48, though only 43 seeds are in play.
    game = make_game("oware", reward="margin")
    _, rewards = played(5, game=game, store=(23, 10), h5=1, h6=1, h8=5, h0=3)
    assert rewards == pytest.approx([13 / 48, -13 / 48])


@pytest.mark.parametrize("options", [{}, {"columns": 7, "seeds": 1}, {"columns": 4, "seeds": 1}], ids=str)
def test_the_history_has_no_repetition_and_text_preserves_it(options):
    game = make_game("oware", max_turns=50, **options)
    states = game.init(40, seed=3)
    repeated = 0
    for step in range(300):
        for state in states[states.to_move >= 0]:
            known = state.history[: state.positions]
            assert len(np.unique(known, axis=0)) == state.positions and not state.history[state.positions :].any()
        game.step(states, game.sample(states, step))
        repeated += ((states.turn < 50) & (states.ended == 1)).sum()
        if step % 50 == 0:
            for i in range(len(states)):
                text = game.text(states[i : i + 1])
                assert game.parse(text).tobytes() == states[i : i + 1].tobytes()
    assert repeated > 0
