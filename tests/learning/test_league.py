"""The league: reported opponents, win rates and the next opponents."""

import pytest
from helpers.players import first_legal

from mancala_envs.agents import Mixture
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.evaluation import League

# Reported opponents.


def test_solo_env_reports_the_sampled_opponent():
    calls = []

    def policy(_, mask):
        calls.append(True)
        return mask.argmax()

    env = SoloEnv("kalah", opponent=Mixture(("random", policy), numbers=(7, 9)), seat=0)
    met = []
    for seed in range(30):
        _, info = env.reset(seed=seed)
        calls.clear()
        met.append(int(info["opponent"][0]))
        over = False
        while not over:
            _, _, over, _, info = env.step(first_legal(info))
            assert info["opponent"].tolist() == [met[-1]]
        assert bool(calls) == (met[-1] == 9)
    assert set(met) == {7, 9}


def test_the_opponent_in_every_other_seat_is_reported():
    envs = MancalaVectorEnv(
        "dongjintian", 200, opponent=["greedy", "random", Mixture(("random", "greedy"), (1, 3), (5, 6))]
    )
    opponents = envs.reset(seed=1)[1]["opponent"]
    assert opponents.shape == (200, 3)
    assert (opponents[:, :2] == 0).all()
    assert (opponents[:, 2] == 6).mean() == pytest.approx(0.75, abs=0.1)
    assert set(opponents[:, 2]) == {5, 6}


def test_episodes_keep_their_number_when_the_mixture_changes():
    env = SoloEnv("kalah", opponent=Mixture(("random",), numbers=(3,)), seat=0)
    _, info = env.reset(seed=1)
    env.set_opponent(Mixture(("greedy",), numbers=(4,)))
    *_, info = env.step(first_legal(info))
    assert info["opponent"].tolist() == [3]
    assert env.reset()[1]["opponent"].tolist() == [4]


def test_a_mixture_needs_a_number_for_each_opponent():
    with pytest.raises(ValueError, match="numbers must be 2, one for each opponent"):
        Mixture(("random", "greedy"), numbers=(1,))


# Win rates.


def test_win_rates_start_at_one_half_and_follow_the_results():
    league = League()
    assert league.win_rates.tolist() == [0.5, 0.5]
    league.record([0, 1, 1, 0, 0], [1.0, -1.0, 0.0, 1.0, 0.25])
    # One won and one lost game are added: 4 of 5, and 1.5 of 4.
    assert league.win_rates == pytest.approx([(1 + 3) / (2 + 3), (1 + 0.5) / (2 + 2)], abs=0.02)


def test_forgetting_by_hand():
    league = League(("random",), memory=2)
    league.record([0, 0], [1, -1])
    # After the second game, half of the first win and half of the first game are forgotten.
    assert league.win_rates.tolist() == [(1 + 0.5) / (2 + 1.5)]


def test_a_result_against_several_counts_for_each_once():
    league = League()
    league.record([[0, 1, 1]], [1.0])
    assert league.win_rates.tolist() == [2 / 3, 2 / 3]


# The next opponents.


def test_difficult_opponents_have_more_weight():
    league = League(("random", "greedy"), power=2.0)
    league.record([0, 0, 1], [1, 1, -1])
    hard = (1 - league.win_rates) ** 2
    mixture = league.mixture()
    assert mixture.opponents == ("random", "greedy") and mixture.numbers == (0, 1)
    assert mixture.weights == pytest.approx(hard / hard.sum())
    assert League(("random", "greedy"), power=0).mixture().weights == (0.5, 0.5)


def test_snapshots_divide_their_share_by_difficulty():
    league = League(("random",), share=0.4)
    assert [league.add("greedy"), league.add("random")] == [1, 2]
    league.record([1, 2, 2], [-1, 1, -1])
    rates = league.win_rates
    mixture = league.mixture()
    assert mixture.weights[0] == pytest.approx(0.6)
    assert sum(mixture.weights[1:]) == pytest.approx(0.4)
    assert mixture.weights[1] / mixture.weights[2] == pytest.approx((1 - rates[1]) / (1 - rates[2]))


def test_only_the_most_difficult_snapshots_are_kept_and_the_newest_of_equals():
    league = League(("random",), keep=2)
    for _ in range(4):
        league.add("greedy")
    assert league.mixture().numbers == (0, 3, 4)
    league.record([1, 4], [-1, 1])
    assert league.mixture().numbers == (0, 1, 3)


def test_a_league_of_snapshots_only():
    league = League(())
    with pytest.raises(ValueError, match="at least one opponent"):
        league.mixture()
    league.add("greedy")
    assert league.mixture() == Mixture(("greedy",), (1.0,), (0,))


def test_a_league_in_play():
    league = League()
    envs = MancalaVectorEnv("kalah", 64, opponent=league.mixture(), autoreset_mode="SameStep")
    _, infos = envs.reset(seed=1)
    for _ in range(150):
        _, rewards, over, _, infos = envs.step(first_legal(infos))
        if over.any():
            league.record(infos["final_info"]["opponent"][over], rewards[over])
    # The policy that plays the first legal action beats random more often than greedy.
    assert league.win_rates[0] > league.win_rates[1] + 0.2
    assert league.mixture().weights[1] > 0.55


@pytest.mark.parametrize("wrong", [{"power": -1}, {"share": 1.0}, {"share": 0}, {"keep": 0}, {"memory": 0}])
def test_wrong_arguments_are_refused(wrong):
    (name, value), *_ = wrong.items()
    with pytest.raises(ValueError, match=f"{name}={value}"):
        League(**wrong)
