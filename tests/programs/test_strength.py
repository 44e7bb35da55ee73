"""The table of strengths: what its cells say, and that it goes on where it ended."""

import json
import sys

import pytest

from mancala_envs.evaluation import runs, strength
from mancala_envs.evaluation.strength import MATCHES, called, cell, games_for_two, missing
from mancala_envs.scripts.strength import main


def test_a_cell_tells_points_and_interval_of_pairs():
    # 98 pairs won and two more, of which one counts as lost: by hand 99 of 100, a deviation of 0.1, 1.96 * 0.01.
    assert cell([[1.0] * 50, [1.0] * 48]) == "100.0% [97.0, 100.0] of 196"
    assert cell([[1.0] * 50] * 4) == "100.0% [98.5, 100.0]", "of 400, as usual"
    assert cell([[0.5] * 98]) == "**50.0% [48.6, 51.4]** of 196", "whoever is even is not the stronger"


def test_every_game_that_two_can_play_is_there_once():
    games = games_for_two()
    assert games["kalah"] == {} and games["sokkattan"] == {"players": 2}
    assert not {"pahada_keliya", "magazeb_ii"} & games.keys(), "four alone play the one; the other is Qelat"


def test_only_what_was_not_played_is_missing():
    results = {"kalah": {called(MATCHES[0]): [[1.0]]}}
    batches = list(missing(results, {"kalah": {}}, 2, opening=5, seed=3))
    assert [(batch.agents, batch.number) for batch in batches[:3]] == [
        (MATCHES[0], 1),
        (MATCHES[1], 0),
        (MATCHES[1], 1),
    ]
    assert len(batches) == 2 * len(MATCHES) - 1
    assert {(batch.opening, batch.seed) for batch in batches} == {(5, 3)}


def test_it_is_ended_early_with_whole_files_and_goes_on(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(sys, "argv", ["strength.py", "kalah", "--games", "50", "--out", str(tmp_path)])
    monkeypatch.setattr(strength, "MATCHES", (("greedy", "random"), ("greedy", "nobody")))

    def interrupted(batch):
        if batch.agents[1] == "nobody":
            raise KeyboardInterrupt
        return played(batch)

    played = strength.Batch.results
    monkeypatch.setattr(strength.Batch, "results", interrupted)
    main()
    assert "the same command goes on" in capsys.readouterr().out
    held = json.loads((tmp_path / runs.RESULTS).read_text())
    assert (
        list(held["points"]["kalah"]) == ["greedy > random"]
        and len(held["points"]["kalah"]["greedy > random"][0]) == 25
    )
    assert "| Kalah |" in (tmp_path / runs.TABLE).read_text()
    for option in ("--seed", "--opening"):
        monkeypatch.setattr(sys, "argv", [*sys.argv[:6], option, "1"])
        with pytest.raises(SystemExit, match=r"was made with \{'seed': 0, 'opening': 4\}: choose another --out"):
            main()
