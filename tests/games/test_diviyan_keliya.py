"""Diviyan Keliya: every rule of its page in positions that depend on it; test_jumps.py has those on captures."""

from functools import partial

import numpy as np
import pytest
from helpers import hunt_positions as hunts
from helpers import point_positions
from helpers.forms import InPython, both_forms, compare_forms
from helpers.hunt_positions import hunt
from helpers.point_positions import seen
from helpers.positions import after, legal, perft, result

from mancala_envs import make_game
from mancala_envs.core.record import BY_RULES
from mancala_envs.families.points.forty_nine import NEIGHBOURS
from mancala_envs.families.points.hunts import GO_ON, MOVE, PLACE
from mancala_envs.render import draw_text

GAME, MANY, MUST, MUST_MANY = GAMES = [
    make_game("diviyan_keliya", jumps=jumps, capture=capture)
    for capture in ("free", "compulsory")
    for jumps in ("one", "many")
]
DONE = 441
move, ways = partial(hunts.move, NEIGHBOURS), partial(point_positions.ways, NEIGHBOURS, len(NEIGHBOURS))
every_reading = pytest.mark.parametrize("game", GAMES, ids=repr)


# Perft counts, on which two independent programs agree.

PLACED = (24, 15, 22, 26)
POSITION = {"hunters": (15, 33), "herd": (9, 16, 23, 25, 26, 30, 39, 40), "taken": [3, 0]}


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (GAME, [16, 722, 8924]),
        pytest.param(GAME, [16, 722, 8924, 394957], marks=pytest.mark.slow),
        (MUST_MANY, [2, 92, 994, 44751]),
    ],
    ids=repr,
)
def test_perft_after_the_placements(game, counts):
    assert perft(game, after(game, game.init(1, 0), *PLACED), len(counts)) == counts


@pytest.mark.parametrize(
    ("game", "counts"),
    [(GAME, [15, 441, 5051, 144355]), (MANY, [15, 368, 4154, 103376]), (MUST_MANY, [6, 107, 355, 4215])],
    ids=repr,
)
def test_perft_of_the_position(game, counts):
    assert perft(game, hunt(game, **POSITION), len(counts)) == counts


# Placing.


def test_the_first_leopard_at_the_centre_or_any_other_place_then_by_turns():
    states = GAME.init(1, 0)
    s = states[0]
    assert (s.hand.tolist(), s.phase, s.to_move, s.moving, s.quiet) == ([2, 24], PLACE, 0, -1, 0)
    for turn, point in enumerate(PLACED):
        s = states[0]
        assert (s.phase, s.to_move, s.turn) == (PLACE, turn % 2, turn)
        assert legal(GAME, states) == np.flatnonzero(s.board == 0).tolist()
        states = after(GAME, states, point)
    s = states[0]
    assert np.flatnonzero(s.board == 1).tolist() == [22, 24] and np.flatnonzero(s.board == 2).tolist() == [15, 26]
    # From the fifth turn on a leopard moves and one of the cattle is placed.
    assert (s.phase, s.to_move, s.hand.tolist()) == (MOVE, 0, [0, 22])
    assert ways(legal(GAME, states)) >= {(22, 21), (24, 23)}
    states = after(GAME, states, *move(22, 21))
    assert (states[0].phase, states[0].to_move, states[0].quiet) == (PLACE, 1, 1)


def test_cattle_do_not_move_until_all_are_placed():
    states = after(GAME, hunt(GAME, (0, 1), (20, 30), 1, hand=(0, 1), quiet=1), 40)
    s = states[0]
    assert (s.hand.tolist(), s.phase, s.quiet) == ([0, 0], MOVE, 0)
    states = after(GAME, states, *move(0, 3))
    assert states[0].phase == MOVE and {start for start, _ in ways(legal(GAME, states))} == {20, 30, 40}


# Steps and captures.


@pytest.mark.parametrize("to_move", [0, 1])
def test_all_step_along_lines_in_any_direction(to_move):
    sides = [(13, 24), (16, 48)]
    states = hunt(GAME, *sides, to_move)
    steps = [
        {(13, 6), (13, 21), (13, 22)} | {(24, point) for point in (15, 17, 23, 25, 31, 32, 33)} | {(24, 16)},
        {(16, point) for point in (9, 15, 17)} | {(48, 45), (48, 47)},
    ]
    assert ways(legal(GAME, states)) == steps[to_move]
    start, end = [(24, 32), (16, 9)][to_move]
    s = after(GAME, states, *move(start, end))[0]
    assert (s.board[start], s.board[end], s.to_move, s.turn, s.quiet) == (0, 1 + to_move, 1 - to_move, 1, 1)


def test_leopards_eat_from_their_first_move_while_cattle_are_placed():
    states = after(GAME, GAME.init(1, 0), 24, 25, 0, 47)
    assert {(24, 25), (24, 33), (0, 1)} < ways(legal(GAME, states))
    s = after(GAME, states, *move(24, 26))[0]
    assert (s.taken.tolist(), s.phase, s.to_move, s.hand.tolist()) == ([1, 0], PLACE, 1, [0, 22])


@every_reading
def test_cattle_never_capture(game):
    assert ways(legal(game, hunt(game, (23, 48), (22,), 1))) == {(22, p) for p in (13, 14, 15, 21, 29, 30, 31)}


def test_one_capture_ends_the_turn():
    s = after(GAME, hunt(GAME, (22, 48), (23, 17)), *move(22, 24))[0]
    assert (s.to_move, s.turn, s.phase, s.moving) == (1, 1, MOVE, -1)


def test_only_leopards_must_capture():
    for game in (MUST, MUST_MANY):
        assert {start for start, _ in ways(legal(game, hunt(game, (22, 39), (23, 32, 47), 1)))} == {23, 32, 47}


# Ends.


def test_eight_cattle_eaten_win():
    states = hunt(GAME, (22, 48), (23, 17, 46), taken=[7, 0])
    rewards = GAME.step(states, move(22, 24))
    assert result(states) == (0, BY_RULES) and rewards.tolist() == [[1, -1]] and states[0].taken.tolist() == [8, 0]


def test_two_imprisoned_leopards_lose_and_four_cattle_are_enough():
    states = hunt(GAME, (0, 1), (2, 3, 4, 10), 1)
    rewards = GAME.step(states, move(10, 9))
    assert result(states) == (1, BY_RULES) and rewards.tolist() == [[-1, 1]]
    # They can be imprisoned before all cattle are placed.
    assert result(after(GAME, hunt(GAME, (0, 1), (2, 3, 4), 1, hand=(0, 21)), 9)) == (1, BY_RULES)
    # One imprisoned leopard is not enough.
    states = after(GAME, hunt(GAME, (0, 48), (1, 2, 3, 10), 1), *move(10, 9))
    assert result(states) == (-2, 0) and {start for start, _ in ways(legal(GAME, states))} == {48}


def test_the_goal_ends_the_turn_at_once_also_in_a_chain():
    free, must = (make_game("diviyan_keliya", goal=2, jumps="many", capture=c) for c in ("free", "compulsory"))
    assert result(after(must, hunt(must, (22, 48), (23, 17, 18)), *move(22, 24))) == (0, BY_RULES)
    states = after(free, hunt(free, (22, 48), (23, 17, 18)), *move(22, 24))
    assert result(states) == (-2, 0)
    states = after(free, states, *move(24, 11))
    assert result(states) == (0, BY_RULES) and states[0].board[18] == 2
    assert (states[0].phase, states[0].moving, states[0].turn) == (0, -1, 1)


@every_reading
def test_cattle_that_cannot_move_lose(game):
    assert result(after(game, hunt(game, (2, 3), (0,)), *move(2, 1))) == (0, BY_RULES)
    # While they are being placed they need not move.
    assert result(after(game, hunt(game, (2, 3), (0,), hand=(0, 1)), *move(2, 1))) == (-2, 0)


def test_quiet_turns_end_in_a_draw_and_captures_and_placements_restart_the_count():
    game = make_game("diviyan_keliya", quiet_turns=2)
    states = after(game, hunt(game, (22, 48), (26,)), *move(22, 21), *move(26, 27))
    assert result(states) == (-1, BY_RULES) and states[0].quiet == 2
    states = after(game, hunt(game, (22, 48), (23, 27), quiet=1), *move(22, 24), *move(27, 26))
    assert result(states) == (-2, 0) and states[0].quiet == 1
    states = after(game, hunt(game, (22, 48), (23,), 1, hand=(0, 1), quiet=1), 46)
    assert result(states) == (-2, 0) and states[0].quiet == 0


def test_max_turns_end_in_a_draw_but_a_victory_comes_first():
    game = make_game("diviyan_keliya", max_turns=3, quiet_turns=1, goal=1)
    assert result(after(game, hunt(game, (22, 48), (23,), turn=2), *move(22, 21))) == (-1, BY_RULES)
    assert result(after(game, hunt(game, (22, 48), (23,), turn=2), *move(22, 24))) == (0, BY_RULES)
    assert result(after(game, hunt(game, (0, 1), (2, 3, 4, 10), 1, turn=2), *move(10, 9))) == (1, BY_RULES)


# Observations.


def test_both_see_their_own_pieces_first():
    states = after(MANY, hunt(MANY, (22, 37), (23, 17, 32), hand=(0, 5), taken=[2, 0], turn=30), *move(22, 24))
    both = {"phase_2": 1, "taken": 3, "goal_left": 5, "quiet_left": 100, "turns_left": 255, "moving[24]": 1}
    one = {f"own_man[{p}]": 1 for p in (24, 37)} | {f"other_man[{p}]": 1 for p in (17, 32)}
    assert seen(MANY, states, 0) == both | one | {"to_move": 1, "hunts": 1, "other_hand": 5}
    other = {f"other_man[{p}]": 1 for p in (24, 37)} | {f"own_man[{p}]": 1 for p in (17, 32)}
    assert seen(MANY, states, 1) == both | other | {"own_hand": 5}
    text = draw_text(MANY.board(states))
    assert "[L24]" in text and "c17" in text and "| 5|" in text and "| 3|" in text


# Positions and opponents.


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"hunters": (1,), "herd": (3,)}, "player 0 has 2 pieces, got 1"),
        ({"hunters": (1, 2, 4), "herd": (3,)}, "player 0 has 2 pieces, got 3"),
        ({"hunters": (1, 2), "herd": range(20, 40), "taken": [5, 0]}, "player 1 has 24 pieces, got 25"),
        ({"hunters": (1, 2), "herd": range(20, 40), "hand": (0, 5)}, "player 1 has 24 pieces, got 25"),
        ({"taken": [0, 1]}, r"taken\[1\] must be 0"),
        ({"taken": [8, 0]}, r"taken\[0\] must be below 8, the goal"),
        ({"quiet": 100}, "quiet must be below 100"),
        ({"quiet": -1}, "quiet must be at least 0"),
        ({"moving": 1}, "moving must be -1 in phase 0"),
        ({"phase": PLACE}, "phase must not be 1: player 0 has 0 pieces in hand"),
        ({"to_move": 1, "hand": (0, 1), "phase": MOVE}, "phase must be 1: player 1"),
        ({"hunters": (1,), "herd": (), "hand": (1, 24)}, "player 0 has placed 1 pieces, player 1 0"),
        ({"hunters": (), "herd": (), "hand": (2, 24), "to_move": 1}, "player 0 has placed 0 pieces, player 1 0"),
        ({"hunters": (1, 2), "herd": (), "hand": (0, 24), "to_move": 1}, "has placed 2 pieces, player 1 0"),
        ({"hunters": (1,), "herd": (), "hand": (1, 23), "taken": [1, 0]}, "taken must be 0 while player 0 places"),
        ({"hunters": (0, 1), "herd": (2, 3, 4, 9)}, "has no legal action"),
        ({"hunters": (22, 48), "herd": (23,), "phase": GO_ON, "moving": 22}, "phase 2 needs jumps='many'"),
        ({"phase": 3}, "phase must be one of"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        hunt(GAME, **{"hunters": (1, 2), "herd": (30,)} | fields)


def test_greedy_imprisons_and_avoids_captures():
    assert InPython(GAME).greedy(hunt(GAME, (0, 1), (2, 3, 4, 10), 1)).tolist() == move(10, 9)
    # The piece on 23, beside 22, is saved if it moves or if another one stands on 24.
    (action,) = InPython(GAME).greedy(hunt(GAME, (22, 48), (23, 17), 1))
    saved = after(GAME, hunt(GAME, (22, 48), (23, 17), 1), action)
    assert not {(22, 23)} & ways(legal(MUST, hunt(MUST, (22, 48), np.flatnonzero(saved[0].board == 2))))


# The fast form.


@pytest.mark.slow
@pytest.mark.parametrize("capture", ["free", "compulsory"])
@pytest.mark.parametrize("jumps", ["one", "many"])
def test_the_fast_form_plays_as_the_rules(jumps, capture):
    fast, plain = both_forms("diviyan_keliya", jumps=jumps, capture=capture)
    states = hunts.positions(fast, 2, 24)
    if jumps == "one":
        states = states[states.phase != GO_ON]
    before, after = compare_forms(fast, plain, states)
    # The games include multiple captures and every kind of end.
    assert ((before.phase == MOVE) & (after.phase == GO_ON)).any() == (jumps == "many")
    assert hunts.ends(after) >= hunts.DRAW | {(1, 0)} and (after.taken > before.taken).any()
