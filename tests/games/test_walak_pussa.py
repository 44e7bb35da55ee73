"""Walak-pussa: a position for every rule of its page, from Parker's text. South 0..6, North 7..13, anticlockwise = up.

Quotations are from H. Parker, *Ancient Ceylon*, 1909, pp. 597-598.
"""

from helpers import olinda_positions
from helpers.olinda_positions import BLIND, KEPT
from helpers.positions import seeds

from mancala_envs import make_game

GAME = make_game("walak_pussa")
SUMMARY = make_game("walak_pussa", reading="summary")
_, played, sown = olinda_positions.of(GAME)


def test_relays_from_the_next_hole():
    # "when the last seed of the set which is being sown has been placed in a hole he does not remove and re-sow the
    # seeds out of that hole, but always takes those in the next one for the purpose"
    state = played(0, {0: 2, 2: 3, 3: 2, 10: 1, 11: 1})
    assert seeds(state) == {1: 1, 2: 4, 4: 1, 5: 1, 10: 1, 11: 1}
    assert (state.store.tolist(), state.to_move, state.quiet) == ([0, 0], 1, 1)
    # No hole is skipped.
    assert sown(0, {0: 2, 1: 3, 2: 3, 10: 1})[0] == {1: 4, 2: 4, 10: 1}


def test_the_hole_after_an_empty_next_hole_is_captured():
    # "If this next hole be empty, the seeds in the following one, that is, the second one after that in which he placed
    # his last seed, are captured"
    state = played(0, {0: 2, 4: 5, 10: 1})
    assert (seeds(state), state.store.tolist(), state.quiet) == ({1: 1, 2: 1, 10: 1}, [5, 0], 0)
    # This holds even if the last seed's hole held seeds.
    assert sown(0, {0: 1, 1: 2, 3: 5, 10: 1})[1] == [5, 0]
    # Two empty holes end the turn without capture.
    assert sown(0, {0: 1, 4: 5, 10: 1}) == ({1: 1, 4: 5, 10: 1}, [0, 0])


def test_a_chain_captures_every_other_hole():
    # "the seeds in the one after it are also captured, and so on as long as there is a sequence of alternate empty and
    # full holes"
    assert sown(0, {0: 1, 3: 2, 5: 3, 7: 4, 10: 1, 12: 1}) == ({1: 1, 10: 1, 12: 1}, [9, 0])
    # It stops at two full holes.
    assert sown(0, {0: 1, 3: 2, 4: 6, 6: 3, 10: 1}) == ({1: 1, 4: 6, 6: 3, 10: 1}, [2, 0])
    # Every other hole is full: the chain comes back to hole 1, where the last seed lies, and stops there.
    assert sown(0, {0: 1, **dict.fromkeys(range(3, 14, 2), 2)}) == ({}, [13, 0])
    # With a blind hole the ring has an odd number of holes, and hole 1 is one of those that must be empty.
    assert sown(0, {0: 1, 3: 2, 5: 2, 8: 2, 10: 2, 12: 2}, {6: BLIND}) == ({1: 1}, [10, 0])


def test_sows_and_captures_clockwise_past_blind_holes():
    assert sown(7 + 4, {4: 1, 0: 5, 9: 1}, {1: BLIND}, direction=-1) == ({3: 1, 9: 1}, [5, 0])


def test_a_kept_hole_counts_as_empty():
    # "When the last seed ... falls into an empty hole immediately preceding one containing a puta or naga (which is
    # considered to be pussa, 'empty,' ...) these are passed over as though non-existent, and the seeds in the next hole
    # to them are 'eaten.'"
    assert sown(0, {0: 1, 2: 2, 3: 5, 10: 1}, {2: KEPT}) == ({1: 1, 2: 2, 10: 1}, [5, 0])
    # As the third hole it ends the chain: it cannot be captured.
    assert sown(0, {0: 1, 3: 2, 10: 1}, {3: KEPT})[1] == [0, 0]
    # As a later empty one it does not.
    assert sown(0, {0: 1, 3: 2, 4: 1, 5: 3, 10: 1}, {4: KEPT})[1] == [5, 0]
    # After a last seed in a kept hole the next hole decides as usual.
    assert sown(0, {0: 1, 1: 2, 2: 1, 10: 1}, {1: KEPT})[0] == {1: 3, 3: 1, 10: 1}


def test_by_the_summary_an_empty_or_kept_hole_ends_the_turn():
    # "If the final counter falls into an empty hole the turn ends."
    assert sown(5, {5: 2, 8: 3, 10: 1}, game=SUMMARY)[0] == {6: 1, 7: 1, 8: 3, 10: 1}
    assert sown(5, {5: 2, 9: 5}, game=SUMMARY)[1] == [0, 0]
    assert sown(5, {5: 2, 7: 1, 9: 5, 12: 1}, game=SUMMARY)[1] == [5, 0]
    assert sown(5, {5: 2, 7: 1, 8: 3}, {7: KEPT}, game=SUMMARY)[0] == {6: 1, 7: 2, 8: 3}


def test_by_the_summary_kept_holes_are_skipped():
    # "these are treated as though they are non-existent and capturing holes hold for the next following hole"
    left = {6: 1, 7: 2, 8: 2, 13: 1}
    assert sown(5, {5: 2, 7: 1, 8: 2, 10: 5, 13: 1}, {8: KEPT}, game=SUMMARY) == (left, [5, 0])
    # In relays too: from hole 7 to hole 9.
    assert sown(5, {5: 2, 7: 1, 8: 2, 9: 1, 13: 1}, {8: KEPT}, game=SUMMARY)[0] == {**left, 10: 1}


def test_a_player_who_set_out_by_twos_captures_only_the_hole_of_the_last_seed():
    # Twos are skipped, and a last seed in a two captures three and ends the turn; relays continue, chains do not count.
    twos = {"few": [2, 0]}
    assert sown(0, {0: 2, 1: 2, 2: 1, 3: 2, 10: 1}, **twos) == ({1: 2, 2: 2, 10: 1}, [3, 0])
    assert sown(0, {0: 1, 1: 2, 2: 4, 10: 1}, **twos) == ({2: 4, 10: 1}, [3, 0])
    assert sown(0, {0: 1, 1: 3, 2: 1, 10: 1}, **twos) == ({1: 4, 3: 1, 10: 1}, [0, 0])
    assert sown(0, {0: 1, 3: 5, 10: 1}, **twos)[1] == [0, 0]
    # The opponent captures as usual.
    assert sown(0, {7: 1, 10: 5, 1: 1}, **twos, to_move=1)[1] == [0, 5]


def test_a_wala_is_sown_and_captured_as_usual():
    # "those in the wala hole have not this privilege, and are sown and captured as usual" (p. 596)
    kind = {6: KEPT}
    assert sown(3, {10: 1, 13: 3, 2: 1, 8: 1}, kind, to_move=1)[1] == [0, 3]
    assert sown(6, {13: 3, 2: 1, 8: 1}, kind, to_move=1)[0] == {0: 1, 1: 1, 2: 2, 8: 1}
    assert sown(3, {3: 1, 6: 1, 2: 1, 8: 1}, kind)[1] == [0, 0]


def test_the_last_lap_allowed_captures_nothing():
    once = make_game("walak_pussa", max_laps=1)
    assert sown(0, {0: 1, 3: 5, 10: 1}, game=once)[1] == [0, 0]
    assert sown(0, {0: 1, 2: 5, 10: 1}, game=once)[0] == {1: 1, 2: 5, 10: 1}
    # Nor for a player who set out by twos: the second of two laps ends in hole 3 with two seeds.
    for laps, eaten in ((1, 0), (2, 0), (3, 3)):
        game = make_game("walak_pussa", max_laps=laps)
        state = played(0, {0: 1, 2: 1, 3: 2, 10: 1}, few=[2, 0], game=game)
        assert (state.turn, state.holes[1], state.store.tolist()) == (1, 1, [eaten, 0])


def test_the_round_ends_when_a_player_cannot_lift():
    state = played(0, {0: 1, 3: 5}, store=[0, 3])
    assert (state.ended, state.winner, seeds(state)) == (1, 0, {1: 1})
