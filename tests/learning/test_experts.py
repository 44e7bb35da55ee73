"""Training of value networks: the gradient, what it fits, the positions, and runs that are interrupted."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.networks import random_network
from helpers.programs import run_program

from mancala_envs import make_game
from mancala_envs.agents import load_network
from mancala_envs.agents.inference import SHIFT
from mancala_envs.agents.minimax import UNSEARCHED
from mancala_envs.agents.network import SEARCHES, evaluate, rows_of
from mancala_envs.learning import experts, value_training
from mancala_envs.learning.fit import Model, Positions, best_scale, loss_of_evaluations
from mancala_envs.programs import files, tables
from mancala_envs.scripts.maintenance.experts import main

KALAH = make_game("kalah")
QUICK = ["--positions", "2000", "--epochs", "1", "--pairs", "4", "--total", "0.0001"]


def some_positions(n=3000):
    """Return positions of Kalah whose targets depend on one column, and on nothing that the evaluation knows."""
    states = KALAH.init(n, 1)
    KALAH.play_random(states, 9, 1)
    columns = KALAH.observe(states)
    targets = np.where(columns[:, :1] % 2 == 1, 0.9, 0.1).astype(np.float32)
    return Positions(columns, np.ones((n, 1), np.float32), targets)


def new_model(seed=0, outputs=1):
    ends, highest = rows_of(KALAH)
    return Model(ends, highest, np.arange(len(highest)), outputs, 40.0, 3e-3, np.random.default_rng(seed))


def test_the_gradient_is_that_of_the_loss():
    positions, model = some_positions(50), new_model()
    chosen, base = np.arange(50), (positions.evaluations / np.float32(40)).astype(np.float32)
    weights = [part.astype(np.float64) for part in (model.tables, *model.parameters[2:])]

    def loss():
        rows = model.first + np.minimum(positions.columns, model.highest)
        hidden = np.maximum(weights[1] + weights[0][rows].sum(axis=1), 0)
        logits = base + hidden @ weights[2].T + weights[3]
        return float((np.log1p(np.exp(logits)) - logits * positions.targets).mean())

    rows = (model.tables, *model.parameters[2:])
    grads = [np.zeros_like(part) for part in rows]
    assert model._gradient(positions, base, chosen, rows, tuple(grads)) == pytest.approx(loss(), rel=1e-5)
    row = int(model.first[0] + positions.columns[0, 0])
    for part, place in ((0, (row, 3)), (1, (5,)), (2, (0, 7)), (3, (0,))):
        weights[part][place] += 1e-4
        above = loss()
        weights[part][place] -= 2e-4
        below = loss()
        weights[part][place] += 1e-4
        assert grads[part][place] == pytest.approx((above - below) / 2e-4, abs=2e-5), part


def test_a_model_learns_what_the_evaluation_does_not_know_and_its_integers_agree():
    positions, model = some_positions(), new_model()
    losses = list(model.fit(positions, 300))
    assert losses[0] > 0.6 and losses[-1] < 0.4 < loss_of_evaluations(positions, 40.0)
    assert model.loss(positions) == pytest.approx(losses[-1], abs=0.02)
    whole = model.quantised()
    rows = model.first + np.minimum(positions.columns, model.highest)
    hidden = np.maximum(whole["bias"] + whole["tables"].astype(int)[rows].sum(axis=1), 0)
    logits = ((hidden @ whole["output"].T.astype(int) + whole["output_bias"]) >> SHIFT) / 40.0
    exact = np.maximum(model.parameters[2] + model.tables[rows].sum(axis=1), 0) @ model.parameters[3].T
    np.testing.assert_allclose(logits, exact + model.parameters[4], atol=0.04)  # rounded down to eighths
    again = new_model()
    list(again.fit(positions, 300))
    np.testing.assert_array_equal(again.tables, model.tables)


def test_columns_that_never_change_have_no_weights():
    positions, (ends, _) = some_positions(), rows_of(KALAH)
    positions.columns[:, 3] = 2
    played = {
        "columns": positions.columns,
        "evaluations": positions.evaluations,
        "rewards": np.sign(positions.targets - 0.5),
        "values": np.full(len(positions), UNSEARCHED),
    }
    chance = np.random.default_rng(0)
    network = value_training.fitted(KALAH, played, value_training.Recipe(0.3, 1e-3), 2, chance, lambda share: None)
    has_weights = np.logical_or.reduceat(network.tables.any(axis=1), ends[:-1])
    varies = (positions.columns != positions.columns[0]).any(axis=0)
    assert not has_weights[3] and (has_weights == varies).all()


def test_the_scale_fits_the_static_evaluation():
    chance = np.random.default_rng(1)
    evaluations = chance.normal(0, 50, (4000, 1)).astype(np.float32)
    targets = (1 / (1 + np.exp(-evaluations / 32))).astype(np.float32)
    assert best_scale(Positions(evaluations, evaluations, targets)) == 32.0
    assert best_scale(Positions(evaluations, evaluations * 0, targets)) == 64.0


def test_self_play_gives_positions_results_and_values():
    search, _ = experts.deepest(KALAH, np.random.default_rng(0))
    played, again = (
        value_training.self_play(KALAH, search.act_with_values, 2000, 60, np.random.default_rng(0), lambda done: None)
        for _ in range(2)
    )
    n = len(played["columns"])
    assert all(np.array_equal(played[name], again[name]) for name in played)
    assert n > 1000 and played["columns"].shape == (n, 17)
    assert set(np.unique(played["rewards"])) == {-1, 0, 1}
    searched = played["values"] != UNSEARCHED
    assert 0.8 < searched.mean() < 1
    # Results, values and static evaluations are all those of the player to move.
    decided = searched & (abs(played["values"]) > 2**39)
    agree = np.sign(played["values"]) == np.sign(played["rewards"][:, 0])
    assert agree[decided].mean() > 0.9
    assert np.corrcoef(played["evaluations"][:, 0], played["rewards"][:, 0])[0, 1] > 0.3
    positions, scale = value_training.positions_of(played, 0.3)
    assert 4 <= scale <= 4096 and 0 <= positions.targets.min() <= positions.targets.max() <= 1
    # Where the search found nothing, the result of the game alone is the target.
    targets, results = positions.targets[:, 0], (played["rewards"][:, 0] + 1) / 2
    assert (targets[~searched] == results[~searched]).all()
    np.testing.assert_allclose(targets[decided & agree], results[decided & agree], atol=1e-6)
    wrong = decided & ~agree & (results != 0.5)
    assert wrong.any()
    np.testing.assert_allclose(targets[wrong], np.where(results[wrong] == 1, 0.3, 0.7), atol=1e-6)


def test_in_campaigns_every_round_has_a_result_of_its_own(monkeypatch):
    game, begun = make_game("daramutu", campaign=True), []

    def numbered(game, states, unit):
        assert unit > 1, "greedy leads after most rounds"
        begun.extend(states.copy())
        first = len(begun) - len(states)
        return np.outer(np.arange(first, len(begun)) + 1, [1e-6, -1e-6])

    def act(view, streams):
        return game.sample(np.asarray(view).view(game.dtype), len(begun)), np.full(len(view), UNSEARCHED)

    monkeypatch.setattr(value_training, "result_of_round", numbered)
    monkeypatch.setattr(value_training, "GAMES_AT_ONCE", 20)
    played = value_training.self_play(game, act, 3000, 60, np.random.default_rng(0), lambda done: None)
    number = np.rint(1e6 * played["rewards"][:, 0]).astype(int)
    column = [field.name for field in game.observation_fields].index("round")
    for k, state in enumerate(begun, 1):
        # The positions of a round, and no others, have its result, with the sign of the player to move.
        assert set(played["columns"][abs(number) == k, column]) == {state["round_number"] - 1}, k
    assert {-1, 1} <= set(np.sign(number)) and len(begun) > 20
    assert (abs(number) == 10**6).any(), "a campaign's last round has the result of the campaign"


def test_a_large_lead_counts_as_a_campaign_that_is_nearly_won():
    state = KALAH.load(holes=[3] * 12, store=[10, 2])
    lead = evaluate(KALAH, state)[0, 0]
    assert lead > 0
    for unit, expected in ((lead, 0.4621), (lead / 4, 0.9640), (4 * lead, 0.1244)):
        np.testing.assert_allclose(
            value_training.result_of_round(KALAH, state, unit), [[expected, -expected]], atol=1e-4
        )


def test_players_are_counted_from_the_one_to_move():
    assert value_training.seats_from(np.array([0, 2]), 4).tolist() == [[0, 1, 2, 3], [2, 3, 0, 1]]


def found(low, high, kind="minimax"):
    points = (low + high) / 2
    return {"opponent": f"{kind}:1ms", "games": 800, "points": points, "interval": [low, high], "ms": 0.9, "time": 0.9}


def test_the_table_shows_which_experts_are_better():
    won, lost = {"won": True, "against_first": found(0.55, 0.65)}, {"won": False}
    better = {"minimax": found(0.6, 0.7), "mcts": found(0.6, 0.7)}
    even = better | {"minimax": found(0.45, 0.55)}
    results = {
        "oware": {"matches": even, "search": "mcts", "has_weights": False, "bytes": 600},
        "kalah": {"matches": better, "search": "minimax", "has_weights": True, "bytes": 14972},
    }
    results["kalah"]["generations"] = [won, lost]
    results["qelat(campaign=True)"] = results["kalah"]
    better, even, campaigns = experts.table(results).text.splitlines()[4:]
    assert campaigns == better.replace("Kalah", "Qelat campaigns")
    points = "65.0% [60.0, 70.0] (800, 0.90)"
    assert better == f"| Kalah | `minimax` | 60.0% [55.0, 65.0], - | {points} | {points} | 15 kB |"
    assert "| plain `mcts` |  | **50.0% [45.0, 55.0]** (800" in even


def run(out, *arguments):
    run_program(main, *arguments, "--out", out)
    return json.loads((out / files.RESULTS).read_text())["experts"]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "file"), [("kalah", "kalah"), ("daramutu(campaign=True)", "daramutu_campaign")])
def test_a_network_is_trained_and_measured_in_one_run(name, file, monkeypatch, tmp_path):
    monkeypatch.setattr(experts, "CHOOSING_PAIRS", 1)
    (saved,) = run(tmp_path, name, *QUICK, "--minutes", "0.05", "--milliseconds", "2").values()
    path = tmp_path / f"{file}.network"
    load_network(path).check(make_game(name))
    assert saved == experts.summary(path)
    (generation,) = saved["generations"]
    assert generation["games"] == 8 and generation["seconds"] >= 0
    for kind, match in saved["matches"].items():
        assert (match["opponent"], match["games"]) == (f"{kind}:2ms", 8)
        assert match["interval"][0] <= match["points"] <= match["interval"][1]


def test_an_interrupted_run_is_continued_and_networks_are_installed(monkeypatch, tmp_path, capsys):
    out, package, trained = tmp_path / "out", tmp_path / "package", []
    package.mkdir()
    (package / "oware.network").write_bytes(b"old")

    def improved(game, expert, first, settings, report):
        report("self-play", 0.5)
        trained.append((game.name, len(experts.generations_of(expert))))
        if trained[-2:] == [("oware", 0), ("oware", 1)] and len(trained) < 6:
            raise KeyboardInterrupt
        return with_generations(game, len(experts.generations_of(expert)) + 1, won=False)

    monkeypatch.setattr(experts, "EXPERTS", package)
    monkeypatch.setattr(experts, "improved", improved)
    measured = {kind: found(0.6, 0.7, kind) for kind in SEARCHES}
    monkeypatch.setattr(experts, "measured_network", lambda game, network, *_: (network, measured))
    assert list(run(out, "kalah", "oware", "--install")) == ["kalah"]
    assert "run the same command again to continue" in capsys.readouterr().out
    assert "| Kalah | `mcts` |" in (out / files.TABLE).read_text()
    names = {"kalah.network", "oware.network", files.RESULTS, files.TABLE, tables.JSON}
    assert {path.name for path in out.iterdir()} == names
    assert (package / "kalah.network").read_bytes() == (out / "kalah.network").read_bytes()
    assert (package / "oware.network").read_bytes() == b"old"
    assert list(run(out, "kalah", "oware", "--install")) == ["kalah", "oware"]
    # Two generations in a row that win nothing end the training; the second of Oware was interrupted, and repeated.
    assert trained == [
        (name, number) for name, number in zip(["kalah"] * 2 + ["oware"] * 3, [0, 1, 0, 1, 1], strict=True)
    ]
    assert (package / "oware.network").read_bytes() == (out / "oware.network").read_bytes()
    with pytest.raises(SystemExit, match="choose another --out"):
        run(out, "kalah", "--seed", "1")


# Generations.


def with_generations(game, number, won):
    """Return an expert after a number of generations of a second, which all won or all lost."""
    generations = [{"won": won, "seconds": 1}] * number
    return replace(random_network(game, search="mcts"), training={"generations": generations})


def test_training_ends_after_two_generations_that_win_nothing_or_when_the_time_is_over():
    settings = experts.ExpertSettings(total=0.1)
    for pattern, expected in (("", False), ("-", False), ("--", True), ("-+-", False), ("+--", True), ("+" * 6, True)):
        generations = [{"won": sign == "+", "seconds": 1} for sign in pattern]
        expert = replace(random_network(KALAH), training={"generations": generations})
        assert experts.is_finished(expert, settings) is expected, pattern


def test_a_generation_replaces_the_expert_only_if_it_wins_a_match(monkeypatch):
    strength = {0: 0.0, 1: 0.1, 2: 0.05, 3: 0.4}
    played = []

    def candidates(game, expert, settings, seed, report):
        number = len(experts.generations_of(expert)) + 1
        return [replace(random_network(game), training={"number": number, "seed": seed})]

    def points(game, agents, pairs, seed, judge):
        numbers = [agent.agent._options["network"].training["number"] for agent in agents]
        played.append(tuple(numbers))
        return np.full(pairs, 0.5 + strength[numbers[0]] - strength[numbers[1]])

    monkeypatch.setattr(experts, "candidates", candidates)
    monkeypatch.setattr(experts, "affordable", lambda *_: 200)
    monkeypatch.setattr(experts, "best_network", lambda game, networks, *_: networks[0])
    monkeypatch.setattr(experts, "match", points)
    first = expert = replace(random_network(KALAH), training={"number": 0})
    for _ in range(3):
        expert = experts.improved(KALAH, expert, first, experts.ExpertSettings(), lambda stage, part: None)
    # The second generation plays the first one, and loses; the third plays the first generation and the first expert.
    assert played == [(1, 0), (2, 1), (3, 1), (3, 0)]
    one, two, three = experts.generations_of(expert)
    assert (one["won"], two["won"], three["won"]) == (True, False, True) and expert.training["number"] == 3
    assert one["against_first"]["points"] == 0.6 and "against_first" not in two
    assert (three["against_expert"]["points"], three["against_first"]["points"]) == (0.8, 0.9)


def test_the_expert_plays_for_the_next_generation(monkeypatch):
    searched, learnt = [], []

    def self_play(game, act_with_values, *_):
        searched.append(act_with_values.__self__._network)
        return {"values": np.zeros(1, np.int64)}

    def fit_values(game, seconds, opponents, seed, report, first, pairs):
        learnt.append(first)
        return "learnt"

    def candidates(game, expert):
        return experts.candidates(game, expert, experts.ExpertSettings(), 0, lambda stage, part: None)

    monkeypatch.setattr(experts, "self_play", self_play)
    monkeypatch.setattr(experts, "fitted", lambda *_, **__: "fitted")
    monkeypatch.setattr(experts, "fit_values", fit_values)
    expert = random_network(KALAH)
    for network in (expert, expert.without_weights()):
        assert candidates(KALAH, network) == ["fitted"] * 3 + ["learnt"]
    assert searched[0].scale == expert.scale and searched[1] is None
    race = make_game("saturankam")
    for number in (0, 1):
        assert candidates(race, with_generations(race, number, True)) == ["learnt"]
    assert learnt[:3] == [None] * 3 and learnt[3].has_weights
    assert len(searched) == 2, "races learn by temporal differences alone"


def test_values_of_a_search_with_a_network_have_its_scale():
    states = KALAH.init(4, 0)
    played = {
        "columns": KALAH.observe(states),
        "evaluations": np.ones((4, 1)),
        "rewards": np.zeros((4, 1)),
        "values": np.array([40, 40, 80, UNSEARCHED]),
    }
    positions, _ = value_training.positions_of(played, 0.0, 40.0)
    np.testing.assert_allclose(
        positions.targets[:, 0], [1 / (1 + np.exp(-1)), 1 / (1 + np.exp(-1)), 1 / (1 + np.exp(-2)), 0.5], rtol=1e-6
    )


def test_a_game_without_an_expert_begins_with_the_stronger_search(monkeypatch, capsys):
    assert experts.first_expert(KALAH, 1, 0) is experts.expert_for(KALAH)
    game = make_game("kalah", columns=4)
    monkeypatch.setattr(experts, "stronger_search", lambda game, network, *_: replace(network, search="mcts"))
    first = experts.first_expert(game, 1, 0)
    first.check(game)
    assert first.search == "mcts" and not first.has_weights
    assert capsys.readouterr().out.endswith(": the first expert is the stronger of minimax and mcts\n")
