"""Niranchy: every rule of its page, in positions that depend on it."""

import numpy as np
import pytest
from helpers.forms import InPython, both_forms, compare_forms
from helpers.mill_positions import position, step
from helpers.point_positions import scattered
from helpers.positions import after, legal, perft, result, seen

from mancala_envs import make_game
from mancala_envs.core.binding import in_python
from mancala_envs.core.record import BY_RULES
from mancala_envs.games.niranchy import LAY, MOVE, advantage, threats

GAME, PLAIN_LINES = make_game("niranchy"), make_game("niranchy", corners=False)
FIRST, SECOND = make_game("niranchy", maker="first"), make_game("niranchy", maker="second")
D = position((0, 1, 9, 13, 19, 20), (3, 4, 10, 12, 16, 23))
E = position((0, 1, 9, 13), (3, 4, 10, 12))


def moving(first, second, game=GAME, to_move=0, **fields):
    """Return a position in which all men are laid."""
    return game.load(board=position(first, second), **{"hand": [0, 0], "phase": MOVE, "to_move": to_move, **fields})


@pytest.mark.parametrize(
    ("options", "fields", "counts"),
    [
        ({}, {"board": D, "hand": [0, 0], "phase": MOVE}, [7, 78, 714, 7736]),
        ({"corners": False}, {"board": D, "hand": [0, 0], "phase": MOVE}, [6, 62, 444, 4298]),
        ({}, {"board": E, "hand": [2, 2]}, [16, 210, 2576]),
        ({"maker": "second"}, {"board": E, "hand": [2, 2]}, [16, 240, 2940]),
    ],
    ids=str,
)
def test_perft_of_the_rules_page(options, fields, counts):
    game = make_game("niranchy", **options)
    assert perft(game, game.load(**fields), len(counts)) == counts


# Lines.


@pytest.mark.parametrize("game", [GAME, FIRST])
def test_a_player_who_lays_a_line_has_won(game):
    states = game.init(1, 0)
    for action in (0, 4, 1, 5):
        states = after(game, states, action)
    rewards = game.step(states, [2])
    assert result(states) == (0, BY_RULES) and rewards.tolist() == [[1, -1]] and states[0].turn == 5


@pytest.mark.parametrize(
    ("game", "points", "winner"),
    [
        # A line through the corners only where they are joined.
        (GAME, (0, 4, 3, 5, 6), 0),
        (PLAIN_LINES, (0, 4, 3, 5, 6), -2),
        # The blocker's own lines do not win.
        (SECOND, (0, 4, 1, 5, 2), -2),
        (SECOND, (0, 3, 1, 4, 23, 5), 1),
        (FIRST, (0, 3, 1, 4, 23, 5), -2),
    ],
)
def test_which_lines_win(game, points, winner):
    assert result(after(game, game.init(1, 0), *points))[0] == winner


def test_a_line_made_by_moving_wins():
    assert result(after(GAME, moving((0, 1, 14), (3, 4, 10)), step(GAME, 14, 2))) == (0, BY_RULES)


# From laying to moving.


def test_with_twelve_men_each_moving_begins_after_the_23rd():
    one, other = (0, 2, 4, 6, 8, 10, 12, 15, 17, 19, 21, 23), (1, 3, 5, 7, 9, 11, 14, 16, 18, 20, 22)
    order = [point for pair in zip(one, other, strict=False) for point in pair]
    game = make_game("niranchy", maker="second")
    states = game.init(1, 0)
    for man, point in enumerate([*order, one[-1]]):
        assert states[0].phase == LAY and states[0].to_move == man % 2
        states = after(game, states, point)
    s = states[0]
    assert (s.hand.tolist(), s.phase, s.turn, s.quiet) == ([0, 1], MOVE, 23, 0)
    assert (s.board == 0).sum() == 1


def test_with_moves_after_both_moving_begins_after_the_last_man():
    one, both = make_game("niranchy", men=3), make_game("niranchy", moves_after="both", men=3)
    five = [after(game, game.init(1, 0), 0, 3, 1, 4, 20) for game in (one, both)]
    assert [(states[0].phase, states[0].hand.tolist()) for states in five] == [(MOVE, [0, 1]), (LAY, [0, 1])]
    assert five[1][0].to_move == 1 and after(both, five[1], 23)[0].phase == MOVE
    # Either player lays the last man: in the loaded position player 1 has laid first.
    states = after(both, both.load(board=position((0, 3), (1, 4)), hand=[1, 1], to_move=1), 20)
    assert (states[0].phase, states[0].hand.tolist()) == (LAY, [1, 0])
    assert after(both, states, 23)[0].phase == MOVE


@pytest.mark.parametrize(
    ("options", "winner"),
    # Player 0, who only blocks, passes; player 1 has lost or passes too.
    [({"maker": "second"}, 0), ({"maker": "second", "blocked": "pass"}, -1)],
    ids=str,
)
def test_a_full_board_blocks_both_players(options, winner):
    game = make_game("niranchy", moves_after="both", **options)
    one, other = (0, 2, 4, 6, 8, 10, 12, 15, 17, 19, 21), (1, 3, 5, 7, 9, 11, 14, 16, 18, 20, 22)
    states = game.load(board=position(one, other), hand=[1, 1], to_move=0)
    assert result(after(game, states, 13, 23)) == (winner, BY_RULES)


def test_a_man_steps_to_an_empty_neighbour():
    states = moving((0, 13, 22), (1, 9, 20, 6))
    steps = [(0, 3), (13, 5), (13, 12), (13, 14), (22, 19), (22, 21), (22, 23)]
    assert legal(GAME, states) == sorted(step(GAME, start, end) for start, end in steps)


# Players who cannot move.


def test_a_player_who_can_move_has_not_lost():
    # 0 has the neighbours 1, 3 and 9.
    states = after(GAME, moving((3, 9, 14), (0,)), step(GAME, 14, 2))
    assert result(states) == (-2, 0) and states[0].to_move == 1


@pytest.mark.parametrize(
    ("game", "loses"),
    # A blocker passes; so does any player by option.
    [(GAME, True), (SECOND, True), (FIRST, False), (make_game("niranchy", blocked="pass"), False)],
    ids=repr,
)
def test_a_player_who_cannot_move_has_lost_or_passes(game, loses):
    states = after(game, moving((2, 3, 9), (0,), game=game), step(game, 2, 1))
    assert result(states) == ((0, BY_RULES) if loses else (-2, 0))
    assert (states[0].to_move, states[0].turn) == (-1 if loses else 0, 1)


# Draws.


def test_quiet_moves_end_in_a_draw():
    game = make_game("niranchy", quiet_turns=2)
    states = after(game, moving((0, 13), (6, 22), game=game), step(game, 0, 1), step(game, 6, 7))
    assert result(states) == (-1, BY_RULES) and states[0].quiet == 2


def test_max_turns_end_in_a_draw_but_a_line_comes_first():
    game = make_game("niranchy", max_turns=5)
    assert result(after(game, game.init(1, 0), 0, 4, 1, 5, 23)) == (-1, BY_RULES)
    assert result(after(game, game.init(1, 0), 0, 4, 1, 5, 2)) == (0, BY_RULES)


def test_the_margin_is_the_win():
    game = make_game("niranchy", reward="margin")
    states = after(game, game.init(1, 0), 0, 4, 1, 5)
    assert game.step(states, [2]).tolist() == [[1, -1]]


# Positions and opponents.


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"board": [3] + [0] * 23}, "board must hold 0..2"),
        ({"board": E, "hand": [9, 8]}, "player 0 has 12 men, got 13"),
        ({"board": D, "hand": [0, 0]}, "phase 0 does not fit hand"),
        ({"board": D, "hand": [2, 2], "phase": MOVE}, "phase 1 does not fit hand"),
        ({"board": D, "hand": [0, 2], "phase": MOVE}, "in phase 1 hand must be at most 1"),
        ({"board": E, "hand": [2, 3]}, "laid in turn: the player to move has"),
        ({"board": E, "hand": [2, 2], "quiet": 1}, "quiet must be 0"),
        ({"board": D, "hand": [0, 0], "phase": MOVE, "quiet": -1}, "quiet must be at least 0"),
        ({"board": D, "hand": [0, 0], "phase": MOVE, "quiet": 50}, "quiet must be below 50"),
        ({"board": position((0, 3, 6), (1, 2)), "hand": [2, 2]}, r"player 0 has won by a line \[\(0, 3, 6\)\]"),
        ({"board": position((1, 3, 9), (0,)), "hand": [0, 0], "phase": MOVE, "to_move": 1}, "has no legal action"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        GAME.load(**fields)


@pytest.mark.parametrize("men", [2, 13])
def test_three_to_twelve_men(men):
    with pytest.raises(ValueError, match=f"men={men} is not allowed; it must be an integer from 3 to 12"):
        make_game("niranchy", men=men)


def test_a_blockers_line_may_stand():
    assert SECOND.load(board=position((0, 1, 2), (3, 4)), hand=[2, 2])[0].to_move == 0


def test_a_text_of_a_game_that_is_over_has_the_line_that_won():
    states = after(GAME, GAME.init(1, 0), 0, 4, 1, 5, 2)
    assert GAME.parse(GAME.text(states)).tobytes() == states.tobytes()


@pytest.mark.parametrize(("game", "wins"), [(GAME, (1, 1)), (FIRST, (1, 0)), (SECOND, (0, 1))])
def test_both_players_observe_whose_lines_win(game, wins):
    for to_move, hand in ((0, [12, 12]), (1, [11, 12])):
        look = seen(game, game.load(board=position((0,) * to_move, ()), hand=hand, to_move=to_move))
        assert (look["own_lines_win"], look["other_lines_win"]) == (wins[to_move], wins[1 - to_move])


def test_a_threat_is_an_empty_point_on_which_a_man_wins():
    # Player 0 would win on the points 2 and 21, player 1 on none.
    (s,) = GAME.load(board=position((0, 1, 9), (3, 8)), hand=[9, 10], to_move=1)
    assert [in_python(threats)(s, p) for p in (0, 1)] == [2, 0]


def test_a_won_game_is_evaluated_above_all_threats_and_a_lost_one_below():
    won = after(GAME, GAME.init(1, 0), 0, 4, 1, 5, 2)[0]
    assert in_python(advantage)(won, 0) > 2 * 24 and in_python(advantage)(won, 1) < -2 * 24


def test_greedy_wins_when_it_can_and_otherwise_blocks():
    assert InPython(GAME).greedy(after(GAME, GAME.init(1, 0), 0, 23, 1, 22)).tolist() == [2]
    assert InPython(GAME).greedy(after(GAME, GAME.init(1, 0), 0, 23, 1)).tolist() == [2]


# The fast form.


@pytest.mark.parametrize("corners", [True, False])
def test_the_fast_form_plays_as_the_rules(corners):
    fast, plain = both_forms("niranchy", corners=corners)
    rng, states = scattered(fast, 2000, [0.1, 0.3, 0.46])
    states.phase = rng.choice([LAY, MOVE], size=2000)
    states.hand = np.where(states.phase == LAY, rng.integers(1, 3, size=2000), 0)[:, None]
    before, one = compare_forms(fast, plain, states)
    # The moves include the end of laying and lost games.
    assert (one.phase > before.phase).any() and (one.winner >= 0).any()
