"""The table of strengths: its cells, and continuing an interrupted run."""

import json
import sys

import pytest

from mancala_envs.evaluation import runs, strength
from mancala_envs.evaluation.strength import MATCHES, cell, games_for_two, missing, title_of
from mancala_envs.scripts.strength import main


def test_a_cell_has_points_and_the_interval_of_pairs():
    # 98 pairs won and two more, of which one counts as lost: by hand 99 of 100, a deviation of 0.1, 1.96 * 0.01.
    assert cell([[1.0] * 50, [1.0] * 48]) == "100.0% [97.0, 100.0] of 196"
    assert cell([[1.0] * 50] * 4) == "100.0% [98.5, 100.0]", "the default of 400 games is not shown"
    assert cell([[0.0] * 50, [0.0] * 48]) == "**0.0% [0.0, 3.0]** of 196"
    assert cell([[0.5] * 98]) == "**50.0% [48.6, 51.4]** of 196", "bold, because not better than even"


def test_every_game_for_two_players_is_listed_once():
    games = games_for_two()
    assert games["kalah"] == {} and games["sokkattan"] == {"players": 2}
    assert not {"pahada_keliya", "magazeb_ii"} & games.keys(), "one needs four players; the other is Qelat"


def test_only_batches_that_were_not_played_are_missing():
    results = {"kalah": {title_of(MATCHES[0]): [[1.0]]}}
    batches = list(missing(results, {"kalah": {}}, 2, opening=5, seed=3))
    assert [(batch.agents, batch.number) for batch in batches[:3]] == [
        (MATCHES[0], 1),
        (MATCHES[1], 0),
        (MATCHES[1], 1),
    ]
    assert len(batches) == 2 * len(MATCHES) - 1
    assert {(batch.opening, batch.seed) for batch in batches} == {(5, 3)}


def test_an_interrupted_run_leaves_complete_files_and_can_be_continued(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(sys, "argv", ["strength.py", "kalah", "--games", "50", "--out", str(tmp_path)])
    monkeypatch.setattr(strength, "MATCHES", (("greedy", "random"), ("greedy", "nobody")))

    def interrupted(batch):
        if batch.agents[1] == "nobody":
            raise KeyboardInterrupt
        return played(batch)

    played = strength.Batch.results
    monkeypatch.setattr(strength.Batch, "results", interrupted)
    main()
    assert "run the same command again to continue" in capsys.readouterr().out
    saved = json.loads((tmp_path / runs.RESULTS).read_text())
    assert (
        list(saved["points"]["kalah"]) == ["greedy > random"]
        and len(saved["points"]["kalah"]["greedy > random"][0]) == 25
    )
    assert "| Kalah |" in (tmp_path / runs.TABLE).read_text()
    for option in ("--seed", "--opening"):
        monkeypatch.setattr(sys, "argv", [*sys.argv[:6], option, "1"])
        with pytest.raises(SystemExit, match=r"was made with \{'seed': 0, 'opening': 6\}: choose another --out"):
            main()
