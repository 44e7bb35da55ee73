"""How often agents choose best: what counts as right, which positions are taken, and going on where a run ended."""

import json
import sys

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.evaluation import optimal, runs
from mancala_envs.evaluation.optimal import BATCH, POSITIONS, RANDOM, cell, counts, positions, values
from mancala_envs.scripts.optimal import main


def test_right_by_the_result_and_by_the_lead():
    known = [{0: 5, 1: 3, 2: -1}, {4: -2, 5: -2, 6: -7}, {1: 0, 2: -1}]
    found = counts(known, {"one": [1, 4, 1], "other": [0, 6, 2]})
    assert list(optimal.JUDGES) == ["result", "lead"]
    # All actions lose the second game.
    assert found[POSITIONS] == [2, 3]
    assert found[RANDOM] == pytest.approx([2 / 3 + 1 / 2, 1 / 3 + 2 / 3 + 1 / 2])
    assert found["one"] == [2, 2] and found["other"] == [1, 1]


def test_a_cell_tells_a_share_and_its_interval():
    # Wilson's of 90 of 100, as his formula gives it by hand.
    assert cell("one", [{POSITIONS: 60, "one": 55}, {POSITIONS: 40, "one": 35}]) == "90.0% [82.6, 94.5]"


def test_positions_have_few_seeds_and_a_choice():
    game = make_game("kalah")
    found = positions(game, 18, 30, 1)
    assert 10 < len(found) <= 30
    assert (found["holes"].sum(1) <= 18).all() and (game.legal(found).sum(1) > 1).all()
    assert (found["to_move"] >= 0).all()
    assert len(np.unique(found["holes"].sum(1))) > 3, "not only the first of each game"


def test_it_is_ended_early_with_whole_files_and_goes_on(monkeypatch, tmp_path, capsys):
    numbers = [str(2 * BATCH), "--agents", "greedy", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["optimal.py", "kalah", "--positions", *numbers])
    looked_at = []

    def interrupted(name, ending, agents, number, seed):
        if len(looked_at) == 1:
            looked_at.append(None)
            raise KeyboardInterrupt
        looked_at.append(number)
        return {POSITIONS: [100, BATCH], RANDOM: [50, 125], "greedy": [80, 200]}

    monkeypatch.setattr(optimal, "batch", interrupted)
    main()
    assert "the same command goes on" in capsys.readouterr().out
    assert len(json.loads((tmp_path / runs.RESULTS).read_text())["counts"]["kalah"]) == 1
    main()
    assert looked_at == [0, None, 1], "only what was missing"
    table = (tmp_path / runs.TABLE).read_text()
    assert "| positions | 200 | 500 |" in table and "| `greedy` | 80.0% [" in table
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--seed", "1"])
    with pytest.raises(SystemExit, match="choose another --out"):
        main()


@pytest.mark.slow
def test_values_are_the_movers():
    counted = make_game("kalah", reward="margin")
    # Whatever player 1 plays, player 0 gets his one seed and player 1 his two: 27 against 21.
    holes = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]
    state = counted.load(holes=holes, store=[20, 25], to_move=1)
    assert values(counted, state) == {4: 6, 5: 6}
    found = optimal.batch("kalah", optimal.ENDINGS["kalah"], ["greedy", "mcts:400"], 0, 0)
    assert found[POSITIONS][1] == BATCH > found[POSITIONS][0]
    for by_result, by_lead in (found[RANDOM], found["greedy"], found["mcts:400"]):
        assert 0 < by_result <= found[POSITIONS][0] and 0 < by_lead <= BATCH
    assert found["mcts:400"][0] > found["greedy"][0] > found[RANDOM][0]
