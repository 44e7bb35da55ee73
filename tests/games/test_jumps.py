"""Jumps on the board of 49 points, in a war game (Peralikatuma) and in a hunt (Diviyan Keliya) with several a turn."""

from functools import partial
from typing import Any, NamedTuple

import pytest
from helpers import hunt_positions, war_positions
from helpers.forms import InPython
from helpers.point_positions import ways
from helpers.positions import after, legal

from mancala_envs import make_game
from mancala_envs.families.points.forty_nine import NEIGHBOURS
from mancala_envs.families.points.wars import GO_ON, MOVE


class Kind(NamedTuple):
    """A kind of game: with free and with compulsory captures, how to load positions, and the numbers of its actions."""

    free: Any
    must: Any
    load: Any
    move: Any
    first_move: int

    def ways(self, game, states):
        return ways(NEIGHBOURS, self.first_move, legal(game, states))

    @property
    def stop(self):
        return self.first_move + 8 * len(NEIGHBOURS)


def games(name, **options):
    return (make_game(name, capture=capture, **options) for capture in ("free", "compulsory"))


WAR = Kind(*games("peralikatuma"), war_positions.war, war_positions.move, 0)
HUNT = Kind(*games("diviyan_keliya", jumps="many"), hunt_positions.hunt, partial(hunt_positions.move, NEIGHBOURS), 49)
both = pytest.mark.parametrize("kind", [WAR, HUNT], ids=["peralikatuma", "diviyan_keliya"])


@both
def test_a_capture_takes_the_enemy_and_lands_behind_it(kind):
    for game in (kind.free, kind.must):
        s = after(game, kind.load(game, (16, 44), (9, 26), quiet=7), *kind.move(16, 4))[0]
        assert (s.board[16], s.board[9], s.board[4]) == (0, 0, 1)
        assert (s.taken.tolist(), s.quiet, s.to_move, s.turn, s.phase, s.moving) == ([1, 0], 0, 1, 1, MOVE, -1)


@both
@pytest.mark.parametrize(("start", "over", "end"), [(15, 9, 5), (0, 1, 2), (13, 22, 31), (26, 27, 28), (20, 21, 22)])
def test_captures_go_into_rooms_and_out_of_them_and_along_them(kind, start, over, end):
    assert legal(kind.must, kind.load(kind.must, (start, 46), (over, 12))) == kind.move(start, end)


@both
@pytest.mark.parametrize(
    ("first", "second", "impossible"),
    [
        # 22 not over 23, of its own side, nor over 31, behind which 39 stands, nor over 15, without a line.
        ((22, 23), (31, 39, 15, 9), {(22, 23), (22, 31), (22, 15)}),
        ((22, 39), (31, 47), {(22, 31)}),
        # 30 does not jump over both 31 and 32; no line leads from 14 to 12, nor from 23 to 16.
        ((30, 48), (31, 32), {(30, 31)}),
        ((14, 48), (13,), {(14, 13)}),
        ((23, 48), (16,), {(23, 16)}),
    ],
)
def test_no_capture_over_the_own_side_or_over_two_or_onto_a_piece_or_without_a_line(kind, first, second, impossible):
    assert not impossible & kind.ways(kind.free, kind.load(kind.free, first, second))


@both
def test_the_same_piece_and_no_other_may_go_on_in_any_direction_or_stop(kind):
    game = kind.free
    states = after(game, kind.load(game, (22, 37), (23, 17, 32, 30)), *kind.move(22, 24))
    s = states[0]
    assert (s.phase, s.moving, s.to_move, s.turn, s.taken.tolist()) == (GO_ON, 24, 0, 0, [1, 0])
    assert kind.ways(game, states) == {(24, 17), (24, 32), "stop"}
    s = after(game, states, kind.stop)[0]
    assert (s.phase, s.moving, s.to_move, s.turn, s.quiet) == (MOVE, -1, 1, 1, 0)
    # When the piece can capture no more, the turn ends by itself.
    s = after(game, states, *kind.move(24, 39))[0]
    assert (s.to_move, s.turn, s.taken.tolist(), s.board[39]) == (1, 1, [2, 0], 1)


@both
def test_capture_may_be_refused_or_by_option_any_piece_that_can_captures(kind):
    assert {(22, 23), (22, 14), (37, 38)} < kind.ways(kind.free, kind.load(kind.free, (22, 37), (23, 47)))
    assert kind.ways(kind.must, kind.load(kind.must, (22, 32), (23, 24, 9))) == {(32, 24)}
    assert kind.ways(kind.must, kind.load(kind.must, (22, 39), (23, 32, 47))) == {(22, 23), (39, 32)}


@both
def test_compulsory_captures_go_on_and_the_engine_plays_a_single_way(kind):
    game = kind.must
    states = after(game, kind.load(game, (22, 37), (23, 17, 32, 47)), *kind.move(22, 24))
    assert kind.ways(game, states) == {(24, 17), (24, 32)} and states[0].phase == GO_ON
    s = after(game, kind.load(game, (22, 37), (23, 17, 5)), *kind.move(22, 24))[0]
    assert (s.to_move, s.turn, s.taken.tolist(), s.board[11]) == (1, 1, [2, 0], 1)


INSIDE_A_TURN = {"phase": GO_ON, "moving": 22, "taken": [1, 0]}


@both
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"moving": -1}, "moving must be a point of .* to move, got -1"),
        ({"moving": 23}, "moving must be a point of .* to move, got 23"),
        ({"moving": 49}, "moving must be a point of .* to move, got 49"),
        ({"to_move": 1}, "moving must be a point of .* to move, got 22"),
        ({"taken": [0, 0]}, "must have captured"),
        ({"quiet": 1}, "must have captured"),
        ({"moving": 48}, "moving must have 1 or more captures, got 0"),
    ],
)
def test_impossible_positions_inside_a_turn_are_refused(kind, fields, says):
    with pytest.raises(ValueError, match=says):
        kind.load(kind.free, (22, 48), (23,), **INSIDE_A_TURN | fields)


@both
def test_unknown_codes_and_positions_with_a_single_way_on_are_refused(kind):
    with pytest.raises(ValueError, match=r"board must hold 0\.\.2"):
        kind.free.load(board=[3] + [0] * 48)
    assert kind.load(kind.free, (22, 48), (23,), **INSIDE_A_TURN)[0].moving == 22
    with pytest.raises(ValueError, match="2 or more captures, got 1"):
        kind.load(kind.must, (22, 48), (23,), **INSIDE_A_TURN)


@both
def test_greedy_captures_when_it_can_and_goes_on(kind):
    states = kind.load(kind.free, (22, 48), (23, 17, 40))
    assert InPython(kind.free).greedy(states).tolist() == kind.move(22, 24)
    assert InPython(kind.free).greedy(after(kind.free, states, *kind.move(22, 24))).tolist() == kind.move(24, 11)
