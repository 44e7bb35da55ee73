"""The files of results, the score of the suite, and the command, with agents that fail."""

import json
import re
import signal
import subprocess
from time import sleep

import numpy as np
import pytest
from helpers.programs import command, refused, run_program, run_python

from mancala_envs.benchmark import LADDER, TASKS, Report, task, version
from mancala_envs.benchmark.report import read, scores_by_task
from mancala_envs.benchmark.run import TITLES, Unit, agent_for, benchmark
from mancala_envs.benchmark.score import another_seed, interquartile_mean, suite_score
from mancala_envs.programs.files import RunError
from mancala_envs.scripts.benchmark import main

RESULT = {"games": {opponent: [4 * "WWDL", 4 * "WLLL"] for opponent in LADDER}, "score": 43.75}
"""Points of 10 and 4 from 16 games each."""


def complete(path, score_of_seed=lambda name, seed: RESULT):
    report = Report(path, "mine")
    for name in TASKS:
        for seed in range(3):
            report.put(name, seed, score_of_seed(name, seed))
    return report


# The score.


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end():
    assert interquartile_mean([0, 10, 20], [30, 1000]) == pytest.approx(20)  # trims one of five at each end
    assert interquartile_mean([1, 2, 3, 100], [4, 5, 6, -50]) == pytest.approx((2 + 3 + 4 + 5) / 4)


def test_the_bootstrap_draws_seeds_within_each_task():
    """Tasks of very different scores widen the interval only if tasks are drawn, too."""
    scores = {f"task {k}": [10.0 * k, 10.0 * k + 1] for k in range(10)}
    score, (low, high) = suite_score(scores)
    assert low < score < high < low + 1 and score == pytest.approx(45.5)
    assert suite_score(scores) == (score, (low, high))
    assert suite_score({"a": [50.0, 50.0], "b": [50.0, 50.0]}) == (50.0, (50.0, 50.0))
    assert suite_score({"a": [50.0], "b": [50.0, 60.0]})[1] is None


def test_the_interval_of_another_seed_covers_nineteen_of_twenty():
    chance = np.random.default_rng(0)
    inside = []
    for _ in range(400):
        means = chance.uniform(20, 60, 10)
        scores = {str(k): list(chance.normal(mean, 3, 3)) for k, mean in enumerate(means)}
        half = another_seed(scores)
        inside += [abs(chance.normal(mean, 3) - np.mean(scores[str(k)])) < half for k, mean in enumerate(means)]
    assert 0.93 < np.mean(inside) < 0.97


# The file.


def test_a_report_writes_what_is_needed_to_check_a_result(tmp_path):
    report = Report(tmp_path / "runs" / "mine.json", "mine", "learners", {"learning rate": 1e-3})
    first = report.measure("kalah", 0, "greedy", 100)
    score = report.add("kalah", 0, "greedy", decisions=200)
    content = json.loads(report.path.read_text())
    assert content["version"] == version() and content["settings"] == {"learning rate": 1e-3}
    assert content["protocol"]["ladder"] == list(LADDER) and set(content["protocol"]["tasks"]) == set(TASKS)
    assert content["machine"]["cores"] and content["machine"]["packages"]["numpy"] == np.__version__
    entry = content["results"]["kalah"]["0"]
    assert entry["curve"] == [[100, first]] and entry["learnt"] == 200 and entry["score"] == score
    assert all([len(seat) for seat in entry["games"][opponent]] == [16, 16] for opponent in LADDER)
    report.measure("kalah", 0, "greedy", 50)
    assert report.results["kalah"]["0"]["curve"] == [[50, first]], "a training that begins again"
    again = Report(report.path, "mine", "learners", {"learning rate": 1e-3})
    assert again.has("kalah", 0) and not again.has("kalah", 1) and not again.has("oware", 0)


def test_a_report_is_continued_whatever_types_the_settings_have(tmp_path):
    for _ in range(2):
        Report(tmp_path / "mine.json", "mine", "learners", {"net_arch": (64, 64), 1: 2}).fail("kalah", 0, "", "")


def test_the_open_track_has_no_decisions(tmp_path):
    report = Report(tmp_path / "mine.json", "mine")
    for play in (report.add, report.measure):
        with pytest.raises(ValueError, match="only the track 'learners' has decisions, got 100"):
            play("kalah", 0, "greedy", decisions=100)


def test_reports_of_one_file_keep_each_others_results(tmp_path):
    one, other = (Report(tmp_path / "mine.json", "mine", "learners") for _ in range(2))
    one.measure("kalah", 0, "greedy", np.int64(50))
    other.fail("kalah", 1, "error", "position")
    content = json.loads(one.path.read_text())
    assert set(content["results"]["kalah"]) == {"0"} and len(content["failures"]) == 1


@pytest.mark.parametrize("decisions", [None, -1, 1_000_001, 0.5, True])
def test_the_budget_of_learners_is_checked_before_anything_is_played(tmp_path, decisions):
    report = Report(tmp_path / "mine.json", "mine", "learners")
    for play in (report.add, report.measure):
        with pytest.raises(ValueError, match="decisions must be an integer from 0 to 1000000, got"):
            play("kalah", 0, "greedy", decisions)
    assert not report.path.exists()


def test_files_of_other_agents_settings_and_versions_are_refused(tmp_path):
    path = complete(tmp_path / "mine.json").path
    with pytest.raises(ValueError, match="track must be one of 'learners', 'open', got 'closed'"):
        Report(path, "mine", "closed")
    for other in (("another", "open"), ("mine", "learners"), ("mine", "open", {"depth": 3})):
        with pytest.raises(RunError, match="choose another --out"):
            Report(path, *other)
    content = json.loads(path.read_text())
    content["version"] = "1-00000000"
    content["protocol"]["tasks"]["bao"] = "000000000000"
    content["protocol"]["openings"] = 1
    path.write_text(json.dumps(content))
    with pytest.raises(RunError, match=r"cannot be compared; changed: openings, the rules, observations or .* of bao"):
        Report(path, "mine")
    path.write_text('{"results": {}}')
    with pytest.raises(RunError, match="holds no result of the benchmark"):
        read(path)


def test_a_score_that_does_not_follow_from_the_games_is_refused(tmp_path):
    report = complete(tmp_path / "mine.json")
    assert set(map(tuple, scores_by_task(report.content, (0, 1, 2)).values())) == {(43.75, 43.75, 43.75)}
    report.results["oware"]["1"]["score"] = 99.0
    with pytest.raises(RunError, match="the score of seed 1 of oware does not follow from its games"):
        scores_by_task(report.content, (0, 1, 2))
    for games in (None, {}, report.results["kalah"]["1"]["games"] | {LADDER[0]: ["W", "W"]}):
        report.results["kalah"]["1"]["games"] = games
        with pytest.raises(RunError, match="the result of seed 1 of kalah is not one that `play` returns"):
            scores_by_task(report.content, (0, 1, 2))
    with pytest.raises(RunError, match=r"no result of the seeds \[3\] of kalah"):
        scores_by_task(report.content, (3,))


# The command.

AGENTS = """
import os, time

class Agent:
    def __init__(self, seed):
        self.seed, self.calls = seed, 0

    def __call__(self, observations, masks):
        self.calls += 1
        if self.calls > 5 and not os.path.exists("healed"):
            if self.seed == 1:
                raise RuntimeError("no idea")
            if self.seed == 2:
                time.sleep(1000)
            if self.seed == 3:
                os._exit(3)
        return masks.argmax(1)

def make(task, seed):
    assert task.name == "kalah"
    return Agent(seed)
"""


def test_agents_that_raise_hang_or_end_the_process_are_reported_and_the_others_play(tmp_path):
    (tmp_path / "agents_of_test.py").write_text(AGENTS)
    program = command("scripts/benchmark.py")[1:]
    words = [*program, "agents_of_test:make", "--tasks", "kalah", "--seeds", "0", "1", "2", "3", "--seconds", "0.1"]
    words += ["--jobs", "2", "--out", "mine.json"]
    done = run_python(*words, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    content = json.loads((tmp_path / "mine.json").read_text())
    assert list(content["results"]["kalah"]) == ["0"] and content["results"]["kalah"]["0"]["illegal"] == 0
    failures = {one["seed"]: one for one in content["failures"]}
    assert sorted(failures) == [1, 2, 3]
    for seed, words_of_error in {1: "RuntimeError: no idea", 2: "no answer within", 3: "exit code 3"}.items():
        assert words_of_error in failures[seed]["error"] and failures[seed]["task"] == "kalah"
        state = task("kalah").game.parse(failures[seed]["position"])
        assert state["to_move"][0] >= 0
    assert "kalah" in done.stdout and "no score of the suite" in done.stdout
    (tmp_path / "healed").touch()
    done = run_python(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    content = json.loads((tmp_path / "mine.json").read_text())
    assert sorted(content["results"]["kalah"]) == ["0", "1", "2", "3"] and content["failures"] == []


def test_an_agent_that_never_loads_is_reported(tmp_path, monkeypatch):
    (tmp_path / "never_loads.py").write_text("import time\ndef make(task, seed):\n    time.sleep(1000)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("mancala_envs.benchmark.run.LOADING", 0.5)
    assert not benchmark("never_loads:make", tasks=["kalah"], seeds=[0], out=tmp_path / "mine.json")
    (failure,) = json.loads((tmp_path / "mine.json").read_text())["failures"]
    assert failure["error"] == "no answer within 0.5 seconds to the first request"
    assert failure["position"] == "none, before the first decision"


def test_a_module_that_lacks_another_one_is_no_path_of_a_model(tmp_path, monkeypatch):
    (tmp_path / "lacking_agents.py").write_text("import lacking\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'lacking'"):
        agent_for("lacking_agents:make", task("kalah"), 0)


@pytest.mark.slow
def test_ctrl_c_leaves_a_whole_file_and_the_same_command_continues(tmp_path):
    out = tmp_path / "mine.json"
    words = ["mcts:100", "--tasks", "kalah", "oware", "--seeds", "0", "1", "2", "--jobs", "1", "--out", out]
    running = subprocess.Popen(command("scripts/benchmark.py", *words), stdout=subprocess.PIPE, text=True)
    while not out.exists():
        assert running.poll() is None
        sleep(0.1)
    running.send_signal(signal.SIGINT)
    assert "run the same command again" in running.communicate(timeout=60)[0] and running.returncode == 1
    before = json.loads(out.read_text())["results"]
    assert 0 < sum(map(len, before.values())) < 6
    with pytest.raises(SystemExit) as ended:
        run_program(main, *words)
    after = json.loads(out.read_text())["results"]
    assert ended.value.code == 0 and sum(map(len, after.values())) == 6
    assert all(after[name][seed] == before[name][seed] for name in before for seed in before[name])


def test_a_result_of_another_network_is_refused(tmp_path):
    out = tmp_path / "mine.json"
    Report(out, "expert", settings={"agent": "expert"}).put("kalah", 0, RESULT | {"checksum": 1})
    error = refused(main, "expert", "--tasks", "kalah", "--seeds", "0", "0", "--out", out)
    assert f"expert is not the agent that played kalah in {out}: choose another --out" in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give either AGENT or --train"),
        (["greedy", "--train", "ppo"], "give either AGENT or --train"),
        (["mctz:400"], "an agent must be one of .*got 'mctz:400' .did you mean 'mcts'"),
        (["runs/{task}.zip"], "runs/kalah.zip.*there is no such file"),
        (["math:nothing"], "math has no function nothing"),
        (["greedy", "--decisions", "5"], "only the track learners has --decisions"),
        (["greedy", "--track", "learners"], "the track learners needs --decisions, up to 1,000,000, got None"),
        (["--train", "ppo", "--decisions", "1000001"], "up to 1,000,000, got 1000001"),
        (["mcts:5", "--track", "learners", "--decisions", "5"], "mcts:5 searches when it plays, so its track is open"),
        (["greedy", "--tasks", "chess"], "invalid choice: 'chess'"),
    ],
)
def test_bad_arguments_are_refused(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = refused(main, *words)
    assert re.search(message, error, re.DOTALL), error
    assert not list(tmp_path.iterdir())


def test_the_path_of_a_model_may_depend_on_task_and_seed():
    assert agent_for("runs/{task}_{seed}/model.zip", task("oware"), 2) == "runs/oware_2/model.zip"
    assert agent_for("mcts:40", task("oware"), 2) == "mcts:40"


@pytest.mark.slow
@pytest.mark.parametrize("name", TITLES)
def test_every_baseline_learns_and_is_measured_on_the_way(name):
    pytest.importorskip("sb3_contrib")
    asked = []
    result = Unit("kalah", 0, name, 100_000, trains=True).run(asked.append)
    assert 90_000 < result["learnt"] <= 100_000 and result["training_cpu_seconds"] > 0 == result["illegal"]
    assert [decisions for decisions, _ in result["curve"]] == sorted({point[0] for point in result["curve"]})
    assert len(result["curve"]) == 2 and asked
    assert np.mean(result["points"]["random"]) > 0.65, "better than random play"
