"""`ObserveAfterstates` of Gymnasium and vector environments."""

from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest
from books import lucky
from gymnasium.vector import AutoresetMode
from helpers.forms import slowly
from helpers.networks import random_network

import mancala_envs  # noqa: F401  # registers the ids
from mancala_envs import Game, kalah_v0, make_game
from mancala_envs.agents import ActionValues, Exchanges
from mancala_envs.compliance.suites import vector_parity
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.wrappers import MaskInObservation, ObserveAfterstates
from mancala_envs.wrappers.afterstates import afterstates_space

KEYS = ["observation", "reward", "ended", "same_player", "action_mask"]
LUCKY = Game(lucky.RULE_BOOK, "lucky", False, {})


def equal(one, other):
    assert list(one) == list(other) == KEYS
    for name in KEYS:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.mark.parametrize(
    "env",
    [
        lambda: gym.make("mancala_envs/Kalah-v0"),
        *slowly(lambda: SoloEnv("qelat", campaign=True, columns=2, max_rounds=3, round_reward=0.5)),
    ],
)
def test_observations_lie_in_the_space(env):
    wrapped = ObserveAfterstates(env())
    rng = np.random.default_rng(0)
    observation, info = wrapped.reset(seed=1)
    ended = 0
    for _ in range(300):
        assert observation in wrapped.observation_space
        observation, _, terminated, truncated, info = wrapped.step(rng.choice(np.flatnonzero(info["action_mask"])))
        assert observation in wrapped.observation_space
        np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
        if terminated or truncated:
            assert not any(array.any() for array in observation.values())
            observation, info = wrapped.reset()
            ended += 1
    assert ended > 0


def test_a_debt_can_cost_more_than_all_holes():
    game = make_game("ceelkoqyuqkoqiji", campaign=True, round_reward=1.0)
    most = afterstates_space(game)["reward"].high.max()
    assert most > 2.02  # which a player got in random play


def test_the_observation_is_that_of_the_game():
    env = ObserveAfterstates(SoloEnv("kalah", seat=1))
    observation, _ = env.reset(seed=3)
    equal(observation, {k: v[0] for k, v in env.unwrapped.game.afterstates(env.unwrapped.record).as_dict().items()})
    observation, *_ = env.step(int(observation["action_mask"].argmax()))
    equal(observation, {k: v[0] for k, v in env.unwrapped.game.afterstates(env.unwrapped.record).as_dict().items()})


def test_the_values_are_those_of_the_network():
    game = make_game("kalah")
    networks = [random_network(game, seed) for seed in range(2)]
    solo, envs = SoloEnv(game), MancalaVectorEnv(game, 16)
    one, many = (ObserveAfterstates(env, network=networks[0]) for env in (solo, envs))
    observed, seen = one.reset(seed=3)[0], many.reset(seed=3)[0]
    assert observed in one.observation_space and seen in many.observation_space and list(seen) == [*KEYS, "value"]
    np.testing.assert_array_equal(observed["value"], ActionValues(game, networks[0])(solo.record)[0])
    np.testing.assert_array_equal(seen["value"], ActionValues(game, networks[0])(envs.states))
    many.network = networks[1]
    seen, *_ = many.step(seen["action_mask"].argmax(1))
    np.testing.assert_array_equal(seen["value"], ActionValues(game, networks[1])(envs.states))
    with pytest.raises(ValueError, match="the network was trained for kalah, not for oware"):
        ObserveAfterstates(SoloEnv("oware"), network=networks[0])


def test_the_exchanges_are_those_of_the_states():
    solo, envs = SoloEnv("kalah"), MancalaVectorEnv("kalah", 16)
    one, many = (ObserveAfterstates(env, exchanges=True) for env in (solo, envs))
    observed, seen = one.reset(seed=3)[0], many.reset(seed=3)[0]
    assert observed in one.observation_space and seen in many.observation_space and list(seen) == [*KEYS, "exchange"]
    np.testing.assert_array_equal(observed["exchange"], Exchanges("kalah")(solo.record)[0])
    np.testing.assert_array_equal(seen["exchange"], Exchanges("kalah")(envs.states))


@pytest.mark.parametrize(("game", "draws"), [("kalah", None), (LUCKY, 3)], ids=["kalah", "chance"])
def test_a_vector_environment_observes_what_single_ones_do(game, draws):
    case = SimpleNamespace(
        vector=lambda n, **arguments: ObserveAfterstates(MancalaVectorEnv(game, n, **arguments), draws),
        solo=lambda disable_env_checker: ObserveAfterstates(SoloEnv(game), draws),
    )
    vector_parity(case, AutoresetMode.DISABLED)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_games_that_are_over_show_zeros(mode):
    envs = ObserveAfterstates(MancalaVectorEnv("kalah", 16, autoreset_mode=mode))
    _, infos = envs.reset(seed=1)
    over = 0
    while over < 8:
        observations, _, terminated, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert observations in envs.observation_space
        for i in np.flatnonzero(terminated):
            last = infos["final_obs"][i] if mode == "SameStep" else {k: v[i] for k, v in observations.items()}
            assert last in envs.single_observation_space and not any(array.any() for array in last.values())
            assert (observations["action_mask"][i].any()) == (mode == "SameStep")
        over += terminated.sum()
        if mode == "Disabled" and terminated.any():
            observations, infos = envs.reset(options={"reset_mask": terminated})


def test_other_environments_and_arguments_are_refused():
    with pytest.raises(TypeError, match="ObserveAfterstates takes environments of the kinds Gymnasium, vector"):
        ObserveAfterstates(kalah_v0.env())
    with pytest.raises(TypeError, match="takes environments of mancala_envs"):
        ObserveAfterstates(gym.make("CartPole-v1"))
    with pytest.raises(ValueError, match="inside the wrappers that change observations"):
        ObserveAfterstates(MaskInObservation(SoloEnv("kalah")))
    with pytest.raises(ValueError, match="draws must be None or an integer of at least 1, got 0"):
        ObserveAfterstates(SoloEnv("kalah"), draws=0)


def test_the_reward_of_an_action_that_ends_the_game_is_known_before():
    envs = ObserveAfterstates(MancalaVectorEnv(make_game("kalah"), 64, autoreset_mode="SameStep"))
    observations, infos = envs.reset(seed=1)
    known = 0
    for _ in range(60):
        actions = infos["action_mask"].argmax(axis=1)
        chosen = np.arange(64), actions
        expected, ends = observations["reward"][chosen], observations["ended"][chosen] == 1
        observations, rewards, terminated, _, infos = envs.step(actions)
        assert terminated[ends].all() and (rewards[ends] == expected[ends]).all()
        known += ends.sum()
    assert known > 10
