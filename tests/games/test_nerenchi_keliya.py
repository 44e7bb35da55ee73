"""Nerenchi Keliya: every rule of its page, in positions that depend on it."""

import numpy as np
import pytest
from helpers.forms import InPython, both_forms, compare_forms
from helpers.mill_positions import position, step
from helpers.point_positions import scattered
from helpers.positions import after, beside, legal, perft, result, seen

from mancala_envs import make_game
from mancala_envs.core.binding import in_python
from mancala_envs.core.record import BY_RULES
from mancala_envs.games.nerenchi_keliya import LAY, MOVE, REMOVE, lead
from mancala_envs.registry import REGISTRY

FILL, NINE, ANYWHERE, TWO = (
    make_game("nerenchi_keliya", **options) for options in ({}, {"placing": "nine"}, {"moves": "any"}, {"end": "two"})
)
A = position(range(0, 22, 2), range(1, 22, 2))
B = position((0, 1, 9, 14, 19, 20), (3, 4, 10, 12, 16, 23))


def moving(first, second, to_move=0, game=FILL, **fields):
    """Return a position in which all pieces are laid."""
    return game.load(board=position(first, second), hand=[0, 0], phase=MOVE, to_move=to_move, **fields)


# Perft counts, on which two independent programs agree.


@pytest.mark.parametrize(
    ("board", "options", "counts"),
    [
        (A, {}, [1, 3, 10, 33, 108]),
        (A, {"corners": True}, [2, 14, 59, 294, 1703]),
        (A, {"moves": "any"}, [22, 385, 8943]),
        (B, {}, [7, 67, 499, 4758]),
        (B, {"corners": True}, [8, 84, 752, 8446]),
        (B, {"moves": "any"}, [72, 4392, 287088]),
    ],
    ids=str,
)
def test_perft_of_the_rules_page(board, options, counts):
    game = make_game("nerenchi_keliya", **options)
    assert perft(game, game.load(board=board, hand=[0, 0], phase=MOVE, to_move=0), len(counts)) == counts


# Laying.


def test_a_row_gives_one_more_piece_in_the_same_turn():
    states = after(FILL, FILL.init(1, 0), 0, 3, 1, 4, 2)
    s = states[0]
    assert (s.to_move, s.turn, s.phase, s.hand.tolist()) == (0, 4, LAY, [17, 17])
    # The additional piece makes a row again: 0 9 21.
    states = after(FILL, states, 9)
    assert (states[0].to_move, states[0].turn) == (1, 5)
    states = after(FILL, states, 23, 21)
    assert (states[0].to_move, states[0].turn) == (0, 6)
    assert not states[0].taken.any()


def test_two_rows_with_one_piece_give_one():
    states = after(FILL, FILL.load(board=position((0, 1, 14, 23), (3, 4, 9, 10)), hand=[14, 14]), 2)
    assert (states[0].to_move, states[0].turn) == (0, 0)
    assert after(FILL, states, 22)[0].to_move == 1


def test_after_22_pieces_the_other_player_moves_and_a_row_gives_nothing():
    s = after(FILL, FILL.init(1, 0), *range(22))[0]
    assert (s.board.tolist(), s.phase, s.to_move) == (A, MOVE, 0)
    # The last piece makes a row of player 1: 12 13 14.
    board = position((0, 2, 4, 6, 8, 10, 15, 17, 19, 21, 23), (1, 3, 5, 7, 9, 11, 12, 14, 16, 18))
    s = after(FILL, FILL.load(board=board, hand=[1, 1], to_move=1), 13)[0]
    assert (s.phase, s.to_move, s.hand.tolist(), s.turn) == (MOVE, 0, [0, 0], 1)


def test_nine_pieces_each():
    states = NINE.init(1, 0)
    assert states[0].hand.tolist() == [9, 9]
    states = after(NINE, states, 0, 3, 1, 4, 2)
    assert states[0].hand.tolist() == [6, 7] and states[0].to_move == 0


def test_a_player_with_no_piece_left_to_lay_passes_and_moves_first():
    board = position((0, 1, 4, 7, 12, 13, 15, 17), (3, 5, 8, 9, 10, 16))
    states = NINE.load(board=board, hand=[1, 3], to_move=0)
    # A row with a player's last piece, 0 1 2, gives no other piece.
    # 3 10 18 is a row, so player 1 lays one more piece in this turn; then player 0 passes.
    for point, then in ((2, (1, 1, LAY)), (18, (1, 1, LAY)), (20, (1, 2, LAY)), (21, (0, 3, MOVE))):
        states = after(NINE, states, point)
        assert (states[0].to_move, states[0].turn, states[0].phase) == then


def test_pieces_are_moved_only_when_both_have_laid_all():
    # Either player may have more pieces left, because additional pieces are laid at once.
    board = position((0, 1, 4, 7, 12, 13), (3, 5, 8, 9, 10, 16, 15, 21))
    states = NINE.load(board=board, hand=[2, 1], to_move=1)
    for point, then in ((20, (0, LAY)), (22, (0, LAY)), (17, (1, MOVE))):
        states = after(NINE, states, point)
        assert (states[0].to_move, states[0].phase) == then


# Moving and removing.


def test_a_step_goes_along_a_line_to_an_empty_neighbour():
    states = moving((0, 6, 13), (1, 20, 21))
    steps = [(0, 9), (6, 7), (6, 11), (13, 5), (13, 12), (13, 14)]
    assert legal(FILL, states) == sorted(step(FILL, start, end) for start, end in steps)


def test_with_corners_pieces_also_move_diagonally():
    game = make_game("nerenchi_keliya", corners=True)
    assert legal(game, moving((0,), (1, 9, 20, 21), game=game)) == [step(game, 0, 3)] == [24 + 3]


def test_with_moves_any_a_piece_goes_to_any_empty_point():
    states = moving((0, 6), (1, 20), game=ANYWHERE)
    empty = sorted(set(range(24)) - {0, 1, 6, 20})
    assert legal(ANYWHERE, states) == [24 + 24 * start + end for start in (0, 6) for end in empty]
    assert ANYWHERE.num_actions == 600 and ANYWHERE.action_names[24 + 24 * 3 + 7] == "move from point 3 to point 7"


def test_a_row_removes_any_piece_also_out_of_a_row_and_moves_once_more():
    states = after(FILL, moving((1, 2, 9, 12), (6, 7, 8, 20), quiet=5), step(FILL, 9, 0))
    s = states[0]
    assert (s.phase, s.to_move, s.turn, s.quiet) == (REMOVE, 0, 0, 5)
    assert legal(FILL, states) == [6, 7, 8, 20]
    states = after(FILL, states, 7)
    s = states[0]
    assert (s.phase, s.to_move, s.turn, s.quiet, s.taken.tolist()) == (MOVE, 0, 0, 0, [1, 0])
    s = after(FILL, states, step(FILL, 12, 13))[0]
    assert (s.to_move, s.turn, s.quiet) == (1, 1, 1)


def test_the_same_row_may_be_opened_and_closed_again():
    states = after(FILL, moving((0, 1, 2), (6, 7, 20)), step(FILL, 0, 9), step(FILL, 20, 13), step(FILL, 9, 0))
    assert states[0].phase == REMOVE


def test_an_additional_move_may_make_a_row_again():
    states = after(FILL, moving((0, 2, 4, 9, 22), (6, 13, 20)), step(FILL, 4, 1), 6, step(FILL, 22, 21))
    assert states[0].phase == REMOVE and states[0].turn == 0
    assert legal(FILL, states) == [13, 20]


def test_a_single_choice_inside_a_turn_is_played_by_the_engine():
    # After the removal only one additional move is legal: back, from 1 to 4.
    states = after(FILL, moving((0, 2, 4), (3, 5, 7, 9, 13, 14)), step(FILL, 4, 1))
    assert legal(FILL, states) == [3, 5, 7, 9, 13, 14]
    s = after(FILL, states, 3)[0]
    assert s.board[4] == 1 and s.board[1] == 0 and (s.to_move, s.turn, s.quiet) == (1, 1, 1)


def test_a_single_choice_may_be_that_of_point_0():
    s = after(FILL, moving((3, 4, 13), (0,)), step(FILL, 13, 5))[0]
    assert (s.board[0], s.taken.tolist(), s.winner) == (0, [1, 0], 0)


def test_pieces_in_rows_are_protected_by_option():
    game = make_game("nerenchi_keliya", protect=True)
    free = moving((1, 2, 9), (6, 7, 8, 20, 23), game=game)
    assert legal(game, after(game, free, step(game, 9, 0))) == [20, 23]
    one_free = moving((1, 2, 9), (6, 7, 8, 20), game=game)
    s = after(game, one_free, step(game, 9, 0))[0]
    assert s.board[20] == 0 and s.phase == MOVE, "a single choice, which the engine plays"
    all_in_rows = moving((1, 2, 9), (6, 7, 8), game=game)
    assert legal(game, after(game, all_in_rows, step(game, 9, 0))) == [6, 7, 8]


# Ends.


def test_a_player_who_cannot_move_passes_without_a_turn():
    s = after(FILL, moving((1, 9, 20), (0,)), step(FILL, 20, 13))[0]
    assert (s.to_move, s.turn) == (0, 1)


def test_the_last_piece_lost_ends_the_game_at_once():
    s = after(FILL, moving((1, 2, 9), (6,)), step(FILL, 9, 0))[0]
    assert (s.winner, s.ended, s.taken.tolist(), s.turn) == (0, BY_RULES, [1, 0], 1)
    # A player with one piece left has not lost.
    assert after(FILL, moving((1, 2, 9), (6, 20)), step(FILL, 9, 0), 6)[0].ended == 0


def test_a_player_reduced_to_two_has_lost_by_option():
    assert result(after(TWO, moving((1, 2, 9), (6, 7, 20), game=TWO), step(TWO, 9, 0), 6)) == (0, BY_RULES)
    # With two pieces laid and none removed the condition is not checked.
    assert moving((1, 2, 9), (6, 7), game=TWO)[0].ended == 0


def test_quiet_moves_and_turns_while_laying_too_end_in_a_draw():
    game = make_game("nerenchi_keliya", quiet_turns=3, max_turns=4)
    states = after(game, moving((0, 13), (6, 20), game=game), step(game, 0, 1), step(game, 6, 7))
    assert states[0].ended == 0
    states = after(game, states, step(game, 1, 0))
    assert result(states) == (-1, BY_RULES) and states[0].quiet == 3
    assert result(after(game, game.init(1, 0), 0, 1, 3, 4)) == (-1, BY_RULES)


@pytest.mark.parametrize(("placing", "whole"), [("fill", 22), ("nine", 18)])
def test_the_margin_is_what_was_removed(placing, whole):
    game = make_game("nerenchi_keliya", reward="margin", placing=placing, quiet_turns=1)
    states = after(game, moving((1, 2, 9, 13), (6, 7, 20), game=game, taken=[3, 1]), step(game, 9, 0), 6)
    rewards = game.step(states, [step(game, 13, 14)])
    assert states[0].winner == -1 and np.allclose(rewards, [[3 / whole, -3 / whole]])


# Positions.


LAID = {"hand": [0, 0], "phase": MOVE}


@pytest.mark.parametrize(
    ("game", "fields", "says"),
    [
        (FILL, {"board": [3] + [0] * 23}, "board must hold 0..2"),
        (FILL, {"hand": [3, 4]}, "twice the same number"),
        (FILL, {"board": B, "hand": [11, 11]}, "there are 22 pieces, got 23"),
        (FILL, LAID | {"board": B, "taken": [6, 5]}, "there are 22 pieces, got 23"),
        (FILL, {"board": B, "hand": [0, 0]}, "must have a piece to lay"),
        (FILL, {"board": B, "hand": [0, 0], "to_move": 1}, "must have a piece to lay"),
        (FILL, {"board": B, "hand": [5, 5], "taken": [0, 1]}, "quiet and taken must be 0"),
        (FILL, {"board": B, "hand": [5, 5], "phase": MOVE}, "hand must be 0"),
        (FILL, LAID | {"board": B, "phase": REMOVE}, "must have made a row"),
        (FILL, LAID | {"board": position((3, 4), (0, 1, 2)), "phase": REMOVE}, "must have made a row"),
        (FILL, LAID | {"board": position((0, 1, 2), (3, 4)), "phase": REMOVE, "to_move": 1}, "must have made a row"),
        # No piece of the row can have come from elsewhere: the points next to it are taken.
        (
            FILL,
            LAID | {"board": position((0, 1, 2), (4, 9, 14, 23)), "phase": REMOVE},
            "must have made a row by a move",
        ),
        (FILL, LAID | {"board": B, "quiet": 100}, "quiet must be below 100"),
        (FILL, LAID | {"board": B, "quiet": -1}, "quiet must be at least 0"),
        (FILL, LAID | {"board": position((1,), ())}, "player 1 has lost"),
        (FILL, LAID | {"board": position((1, 9), (0,)), "to_move": 1}, "has no legal action"),
        (NINE, {"board": position((0, 1), (2,)), "hand": [8, 8]}, "player 0 has 9 pieces, got 10"),
        (NINE, LAID | {"board": position((0,), (1,)), "taken": [0, 9]}, "player 0 has 9 pieces, got 10"),
        (NINE, LAID | {"board": position((0,), (1,)), "taken": [9, 0]}, "player 1 has 9 pieces, got 10"),
        (TWO, LAID | {"board": position((0, 1), (3, 4, 5)), "taken": [0, 1]}, "player 0 has lost"),
    ],
)
def test_impossible_positions_are_refused(game, fields, says):
    with pytest.raises(ValueError, match=says):
        game.load(**fields)


def test_positions_with_a_row_to_be_paid_for_or_few_pieces_are_accepted():
    for to_move, sides in enumerate((((0, 1, 2), (3, 4)), ((3, 4), (0, 1, 2)))):
        states = FILL.load(board=position(*sides), hand=[0, 0], phase=REMOVE, to_move=to_move)
        assert legal(FILL, states) == [3, 4]
    assert moving((0, 1, 9), (3, 4), game=TWO, taken=[0, 1])[0].winner == -2


def test_with_moves_any_a_player_without_a_piece_is_passed_over():
    s = after(ANYWHERE, ANYWHERE.load(hand=[1, 1]), 0)[0]
    assert (s.phase, s.to_move) == (MOVE, 0)


def test_pieces_beside_the_board_are_observed_and_drawn():
    for to_move in (0, 1):
        states = moving((0, 1, 9), (3, 4), to_move, NINE, taken=[3, 1], quiet=2)
        look = seen(NINE, states)
        assert (look["own_taken"], look["other_taken"]) == ((3, 1), (1, 3))[to_move]
        assert (look["own_hand"], look["other_hand"], look["quiet_left"]) == (0, 0, 98)
        assert beside(NINE, states)[2:] == [("P0 took", 0, 3), ("P1 took", 1, 1)]
    laying = NINE.load(board=position((0,), ()), hand=[8, 9], to_move=1)
    look = seen(NINE, laying)
    assert (look["own_hand"], look["other_hand"]) == (9, 8)
    assert beside(NINE, laying)[:2] == [("P0 to lay", 0, 8), ("P1 to lay", 1, 9)]
    assert beside(FILL, FILL.init(1, 0))[0] == ("to lay", -1, 22)


@pytest.mark.parametrize(("game", "most"), [(FILL, 22), (NINE, 9)])
def test_columns_of_pieces_are_bounded_by_the_number_of_pieces(game, most):
    highest = {column.name: column.high for column in game.observation_fields}
    assert [highest[name] for name in ("own_hand", "other_hand", "own_taken", "other_taken")] == [most] * 4


# Opponents, and the fast form.


def test_a_position_is_evaluated_by_the_lead_in_pieces():
    (s,) = moving((0, 1, 9), (3, 4))
    assert [in_python(lead)(s, p) for p in (0, 1)] == [1, -1]


def test_greedy_removes_when_it_can():
    assert InPython(FILL).greedy(moving((1, 2, 9, 12), (6, 7, 8, 20))).tolist() == [step(FILL, 9, 0)]


@pytest.mark.parametrize(
    "options", [{}, {"corners": True}, {"placing": "nine", "protect": True, "end": "two", "corners": True}], ids=str
)
def test_the_fast_form_plays_as_the_rules(options):
    fast, plain = both_forms("nerenchi_keliya", **options)
    rng, states = scattered(fast, 3000, [0.1, 0.3, 0.46])
    states.phase = rng.choice([LAY, MOVE, MOVE, REMOVE], size=3000)
    states.hand = np.where(states.phase == LAY, 2, 0)[:, None]
    before, one = compare_forms(fast, plain, states)
    # The moves include rows, ends of the game and passes.
    assert (one.phase == REMOVE).any() and (one.ended > 0).any()
    passed_over = (before.phase == MOVE) & (one.phase == MOVE) & (one.turn == 1) & (one.to_move == before.to_move)
    assert passed_over.any()


def test_moves_to_any_point_have_no_fast_form():
    fast = REGISTRY["nerenchi_keliya"].fast_form
    assert fast and fast.fits(FILL.options) and not fast.fits(ANYWHERE.options)
