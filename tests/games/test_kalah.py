"""Kalah: a position for every rule of its page. South 0..5, North 6..11, sowing by increasing number."""

import pytest
from helpers import hole_positions
from helpers.positions import legal, seeds

from mancala_envs import make_game
from mancala_envs.core import contract

KALAH = make_game("kalah")
position, played, sown, outcome = hole_positions.of(KALAH)


def test_sows_anticlockwise_into_the_own_store_and_the_other_row():
    state, _ = played(4, h4=4, h0=1, h9=2)
    assert seeds(state) == {0: 1, 5: 1, 6: 1, 7: 1, 9: 2}
    assert state.store.tolist() == [1, 0]
    assert (state.to_move, state.turn) == (1, 1)


def test_no_position_occurs_twice():
    # Stores only grow, and moves that add nothing to a store bring seeds nearer to one.
    assert KALAH.book.positions.database_row
    states, seen = KALAH.init(1), set()
    for decision in range(500):
        assert states.holes.tobytes() + states.to_move.tobytes() not in seen
        seen.add(states.holes.tobytes() + states.to_move.tobytes())
        if states[0].to_move < 0:
            break
        KALAH.step(states, KALAH.sample(states, decision))
    assert states[0].ended


def test_never_sows_into_the_other_store():
    assert sown(5, h5=8, h0=1) == ({0: 2, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1}, [1, 0])
    assert sown(5, to_move=1, h11=8, h6=1) == ({0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2}, [0, 1])


def test_origin_is_not_skipped():
    # 13 seeds go round once: five holes, the store, six holes, and the origin, where the last one captures hole 11.
    assert sown(0, h0=13) == ({hole: 1 for hole in range(1, 11)}, [3, 0])


@pytest.mark.parametrize("player", [0, 1])
def test_last_seed_in_the_own_store_moves_again_in_the_same_turn(player):
    state, _ = played(2, to_move=player, **{f"h{hole}": 4 for hole in range(12)})
    assert (state.to_move, state.turn) == (player, 0)
    assert state.store[player] == 1


def test_extra_move_is_asked_even_with_one_legal_hole():
    state, _ = played(4, h4=2, h9=1)
    assert (state.to_move, state.turn, seeds(state)) == (0, 0, {5: 1, 9: 1})
    assert legal(KALAH, state) == [5]


def test_last_seed_in_an_own_empty_hole_captures_it_and_the_opposite():
    assert sown(0, h0=1, h4=1, h10=5, h7=1) == ({4: 1, 7: 1}, [6, 0])
    assert sown(1, to_move=1, h7=2, h2=3, h0=1, h11=1) == ({0: 1, 8: 1, 11: 1}, [0, 4])


def test_a_last_seed_elsewhere_captures_nothing():
    # Opposite an empty hole.
    assert sown(0, h0=1, h7=1) == ({1: 1, 7: 1}, [0, 0])
    # In an occupied own hole.
    assert sown(0, h0=1, h1=1, h10=5) == ({1: 2, 10: 5}, [0, 0])
    # In an empty hole of the other player.
    assert sown(5, h5=2, h4=3, h9=1) == ({4: 3, 6: 1, 9: 1}, [1, 0])


def test_round_ends_when_the_movers_row_is_empty_and_seeds_left_are_counted_where_they_lie():
    # South has 20, North 17 and the 4 in the row.
    state, rewards = played(5, store=(19, 17), h5=1, h7=3, h9=1)
    assert (state.to_move, state.phase, state.ended, state.winner) == (-1, 0, 1, 1)
    assert (seeds(state), state.store.tolist(), rewards) == ({7: 3, 9: 1}, [20, 17], [-1, 1])
    # The last seed falls in the own store, but the turn that is cut short counts.
    assert state.turn == 1


def test_round_ends_when_a_capture_empties_the_other_row():
    given = {"h0": 1, "h4": 1, "h10": 2}
    assert sown(0, **given) == ({4: 1}, [3, 0])
    assert outcome(0, **given) == (1, 0, [1, -1])
    # Equal counts are a draw.
    assert outcome(5, store=(9, 6), h5=1, h7=4) == (1, -1, [0, 0])


def test_at_max_turns_players_count_their_own_rows():
    state, rewards = played(0, turn=499, store=(3, 5), h0=1, h3=2, h8=1)
    assert (state.turn, state.ended, state.winner) == (500, 1, -1)
    assert (seeds(state), rewards) == ({1: 1, 3: 2, 8: 1}, [0, 0])
    # An extra move does not reach the limit.
    state, _ = played(4, turn=499, h4=2, h8=1)
    assert (state.turn, state.ended, state.to_move) == (499, 0, 0)


def test_margin_is_the_lead_divided_by_the_seeds_of_the_setup():
    # 10 to 4 of 48, though only 14 seeds are in play.
    _, rewards = played(5, game=make_game("kalah", reward="margin"), store=(9, 0), h5=1, h7=4)
    assert rewards == pytest.approx([6 / 48, -6 / 48])


def test_positional_bonus_counts_seeds_kept_and_holes_with_seeds():
    # Six of the seven seeds in hole 0 would stay, and the one in hole 2; one of North's three in hole 11.
    states = position(h0=7, h2=1, h11=3)
    bonus = KALAH.plain.bind(contract.positional_bonus)
    assert bonus(states[0], 0) == (3 * 6 + 2) + (3 * 1 + 2)
    assert bonus(states[0], 1) == 3 * 1 + 2
