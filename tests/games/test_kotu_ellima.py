"""Kotu Ellima: its own rules; test_peralikatuma.py tests the rules of both war games."""

import numpy as np
import pytest
from helpers.positions import after, legal, perft
from helpers.war_positions import STOP, half_turned, move, war, ways

from mancala_envs import make_game
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.symmetry import SQUARE
from mancala_envs.families.points.forty_nine import BOARD
from mancala_envs.families.points.presentation import symmetry_of
from mancala_envs.families.points.wars import GO_ON

GAME, ROWS, FREE = (make_game("kotu_ellima", **o) for o in ({}, {"setup": "rows"}, {"capture": "free"}))


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [4, 6, 8, 21, 66, 234, 1017]),
        ({"setup": "rows"}, [4, 5, 6, 12, 29, 116, 636]),
        ({"capture": "free"}, [4, 10, 45, 271, 1868]),
    ],
    ids=str,
)
def test_perft_of_the_rules_page(options, counts):
    game = make_game("kotu_ellima", **options)
    assert perft(game, game.init(1, 0), len(counts)) == counts


# The set-up.


def test_each_player_has_one_diagonal_half_and_only_the_middle_is_empty():
    board = GAME.init(1, 0)[0].board
    # In the half below the line 7 15 24 33 41, the row is greater than the column.
    below = {point for point, (row, column) in enumerate(BOARD.places) if row > column}
    assert set(np.flatnonzero(board == 1)) == below | {33, 41} and len(below) == 22
    assert np.flatnonzero(board == 0).tolist() == [24]


def test_rows_are_those_of_peralikatuma_with_24_and_differ_in_two_points():
    board, rows = (game.init(1, 0)[0].board for game in (GAME, ROWS))
    assert np.array_equal(rows, make_game("peralikatuma", soldiers=24).init(1, 0)[0].board)
    assert np.flatnonzero(board != rows).tolist() == [14, 34]
    assert (rows[34], rows[14]) == (1, 2)


@pytest.mark.parametrize("game", [GAME, ROWS], ids=["diagonal", "rows"])
def test_only_a_rotation_that_exchanges_the_players_keeps_the_set_up(game):
    states = game.init(1, 0)
    assert np.array_equal(half_turned(game, states).board, states.board)
    for way in SQUARE[1:]:
        assert not np.array_equal(states[0].board[symmetry_of(BOARD, way).places], states[0].board)


# Captures.


def test_the_first_move_is_a_sacrifice():
    states = GAME.init(1, 0)
    assert ways(legal(GAME, states)) == {(start, 24) for start in (23, 31, 32, 33)}
    for start, opposite in ((23, 25), (31, 17), (32, 16), (33, 15)):
        taken = after(GAME, states, *move(start, 24), *move(opposite, start, player=1))
        assert taken[0].taken.tolist() == [0, 1]
    # The point just left also allows another capture.
    captures = [*move(17, 31, player=1), *move(15, 31, player=1)]
    assert legal(GAME, after(GAME, states, *move(31, 24))) == sorted(captures)


def test_captures_are_compulsory_and_go_on():
    states = war(GAME, (22, 37, 48), (23, 17, 32, 4))
    assert ways(legal(GAME, states)) == {(22, 23)}
    states = after(GAME, states, *move(22, 24))
    assert states[0].phase == GO_ON and ways(legal(GAME, states)) == {(24, 17), (24, 32)}
    s = after(GAME, states, *move(24, 11))[0]
    assert (s.to_move, s.turn, s.taken.tolist()) == (1, 1, [2, 0])


def test_captures_may_be_refused_by_option():
    states = war(FREE, (22, 37, 48), (23, 17, 4))
    assert (37, 30) in ways(legal(FREE, states))
    assert ways(legal(FREE, after(FREE, states, *move(22, 24)))) == {(24, 17), STOP}


# Ends.


def test_a_player_without_soldiers_or_moves_has_lost():
    states = after(GAME, war(GAME, (22,), (23,)), *move(22, 24))
    assert (states[0].winner, states[0].ended) == (0, BY_RULES)
    states = after(GAME, war(GAME, (1, 2, 3, 16), (0,)), *move(16, 9))
    assert (states[0].winner, states[0].ended) == (0, BY_RULES)


def test_a_hundred_quiet_turns_are_a_draw_and_so_are_a_thousand_turns():
    for field, bound in (("quiet", 100), ("turn", 1000)):
        states = after(GAME, war(GAME, (22,), (26,), **{field: bound - 1}), *move(22, 21))
        assert (states[0].winner, states[0].ended, states[0][field]) == (-1, BY_RULES, bound)


def test_the_margin_is_divided_by_48():
    game = make_game("kotu_ellima", reward="margin")
    states = war(game, (22,), (23,), taken=[2, 7])
    rewards = game.step(states, move(22, 24))
    assert states[0].winner == 0 and np.allclose(rewards, [[-4 / 48, 4 / 48]])


def test_a_player_has_at_most_24_soldiers():
    assert war(GAME, range(24), (47,))[0].to_move == 0
    with pytest.raises(ValueError, match="kotu_ellima: player 0 has 24 soldiers, got 25"):
        war(GAME, range(25), (47,))
