"""Monte-Carlo tree search finds wins, threats and draws, and uses its tree and its budget as documented."""

import numpy as np
import pytest
from books import tic_tac_toe

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.game import Game

KALAH = make_game("kalah")
TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})


@pytest.mark.parametrize("playout_turns", [0, 1, 2])
def test_it_takes_a_win_and_blocks_a_threat(playout_turns):
    winning = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 2, 0, 0, 0, 0], turn=4)
    losing = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 0, 0, 0, 0, 0], turn=3, to_move=1)
    search = Agent(TIC_TAC_TOE, "mcts:400", playout_turns=playout_turns)
    assert search.act(winning, seed=1)[0] == 2
    assert search.act(losing, seed=1)[0] == 2
    found = search.analyse(winning, seed=1)
    assert found.value == 1.0, "every simulation that takes point 2 wins at once"
    assert all(-1 <= value <= 1 for value in found.values.values())


def test_tic_tac_toe_against_itself_is_drawn():
    states = np.repeat(TIC_TAC_TOE.init(1, 0), 20).view(np.recarray)
    search = Agent(TIC_TAC_TOE, "mcts:2000", playout_turns=0)
    rewards = np.zeros((20, 2))
    decision = 0
    while (states["to_move"] >= 0).any():
        rewards += TIC_TAC_TOE.step(states, search.act(states, seed=decision))
        decision += 1
    assert (rewards == 0).all(), "both play without a mistake"


def test_the_size_of_the_present_lead_does_not_affect_a_search():
    """Seeds in the stores change nothing but who is ahead, as long as no simulation comes to the end."""
    holes = [3, 4, 3, 3, 3, 3] * 2
    search = Agent(KALAH, "mcts:50")
    even, ahead = (search.analyse(KALAH.load(holes=holes, store=store), seed=1) for store in ([5, 5], [10, 0]))
    assert even == ahead


def test_an_analysis_counts_simulations_and_its_line_begins_with_the_action():
    found = Agent(KALAH, "mcts:300").analyse(KALAH.init(1, 0), seed=2)
    assert found.nodes == 300
    assert found.line[0] == found.action
    assert found.depth == len(found.line) > 1
    assert set(found.values) == set(range(6))


def test_a_full_tree_continues_to_search_without_growing():
    search = Agent(KALAH, "mcts:3000", memory=0.01)
    assert search.analyse(KALAH.init(1, 0), seed=2).nodes == 3000
    tree = search._search._tree
    assert tree.roots["next_node"] == tree.roots["last_node"] == len(tree.nodes) < 50


def test_a_kept_tree_is_used_again_for_a_position_in_it():
    state = KALAH.init(1, 0)
    search = Agent(KALAH, "mcts:300", keep=True)
    KALAH.step(state, search.act(state, seed=1))
    assert search.analyse(state, seed=2).nodes > 300
    assert Agent(KALAH, "mcts:300", keep=True).analyse(state, seed=2).nodes == 300


def test_a_budget_in_milliseconds_limits_simulations():
    nodes = [Agent(KALAH, f"mcts:{budget}ms").analyse(KALAH.init(1, 0)).nodes for budget in (1, 1000)]
    assert 64 <= nodes[0] < nodes[1]
