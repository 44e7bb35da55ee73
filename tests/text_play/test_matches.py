"""Matches in text: results, refused answers, regret, people, endpoints and the programs."""

import io
import json
import re
import sys

import pytest
from helpers.model_server import serving

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.agents.solve import solve_by_graph
from mancala_envs.evaluation import evaluate
from mancala_envs.programs.files import RunError
from mancala_envs.scripts.language_models import puzzles as puzzles_program
from mancala_envs.scripts.language_models import text_match
from mancala_envs.text_play import Endpoint, Person, Regrets, Scripted, play_text, state_from_json, text_games

KALAH = make_game("kalah")
SMALL = make_game("kalah", seeds=1, reward="margin")


def repeated(*answers):
    """Return an agent that gives these answers again and again."""
    given = []

    def agent(prompt):
        given.append(prompt)
        return answers[(len(given) - 1) % len(answers)]

    agent.prompts = given
    return agent


def test_a_scripted_agent_plays_as_in_the_library():
    prompts = []

    def greedy(prompt):
        prompts.append(prompt)
        return Scripted(KALAH, "minimax:2")(prompt)

    result = play_text(greedy, KALAH, "random", games=4, seed=1)
    assert result.score.games == 4 and result.refused == 0 and result.decisions == result.answers == len(prompts)
    assert result.prompt_characters == sum(map(len, prompts)) and result.answer_characters == 9 * len(prompts)
    again = play_text(Scripted(KALAH, "minimax:2"), KALAH, "random", games=4, seed=1)
    assert again.score == result.score


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kalah", "hat_diviyan_keliya"])
@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_scripted_agents_score_as_their_native_twins(name, agent):
    game = make_game(name)
    in_text = play_text(Scripted(game, agent), game, "random", games=100, seed=5).score
    native = evaluate(agent, name, "random", games=100, seed=6)
    points = [(score.wins + score.draws / 2) / 100 for score in (in_text, native)]
    assert abs(points[0] - points[1]) < 0.21, "three standard deviations of the difference"


def test_answers_that_cannot_be_played_are_counted_and_repeated_with_the_reason():
    agent = repeated("no idea", "0 or 1", "9")
    result = play_text(agent, KALAH, games=2, retries=2)
    assert (result.unclear, result.ambiguous, result.illegal) == (2, 2, 2)
    assert (result.forfeits, result.score.losses, result.decisions, result.answers) == (2, 2, 2, 6)
    assert result.refusal_rate == 1 and "no action found in 'no idea'" in agent.prompts[1]
    assert "several actions found: 0, 1" in agent.prompts[2] and "not played" not in agent.prompts[0]


def test_a_retry_can_succeed():
    legal_in_the_end = repeated("?", *map(str, range(6)))
    result = play_text(legal_in_the_end, KALAH, games=2, retries=6)
    assert result.forfeits == 0 and result.unclear and result.answers > result.decisions


def test_illegal_answers_can_forfeit_or_be_replaced():
    result = play_text(repeated("?"), KALAH, games=2, on_illegal="forfeit", retries=5)
    assert (result.forfeits, result.answers, result.score.losses) == (2, 2, 2)
    result = play_text(repeated("?"), KALAH, games=2, on_illegal="random")
    assert result.forfeits == 0 and result.random_actions == result.decisions == result.answers > 2


def test_an_opponent_can_play_in_text_too():
    result = play_text(Scripted(KALAH, "greedy"), KALAH, repeated("?"), games=2)
    assert (result.score.wins, result.forfeits, result.refused) == (2, 0, 0)


def test_openings_are_played_from_every_seat():
    lines = []
    score = play_text(Scripted(KALAH, "random"), KALAH, games=4, opening=3, watch=lines.append).score
    assert len(score.by_opening) == 2 and sum(score.by_opening) / 2 == score.points
    assert [line for line in lines if "seat" in line] == [f"game {n + 1} of 4, agent in seat {n % 2}" for n in range(4)]
    agent = repeated("?")
    play_text(agent, KALAH, games=4, opening=3, on_illegal="forfeit")
    assert all(int(re.search(r" turn=([0-9]+) ", prompt)[1]) >= 1 for prompt in agent.prompts)


def test_the_history_is_quoted_as_far_as_asked_for():
    for history, most in ((None, 5), (0, 0), (2, 2)):
        agent = repeated("0", "1", "2", "3", "4", "5")
        play_text(agent, KALAH, games=1, history=history, retries=5)
        quoted = [prompt.count("\nplayer_") for prompt in agent.prompts]
        assert max(quoted) - 1 >= most if history is None else {count - 1 for count in quoted} <= set(range(most + 1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games must be an integer of at least 1"),
        ({"retries": -1}, "retries must be"),
        ({"history": -1}, "history must be"),
        ({"history": False}, "history must be"),
        ({"games": 2.5}, "games must be"),
        ({"on_illegal": "ignore"}, "'retry', 'forfeit', 'random'"),
        ({"rules": "long"}, "rules must be"),
        ({"opponent": "strongest"}, "strongest"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        text_games(repeated("0"), KALAH, **{"opponent": "random", **arguments})


# Regret.


def test_perfect_play_has_no_regret_and_random_play_has():
    perfect = play_text(Scripted(SMALL, "perfect"), SMALL, "random", games=6, opening=2, regret=True)
    assert len(perfect.regrets) == perfect.decisions and not any(perfect.regrets) and perfect.mean_regret == 0
    random = play_text(Scripted(SMALL, "random"), SMALL, "random", games=6, opening=2, regret=True)
    assert min(random.regrets) >= 0 and random.mean_regret > 0


def test_regret_is_the_difference_of_proven_values():
    state, regrets = SMALL.init(1, seed=0), Regrets(SMALL)
    values = Agent(SMALL, "perfect").analyse(state).values
    assert regrets.values(state) == values
    assert {action: regrets.of(state, action) for action in values} == {
        action: max(values.values()) - value for action, value in values.items()
    }


def test_a_proof_that_takes_too_long_is_given_up():
    assert Regrets(KALAH, memory=4, positions=1).values(KALAH.init(1, seed=0)) is None
    with pytest.raises(ValueError, match="two"):
        Regrets(make_game("asi_keliya"))


def test_the_first_proof_may_visit_no_more_than_the_others():
    game = make_game("kalah(columns=3,seeds=2)")
    regrets = Regrets(game, positions=100)
    assert regrets.values(game.init(1, seed=0)) is None and regrets._visited < 200


# Endpoints and people.


@pytest.fixture
def server():
    with serving(Scripted(KALAH, "greedy")) as server:
        yield server


def test_a_served_model_plays(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    model = Endpoint(server.address, "greedy-1", temperature=0)
    result = play_text(model, KALAH, "random", games=2, seed=1)
    assert result.refused == 0 and result.score.games == 2 and model.tokens == 7 * result.answers
    path, key, content = server.requests[0]
    assert (path, key) == ("/v1/chat/completions", "Bearer secret")
    assert (content["model"], content["temperature"], content["messages"][0]["role"]) == ("greedy-1", 0, "user")


@pytest.mark.parametrize(
    ("reply", "message"),
    [((401, {"error": "wrong key"}), "401.*wrong key"), ((200, {"choices": []}), "unknown format")],
)
def test_what_a_server_refuses_is_reported(server, reply, message):
    server.reply = reply
    with pytest.raises(RunError, match=message):
        play_text(Endpoint(server.address, "m", key=""), KALAH, games=1)
    assert server.requests[0][1] is None


def test_a_server_that_cannot_be_reached_is_reported():
    with pytest.raises(RunError, match="cannot be reached"):
        Endpoint("http://127.0.0.1:9", "m")("?")
    with pytest.raises(RunError, match="cannot be reached: nonnumeric port"):
        Endpoint("http://localhost:80o0/v1", "m")("?")
    with pytest.raises(ValueError, match="http://"):
        Endpoint("ftp://example.org", "m")


def test_a_person_answers_at_the_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\n"))
    assert Person()("What now?") == "3" and "What now?" in capsys.readouterr().out
    with pytest.raises(RunError, match="ended"):
        Person()("And now?")


# Programs.


def run(monkeypatch, program, *arguments):
    monkeypatch.setattr(sys, "argv", ["program", *map(str, arguments)])
    program.main()


def test_the_match_program_reports_and_writes(monkeypatch, capsys, tmp_path, server):
    out = tmp_path / "score.json"
    run(monkeypatch, text_match, "kalah", "greedy", "--games", 2, "--out", out, "--watch")
    shown = capsys.readouterr().out
    assert "\nfrom the usual opening: points " in shown and "player_0: lift own hole" in shown
    assert json.loads(out.read_text())["decisions"] > 0
    run(monkeypatch, text_match, "kalah", "--endpoint", server.address, "--model", "m", "--games", 1)
    assert "tokens: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kalah",), "name one agent"),
        (("kalah", "greedy", "--person"), "name one agent"),
        (("kalah", "--endpoint", "http://x"), "go together"),
        (("kalah", "strongest"), "strongest"),
        (("ceelkoqyuqkoqiji", "greedy", "--option", "first=throw"), "hidden information"),
    ],
)
def test_the_match_program_refuses_wrong_arguments(monkeypatch, capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, text_match, *arguments)
    assert message in capsys.readouterr().err


def test_puzzles_are_written_with_exact_regrets(monkeypatch, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    run(monkeypatch, puzzles_program, "kalah", "--number", 24, "--out", tmp_path, "--seed", 3)
    rows = [json.loads(line) for line in (tmp_path / "puzzles.jsonl").read_text().splitlines()]
    assert parquet.read_table(tmp_path / "puzzles.parquet").to_pylist() == rows and len(rows) == 24
    assert len({row["state"] for row in rows}) == 24 and "Seed 3." in (tmp_path / "README.md").read_text()
    proven = 0
    for row in rows:
        game, state = state_from_json(row["state"])
        counted = make_game("kalah", reward="margin")
        position = counted.load(**{name: state[name][0] for name in counted.position_fields if name != "ended"})
        if position.holes.sum() <= 10:
            found = solve_by_graph(counted, position)
            leads = [(-1) ** found.to_move * low for low, high in found.by_action.values() if low == high]
            assert (row["actions"], row["leads"]) == (list(found.by_action), leads)
            proven += 1
        assert row["regrets"] == [max(row["leads"]) - lead for lead in row["leads"]] and 0 in row["regrets"]
        assert row["best"] == [a for a, regret in zip(row["actions"], row["regrets"], strict=True) if not regret]
        assert row["names"] == [game.names_for(int(state["to_move"][0]))[action] for action in row["actions"]]
    assert proven
