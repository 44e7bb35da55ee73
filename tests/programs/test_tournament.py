"""Tournaments: seating, ratings, and continuing from the files of an earlier call."""

import json
import os
import signal
import subprocess
import sys
import time
from math import log10, sqrt
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from helpers.programs import refused, run_program, run_python

from mancala_envs import make_game
from mancala_envs.evaluation import every_game, matches, tournament
from mancala_envs.evaluation.matches import Batch, leads
from mancala_envs.evaluation.ratings import ratings
from mancala_envs.evaluation.score import interval_of
from mancala_envs.scripts.tournament import main


def batch(**changed):
    default = {"game": "kalah", "campaign": False, "options": {}, "agents": ("greedy", "random"), "number": 0}
    return Batch(**{**default, "games": 40, "opening": 4, "seed": 0, **changed})


# Ratings.


def test_ratings_of_two_agents_by_hand():
    elo, half = ratings(np.array([[0, 75.0], [25.0, 0]]))
    # One drawn game is added. The difference is the logarithm of the odds; each rating is half of it, as the mean is 0.
    assert elo == pytest.approx([200 * log10(75.5 / 25.5), -200 * log10(75.5 / 25.5)])
    of_difference = 1.959964 * 400 * log10(np.e) / sqrt(101 * (75.5 / 101) * (25.5 / 101))
    assert half == pytest.approx([of_difference / 2] * 2)


def test_strengths_are_recovered_from_expected_results():
    strengths = np.array([310.0, 20.0, -80.0, -250.0])
    chances = 1 / (1 + 10 ** ((strengths - strengths[:, None]) / 400))
    met = np.array([[0, 1, 1, 0], [1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 1, 0]]) * 1_000_000
    elo, half = ratings(chances * met)
    assert elo == pytest.approx(strengths, abs=0.01)
    assert half.max() < 1


def test_intervals_cover_the_true_strengths_95_percent_of_the_time():
    chance = np.random.default_rng(0)
    strengths = np.array([100.0, 0.0, -100.0])
    chances = 1 / (1 + 10 ** ((strengths - strengths[:, None]) / 400))
    covered = 0
    for _ in range(300):
        won = np.triu(chance.binomial(200, chances), 1)
        points = won + np.triu(200 - won, 1).T
        elo, half = ratings(points.astype(float))
        covered += (np.abs(elo - strengths) < half).sum()
    assert 0.92 < covered / 900 < 0.98


def test_an_agent_that_has_won_all_its_games_has_a_finite_rating_and_interval():
    elo, half = ratings(np.array([[0, 100.0], [0, 0]]))
    assert 0 < elo[0] < 1000 and 0 < half[0] < 1000


# Games.


@pytest.mark.parametrize("opening", [3, (2, 5), 0], ids=str)
def test_openings_are_random_and_the_same_for_every_pairing(monkeypatch, opening):
    begun = []

    def noting(game, states, *rest):
        begun.append(states.copy())
        return np.zeros(len(states))

    monkeypatch.setattr(matches, "leads", noting)
    for agents in (("greedy", "random"), ("minimax:2", "greedy")):
        batch(game="oware", agents=agents, opening=opening).play()
    first, second = begun
    assert first.tobytes() == second.tobytes() and first[:20].tobytes() == first[20:].tobytes()
    low, high = (opening, opening) if isinstance(opening, int) else opening
    assert set(first["turn"]) == set(range(low, high + 1))
    assert len(np.unique(first["holes"], axis=0)) > (10 if opening else 0)


def show_chance(monkeypatch, game):
    """Show agents the field `chance` as it is. Games that do not use it are numbered by it here."""
    monkeypatch.setattr(game, "copies", lambda states, *arguments: states.copy())


def test_later_rounds_of_a_campaign_can_begin_with_random_decisions(monkeypatch):
    game = make_game("daramutu", campaign=True, max_rounds=4)
    show_chance(monkeypatch, game)
    asked = [[] for _ in range(12)]

    def first_legal(states, seed):
        for state in states:
            decision = int(state["round_number"]), state["phase"] != 0, state["holes"].tobytes()
            asked[state["chance"]].append(decision)
        return game.legal(states).argmax(1)

    def rounds(each_round):
        """Return the decisions of the agents in each of the games, by round, apart from those about the set-out."""
        states = np.repeat(game.init(1, 0), len(asked))
        states["chance"] = np.arange(len(asked))
        for decisions in asked:
            decisions.clear()
        leads(game, states, np.zeros(len(asked), np.int64), [first_legal] * 2, np.random.default_rng(0), each_round)
        assert all(any(sets_out for _, sets_out, _ in decisions) for decisions in asked), "the agents set out"
        return [
            [[where for at, sets_out, where in decisions if at == number and not sets_out] for number in (1, 2)]
            for decisions in asked
        ]

    usual, varied = rounds(0), rounds(2)
    assert all(game_of == usual[0] for game_of in usual)
    assert all(game_of[0] == usual[0][0] for game_of in varied), "the first round has its own opening"
    assert len({tuple(game_of[1]) for game_of in varied}) > 3
    assert usual[0][1][0] not in {game_of[1][0] for game_of in varied if game_of[1]}, "nobody is asked before them"


def test_agents_see_neither_future_draws_nor_hidden_throws():
    game = make_game("ceelkoqyuqkoqiji", campaign=True, first="throw", max_rounds=4)
    states, raw, shown = game.init(1, 0, opening=6), [], []

    def choose(given, seed):
        raw.append(states.copy())
        shown.append(given.copy())
        return game.sample(given, seed)

    leads(game, states, np.zeros(1, np.int64), [choose] * 2, np.random.default_rng(0))
    raw, shown = np.concatenate(raw), np.concatenate(shown)
    assert not (raw["chance"] == shown["chance"]).any()
    mover = raw["to_move"]
    theirs = np.take_along_axis(raw["thrown"], 1 - mover[:, None], 1)[:, 0]
    own = np.take_along_axis(raw["thrown"], mover[:, None], 1)[:, 0]
    hidden = (theirs >= 0) & (own < 0)
    assert hidden.any(), "the other player has thrown, and the agent is to throw"
    assert not (shown["thrown"][hidden] >= 0).all(1).any()
    assert (np.take_along_axis(shown["thrown"], 1 - mover[:, None], 1)[hidden, 0] == -1).all()


@pytest.mark.parametrize(("name", "players"), [("kalah", 2), ("dongjintian", 4)])
def test_agents_take_alternate_seats_and_swap_them(name, players, monkeypatch):
    game = make_game(name)
    show_chance(monkeypatch, game)
    assert game.num_deciding == players
    seats = {"first": set(), "second": set()}

    def noting_seats(agent):
        def choose(states, seed):
            seats[agent] |= {
                (int(number), int(mover)) for number, mover in zip(states["chance"], states["to_move"], strict=True)
            }
            return game.sample(states, seed)

        return choose

    states = np.tile(game.init(1, 0), 2)
    states["chance"] = [1, 2]
    agents = [noting_seats("first"), noting_seats("second")]
    lead = leads(game, states, np.array([0, 1]), agents, np.random.default_rng(0))
    even, odd = set(range(0, players, 2)), set(range(1, players, 2))
    assert seats["first"] == {(1, seat) for seat in even} | {(2, seat) for seat in odd}
    assert seats["second"] == {(1, seat) for seat in odd} | {(2, seat) for seat in even}
    assert lead.shape == (2,) and (states["to_move"] < 0).all()


def test_the_better_agent_wins_from_both_seats():
    better = batch().play()
    assert [len(results) for results in better] == [20, 20]
    assert all(results.count(1) > 14 for results in better)
    worse = batch(agents=("random", "greedy")).play()
    assert all(results.count(-1) > 14 for results in worse)


def test_results_depend_on_the_seed_and_the_number_only():
    results = batch(agents=("random", "greedy"), games=100).play()
    assert results == batch(agents=("random", "greedy"), games=100).play()
    assert results != batch(agents=("random", "greedy"), games=100, number=1).play()
    assert results != batch(agents=("random", "greedy"), games=100, seed=1).play()


# The program.


def run(out, *arguments):
    """Run the program for kalah, with batches of four and these arguments, and return its results.json."""
    run_program(main, "kalah", *arguments, "--batch", 4, "--out", out)
    return json.loads((out / "results.json").read_text())


def test_a_tournament_writes_table_picture_and_ratings(tmp_path, capsys):
    out = tmp_path / "t"
    results = run(out, "random", "greedy", "--games", 40)["results"]
    assert len(results) == 10
    assert capsys.readouterr().out.startswith((out / "table.md").read_text())
    best, worst = json.loads((out / "ratings.json").read_text())
    assert (best["agent"], worst["agent"]) == ("greedy", "random")
    assert best["games"] == worst["games"] == 40
    counted = best["against"]["random"]
    played = [one for batch in results for row in batch["results"] for one in row]
    assert [counted["losses"], counted["draws"], counted["wins"]] == [played.count(sign) for sign in (1, 0, -1)]
    pairs = [1 - (row[0] + row[1] + 2) / 4 for batch in results for row in zip(*batch["results"], strict=True)]
    assert counted["interval_95"] == pytest.approx(list(interval_of(pairs))), "an opening is one result"
    assert best["points"] + worst["points"] == 40
    assert best["rating"] == pytest.approx(-worst["rating"])
    assert best["interval_95"][0] < best["rating"]
    assert (out / "ratings.png").read_bytes()[:4] == b"\x89PNG"
    assert not list(out.glob("*.part"))


def test_a_tournament_can_be_continued_with_more_games_and_more_agents(tmp_path):
    few = run(tmp_path, "random", "greedy", "--games", 4)
    more = run(tmp_path, "random", "greedy", "--games", 8)
    assert more["results"][:1] == few["results"] and len(more["results"]) == 2
    again = run(tmp_path, "greedy", "random", "--games", 8)
    assert again["results"] == more["results"]
    at_once = run(tmp_path / "other", "random", "greedy", "--games", 8)
    assert at_once == more


def test_a_tournament_plays_as_many_games_as_it_was_asked_for(tmp_path, capsys):
    def sizes(played):
        return [(result["number"], sum(map(len, result["results"]))) for result in played["results"]]

    six = run(tmp_path, "random", "greedy", "--games", 6)
    assert sizes(six) == [(0, 4), (1, 2)]
    assert json.loads((tmp_path / "ratings.json").read_text())[0]["games"] == 6
    # A larger tournament plays the smaller last batch again, whole.
    ten = run(tmp_path, "greedy", "random", "--games", 10)
    assert ten["results"][0] == six["results"][0] and sizes(ten) == [(0, 4), (1, 4), (2, 2)]
    assert run(tmp_path, "random", "greedy", "--games", 6) == ten
    capsys.readouterr()
    assert sizes(run(tmp_path / "odd", "random", "greedy", "--games", 5)) == [(0, 4), (1, 2)]
    assert "playing 6 games of each pairing: every opening is played twice" in capsys.readouterr().out


def test_ctrl_c_keeps_the_results_so_far(monkeypatch, tmp_path, capsys):
    def interrupted(batches):
        yield batches[0], batches[0].play()
        raise KeyboardInterrupt

    with monkeypatch.context() as changed:
        changed.setattr(tournament, "in_this_process", interrupted)
        partial = run(tmp_path, "random", "greedy", "--games", 8)
    assert len(partial["results"]) == 1
    assert "run the same command again to continue" in capsys.readouterr().out
    assert (tmp_path / "ratings.png").is_file()
    assert run(tmp_path, "random", "greedy", "--games", 8)["results"][:1] == partial["results"]


def test_a_folder_with_another_tournament_is_refused(tmp_path):
    run(tmp_path, "random", "greedy", "--games", 4)
    before = (tmp_path / "results.json").read_bytes()
    for arguments, message in (
        (("--seed", 1), "whose seed is 0, not 1"),
        (("--opening", 2), "whose opening is 6, not 2"),
        (("--option", "seeds=3"), r"whose plays is 'kalah', not 'kalah\(seeds=3\)'"),
    ):
        with pytest.raises(SystemExit, match=message):
            run(tmp_path, "random", "greedy", *arguments)
    assert (tmp_path / "results.json").read_bytes() == before
    (tmp_path / "results.json").write_text("[1]")
    with pytest.raises(SystemExit, match="holds no tournament"):
        run(tmp_path, "random", "greedy")


@pytest.mark.slow
def test_processes_give_the_same_results_and_a_changed_model_is_refused(tmp_path):
    sb3_contrib = pytest.importorskip("sb3_contrib")
    import gymnasium as gym

    path = tmp_path / "model.zip"
    model = sb3_contrib.MaskablePPO("MlpPolicy", gym.make("mancala_envs/Kalah-v0"), seed=0, device="cpu")
    model.save(path)
    agents = ("random", "greedy", path, "--games", 8)
    alone = run(tmp_path / "alone", *agents)
    words = ("kalah", *agents, "--batch", 4, "--jobs", 2, "--out", tmp_path / "two")
    done = run_python("scripts/tournament.py", *words)
    assert done.returncode == 0, done.stderr
    both = json.loads((tmp_path / "two" / "results.json").read_text())
    assert both["agents"] == alone["agents"] and isinstance(both["agents"][str(path)], int)
    assert sorted(map(str, both["results"])) == sorted(map(str, alone["results"]))
    model.set_random_seed(1)
    model.learning_rate = 0.5
    model.save(path)
    with pytest.raises(SystemExit, match="is not the agent that played"):
        run(tmp_path / "alone", *agents)


# Damaged files and ended processes.


def one_batch(**wrong):
    """Return results of one batch, with these wrong values."""
    return [{"agents": ["random", "greedy"], "number": 0, "results": [[1, 0], [0, -1]], **wrong}]


WRONG = {
    "settings": [5, None, []],
    "agents": [5, ["random", "greedy"], {"random": "x", "greedy": None}],
    "results": [
        *(5, {}, [5], [{}], one_batch(number="0")),
        *(one_batch(agents=agents) for agents in ("ab", ["random"], [1, 2], [[], []], ["random", "nobody"])),
        *(one_batch(results=rows) for rows in (5, [1, 0], [[1, 0]], [[1, 0], [1]], [[], []])),
        *(one_batch(results=[row] * 2) for row in (["a", "b"], [0, 2], [0.5, 0])),
    ],
}


def test_results_of_wrong_types_are_refused(tmp_path):
    right = run(tmp_path, "random", "greedy", "--games", 4)
    file = tmp_path / "results.json"
    for name, wrong in WRONG.items():
        for value in wrong:
            file.write_text(json.dumps(right | {name: value}))
            with pytest.raises(SystemExit, match=r"results\.json holds no tournament"):
                run(tmp_path, "random", "greedy", "--games", 8)
    file.write_text("[" * 100_000)
    with pytest.raises(SystemExit, match=r"results\.json is missing or broken"):
        run(tmp_path, "random", "greedy", "--games", 8)


def test_only_one_program_writes_to_a_folder(monkeypatch, tmp_path):
    def another(batches):
        with pytest.raises(SystemExit, match=r"another program writes to .*: wait for it, or choose another --out"):
            run(tmp_path, "random", "greedy", "--games", 4)
        for batch in batches:
            yield batch, batch.play()

    with monkeypatch.context() as changed:
        changed.setattr(tournament, "in_this_process", another)
        assert len(run(tmp_path, "random", "greedy", "--games", 8)["results"]) == 2
    assert len(run(tmp_path, "random", "greedy", "--games", 12)["results"]) == 3


def test_an_unexpected_signal_ends_a_program_with_one_line(monkeypatch, tmp_path):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "draw", interrupted)
    with pytest.raises(SystemExit, match=r"^interrupted$"):
        run(tmp_path, "random", "greedy", "--games", 4)


PARENT = """
import multiprocessing, os, signal, threading, time
from mancala_envs.evaluation.matches import Batch, in_processes

def show():
    while len(multiprocessing.active_children()) < 2:
        time.sleep(0.1)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)

threading.Thread(target=show).start()
batches = [Batch("kalah", False, {}, ("mcts:100000000ms", "random"), number, 2, 0, 0) for number in range(2)]
list(in_processes(batches, 2))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_workers_end_with_a_parent_that_was_killed():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        workers = [int(word) for word in parent.stdout.readline().split()]
        assert len(workers) == 2
        time.sleep(10)  # They compile, or search.
        parent.kill()
    try:
        for worker in workers:
            for _ in range(100):
                if not is_running(worker):
                    break
                time.sleep(0.1)
            assert not is_running(worker)
    finally:
        for worker in filter(is_running, workers):
            os.kill(worker, signal.SIGKILL)


@pytest.mark.slow
def test_an_interrupt_ends_the_workers_and_no_other_processes():
    other = get_context("spawn").Process(target=time.sleep, args=(600,), daemon=True)
    other.start()
    batches = [Batch("kalah", False, {}, ("random", "random"), number, 2, 0, 0) for number in range(4)]
    playing = matches.in_processes(batches, 2)
    next(playing)
    playing.close()
    assert other.is_alive()
    other.kill()
    other.join()


def is_running(process):
    """Whether a process exists and has not ended; nobody may have waited for it."""
    status = Path("/proc", str(process), "stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


# Tournaments in every game.


def test_models_play_the_games_that_have_them(tmp_path):
    (tmp_path / "kalah.zip").touch()
    model = f"{tmp_path}/{{game}}.zip"
    agents = ["random", "expert:400", model]
    assert every_game.entrants(agents, "kalah") == ["random", "expert:400", f"{tmp_path}/kalah.zip"]
    assert every_game.entrants(agents, "oware") == ["random", "expert:400"]


def test_a_model_that_no_game_has_is_refused_before_anything_is_played(monkeypatch, tmp_path):
    monkeypatch.setattr(every_game, "distinct", lambda: ["kalah", "oware"])
    error = refused(main, "all", "random", "greedy", "runs/{game}/modl.zip", "--out", tmp_path / "out")
    assert "no game has the agent" in error and "modl.zip" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_tournament_in_every_game_ends_with_one_table(monkeypatch, tmp_path):
    monkeypatch.setattr(every_game, "distinct", lambda: ["kalah", "oware"])
    run_program(main, "all", "random", "greedy", "expert:20", "--games", 20, "--out", tmp_path)
    head, _, kalah, oware = (tmp_path / "table.md").read_text().splitlines()[2:]
    assert head == "| game | `random` | `greedy` | `expert:20` |"
    rows = {row["agent"]: row for row in json.loads((tmp_path / "oware" / tournament.RATINGS).read_text())}
    low, high = rows["greedy"]["interval_95"]
    middle = f"{rows['greedy']['rating']:+.0f} ± {(high - low) / 2:.0f}"
    assert middle in oware and oware.startswith("| Oware Abapa | -")
    assert all("**" in line and line.count("±") == 3 for line in (kalah, oware))


def test_ctrl_c_in_a_later_game_leaves_the_table_of_the_earlier_ones(monkeypatch, tmp_path):
    def until_oware(batches):
        for batch in batches:
            if batch.game == "oware":
                raise KeyboardInterrupt
            yield batch, batch.play()

    monkeypatch.setattr(every_game, "distinct", lambda: ["kalah", "oware"])
    monkeypatch.setattr(tournament, "in_this_process", until_oware)
    run_program(main, "all", "random", "greedy", "--games", 4, "--opening", "2-8", "--seed", 3, "--out", tmp_path)
    content = json.loads((tmp_path / "table.json").read_text())
    assert [row[0] for row in content["rows"]] == ["Kalah"]
    assert content["command"].endswith("all random greedy --games 4 --opening 2-8 --batch 50 --seed 3")
