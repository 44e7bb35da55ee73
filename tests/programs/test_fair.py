"""Fair starts: which starts there are, which are known draws, and the program that proves them."""

import json
import sys

import numpy as np
import pytest
from helpers.forms import PlainGame
from solvers import stores

from mancala_envs import make_game
from mancala_envs.agents.solve import solve_by_graph
from mancala_envs.evaluation import fair, fair_starts
from mancala_envs.evaluation.fair import DRAW, LOSS, UNKNOWN, WIN, Prover, known, starts
from mancala_envs.scripts import fair as fair_program


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
    monkeypatch.setattr(sys, "argv", ["fair.py", "qelat", "--option", "columns=2", "--moved", "1", "--out", str(out)])
    proven = []

    def interrupted(self, state):
        if len(proven) == 5:
            proven.append(None)
            raise KeyboardInterrupt
        proven.append(result(self, state))
        return proven[-1]

    result = Prover.result
    monkeypatch.setattr(Prover, "result", interrupted)
    with pytest.raises(SystemExit, match="the same command continues"):
        fair_program.main()
    (name,), states = json.loads(out.read_text()), starts(game, 1)
    assert json.loads(out.read_text())[name]["1"] == "".join(proven[:5]) + UNKNOWN * (len(states) - 5)
    fair_program.main()
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


@pytest.mark.slow
@pytest.mark.parametrize("into_empty", [False, True])
def test_another_program_confirms_a_draw_by_both_rules_of_capture(into_empty):
    """The start is one of the three with one moved seed that T. Neller and T. Neller ("FairKalah", 2022) publish."""
    kalah = make_game("kalah")
    results, states = np.array(list(known(kalah)[1])), starts(kalah, 1)
    (drawn,) = np.flatnonzero((states["holes"][:, 2] == 5) & (states["holes"][:, 4] == 3))
    assert results[drawn] == DRAW == result_by(stores.Kalah(6, 4, into_empty), states[drawn])


def result_by(solver, state):
    """Return the result of a start by null-window searches of the program `stores`."""
    seen = np.concatenate([state["holes"][:6], [0], state["holes"][6:]]).astype(np.int8)
    lead = int(state["store"][0]) - int(state["store"][1])
    gains = [stores.gains(solver.tables, seen, 0, goal - lead, solver.into_empty) + lead for goal in (1, 0)]
    return WIN if gains[0] >= 1 else DRAW if gains[1] >= 0 else LOSS
