"""`ChangeOfWorth`: rewards for the change of worth in a round, in every kind of environment."""

import copy
import pickle
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from helpers import olinda_positions
from helpers.forms import slowly
from helpers.players import first_legal
from pettingzoo.test import api_test, seed_test

from mancala_envs import daramutu_v0, make_game, qelat_v0
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.wrappers import (
    Campaign,
    ChangeOfWorth,
    IllegalMoves,
    MaskInInfo,
    SingleAgent,
    StackObservations,
    TimeLimit,
)

OPTIONS = {"campaign": True, "max_rounds": 4}
GAME = make_game("daramutu", **OPTIONS)
last_lift = partial(olinda_positions.last_lift, GAME)
GAIN = 0.5 * 6 / 56
"""Reward of the winner of a first round by 34 to 22 at weight 0.5: they had 28 of the 56."""


def part(info):
    return info["worth"] / info["worth"].sum()


def test_aec_pays_once_at_the_end_of_a_round():
    env = ChangeOfWorth(daramutu_v0.env(**OPTIONS), weight=0.5)
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    env.step(0)
    assert env.rewards == pytest.approx({"player_0": -GAIN, "player_1": GAIN})
    assert env.agent_selection == "player_0" and env.last()[1] == pytest.approx(-GAIN)
    env.step(17)
    assert env.rewards == {"player_0": 0, "player_1": 0}
    env.step(first_legal(env.infos[env.agent_selection]))
    assert env.agent_selection == "player_1" and env.last()[1] == pytest.approx(GAIN)


def test_the_last_round_pays_in_addition_to_the_result():
    env = ChangeOfWorth(daramutu_v0.env(**OPTIONS), weight=0.5)
    env.reset(seed=1, options={"position": GAME.text(last_lift(round_number=4, seeds_owned=[28, 28]))})
    env.step(0)
    assert env.rewards == pytest.approx({"player_0": -1 - GAIN, "player_1": 1 + GAIN})


def test_an_unchanged_lead_pays_nothing():
    env = ChangeOfWorth(SoloEnv("daramutu", seat=1, **OPTIONS), weight=0.5)
    env.reset(seed=1, options={"position": GAME.text(last_lift(round_number=2))})
    assert env.step(0)[1] == 0


def test_solo_env_pays_the_agent():
    env = ChangeOfWorth(SoloEnv("daramutu", seat=1, **OPTIONS), weight=0.5)
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    assert env.step(0)[1] == pytest.approx(GAIN)


@pytest.mark.parametrize("name", ["qelat", *slowly("ceelkoqyuqkoqiji")])
def test_payments_sum_to_zero_over_players_and_to_the_total_change_over_rounds(name):
    env = ChangeOfWorth(RawEnv(name, campaign=True, max_rounds=6), weight=0.5)
    env.reset(seed=3)
    begin = part(env.infos["player_0"])
    rng, total, payments = np.random.default_rng(3), np.zeros(2), 0
    while not env.terminations[agent := env.agent_selection]:
        env.step(rng.choice(np.flatnonzero(env.infos[agent]["action_mask"])))
        paid = np.array(list(env.rewards.values()))
        assert paid.sum() == pytest.approx(0)
        total += paid
        payments += paid.any()
    result = np.sign(total)
    change = part(env.infos["player_0"]) - begin
    assert total - result == pytest.approx(0.5 * change)
    assert payments > 2


def test_aec_returns_agree_with_solo_env():
    env = ChangeOfWorth(RawEnv("daramutu", **OPTIONS))
    env.reset(seed=1)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else first_legal(info))
    for seat, expected in enumerate(total.values()):
        solo = ChangeOfWorth(SoloEnv("daramutu", opponent=lambda _, mask: mask.argmax(), seat=seat, **OPTIONS))
        _, info = solo.reset(seed=1)
        earned, over = 0.0, False
        while not over:
            _, reward, over, _, info = solo.step(first_legal(info))
            earned += reward
        assert earned == pytest.approx(expected)


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
def test_vector_env_pays_like_solo_env(mode):
    options = {"campaign": True, "max_rounds": 3, "opponent": "greedy"}
    envs = ChangeOfWorth(MancalaVectorEnv("qelat", 3, autoreset_mode=mode, **options))
    single = [ChangeOfWorth(SoloEnv("qelat", **options)) for _ in range(3)]
    _, infos = envs.reset(seed=5)
    masks = infos["action_mask"]
    for i, env in enumerate(single):
        env.reset(seed=5 + i)
    waiting, ends, between = np.zeros(3, bool), 0, 0
    for _ in range(150):
        if mode == "Disabled" and waiting.any():
            _, infos = envs.reset(options={"reset_mask": waiting})
            masks = infos["action_mask"]
        actions = masks.argmax(axis=1)
        _, rewards, terminated, _, infos = envs.step(actions)
        masks = infos["action_mask"]
        for i, env in enumerate(single):
            if waiting[i]:
                env.reset()
            if waiting[i] and mode == "NextStep":
                assert rewards[i] == 0
                continue
            expected = env.step(actions[i])
            assert (rewards[i], terminated[i]) == (pytest.approx(expected[1]), expected[2])
            between += rewards[i] != 0 and not terminated[i]
            ends += terminated[i]
            if terminated[i] and mode == "SameStep":
                env.reset()
        waiting = terminated & (mode != "SameStep")
    assert ends > 3 and between > 3


def test_environments_without_worth_are_refused():
    with pytest.raises(TypeError, match="environments of the kinds AEC, Gymnasium, vector, got 'qelat'"):
        ChangeOfWorth("qelat")
    with pytest.raises(KeyError, match="worth"):
        ChangeOfWorth(gym.make("mancala_envs/Qelat-v0")).reset()


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_in_mid_campaign_behave_equally(duplicate):
    kinds = [
        SoloEnv("daramutu", **OPTIONS),
        MancalaVectorEnv("daramutu", 2, **OPTIONS),
    ]
    for kind in kinds:
        env = ChangeOfWorth(kind)
        _, info = env.reset(seed=2)
        for _ in range(6):
            *_, info = env.step(first_legal(info))
        other = duplicate(env)
        their_info = info
        for _ in range(60):
            _, ours, over, _, info = env.step(first_legal(info))
            _, theirs, _, _, their_info = other.step(first_legal(their_info))
            assert np.array_equal(ours, theirs)
            if np.any(over):
                break


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_aec_campaigns_behave_equally(duplicate):
    env = ChangeOfWorth(daramutu_v0.env(**OPTIONS))
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    other = duplicate(env)
    env.step(0)
    other.step(0)
    assert other.rewards == env.rewards == pytest.approx({"player_0": -GAIN, "player_1": GAIN})


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wrapped_campaigns_pass_the_suites():
    api_test(ChangeOfWorth(Campaign(qelat_v0.env(), max_rounds=2)), num_cycles=100)
    seed_test(lambda: ChangeOfWorth(Campaign(qelat_v0.env(), max_rounds=2)))
    check_env(ChangeOfWorth(gym.make("mancala_envs/QelatCampaign-v0")), skip_render_check=True)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "stack",
    [
        lambda env: ChangeOfWorth(IllegalMoves(env)),
        lambda env: StackObservations(ChangeOfWorth(MaskInInfo(env)), 2),
        lambda env: ChangeOfWorth(TimeLimit(env, 5)),
    ],
)
def test_combinations_of_wrappers_pass_the_suite(stack):
    api_test(stack(Campaign(RawEnv("qelat"), max_rounds=2)), num_cycles=100)


def test_a_truncated_round_is_not_paid():
    env = ChangeOfWorth(TimeLimit(daramutu_v0.raw_env(**OPTIONS), 1))
    env.reset(seed=1)
    env.step(first_legal(env.infos[env.agent_selection]))
    assert all(env.truncations.values()) and set(env.rewards.values()) == {0.0}


def test_the_penalty_for_an_illegal_action_is_unchanged():
    env = ChangeOfWorth(IllegalMoves(daramutu_v0.raw_env(**OPTIONS)))
    env.reset(seed=1)
    env.step(18)
    assert env.rewards == {"player_0": -1, "player_1": 1}


def test_single_agent_is_paid_too():
    env = SingleAgent(ChangeOfWorth(daramutu_v0.raw_env(**OPTIONS)), seat=1)
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    assert env.step(0)[1] == pytest.approx(GAIN)


def test_a_wrapped_environment_is_made_again_from_its_spec():
    env = ChangeOfWorth(gym.make("mancala_envs/QelatCampaign-v0"), weight=0.25)
    assert gym.make(env.spec).weight == 0.25
