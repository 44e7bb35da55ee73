"""Alpha-beta search against the same search without any of its short cuts, and what it must find."""

import numpy as np
import pytest
import tic_tac_toe

from mancala_envs import make_game
from mancala_envs.agents import Searcher
from mancala_envs.core.game import Game

TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
SMALL = make_game("kalah", columns=3, seeds=3)


def turn_of(state):
    return int(state["to_move"][0]), int(state["turn"][0])


def kalah_lead(state, player):
    return int(state["store"][0, player]) - int(state["store"][0, 1 - player])


def whole_search(game, state, turns, player):
    """Lead of `player` by minimax over all lines of play of so many turns; who has won is ahead of everything."""
    values = {}
    for action in np.flatnonzero(game.legal(state)[0]).tolist():
        after = state.copy()
        rewards = game.step(after, [action])
        left = turns - (turn_of(after) != turn_of(state))
        if after["to_move"][0] < 0:
            values[action] = int(rewards[0, player]) * 1000 + kalah_lead(after, player) * bool(rewards[0, player])
        elif left == 0:
            values[action] = kalah_lead(after, player)
        else:
            deeper = whole_search(game, after, left, player).values()
            values[action] = max(deeper) if after["to_move"][0] == player else min(deeper)
    return values


def with_1000_for_won(value):
    """A value of minimax in the units of `whole_search`."""
    won = round(value / (1 << 40))
    return int(value - won * (1 << 40)) + 1000 * won


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_values_are_those_of_a_search_without_short_cuts(turns):
    states = SMALL.init(12, 5)
    for decision in range(12):
        SMALL.step(states[decision:], SMALL.sample(states[decision:], decision), autoreset=True)
    for index in range(len(states)):
        state = states[index : index + 1]
        found = Searcher(SMALL, f"minimax:{turns}").analyse(state, seed=index)
        mine = int(state["to_move"][0])
        expected = whole_search(SMALL, state, turns, mine)
        # A search that has seen who wins looks no farther.
        if found.depth == turns:
            assert {action: with_1000_for_won(value) for action, value in found.values.items()} == expected
        assert found.values[found.action] == found.value == max(found.values.values())
        assert Searcher(SMALL, f"minimax:{turns}").act(state, seed=index + 7)[0] in [
            action for action, value in found.values.items() if value == found.value
        ]


def test_a_line_of_play_leads_to_its_value():
    state = SMALL.init(1, 0)
    found = Searcher(SMALL, "minimax:5").analyse(state, seed=1)
    assert found.line[0] == found.action
    for action in found.line:
        SMALL.step(state, [action])
    assert kalah_lead(state, 0) == found.value


def test_tic_tac_toe_is_drawn():
    found = Searcher(TIC_TAC_TOE, "minimax:9").analyse(TIC_TAC_TOE.init(1, 0))
    assert found.values == dict.fromkeys(range(9), 0)
    assert found.depth == 9
    assert len(found.line) == 9


def test_it_wins_and_hinders_others_from_winning():
    winning = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 2, 0, 0, 0, 0], turn=4)
    assert Searcher(TIC_TAC_TOE, "minimax:1").analyse(winning).value >= 1 << 39
    assert Searcher(TIC_TAC_TOE, "minimax:1").act(winning)[0] == 2
    losing = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 0, 0, 0, 0, 0], turn=3, to_move=1)
    assert Searcher(TIC_TAC_TOE, "minimax:2").act(losing)[0] == 2


def test_the_nearest_win_is_taken():
    # Point 2 wins now; from points 5 and 8 it would win too, two turns later.
    state = TIC_TAC_TOE.load(board=[1, 1, 0, 0, 2, 0, 0, 0, 2], turn=4)
    assert set(Searcher(TIC_TAC_TOE, "minimax:9").act(np.repeat(state, 50), seed=0).tolist()) == {2}


def test_lines_of_play_may_be_longer_than_there_is_room_for():
    game = make_game("kalah", columns=3, seeds=3)
    found = Searcher(game, "minimax:40", memory=0.01).analyse(game.init(1, 0), seed=0)
    assert found.value == Searcher(game, "minimax:40").analyse(game.init(1, 0), seed=0).value
    assert found.depth < 40, "all ways end before"


def test_a_clock_is_looked_at():
    state = make_game("kalah").init(1, 0)
    quick, slow = (Searcher(make_game("kalah"), f"minimax:{budget}ms").analyse(state) for budget in (1, 1000))
    assert quick.depth < slow.depth
    assert quick.nodes < slow.nodes
