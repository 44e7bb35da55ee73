"""Opponents that raise errors or play illegal actions: a half-played step must not be continued."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from helpers.players import NO_FAULT, Faulty, each_clone

import mancala_envs
from mancala_envs import IllegalAction
from mancala_envs.agents import Mixture
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.wrappers import SingleAgent


def solo(opponent):
    return gym.make("mancala_envs/Kalah-v0", opponent=opponent, seat=0, disable_env_checker=True).unwrapped


def single(opponent):
    return SingleAgent(mancala_envs.kalah_v0.raw_env(), opponent, seat=0)


def vector(opponent):
    return MancalaVectorEnv("kalah", 3, opponent=opponent, seat=0)


ENDS_A_TURN = 0
"""The first hole of the opening."""


def an_action(env):
    return np.full(3, ENDS_A_TURN) if isinstance(env, MancalaVectorEnv) else ENDS_A_TURN


@pytest.mark.parametrize("make", [solo, single, vector])
@pytest.mark.parametrize("error", [ConnectionError("lost"), KeyboardInterrupt()], ids=["network", "ctrl-c"])
def test_after_an_opponents_error_a_reset_is_needed(make, error):
    opponent = Faulty()
    env = make(opponent)
    env.reset(seed=0)
    opponent.fault = error
    with pytest.raises(type(error)):
        env.step(an_action(env))
    for _ in range(2):
        with pytest.raises(ResetNeeded):
            env.step(an_action(env))
    observation, _ = env.reset(seed=0)
    again, _ = make(Faulty()).reset(seed=0)
    assert np.array_equal(observation, again)
    env.step(an_action(env))


def test_after_an_opponents_error_in_a_reset_another_is_needed():
    opponent = Faulty()
    for env in (SoloEnv("kalah", opponent, 1), SingleAgent(mancala_envs.kalah_v0.raw_env(), opponent, seat=1)):
        env.reset(seed=0)
        opponent.fault = ConnectionError("lost")
        with pytest.raises(ConnectionError):
            env.reset(seed=0)
        opponent.fault = NO_FAULT
        with pytest.raises(ResetNeeded):
            env.step(0)


@pytest.mark.parametrize("make", [solo, single, vector])
@pytest.mark.parametrize("played", [7, -1, 99])
def test_an_opponents_illegal_action_is_an_error_that_names_it_and_needs_a_reset(make, played):
    opponent = Faulty()
    env = make(opponent)
    env.reset(seed=0)
    opponent.fault = np.full(3, played) if make is vector else played
    with pytest.raises(
        IllegalAction, match=rf"action {played} of game 0 by opponent Faulty\(\) is .* reset before the next step"
    ):
        env.step(an_action(env))
    with pytest.raises(ResetNeeded):
        env.step(an_action(env))
    env.reset()
    env.step(an_action(env))


@pytest.mark.parametrize("make", [solo, single, vector])
@pytest.mark.parametrize("played", [2.0, "3", True, None, [1, 2]])
def test_an_opponent_must_return_integers(make, played):
    opponent = Faulty()
    env = make(opponent)
    env.reset(seed=0)
    opponent.fault = [played] * 3 if make is vector else played if make is single else [played]
    with pytest.raises(TypeError, match=r"(agent|opponent) Faulty\(\)"):
        env.step(an_action(env))


@each_clone
@pytest.mark.parametrize("make", [lambda: Faulty(), lambda: [Faulty()], lambda: Mixture((Faulty(), "random"))])
def test_copies_have_their_own_opponent(make, clone):
    env = SoloEnv("kalah", opponent=make(), seat=0)
    env.reset(seed=0)
    other = clone(env)
    for _ in range(3):
        action = int(env.action_masks().argmax())
        assert str(env.step(action)) == str(other.step(action))
    if not isinstance(env.opponent, Mixture):
        np.atleast_1d(other.opponent)[0].fault = ConnectionError("lost")
        action = int(env.action_masks().argmax())
        env.step(action)
        with pytest.raises(ConnectionError):
            while True:
                other.step(action)
                action = int(other.action_masks().argmax())


def test_a_vector_env_needs_an_opponent_that_takes_batches():
    env = MancalaVectorEnv("kalah", 3, opponent=lambda observation, mask: int(np.argmax(mask)), seat=1)
    with pytest.raises(TypeError, match=r"observations \(3, \d+\) and masks \(3, 6\) and must return 3 integers"):
        env.reset(seed=0)


def test_after_an_opponents_error_all_games_must_be_reset():
    opponent = Faulty()
    env = MancalaVectorEnv("kalah", 3, opponent=opponent, seat=0, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    opponent.fault = ConnectionError("lost")
    with pytest.raises(ConnectionError):
        env.step(an_action(env))
    with pytest.raises(ResetNeeded, match="reset all games"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset()
    env.step(an_action(env))


@pytest.mark.parametrize("make", [solo, single])
@pytest.mark.parametrize("action", [2.7, 2.0, True, "3", None, [3], np.array([3])])
def test_an_action_must_be_one_integer(make, action):
    env = make("random")
    env.reset(seed=0)
    with pytest.raises(TypeError, match=r"action must be one integer of 0\.\.5, got"):
        env.step(action)
    env.step(np.array(3))


def test_raw_env_needs_a_reset_first():
    raw = mancala_envs.kalah_v0.raw_env()
    calls = [lambda: raw.step(0), raw.last, lambda: raw.observe("player_0"), lambda: next(iter(raw.agent_iter()))]
    for call in (*calls, lambda: list(raw.agents), lambda: raw.rewards["player_0"]):
        with pytest.raises(ResetNeeded, match="call reset first"):
            call()


@pytest.mark.parametrize("seed", [np.array([1, 2, 3]), 1.5, "1", -1, 2**64 - 1, 2**64, True, [1, 2.5, 3], [-1, 2, 3]])
def test_vector_env_refuses_invalid_seeds(seed):
    env = vector("random")
    with pytest.raises(ValueError, match="seed must be None or an integer from 0"):
        env.reset(seed=seed)


@pytest.mark.parametrize("seed", [1.5, "1", -1, 2**64, True])
@pytest.mark.parametrize("make", [solo, lambda opponent: mancala_envs.kalah_v0.raw_env()])
def test_invalid_seeds_are_refused(make, seed):
    with pytest.raises(ValueError, match="seed must be None or an integer from 0"):
        make("random").reset(seed=seed)


@pytest.mark.parametrize("options", ["position", 5, [("position", None)], {"position"}], ids=str)
@pytest.mark.parametrize("make", [solo, vector, lambda opponent: mancala_envs.kalah_v0.raw_env()])
def test_invalid_reset_options_are_refused(make, options):
    with pytest.raises(TypeError, match="options of reset must be a dict or None"):
        make("random").reset(options=options)


def test_the_first_reset_starts_all_games():
    env = vector("random")
    with pytest.raises(ResetNeeded, match="the first reset must start all games"):
        env.reset(options={"reset_mask": np.array([True, False, True])})


@pytest.mark.parametrize("make", [solo, vector, lambda opponent: mancala_envs.kalah_v0.raw_env()])
def test_positions_of_reset(make):
    env, game = make("random"), mancala_envs.make_game("kalah")
    state = game.load(holes=[0, 0, 0, 0, 0, 1, 4, 4, 4, 4, 4, 4], to_move=0)
    for position in (state, state[0], game.text(state)):
        env.reset(seed=1, options={"position": position})
        records = env.states if make is vector else env.record
        assert (records["holes"] == state.holes).all()
    with pytest.raises(TypeError, match="a text, a mapping of fields or the record"):
        env.reset(options={"position": 5})
    with pytest.warns(UserWarning, match="takes the options position.*, got 'positon'"):
        env.reset(options={"positon": "?"})
    with pytest.raises(TypeError, match="text must be a str"):
        game.parse(None)
