"""The study of a game: its figures, its variants, and continuing an interrupted run."""

import json

import numpy as np
import pytest
from helpers.programs import refused, run_program

from mancala_envs import make_game
from mancala_envs.programs import files
from mancala_envs.programs.tables import in_markdown
from mancala_envs.registry import distinct
from mancala_envs.scripts.maintenance.analyse import main
from mancala_envs.studies import options as study
from mancala_envs.studies.options import Match
from mancala_envs.studies.played import Played, laps, statistics_of_random_play


def test_figures_by_hand():
    # Three games of 2, 4 and 6 decisions: a mean of 4, a deviation of 2, 1.96 * 2 / sqrt(3).
    assert study.ratio([2, 4, 6]) == pytest.approx((4.0, 2.263), abs=1e-3)
    # Every game has half as many relays as turns, so the ratio does not vary.
    assert study.ratio([1, 2, 4], [2, 4, 8]) == pytest.approx((0.5, 0.0))
    # 98 games won and two more, of which one counts as lost: by hand 99 of 100, a deviation of 0.1, 1.96 * 0.01.
    assert study.share([1.0] * 98) == pytest.approx((1.0, 0.0196), abs=1e-4)


def test_the_interval_of_a_share_lies_within_0_and_100_percent():
    assert in_markdown(study.cell("points", study.share([1.0] * 98))) == "100.0% [98.0, 100.0]"
    assert in_markdown(study.cell("drawn", study.share([0.0] * 98))) == "0.0% [0.0, 2.0]"
    assert in_markdown(study.cell("decisions", (44.0, 1.0))) == "44.0 ± 1.0"


def test_figures_that_differ_significantly():
    # 95% intervals of 3 and 4 give one of 5 for the difference; the 99.9% interval is 8.4.
    assert study.differ((0.0, 3.0), (8.5, 4.0)) and not study.differ((0.0, 3.0), (8.3, 4.0))
    assert study.differ((1.0, 0.0), (2.0, 0.0)) and not study.differ((1.0, 0.0), (1.0, 0.0))


def test_laps_of_an_explanation():
    goats = ["player_0: lift own hole 4", "lifts the mu from own hole 4", "lifts 2 from own hole 4", "drops the mu"]
    assert laps(goats) == 1, "large stones are lifted with the others"
    assert laps([*goats, "sows 2", "lifts 1 from own hole 0", "sows 1", "lifts 3 from own hole 2", "sows 3"]) == 3


def test_laps_agree_with_the_state():
    game = make_game("daramutu")
    states = np.asarray(game.init(1, 5))
    for turn in range(8):
        before, action = int(states["laps_sown"][0]), game.sample(states, turn)
        explained = laps(game.explain(states, int(action[0])))
        game.step(states, action)
        assert explained == states["laps_sown"][0] - before


def test_one_option_is_changed_at_a_time():
    variants = study.variants("daramutu", {}, sizes=False)
    assert variants == {
        "": {},
        "seeds=3": {"seeds": 3},
        "seeds=5": {"seeds": 5},
        "reading='summary'": {"reading": "summary"},
        "fours=False": {"fours": False},
    }
    assert "columns=8" in study.variants("daramutu", {}, sizes=True)
    without = study.variants("daramutu", {"fours": False}, sizes=False)
    assert without["fours=True"] == {"fours": True} and without["seeds=3"] == {"fours": False, "seeds": 3}
    assert "reading='summary'" not in without, "the game does not allow it, because nothing could be captured"
    assert study.variants("pahada_keliya", {}, sizes=False)["past=3"] == {"past": 3}


def test_numeric_options_take_adjacent_values_or_all_of_few():
    options = {option.name: option for option in make_game("niranchy").book.options}
    assert study.others(options["men"], 12) == [11], "12 is the maximum"
    assert study.others(options["men"], 5) == [4, 6]
    counters = {option.name: option for option in make_game("sokkattan").book.options}["counters"]
    assert study.others(counters, 3) == [1, 2, 4], "all values, because they are few"


def test_every_game_is_listed_once():
    games = distinct()
    assert "qelat" in games and "pahada_keliya" in games and "magazeb_ii" not in games


def test_points_are_those_of_the_first_player():
    game = make_game("kalah")
    last = np.asarray(game.init(4, 0))
    last["winner"], last["turn"] = [0, 1, -1, 0], [9, 9, 500, 9]
    numbers = np.full(4, 10)
    played = Played(last, np.array([0, 0, 0, 1]), numbers, numbers, 3 * numbers, np.zeros(4), np.zeros(4))
    figures = study.figures_of(played, game)
    assert (figures["games"], figures["sides"]) == (4, 2)
    assert [figures[name][0] for name in ("points", "drawn", "unfinished", "branching")] == [0.375, 0.25, 0.25, 3.0]
    assert "relays" not in figures, "no turn was explained"


def test_partners_are_one_side():
    assert study.sides(make_game("sokkattan", teams=True)) == [0, 1, 0, 1]
    assert study.sides(make_game("zigulzoqge", teams=True)) == [0, 0, 1, 1]
    assert study.sides(make_game("sokkattan")) == [0, 1, 2, 3]


def canned(points):
    spread = {name: [value, 0.01] for name, value in (("points", points), ("drawn", 0.1), ("unfinished", 0.0))}
    lengths = {name: [value, 1.0] for name, value in (("decisions", 44.0), ("turns", 30.0), ("branching", 4.0))}
    return {"games": 100, "sides": 2, **spread, **lengths}


@pytest.mark.slow
def test_an_interrupted_run_leaves_complete_files_and_can_be_continued(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(study, "distinct", lambda: ["oware", "kalah"])
    played = []

    def interrupted(match):
        if match.header == "kalah(seeds=5)" and len(played) < 20:
            raise KeyboardInterrupt
        played.append((match.header, match.agent))
        return canned(0.7 if match.header == "kalah(seeds=5)" else 0.5)

    monkeypatch.setattr(Match, "play", interrupted)
    run_program(main, "--out", tmp_path)
    assert "run the same command again to continue" in capsys.readouterr().out
    saved = json.loads((tmp_path / files.RESULTS).read_text())
    assert list(saved["played"]) == ["oware", "oware(seeds=3)", "oware(seeds=5)", "kalah", "kalah(seeds=3)"]
    assert len(played) == 15
    played += [None] * 5
    run_program(main, "--out", tmp_path)
    assert played[20:] == [("kalah(seeds=5)", agent) for agent in ("random", "greedy", "mcts:100")], (
        "only the missing matches"
    )
    for picture in ("all.webp", "oware.webp", "kalah.webp"):
        assert (tmp_path / picture).read_bytes()[8:12] == b"WEBP"
    capsys.readouterr()
    run_program(main, "kalah", "--out", tmp_path)
    printed = capsys.readouterr().out
    assert "| unchanged | `random` | 100 | 50.0% [49.0, 51.0] | 10.0% [9.0, 11.0] | 44.0 ± 1.0 |" in printed
    assert "| `seeds=5` | `random` | 100 | **70.0% [69.0, 71.0]** |" in printed
    assert "| `seeds=3` | `random` | 100 | 50.0% [49.0, 51.0] |" in printed
    assert "choose another --out" in refused(main, "--out", tmp_path, "--seed", 1)


def test_effects_are_those_on_the_strong_agent_the_largest_first():
    def variant(points, weak=0.5):
        return {"random": canned(weak), "mcts:100": canned(points)}

    found = {"": variant(0.5), "a": variant(0.55), "b": variant(0.5, 0.9), "c": variant(0.7), "d": variant(0.51)}
    shown, others = study.effects(found)
    assert list(shown) == ["", "c", "a"] and others == ["b", "d"]
    assert list(shown[""]) == ["random", "mcts:100"] and list(shown["c"]) == ["mcts:100"]


def test_a_game_that_not_all_agents_have_played_is_left_out(monkeypatch, tmp_path):
    def interrupted(match):
        if match.agent == "greedy":
            raise KeyboardInterrupt
        return canned(0.5)

    monkeypatch.setattr(Match, "play", interrupted)
    assert "no game has been played by all three agents yet" in refused(main, "kalah", "--out", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [files.RESULTS]


@pytest.mark.slow
def test_a_full_study_of_one_game(tmp_path):
    few = ["daramutu", "--decisions", "1500", "--strong-decisions", "500", "--games", "50"]
    run_program(main, *few, "--out", tmp_path)
    played = json.loads((tmp_path / files.RESULTS).read_text())["played"]
    assert len(played) == 5
    for cells in played.values():
        for agent in ("random", "greedy", "mcts:100"):
            assert 0 < cells[agent]["relays"][0] < 1 and cells[agent]["turns"][0] == cells[agent]["decisions"][0]
            assert 20 <= cells[agent]["games"] <= 50
    # With Parker's fours a round of Daramutu ends in some 20 turns; by the summary, without eating across, rarely.
    assert played["daramutu(reading=summary)"]["random"]["unfinished"][0] > 0.5
    assert played["daramutu"]["random"]["unfinished"][0] < 0.1
    match = Match("daramutu", {}, "greedy", 1500, 50, 0)
    assert json.loads(json.dumps(match.play())) == played["daramutu"]["greedy"], "the same seed"


# Random play.


@pytest.mark.parametrize(("name", "campaign"), [("kalah", False), ("walak_pussa", False), ("walak_pussa", True)])
def test_statistics_of_random_play(name, campaign):
    options = {"max_rounds": 3} if campaign else {}
    table = statistics_of_random_play(make_game(name, campaign=campaign, **options), 20, 0)
    assert table == statistics_of_random_play(make_game(name, campaign=campaign, **options), 20, 0)
    assert ("laps/turn" in table, "rounds" in table) == (name != "kalah", campaign)
    assert "by the rules" in table and "won by 0" in table


def test_turns_of_all_rounds_are_counted():
    played = Played.play(make_game("walak_pussa", campaign=True, max_rounds=2), "random", 50, 0.0, 3)
    # Between the rounds the deficient player takes one or two decisions, or none after an equal round.
    between = played.decisions - played.turns
    assert ((between >= 0) & (between <= 2)).all() and between.max() > 0
    assert (played.last["ended"] == 1).all()
