"""AlphaZero: the network on afterstates, its files, and training runs."""

import json
import pickle
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from books import lucky, tic_tac_toe
from helpers.programs import logged, train, until_learning

from mancala_envs import Game, make_game
from mancala_envs.agents import Puct, PuctAgent
from mancala_envs.evaluation import evaluate
from mancala_envs.learning import afterstate_network
from mancala_envs.learning.afterstate_network import AfterstateNetwork, PolicyAgent
from mancala_envs.learning.alphazero import Learner, Run, in_thread
from mancala_envs.learning.exact import solved_rows
from mancala_envs.learning.self_play import ReplayBuffer, SelfPlayGames
from mancala_envs.learning.settings import Settings
from mancala_envs.programs.files import RunError

TIC_TAC_TOE = Game(tic_tac_toe.RULE_BOOK, "tic_tac_toe", False, {})
LUCKY = Game(lucky.RULE_BOOK, "lucky", False, {})


def network_of(game, seed=0):
    torch.manual_seed(seed)
    return AfterstateNetwork(game, (16, 8))


# The network.


@pytest.mark.parametrize("game", [TIC_TAC_TOE, LUCKY], ids=["tic_tac_toe", "lucky"])
def test_priors_are_of_legal_actions_and_values_sum_to_zero(game):
    network, states = network_of(game), game.init(50, 1, opening=(0, 1))
    priors, values = network.evaluate(states)
    np.testing.assert_allclose(priors.sum(1), 1, rtol=1e-5)
    assert not priors[~game.legal(states)].any()
    np.testing.assert_allclose(values.sum(1), 0, atol=1e-6)
    assert 0 < abs(values).max() <= 1 + 1e-6
    again = network.evaluate(states)
    np.testing.assert_array_equal(again[0], priors)


def test_a_winning_action_is_worth_the_win():
    wins = TIC_TAC_TOE.load(board=[1, 1, 0, 2, 2, 0, 0, 0, 0], turn=4)
    logits, worth = network_of(TIC_TAC_TOE)(wins)
    assert worth[0, 2] == 1 and (abs(worth[0, [5, 6, 7, 8]]) < 1).all() and not worth[0, [0, 1, 3, 4]].any()
    assert (logits[0, [0, 1, 3, 4]] < -1e6).all() and logits[0].argmax() == 2


def test_states_are_judged_in_parts_that_fit_into_memory(monkeypatch):
    network, states = network_of(LUCKY), LUCKY.init(20, 1)
    whole = network.evaluate(states)
    monkeypatch.setattr(afterstate_network, "MEMORY", 24)
    assert network.at_once == 3
    for part, expected in zip(network.evaluate(states), whole, strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-5)


@pytest.mark.slow
def test_values_belong_to_their_players():
    """The network's values are of the player to move and the players after them; `evaluate` returns them by seat."""
    game = make_game("zigulzoqge")
    network = network_of(game)
    states = game.init(40, 1, opening=(0, 12))
    logits, worth = network(states)
    expected = (logits.softmax(1)[..., None] * worth).sum(1).detach().numpy()
    values = network.evaluate(states)[1]
    movers = states["to_move"].astype(int)
    assert len(set(movers)) > 2
    for k in range(4):
        np.testing.assert_allclose(values[np.arange(40), (movers + k) % 4], expected[:, k], rtol=1e-4, atol=1e-6)


def test_learning_fits_policies_and_values():
    network = network_of(TIC_TAC_TOE)
    games, buffer, learner = SelfPlayGames(TIC_TAC_TOE, 64, 16), ReplayBuffer(TIC_TAC_TOE, 5000), Learner(network)
    for _ in range(3):
        buffer.add(games.play(network.evaluate, 8))
    before = learner.learn(buffer, 1024, 0.0)
    learner.learn(buffer, 300 * 1024, 0.003)
    after = learner.learn(buffer, 1024, 0.0)
    assert after[0] < before[0] - 0.1 and after[1] < before[1] * 0.8
    with pytest.raises(ValueError, match="decisions must be an integer of at least 1, got 0"):
        learner.learn(buffer, 0, 0.003)


def test_a_learner_learns_solved_positions_only_if_they_are_given():
    game = make_game("kalah")
    network, solved = network_of(game), solved_rows(game)
    buffer, learnt = ReplayBuffer(game, 64), []
    buffer.add(solved[np.zeros(64, np.int64)])
    network.losses = lambda rows, seed: learnt.append(rows) or (next(network.parameters()).sum(),) * 2
    for given in (None, solved):
        Learner(network, solved=given).learn(buffer, 1, 0.0)
    without, with_solved = (len({state.tobytes() for state in rows.states}) for rows in learnt)
    assert without == 1 < with_solved


def test_only_full_searches_teach_policies():
    network = network_of(TIC_TAC_TOE)
    rows = SelfPlayGames(TIC_TAC_TOE, 20, 8).play(network.evaluate, 8)
    short = rows[~rows.has_policy]
    assert network.losses(short, 0)[0] == 0 and network.losses(rows, 0)[0] > 0
    taught = rows[rows.has_policy]
    assert float(network.losses(rows, 0)[0].detach()) == pytest.approx(float(network.losses(taught, 0)[0].detach()))


def test_agents_play_with_and_without_search():
    network = network_of(TIC_TAC_TOE)
    states = TIC_TAC_TOE.init(30, 1, opening=2)
    states["to_move"][3] = -1
    alone = PolicyAgent(network).act(states, 1)
    assert alone[3] == -1 and (np.delete(alone, 3) == np.delete(network.evaluate(states)[0].argmax(1), 3)).all()
    searching = PuctAgent(Puct(TIC_TAC_TOE, 30, 16, gumbel=(9, 0.0)), network.evaluate).act(states, 1)
    assert searching[3] == -1 and (TIC_TAC_TOE.legal(states)[np.arange(30), searching] | (searching < 0)).all()


def test_networks_travel_to_other_processes():
    network = network_of(make_game("kalah"))
    copy = pickle.loads(pickle.dumps(network))
    assert copy.game.header == "kalah"
    assert all(torch.equal(*pair) for pair in zip(network.parameters(), copy.parameters(), strict=True))


# Files.


def test_a_saved_network_judges_as_before(tmp_path):
    network, path = network_of(TIC_TAC_TOE), tmp_path / "model.pt"
    network.save(path, decisions=7)
    loaded, more = AfterstateNetwork.load(path, TIC_TAC_TOE)
    states = TIC_TAC_TOE.init(10, 1, opening=3)
    for part, expected in zip(loaded.evaluate(states), network.evaluate(states), strict=True):
        np.testing.assert_array_equal(part, expected)
    assert more == {"decisions": 7}


def test_a_network_of_another_game_or_of_other_rules_is_refused(tmp_path):
    path = tmp_path / "model.pt"
    network_of(TIC_TAC_TOE).save(path)
    with pytest.raises(ValueError, match="plays tic_tac_toe, not lucky"):
        AfterstateNetwork.load(path, LUCKY)
    content = torch.load(path, weights_only=True)
    torch.save({**content, "checksum": "0"}, path)
    with pytest.raises(ValueError, match="trained for other rules or observations of tic_tac_toe: train it again"):
        AfterstateNetwork.load(path, TIC_TAC_TOE)
    for damaged in (b"", b"PK", path.read_bytes()[:500], pickle.dumps(print)):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"model\.pt holds no network of mancala_envs"):
            AfterstateNetwork.load(path, TIC_TAC_TOE)


# Runs.


class Fake:
    """An actor that returns the same decisions again and again."""

    def __init__(self, rows):
        self.rows, self.networks = rows, []

    def play(self, network):
        self.networks.append(network)
        return self.rows


@pytest.mark.slow
def test_a_run_continues_from_what_was_saved(tmp_path, monkeypatch):
    monkeypatch.setattr("mancala_envs.learning.results.POINT_GAMES", (4,))
    settings = Settings("kalah", method="alphazero", out=tmp_path, steps=3000, envs=32, minutes=10)
    run = Run(settings, [])
    game = run.game
    fake = Fake(SelfPlayGames(game, 32, 4).play(run.network.evaluate, 32))
    with ThreadPoolExecutor(1) as pool:
        run.learn([in_thread(pool, fake)])
    run.add_point()
    assert run.decisions >= 3000 and len(fake.networks) > 2
    assert not torch.equal(*(network.layers[2].weight for network in fake.networks[:2]))
    resumed = Run(replace(settings, resume=tmp_path, out=tmp_path), run.curve)
    assert resumed.decisions == run.decisions
    for mine, theirs in zip(run.network.parameters(), resumed.network.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    states = (learner.optimizer.state_dict()["state"] for learner in (run.learner, resumed.learner))
    for mine, theirs in zip(*(state.values() for state in states), strict=True):
        assert mine["step"] == theirs["step"] > 0 and torch.equal(mine["exp_avg"], theirs["exp_avg"])
    (tmp_path / "model.pt").write_bytes(b"PK")
    with pytest.raises(RunError, match=r"cannot be resumed: .*model.pt holds no network"):
        Run(replace(settings, resume=tmp_path, out=tmp_path), [])


@pytest.mark.slow
def test_the_program_trains_and_resumes_after_an_interrupt(tmp_path):
    out, board = tmp_path / "run", tmp_path / "board"
    few = ["kalah", "--method", "alphazero", "--envs", "64", "--games", "10", "--actors", "2", "--simulations", "8"]
    common = (*few, "--tensorboard", board)
    running = train(*common, "--out", out, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until_learning(running)
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=300)
    assert running.returncode == 0 and "interrupted; saving and evaluating the model so far" in printed
    assert {path.name for path in out.iterdir()} == {
        "model.pt", "config.json", "evaluation.json", "table.json", "table.md", "learning_curve.json",
        "learning_curve.png",
    }  # fmt: skip
    assert "network alone" in printed and "8 simulations" in printed
    assert {"loss/policy", "loss/value", "points/random"} <= logged(board).keys()
    scores = json.loads((out / "evaluation.json").read_text())
    assert scores.keys() == {"network alone", "8 simulations"}
    assert scores["8 simulations"]["random"]["after 6 random decisions"]["interval_95"][1] > 0.5
    before = json.loads((out / "config.json").read_text())
    assert before["method"] == "alphazero" and before["decisions"] > 0
    assert train(*common, "--resume", out, "--steps", 5000).wait(timeout=300) == 0
    assert json.loads((out / "config.json").read_text())["decisions"] >= before["decisions"] + 5000
    decisions = [point["decisions"] for point in json.loads((out / "learning_curve.json").read_text())]
    assert decisions == sorted(decisions) and len(decisions) > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sokkattan", "zigulzoqge", "pahada_keliya"])
def test_values_of_games_with_chance_or_many_players_are_learnt(name):
    game = make_game(name)
    network = network_of(game)
    games, buffer, learner = SelfPlayGames(game, 32, 8), ReplayBuffer(game, 50_000), Learner(network)
    while len(buffer) < 4000:
        buffer.add(games.play(network.evaluate, 64))
    before = learner.learn(buffer, 4096, 0.0)
    learner.learn(buffer, 100 * 1024, 0.003)
    after = learner.learn(buffer, 4096, 0.0)
    assert after[1] < before[1] * 0.9, (before, after)
    evaluate(PolicyAgent(network), name, "random", games=20)  # raises for an illegal action
