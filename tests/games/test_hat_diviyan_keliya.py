"""Hat Diviyan Keliya: its own rules; test_diviyan_keliya.py tests the rules of both hunts."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from helpers import hunt_positions as hunts
from helpers import point_positions
from helpers.forms import InPython, both_forms, compare_forms
from helpers.hunt_positions import hunt
from helpers.point_positions import seen
from helpers.positions import after, legal, result

from mancala_envs import make_game
from mancala_envs.core.record import BY_RULES
from mancala_envs.families.points.board import NOWHERE
from mancala_envs.families.points.hunts import GO_ON, MOVE, PLACE
from mancala_envs.games.hat_diviyan_keliya import NEIGHBOURS
from mancala_envs.render import draw_text

GAME, APEX, MUST = (
    make_game("hat_diviyan_keliya", **o) for o in ({}, {"start": "apex"}, {"jumps": "many", "capture": "compulsory"})
)
move, ways = partial(hunts.move, NEIGHBOURS), partial(point_positions.ways, NEIGHBOURS, len(NEIGHBOURS))


def test_the_board_is_a_triangle_with_its_perpendicular_and_two_cross_lines():
    assert (NEIGHBOURS != NOWHERE).sum() == 2 * 15
    steps = {(0, p) for p in (1, 2, 3)} | {(5, p) for p in (2, 4, 6, 8)}
    assert ways(legal(GAME, hunt(GAME, (0,), (9,)))) | ways(legal(GAME, hunt(GAME, (5,), (9,)))) == steps


def test_the_tiger_is_laid_first_anywhere_or_on_the_apex_then_one_leopard_a_turn():
    assert legal(GAME, GAME.init(1, 0)) == list(range(10)) and legal(APEX, APEX.init(1, 0)) == [0]
    states = after(APEX, APEX.init(1, 0), 0)
    assert states[0].hand.tolist() == [0, 7] and legal(APEX, states) == list(range(1, 10))
    states = after(APEX, states, 8)
    assert (states[0].phase, states[0].to_move) == (MOVE, 0) and ways(legal(APEX, states)) == {(0, 1), (0, 2), (0, 3)}
    states = after(APEX, states, *move(0, 3))
    assert (states[0].phase, states[0].to_move) == (PLACE, 1)


def test_the_tiger_takes_along_every_line():
    assert legal(MUST, hunt(MUST, (1,), (2, 9))) == move(1, 3)
    assert legal(MUST, hunt(MUST, (0,), (2, 9))) == move(0, 5)
    assert legal(MUST, hunt(MUST, (7,), (4, 9))) == move(7, 1)
    assert ways(legal(MUST, hunt(MUST, (4,), (1, 2), hand=(0, 5)))) == {(4, 1)}


FEWEST = {0: 6, **dict.fromkeys(range(1, 7), 5), 7: 4, 8: 4, 9: 4}
"""The fewest leopards that can check the tiger, by the tiger's point."""


@pytest.mark.parametrize("tiger", range(10))
def test_how_many_leopards_check_the_tiger(tiger):
    def checked(leopards):
        beside = [(over, NEIGHBOURS[over, way]) for way, over in enumerate(NEIGHBOURS[tiger]) if over != NOWHERE]
        return all(over in leopards and (end == NOWHERE or end in leopards) for over, end in beside)

    others = set(range(10)) - {tiger}
    assert not any(checked(some) for some in combinations(others, FEWEST[tiger] - 1))
    enough = next(some for some in combinations(others, FEWEST[tiger]) if checked(some))
    # The game agrees, also while leopards are still being laid.
    states = hunt(GAME, (tiger,), enough[1:], 1, hand=(0, 7 - len(enough) + 1))
    assert result(after(GAME, states, enough[0])) == (1, BY_RULES)


def test_the_fourth_leopard_taken_ends_the_game():
    states = hunt(GAME, (1,), (2, 9), hand=(0, 2), taken=[3, 0])
    assert result(after(GAME, states, *move(1, 3))) == (0, BY_RULES)
    game = make_game("hat_diviyan_keliya", goal=5)
    assert result(after(game, hunt(game, (1,), (2, 9), hand=(0, 2), taken=[3, 0]), *move(1, 3))) == (-2, 0)


def test_both_see_their_own_pieces_first_and_the_letters_differ():
    states = hunt(GAME, (1,), (2, 9), 1, hand=(0, 2), taken=[3, 0])
    numbers = {"phase_1": 1, "taken": 3, "goal_left": 1, "quiet_left": 60, "turns_left": 255}
    herd = {"own_man[2]": 1, "own_man[9]": 1, "other_man[1]": 1, "own_hand": 2, "to_move": 1}
    assert seen(GAME, states, 1) == numbers | herd
    hunters = {"other_man[2]": 1, "other_man[9]": 1, "own_man[1]": 1, "other_hand": 2, "hunts": 1}
    assert seen(GAME, states, 0) == numbers | hunters
    text = draw_text(GAME.board(states))
    assert {"T1", "l2", "l9", ".0"} <= set(text.replace("-", " ").split())


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"hunters": (1,), "herd": (), "hand": (0, 7), "to_move": 1}, "player 0 must have begun on point 0"),
        ({"hunters": (1, 2), "herd": (3,)}, "player 0 has 1 pieces, got 2"),
        ({"hunters": (1,), "herd": range(2, 10)}, "player 1 has 7 pieces, got 8"),
        ({"hunters": (1,), "herd": (3,), "taken": [4, 0]}, r"taken\[0\] must be below 4, the goal"),
        ({"hunters": (1,), "herd": (), "hand": (0, 7)}, "player 0 has placed 1 pieces, player 1 0"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        hunt(APEX, **fields)


def test_greedy_takes_and_checks():
    assert InPython(GAME).greedy(hunt(GAME, (1,), (2, 9))).tolist() == move(1, 3)
    assert InPython(GAME).greedy(hunt(GAME, (7,), (1, 4, 8), 1, hand=(0, 4))).tolist() == [9]


@pytest.mark.parametrize("options", [{}, {"capture": "compulsory"}, {"jumps": "many"}], ids=str)
def test_with_best_play_the_leopards_win_from_every_first_placement(options):
    def code(states):
        digits = (*states.board.T, *states.hand.T, states.taken[:, 0], states.moving + 1, states.to_move + 1)
        return sum(digit.astype(np.int64) * 11**place for place, digit in enumerate(digits))

    game = make_game("hat_diviyan_keliya", quiet_turns=1000, **options)
    wins = hunts.won_by_player_1(game, code)
    assert len(wins) == 10 and wins.all()


# The fast form.


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"start": "apex", "jumps": "many", "capture": "compulsory"}], ids=str)
def test_the_fast_form_plays_as_the_rules(options):
    fast, plain = both_forms("hat_diviyan_keliya", **options)
    states = hunts.positions(fast, 1, 7)
    begun = states[(states.phase != GO_ON) | (fast.options["jumps"] == "many")]
    _, after = compare_forms(fast, plain, np.concatenate([fast.init(3, 0), begun]).view(np.recarray))
    assert hunts.ends(after) == hunts.DRAW | hunts.WINS
