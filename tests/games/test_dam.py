"""Dam: every rule of its page, in positions that depend on it."""

import numpy as np
import pytest
from helpers.draughts_positions import leg, legs, position
from helpers.forms import InPython, PlainGame, both_forms, compare_forms
from helpers.point_positions import half_turned, play_from_both_sides, scattered, seen
from helpers.positions import after, perft, perft_of_turns, result

from mancala_envs import make_game
from mancala_envs.core.record import BY_RULES
from mancala_envs.games.dam import BEGIN, GO_ON
from mancala_envs.render import draw_text

GAME, FREE, PASS, TURN, LIE = (
    make_game("dam", **options)
    for options in ({}, {"capture": "free"}, {"crown": "pass"}, {"king_turn": "free"}, {"lift": "end"})
)
SMALL = PlainGame("dam", size=8)
DONE = 72 * 72
GOES_ON = {"phase": GO_ON, "taken": [1, 0]}
MAN_GOES_ON = GOES_ON | {"men": ((32,), (26, 27)), "moving": 32}
KING_GOES_ON = GOES_ON | {"men": ((66,), (65,)), "kings": ((59,), ()), "moving": 59, "heading": 3}


# Perft counts, on which two independent programs agree.


@pytest.mark.parametrize(
    ("options", "decisions", "turns"),
    [
        ({}, [11, 121, 1324, 12191], [11, 121, 1324, 12191, 116270]),
        ({"capture": "free"}, [11, 121, 1552], [11, 121, 1552, 19793]),
        ({"size": 10}, [9, 81, 724, 5399], [9, 81, 724, 5399, 42876]),
        ({"size": 8}, [7, 49, 340, 1983, 12914], [7, 49, 340, 1983, 12914, 84049]),
    ],
    ids=str,
)
def test_perft_of_the_rules_page(options, decisions, turns):
    game = make_game("dam", **options)
    assert perft(game, game.init(1, 0), len(decisions)) == decisions
    assert perft_of_turns(game, game.init(1, 0), len(turns)) == turns


@pytest.mark.parametrize(
    ("game", "turns", "decisions"),
    [
        (GAME, [11, 35, 426], [5, 29, 250, 3304]),
        (FREE, [30, 758, 19338], [24, 627, 14494, 381020]),
        (TURN, [16, 42, 649], [5, 30, 253, 2932]),
        (LIE, [11, 35, 426], [5, 29, 250, 3304]),
        (PASS, [11, 32, 189], [5, 26, 120, 1935]),
    ],
    ids=repr,
)
def test_perft_of_position_k(game, turns, decisions):
    states = position(game, [(13, 58, 60), (7, 8, 17, 26, 34, 51)], [(37,), (70,)])
    assert perft_of_turns(game, states, len(turns)) == turns
    # Masks of the last depth would be hundreds of megabytes, so its positions come in parts.
    *first, last = decisions
    assert perft(game, states, len(first)) == first
    for _ in first:
        which, actions = np.nonzero(game.legal(states))
        states = states[which]
        game.step(states, actions)
    assert sum(int(game.legal(part).sum()) for part in np.array_split(states, 1 + len(states) // 4096)) == last


# The set-up.


@pytest.mark.parametrize(("size", "men"), [(12, 30), (10, 20), (8, 12)])
def test_all_rows_are_full_but_the_two_in_the_middle(size, men):
    game = make_game("dam", size=size)
    s = game.init(1, 0)[0]
    assert s.board.tolist() == [2] * men + [0] * size + [1] * men
    assert (s.to_move, s.phase, s.moving, s.heading, s.quiet, s.taken.tolist()) == (0, BEGIN, -1, -1, 0, [0, 0])
    assert game.num_actions == len(s.board) ** 2 + 1


# Men.


def test_men_step_backwards_as_well_as_forwards():
    states = position(GAME, [(32,), (0,)])
    assert legs(GAME, states) == {(32, end) for end in (26, 27, 38, 39)}
    s = after(GAME, states, *leg(GAME, 32, 38))[0]
    assert (s.board[32], s.board[38], s.to_move, s.turn, s.quiet, s.phase, s.moving) == (0, 1, 1, 1, 1, BEGIN, -1)
    # There are fewer ways at the edge, and no piece steps on another.
    assert legs(GAME, position(GAME, [(36, 47, 41), (0,)])) == {
        *((36, end) for end in (30, 42)),
        *((41, end) for end in (34, 35, 46)),
        *((47, end) for end in (53,)),
    }


@pytest.mark.parametrize(("over", "end"), [(26, 19), (27, 21), (38, 43), (39, 45)])
def test_men_jump_over_a_neighbour_to_the_square_right_behind_in_any_direction(over, end):
    states = position(GAME, [(32,), (over, 0)], quiet=7)
    assert legs(GAME, states) == {(32, end)}
    s = after(GAME, states, *leg(GAME, 32, end))[0]
    assert (s.board[32], s.board[over], s.board[end]) == (0, 0, 1)
    assert (s.taken.tolist(), s.quiet, s.turn, s.to_move, s.moving, s.phase) == ([1, 0], 0, 1, 1, -1, BEGIN)


def test_men_do_not_jump_over_their_own_side_or_two_or_from_a_distance_or_off_the_board():
    def jumps(first, second):
        return {(start, end) for start, end in legs(FREE, position(FREE, [first, second])) if abs(end - start) > 7}

    assert jumps((32, 26), (0,)) == set()
    assert jumps((32,), (26, 19)) == set()
    assert jumps((32,), (19,)) == set()
    assert jumps((31,), (24,)) == set()
    assert jumps((32,), (26,)) == {(32, 19)}


def test_a_player_with_a_choice_of_further_jumps_is_asked():
    # From 45 over 39 to 32; from there over 26 to 19, or over 27 to 21.
    states = after(GAME, position(GAME, [(45,), (39, 26, 27, 5)]), *leg(GAME, 45, 32))
    s = states[0]
    assert (s.phase, s.moving, s.heading, s.to_move, s.turn, s.quiet) == (GO_ON, 32, -1, 0, 0, 0)
    assert s.taken.tolist() == [1, 0] and legs(GAME, states) == {(32, 19), (32, 21)}
    s = after(GAME, states, *leg(GAME, 32, 21))[0]
    assert (s.phase, s.moving, s.turn, s.taken.tolist(), s.board[21]) == (BEGIN, -1, 1, [2, 0], 1)
    # The engine plays a single way to go on.
    s = after(GAME, position(GAME, [(45,), (39, 26, 5)]), *leg(GAME, 45, 32))[0]
    assert (s.phase, s.to_move, s.turn, s.taken.tolist(), s.board[19]) == (BEGIN, 1, 1, [2, 0], 1)


def test_a_player_who_can_capture_must_with_any_piece_and_in_any_way():
    states = position(GAME, [(45, 43, 66), (39, 26, 37, 5)])
    assert legs(GAME, states) == {(45, 32), (43, 30)}
    assert after(GAME, states, *leg(GAME, 43, 30))[0].taken.tolist() == [1, 0]


def test_with_free_captures_every_move_is_legal_and_a_man_may_stop():
    states = position(FREE, [(45, 66), (39, 26, 5)])
    assert {(45, 32), (45, 51), (66, 60)} <= legs(FREE, states)
    states = after(FREE, states, *leg(FREE, 45, 32))
    assert states[0].phase == GO_ON and legs(FREE, states) == {(32, 19), "done"}
    s = after(FREE, states, DONE)[0]
    assert (s.phase, s.moving, s.to_move, s.turn, s.quiet, s.board[32], s.board[26]) == (BEGIN, -1, 1, 1, 0, 1, 2)


# Crowning.


def test_a_man_on_the_last_row_is_doubled():
    s = after(GAME, position(GAME, [(8, 66), (60,)], quiet=9), *leg(GAME, 8, 2))[0]
    assert (s.board[2], s.to_move, s.quiet) == (3, 1, 0)
    s = after(GAME, position(GAME, [(60,), (62,)], to_move=1, quiet=9), *leg(GAME, 62, 67, player=1))[0]
    assert (s.board[67], s.quiet) == (4, 0)
    # A man is not crowned on its own first row.
    assert after(GAME, position(GAME, [(60,), (0,)]), *leg(GAME, 60, 66))[0].board[66] == 1
    # Nothing happens to a king that comes there.
    assert after(GAME, position(GAME, [(66,), (60,)], [(8,), ()]), *leg(GAME, 8, 2))[0].board[2] == 3


def test_a_man_that_jumps_to_the_last_row_is_crowned_or_jumps_on():
    # From 14 over 8 to 3, and on over 9 to 16.
    men = [(14,), (8, 9, 60)]
    s = after(GAME, position(GAME, men), *leg(GAME, 14, 3))[0]
    assert (s.board[3], s.taken.tolist(), s.turn) == (3, [1, 0], 1)
    s = after(PASS, position(PASS, men), *leg(PASS, 14, 3))[0]
    assert (s.board[3], s.board[16], s.taken.tolist(), s.turn) == (0, 1, [2, 0], 1)
    # If it cannot jump on, it is crowned too.
    s = after(PASS, position(PASS, [(14,), (8, 60)]), *leg(PASS, 14, 3))[0]
    assert s.board[3] == 3
    game = make_game("dam", crown="pass", capture="free")
    states = after(game, position(game, men), *leg(game, 14, 3))
    assert (states[0].phase, states[0].board[3]) == (GO_ON, 1) and legs(game, states) == {(3, 16), "done"}
    assert after(game, states, DONE)[0].board[3] == 3


# Kings.


def test_a_king_goes_any_number_of_empty_squares_along_one_diagonal():
    states = position(GAME, [(66, 43), (5,)], [(32,), ()], quiet=3)
    ways = {end for start, end in legs(GAME, states) if start == 32}
    assert ways == {26, 19, 13, 6, 0} | {27, 21, 16, 10} | {38} | {39, 45, 52, 58, 65, 71}
    s = after(GAME, states, *leg(GAME, 32, 58))[0]
    assert (s.board[58], s.quiet, s.turn, s.to_move, s.heading) == (3, 4, 1, 1, -1)


def test_a_king_captures_from_a_distance_and_stops_on_any_empty_square_behind():
    states = position(GAME, [(66,), (45, 5)], [(19,), ()])
    assert legs(GAME, states) == {(19, end) for end in (52, 58, 65, 71)}
    s = after(GAME, states, *leg(GAME, 19, 58))[0]
    assert (s.board[45], s.board[58], s.taken.tolist(), s.turn) == (0, 3, [1, 0], 1)


def test_all_enemies_passed_over_are_captured_kings_too():
    states = position(GAME, [(66,), (13, 5)], [(6,), (39, 58)])
    assert legs(GAME, states) == {(6, end) for end in (19, 26, 32, 45, 52, 65, 71)}
    for end, taken in ((32, 1), (45, 2), (52, 2), (65, 3)):
        s = after(GAME, states, *leg(GAME, 6, end))[0]
        assert s.taken.tolist() == [taken, 0] and (s.board != 0).sum() == 6 - taken


def test_a_king_never_passes_its_own_side_two_in_a_row_or_one_at_the_edge():
    ways = legs(GAME, position(GAME, [(39,), (5,)], [(19,), ()]))
    assert {end for start, end in ways if start == 19 and end > 19} == {25, 30, 36, 26, 32}
    ways = legs(GAME, position(GAME, [(66,), (39, 45, 5)], [(19,), ()]))
    assert {end for start, end in ways if start == 19 and end > 19} == {25, 30, 36, 26, 32}
    ways = legs(GAME, position(GAME, [(66,), (5,)], [(19,), (71,)]))
    assert (19, 71) not in ways and (19, 65) in ways


def test_from_the_end_of_the_diagonal_the_king_may_go_on_at_a_right_angle():
    # South-east over 40 to the end at 59, then south-west over 65; the king cannot turn on any other square.
    states = position(GAME, [(66,), (40, 65, 5)], [(20,), ()])
    assert legs(GAME, states) == {(20, 46), (20, 53), (20, 59)}
    assert after(GAME, states, *leg(GAME, 20, 53))[0].turn == 1
    states = after(GAME, states, *leg(GAME, 20, 59))
    s = states[0]
    assert (s.phase, s.moving, s.heading, s.to_move, s.turn, s.taken.tolist()) == (GO_ON, 59, 3, 0, 0, [1, 0])
    assert legs(GAME, states) == {(59, 70), "done"}
    stopped, gone = after(GAME, states, DONE)[0], after(GAME, states, *leg(GAME, 59, 70))[0]
    assert (stopped.board[59], stopped.turn, stopped.taken.tolist()) == (3, 1, [1, 0])
    assert (gone.board[70], gone.turn, gone.taken.tolist()) == (3, 1, [2, 0])


@pytest.mark.parametrize(
    ("king", "end", "enemies", "taken"),
    [
        # On 53 the king stands beside 58, over which it could jump to the south-west.
        (20, 53, (40, 58, 5), 1),
        # A leg without capture is never followed.
        (20, 59, (65, 5), 0),
        # In a corner the turn ends.
        (19, 71, (45, 64, 5), 1),
    ],
)
def test_a_king_goes_on_from_no_other_square_and_not_without_a_capture(king, end, enemies, taken):
    s = after(GAME, position(GAME, [(66,), enemies], [(king,), ()]), *leg(GAME, king, end))[0]
    assert (s.turn, s.phase, s.board[end], s.board[enemies[1]], s.taken.tolist()) == (1, BEGIN, 3, 2, [taken, 0])


def test_a_king_may_go_on_to_a_third_diagonal_and_more():
    # South-east over 34, south-west over 58, north-west over 50, north-east over 13.
    states = position(GAME, [(66,), (34, 58, 50, 13, 11)], [(21,), ()])
    found = []
    for squares in ((21, 47), (47, 69), (69, 24), (24, 2)):
        states = after(GAME, states, *leg(GAME, *squares))
        found.append((int(states[0].phase), int(states[0].heading), int(states[0].taken[0])))
    assert found == [(GO_ON, 3, 1), (GO_ON, 5, 2), (GO_ON, 7, 3), (BEGIN, -1, 4)]
    assert states[0].turn == 1 and states[0].board[2] == 3


def test_a_further_leg_must_capture_by_default():
    men, kings = [(66,), (40, 5)], [(20,), ()]
    s = after(GAME, position(GAME, men, kings), *leg(GAME, 20, 59))[0]
    assert (s.turn, s.board[59]) == (1, 3)
    states = after(TURN, position(TURN, men, kings), *leg(TURN, 20, 59))
    assert states[0].phase == GO_ON and legs(TURN, states) == {(59, 65), (59, 70), "done"}
    s = after(TURN, states, *leg(TURN, 59, 70))[0]
    assert (s.turn, s.phase, s.board[70], s.quiet, s.taken.tolist()) == (1, BEGIN, 3, 0, [1, 0])
    # With no enemy left the king may still turn; the opponent, with no piece, then loses.
    states = after(TURN, position(TURN, [(66,), (40,)], kings), *leg(TURN, 20, 59))
    assert result(states) == (-2, 0) and result(after(TURN, states, DONE)) == (0, BY_RULES)


def test_a_king_must_begin_with_a_capture_too_and_may_stop():
    assert (66, 60) not in legs(GAME, position(GAME, [(66,), (45, 5)], [(19,), ()]))
    assert {(66, 60), (19, 26), (19, 52)} <= legs(FREE, position(FREE, [(66,), (45, 5)], [(19,), ()]))


# Captured pieces.


@pytest.mark.parametrize(("game", "reach"), [(GAME, [20, 27, 33, 40, 46, 53, 59]), (LIE, [20, 27, 33])], ids=repr)
def test_captured_pieces_are_lifted_at_once_or_lie_in_the_way_until_the_turn_ends(game, reach):
    # Round the board and back along the first diagonal, where 40 was captured and either still lies or not.
    states = position(game, [(66,), (40, 65, 57, 6, 14)], [(20,), ()])
    states = after(game, states, *leg(game, 20, 59, 70, 12, 1))
    assert states[0].taken.tolist() == [4, 0] and states[0].board[40] == (6 if game is LIE else 0)
    assert legs(game, states) == {(1, end) for end in reach} | {"done"}
    s = after(game, states, DONE)[0]
    assert set(np.flatnonzero(s.board)) == {1, 14, 66} and s.taken.tolist() == [4, 0]


@pytest.mark.parametrize("game", [GAME, LIE], ids=repr)
def test_nothing_is_jumped_twice(game):
    # Once round, back to the start: over 39, 27, 28 and 40.
    s = after(game, position(game, [(45,), (39, 27, 28, 40, 5)]), *leg(game, 45, 32))[0]
    assert set(np.flatnonzero(s.board)) == {45, 5} and (s.taken.tolist(), s.turn) == ([4, 0], 1)


# Ends.


def test_a_player_to_move_without_pieces_or_moves_has_lost():
    states = position(GAME, [(32,), (26,)])
    rewards = GAME.step(states, leg(GAME, 32, 19))
    assert result(states) == (0, BY_RULES) and rewards.tolist() == [[1, -1]]
    assert (states[0].turn, states[0].moving, states[0].phase, states[0].taken.tolist()) == (1, -1, 0, [1, 0])
    # 60 stands at the edge; 61 can be jumped as long as 55 behind it is empty.
    states = position(GAME, [(66,), (60, 61, 49)], to_move=1)
    assert result(after(GAME, states, *leg(GAME, 49, 55, player=1))) == (1, BY_RULES)
    assert result(after(GAME, states, *leg(GAME, 49, 42, player=1))) == (-2, 0)


def test_quiet_turns_end_in_a_draw_and_crowning_restarts_the_count():
    game = make_game("dam", quiet_turns=2)
    states = after(game, position(game, [(32,), (0,)]), *leg(game, 32, 38), *leg(game, 0, 6, player=1))
    assert result(states) == (-1, BY_RULES) and states[0].quiet == 2
    states = after(game, position(game, [(8, 66), (60,)], quiet=1), *leg(game, 8, 2))
    assert result(states) == (-2, 0) and states[0].quiet == 0


def test_max_turns_end_in_a_draw_but_a_victory_comes_first():
    game = make_game("dam", max_turns=3, quiet_turns=3)
    assert result(after(game, position(game, [(32,), (0,)], turn=2), *leg(game, 32, 38))) == (-1, BY_RULES)
    assert result(after(game, position(game, [(32,), (26,)], turn=2), *leg(game, 32, 19))) == (0, BY_RULES)


@pytest.mark.parametrize(("game", "whole"), [(GAME, 60), (SMALL, 24)], ids=["12", "8"])
def test_the_margin_counts_captures_whoever_won(game, whole):
    game = PlainGame("dam", size=game.options["size"], reward="margin")
    over, end = (26, 19) if whole == 60 else (13, 10)
    states = position(game, [(32 if whole == 60 else 17,), (over,)], taken=[2, 7])
    rewards = game.step(states, leg(game, 32 if whole == 60 else 17, end))
    assert states[0].winner == 0 and np.allclose(rewards, [[-4 / whole, 4 / whole]])


# Observations.


def test_player_1_sees_what_player_0_would_see_from_the_other_side():
    game = make_game("dam", lift="end", capture="free")
    assert sum((states.heading >= 0).sum() for states in play_from_both_sides(game, 100, 150))


def test_actions_are_seen_from_the_movers_side_and_named_as_on_the_board():
    states = position(GAME, [(66,), (5,)], to_move=1)
    assert legs(GAME, states) == {(5, 11), (5, 10)}
    (action,) = leg(GAME, 5, 11, player=1)
    assert action == 72 * 66 + 60 and GAME.names_for(1)[action] == "go from square 5 to square 11"
    assert GAME.names_for(0)[action] == GAME.action_names[action] == "go from square 66 to square 60"
    assert GAME.names_for(1)[DONE] == "end the turn"
    assert GAME.explain(states, action)[:2] == [
        "player_1: go from square 5 to square 11",
        "goes from square 5 to square 11",
    ]


def test_the_king_that_may_go_on_is_observed_and_marked():
    states = after(LIE, position(LIE, [(66,), (40, 65, 5)], [(20,), ()]), *leg(LIE, 20, 59))
    for player, at, lies, heading in ((0, 59, 40, 3), (1, 12, 31, 7)):
        look = seen(LIE, states, player)
        going_on = [f"heading_{heading}", f"moving[{at}]", f"jumped[{lies}]"]
        assert [name for name in look if name.startswith(("moving", "heading", "jumped"))] == going_on
        side = "other" if player else "own"
        assert look[f"{side}_king[{at}]"] == look[f"{side}_taken"] == look["phase_1"] == 1
        assert not {f"own_man[{lies}]", f"other_man[{lies}]"} & look.keys()
    places = [column for column in LIE.observation_fields if "[" in column.name]
    assert len(places) == 6 * 72 and all(column.high == 1 for column in places)
    text = draw_text(LIE.board(states))
    assert "[O59]" in text and "+40" in text


# Positions and opponents.


@pytest.mark.parametrize(
    ("game", "fields", "says"),
    [
        (GAME, {"men": ((), (0,))}, "player 0 has lost"),
        (GAME, {"men": ((32,), ())}, "player 1 has lost"),
        (GAME, {"men": (range(41, 72), (0,))}, "player 0 has 30 pieces, got 31"),
        (GAME, {"taken": [30, 0]}, "player 1 has 30 pieces, got 31"),
        (GAME, {"men": ((3,), (8,))}, "on square 3 a man of player 0 would be a king"),
        (GAME, {"men": ((32,), (66,))}, "on square 66 a man of player 1 would be a king"),
        (GAME, {"quiet": -1}, "quiet must be at least 0"),
        (GAME, {"quiet": 120}, "quiet must be below 120"),
        (GAME, {"moving": 32}, "moving must be -1 in phase 0"),
        (GAME, {"heading": 1}, "heading must be -1 in phase 0"),
        (LIE, {"jumped": ((), (27,))}, r"board must hold 0\.\.4"),
        (GAME, {"men": ((66,), (60, 61, 55, 0))}, "has no legal action"),
        (GAME, MAN_GOES_ON | {"moving": -1}, "moving must be the square of a piece"),
        (GAME, MAN_GOES_ON | {"moving": 72}, "moving must be the square of a piece"),
        (GAME, MAN_GOES_ON | {"moving": 26}, "moving must be the square of a piece"),
        (GAME, MAN_GOES_ON | {"taken": [0, 0]}, "must have captured"),
        (GAME, MAN_GOES_ON | {"quiet": 1}, "must have captured"),
        (GAME, MAN_GOES_ON | {"men": ((32,), (26, 0))}, "two or more choices, got 1"),
        (FREE, MAN_GOES_ON | {"men": ((32,), (0,))}, "two or more choices, got 1"),
        (GAME, MAN_GOES_ON | {"men": ((32, 45, 43), (26, 27)), "heading": 3}, "heading must be -1 when a man"),
        (GAME, MAN_GOES_ON | {"men": ((32, 45, 43), (26, 27, 19, 21))}, "cannot have reached it by a capture"),
        (GAME, KING_GOES_ON | {"heading": 7}, "heading must be a direction in which"),
        (GAME, KING_GOES_ON | {"men": ((53,), (65,))}, "cannot have reached it by a capture"),
        (LIE, KING_GOES_ON, "1 to 1 jumped pieces"),
        (LIE, KING_GOES_ON | {"jumped": ((40,),)}, "board must hold 1 to 1 jumped pieces of player 1, got 1"),
        (
            GAME,
            KING_GOES_ON | {"men": ((66,), (5,)), "kings": ((6,), ()), "moving": 6, "heading": 7},
            "heading must be a direction in which",
        ),
        (LIE, KING_GOES_ON | {"kings": ((59,), (40,)), "jumped": ((), (20,))}, "cannot have reached it by a capture"),
    ],
)
def test_impossible_positions_are_refused(game, fields, says):
    with pytest.raises(ValueError, match=says):
        position(game, **{"men": ((32,), (0,))} | fields)


def test_positions_inside_a_turn_are_accepted():
    assert legs(GAME, position(GAME, **MAN_GOES_ON)) == {(32, 19), (32, 21)}
    assert legs(GAME, position(GAME, **KING_GOES_ON)) == {(59, 70), "done"}
    passing = make_game("dam", crown="pass", capture="free")
    states = position(passing, **MAN_GOES_ON | {"men": ((3,), (9, 60)), "moving": 3})
    assert legs(passing, states) == {(3, 16), "done"}


@pytest.mark.parametrize(
    ("pieces", "moving", "heading"),
    [
        # A king has come to 59 from a distance, a man to 32; the jumped piece was a man or a king.
        ({66: 1, 65: 2, 59: 3, 40: 6}, 59, 3),
        ({66: 1, 65: 2, 59: 3, 40: 8}, 59, 3),
        ({66: 1, 65: 2, 59: 3, 33: 6}, 59, 3),
        ({66: 1, 26: 2, 27: 2, 32: 1, 39: 6}, 32, -1),
    ],
)
def test_positions_inside_a_turn_with_jumped_pieces_are_accepted(pieces, moving, heading):
    board = [pieces.get(square, 0) for square in range(72)]
    states = LIE.load(board=board, to_move=0, phase=GO_ON, taken=[1, 0], moving=moving, heading=heading)
    for each in (states, half_turned(states)):
        assert LIE.parse(LIE.text(each)).tobytes() == each.tobytes()


def test_greedy_takes_the_king_and_goes_on():
    states = position(GAME, [(45, 43), (39, 66 - 9)], [(), (37,)])
    assert InPython(GAME).greedy(states).tolist() == leg(GAME, 43, 30)
    states = position(GAME, [(66,), (40, 65, 5)], [(20,), ()])
    assert InPython(GAME).greedy(states).tolist() == leg(GAME, 20, 59)
    assert InPython(GAME).greedy(after(GAME, states, *leg(GAME, 20, 59))).tolist() == leg(GAME, 59, 70)


# The fast form.


def positions(game, n):
    """Return boards with any number of pieces, few or many of them kings, some near the limit of quiet turns."""
    rng, states = scattered(game, n, [0.05, 0.2, 0.45])
    last = game.options["size"] // 2
    crowned = rng.random(states.board.shape) < rng.choice([0, 0, 0.1, 0.6], size=(n, 1))
    crowned[:, :last] |= states.board[:, :last] == 1
    crowned[:, -last:] |= states.board[:, -last:] == 2
    states.board += np.uint8(2) * (crowned & (states.board > 0))
    return states


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{}, {"size": 8, "lift": "end", "crown": "pass"}, {"size": 8, "capture": "free", "king_turn": "free"}],
    ids=str,
)
def test_the_fast_form_plays_as_the_rules(options):
    fast, plain = both_forms("dam", **options)
    states = positions(fast, 1500)
    went_on = 0
    for _ in range(3):
        _, states = compare_forms(fast, plain, states)
        states = states[states.ended == 0]
        went_on += (states.phase == GO_ON).sum()
    assert went_on > 10 and (states.turn > 1).any()
