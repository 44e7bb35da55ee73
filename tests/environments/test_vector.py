"""The vector environment. Gymnasium has no checker for these, so it is compared with n single environments."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import mancala_envs
from mancala_envs.agents import Mixture
from mancala_envs.compliance.suites import Case, cases, vector_parity
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv

CASES = cases(list(mancala_envs.REGISTRY))


@pytest.mark.parametrize("opening", [0, (1, 6)], ids=["usual", "random"])
@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_step_agrees_with_single_environments(case, mode, opening):
    vector_parity(case, mode, opening=opening)


def fullest(observations, masks):
    """An opponent for single observations or batches: the legal hole with the most seeds."""
    return np.argmax(np.where(masks, observations[..., : masks.shape[-1]].astype(int) + 1, 0), axis=-1)


WITH_FAULTS = {"illegal_share": 0.3, "opponent": Mixture(("random", "greedy"))}
ARGUMENTS = {
    "illegal actions lose": {"illegal": "lose", **WITH_FAULTS},
    "illegal actions are replaced": {"illegal": "random", **WITH_FAULTS},
    "opponents in Python after openings": {"opponent": Mixture(("random", fullest)), "opening": (0, 9)},
    "rewards of rounds": {"round_reward": 0.5},
}


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_every_step_of_a_campaign_agrees_with_single_environments(mode, arguments):
    vector_parity(Case(mancala_envs.REGISTRY["qelat"], campaign=True), mode, **arguments)


def test_callables_are_called_once_for_all_waiting_games():
    asked = []

    def policy(observations, masks):
        asked.append(observations.shape)
        assert masks.dtype == np.int8
        assert masks.any(axis=1).all()
        return masks.argmax(axis=1)

    envs = MancalaVectorEnv("kalah", 16, opponent=policy, seat=1)
    envs.reset(seed=0)
    assert asked[0] == (16, 17)  # sixteen openings in one call
    single = SoloEnv("kalah", opponent=lambda observation, mask: int(mask.argmax()), seat=1)
    observation, _ = single.reset(seed=0)
    np.testing.assert_array_equal(envs._match.observations[0], observation)


def test_make_vec_makes_our_or_gymnasiums_vector_env():
    ours = gym.make_vec("mancala_envs/Qelat-v0", num_envs=4, opponent="greedy", autoreset_mode="SameStep")
    assert isinstance(ours.unwrapped, MancalaVectorEnv)
    assert ours.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert ours.observation_space.shape == (4, len(ours.unwrapped.game.observation_fields))
    theirs = gym.make_vec("mancala_envs/Qelat-v0", num_envs=2, vectorization_mode="sync")
    assert isinstance(theirs, SyncVectorEnv)


def test_copies_stay_unchanged_and_without_copy_arrays_are_overwritten():
    for copy in (True, False):
        envs = MancalaVectorEnv("kalah", 3, copy=copy, seat=0)
        first, infos = envs.reset(seed=0)
        kept = first.copy()
        second, *_ = envs.step(infos["action_mask"].argmax(axis=1))
        assert (first is second) == (not copy)
        assert (first == kept).all() == copy


def test_a_list_of_seeds():
    envs = MancalaVectorEnv("qelat", 3)
    by_list, _ = envs.reset(seed=[5, 6, 7])
    by_number, _ = envs.reset(seed=5)
    np.testing.assert_array_equal(by_list, by_number)
    with pytest.raises(ValueError, match="one for each of the 3 games, got 2"):
        envs.reset(seed=[1, 2])


def test_none_in_a_list_of_seeds_is_random_at_first_and_then_continues():
    chances = []
    for _ in range(2):
        envs = MancalaVectorEnv("qelat", 2, seat=0)
        envs.reset(seed=[None, 7])
        chances.append(envs.states["chance"].tolist())
    assert chances[0][0] != chances[1][0] and chances[0][1] == chances[1][1]
    envs.reset(seed=[None, 7])
    assert envs.states["chance"].tolist() == chances[1]


def test_stepping_before_reset_or_after_the_end_is_refused():
    envs = MancalaVectorEnv("kalah", 2, autoreset_mode="Disabled")
    with pytest.raises(gym.error.ResetNeeded):
        envs.step(np.zeros(2, np.int64))
    envs.reset(seed=0)
    envs.step(np.array([99, 0]))  # game 0 is lost by an illegal action
    with pytest.raises(gym.error.ResetNeeded, match=r"games \[0\]"):
        envs.step(np.zeros(2, np.int64))


@pytest.mark.parametrize("mode", ["Disabled", "NextStep", "SameStep"])
def test_infos_of_a_new_game_do_not_report_the_illegal_action_before_it(mode):
    envs = MancalaVectorEnv("kalah", 2, autoreset_mode=mode)
    envs.reset(seed=0)
    *_, infos = envs.step(np.array([99, 99]))
    assert ("illegal_action" in infos) == (mode != "SameStep")
    _, infos = envs.reset()
    assert "illegal_action" not in infos


def test_an_illegal_action_raises_names_the_game_and_changes_nothing():
    envs = MancalaVectorEnv("kalah", 3, illegal="raise", seat=0)
    envs.reset(seed=0)
    before = envs.states
    with pytest.raises(mancala_envs.IllegalAction, match="action 77 of game 1"):
        envs.step(np.array([0, 77, 0]))
    assert (envs.states == before).all()


def test_a_refused_opponent_changes_nothing():
    envs = MancalaVectorEnv("qelat", 2)
    with pytest.raises(ValueError, match="gredy"):
        envs.set_opponent("gredy")
    envs.play_campaigns()
    assert envs.game.campaign


def test_every_game_is_rendered():
    envs = MancalaVectorEnv("oware", 2, render_mode="ansi")
    envs.reset(seed=0)
    assert len(envs.render()) == 2
    envs = MancalaVectorEnv("oware", 2, render_mode="svg")
    envs.reset(seed=0)
    assert [picture[:4] for picture in envs.render()] == ["<svg", "<svg"]
    with pytest.raises(ValueError, match="'rgb_array' or 'svg'"):
        MancalaVectorEnv("oware", 2, render_mode="human")


@pytest.mark.parametrize("num_envs", [0, True, 2.0])
def test_the_number_of_games_must_be_an_integer(num_envs):
    with pytest.raises(ValueError, match=f"num_envs must be an integer of at least 1, got {num_envs}"):
        MancalaVectorEnv("kalah", num_envs)
