"""Rewards during an episode: the option `round_reward` of campaigns, in every kind of environment."""

from functools import partial

import numpy as np
import pytest
from helpers import olinda_positions
from helpers.players import episode, first_legal, traced

from mancala_envs import make_game
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv

OPTIONS = {"campaign": True, "round_reward": 0.5, "max_rounds": 4}
GAME = make_game("daramutu", **OPTIONS)
last_lift = partial(olinda_positions.last_lift, GAME)
LEAD = 0.5 * 12 / 56
"""Reward of the winner of a round by 34 to 22."""


def returns_of_first_legal_play():
    """Rewards of a campaign in which both players always play the first legal action, by the rules."""
    states, total = GAME.init(1), np.zeros(2)
    while not states[0].ended:
        total += GAME.step(states, GAME.legal(states).argmax(axis=1))[0]
    return total


def test_step_pays_when_a_round_is_over():
    states = last_lift()
    assert GAME.step(states, [0])[0].tolist() == pytest.approx([-LEAD, LEAD])
    assert (states[0].round_number, states[0].ended) == (2, 0)
    assert GAME.step(states, [17])[0].tolist() == [0, 0]


def test_the_last_round_pays_in_addition_to_the_end():
    states = last_lift(round_number=4)
    assert GAME.step(states, [0])[0].tolist() == pytest.approx([-1 - LEAD, 1 + LEAD])
    assert states[0].ended == 1


def test_equal_rounds_pay_nothing():
    states = last_lift(28, 28)
    assert GAME.step(states, [0])[0].tolist() == [0, 0]
    assert states[0].round_number == 2


def test_without_round_reward_only_the_end_pays():
    game = make_game("daramutu", campaign=True)
    states = olinda_positions.last_lift(game)
    assert game.step(states, [0])[0].tolist() == [0, 0]


def test_rewards_with_autoreset():
    states = GAME.init(64, seed=1)
    total = np.zeros(2)
    for step in range(400):
        rewards = GAME.step(states, GAME.sample(states, step), autoreset=True)
        assert rewards.sum(axis=1) == pytest.approx(np.zeros(64), abs=1e-6)
        total += np.abs(rewards).sum(axis=0)
    assert (total > 0).all()


def test_aec_pays_and_accumulates():
    env = RawEnv("daramutu", **OPTIONS)
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    env.step(0)
    assert env.rewards == pytest.approx({"player_0": -LEAD, "player_1": LEAD})
    assert env.agent_selection == "player_0"
    assert env.last()[1] == pytest.approx(-LEAD)
    env.step(17)
    # Rewards are paid once; player_1 has not acted since, so its reward is still accumulated.
    assert env.rewards == {"player_0": 0, "player_1": 0}
    env.step(first_legal(env.infos[env.agent_selection]))
    assert env.agent_selection == "player_1"
    assert env.last()[1] == pytest.approx(LEAD)


def test_aec_returns_agree_with_the_rules():
    env = RawEnv("daramutu", **OPTIONS)
    env.reset(seed=1)
    _, totals = traced(env, first_legal)
    assert list(totals.values()) == pytest.approx(returns_of_first_legal_play().tolist())


@pytest.mark.parametrize("seat", [0, 1])
def test_solo_returns_agree_with_the_rules(seat):
    # The opponent is a Python callable, called between kernel calls.
    env = SoloEnv("daramutu", opponent=lambda _, mask: mask.argmax(), seat=seat, **OPTIONS)
    total = sum(reward for _, reward, *_ in episode(env, seed=1))
    assert total == pytest.approx(returns_of_first_legal_play()[seat])


@pytest.mark.parametrize("seat", [0, 1])
def test_rewards_during_compiled_opponents_replies_are_paid(seat):
    env = SoloEnv("daramutu", opponent="random", seat=seat, **OPTIONS)
    paid = expected = 0.0
    for seed in range(5):
        before = 1
        for _, reward, over, _, _ in episode(env, seed=seed):
            state = env.record[0]
            rounds = state["round_number"] - before + over
            assert rounds <= 1
            lead = int(state["seeds_owned"][seat]) - int(state["seeds_owned"][1 - seat])
            expected += rounds * 0.5 * lead / 56 + over * np.sign(lead)
            paid += reward
            before = state["round_number"]
    assert paid == pytest.approx(expected)


@pytest.mark.parametrize("opponent", ["random", lambda _, mask: 0])
def test_a_round_before_the_agents_first_decision_is_paid_with_its_first_step(opponent):
    env = SoloEnv("daramutu", opponent=opponent, seat=0, **OPTIONS)
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    assert env.record[0]["phase"] == 2
    assert env.step(17)[1] == pytest.approx(-LEAD)
    # It is paid once, and not carried into a new episode.
    assert env.step(env.action_masks().argmax())[1] == 0
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    env.reset(seed=1)
    assert env.step(env.action_masks().argmax())[1] == 0


def test_the_penalty_for_an_illegal_action_is_added_to_earlier_rewards():
    env = SoloEnv("daramutu", seat=0, **OPTIONS)
    env.reset(seed=1, options={"position": GAME.text(last_lift())})
    assert env.step(0)[1] == pytest.approx(-LEAD - 1)
