"""Bao la Kiswahili and Bao la kujifunza: a position for every rule of the page.

Positions are written as rows from the left: A1..A8 is South's front row, B1..B8 the back row, a and b are North's.
"""

from functools import partial

import numpy as np
import pytest
from helpers.forms import InPython, PlainGame
from helpers.hole_positions import play
from helpers.positions import after, beside, legal, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_envs import make_game

with_option = partial(PlainGame, "bao")
BAO = with_option()
NONE = (0,) * 8


def holes(A=NONE, B=NONE, a=NONE, b=NONE):
    """Return the holes of the record; holes left out are empty."""
    A, B, a, b = ([*row, *[0] * (8 - len(row))] for row in (A, B, a, b))
    return B + A[::-1] + b + a[::-1]


def position(game=BAO, A=NONE, B=NONE, a=NONE, b=NONE, stock=(0, 0), house=(0, 0), **fields):
    """Load a position; by default of mtaji, without nyumba."""
    return game.load(holes=holes(A, B, a, b), stock=stock, house=house, **fields)


def rows(state):
    """Return A1..A8, B1..B8, a1..a8 and b1..b8."""
    ring = state.holes.tolist()
    return ring[15:7:-1], ring[:8], ring[31:23:-1], ring[16:24]


def played(*actions, game=BAO, **fields):
    """Return the state after the actions from `position(...)`, and the rewards of the last one."""
    return play(position(game, **fields), *actions, game=game)


def sown(*actions, **fields):
    """Return A1..A8 and B1..B8 after the actions from `position(...)`."""
    state, _ = played(*actions, **fields)
    return rows(state)[:2]


# The start.


@pytest.mark.parametrize(
    ("start", "row", "stock", "house"),
    [("standard", (6, 2, 2), 22, 1), ("malawi", (8, 2, 2), 20, 1), ("beginners", None, 0, 0)],
)
def test_the_setups(start, row, stock, house):
    (state,) = with_option(start=start).init(1, 0)
    front = [0, 0, 0, 0, *row, 0] if row else [2] * 8
    back = [0] * 8 if row else [2] * 8
    assert rows(state) == (front, back, front, back)
    assert (state.stock.tolist(), state.house.tolist()) == ([stock] * 2, [house] * 2)
    assert (state.blocked, state.target) == (-1, -1)


def test_the_first_turns_of_a_game_from_zanzibar():
    # Ramadhan - Kijumbe, 1994: A7L a5R.
    state, _ = play(BAO.init(1, 0), 9, 11, game=BAO)
    assert rows(state)[0] == [0, 0, 0, 0, 7, 3, 0, 0] and rows(state)[2] == [0, 0, 0, 0, 7, 2, 2, 1]
    assert state.stock.tolist() == [21, 21]


# Namua.


def test_namua_captures_from_occupied_holes_that_face_occupied_ones():
    # A1, A2, A4, A7 and A8 face seeds; A5 is empty, A6 faces an empty hole.
    states = position(A=(1, 1, 0, 1, 0, 1, 1, 1), a=(1, 1, 0, 1, 1, 0, 1, 1), b=(2,), stock=(2, 2))
    assert legal(BAO, states) == [8, 9, 12, 28, 30, 31]
    # A capture must be made: A3 faces nothing, A4 faces a5.
    assert legal(BAO, position(A=(0, 0, 2, 2), a=(0, 0, 0, 0, 1, 0), stock=(2, 2))) == [12, 28]


@pytest.mark.parametrize(("action", "front"), [(12, (0, 0, 0, 3, 0, 0, 1, 1)), (28, (1, 1, 0, 3, 0, 0, 0, 0))])
def test_the_capturing_hole_keeps_its_seeds_and_the_kichwa_is_chosen(action, front):
    state, _ = played(action, A=(0, 0, 0, 2), a=(0, 0, 0, 0, 2, 0, 0, 1), stock=(2, 2))
    assert rows(state)[0] == list(front)
    assert state.stock.tolist() == [1, 2] and (state.to_move, state.turn) == (1, 1)


@pytest.mark.parametrize(
    ("column", "action", "front"),
    [(1, 31, [4, 1, 0, 0, 0, 0, 0, 0]), (2, 30, [1, 0, 1, 1, 1, 1, 0, 0]), (7, 9, [0, 0, 1, 1, 1, 1, 0, 1])],
)
def test_kichwa_and_kimbi_sow_from_the_kichwa_of_their_side(column, action, front):
    A, a = [0] * 8, [0, 0, 0, 1, 0, 0, 0, 0]
    A[column - 1] = a[8 - column] = 2
    states = position(A=A, a=a, stock=(2, 2))
    assert legal(BAO, states) == [action]
    assert rows(after(BAO, states, action)[0])[0] == front


def test_a_namua_takata_needs_two_seeds_without_the_nyumba():
    fields = {"A": (1, 0, 2, 1), "a": (0, 0, 0, 0, 0, 0, 1, 0), "stock": (2, 2)}
    assert legal(BAO, position(**fields)) == [13, 29]
    assert legal(BAO, position(**fields, house=(1, 0))) == [12, 13, 15, 28, 29, 31]
    last = with_option(singles="last")
    assert legal(last, position(last, **fields, house=(1, 0))) == [13, 29]
    for stock in (1, 2):
        fields = {"A": (1, 0, 0, 1), "a": (0, 0, 0, 0, 0, 0, 1), "stock": (stock, stock)}
        assert legal(BAO, position(**fields)) == [12, 15, 28, 31]


def test_the_functional_nyumba_begins_no_takata_unless_it_is_alone():
    fields = {"a": (0, 0, 0, 0, 0, 0, 1), "stock": (2, 2), "house": (1, 0)}
    assert legal(BAO, position(A=(0, 0, 1, 0, 6), **fields)) == [13, 29]
    assert legal(BAO, position(A=(0, 0, 1, 0, 5), **fields)) == [11, 13, 27, 29]
    assert legal(BAO, position(A=(0, 0, 0, 0, 6), **fields)) == [11, 27]
    last = with_option(singles="last")
    assert legal(last, position(last, A=(0, 0, 1, 0, 6), **fields)) == [13, 29]


@pytest.mark.parametrize(
    ("house_lost", "held", "owned"), [("emptied", 6, 1), ("emptied", 7, 1), ("below_six", 6, 0), ("below_six", 7, 1)]
)
def test_two_seeds_are_sown_from_the_functional_nyumba(house_lost, held, owned):
    game = with_option(house_lost=house_lost)
    state, _ = played(11, game=game, A=(0, 0, 0, 0, held), a=(0, 0, 0, 0, 0, 0, 1), stock=(2, 2), house=(1, 0))
    assert rows(state)[0] == [0, 0, 1, 1, held - 1, 0, 0, 0]
    assert state.house.tolist() == [owned, 0]


def test_a_nyumba_that_is_not_functional_is_lifted_whole_and_lost():
    state, _ = played(27, A=(0, 0, 0, 0, 2), a=(0, 0, 0, 0, 0, 0, 1), stock=(2, 2), house=(1, 1))
    assert rows(state)[:2] == ([0, 0, 0, 0, 0, 1, 1, 1], [0] * 8)
    assert state.house.tolist() == [0, 1]


def test_nothing_is_captured_in_a_takata():
    # From A3 the last seed falls into A6, which faces a3.
    state, _ = played(29, A=(0, 0, 2, 0, 0, 0, 0, 0), a=(0, 0, 1), stock=(2, 2))
    assert rows(state)[0] == [0, 0, 0, 1, 1, 1, 0, 0] and rows(state)[2][2] == 1
    fields = {"A": (0, 0, 2, 0, 0, 1, 0, 0), "a": (0, 0, 0, 1), "stock": (2, 2)}
    assert sown(29, **fields, house=(1, 0)) == ([0, 0, 0, 1, 1, 0, 1, 1], [0] * 8)


def test_a_namua_takata_ends_in_the_functional_nyumba():
    fields = {"a": (0, 0, 0, 0, 0, 0, 1), "stock": (2, 2), "house": (1, 0)}
    state, _ = played(29, A=(0, 0, 1, 0, 5), **fields)
    assert rows(state)[0] == [0, 0, 0, 1, 6, 0, 0, 0] and state.house[0] == 1
    # Otherwise it is lifted.
    state, _ = played(29, A=(0, 0, 1, 0, 4), **fields)
    assert rows(state)[:2] == ([0, 0, 0, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1]) and state.house[0] == 0


def test_the_lone_kichwa_is_not_sown_towards_the_back():
    fields = {"a": (0, 0, 0, 1), "stock": (2, 2)}
    assert legal(BAO, position(A=(1,), **fields)) == [31]
    assert legal(BAO, position(A=(0, 0, 0, 0, 0, 0, 0, 1), **fields)) == [8]
    assert legal(BAO, position(A=(2, 0, 0, 0, 0, 0, 0, 2), **fields)) == [8, 15, 24, 31]


HOUSE = {"A": (0, 0, 2, 0, 5), "a": (0, 0, 0, 0, 0, 5, 0, 1), "b": (49,), "stock": (1, 1), "house": (1, 0)}


def test_at_the_functional_nyumba_a_capturing_player_stops_or_goes_on():
    # The page's example.
    states = position(**HOUSE)
    BAO.step(states, [29])
    assert (states[0].phase, states[0].at, states[0].heading, states[0].to_move) == (2, 11, 1, 0)
    assert states[0].holes[11] == 6 and legal(BAO, states) == [34, 35]
    stopped, gone = after(BAO, states, 34)[0], after(BAO, states, 35)[0]
    assert rows(stopped)[:2] == ([1, 1, 4, 1, 6, 0, 0, 0], [0] * 8) and stopped.house[0] == 1
    assert rows(gone)[:2] == ([1, 1, 4, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1]) and gone.house[0] == 0
    assert (stopped.phase, stopped.at, stopped.heading, stopped.turn, stopped.to_move) == (0, -1, -1, 1, 1)
    assert (gone.phase, gone.at, gone.turn) == (0, -1, 1)
    # Below six it is lifted without a question.
    below = {**HOUSE, "A": (0, 0, 2, 0, 4), "b": (50,)}
    assert sown(29, **below) == ([1, 1, 4, 1, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1])


def test_the_nyumba_captures_like_any_hole():
    # The last seed in A5 captures a4, and the turn goes on from the left kichwa through A1, A3 and A8.
    state, _ = played(29, **{**HOUSE, "a": (1, 0, 0, 1, 0, 5), "b": (48,)})
    assert rows(state)[0] == [0, 2, 0, 2, 7, 1, 1, 1] and rows(state)[2] == [1, 0, 0, 0, 0, 0, 0, 0]
    assert (state.phase, state.house[0]) == (0, 1)
    # A captured nyumba is lost.
    fields = {"stock": (2, 2), "house": (1, 1)}
    assert played(28, A=(0, 0, 0, 1), a=(0, 0, 0, 1, 7), **fields)[0].house.tolist() == [1, 0]
    assert played(29, A=(0, 0, 1), a=(0, 0, 0, 1, 0, 2), **fields)[0].house.tolist() == [1, 1]


# Mtaji.


def test_mtaji_captures_where_the_last_seed_meets_seeds_that_face_seeds():
    # B8 sows to A8 and A7, which faces a2. A4 ends in A2, which is empty, or in A6, which faces nothing.
    states = position(A=(0, 0, 0, 2, 0, 1, 1), B=(0, 0, 0, 0, 0, 0, 0, 2), a=(0, 1, 0, 0, 0, 0, 0, 1), b=(3,))
    assert legal(BAO, states) == [7]
    state = after(BAO, states, 7)[0]
    assert rows(state)[:3] == ([1, 1, 1, 0, 1, 0, 3, 0], [0] * 8, [0, 0, 0, 0, 0, 0, 0, 1])


@pytest.mark.parametrize(
    ("count", "end", "actions"),
    [(1, 1, [2, 18]), (2, 2, [16]), (15, 1, [0]), (17, 1, [0, 2, 16, 18])],
    ids=["one", "two", "fifteen", "seventeen"],
)
def test_mtaji_captures_begin_with_two_to_fifteen_seeds(count, end, actions):
    # From B1 the last seed falls into A1 or A2; without a capture B3 may begin, too.
    A, a = [0] * 8, [0] * 8
    A[end - 1] = a[8 - end] = 1
    assert legal(BAO, position(A=A, B=(count, 0, 2), a=a, b=(2,))) == actions


def test_a_mtaji_takata_lifts_front_holes_first():
    fields = {"a": (0, 0, 0, 0, 0, 1), "b": (2,)}
    assert legal(BAO, position(A=(0, 2, 0, 0, 1), B=(3,), **fields)) == [14, 30]
    assert legal(BAO, position(A=(0, 1, 0, 0, 1), B=(3, 1, 2), **fields)) == [0, 2, 16, 18]
    # Sixteen and more may be lifted, too.
    assert 12 in legal(BAO, position(A=(0, 0, 0, 17), **fields))


def test_a_lone_kichwa_in_mtaji_is_not_sown_towards_the_back():
    fields = {"a": (0, 0, 0, 1), "b": (2,)}
    assert legal(BAO, position(A=(2,), **fields)) == [31]
    assert legal(BAO, position(A=(0,) * 7 + (2,), **fields)) == [8]
    # A back hole goes both ways.
    assert legal(BAO, position(A=(1,), B=(0, 0, 2), **fields)) == [2, 18]


KIMBI = {"A": (0, 1, 0, 2, 0, 0, 0, 1), "a": (1, 0, 0, 0, 0, 0, 1), "b": (58,)}
"""The page's example: A4 left captures at A2 and sows from A1."""


def test_a_capture_at_a_kimbi_turns_to_its_kichwa():
    assert sown(12, **KIMBI)[0] == [1, 2, 1, 0, 0, 0, 0, 1]
    # A capture in mtaji ends the own nyumba.
    assert played(12, **KIMBI, house=(1, 1))[0].house.tolist() == [0, 1]


def test_sixteen_seeds_go_round():
    fields = {"A": (1, 0, 0, 16), "a": (0,) * 7 + (1,), "b": (46,)}
    assert legal(BAO, position(**fields)) == [12, 28]
    for action in (12, 28):
        assert sown(action, **fields) == ([2, *[1] * 7], [1] * 8)


def test_the_first_capture_of_mtaji_keeps_its_direction_or_asks():
    # A6 left captures a5 at A4; the two seeds go from the right kichwa, as the lap went.
    fields = {"A": (0, 0, 0, 1, 0, 2), "a": (1, 0, 0, 0, 2), "b": (2,)}
    kept = [0, 0, 0, 2, 1, 0, 1, 1]
    assert sown(10, game=with_option(first_kichwa="kept"), **fields)[0] == kept
    choice = with_option(first_kichwa="choice")
    state, _ = played(10, game=choice, **fields)
    assert (state.phase, state.hand, state.at, state.heading) == (1, 2, 12, 0)
    assert legal(choice, state) == [32, 33]
    assert sown(10, 32, game=choice, **fields)[0] == kept
    gone, _ = played(10, 33, game=choice, **fields)
    assert rows(gone)[0] == [1, 1, 0, 2, 1, 0, 0, 0] and (gone.phase, gone.hand, gone.at) == (0, 0, -1)


def test_only_the_first_capture_of_mtaji_outside_kichwa_and_kimbi_asks():
    game = with_option(first_kichwa="choice")
    assert played(12, game=game, **KIMBI)[0].phase == 0
    # A8 captures at A4, then the seeds of the choice capture at A6.
    fields = {"A": (0, 0, 0, 1, 0, 1, 0, 4), "a": (1, 0, 2, 0, 3), "b": (2,)}
    assert played(8, game=game, **fields)[0].phase == 1
    state, _ = played(8, 32, game=game, **fields)
    assert state.phase == 0
    assert rows(state)[0] == [1, 1, 1, 0, 2, 4, 0, 2] and rows(state)[2] == [1, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(("house_mtaji", "left"), [("off", (0, 0)), ("takata", (6, 1))])
def test_in_mtaji_the_nyumba_stops_only_a_takata_with_its_option(house_mtaji, left):
    fields = {"game": with_option(house_mtaji=house_mtaji), "a": (0, 0, 0, 0, 0, 0, 2), "b": (2,), "house": (1, 0)}
    state, _ = played(29, A=(0, 0, 2, 0, 5), **fields)
    assert (state.holes[11], state.house[0]) == left
    assert played(29, A=(0, 0, 2, 0, 4), **fields)[0].house[0] == 0


# Takasia.


TAKASIA = {
    "A": (0, 2, 0, 0, 0, 0, 2, 0), "B": (0, 0, 2, 2, 0, 2, 6, 4),
    "a": (1, 0, 1, 2, 10, 0, 0, 10), "b": (2, 2, 8, 4, 1, 2, 1, 0),
}  # fmt: skip
"""K.I.B.A. 4.5: after A7 left South threatens a4 only."""


def after_takasia(game=BAO, **fields):
    states = position(game, **{**TAKASIA, **fields})
    game.step(states, [9])
    return states


def test_takasia_blocks_the_only_threatened_hole_for_a_turn():
    states = after_takasia()
    assert (states[0].blocked, states[0].target) == (28, -1)
    assert legal(BAO, states) == [8, 11, 24, 27]
    for action, left in ((8, 5), (11, 6), (24, 2), (27, 2)):
        (state,) = after(BAO, states, action)
        assert (state.holes[28], state.blocked, state.target, state.to_move) == (left, -1, -1, 0)


@pytest.mark.parametrize(("action", "laps"), [(8, 5), (11, 10), (24, 1), (27, 2)])
def test_the_laps_of_the_turns_after_takasia_are_counted(action, laps):
    (state,) = after(BAO, after_takasia(), action)
    exact, less = with_option(max_laps=laps), with_option(max_laps=max(1, laps - 1))
    assert (after(exact, after_takasia(exact), action)[0].holes == state.holes).all()
    if laps > 1:
        assert (after(less, after_takasia(less), action)[0].holes != state.holes).any()


def test_takasia_can_be_switched_off_or_forced():
    off = with_option(takasia="off")
    states = after_takasia(off)
    assert states[0].blocked == -1 and 12 in legal(off, states)
    # A forced one asks for the capture.
    forced = with_option(takasia="forced")
    states = after(forced, after_takasia(forced), 24)
    assert (states[0].blocked, states[0].target, states[0].to_move) == (-1, 28, 0)
    # North's seeds have not changed what South threatens.
    captures = legal(forced, states)
    assert captures and all(after(forced, states, action)[0].target == -1 for action in captures)


def test_a_target_limits_captures_only_if_it_can_be_captured():
    game = with_option(takasia="forced")
    fields = {"A": (0, 0, 0, 2, 0, 1, 0, 1), "B": (0, 0, 0, 0, 0, 0, 2), "a": (1, 0, 1), "b": (2,)}
    # A4 right captures a3 from A6; B7 right captures a1 from A8.
    for target, captures in ((-1, [6, 28]), (26 + 3, [28]), (31, [6]), (27, [6, 28])):
        assert legal(game, position(game, **fields, target=target)) == captures


def test_what_is_not_blocked():
    # A hole of one seed.
    assert after_takasia(a=(1, 0, 1, 1, 10, 0, 0, 10))[0].blocked == -1
    # The only hole of two or more.
    assert after_takasia(a=(1, 0, 1, 2, 1, 0, 0, 1), b=(2, 2, 8, 4, 1, 2, 1, 0))[0].blocked == -1
    # Another owned nyumba does not matter.
    assert after_takasia(house=(0, 1))[0].blocked == 28


@pytest.mark.parametrize(("house", "blocked"), [((0, 0), 27), ((1, 0), 27), ((0, 1), -1)])
def test_an_owned_nyumba_is_not_blocked(house, blocked):
    # A6 left drops a seed into A4, so that A2 threatens a5.
    state, _ = played(10, A=(0, 2, 0, 0, 0, 2), a=(2, 0, 0, 0, 2), house=house)
    assert state.blocked == blocked


def test_a_takata_that_ends_in_the_blocked_hole_stops_there():
    free = position(**TAKASIA)
    BAO.step(free, [9])
    blocked = free.copy()
    free.blocked = -1
    differ = [a for a in (8, 11, 24, 27) if (after(BAO, free, a)[0].holes != after(BAO, blocked, a)[0].holes).any()]
    assert differ


# The end.


def test_who_empties_the_front_row_wins_at_once():
    state, rewards = played(28, A=(0, 0, 0, 2), a=(0, 0, 0, 0, 2), b=(9,), stock=(2, 2), turn=5)
    assert (state.ended, state.winner, state.turn, state.to_move, rewards) == (1, 0, 6, -1, [1, -1])
    assert (state.blocked, state.target) == (-1, -1)
    assert state.store.tolist() == [2, 0] and rows(state)[0] == [0, 0, 0, 3, 0, 0, 0, 0]
    state, rewards = played(12, A=(0, 1, 0, 2, 0, 0, 0, 1), a=(0, 0, 0, 0, 0, 0, 5), b=(9,))
    assert (state.winner, state.store.tolist(), rewards) == (0, [5, 0], [1, -1])


@pytest.mark.parametrize("turn", [0, 299])
def test_a_player_who_cannot_begin_has_lost_even_at_max_turns(turn):
    state, rewards = played(28, game=with_option(reward="margin"), A=(0, 0, 0, 2), a=(1, 0, 1), b=(1, 1), turn=turn)
    assert (state.turn, state.ended, state.winner, rewards) == (turn + 1, 1, 0, [1, -1])
    assert (state.store.tolist(), state.outright) == ([0, 0], 1)


@pytest.mark.parametrize(("own", "other", "winner", "margin"), [(0, 4, 1, -4 / 64), (0, 0, -1, 0), (2, 1, 0, 1 / 64)])
def test_at_max_turns_more_seeds_win_the_stock_included(own, other, winner, margin):
    game = with_option(reward="margin")
    fields = {"A": (0, 0, 0, 2), "B": (own,), "a": (2,), "b": (other,), "stock": (1, 1), "turn": 299}
    state, rewards = played(28, game=game, **fields)
    assert (state.turn, state.ended, state.winner) == (300, 1, winner)
    assert rewards == pytest.approx([margin, -margin])


def test_the_last_lap_allowed_captures_nothing():
    game = with_option(max_laps=1)
    # The seeds captured at the beginning are a lap, the seed put in is none.
    state, _ = played(28, game=game, A=(0, 1, 0, 2), a=(0, 0, 0, 0, 2, 0, 2), stock=(2, 2))
    assert rows(state)[0] == [1, 2, 0, 3, 0, 0, 0, 0] and rows(state)[2][6] == 2
    state, _ = played(12, game=game, A=(0, 1, 0, 2), a=(0, 0, 0, 0, 0, 0, 2, 1), b=(2,))
    assert rows(state)[0] == [0, 2, 1, 0, 0, 0, 0, 0] and rows(state)[2][6] == 2


def test_laps_before_a_choice_count():
    fields = {**HOUSE, "B": (0, 0, 0, 0, 0, 1), "b": (48,)}
    assert played(29, game=with_option(max_laps=1), **fields)[0].turn == 1
    twice = with_option(max_laps=2)
    state, _ = played(29, game=twice, **fields)
    assert (state.phase, state.laps) == (2, 1)
    # The second lap ends in B6, and is the last one.
    state, _ = played(29, 35, game=twice, **fields)
    assert rows(state)[1] == [0, 0, 0, 0, 0, 2, 1, 1] and (state.turn, state.laps) == (1, 0)
    assert sown(29, 35, **fields)[1] == [0, 0, 0, 1, 1, 0, 1, 1]


# Positions.


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"stock": (40, 20)}, "the seeds must be 1 to 64 in all"),
        ({"store": (1, 0)}, "store must be 0, 0 in a game that is not over"),
        ({"outright": 1}, "outright must be 0"),
        ({"house": (2, 0)}, "house must be 0 or 1 for each player"),
        ({"at": 11}, "at must be -1 in phase 0"),
        ({"heading": 0}, "heading must be -1 in phase 0"),
        ({"hand": 1}, "hand must be 0 in phase 0, got 1"),
        ({"laps": 1}, "laps must be 0 in phase 0"),
        ({"A": (0,) * 8, "B": (2,)}, "the front row of player 0 must hold seeds"),
        ({"a": (0,) * 8}, "the front row of player 1 must hold seeds"),
        ({"blocked": 24}, "blocked must be -1 or a front hole of the player to move"),
        ({"blocked": 3}, "blocked must be -1 or a front hole of the player to move"),
        ({"blocked": 13}, "hole 13 cannot be blocked"),
        ({"target": 24}, 'target must be -1 without takasia="forced"'),
        ({"target": 12}, "target must be -1 or a front hole of the other player"),
        ({"target": 16}, "target must be -1 or a front hole of the other player"),
        ({"phase": 1, "hand": 2, "at": 12, "heading": 0}, 'phase 1 needs first_kichwa="choice"'),
        ({"phase": 2, "at": 11, "heading": 0}, "in phase 2 `at` must be the own nyumba"),
        ({"phase": 2, "at": 11, "heading": 2}, "heading must be 0 or 1 in phase 2"),
        ({"phase": 2, "at": 27, "heading": 0}, r"at must be a hole of the player to move, 0\.\.15"),
        ({"phase": 3}, "phase must be one of"),
    ],
)
def test_positions_that_no_game_has_are_refused(fields, said):
    with pytest.raises(ValueError, match=said):
        position(**{"A": (0, 0, 0, 2, 2), "a": (2, 2), **fields})


def test_a_choice_at_the_nyumba_can_be_loaded():
    fields = {"A": (1, 0, 0, 0, 6), "a": (2, 2), "house": (1, 0), "phase": 2, "at": 11, "heading": 1}
    assert legal(BAO, position(**fields)) == [34, 35]
    with pytest.raises(ValueError, match="the nyumba must face an empty hole"):
        position(**{**fields, "a": (2, 2, 0, 1)})
    with pytest.raises(ValueError, match="house must be 0 for each player"):
        with_option(start="beginners").load(house=[1, 0])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"at": 14, "A": (0, 2)}, "must be a front hole outside kichwa and kimbi"),
        ({"at": 3, "B": (0, 0, 0, 2)}, "must be a front hole outside kichwa and kimbi"),
        ({"A": (0, 0, 0, 1)}, "must hold two seeds or more"),
        ({"a": (1, 0, 0, 0, 1)}, "the hole that `at` faces must be empty"),
        ({"house": (1, 0)}, "must not own the nyumba"),
        ({"stock": (1, 0)}, "must have no stock"),
        ({"hand": 0}, "hand must be above 0 in phase 1, got 0"),
    ],
)
def test_a_choice_of_the_kichwa_can_be_loaded_where_it_is_asked(change, said):
    game = with_option(first_kichwa="choice")
    fields = {"A": (0, 0, 0, 2), "a": (1,), "phase": 1, "hand": 2, "at": 12, "heading": 1, **change}
    if said:
        with pytest.raises(ValueError, match=said):
            position(game, **fields)
    else:
        assert legal(game, position(game, **fields)) == [32, 33]


def test_blocked_holes_and_targets_can_be_loaded():
    assert legal(BAO, position(A=(0, 2, 0, 2), a=(0, 0, 0, 0, 0, 2), blocked=14)) == [12, 28]
    assert legal(BAO, position(A=(0, 0, 0, 2, 0, 0, 0, 2), a=(0, 0, 0, 0, 0, 2), blocked=8)) == [12, 28]
    with pytest.raises(ValueError, match='blocked must be -1 with takasia="off"'):
        position(with_option(takasia="off"), A=(0, 2, 0, 2), a=(0, 0, 0, 0, 0, 2), blocked=14)


@pytest.mark.parametrize(
    "change",
    [
        {"stock": (1, 1)},
        {"A": (0, 2, 0, 3), "a": (0, 0, 0, 0, 2)},
        {"A": (0, 2, 0, 2, 6), "house": (1, 0), "phase": 2, "at": 11, "heading": 0},
    ],
)
def test_nothing_is_blocked_but_in_a_takata_of_mtaji(change):
    # A2 clockwise would capture at A4; or the stock is not empty; or the turn has begun.
    with pytest.raises(ValueError, match="blocked must be -1 unless a takata of mtaji begins"):
        position(**{"A": (0, 2, 0, 2), "a": (0, 0, 0, 0, 0, 2), "blocked": 14, **change})


def test_texts_of_games_that_are_over_keep_the_store():
    state, _ = played(28, A=(0, 0, 0, 2), a=(0, 0, 0, 0, 2), b=(9,), stock=(2, 2))
    text = BAO.text(state)
    assert BAO.parse(text).tobytes() == state.tobytes()
    for old, new in (("store=2,0", "store=0,2"), ("outright=1", "outright=0")):
        with pytest.raises(ValueError, match="store holds only what a winner captured"):
            BAO.parse(text.replace(old, new))


# Invariants and what players see.


@given(st.lists(st.integers(0, 3), min_size=32, max_size=32), st.integers(0, 1), st.integers(0, 4))
@settings(deadline=None, max_examples=30)
def test_seeds_are_conserved(found, mover, stock):
    front = [found[16 * p + 8 : 16 * p + 16] for p in (0, 1)]
    if sum(found) + 2 * stock > 64 or not all(map(any, front)) or (not stock and max(found[16 * mover :][:16]) < 2):
        return
    states = BAO.load(holes=found, to_move=mover, stock=[stock] * 2, house=[0, 0])
    for action in legal(BAO, states):
        (state,) = after(BAO, states, action)
        held = state.holes.sum() + state.store.sum() + state.stock.sum() + state.hand
        assert held == sum(found) + 2 * stock
        assert state.stock[mover] == max(stock - 1, 0) and state.stock[1 - mover] == stock


@pytest.mark.parametrize(("start", "phases"), [("standard", {0, 1, 2}), ("beginners", {0, 1})])
def test_all_legal_actions_at_once_are_those_one_by_one(start, phases):
    game = make_game("bao", start=start, first_kichwa="choice", takasia="forced")
    one_by_one = InPython(game)
    states, met = game.init(2, 2), set()
    for decision in range(50):
        met.update(states.phase.tolist())
        for state, mask in zip(states, game.legal(states), strict=True):
            assert one_by_one.are_legal(np.atleast_1d(state), range(36)) == mask.tolist()
        game.step(states, game.sample(states, decision), autoreset=True)
    assert met == phases


def test_greedy_counts_seeds_on_the_own_side_in_stock_and_in_hand():
    game = with_option(first_kichwa="choice")
    worth = game.plain.bind(game.book.rules.worth)
    state = position(game, A=(0, 0, 0, 2), a=(1, 3), phase=1, hand=5, at=12, heading=1, stock=(0, 4))[0]
    assert [worth(state, p) for p in (0, 1)] == [7, 8]


def test_what_is_seen():
    game = with_option(first_kichwa="choice", takasia="forced")
    fields = {"A": (0, 0, 0, 2), "a": (1, 3), "phase": 1, "hand": 5, "at": 12, "heading": 1, "target": 30, "laps": 9}
    view = seen(game, position(game, **fields, stock=(0, 4), house=(0, 1)))
    shown = {name: value for name, value in view.items() if value and "hole" not in name}
    assert shown == {
        "at[12]": 1, "other_stock": 4, "other_house": 1, "hand": 5, "target[14]": 1, "heading_clockwise": 1,
        "phase_1": 1, "laps_left": 247, "to_move": 1, "turns_left": 255,
    }  # fmt: skip
    view = seen(BAO, after_takasia(house=(1, 0), stock=(0, 0)))
    assert (view["blocked[12]"], view["other_house"], view["own_house"]) == (1, 1, 0)


def test_the_board_shows_nyumba_stocks_blocked_holes_and_directions():
    board = BAO.board(BAO.init(1, 0))
    assert [(place.label, place.owner) for place in board.places if place.square] == [("11", 0), ("11", 1)]
    assert beside(BAO, BAO.init(1, 0)) == [("P0 stock", 0, 22), ("P1 stock", 1, 22)] and not board.arrows
    states = after_takasia()
    board = BAO.board(states)
    assert [(place.label, place.owner) for place in board.places if place.blocked] == [("12", 1)]
    assert not any(place.square or place.mark >= 0 for place in board.places)
    states = position(**HOUSE)
    BAO.step(states, [29])
    board = BAO.board(states)
    assert [(place.label, place.mark) for place in board.places if place.mark >= 0] == [("11", 0)]
    assert {(arrow.x, arrow.y, arrow.dy) for arrow in board.arrows} == {(-0.5, 2.5, -1), (7.5, 2.5, 1)}
    assert beside(PlainGame("baokujifunza"), PlainGame("baokujifunza").init(1, 0)) == []


def test_captions():
    assert BAO.board(BAO.init(1, 0)).captions[-1] == "an owned nyumba is square, a blocked hole crossed"
    game = with_option(first_kichwa="choice", takasia="forced")
    fields = {"A": (0, 0, 0, 2), "a": (1, 3), "phase": 1, "hand": 5, "at": 12, "heading": 0}
    board = game.board(position(game, **fields))
    assert board.captions[-1] == "5 captured seeds in hand"
    assert {(arrow.x, arrow.y, arrow.dy) for arrow in board.arrows} == {(-0.5, 2.5, 1), (7.5, 2.5, -1)}
    board = game.board(position(game, A=(0, 0, 0, 2), a=(1, 3), target=30))
    assert board.captions[-1] == "hole 14 of player_1 must be captured if possible"


def test_actions_and_names():
    names = BAO.action_names
    assert (names[3], names[19]) == ("own hole 3, anticlockwise", "own hole 3, clockwise")
    assert names[32:] == (
        "sow the captured seeds anticlockwise", "sow the captured seeds clockwise", "stop at the nyumba",
        "go on from the nyumba",
    )  # fmt: skip
    assert [action.place for action in BAO.actions_for(1)][:32] == 2 * list(range(16, 32))


def test_what_is_told():
    told = BAO.explain(position(A=(0, 0, 0, 1), a=(0, 0, 0, 1, 7), stock=(2, 2), house=(1, 1)), 28)
    assert told[1:3] == ["brings a seed into own hole 12", "captures 7 from other hole 11; player_1 loses the nyumba"]
    told = BAO.explain(position(A=(0, 0, 0, 0, 6), a=(0,) * 6 + (1,), stock=(2, 2), house=(1, 0)), 11)
    assert told[1:4] == [
        "brings a seed into own hole 11",
        "takes 2 from own hole 11",
        "sows 2 from own hole 12 to own hole 13",
    ]
    assert "takasia: own hole 12 is blocked" in BAO.explain(position(**TAKASIA), 9)
    told = BAO.explain(position(A=(0, 0, 0, 2), a=(0, 0, 0, 0, 2), stock=(2, 2)), 28)
    assert "has emptied the other front row" in told
