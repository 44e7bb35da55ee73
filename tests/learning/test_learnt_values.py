"""Values learnt by temporal differences in compiled self-play, alone and beside MaskablePPO."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.agents import Agent, load_network
from mancala_envs.agents.judges import LookAhead
from mancala_envs.agents.network import evaluate, expert_for
from mancala_envs.evaluation.matches import leads
from mancala_envs.learning import values
from mancala_envs.learning.fit import best_scale
from mancala_envs.learning.settings import Settings
from mancala_envs.programs.files import RunError

KALAH = make_game("kalah")


def learnt(game, fits, first=None):
    """Return the network after a number of fits."""
    return next(itertools.islice(values.learn_values(game, ["greedy"], 0, lambda: 0.0, first), fits - 1, None))


def test_targets_are_means_of_later_values_and_the_result():
    # One game of two decisions, which player 0 wins; then the first decision of another.
    found = np.array([[[0.2, -0.2]], [[0.6, -0.6]], [[0.1, -0.1]]])
    rewards = np.array([[[0.0, 0.0]], [[1.0, -1.0]], [[0.0, 0.0]]])
    targets = values.targets_of(found, rewards, np.array([[False], [True], [False]]))
    last = 0.6 + values.LAMBDA * (1 - 0.6)
    np.testing.assert_allclose(targets[:, 0, 0], [0.2 + values.LAMBDA * (last - 0.2), last])
    np.testing.assert_allclose(targets[..., 0], -targets[..., 1])


def test_a_campaign_ends_early_only_after_a_round_and_for_the_player_who_leads(monkeypatch):
    monkeypatch.setattr(values, "LAST_ROUNDS", 1.0)
    game = make_game("qelat", campaign=True, columns=4)
    games = values.Games(game, 64, [], np.random.default_rng(0))
    states, ended = games._states, 0
    for decision in range(60):
        rounds = states["round_number"].copy()
        rewards = game.step(states, game.sample(states, decision))
        over = before = states["to_move"] < 0
        over, shown = over.copy(), states.copy()
        games._end_campaigns(rounds, rewards, over)
        early = over & ~before
        np.testing.assert_array_equal(early, (shown["round_number"] != rounds) & ~before)
        np.testing.assert_array_equal(rewards[early], np.sign(evaluate(game, shown[early])))
        ended += early.sum()
        games._begin(np.flatnonzero(over))
    assert ended > 10


@pytest.mark.parametrize("name", ["kalah", "sokkattan", "zigulzoqge"])
def test_self_play_judges_positions_by_the_results_of_all_players(name):
    """Games with chance and games for more players have targets of their own order, from the player to move on."""
    game = make_game(name)
    network = learnt(game, 1)
    games = values.Games(game, 32, [], np.random.default_rng(0))
    positions = games.play(network, 16)
    outputs = 1 if game.num_players == 2 else game.num_players
    assert len(positions) == 32 * 16 and positions.targets.shape == positions.evaluations.shape == (512, outputs)
    assert positions.targets.min() >= 0 and positions.targets.max() <= 1 and positions.targets.std() > 0.01
    if outputs > 1:
        np.testing.assert_allclose(positions.evaluations.sum(1), 0, atol=game.num_players)


def test_luck_is_left_out_of_what_races_learn(monkeypatch):
    seen, targets_of = [], values.targets_of
    monkeypatch.setattr(values, "targets_of", lambda *arguments: seen.append(arguments) or targets_of(*arguments))
    race = make_game("pancha_keliya")
    values.Games(race, 256, [], np.random.default_rng(0)).play(expert_for(race), 40)
    ((_, rewards, over),) = seen
    luck = -rewards[~over][:, 0]  # No rewards are paid before the end of a game.
    assert 0.05 < luck.std() < 0.5 and abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    # The last move of a race is certain, so the whole reward counts.
    np.testing.assert_allclose(abs(rewards[over]), 1)


def test_the_scale_is_that_with_which_results_fit_the_static_evaluation_of_greedys_games():
    small, large = (
        best_scale(values.games_of_greedy(make_game(name), np.random.default_rng(0)))
        for name in ("kalah", "saturankam")
    )
    assert 16 < small < 100 and 4000 < large < 40000


def test_the_network_learns_to_beat_greedy_and_can_be_trained_further():
    network = learnt(KALAH, 3)
    trained = network.training["positions"]
    assert trained == values.GAMES * (32 + 64 + 128)
    opening = KALAH.init(100, 0, opening=6)
    agents = [Agent(KALAH, "minimax:1", network=network).act, Agent(KALAH, "greedy").act]
    found = leads(KALAH, np.tile(opening, 2), np.repeat([0, 1], 100), agents, np.random.default_rng(0))
    assert (np.sign(found).mean() + 1) / 2 > 0.6
    further = learnt(KALAH, 1, network)
    assert further.training["positions"] == trained + values.GAMES * 32
    before, after = (evaluate(KALAH, opening, one)[:, 0] for one in (network, further))
    assert np.corrcoef(before, after)[0, 1] > 0.95


def test_networks_of_large_games_have_fewer_hidden_units():
    for name, expected in (("kalah", 64), ("kawade_kelia", 64), ("sokkattan", 32)):
        assert values.hidden_units(make_game(name), None) == expected


def test_pairs_of_holes_join_a_network_that_is_trained_further():
    without = next(values.learn_values(KALAH, ["greedy"], 0, lambda: 0.0, pairs=False))
    assert without.pairs is None
    further = learnt(KALAH, 1, without)
    rows = len(further.pairs) * further.pairs.number**2
    assert len(further.tables) == len(without.tables) + rows and further.tables[-rows:].any()
    opening = KALAH.init(100, 0, opening=6)
    before, after = (evaluate(KALAH, opening, one)[:, 0] for one in (without, further))
    assert np.corrcoef(before, after)[0, 1] > 0.7


def test_weights_taken_from_a_network_are_its_weights():
    network = learnt(KALAH, 1)
    (ends, highest), columns = values.rows_of(KALAH, network.pairs), len(KALAH.observation_fields)
    inputs, chance = np.arange(len(highest)), np.random.default_rng(1)
    taken = values.Model(ends, highest, inputs, 1, 1.0, 0.0, chance, values.HIDDEN, columns)
    taken.take(network.scale, network.tables, network.bias, network.output, network.output_bias)
    states = KALAH.init(200, 0, opening=8)
    copy = replace(network, scale=taken.scale, **taken.quantised())
    before, after = evaluate(KALAH, states, network), evaluate(KALAH, states, copy)
    assert before.std() > 10 and abs(before - after).max() <= 2


def test_a_process_learns_until_it_is_finished(tmp_path):
    path = tmp_path / "values.network"
    beside = values.Beside({"game": "kalah"}, ["greedy"], 0, 600.0, path)
    assert beside.newer() is None
    network = beside.finish()
    assert beside.newer().training == network.training == load_network(path).training
    assert beside.newer() is None and network.training["positions"] >= values.GAMES * 32


def test_sigterm_to_a_whole_run_leaves_the_values_of_the_last_fit(tmp_path):
    beside = values.Beside({"game": "kalah"}, [], 0, 600.0, tmp_path / "values.network")
    beside.first()
    beside._process.terminate()
    assert beside.finish().training["positions"] > 0


def test_a_process_that_fails_is_an_error(tmp_path, capfd):
    path = tmp_path / "values.network"
    learnt(make_game("oware"), 1).save(path)
    with pytest.raises(RunError, match="the process that learns values failed"):
        values.Beside({"game": "kalah"}, [], 0, 600.0, path).finish()
    assert "was trained for oware" in capfd.readouterr().err
    with pytest.raises(RunError, match="the process that learns values failed"):
        values.Beside({"game": "kalah"}, ["nobody"], 0, 600.0, tmp_path / "other").first()
    assert "got 'nobody'" in capfd.readouterr().err


def test_which_runs_get_values():
    assert Settings("kalah").has_values and Settings("qelat", campaign=True).has_values
    assert not Settings("kalah", observe="position").has_values
    assert not Settings("kalah", method="alphazero").has_values
    assert "policy alone" in Settings("kalah").title and "alone" not in Settings("kalah", observe="position").title


def test_the_values_of_a_run_can_begin_with_those_of_the_expert(tmp_path):
    pytest.importorskip("sb3_contrib")
    from mancala_envs.learning.ppo import begin_values

    path = tmp_path / "values.network"
    begin_values(Settings("kalah", expert=True), path)
    assert load_network(path).training == expert_for(KALAH).training
    begin_values(Settings("kalah"), path)
    assert not path.exists()


def test_advantages_and_values_of_a_rollout_are_those_of_the_network():
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import CallbackList

    from mancala_envs.envs.vector import MancalaVectorEnv
    from mancala_envs.learning import ppo
    from mancala_envs.wrappers import ObserveAfterstates
    from mancala_envs.wrappers.sb3 import AfterstatePolicy, MancalaVecEnv

    n, steps, network = 6, 40, learnt(KALAH, 1)
    first = learnt(KALAH, 2)
    envs = MancalaVecEnv(ObserveAfterstates(MancalaVectorEnv(KALAH, n, autoreset_mode="SameStep"), network=first))
    how = {"n_steps": steps, "batch_size": n * steps, "n_epochs": 1, "gamma": 1.0, "device": "cpu"}
    model = MaskablePPO(AfterstatePolicy, envs, policy_kwargs={"values": first}, **how)
    seen, found = [], {}

    class Spy(ppo.BaseCallback):
        def _on_rollout_start(self):
            seen.append(envs.envs.unwrapped.states.copy())

        def _on_step(self):
            seen.append(envs.envs.unwrapped.states.copy())
            return True

        def _on_rollout_end(self):
            for name in ("values", "rewards", "episode_starts", "advantages", "returns"):
                found[name] = getattr(model.rollout_buffer, name).copy()

    critic = ppo.Critic(SimpleNamespace(newer=lambda: network))
    model.learn(n * steps, CallbackList([critic, Spy()]))
    assert model.policy.values is network
    judged = np.array([LookAhead(KALAH, network)(states)[1][np.arange(n), states["to_move"]] for states in seen])
    np.testing.assert_allclose(found["values"], judged[:-1], atol=1e-6)
    over = np.concatenate([found["episode_starts"][1:], [model._last_episode_starts]])
    assert over.any()
    later = np.zeros(n)
    for t in reversed(range(steps)):
        later = found["rewards"][t] + (1 - over[t]) * judged[t + 1] - judged[t] + ppo.LAMBDA * (1 - over[t]) * later
        np.testing.assert_allclose(found["advantages"][t], later, atol=1e-5)
    np.testing.assert_allclose(found["returns"], found["advantages"] + found["values"], atol=1e-5)
