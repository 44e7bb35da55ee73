"""Campaigns as episodes: ids, the wrapper, infos, round rewards and start positions."""

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import FlattenObservation, RescaleObservation, TimeLimit
from helpers.players import episode, legal_at_random, traced
from pettingzoo.classic import connect_four_v3

import mancala_envs
from mancala_envs import ceelkoqyuqkoqiji_v0, kalah_v0, make_game, puhulmutu_v0, qelat_v0
from mancala_envs.compliance.suites import vector_parity
from mancala_envs.envs.aec import RawEnv
from mancala_envs.envs.solo import SoloEnv
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.wrappers import Campaign

TIED = [entry for entry in mancala_envs.REGISTRY.values() if entry.has_campaign]
each_campaign = pytest.mark.parametrize("entry", TIED, ids=[entry.name for entry in TIED])

DEBTOR = {
    "sold_to": [1, 1, *[-1] * 8],
    "holes": [0, 0, *[5] * 8],
    "store": [0, 10],
    "debt": [[0, 4], [0, 0]],
    "to_move": 0,
    "round_number": 2,
}
"""Ceelkoqyuqkoqiji: player 0 has sold two holes to player 1 and owes player 1 four stones."""
NINE_SEEDS = {"seeds_owned": [9, 47], "to_move": 0, "phase": 1, "round_number": 2}
"""Puhulmutu: player 0 has nine seeds left to set out, so some of their holes will be blind."""


def random_totals(env):
    """Play random actions; return the total rewards."""
    return traced(env, legal_at_random(np.random.default_rng(0)))[1]


# Ids.


def test_games_with_a_campaign_have_an_id_for_it():
    names = ["Qelat", "MagazebII", "Puhulmutu", "WalakPussa", "KotuBaendum", "Daramutu", "Congkak", "Pallanguzhi"]
    names.append("Ceelkoqyuqkoqiji")
    assert [entry.campaign_id for entry in TIED] == [f"mancala_envs/{name}Campaign-v0" for name in names]
    assert "mancala_envs/KalahCampaign-v0" not in gym.registry


@each_campaign
def test_the_id_makes_every_kind_of_environment(entry):
    env = gym.make(entry.campaign_id, max_rounds=2)
    envs = gym.make_vec(entry.campaign_id, num_envs=2, max_rounds=2)
    for made in (env, envs):
        assert made.unwrapped.game.header == f"{entry.name}(max_rounds=2,campaign=True)"
    if hasattr(pettingzoo, "make"):
        aec = pettingzoo.make("aec", entry.campaign_id, max_rounds=2)
        assert aec.unwrapped.game.campaign


# The wrapper.


@each_campaign
def test_the_wrapper_gives_the_campaign_of_the_game(entry):
    wrapped = Campaign(getattr(mancala_envs, entry.module).env(), max_rounds=2, round_reward=0.5)
    raw = RawEnv(entry.name, campaign=True, max_rounds=2, round_reward=0.5)
    results = []
    for env in (wrapped, raw):
        env.reset(seed=3)
        results.append(random_totals(env))
        assert env.unwrapped.game.campaign
    assert results[0] == results[1]
    assert sum(results[0].values()) == pytest.approx(0)


class WrappedAgainstMade:
    """Vector environments in the wrapper, and single ones made as campaigns, for `vector_parity`."""

    def vector(self, num_envs, **arguments):
        return Campaign(MancalaVectorEnv("qelat", num_envs, **arguments), max_rounds=2)

    def solo(self, disable_env_checker, **arguments):
        return SoloEnv("qelat", campaign=True, max_rounds=2, **arguments)


def test_vector_environments_are_wrapped_too():
    vector_parity(WrappedAgainstMade(), AutoresetMode.NEXT_STEP, opponent="greedy")


def test_options_of_the_wrapped_environment_are_kept():
    env = Campaign(gym.make("mancala_envs/QelatCampaign-v0", round_reward=0.25, columns=4), first="loser")
    options = env.unwrapped.game.options
    assert (options["round_reward"], options["columns"], options["first"]) == (0.25, 4, "loser")


def test_errors_say_why_there_is_no_campaign():
    with pytest.raises(ValueError, match="kalah has no campaign"):
        Campaign(kalah_v0.env())
    with pytest.raises(ValueError, match="kalah has no campaign"):
        Campaign(gym.make("mancala_envs/Kalah-v0"))
    with pytest.raises(TypeError, match="environments of mancala_envs"):
        Campaign(connect_four_v3.env())
    with pytest.raises(TypeError, match="Campaign takes environments of the kinds AEC, Gymnasium, vector, got 'qelat'"):
        Campaign("qelat")
    with pytest.raises(TypeError, match=r"no option 'rounds' \(did you mean 'max_rounds'\?\); it has"):
        Campaign(qelat_v0.env(), rounds=3)
    with pytest.raises(ValueError, match="max_rounds=0 is not allowed"):
        Campaign(qelat_v0.env(), max_rounds=0)


@pytest.mark.parametrize("reshape", [FlattenObservation, lambda env: RescaleObservation(env, 0, 1)])
def test_wrappers_that_change_spaces_must_be_outside(reshape):
    with pytest.raises(ValueError, match="apply Campaign inside the wrappers that change observations"):
        Campaign(reshape(gym.make("mancala_envs/Qelat-v0")))
    reshape(Campaign(gym.make("mancala_envs/Qelat-v0"))).reset(seed=1)


# Infos.


@each_campaign
def test_infos_have_the_standing_of_all_players(entry):
    env = Campaign(getattr(mancala_envs, entry.module).env(), max_rounds=3)
    env.reset(seed=5)
    width = env.unwrapped.game.options["columns"]
    for info in env.unwrapped.infos.values():
        assert info["round_number"] == 1
        assert info["owned"].tolist() == [width, width]
        assert info["worth"][0] == info["worth"][1]
    everything = info["worth"].sum()
    random_totals(env)
    for info in env.unwrapped.infos.values():
        assert 1 <= info["round_number"] <= 3
        assert info["worth"].sum() == everything


def test_single_rounds_have_no_standing():
    assert set(gym.make("mancala_envs/Qelat-v0").reset(seed=1)[1]) == {"action_mask", "seat", "opponent"}
    with pytest.raises(ValueError, match="is not a campaign: make it with campaign=True"):
        game = make_game("qelat")
        game.standing(game.init(1))
    with pytest.raises(ValueError, match="kalah has no campaign"):
        game = make_game("kalah")
        game.standing(game.init(1))


def test_standing_of_a_debtor():
    game = make_game("ceelkoqyuqkoqiji", campaign=True)
    standing = game.standing(game.load(**DEBTOR))
    assert standing["owned"].tolist() == [[3, 7]]
    assert standing["debt"].tolist() == [[[0, 4], [0, 0]]]
    # Player 0: 15 stones in the row, 3 holes at 5, owes 4. Player 1: 25 + 10 stones, 7 holes, is owed 4.
    assert standing["worth"].tolist() == [[15 + 15 - 4, 35 + 35 + 4]]


@pytest.mark.parametrize(
    ("large", "counts"),
    # The mu's store is player 0's and the gong's player 1's.
    [([-3, -1], -7), ([-1, -2], 6), ([-3, -2], -1), ([-2, -3], 0), ([3, -1], 0)],
)
def test_a_won_goat_counts_for_the_player_who_must_be_paid_for_it(large, counts):
    game = make_game("ceelkoqyuqkoqiji", campaign=True)
    at_home = game.standing(game.load())["worth"]
    won = game.standing(game.load(large=large))["worth"]
    assert (won - at_home).tolist() == [[counts, -counts]]


# Round rewards.


@each_campaign
def test_every_round_pays_the_lead_in_worth(entry):
    game = make_game(entry.name, campaign=True, round_reward=0.5, max_rounds=3)
    states, paid = game.init(16, seed=6), 0
    everything = game.standing(states)["worth"][0].sum()
    while (live := states.to_move >= 0).any():
        before = states.round_number.copy()
        rewards = game.step(states, game.sample(states, paid))
        over = live & (states.ended > 0)
        paying = over | (states.round_number != before)
        worth = game.standing(states)["worth"]
        lead = 0.5 * (worth[:, 0] - worth[:, 1]) / everything
        result = np.select([states.winner == 0, states.winner == 1], [1, -1])
        assert rewards[:, 0] == pytest.approx(paying * lead + over * result, abs=1e-6)
        paid += paying.sum()
    assert paid > 16


# Start positions.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "position", "owned"), [(ceelkoqyuqkoqiji_v0, DEBTOR, [3, 7]), (puhulmutu_v0, NINE_SEEDS, [7, 7])]
)
def test_an_episode_can_start_late_in_a_campaign(module, position, owned):
    env = Campaign(module.env(), max_rounds=3)
    env.reset(seed=1, options={"position": position})
    info = env.infos[env.agent_selection]
    assert info["round_number"] == 2 and info["owned"].tolist() == owned
    assert env.agent_selection == "player_0"
    assert sum(random_totals(env).values()) == 0


def test_unspecified_fields_are_the_same_at_every_reset():
    env = Campaign(ceelkoqyuqkoqiji_v0.env())
    for seed in range(8):
        env.reset(seed=seed, options={"position": {"round_number": 2}})
        assert env.agent_selection == "player_1"


def test_solo_and_vector_episodes_can_start_late_in_a_campaign():
    env = gym.make("mancala_envs/PuhulmutuCampaign-v0", seat=0)
    envs = gym.make_vec("mancala_envs/PuhulmutuCampaign-v0", num_envs=3, seat=0)
    for made in (env, envs):
        _, info = made.reset(seed=1, options={"position": NINE_SEEDS})
        assert np.all(info["worth"] == [9, 47])
    with pytest.raises(TypeError, match="no field 'seed_owned'; it has"):
        env.reset(options={"position": {"seed_owned": [9, 47]}})
    with pytest.raises(ValueError, match="phase 1"):
        env.reset(options={"position": {**NINE_SEEDS, "seeds_owned": [47, 9]}})


# Ends.


def test_max_rounds_ends_with_a_result_and_a_time_limit_truncates():
    env = Campaign(gym.make("mancala_envs/Qelat-v0"), max_rounds=2)
    limited = TimeLimit(Campaign(gym.make("mancala_envs/Qelat-v0"), 50), 5)
    ends = []
    for made in (env, limited):
        *_, (_, _, terminated, truncated, _) = episode(made, seed=1)
        ends.append((terminated, truncated))
    assert ends == [(True, False), (False, True)]
