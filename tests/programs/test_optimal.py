"""Optimal choices in solved positions: counting them, sampling positions, and continuing an interrupted run."""

import json
import sys

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.evaluation import optimal, runs
from mancala_envs.evaluation.optimal import BATCH, POSITIONS, RANDOM, cell, counts, positions, values
from mancala_envs.scripts.optimal import main


def test_optimal_by_result_and_by_lead():
    known = [{0: 5, 1: 3, 2: -1}, {4: -2, 5: -2, 6: -7}, {1: 0, 2: -1}]
    found = counts(known, {"one": [1, 4, 1], "other": [0, 6, 2]})
    assert list(optimal.CRITERIA) == ["result", "lead"]
    # All actions lose the second position.
    assert found[POSITIONS] == [2, 3]
    assert found[RANDOM] == pytest.approx([2 / 3 + 1 / 2, 1 / 3 + 2 / 3 + 1 / 2])
    assert found["one"] == [2, 2] and found["other"] == [1, 1]


def test_a_cell_has_a_share_and_its_interval():
    # Wilson's interval for 90 of 100, by hand.
    assert cell("one", [{POSITIONS: 60, "one": 55}, {POSITIONS: 40, "one": 35}]) == "90.0% [82.6, 94.5]"


def test_positions_have_few_seeds_and_a_choice():
    game = make_game("kalah")
    found = positions(game, 18, 30, 1)
    assert 10 < len(found) <= 30
    assert (found["holes"].sum(1) <= 18).all() and (game.legal(found).sum(1) > 1).all()
    assert (found["to_move"] >= 0).all()
    assert len(np.unique(found["holes"].sum(1))) > 3, "not only the first candidate of each game"


def test_an_interrupted_run_leaves_complete_files_and_can_be_continued(monkeypatch, tmp_path, capsys):
    numbers = [str(2 * BATCH), "--agents", "greedy", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["optimal.py", "kalah", "--positions", *numbers])
    batches = []

    def interrupted(name, ending, agents, number, seed):
        if len(batches) == 1:
            batches.append(None)
            raise KeyboardInterrupt
        batches.append(number)
        return {POSITIONS: [100, BATCH], RANDOM: [50, 125], "greedy": [80, 200]}

    monkeypatch.setattr(optimal, "batch", interrupted)
    main()
    assert "run the same command again to continue" in capsys.readouterr().out
    assert len(json.loads((tmp_path / runs.RESULTS).read_text())["counts"]["kalah"]) == 1
    main()
    assert batches == [0, None, 1], "only the missing batch"
    table = (tmp_path / runs.TABLE).read_text()
    assert "| positions | 200 | 500 |" in table and "| `greedy` | 80.0% [" in table
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--seed", "1"])
    with pytest.raises(SystemExit, match="choose another --out"):
        main()


@pytest.mark.parametrize("counts", [5, [], {"kalah": 5}, {"kalah": [5]}, {"kalah": [{POSITIONS: ["100", 250]}]}])
def test_results_of_wrong_types_are_refused(monkeypatch, tmp_path, counts):
    saved = {"settings": {"seed": 0, "agents": ["greedy"]}, "counts": counts}
    (tmp_path / runs.RESULTS).write_text(json.dumps(saved))
    monkeypatch.setattr(sys, "argv", ["optimal.py", "kalah", "--agents", "greedy", "--out", str(tmp_path)])
    with pytest.raises(SystemExit, match="holds no counts"):
        main()


@pytest.mark.slow
def test_values_are_leads_of_the_player_to_move():
    counted = make_game("kalah", reward="margin")
    # After any reply of player 1, player 0 gets their one seed and player 1 their two: 27 against 21.
    holes = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]
    state = counted.load(holes=holes, store=[20, 25], to_move=1)
    assert values(counted, state) == {4: 6, 5: 6}
    found = optimal.batch("kalah", optimal.ENDINGS["kalah"], ["greedy", "mcts:400"], 0, 0)
    assert found[POSITIONS][1] == BATCH > found[POSITIONS][0]
    for by_result, by_lead in (found[RANDOM], found["greedy"], found["mcts:400"]):
        assert 0 < by_result <= found[POSITIONS][0] and 0 < by_lead <= BATCH
    assert found["mcts:400"][0] > found["greedy"][0] > found[RANDOM][0]
