"""Puhulmutu: a position for every rule of its page, from Parker's text. South 0..6, North 7..13, anticlockwise = up.

Quotations are from H. Parker, *Ancient Ceylon*, 1909, pp. 594-597.
"""

import pytest
from helpers import olinda_positions
from helpers.olinda_positions import ANTICLOCKWISE, BLIND, KEPT, at, set_out
from helpers.positions import after, legal, seeds, seen

from mancala_envs import make_game
from mancala_envs.core.binding import in_python
from mancala_envs.games.puhulmutu import give_back

GAME = make_game("puhulmutu")
SUMMARY = make_game("puhulmutu", reading="summary")
ONCE = make_game("puhulmutu", max_laps=1)
position, played, sown = olinda_positions.of(GAME)
CLOCKWISE = 7
"""Offset of the actions that sow clockwise."""
CUT, NO = 17, 18


# Direction and lifting.


def test_the_first_lift_chooses_the_direction_of_the_round():
    states = GAME.init(1)
    assert legal(GAME, states) == list(range(14))
    GAME.step(states, [2 + CLOCKWISE])
    assert states[0].direction == -1
    assert set(legal(GAME, states)) <= set(range(7, 14))


def test_lifts_are_of_own_plain_holes_with_seeds():
    # "those in the first two, containing a puta or naga, cannot be taken out and sown"
    states = position({0: 2, 1: 2, 3: 5, 8: 2, 9: 2}, {1: KEPT, 5: BLIND})
    assert legal(GAME, states) == [0, 3]
    assert legal(GAME, position({0: 2, 8: 2, 9: 2}, {9: KEPT}, to_move=1)) == [1]


def test_a_single_seed_in_the_front_hole_can_be_lifted_only_if_nothing_else_can():
    # "a single seed in the last hole on a player's side cannot be taken as the starting-point if any other hole on his
    # side of the board contain one, or more than one."
    assert legal(GAME, position({6: 1, 2: 1})) == [2]
    assert legal(GAME, position({6: 1})) == [6]
    assert legal(GAME, position({6: 2, 2: 1})) == [2, 6]
    assert legal(GAME, position({6: 1, 0: 1}, direction=-1)) == [6 + CLOCKWISE]
    # Before a direction is chosen, each direction has its own front hole.
    assert legal(GAME, position({6: 1, 0: 1, 3: 1}, direction=0)) == [0, 3, 3 + CLOCKWISE, 6 + CLOCKWISE]


def test_the_front_hole_is_the_last_that_is_not_blind():
    assert legal(GAME, position({4: 1, 2: 1, 8: 1}, {5: BLIND, 6: BLIND})) == [2]
    # A kept hole is playable: then hole 5 is not the front.
    assert legal(GAME, position({5: 1, 2: 1, 6: 2}, {6: KEPT})) == [2, 5]
    # Seeds in a kept hole cannot be lifted instead.
    assert legal(GAME, position({6: 1, 2: 2}, {2: KEPT})) == [6]


def test_by_the_summary_single_seeds_can_be_lifted_only_if_no_larger_hole_can():
    # "singletons cannot be moved if a player has a hole with multiple counters"
    assert legal(SUMMARY, position({1: 1, 3: 2, 4: 1}, game=SUMMARY)) == [3]
    assert legal(SUMMARY, position({1: 1, 4: 1, 6: 1}, game=SUMMARY)) == [1, 4]
    assert legal(SUMMARY, position({1: 1, 3: 2}, {3: KEPT}, game=SUMMARY)) == [1]


# Sowing.


def test_relays_until_the_last_seed_falls_into_an_empty_hole():
    # "takes the five seeds out of the hole into which the last one fell, and in the same way as before sows them ...
    # until the final seed falls into an empty hole"
    state = played(0, {0: 2, 2: 4, 9: 1})
    assert seeds(state) == {1: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 9: 1}
    assert (state.to_move, state.turn, state.quiet) == (1, 1, 1)


def test_sows_clockwise():
    assert sown(1 + CLOCKWISE, {1: 3, 8: 1}, direction=0)[0] == {0: 1, 8: 1, 12: 1, 13: 1}


def test_holes_of_three_and_blind_holes_are_skipped():
    # "When a hole has three seeds in it, it must be passed over without receiving any seeds"
    assert sown(0, {0: 2, 1: 3, 7: 1})[0] == {1: 3, 2: 1, 3: 1, 7: 1}
    # A hole that reaches three during the lap is skipped on the next round.
    given = {0: 16, **dict.fromkeys(range(1, 14), 2)}
    assert sown(0, given, game=ONCE)[0] == {0: 2, 1: 4, **dict.fromkeys(range(2, 14), 3)}
    # If all holes would be skipped, the next one receives the seed.
    given = {0: 6, **dict.fromkeys(range(1, 14), 3)}
    assert sown(0, given, game=ONCE)[0] == {0: 3, 1: 5, 2: 4, **dict.fromkeys(range(3, 14), 3)}
    # "During the whole of the round no seeds can be placed in the 'blind' holes by either player."
    assert sown(3, {3: 2, 9: 1}, {5: BLIND, 6: BLIND})[0] == {4: 1, 7: 1, 9: 1}


def test_the_last_seed_captures_four_and_play_continues_from_the_next_hole():
    # "excepting ... the last seed ... When this falls into such a hole he captures the four ... He then takes the seeds
    # of the next hole, if there be any, and sows them as before"
    state = played(0, {0: 2, 2: 3, 3: 2, 9: 1})
    assert seeds(state) == {1: 1, 4: 1, 5: 1, 9: 1}
    assert (state.store.tolist(), state.quiet, state.to_move) == ([4, 0], 0, 1)
    # On either side.
    assert sown(6, {6: 2, 8: 3, 10: 1})[1] == [4, 0]


def test_the_turn_ends_when_the_next_hole_is_empty_or_kept():
    # "if the next hole to that at which he effected the capture be empty his turn is ended"
    assert sown(0, {0: 2, 2: 3, 9: 1}) == ({1: 1, 9: 1}, [4, 0])
    assert sown(0, {0: 2, 2: 3, 3: 2, 9: 1}, {3: KEPT}) == ({1: 1, 3: 2, 9: 1}, [4, 0])
    # The next hole is the next that is not blind.
    assert sown(0, {0: 2, 2: 3, 5: 2, 9: 1}, {3: BLIND, 4: BLIND})[0] == {1: 1, 6: 1, 7: 1, 9: 1}


def test_a_kept_hole_ends_the_turn_and_is_never_skipped():
    # "the turn of the player whose last one falls into either of them comes to an end"; "seeds are sown as usual, by
    # both players, into these three holes"
    assert sown(0, {0: 2, 2: 3, 9: 1}, {2: KEPT})[0] == {1: 1, 2: 4, 9: 1}
    assert sown(0, {0: 2, 1: 3, 9: 1}, {1: KEPT})[0] == {1: 4, 2: 1, 9: 1}


def test_the_last_lap_allowed_neither_relays_nor_captures():
    assert sown(0, {0: 2, 2: 3, 9: 1}, game=ONCE)[1] == [0, 0]
    assert sown(0, {0: 2, 2: 3, 9: 1}, game=make_game("puhulmutu", max_laps=2))[1] == [4, 0]
    state = played(0, {0: 2, 2: 4, 9: 1}, game=ONCE)
    assert (seeds(state), state.to_move, state.turn) == ({1: 1, 2: 5, 9: 1}, 1, 1)


# Players who set out by twos or ones.


def test_a_player_who_set_out_by_twos_captures_and_skips_twos():
    # "the 'blind' player only makes a capture when his last seed falls into a hole containing two seeds ..., in which
    # case he takes the three"; "all such holes ... are passed over by him"
    assert sown(0, {0: 2, 1: 2, 3: 2, 9: 1}, few=[2, 0]) == ({1: 2, 2: 1, 9: 1}, [3, 0])
    # "no longer passes over the holes with three seeds, but sows his seeds into each of them"
    left = {1: 4, 3: 1, 4: 1, 5: 1, 6: 1, 9: 1}
    assert sown(0, {0: 2, 1: 3, 2: 3, 9: 1}, few=[2, 0]) == (left, [0, 0])


def test_a_player_who_set_out_by_ones_captures_ones():
    # "If he placed one seed in each hole ... he would make captures when his last seed fell into a hole which contained
    # only one."
    assert sown(0, {0: 2, 1: 1, 3: 1, 4: 1, 9: 1}, few=[1, 0]) == ({1: 1, 2: 1, 5: 1, 9: 1}, [2, 0])


def test_the_opponent_of_a_player_who_set_out_by_twos_plays_as_usual():
    # "The opponent plays and effects captures in the usual manner"; "although his opponent sows into them"
    left, _ = sown(0, {7: 3, 8: 2, 9: 3, 10: 3, 2: 1}, few=[2, 0], to_move=1)
    assert left == {2: 1, 8: 3, 9: 3, 10: 3, 11: 1, 12: 1}


# The end.


def test_the_round_ends_when_the_player_to_move_cannot_lift():
    # "when a player is left without seeds in his row of holes on his turn's coming to play, the round is ended"; each
    # player counts "any that were left in the holes on his side of the board, together with those captured by him"
    state = played(0, {0: 1, 4: 2, 9: 2}, {9: KEPT}, store=[4, 3])
    assert (state.ended, state.to_move, state.phase, state.winner) == (1, -1, 0, 0)
    assert (seeds(state), state.store.tolist()) == ({1: 1, 4: 2, 9: 2}, [4, 3])
    # A row may be empty while the other player moves.
    assert played(0, {0: 1, 9: 2}).ended == 0


def test_quiet_turns_max_turns_and_the_margin():
    state = played(0, {0: 1, 9: 2}, quiet=99)
    assert (state.ended, state.winner) == (1, 1)
    assert played(0, {0: 2, 2: 3, 9: 2}, quiet=99).ended == 0
    assert played(0, {0: 2, 2: 3, 9: 2}, turn=399).ended == 1
    game = make_game("puhulmutu", reward="margin")
    states = position({0: 1}, store=[4, 3], game=game)
    assert game.step(states, [0])[0].tolist() == pytest.approx([2 / 56, -2 / 56])


# Cutting ash-pumpkins.

BORROW = make_game("puhulmutu", campaign=True, cutting="borrow")
MOVE = make_game("puhulmutu", campaign=True, cutting="move")


def test_borrowed_seeds_are_sown_and_returned():
    # "borrows a seed out of each of the last two holes on his opponent's side, and places these in the adjoining two
    # holes on his own side. He must then begin his play at the next or third hole; and the borrowed seeds are returned
    # when his opponent is about to commence sowing" (p. 597).
    states = set_out(BORROW, 24, ANTICLOCKWISE)
    assert (states[0].phase, legal(BORROW, states)) == (3, [CUT, NO])
    assert states[0].holes.tolist() == [4] * 6 + [0] + [4] * 7
    BORROW.step(states, [CUT])
    state = states[0]
    assert state.holes.tolist() == [5, 5, 1, 5, 5, 5, 0, 0, 5, 5, 5, 5, 1, 1]
    assert (state.store.tolist(), state.to_move, state.turn, state.phase) == ([4, 4], 1, 1, 0)


def test_borrowed_seeds_are_sown_and_returned_clockwise_and_by_north():
    clockwise = set_out(BORROW, 24, olinda_positions.CLOCKWISE, CUT)
    north = set_out(BORROW, 24, ANTICLOCKWISE, CUT, to_move=1)
    assert clockwise.holes[0].tolist() == [0, 5, 5, 5, 1, 5, 5, 1, 1, 5, 5, 5, 5, 0]
    assert north.holes[0].tolist() == [0, 5, 5, 5, 5, 1, 1, 5, 5, 1, 5, 5, 5, 0]


def test_cutting_may_be_declined_and_needs_a_third_hole():
    states = set_out(BORROW, 24, ANTICLOCKWISE, NO)
    assert (states[0].phase, legal(BORROW, states)) == (0, [0, 1, 2, 3, 4, 5])
    # Ten seeds by fours: the third hole is a naga.
    states = BORROW.load(seeds_owned=[10, 46], to_move=0, phase=1, round_number=2)
    assert after(BORROW, states, 14, 17)[0].phase == 0
    # The lift is the second decision of the turn, and only hole 2 can be lifted.
    fields = {"round_number": 2, "phase": 3, "game": BORROW, "seeds_owned": [9, 47]}
    state = played(NO, {0: 1, 1: 1, 2: 4, 12: 4, 13: 4}, {0: KEPT, 1: KEPT}, **fields)
    assert (state.to_move, state.turn, seeds(state)) == (1, 1, {0: 1, 1: 1, 3: 1, 4: 1, 5: 1, 6: 1, 12: 4, 13: 4})


@pytest.mark.parametrize(
    ("without", "kind"),
    # A lending hole or the third hole is empty, or a hole that would borrow is blind.
    [({12: 0}, {}), ({13: 0}, {}), ({2: 0, 3: 12}, {}), ({}, {0: BLIND}), ({}, {1: BLIND})],
    ids=str,
)
def test_positions_in_which_nothing_can_be_borrowed_are_refused(without, kind):
    with pytest.raises(ValueError, match="in phase 3 the player to move must be able to cut"):
        borrowed({2: 12, 12: 1, 13: 1, **without}, [0, 0], kind)


def borrowed(holes, store, kind=None):
    """Return the state after a cut with `cutting="borrow"` in a given position."""
    fields = {"round_number": 2, "phase": 3, "game": BORROW, "seeds_owned": [9, 30]}
    return played(CUT, holes, kind, store=store, **fields)


def test_a_loan_is_returned_from_the_opposite_hole_the_store_or_the_first_hole_with_seeds():
    # The 12 seeds of hole 2 end in hole 0, whose two seeds are then sown to hole 2. Hole 0 is empty, so the seed
    # borrowed from hole 13 is returned from elsewhere.
    holes = {2: 12, 12: 1, 13: 1}
    state = borrowed(holes, [1, 0])
    assert (state.store.tolist(), state.holes[13], state.holes[0]) == ([0, 0], 2, 0)
    state = borrowed(holes, [0, 0])
    assert (state.holes[13], state.holes[0], state.holes[1], state.holes[12]) == (2, 0, 0, 2)
    # A kept hole lends and stays kept.
    state = borrowed({0: 4, 1: 4, 2: 4, 9: 4, 12: 4, 13: 1}, [0, 0], {13: KEPT})
    assert (state.kind[13], state.holes[13]) == (KEPT, 1)


def test_moving_a_seed_or_two():
    # "a player's moving a seed, or two, on the opponent's side, and then commencing to sow from other holes than the
    # first three on his own side" (p. 597).
    states = set_out(MOVE, 24, ANTICLOCKWISE)
    # A seed moves within North's row, where hole 13 has no anticlockwise neighbour and hole 7 no clockwise one.
    assert legal(MOVE, states) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, NO]
    MOVE.step(states, [1])  # from 12, which faces hole 1, to 13
    assert (states[0].holes[12], states[0].holes[13], states[0].cut, states[0].phase) == (3, 5, 14, 3)
    # Both players observe where the seed was moved to, the last hole of North's row, counted from their own row on.
    for player, place in ((0, 13), (1, 6)):
        view = seen(MOVE, states, player)
        assert [view[f"moved_to[{n}]"] for n in range(14)] == [int(n == place) for n in range(14)]
        assert (view["phase_3"], view["lift_bound"]) == (1, 0)
    assert MOVE.parse(MOVE.text(states)).tobytes() == states.tobytes()
    # The second may not leave 13.
    assert legal(MOVE, states) == [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, NO]
    MOVE.step(states, [NO])
    assert (states[0].cut, states[0].phase, states[0].turn) == (15, 0, 0)
    assert seen(MOVE, states, 1)["lift_bound"] == 1
    assert legal(MOVE, states) == [3, 4, 5]
    MOVE.step(states, [4])
    assert (states[0].cut, states[0].to_move) == (0, 1)


def test_no_third_seed_can_be_moved():
    states = set_out(MOVE, 24, ANTICLOCKWISE, 1, 1)
    assert (states[0].holes[12], states[0].holes[13], states[0].cut, states[0].phase) == (2, 6, 15, 0)
    # North's sixth hole faces hole 1.
    states = set_out(MOVE, 24, ANTICLOCKWISE, 12, 12, to_move=1)
    assert (states[0].holes[0], states[0].holes[1], states[0].cut, states[0].phase) == (6, 2, 15, 0)


@pytest.mark.parametrize(("to_move", "row"), [(0, range(7, 14)), (1, range(7))])
def test_the_seed_that_was_moved_lies_in_the_opponents_row(to_move, row):
    owned = [32, 32]
    owned[to_move] = 24
    given = {"round_number": 2, "phase": 3, "to_move": to_move, "seeds_owned": owned, "direction": 1}
    empty = row[3]
    holes = [4 * (hole != empty) for hole in range(14)]
    for hole in range(14):
        if hole in row and hole != empty:
            assert MOVE.load(holes=holes, cut=1 + hole, **given)[0].cut == 1 + hole
        else:
            with pytest.raises(ValueError, match=f"cut={1 + hole} names no hole that a seed was moved to"):
                MOVE.load(holes=holes, cut=1 + hole, **given)


def test_lifts_after_moving():
    # Without a moved seed any hole can be lifted.
    states = set_out(MOVE, 24, ANTICLOCKWISE, NO)
    assert (states[0].cut, legal(MOVE, states)) == (0, [0, 1, 2, 3, 4, 5])
    # With sixteen seeds only the fourth hole can be lifted, and the engine does so.
    states = set_out(MOVE, 16, ANTICLOCKWISE, 1, NO)
    assert (states[0].to_move, states[0].turn, states[0].cut) == (1, 1, 0)
    # Without a fourth hole no seed is moved.
    assert set_out(MOVE, 12, ANTICLOCKWISE)[0].phase == 0


@pytest.mark.parametrize("last", [0, 3])
def test_a_loan_is_returned_from_the_first_hole_if_the_store_is_empty(last):
    # To hole 12, which faces hole 1.
    (state,) = position({last: 2, 6: 1, 12: 4}, game=BORROW, round_number=2, turn=1)
    in_python(give_back)(state, 1)
    assert seeds(state) == {last: 1, 6: 1, 12: 5}


WHEN = "phase 3 and cut come only at the start of a round after the first"
CAMPAIGN = make_game("puhulmutu", campaign=True)


@pytest.mark.parametrize(
    ("game", "bad", "says"),
    [
        (MOVE, {"phase": 3, "round_number": 1}, WHEN),
        (MOVE, {"phase": 3, "turn": 1}, WHEN),
        (MOVE, {"cut": 15, "turn": 2}, WHEN),
        (MOVE, {"phase": 3, "direction": 0}, WHEN),
        (MOVE, {"phase": 3, "seeds_owned": [28, 28]}, "player 0 does not have fewer seeds and cannot cut"),
        (MOVE, {"phase": 3, "to_move": 1}, "player 1 does not have fewer seeds and cannot cut"),
        (MOVE, {"phase": 3, "cut": 15}, "cut=15 names no hole"),
        (MOVE, {"phase": 3, "cut": 3}, "cut=3 names no hole"),
        (MOVE, {"cut": 14}, "cut=14 fits only phase 3"),
        (BORROW, {"cut": 15}, "cut=15 fits only phase 3"),
        (CAMPAIGN, {"phase": 3}, "phase 3 and cut need a campaign with cutting"),
        (CAMPAIGN, {"cut": 15}, "phase 3 and cut need a campaign with cutting"),
    ],
)
def test_inconsistent_positions_with_cutting_are_refused(game, bad, says):
    given = {"round_number": 2, "seeds_owned": [24, 32], "store": [0, 4], "direction": 1, **bad}
    with pytest.raises(ValueError, match=f"puhulmutu: .*{says}"):
        game.load(holes=[4] * 6 + [0] + [4] * 7, kind=at({6: BLIND}), **given)
