"""Kotu Ellima: its own rules; test_peralikatuma.py tests the rules of both war games."""

import numpy as np
import pytest
from helpers.positions import after, legal
from helpers.war_positions import move, war, ways

from mancala_envs import make_game
from mancala_envs.families.points.forty_nine import BOARD

GAME, ROWS = (make_game("kotu_ellima", setup=setup) for setup in ("diagonal", "rows"))


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


def test_the_first_move_is_a_sacrifice():
    states = GAME.init(1, 0)
    assert ways(legal(GAME, states)) == {(start, 24) for start in (23, 31, 32, 33)}
    for start, opposite in ((23, 25), (31, 17), (32, 16), (33, 15)):
        taken = after(GAME, states, *move(start, 24), *move(opposite, start, player=1))
        assert taken[0].taken.tolist() == [0, 1]
    # The point just left also allows another capture.
    captures = [*move(17, 31, player=1), *move(15, 31, player=1)]
    assert legal(GAME, after(GAME, states, *move(31, 24))) == sorted(captures)


def test_a_player_has_at_most_24_soldiers():
    assert war(GAME, range(24), (47,))[0].to_move == 0
    with pytest.raises(ValueError, match="kotu_ellima: player 0 has 24 soldiers, got 25"):
        war(GAME, range(25), (47,))
