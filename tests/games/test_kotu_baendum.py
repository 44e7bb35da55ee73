"""Kotu-baendum: a position for every rule of its page, from Parker's text. South 0..6, North 7..13, anticlockwise = up.

Quotations are from H. Parker, *Ancient Ceylon*, 1909, pp. 598-599.
"""

import pytest
from helpers import olinda_positions
from helpers.olinda_positions import BLIND, KEPT, TIED, at
from helpers.positions import legal, seeds

from mancala_envs import make_game

GAME = make_game("kotu_baendum")
CAMPAIGN = make_game("kotu_baendum", campaign=True)
# After the opening, if `turn` is not given.
position, played, sown = olinda_positions.of(GAME, turn=2)


def test_each_players_first_lift_is_from_an_end_hole():
    # "it must be commenced from either of the two end holes in each player's row"
    states = GAME.init(1)
    assert legal(GAME, states) == [0, 6, 7, 13]
    GAME.step(states, [0])
    assert legal(GAME, states) == [0, 6]
    GAME.step(states, [0])
    assert len(legal(GAME, states)) > 2
    # "During the rest of the game the players may begin each turn at any hole on their own side of the board."
    assert legal(GAME, position({0: 2, 3: 2, 9: 1})) == [0, 3]
    assert legal(CAMPAIGN, position({0: 2, 3: 2, 9: 1}, game=CAMPAIGN, turn=0, round_number=2)) == [0, 3]


def test_any_hole_can_be_lifted_if_no_end_hole_can():
    assert legal(GAME, position({2: 2, 3: 2, 9: 1}, turn=0)) == [2, 3]
    assert legal(GAME, position({2: 2, 6: 1, 9: 1}, turn=0)) == [2]
    # Each direction is judged separately: hole 6, with a single seed, is the front hole only anticlockwise.
    assert legal(GAME, position({2: 2, 6: 1, 9: 1}, turn=0, direction=0)) == [2, 13]
    # The ends are the first and the last playable holes.
    assert legal(GAME, position({1: 2, 2: 2, 6: 2, 9: 1}, {0: BLIND}, turn=0)) == [1, 6]
    assert legal(GAME, position({0: 2, 2: 2, 6: 2, 9: 1}, {0: KEPT}, turn=0)) == [6]


def test_relays_from_the_hole_of_the_last_seed_and_captures_four():
    # "the seeds are taken as in Puhulmutu out of the hole in which the last seed was placed"
    assert sown(0, {0: 2, 2: 1, 9: 1})[0] == {1: 1, 3: 1, 4: 1, 9: 1}
    assert sown(0, {0: 2, 1: 3, 9: 1})[0] == {1: 3, 2: 1, 3: 1, 9: 1}
    # "if this previously held three seeds the four now in it are 'eaten,' and the next player then begins"
    state = played(0, {0: 2, 2: 3, 3: 2, 9: 1})
    assert (seeds(state), state.store.tolist(), state.to_move) == ({1: 1, 3: 2, 9: 1}, [4, 0], 1)


@pytest.mark.parametrize(
    ("action", "holes", "tied", "direction"),
    [(4, {4: 2, 6: 3, 9: 1}, 6, 1), (5, {5: 2, 7: 3, 9: 1}, 7, 1), (7 + 2, {2: 2, 0: 3, 9: 1}, 0, -1)],
)
def test_an_end_hole_is_tied_by_the_player_who_fills_it(action, holes, tied, direction):
    # "When the last seed falls into an end hole in which there were three seeds, thus making four, that hole is said to
    # be 'tied'"; "Such holes belong to the person who puts the fourth seed in them, whether they be on his own or his
    # opponent's side of the board".
    state = played(action, holes, direction=direction)
    assert (state.kind[tied], state.owner[tied], state.holes[tied]) == (TIED, 0, 4)
    # Tying is not a capture.
    assert (state.store.tolist(), state.quiet, state.to_move) == ([0, 0], 1, 1)


def test_north_ties_on_souths_side():
    state = played(5, {12: 2, 0: 3, 3: 1}, to_move=1)
    assert (state.kind[0], state.owner[0], state.holes[0]) == (TIED, 1, 4)


def test_a_tied_hole_receives_seeds_but_is_never_lifted():
    # "the seeds in it cannot be captured, although others continue to be sown in it by both players"; "When the last
    # seed is sown in a 'tied' hole the player stops".
    tied = {6: TIED}
    assert sown(4, {4: 2, 6: 4, 9: 1}, tied)[0] == {5: 1, 6: 5, 9: 1}
    assert sown(5, {5: 2, 6: 4, 9: 1}, tied)[0] == {6: 5, 7: 1, 9: 1}
    assert legal(GAME, position({6: 4, 2: 1, 9: 1}, tied)) == [2]
    # It is never skipped, even with three seeds, which cannot occur in play.
    assert sown(5, {5: 2, 6: 3, 9: 1}, tied)[0] == {6: 4, 7: 1, 9: 1}


def test_a_middle_hole_next_to_a_blind_end_hole_is_not_tied():
    # Only the four end holes of the board can be tied: hole 5 is captured, though hole 6 is blind.
    state = played(3, {3: 2, 5: 3, 9: 1}, {6: BLIND})
    assert (state.store.tolist(), state.kind[5]) == ([4, 0], 0)


def test_a_player_who_set_out_by_twos_ties_and_captures_at_three():
    state = played(4, {4: 2, 6: 2, 9: 1}, few=[2, 0])
    assert (state.kind[6], state.holes[6], state.store.tolist()) == (TIED, 3, [0, 0])
    assert sown(0, {0: 2, 2: 2, 9: 1}, few=[2, 0]) == ({1: 1, 9: 1}, [3, 0])


def test_tied_seeds_count_for_their_owner_at_the_end():
    # South ties hole 7, in North's row; North has nothing else and cannot lift.
    state = played(5, {5: 2, 7: 3}, store=[0, 4])
    assert (state.ended, state.winner) == (1, 0)
    rewards = make_game("kotu_baendum", reward="margin")
    states = position({5: 2, 7: 3}, store=[0, 4], game=rewards)
    assert rewards.step(states, [5])[0].tolist() == pytest.approx([1 / 56, -1 / 56])
    # Between rounds ties are undone.
    state = played(5, {5: 2, 7: 3}, store=[20, 31], game=CAMPAIGN)
    assert (state.seeds_owned.tolist(), state.phase) == ([25, 31], 2)
    assert not state.kind.any() and state.owner.tolist() == [0] * 7 + [1] * 7


def test_tied_holes_are_refused_in_other_games_and_in_the_middle():
    with pytest.raises(ValueError, match="kind"):
        make_game("daramutu").load(kind=at({6: TIED}))
    with pytest.raises(ValueError, match="no end hole"):
        GAME.load(kind=at({5: TIED}))
    assert GAME.load(kind=at({7: TIED}), owner=[0] * 8 + [1] * 6)[0].owner[7] == 0
