"""Daramutu: a position for every rule of its page, from Parker's text. South 0..6, North 7..13, anticlockwise = up.

Quotations are from H. Parker, *Ancient Ceylon*, 1909, p. 599. Hole h faces hole 13 - h.
"""

from helpers import olinda_positions
from helpers.olinda_positions import BLIND, KEPT
from helpers.positions import legal, seeds

from mancala_envs import make_game

GAME = make_game("daramutu")
SUMMARY = make_game("daramutu", reading="summary")
NO_FOURS = make_game("daramutu", fours=False)
_, played, sown = olinda_positions.of(GAME)


def test_play_begins_at_any_hole():
    # "Play begins at any hole of the player's row."
    assert legal(GAME, GAME.init(1)) == list(range(14))


def test_a_last_seed_in_an_empty_hole_captures_the_opposite_hole():
    # "When the last seed of the set which is being sown falls in an empty hole the seeds in the opposite hole on the
    # other side of the board are 'eaten.' The player then stops"
    state = played(0, {0: 2, 11: 6, 9: 1})
    assert (seeds(state), state.store.tolist(), state.to_move) == ({1: 1, 2: 1, 9: 1}, [6, 0], 1)
    # From either row.
    assert sown(6, {6: 2, 5: 4, 9: 1}) == ({7: 1, 8: 1, 9: 1}, [4, 0])
    # The last lap allowed captures nothing.
    assert sown(0, {0: 2, 11: 6, 9: 1}, game=make_game("daramutu", max_laps=1))[1] == [0, 0]


def test_nothing_is_captured_from_an_empty_kept_or_blind_opposite_hole():
    assert sown(0, {0: 2, 9: 1})[1] == [0, 0]
    assert sown(0, {0: 2, 11: 2, 9: 1}, {11: KEPT})[1] == [0, 0]
    # A hole that faces a blind hole has no opposite.
    assert sown(0, {0: 2, 9: 1}, {11: BLIND})[1] == [0, 0]


def test_a_kept_hole_is_treated_as_an_empty_one():
    # "If the last seed fall in a hole containing a puta or naga it is treated as an empty one, and those in the
    # opposite hole are eaten."
    assert sown(0, {0: 2, 2: 2, 11: 6, 9: 1}, {2: KEPT}) == ({1: 1, 2: 3, 9: 1}, [6, 0])
    # A last seed in one kept hole does not capture the other.
    assert sown(4, {4: 2, 6: 2, 7: 2, 9: 1}, {6: KEPT, 7: KEPT}) == ({5: 1, 6: 3, 7: 2, 9: 1}, [0, 0])


def test_fours_are_captured_as_in_puhulmutu():
    # "In other respects the game resembles Puhulmutu."
    assert sown(0, {0: 2, 2: 3, 3: 2, 8: 5, 9: 1}) == ({1: 1, 4: 1, 5: 1, 9: 1}, [9, 0])
    # If the hole after the captured one is empty, the turn ends. No seed fell there, so nothing is captured opposite.
    assert sown(0, {0: 2, 2: 3, 10: 2, 11: 2, 9: 1}) == ({1: 1, 9: 1, 10: 2, 11: 2}, [4, 0])
    assert sown(0, {0: 2, 1: 3, 9: 1})[0] == {1: 3, 2: 1, 3: 1, 9: 1}


def test_fours_false_neither_skips_nor_captures_fours():
    # No hole is skipped, and a last seed that makes four relays.
    left = {1: 4, 3: 1, 4: 1, 5: 1, 6: 1, 9: 1}
    assert sown(0, {0: 2, 1: 3, 2: 3, 9: 1, 7: 8}, game=NO_FOURS) == (left, [8, 0])
    # The holes of two of a player who set out by twos are not skipped either.
    left = {1: 3, 3: 1, 4: 1, 5: 1, 9: 1}
    assert sown(0, {0: 2, 1: 2, 2: 2, 9: 1, 8: 8}, game=NO_FOURS, few=[2, 0]) == (left, [8, 0])


def test_by_the_summary_opposite_holes_are_not_captured():
    assert sown(0, {0: 2, 11: 6, 9: 1}, game=SUMMARY) == ({1: 1, 2: 1, 9: 1, 11: 6}, [0, 0])
    assert sown(0, {0: 2, 2: 3, 9: 1}, game=SUMMARY)[1] == [4, 0]


def test_a_player_who_set_out_by_ones_captures_twos_and_opposite_holes():
    # This player captures two seeds in a hole of one, and opposite holes as usual.
    assert sown(0, {0: 2, 1: 1, 3: 1, 9: 1}, few=[1, 0]) == ({1: 1, 2: 1, 9: 1}, [2, 0])
    assert sown(0, {0: 1, 12: 5, 9: 1}, few=[1, 0]) == ({1: 1, 9: 1}, [5, 0])


def test_the_round_ends_when_a_player_cannot_lift():
    state = played(0, {0: 2, 11: 6}, store=[0, 9])
    assert (state.ended, state.winner, state.store.tolist()) == (1, 1, [6, 9])
