"""Measurements of campaigns of self-play: the figures of each campaign, and their table."""

import json
from itertools import pairwise

import numpy as np
from helpers.programs import run_program

from mancala_envs import make_game
from mancala_envs.programs import files
from mancala_envs.registry import games_with_campaigns
from mancala_envs.scripts.maintenance.campaigns import main
from mancala_envs.studies import campaigns
from mancala_envs.studies.campaigns import play, table


def test_every_game_with_campaigns_is_listed_once():
    assert set(games_with_campaigns()) == {
        "qelat", "puhulmutu", "walak_pussa", "kotu_baendum", "daramutu", "congkak", "pallanguzhi", "ceelkoqyuqkoqiji",
    }  # fmt: skip


def test_the_figures_are_those_of_each_campaign_by_itself(monkeypatch):
    game, seen = make_game("ceelkoqyuqkoqiji", campaign=True), []

    def recorded(game, states, *arguments):
        seen.append(states.copy())
        for step in steps(game, states, *arguments):
            seen.append(states.copy())
            yield step

    steps = campaigns.steps
    monkeypatch.setattr(campaigns, "steps", recorded)
    found = play(game, "greedy", 30, 5)
    columns = ("decisions", "rounds", "changes", "first_leader", "first_debtor", "limit")
    assert list(found) == list(columns)
    for number in range(30):
        course = [states[number] for states in seen]
        course = course[: 1 + next(place for place, s in enumerate(course) if s["to_move"] < 0)]
        begun = [s for before, s in pairwise(course) if s["round_number"] > before["round_number"]]
        standings = [game.standing(np.array([s])) for s in begun if s["to_move"] >= 0]
        leads = [int(np.sign(standing["worth"][0, 0] - standing["worth"][0, 1])) for standing in standings]
        result = {0: 1, 1: -1}.get(int(course[-1]["winner"]), 0)
        leaders = [lead for lead in [*leads, result] if lead]
        owed = [standing["debt"][0, 0, 1] - standing["debt"][0, 1, 0] for standing in standings]
        debtors = [int(np.sign(each)) for each in owed if each]
        assert [found[column][number] for column in columns] == [
            len(course) - 1,
            course[-1]["round_number"],
            sum(one != other for one, other in pairwise(leaders)),
            (1 + leads[0] * result) / 2 if leads and leads[0] else -1,
            (1 + debtors[0] * result) / 2 if debtors else -1,
            course[-1]["round_number"] == 30,
        ]
    assert max(found["changes"]) > 1 and all({0.0, 1.0} <= set(found[f"first_{who}"]) for who in ("leader", "debtor"))


def test_the_table_has_medians_and_shares_of_the_campaigns_in_which_a_question_arises():
    found = {
        "decisions": [10.0, 20.0, 3000.0],
        "rounds": [1.0, 2.0, 4.0],
        "changes": [0.0, 0.0, 2.0],
        "first_leader": [-1.0, 1.0, 0.5],
        "first_debtor": [-1.0] * 3,
        "limit": [0.0, 0.0, 1.0],
    }
    row = table({"congkak": {"greedy": found}}, 3).text.splitlines()[4]
    # Wilson's interval of 1.5 of 2 and of 1 of 3.
    assert row == "| Congkak | `greedy` | 20 (2,404) | 2 (4) | 0.7 | 75% [20, 97] |  | 33% [6, 79] |"


def test_the_program_writes_results_table_and_picture(tmp_path, capsys):
    run_program(main, "daramutu", "--agents", "random", "--campaigns", 5, "--out", tmp_path)
    saved = json.loads((tmp_path / files.RESULTS).read_text())["campaigns"]
    assert len(saved["daramutu"]["random"]["rounds"]) == 5 and "| Daramutu | `random` |" in capsys.readouterr().out
    assert (tmp_path / "campaigns.webp").stat().st_size > 1000
