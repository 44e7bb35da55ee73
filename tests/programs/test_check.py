"""The compliance suites: scripts/maintenance/check.py and its table."""

import sys
from importlib.metadata import version

import pytest
from helpers.forms import slowly

from mancala_envs import REGISTRY
from mancala_envs.compliance import table
from mancala_envs.compliance.suites import SUITES, Suite, cases, every_case
from mancala_envs.compliance.table import run_in
from mancala_envs.scripts.maintenance.check import main

THREE = ("qelat", "qelat campaign", "qelat wrapped")


@pytest.fixture
def broken(monkeypatch):
    """Add a suite that fails, and one whose library is not installed."""

    def bad(case):
        """fails for campaigns"""
        print("printed before the failure")
        assert not case.campaign, "a campaign"

    def lost(case):
        """needs a missing library"""
        raise AssertionError("must not run")

    monkeypatch.setitem(SUITES, "bad", Suite(bad, ("pytest",), ""))
    monkeypatch.setitem(SUITES, "lost", Suite(lost, ("pytest", "no-such-library"), ""))


def rows(printed):
    """Parse the table's cells: game -> suite -> result."""
    lines = printed.splitlines()
    begin = max(i for i, line in enumerate(lines) if line.startswith(" " * 4))
    suites = lines[begin].split()
    end = lines.index("", begin)
    cells = (line.rsplit(maxsplit=len(suites)) for line in lines[begin + 1 : end])
    return {game.strip(): dict(zip(suites, results, strict=True)) for game, *results in cells}


def test_cases_are_rounds_campaigns_and_wrapped_environments():
    names = [case.name for case in every_case(list(REGISTRY))]
    assert {"kalah", "qelat", "qelat campaign", "qelat wrapped", "ceelkoqyuqkoqiji campaign"} <= set(names)
    assert not {"kalah campaign", "kalah wrapped"} & set(names) and len(names) == len(set(names))


def test_one_game_is_checked(capsys):
    assert main(["qelat", "--suites", "api,seed,save_obs,parallel,solo,vector,copies"]) == 0
    printed = capsys.readouterr().out
    passed = dict.fromkeys(["api", "seed", "parallel", "solo", "vector", "copies"], "ok")
    assert rows(printed) == {game: {**passed, "save_obs": "n/a"} for game in THREE}
    assert f"(pettingzoo {version('pettingzoo')})" in printed


def test_a_failing_suite_is_reported_and_sets_the_exit_status(broken, capsys):
    assert main(["qelat", "--suites", "seed,bad"]) == 1
    printed = capsys.readouterr().out
    ok, failed = {"seed": "ok", "bad": "ok"}, {"seed": "ok", "bad": "FAILED"}
    assert rows(printed) == dict(zip(THREE, (ok, failed, failed), strict=True))
    assert "AssertionError: a campaign" in printed and "printed before the failure" in printed


def test_a_missing_library_is_not_a_pass(broken, capsys):
    assert main(["kalah", "--suites", "seed,lost"]) == 1
    printed = capsys.readouterr().out
    assert rows(printed) == {"kalah": {"seed": "ok", "lost": "missing"}}
    assert "no-such-library not installed" in printed


@pytest.mark.slow
def test_suites_can_run_in_another_interpreter(monkeypatch):
    monkeypatch.setitem(SUITES, "elsewhere", Suite(SUITES["seed"].run, ("pettingzoo",), "rllib"))
    calls = []

    def here(python, chosen, names):
        calls.append((python, chosen, names))
        return run_in(sys.executable, ["seed"], names)

    monkeypatch.setattr(table, "run_in", here)
    main(["kalah", "--suites", "save_obs,elsewhere", "--python", "rllib=python-of-rllib"])
    assert calls == [("python-of-rllib", ["elsewhere"], ["kalah"])]


@pytest.mark.slow
def test_results_of_another_interpreter_are_read():
    cells, versions = run_in(sys.executable, ["seed", "save_obs"], ["kalah"])
    assert cells == {"kalah": {"seed": "ok", "save_obs": "n/a"}}
    assert versions["seed"] == SUITES["seed"].versions


@pytest.mark.slow
def test_another_interpreter_without_results_is_an_error():
    with pytest.raises(RuntimeError, match="ended without results, with status 1"):
        run_in(sys.executable, ["no_such_suite"], ["kalah"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", [*cases(["kalah"]), *slowly(*cases(["ceelkoqyuqkoqiji"]))], ids=lambda case: case.name)
def test_torchrl_suite_passes(case):
    pytest.importorskip("torchrl")
    SUITES["torchrl"].run(case)
