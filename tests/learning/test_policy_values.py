"""Value networks for minimax, fitted to the self-play of a policy over afterstates."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO

from mancala_envs import make_game
from mancala_envs.agents import Searcher
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.learning.settings import Settings
from mancala_envs.learning.values import chances_of_rewards, values_of
from mancala_envs.wrappers import ObserveAfterstates
from mancala_envs.wrappers.sb3 import AfterstatePolicy, MancalaVecEnv

KALAH = make_game("kalah")


def test_rewards_become_chances():
    assert chances_of_rewards(np.array([-1.5, -1, 0, 0.5, 2]), 64.0).tolist() == [0, 0, 0.5, 0.75, 1]


@pytest.mark.slow
def test_a_network_fitted_to_self_play_predicts_new_games_better_than_the_static_evaluation():
    envs = MancalaVecEnv(ObserveAfterstates(MancalaVectorEnv(KALAH, 4, autoreset_mode="SameStep")))
    policy = MaskablePPO(AfterstatePolicy, envs, policy_kwargs={"net_arch": (16, 8)}, device="cpu", seed=0).policy
    stages = {}
    network = values_of(policy, KALAH, 2, 256, 0, stages.__setitem__)
    assert stages.keys() == {"self-play for values", "fitting values"}
    assert 0 < stages["self-play for values"] <= 1 == stages["fitting values"]
    training = network.training
    assert training["positions"] > 5000 and training["loss"] < training["loss_of_evaluation"]
    actions = Searcher(KALAH, "minimax:2", network=network).act(KALAH.init(20, 0, opening=6), 0)
    assert KALAH.legal(KALAH.init(20, 0, opening=6))[np.arange(20), actions].all()


def test_policies_of_positions_and_campaigns_get_no_values():
    assert Settings("kalah").has_values
    assert not Settings("kalah", observe="position").has_values
    assert not Settings("qelat", campaign=True, observe="afterstates").has_values
    assert not Settings("kalah", method="alphazero").has_values
    assert "policy alone" in Settings("kalah").title and "alone" not in Settings("kalah", observe="position").title
