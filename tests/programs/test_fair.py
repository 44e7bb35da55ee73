"""Fair starts: which starts there are, which are known draws, and the program that proves them."""

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.forms import PlainGame
from helpers.programs import refused, run_program
from solvers import solve_kalah, stores

from mancala_envs import make_game
from mancala_envs.agents.solve import solve_by_graph
from mancala_envs.evaluation import evaluate, fair, fair_starts
from mancala_envs.evaluation.fair import DRAW, LOSS, UNKNOWN, WIN, Prover, known, starts
from mancala_envs.scripts.maintenance.fair import main


def counts_of(states):
    return [(*s["holes"].tolist(), *s["store"].tolist()) for s in states]


def test_starts_are_all_positions_with_moved_seeds():
    kalah = make_game("kalah")
    for moved, number in ((1, 12 * 13), (2, 12 * (13 + 13 * 12 // 2) + 66 * (12 + 12 * 11 // 2))):
        states = starts(kalah, moved)
        found = counts_of(states)
        assert len(found) == len(set(found)) == number
        assert {sum(c) for c in found} == {48} and (states["to_move"] == 0).all()
        usual = [4] * 12 + [0, 0]
        assert {sum(abs(a - b) for a, b in zip(c, usual, strict=True)) for c in found} == {2 * moved}
        kalah.check(states[:: max(1, number // 100)])


def test_no_seed_is_taken_from_an_empty_hole():
    assert min(map(min, counts_of(starts(make_game("kalah", columns=2, seeds=1), 2)))) == 0


@pytest.mark.parametrize("name", list(json.loads((fair.files(fair.__package__) / fair.FILE).read_text())))
def test_the_file_has_a_result_for_every_start(name):
    known_game = make_game(name)
    game = PlainGame(known_game.name, **known_game.options)
    for moved, results in known(game).items():
        assert len(results) == len(starts(game, moved)) and set(results) <= {WIN, DRAW, LOSS, UNKNOWN}
    drawn = fair_starts(game)
    assert len(drawn) == sum(results.count(DRAW) for results in known(game).values()) > 0
    game.check(drawn)
    assert len(game.playout(drawn[:9], seed=1)) == 9


def test_fair_starts_fit_the_game_and_its_reward():
    by_lead = make_game("kalah", reward="margin", max_turns=100)
    drawn = fair_starts(by_lead)
    assert drawn.dtype == by_lead.dtype and counts_of(drawn) == counts_of(fair_starts("kalah"))
    by_lead.step(drawn, by_lead.sample(drawn, 1))
    for other in ("kalah(seeds=3)", "bao", "qelat(columns=3,reading=summary)"):
        with pytest.raises(ValueError, match=r"no fair starts of .* are known; there are some of kalah, "):
            fair_starts(other)


@pytest.mark.slow
def test_results_are_those_of_the_graph_and_the_program_continues(monkeypatch, tmp_path, capsys):
    out, game = tmp_path / "fair.json", make_game("qelat", columns=2, reward="margin")
    words = [*["qelat", "--option", "columns=2", "--moved", "1", "--out"], out]
    proven = []

    def interrupted(self, state):
        if len(proven) == 5:
            proven.append(None)
            raise KeyboardInterrupt
        proven.append(result(self, state))
        return proven[-1]

    result = Prover.result
    monkeypatch.setattr(Prover, "result", interrupted)
    assert "the same command continues" in refused(main, *words)
    (name,), states = json.loads(out.read_text()), starts(game, 1)
    assert json.loads(out.read_text())[name]["1"] == "".join(proven[:5]) + UNKNOWN * (len(states) - 5)
    run_program(main, *words)
    found = json.loads(out.read_text())[name]["1"]
    assert (
        len(proven) == 1 + len(states)
        and f"1 moved: {len(states)} starts, {found.count(WIN)} +" in capsys.readouterr().out
    )
    for index, one in enumerate(found):
        low, high = solve_by_graph(game, states[index : index + 1]).bounds
        expected = WIN if low > 0 else LOSS if high < 0 else DRAW if low == high == 0 else UNKNOWN
        assert one == expected
    assert known(game)[1] == found


@pytest.mark.proof
@pytest.mark.parametrize("into_empty", [False, True])
def test_another_program_confirms_a_draw_by_both_rules_of_capture(into_empty):
    """The start is one of the three with one moved seed that T. Neller and T. Neller ("FairKalah", 2022) publish."""
    kalah = make_game("kalah")
    results, states = np.array(list(known(kalah)[1])), starts(kalah, 1)
    (drawn,) = np.flatnonzero((states["holes"][:, 2] == 5) & (states["holes"][:, 4] == 3))
    assert results[drawn] == DRAW == solve_kalah.result(stores.Kalah(6, 4, into_empty), counts_of(states)[drawn])


def results_of_old():
    return json.loads((Path(solve_kalah.__file__).parent / "fair_of_old.json").read_text())


def test_both_programs_list_the_same_starts():
    for moved, results in results_of_old().items():
        listed = solve_kalah.starts(6, 4, int(moved))
        assert listed == counts_of(starts(make_game("kalah"), int(moved))) and len(listed) == len(results)


@pytest.mark.proof
@pytest.mark.parametrize("into_empty", [False, True])
def test_another_program_confirms_a_sample_of_the_starts(into_empty):
    """By our rule the library has found the results; by the older one its rule book has another reading of captures."""
    kalah, sample = make_game("kalah"), np.random.default_rng(4).choice(6240, 24, replace=False)
    results, listed = (results_of_old()["2"] if into_empty else known(kalah)[2]), solve_kalah.starts(6, 4, 2)
    solver = stores.Kalah(6, 4, into_empty)
    assert [results[k] for k in sample] == [solve_kalah.result(solver, listed[k]) for k in sample]


def test_evaluate_plays_from_fair_starts():
    fair_score = evaluate("greedy", "kalah", "greedy", games=20, opening="fair", seed=3)
    assert fair_score == evaluate("greedy", "kalah", "greedy", games=20, opening=fair_starts("kalah"), seed=3)
    with pytest.raises(ValueError, match="no fair starts of oware are known"):
        evaluate("greedy", "oware", "greedy", games=20, opening="fair")
