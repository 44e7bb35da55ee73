"""Learning curves of all methods: the missing runs, the table, the picture, and the program."""

import json
from types import SimpleNamespace

import pytest
from helpers.programs import run_program

from mancala_envs.evaluation import Score
from mancala_envs.learning import results
from mancala_envs.learning.settings import Settings
from mancala_envs.programs import files
from mancala_envs.scripts.maintenance.baselines import main
from mancala_envs.studies import baselines
from mancala_envs.studies.baselines import METHODS, by_method, mean_curve, run_name, table


def curve(*greedy, decisions=1000):
    """Return a curve with these points against greedy, each `decisions` and ten seconds after the last."""
    return [
        {"decisions": decisions * n, "seconds": 10.0 * n, "minimax:2": points / 2, "greedy": points}
        for n, points in enumerate(greedy, 1)
    ]


RESULTS = {
    run_name("qelat", "PPO", 0): curve(0.1, 0.2, 0.4),
    run_name("qelat", "PPO", 1): curve(0.1, 0.4, 0.6, decisions=2000),
    run_name("kalah", "AlphaZero", 0): curve(0.5, 0.7),
}


def test_runs_are_grouped_by_game_and_method():
    assert list(by_method(RESULTS, "qelat")) == ["PPO"] and len(by_method(RESULTS, "qelat")["PPO"]) == 2
    assert by_method(RESULTS, "kalah") == {"AlphaZero": [RESULTS["kalah, AlphaZero, seed 0"]]}
    assert baselines.games_in(RESULTS) == ["kalah", "qelat"]


def test_the_mean_covers_what_all_curves_cover():
    places, means = mean_curve(by_method(RESULTS, "qelat")["PPO"], "decisions", "greedy")
    # From 2000 decisions, the second curve's first point, to 3000, the first curve's last one.
    assert (places[0], places[-1]) == pytest.approx((2000, 3000))
    assert (means[0], means[-1]) == pytest.approx(((0.2 + 0.1) / 2, (0.4 + 0.25) / 2))
    places, means = mean_curve(by_method(RESULTS, "qelat")["PPO"], "seconds", "greedy")
    assert (places[0], places[-1]) == (10, 30) and (means[0], means[-1]) == pytest.approx((0.1, 0.5))


def test_the_table_shows_means_and_extremes_of_the_last_points():
    kalah, qelat = table(RESULTS, 1.5).text.splitlines()[-2:]
    assert kalah == "| Kalah | AlphaZero | 1 | 0.0 M | 70.0% (70.0 to 70.0) | 35.0% (35.0 to 35.0) |"
    assert qelat.endswith("| 2 | 0.0 M | 50.0% (40.0 to 60.0) | 25.0% (20.0 to 30.0) |")


def test_campaigns_have_methods_of_their_own_and_titles_with_options():
    campaign = "qelat(columns=4,max_rounds=20,campaign=True)"
    found = {run_name(campaign, "with ChangeOfWorth", 0): curve(0.5), **RESULTS}
    assert baselines.games_in(found) == ["kalah", "qelat", campaign]
    assert list(by_method(found, campaign)) == ["with ChangeOfWorth"] and list(by_method(found, "qelat")) == ["PPO"]
    row = table(found, 1.5).text.splitlines()[-1]
    of_campaigns = {name: run for name, run in found.items() if name.startswith(campaign)}
    assert table(of_campaigns, 0.75).command == "python scripts/maintenance/baselines.py --campaigns --minutes 0.75"
    assert table(found, 1.5).command == "python scripts/maintenance/baselines.py --minutes 1.5"
    assert row.startswith("| Qelat campaigns, columns=4, max_rounds=20 | with ChangeOfWorth | 1 | ")
    assert baselines.methods_of(campaign) == baselines.CAMPAIGN_METHODS
    assert baselines.shown(campaign) == "minimax:2" and baselines.shown("qelat") == "greedy"


def run(out, *arguments):
    run_program(main, *arguments, "--out", out)
    return json.loads((out / files.RESULTS).read_text())["curves"]


@pytest.mark.slow
def test_an_interrupted_run_is_continued_and_drawn(monkeypatch, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    made = []

    def train_one(game, method, seed, minutes):
        made.append((method, seed))
        if len(made) == 3:
            raise KeyboardInterrupt
        return curve(0.1, 0.2, 0.3)

    monkeypatch.setattr(baselines, "train_one", train_one)
    assert len(run(tmp_path, "kalah", "--seeds", "2")) == 2
    assert "run the same command again to continue" in capsys.readouterr().out
    assert len(run(tmp_path, "kalah", "--seeds", "2")) == 6 and made[2] == made[3] == ("AlphaZero", 0)
    assert [seed for _, seed in made] == [0, 0, 0, 0, 1, 1, 1], "seed by seed"
    assert (tmp_path / baselines.PICTURE).read_bytes()[8:12] == b"WEBP"
    with pytest.raises(SystemExit, match="choose another --out"):
        run(tmp_path, "kalah", "--minutes", "1")


def test_a_run_that_fails_is_reported_with_its_message(monkeypatch):
    monkeypatch.setitem(METHODS, "PPO", {"observe": "nothing"})
    with pytest.raises(files.RunError, match=r"kalah, PPO, seed 0 failed: observe must be one of"):
        baselines.train_one("kalah", "PPO", 0, 0.1)


def test_the_times_of_a_curve_leave_out_its_games(monkeypatch):
    clock = [0.0]

    def played(*arguments):
        clock[0] += 100
        return {}

    monkeypatch.setattr(results, "scores_now", played)
    monkeypatch.setattr(results, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    run = results.Progress(Settings("kalah"), [{"decisions": 9, "seconds": 3, "of": "a model that was not saved"}])
    run.begin(0)
    for decisions in (10, 20, 30):
        clock[0] += 5
        run.measure(None, decisions)
    run.bar.close()
    assert [point["seconds"] for point in run.curve] == [5, 10, 15]


def test_in_slow_games_points_are_rarer(monkeypatch):
    monkeypatch.setattr(results, "time", SimpleNamespace(monotonic=lambda: 130.0))
    assert results.next_point([{}, {}], 240.0, 129.0) == 189
    assert results.next_point([{}, {}], 240.0, 90.0) == 210
    assert results.next_point([{}], 240.0, 90.0) == 190, "the first games also compile"


@pytest.mark.parametrize(
    ("seconds_of_game", "games"), [(0.15, [40, 40]), (0.04, [100] * 3), (0.01, [300] * 3 + [100]), (0.006, [300] * 4)]
)
def test_a_point_has_as_many_games_as_its_time_allows_and_later_points_as_many(seconds_of_game, games, monkeypatch):
    """Games against minimax:4 take ten times as long as the others; a search that takes too long is left out."""
    clock, played = [0.0], {}

    def evaluate(play, opponent, games, **arguments):
        clock[0] += games * seconds_of_game * (10 if opponent == "minimax:4" else 1)
        played[opponent] = games
        return Score(1, games - 3, 2)

    monkeypatch.setattr(results, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(results, "evaluate", evaluate)
    settings = Settings("kalah", minutes=4.5)
    first = results.scores_now(None, settings, [])
    assert list(first) == list(results.MEASURED)[: len(games)]
    assert [score["wins"] + score["draws"] + score["losses"] for score in first.values()] == games
    # The first point takes less than the time between two points, smaller numbers that were tried included.
    assert clock[0] < 270 / results.POINTS
    played.clear()
    assert results.scores_now(None, settings, [first]) == first
    assert list(played.values()) == games


def test_later_points_have_more_games_if_the_first_was_slow(monkeypatch):
    clock, seconds_of_game = [0.0], [0.0]

    def evaluate(play, opponent, games, **arguments):
        clock[0] += games * seconds_of_game[0]
        return Score(1, games - 3, 2)

    monkeypatch.setattr(results, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(results, "evaluate", evaluate)
    settings, curve = Settings("kalah", minutes=4.5), []
    for seconds_of_game[0] in (0.1, 0.01, 0.1):
        curve.append(results.scores_now(None, settings, curve))
    games = [[sum(score[result] for result in ("wins", "draws", "losses")) for score in p.values()] for p in curve]
    assert games == [[40, 40, 40, 100], [300] * 4, [300] * 4]


def test_a_slow_start_of_the_games_leaves_no_search_out(monkeypatch):
    clock = [0.0]

    def evaluate(play, opponent, games, **arguments):
        clock[0] += 0.6  # All games are played at once, so more of them take no longer.
        return Score(1, games - 3, 2)

    monkeypatch.setattr(results, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(results, "evaluate", evaluate)
    assert list(results.scores_now(None, Settings("kalah", minutes=4.5), [])) == list(results.MEASURED)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_method_trains(method):
    points = baselines.train_one("kalah", method, 0, 0.2)
    decisions, seconds = ([point[name] for point in points] for name in ("decisions", "seconds"))
    assert decisions == sorted(decisions) and seconds == sorted(seconds)
    assert seconds[-1] < 60, "training goes on after its 12 seconds, even for the rollout of a busy machine"
    assert 0.5 < points[-1]["random"] <= 1
