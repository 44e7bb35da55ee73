"""Koti Keliya: every rule of its page, in positions that depend on it; most on the 32 points of 8 x 8 squares."""

import numpy as np
import pytest
from helpers import hunt_positions as hunts
from helpers.forms import InPython, PlainGame, both_forms, compare_forms, slowly
from helpers.hunt_positions import hunt
from helpers.point_positions import seen
from helpers.positions import after, beside, legal, result

from mancala_envs import make_game
from mancala_envs.core.binding import in_python
from mancala_envs.core.record import BY_RULES
from mancala_envs.games.koti_keliya import MOVE, PLACE, advantage
from mancala_envs.render import draw_text

GAME, LEOPARD_FIRST = make_game("koti_keliya"), make_game("koti_keliya", first="leopard")
SMALL, SINGLE = PlainGame("koti_keliya", size=8), PlainGame("koti_keliya", size=8, reach=1)
HERD = (0, 1, 2, 3)
WAYS = {(-1, 1): 1, (1, 1): 3, (1, -1): 5, (-1, -1): 7, (-2, 2): 0, (2, 2): 2, (2, -2): 4, (-2, -2): 6}
"""The direction in a move's number, by the change of row and column."""


def move(game, start, end):
    """Return the action number of the move from one point to another."""
    places = game.book.presentation.grid(game.options)
    (row, column), (end_row, end_column) = places[start], places[end]
    return len(places) + 8 * start + WAYS[end_row - row, end_column - column]


def moves(game, *pairs):
    return sorted(move(game, start, end) for start, end in pairs)


# The board, and placing.


def test_white_squares_from_the_upper_left_row_by_row():
    for size in (12, 10, 8):
        width = size // 2
        places = make_game("koti_keliya", size=size).book.presentation.grid({"size": size})
        assert len(places) == size * width
        for point, (row, column) in enumerate(places):
            assert (row, column) == (point // width, 2 * (point % width) + point // width % 2)


def test_the_leopard_is_placed_on_any_empty_square_and_the_cattle_move_first():
    states = GAME.init(1, 0)
    s = states[0]
    assert np.flatnonzero(s.board).tolist() == list(range(6)) and (s.board[:6] == 2).all()
    assert (s.hand.tolist(), s.phase, s.to_move) == ([1, 0], PLACE, 0) and legal(GAME, states) == list(range(6, 72))
    s = after(GAME, states, 40)[0]
    assert (s.board[40], s.hand.tolist(), s.phase, s.to_move, s.turn) == (1, [0, 0], MOVE, 1, 1)


def test_the_leopard_has_the_second_turn_too_by_option():
    states = after(LEOPARD_FIRST, LEOPARD_FIRST.init(1, 0), 40)
    assert (states[0].to_move, states[0].turn, states[0].phase) == (0, 1, MOVE)
    states = after(LEOPARD_FIRST, states, move(LEOPARD_FIRST, 40, 45))
    assert (states[0].to_move, states[0].turn) == (1, 2)
    assert after(LEOPARD_FIRST, states, move(LEOPARD_FIRST, 0, 6))[0].to_move == 0


# Moves.


def test_cattle_move_one_square_diagonally_forward():
    states = hunt(SMALL, (31,), (0, 7, 13, 16), 1)
    # 0 and 7 are at the edges.
    assert legal(SMALL, states) == moves(SMALL, (0, 4), (7, 11), (13, 17), (13, 18), (16, 20))
    s = after(SMALL, states, move(SMALL, 13, 17))[0]
    assert (s.board[13], s.board[17], s.to_move, s.turn) == (0, 2, 0, 1)
    # Not onto another piece.
    assert legal(SMALL, hunt(SMALL, (4,), (0, 1, 6, 8), 1)) == moves(SMALL, (1, 5), (6, 10), (6, 11), (8, 12))


def test_the_leopard_goes_one_square_or_two_and_does_not_pass_over_cattle():
    far = [(17, 10), (17, 26), (17, 24), (17, 8)]
    near = [(17, 13), (17, 21), (17, 20), (17, 12)]
    assert legal(SMALL, hunt(SMALL, (17,), (0, 1, 2, 3))) == moves(SMALL, *near, *far)
    assert legal(SINGLE, hunt(SINGLE, (17,), (0, 1, 2, 3))) == moves(SINGLE, *near)
    # 10 is occupied, and so is 21, with 26 behind it.
    assert legal(SMALL, hunt(SMALL, (17,), (0, 1, 10, 21))) == moves(SMALL, *near[:1], *near[2:], *far[2:])
    s = after(SMALL, hunt(SMALL, (17,), (0, 1, 2, 3)), move(SMALL, 17, 10))[0]
    assert (s.board[17], s.board[13], s.board[10], s.to_move) == (0, 0, 1, 1)


# Ends.


def test_the_leopard_wins_when_no_cattle_are_above_it_and_the_same_row_does_not_count():
    states = hunt(SMALL, (8,), (5, 6, 7, 11))
    rewards = SMALL.step(states, [move(SMALL, 8, 4)])
    assert result(states) == (0, BY_RULES) and rewards.tolist() == [[1, -1]]
    assert SMALL.parse(SMALL.text(states)).tobytes() == states.tobytes()
    assert result(after(SMALL, hunt(SMALL, (12,), (6, 7, 10, 11)), move(SMALL, 12, 5))) == (0, BY_RULES)
    assert result(after(SMALL, hunt(SMALL, (12,), (6, 7, 10, 11)), move(SMALL, 12, 9))) == (-2, 0)


def test_the_leopard_wins_by_a_turn_of_the_cattle_too():
    states = hunt(SMALL, (4,), (3, 9, 10, 11), 1)
    assert result(after(SMALL, states, move(SMALL, 3, 7))) == (0, BY_RULES)
    assert result(after(SMALL, states, move(SMALL, 9, 12))) == (-2, 0)


@pytest.mark.parametrize("game", [SMALL, SINGLE], ids=repr)
def test_the_imprisoned_leopard_loses(game):
    states = hunt(game, (31,), (0, 1, 2, 23), 1)
    rewards = game.step(states, [move(game, 23, 27)])
    assert result(states) == (1, BY_RULES) and rewards.tolist() == [[-1, 1]]


def test_cattle_that_cannot_move_lose():
    states = hunt(SMALL, (14,), (7, 28, 29, 30))
    assert result(after(SMALL, states, move(SMALL, 14, 11))) == (0, BY_RULES)
    assert result(after(SMALL, states, move(SMALL, 14, 18))) == (-2, 0)


def test_max_turns_end_in_a_draw_but_a_victory_comes_first():
    game = PlainGame("koti_keliya", size=8, max_turns=3)
    assert result(after(game, game.init(1, 0), 31, move(game, 0, 4), move(game, 31, 27))) == (-1, BY_RULES)
    assert result(after(game, hunt(game, (31,), (0, 1, 2, 23), 1, turn=2), move(game, 23, 27))) == (1, BY_RULES)


# Observations.


def test_both_see_their_own_pieces_first():
    states = hunt(SMALL, (17,), (0, 1, 10, 21), turn=190)
    numbers = {"phase_0": 1, "turns_left": 10}
    leopard = {"own_man[17]": 1, "to_move": 1, "hunts": 1} | {f"other_man[{p}]": 1 for p in (0, 1, 10, 21)}
    assert seen(SMALL, states, 0) == numbers | leopard
    herd = {"other_man[17]": 1} | {f"own_man[{p}]": 1 for p in (0, 1, 10, 21)}
    assert seen(SMALL, states, 1) == numbers | herd
    board = SMALL.board(states)
    assert all(point.square for point in board.points) and not board.lines
    assert beside(SMALL, states) == [("P0 to place", 0, 0)]
    assert beside(SMALL, SMALL.init(1, 0)) == [("P0 to place", 0, 1)]
    assert {"L17", "c0", "c10", ".13"} <= set(draw_text(board).split())


def test_names_of_moves_say_how_far():
    names = SMALL.action_names
    assert names[4] == "place on point 4" and len(names) == 9 * 32
    assert names[move(SMALL, 17, 13)] == "move from point 17 one square north-east"
    assert names[move(SMALL, 17, 24)] == "move from point 17 two squares south-west"


# Positions and opponents.


def test_unknown_codes_are_refused():
    with pytest.raises(ValueError, match=r"board must hold 0\.\.2"):
        SMALL.load(board=[2] * 4 + [0] * 13 + [1, 3] + [0] * 13, hand=[0, 0], to_move=0, phase=MOVE)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"hunters": (17, 18)}, "there is one leopard, got 2"),
        ({"hunters": ()}, "there is one leopard, got 0"),
        ({"hand": (1, 0)}, "there is one leopard, got 2"),
        ({"herd": (0, 1, 2)}, "there are 4 cattle, got 3"),
        ({"herd": (0, 1, 2, 3, 4)}, "there are 4 cattle, got 5"),
        ({"hand": (0, 1)}, "hand must be"),
        ({"taken": [1, 0]}, "taken must be"),
        ({"phase": PLACE}, "phase must be 1 while the leopard is in hand"),
        ({"hunters": (), "hand": (1, 0), "phase": MOVE}, "phase must be 1 while the leopard"),
        ({"hunters": (), "herd": (0, 1, 2, 4), "hand": (1, 0)}, "the cattle on points 0..3"),
        ({"hunters": (), "hand": (1, 0), "to_move": 1, "phase": PLACE}, "player 0 must be to mo"),
        ({"hunters": (4,), "herd": (5, 9, 10, 11)}, "player 0 has won: none of the cattle is above"),
        ({"hunters": (31,), "herd": (0, 1, 2, 27)}, "has no legal action"),
        ({"phase": 2}, "phase must be one of"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        hunt(SMALL, **{"hunters": (17,), "herd": HERD} | fields)


def test_greedy_goes_through_and_imprisons():
    assert InPython(SMALL).greedy(hunt(SMALL, (8,), (5, 6, 7, 11))).tolist() == [move(SMALL, 8, 4)]
    assert InPython(SMALL).greedy(hunt(SMALL, (31,), (0, 1, 2, 23), 1)).tolist() == [move(SMALL, 23, 27)]


@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [
        # The leopard has passed more cattle: rows 6, 0, 0, 0 and rows 4, 4, 2, 0 have equal sums of squares.
        ((23, (24, 0, 1, 2)), (23, (16, 17, 8, 0)), 32),
        # Cattle do not stay in line: of those in rows 0, 1, 1 and 2 the first one has moved, not the last.
        ((29, (0, 5, 6, 12)), (29, (4, 5, 6, 8)), 0),
        # The leopard comes up and keeps out of corners.
        ((17, HERD), (25, HERD), 0),
        ((25, HERD), (24, HERD), 0),
    ],
)
def test_positions_that_are_better_for_the_leopard(better, worse, least):
    one, other = (hunt(SMALL, (leopard,), herd)[0] for leopard, herd in (better, worse))
    assert in_python(advantage)(one, 0) > in_python(advantage)(other, 0) + least
    assert in_python(advantage)(one, 1) < in_python(advantage)(other, 1) - least


def test_a_row_is_worth_as_much_as_a_move_to_the_leopard():
    far, near = (in_python(advantage)(hunt(SINGLE, (point,), HERD)[0], 0) for point in (17, 13))
    assert near - far == 4
    # Four more moves, of two squares.
    assert in_python(advantage)(hunt(SMALL, (17,), HERD)[0], 0) - far == 4 * 4
    # One player's advantage is the other's disadvantage, also while the leopard is in hand.
    start = SMALL.init(1, 0)[0]
    assert in_python(advantage)(start, 0) == -in_python(advantage)(start, 1) < 0


# The fast form.


@pytest.mark.parametrize("size", [12, *slowly(10, 8)])
def test_the_fast_form_plays_as_the_rules(size):
    fast, plain = both_forms("koti_keliya", size=size)
    rng = np.random.default_rng(size)
    states = fast.init(2000, 0)
    for board in states.board[10:]:
        places = rng.permutation(len(board))
        board[:] = 0
        board[places[0]], board[places[1 : size // 2 + 1]] = 1, 2
    states.hand[10:], states.phase[10:] = 0, MOVE
    states.to_move[10:] = rng.integers(2, size=1990)
    states.turn = rng.choice([3, 199], size=2000)
    _, after = compare_forms(fast, plain, states)
    assert hunts.ends(after) == hunts.DRAW | hunts.WINS
