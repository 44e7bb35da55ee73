"""Matches by the clock: openings, numbers of games, and which network becomes the expert."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.networks import random_network

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.agents.network import expert_for
from mancala_envs.learning import timed_matches

KALAH = make_game("kalah")


@pytest.mark.parametrize(
    ("decisions", "milliseconds", "pairs"), [(10, 1, 400), (200, 1, 300), (200, 5, 60), (10_000, 1, 20)]
)
def test_long_games_have_matches_of_fewer_pairs(decisions, milliseconds, pairs, monkeypatch):
    monkeypatch.setattr(timed_matches, "length_of", lambda *arguments: decisions)
    assert timed_matches.affordable(KALAH, 400, milliseconds, 0) == pairs


def test_the_length_of_a_game_is_that_of_greedy_play():
    game = make_game("kalah", max_turns=10)
    assert 3 < timed_matches.length_of(game, 0) <= 10


def test_trial_games_are_played_to_their_ends():
    states, chance = KALAH.init(50, 1, opening=6), np.random.default_rng(0)
    rewards, decisions = timed_matches.play_trials(KALAH, states, chance)
    seeds = states["store"] + states["holes"].reshape(-1, 2, 6).sum(axis=2)  # the rest belongs to its row
    leads = seeds[:, 0].astype(int) - seeds[:, 1].astype(int)
    assert (states["to_move"] < 0).all() and decisions > 50 * 5
    assert (rewards == np.stack([np.sign(leads), -np.sign(leads)], axis=1)).all() and set(rewards[:, 0]) >= {-1, 1}


def test_openings_are_balanced_if_neither_side_wins_nearly_all_trial_games(monkeypatch):
    def play_trials(game, states, chance):
        """Let South win as many of the trial games as its first hole has seeds."""
        seeds, trial = states["holes"][:, 0], np.arange(len(states)) % timed_matches.TRIALS
        won = np.where(trial < seeds, 1, -1)
        return np.stack([won, -won], axis=1), 0

    monkeypatch.setattr(timed_matches, "play_trials", play_trials)
    states = timed_matches.balanced(KALAH, 300, 2, np.random.default_rng(0))
    assert len(states) == 300 and set(states["holes"][:, 0]) == set(range(2, 7))
    assert states["turn"].min() < 5 and states["turn"].max() > 20


def test_matches_of_games_that_are_lost_from_the_start_have_balanced_openings(monkeypatch):
    monkeypatch.setattr(timed_matches, "balanced", lambda game, n, *_: game.init(n, 0))
    monkeypatch.setattr(timed_matches, "LOST", {"kalah"})
    seen = []

    def agent(states, seed):
        seen.append(states.copy())
        return KALAH.sample(states, seed)

    timed_matches.match(KALAH, [agent, agent], 3, 0, random_network(KALAH))
    assert (seen[0]["holes"] == 4).all()


@pytest.mark.parametrize("stronger", ["minimax", "mcts"])
def test_an_expert_that_loses_to_a_search_becomes_the_stronger_search(stronger, monkeypatch):
    measured = []

    def measure(game, network, *_):
        measured.append(network)
        return {"minimax": {"points": 0.6}, "mcts": {"points": 0.5 if network.scale == 1.0 else 0.49}}

    def points(game, agents, pairs, seed, judge):
        networks = [agent.agent._options["network"] for agent in agents]
        assert [agent.agent._kind for agent in agents] == ["mcts", "minimax"] and networks == [None, None]
        return np.full(pairs, 0.6 if stronger == "mcts" else 0.4)

    monkeypatch.setattr(timed_matches, "measure", measure)
    monkeypatch.setattr(timed_matches, "match", points)
    even, worse = (replace(random_network(KALAH), scale=scale) for scale in (1.0, 2.0))
    assert timed_matches.measured_network(KALAH, even, 1, 4, 0) == (even, measure(KALAH, even))
    kept, _ = timed_matches.measured_network(KALAH, worse, 1, 4, 0)
    assert not kept.has_weights and kept.search == stronger and kept is measured[-1]


def test_networks_and_searches_are_chosen_by_halving(monkeypatch):
    matches = []

    def points(game, agents, pairs, seed, judge):
        first, plain = (agent.agent._options["network"] for agent in agents)
        if first is None:
            return np.full(pairs, 0.6)  # mcts is the stronger of the plain searches.
        assert plain is None and agents[1].agent._kind == "mcts"
        matches.append((first.training["recipe"], first.search, pairs))
        strength = {(0, "minimax"): 0.3, (1, "mcts"): 0.9, (2, "minimax"): 0.7, (2, "mcts"): 0.6}
        return np.full(pairs, strength.get((first.training["recipe"], first.search), 0.1))

    monkeypatch.setattr(timed_matches, "match", points)
    networks = [replace(random_network(KALAH), training={"recipe": recipe}) for recipe in range(4)]
    best = timed_matches.best_network(KALAH, networks, 3, 4, 0)
    assert (best.training["recipe"], best.search) == (1, "mcts")
    assert len(matches) == 8 + 4 + 2 and matches[-2:] == [(1, "mcts", 16), (2, "minimax", 16)]


def test_luck_is_removed_from_points_but_not_from_their_mean():
    chance = np.random.default_rng(0)
    luck = chance.normal(0, 1, 4000)
    points = 0.6 + 0.2 * luck + chance.normal(0, 0.05, 4000)
    left = timed_matches.without_luck(points, luck)
    assert left.std() == pytest.approx(0.05, rel=0.05) and left.mean() == pytest.approx(0.6, abs=0.003)
    np.testing.assert_array_equal(timed_matches.without_luck(points, np.zeros(4000)), points)


def test_both_games_of_a_pair_begin_with_the_same_generator_and_luck_explains_much_of_the_result(monkeypatch):
    race, seen, raw = make_game("pancha_keliya"), [[], []], []
    monkeypatch.setattr(race, "copies", lambda states, *arguments: states.copy())  # Agents see `chance` as it is.

    def recorded(name, own):
        agent = Agent(race, name)

        def act(states, seed):
            own.append(states["chance"].copy())
            return agent.act(states, seed)

        return act

    monkeypatch.setattr(timed_matches, "without_luck", lambda points, luck: raw.append((points, luck)))
    agents = [recorded(name, own) for name, own in zip(("greedy", "random"), seen, strict=True)]
    timed_matches.match(race, agents, 300, 0, expert_for(race))
    _, counts = np.unique(np.concatenate([own[0] for own in seen]), return_counts=True)
    assert counts.tolist() == [2] * 300
    ((points, luck),) = raw
    assert np.corrcoef(points, luck)[0, 1] > 0.4 and abs(luck.mean()) < 3 * luck.std() / 300**0.5
