"""`ChangeOfWorth`: rewards for the change of worth in a round, in every kind of environment."""

from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from helpers import olinda_positions
from helpers.forms import slowly
from helpers.players import episode, first_legal, traced

from mancala_envs import daramutu_v0, make_game
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.wrappers import Campaign, ChangeOfWorth, IllegalMoves, SingleAgent, TimeLimit

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


def solo():
    return ChangeOfWorth(SoloEnv("daramutu", seat=1, **OPTIONS))


def single():
    return SingleAgent(ChangeOfWorth(daramutu_v0.raw_env(**OPTIONS)), seat=1)


@pytest.mark.parametrize("make", [solo, single])
@pytest.mark.parametrize(("fields", "reward"), [({}, GAIN), ({"round_number": 2}, 0)], ids=["lead", "unchanged lead"])
def test_the_agent_is_paid_for_a_changed_lead(make, fields, reward):
    env = make()
    env.reset(seed=1, options={"position": last_lift(**fields)})
    assert env.step(0)[1] == pytest.approx(reward)


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
    _, totals = traced(env, first_legal)
    for seat, expected in enumerate(totals.values()):
        solo = ChangeOfWorth(SoloEnv("daramutu", opponent=lambda _, mask: mask.argmax(), seat=seat, **OPTIONS))
        assert sum(reward for _, reward, *_ in episode(solo, seed=1)) == pytest.approx(expected)


def test_environments_without_worth_are_refused():
    with pytest.raises(TypeError, match="environments of the kinds AEC, Gymnasium, vector, got 'qelat'"):
        ChangeOfWorth("qelat")
    with pytest.raises(KeyError, match="worth"):
        ChangeOfWorth(gym.make("mancala_envs/Qelat-v0")).reset()


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


def test_a_wrapped_environment_is_made_again_from_its_spec():
    env = ChangeOfWorth(Campaign(gym.make("mancala_envs/Qelat-v0"), max_rounds=3), weight=0.25)
    again = gym.make(env.spec)
    assert again.weight == 0.25 and again.unwrapped.game.options["max_rounds"] == 3
