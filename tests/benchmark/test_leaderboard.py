"""The leaderboard: its tables, README's table and the guide agree with the files of results."""

import importlib
import json

import pytest
from helpers.programs import ROOT

from mancala_envs.benchmark import SEEDS, TASKS, version
from mancala_envs.benchmark.run import TITLES
from mancala_envs.benchmark.tasks import DECISIONS, LEARNERS
from mancala_envs.programs.files import RunError
from mancala_envs.programs.tables import Table


@pytest.fixture
def leaderboard(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("leaderboard")


def test_the_tables_and_readme_agree_with_the_files(leaderboard):
    rows = leaderboard.rows()
    readme = leaderboard.README.read_text()
    for name, table in leaderboard.tables(rows).items():
        assert Table.read(leaderboard.RESULTS / f"{name}.json") == table, "python docs/leaderboard.py writes the tables"
    assert readme == leaderboard.readme(readme, rows), "python docs/leaderboard.py writes the table of README"


def test_all_baselines_are_there_and_the_ladder_leaves_room_above_them(leaderboard):
    rows = {row.name: row for row in leaderboard.rows()}
    assert {*TITLES.values(), "random", "greedy", "minimax:2", "minimax:4", "mcts:400", "expert"} <= set(rows)
    assert all(len(scores) == len(SEEDS) for row in rows.values() for scores in row.scores.values())
    assert max(row.score for row in rows.values()) < 85
    assert all(row.decisions <= DECISIONS for row in rows.values() if row.track == LEARNERS)
    assert all(result["illegal"] == 0 for row in rows.values() for result in row.results())


def test_a_file_that_was_changed_by_hand_is_refused(leaderboard, tmp_path, monkeypatch):
    (path, *_) = sorted(leaderboard.FOLDER.glob("*.json"))
    content = json.loads(path.read_text())
    content["results"]["kalah"]["0"]["score"] += 1
    (tmp_path / path.name).write_text(json.dumps(content))
    monkeypatch.setattr(leaderboard, "FOLDER", tmp_path)
    with pytest.raises(RunError, match="does not follow from its games"):
        leaderboard.rows()


def test_files_are_small(leaderboard):
    assert all(path.stat().st_size < 60_000 for path in leaderboard.FOLDER.glob("*.json"))


def test_the_guide_names_the_version_and_the_number_of_tasks():
    guide = (ROOT / "docs" / "guides" / "benchmark.md").read_text()
    assert f"`{version()}`" in guide and f"{len(TASKS)} tasks" in guide.replace("ten tasks", "10 tasks")
