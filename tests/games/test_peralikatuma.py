"""Peralikatuma, and what both war games share; test_jumps.py has the positions on captures."""

import numpy as np
import pytest
from helpers.forms import both_forms, compare_forms
from helpers.point_positions import half_turned, play_from_both_sides, scattered, seen
from helpers.positions import after, legal, result
from helpers.war_positions import STOP, move, war, ways

from mancala_envs import make_game
from mancala_envs.core.record import BY_RULES
from mancala_envs.core.symmetry import SQUARE
from mancala_envs.families.points.forty_nine import BOARD
from mancala_envs.families.points.presentation import symmetry_of
from mancala_envs.families.points.wars import GO_ON, MOVE
from mancala_envs.render import draw_text

GAME, MUST = make_game("peralikatuma"), make_game("peralikatuma", capture="compulsory")
both = pytest.mark.parametrize("game", [GAME, MUST], ids=["free", "compulsory"])
both_games = pytest.mark.parametrize(
    ("name", "options", "whole"),
    [("peralikatuma", {}, 46), ("peralikatuma", {"soldiers": 24}, 48), ("kotu_ellima", {}, 48)],
    ids=["23 soldiers", "24 soldiers", "kotu_ellima"],
)
"""Game, options, and the soldiers of both players together."""


def test_a_game_has_no_more_decisions_than_turns_and_captures():
    # After each capture there may be a decision, and each side has 23 soldiers to capture.
    assert GAME.book.most_decisions(GAME.options) == 1500 + 46


# The set-up.


def test_each_player_has_two_rows_and_two_rooms_and_three_points_are_empty():
    board = GAME.init(1, 0)[0].board
    first = {*range(30, 35), *range(37, 42), *range(43, 49), 6, 13, 20, 21, 29, 36, 22}
    assert set(np.flatnonzero(board == 1)) == first and len(first) == 23
    assert set(np.flatnonzero(board == 0)) == {23, 24, 25}


def test_one_soldier_more_on_the_line_between():
    board = make_game("peralikatuma", soldiers=24).init(1, 0)[0].board
    assert (board == 1).sum() == (board == 2).sum() == 24
    assert (board[23], board[24], board[25]) == (1, 0, 2)


@both_games
def test_only_a_rotation_that_exchanges_the_players_keeps_the_set_up(name, options, whole):
    game = make_game(name, **options)
    states = game.init(1, 0)
    assert np.array_equal(half_turned(states).board, states.board)
    for way in SQUARE[1:]:
        points = symmetry_of(BOARD, way).places
        assert not np.array_equal(states[0].board[points], states[0].board)


# Steps.


def test_the_first_moves():
    steps = {(22, 23), (31, 23), (31, 24), (32, 24), (33, 24), (33, 25)}
    assert ways(legal(GAME, GAME.init(1, 0))) == steps


def test_soldiers_step_along_lines_in_any_direction():
    states = war(GAME, (13, 24, 16), (0,))
    room = {(13, 6), (13, 21), (13, 22)}
    middle = {(24, point) for point in (15, 17, 23, 25, 31, 32, 33)}
    assert ways(legal(GAME, states)) == room | middle | {(16, point) for point in (9, 15, 17)}
    s = after(GAME, states, *move(24, 32))[0]
    assert (s.board[24], s.board[32], s.to_move, s.turn, s.quiet, s.phase) == (0, 1, 1, 1, 1, MOVE)


# Captures.


def test_a_soldier_may_land_where_an_enemy_was_taken_in_the_same_turn():
    # Over 32, 38, 30 and 23 to 24; then over 31 to 38, where an enemy stood.
    states = after(GAME, war(GAME, (24,), (32, 38, 30, 23, 31, 47)), *move(24, 39, 37, 22, 24))
    assert (24, 31) in ways(legal(GAME, states))
    s = after(GAME, states, *move(24, 31))[0]
    assert s.taken.tolist() == [5, 0] and s.turn == 1


# Ends.


@both
def test_a_player_without_soldiers_has_lost(game):
    states = war(game, (22,), (23,))
    rewards = game.step(states, move(22, 24))
    assert result(states) == (0, BY_RULES) and rewards.tolist() == [[1, -1]]
    assert (states[0].turn, states[0].phase, states[0].moving, states[0].taken.tolist()) == (1, 0, -1, [1, 0])


@both
def test_a_player_with_soldiers_but_no_move_has_lost(game):
    # 0 has the neighbours 1 and 3, and behind those stand 2 and 9.
    states = war(game, (1, 2, 3, 16), (0,))
    assert result(after(game, states, *move(16, 9))) == (0, BY_RULES)
    assert result(after(game, states, *move(16, 15))) == (-2, 0)


def test_player_1_wins_too():
    assert result(after(GAME, war(GAME, (23,), (22,), to_move=1), *move(22, 24, player=1))) == (1, BY_RULES)


def test_quiet_turns_end_in_a_draw():
    game = make_game("peralikatuma", quiet_turns=2)
    states = after(game, war(game, (22,), (26,)), *move(22, 21), *move(26, 27, player=1))
    assert result(states) == (-1, BY_RULES) and states[0].quiet == 2
    # A capture restarts the count.
    states = after(game, war(game, (22, 37), (23, 47), quiet=1), *move(22, 24), *move(47, 46, player=1))
    assert result(states) == (-2, 0) and states[0].quiet == 1


def test_max_turns_end_in_a_draw_but_a_victory_comes_first():
    game = make_game("peralikatuma", max_turns=3, quiet_turns=1)
    assert result(after(game, war(game, (22, 37), (23, 47), turn=2), *move(22, 24))) == (-1, BY_RULES)
    assert result(after(game, war(game, (22,), (23,), turn=2), *move(22, 24))) == (0, BY_RULES)
    assert result(after(game, war(game, (1, 2, 3, 16), (0,), turn=2), *move(16, 9))) == (0, BY_RULES)


def test_all_captures_of_a_turn_are_one_turn_of_max_turns():
    game = make_game("peralikatuma", max_turns=1)
    states = after(game, war(game, (22, 37), (23, 17, 47)), *move(22, 24))
    assert result(states) == (-2, 0)
    assert result(after(game, states, *move(24, 11))) == (-1, BY_RULES)


@both_games
def test_the_margin_counts_captures_whoever_won(name, options, whole):
    game = make_game(name, reward="margin", **options)
    states = war(game, (22,), (23,), taken=[2, 7])
    rewards = game.step(states, move(22, 24))
    assert states[0].winner == 0 and np.allclose(rewards, [[-4 / whole, 4 / whole]])


# Observations.


def test_player_1_sees_what_player_0_would_see_from_the_other_side():
    went_on, taken = zip(*((s.moving >= 0, s.taken) for s in play_from_both_sides(GAME, 50, 100)), strict=True)
    assert np.concatenate(went_on).any() and np.concatenate(taken).any()


def test_actions_are_seen_from_the_movers_side_and_named_as_on_the_board():
    # Player 1 sees point 13 as point 35, and the south-east as the north-west.
    states = war(GAME, (31,), (13, 47), to_move=1)
    names = GAME.names_for(1)
    assert {names[action] for action in legal(GAME, states) if action // 8 == 48 - 13} == {
        f"move from point 13 {way}" for way in ("north-west", "south", "south-east")
    }
    (action,) = move(13, 22, player=1)
    assert action == 8 * 35 + 7 and names[action] == "move from point 13 south-east"
    assert GAME.names_for(0)[action] == GAME.action_names[action] == "move from point 35 north-west"
    assert names[STOP] == "stop capturing"
    assert GAME.explain(states, action)[:2] == [
        "player_1: move from point 13 south-east",
        "moves from point 13 to point 22",
    ]


def test_the_soldier_that_goes_on_is_observed_and_marked():
    states = after(GAME, war(GAME, (26,), (25, 17, 32, 45), to_move=0), *move(26, 24))
    own, other = seen(GAME, states, 0), seen(GAME, states, 1)
    assert [name for name in own if name.startswith("moving")] == ["moving[24]"]
    assert own["own_man[24]"] == own["other_man[17]"] == own["own_taken"] == own["phase_2"] == 1
    assert other["moving[24]"] == other["own_man[31]"] == other["other_man[24]"] == 1 and "to_move" not in other
    assert "[o24]" in draw_text(GAME.board(states))


# Positions and opponents.


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"first": (1,), "second": ()}, "player 1 has lost: no soldiers are left"),
        ({"first": range(24), "second": (47,)}, "player 0 has 23 soldiers, got 24"),
        ({"first": (22,), "second": (47,), "taken": [23, 0]}, "player 1 has 23 soldiers, got 24"),
        ({"first": (22,), "second": (47,), "quiet": 200}, "quiet must be below 200"),
        ({"first": (22,), "second": (47,), "quiet": -1}, "quiet must be at least 0"),
        ({"first": (22,), "second": (47,), "moving": 22}, "moving must be -1 in phase 0"),
        ({"first": (22,), "second": (47,), "phase": 1}, "phase must be one of"),
        ({"first": (1, 2, 3, 9), "second": (0,), "to_move": 1}, "has no legal action"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        war(GAME, **fields)


# The fast form.


@pytest.mark.parametrize("capture", ["free", "compulsory"])
def test_the_fast_form_plays_as_the_rules(capture):
    fast, plain = both_forms("peralikatuma", capture=capture)
    _, states = scattered(fast, 4000, [0.05, 0.2, 0.47])
    # A player to move without soldiers would already have lost.
    states = states[(states.board == 1 + states.to_move[:, None]).any(axis=1)]
    decisions, lost, long = 0, 0, 0
    while len(states):
        before, after = compare_forms(fast, plain, states)
        lost += ((after.ended > 0) & (after.winner >= 0)).sum()
        long = max(long, (after.taken - before.taken).max())
        states, decisions = after[after.phase == GO_ON], decisions + 1
    # The turns include multiple captures, also such as the engine plays itself, and players left without a move.
    assert decisions > 2 and lost and (long > 1) == (capture == "compulsory")


def test_games_that_are_over_have_no_choice():
    states = GAME.init(70, 0)
    states.to_move[[3, 65]] = -1
    assert np.flatnonzero(GAME.sample(states, 1) < 0).tolist() == [3, 65]
