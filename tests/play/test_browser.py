"""The server of the browser board: descriptions, commands and rejected requests."""

import http.client
import json
import re
import signal
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from socket import SO_LINGER, SOL_SOCKET, create_connection
from time import process_time
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.contrast import contrast
from helpers.play import CAPTURE, UniformPolicy, make_session, served
from starlette.testclient import TestClient

from mancala_envs import REGISTRY, make_game
from mancala_envs.core.notation import game_of_position
from mancala_envs.core.pauses import Pace
from mancala_envs.play import server, view
from mancala_envs.play.page import page
from mancala_envs.play.session import Session
from mancala_envs.render.film import shared_style
from mancala_envs.scripts.board import main
from mancala_envs.wrappers import recorded, replay

HOME = "http://localhost:8000"


@pytest.fixture(autouse=True)
def revisions_from_zero(monkeypatch, request):
    """Number revisions from 0, except in the test of where they begin."""
    if request.function is not test_a_page_notices_that_the_server_was_restarted:
        monkeypatch.setattr(server, "first_revision", lambda: 0)


class Visitor:
    """A client of the server; `session` is the latest description of the session."""

    def __init__(self, *arguments, **options):
        session = make_session(*arguments, **options)
        self.client = TestClient(server.Application(session), base_url=HOME)
        self.session = self.get("/session")

    def get(self, path):
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text[:500]
        return answer.json()

    def post(self, path, **data):
        """Send a command; return the answer, the changed session or the result of the command."""
        answer = self.client.post(path, json={"revision": self.session["revision"]} | data)
        assert answer.status_code == 200, answer.text[:500]
        result = answer.json()
        if "revision" in result:
            self.session = result
        return result

    def rejection(self, path, status=400, **data):
        """Send a command that must fail without changing the session; return the error message."""
        before = self.get("/session")
        content = json.dumps({"revision": self.session["revision"]} | data)
        answer = self.client.post(path, content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == status, answer.text[:500]
        assert self.get("/session") == before
        return answer.json()["error"]

    def play_on(self, rng, most=10**6):
        """Make random choices until the game is over, or until `most` decisions have been made."""
        while self.session["mover"] >= 0 and len(self.session["decisions"]) < most:
            choices = self.session["choices"]
            if choices:
                self.post("/act", action=choices[rng.integers(len(choices))]["action"])
            else:
                self.post("/reply")


# Descriptions.


def test_a_decision_is_described_in_words_pictures_and_numbers():
    visitor = Visitor("kalah")
    begun = visitor.session
    assert (begun["title"], begun["mover"], begun["task"]) == ("Kalah", 0, "lift a hole")
    assert begun["choices"][3] == {
        "action": 3, "name": "lift own hole 3", "key": "3", "start": ["place-3"], "end": [],
    }  # fmt: skip
    assert begun["scene"]["number"] == 0 and not begun["scene"]["explanation"] and len(begun["scene"]["pictures"]) == 1
    result = visitor.post("/act", action=3)
    assert result["decisions"] == ["player_0: lift own hole 3"] and result["mover"] == 1
    scene = result["scene"]
    assert scene["explanation"][1:] == ["lifts 4 from own hole 3", "sows 4 from own hole 4 to other hole 0"]
    assert scene["changed"] == {"place-3": -4, "place-4": 1, "place-5": 1, "place-6": 1}
    assert result["position"].startswith("kalah holes=4,4,4,0,5,5,5,4,4,4,4,4 store=1,0 to_move=1 ")
    # The lifted hole, each of four seeds, and the final board.
    assert len(scene["pictures"]) == 6
    assert scene == visitor.get("/scene/1") and begun["scene"] == visitor.get("/scene/0")


def pictures(scene):
    """Every picture of a scene as a list of SVG lines."""
    return [[scene["lines"][number] for number in picture] for picture in scene["pictures"]]


def test_consecutive_frames_of_a_sowing_differ_by_one_seed():
    visitor = Visitor("kalah")
    (begun,) = pictures(visitor.session["scene"])
    shown = [begun, *pictures(visitor.post("/act", action=2)["scene"])]
    names = [f'data-spot="place-{hole}"' for hole in (2, 3, 4, 5)] + ["store of player_0: 1"]
    for before, after, name in zip(shown[:-1], shown[1:], names, strict=True):
        (changed,) = (line for line, other in zip(after, before, strict=True) if line != other)
        assert name in changed


def test_every_choice_has_a_spot_in_the_picture():
    for name in ("kalah", "nerenchi_keliya"):
        session = Visitor(name).session
        drawn = set(re.findall(r'data-spot="([a-z]+-\d+)"', "".join(session["scene"]["lines"])))
        asked = {spot for choice in session["choices"] for spot in choice["start"] + choice["end"]}
        assert asked and asked <= drawn


def test_captions_and_throws_are_described_in_words():
    captions = Visitor("dongjintian").session["scene"]["captions"]
    assert captions == ["no seeds in hand"]
    shown = view.scene(make_session("pancha_keliya"), 0)
    assert shown["captions"] == [f"{row}: 3 waiting, 0 home, none on the track" for row in "ab"]
    assert shown["throws"] and all("<title>to use: " in throw and "mouth up" in throw for throw in shown["throws"])


def test_a_hint_rates_every_action():
    visitor = Visitor("kalah", position=CAPTURE)
    result = visitor.post("/hint", agent="minimax:1")
    assert result["action"] == 0 and result["agent"] == "minimax:1"
    assert set(result["values"]) == {"0", "2", "3", "4"} and result["values"]["0"] == result["value"]
    assert result["line"][0] == "player_0: lift own hole 0"
    assert visitor.get("/session") == visitor.session
    assert "'random' cannot analyse" in visitor.rejection("/hint", agent="random")
    assert "got 'chess:1'" in visitor.rejection("/hint", agent="chess:1")


def test_games_and_their_options_are_listed():
    visitor = Visitor("kalah")
    listed = visitor.get("/games")
    assert {"game": "qelat", "names": ["qelat", "magazeb_ii"], "title": "Qelat (also Magazeb II)"} in listed
    assert [name for one in listed for name in one["names"]] == list(REGISTRY)
    assert len({one["title"] for one in listed}) == len(listed)
    qelat = visitor.get("/games/qelat")
    assert qelat["players"] == 2 and qelat["has_campaign"] and qelat["rules"].startswith("<h3>Rules</h3>")
    options = {option["name"]: option for option in qelat["options"]}
    assert options["columns"] == {
        "name": "columns", "default": 6, "choices": [], "allowed": "an integer of at least 2", "of_campaigns": False,
    }  # fmt: skip
    assert options["territory"]["choices"] == ["border", "choice"] and options["territory"]["of_campaigns"]
    assert visitor.client.get("/games/chess").status_code == 400


def test_a_campaign_lists_holdings_and_debts():
    assert Visitor("kalah").session["standing"] is None
    visitor = Visitor("qelat", campaign=True)
    assert visitor.session["standing"] == {"round": 1, "owned": [6, 6], "worth": [6, 6], "debts": []}
    session = make_session("ceelkoqyuqkoqiji", campaign=True)
    session.state["debt"][0] = [[0, 3], [0, 0]]
    debts = view.standing(session)["debts"]
    assert debts == [{"from": 0, "to": 1, "seeds": 3}]


@pytest.mark.slow
def test_secret_decisions_are_hidden_until_they_are_revealed():
    visitor = Visitor("ceelkoqyuqkoqiji", people=(1,), first="throw")
    visitor.post("/reply")
    assert visitor.session["decisions"] == ["player_0 (random): decides in secret"]
    assert visitor.session["scene"]["explanation"] == visitor.session["decisions"]
    visitor.post("/act", action=visitor.session["choices"][0]["action"])
    assert "secret" not in visitor.session["decisions"][0]


# Rejected requests.


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        ("/act", {"action": 9}, "action 9 of game 0 is illegal: legal are [0, 1, 2, 3, 4, 5]"),
        ("/act", {"action": "3"}, "action must be an integer of at most 63 bits, got '3'"),
        ("/act", {"action": True}, "action must be an integer of at most 63 bits, got True"),
        ("/act", {"action": 10**30}, "action must be an integer"),
        ("/act", {}, "action must be an integer of at most 63 bits, got None"),
        ("/reply", {}, "it is a person's turn"),
        ("/undo", {}, "there is nothing to undo"),
        ("/new", {"game": "chess"}, "there is no game 'chess'; there are kalah"),
        ("/new", {"game": "kalah", "options": {"rows": 3}}, "no option 'rows'"),
        ("/new", {"game": "kalah", "options": {"columns": 0}}, "columns=0 is not allowed"),
        ("/new", {"game": "kalah", "campaign": True}, "kalah has no campaign"),
        ("/new", {"game": "kalah", "people": [2]}, "seat must be 0..1, got 2"),
        ("/new", {"game": "kalah", "people": "0"}, "people must be a list"),
        ("/new", {"game": "kalah", "seed": -1}, "seed must be"),
        ("/new", {"game": "kalah", "opponent": "nobody"}, "opponent must be one of 'random', 'greedy'"),
        ("/new", {"game": "kalah", "opponent": "mcts:0"}, "there is no agent 'mcts:0'"),
        ("/new", {"game": "kalah", "opponent": __file__}, "the one given when the program was started"),
        ("/new", {"position": "kalah holes=1"}, "the text must give each of"),
        ("/new", {}, "game must be a string"),
        ("/recording", {"recording": "no"}, "a recording must be a line of JSON"),
        ("/recording", {"recording": "[" * 10**5}, "a recording must be a line of JSON"),
        ("/recording", {"recording": "{}"}, "the recording cannot be replayed"),
        ("/recording", {"recording": "3"}, "a recording must be a JSON object, got 3"),
        ("/recording", {"recording": '{"game": "kala"}'}, "the recording cannot be replayed"),
        ("/recording", {}, "recording must be a string"),
        ("/new", {"position": "kalah(" + "a" * 300_000}, "at most 1000 characters"),
        ("/new", {"position": "[" * 4096}, "at most 1000 characters"),
        ("/new", {"position": "kalah(columns=" + "-" * 100_000}, "at most 1000 characters"),
        ("/new", {"position": "kalah(columns=" + "[" * 300 + ")"}, "columns='[[["),
        ("/new", {"position": "kalah(columns=" + "-" * 900 + "1)"}, "columns='---"),
        ("/new", {"position": "kalah holes=" + "4," * 10**6}, "at most"),
        ("/new", {"position": "("}, "the text must begin with NAME or NAME(OPTION=VALUE,...)"),
        ("/new", {"game": "\ud800"}, "there is no game '\\ud800'"),
        ("/new", {"game": "kalah", "opponent": "\ud800"}, "got '\\ud800'"),
        ("/new", {"game": "kalah", "opponent": "mcts:" + "9" * 10**6}, "there is no agent 'mcts:999"),
        ("/new", {"game": "kalah", "options": {"columns": [[[[[6]]]]]}}, "columns=[[[[[6]]]]] is not allowed"),
        ("/new", {"game": "kalah", "options": {"a" * 10**6: 6}}, "no option 'aaa"),
        ("/new", {"game": "kalah", "people": [0] * 10**5 + ["a" * 10**6]}, "people must be a list of player numbers"),
        ("/act", {"action": "a" * 10**6}, "action must be an integer"),
        ("/recording", {"recording": '{"game": "kalah"}'}, "KeyError('campaign')"),
        ("/recording", {"recording": '{"game": {}}'}, "the recording cannot be replayed"),
        ("/recording", {"recording": '{"game": "\ud800"}'}, "the recording cannot be replayed"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_invalid_requests_are_explained_at_once_and_change_nothing(path, data, message):
    visitor = Visitor("kalah")
    begun = process_time()
    error = visitor.rejection(path, **data)
    assert process_time() - begun < 2
    assert message in error and len(error) < 2000


def test_people_cannot_act_for_agents_or_after_the_end():
    visitor = Visitor("kalah", people=(1,))
    assert "an agent's turn" in visitor.rejection("/act", action=0)
    over = Visitor("kalah", people=(0, 1), columns=2, seeds=1)
    over.play_on(np.random.default_rng(0))
    assert re.match(r"(South|North) won \d : \d|The game is drawn", over.session["result"])
    for path in ("/act", "/reply", "/hint", "/skip"):
        assert "the game is over" in over.rejection(path, action=0)


def test_forced_decisions_and_those_of_agents_are_skipped():
    visitor = Visitor("kalah", people=(1,))
    visitor.post("/skip")
    assert visitor.session["mover"] == 1 and visitor.session["choices"]
    # South has one seed, so that its decisions are forced until North's seeds reach its row.
    position = {"holes": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4], "to_move": 0}
    visitor = Visitor("kalah", people=(0,), position=position)
    assert visitor.session["mover"] == 0 and not visitor.session["choices"]
    visitor.post("/skip")
    assert visitor.session["decisions"] and (visitor.session["mover"] < 0 or visitor.session["choices"])


def test_agents_play_to_the_end_and_undo_returns_to_the_choice_before():
    visitor = Visitor("kalah", people=(0,))
    visitor.post("/act", action=2)
    visitor.post("/skip")
    before = visitor.session
    visitor.post("/skip", to_end=True)
    assert visitor.session["mover"] < 0 and re.match("You (won|lost|drew) ", visitor.session["result"])
    visitor.post("/undo")
    assert visitor.session["decisions"] == before["decisions"] and visitor.session["mover"] == 0
    assert "to_end must be true or false" in visitor.rejection("/skip", to_end=1)


def test_what_was_played_until_a_skip_was_cancelled_remains(monkeypatch):
    visitor = Visitor("kalah", people=(0,))

    def cancelled_after_three(session):
        if len(session.actions) == 3:
            raise server.Cancelled
        reply(session)

    reply = Session.reply
    monkeypatch.setattr(Session, "reply", cancelled_after_three)
    visitor.post("/skip", to_end=True)
    assert len(visitor.session["decisions"]) == 3


def test_a_person_resigns_and_takes_it_back():
    visitor = Visitor("kalah", people=(1,))
    visitor.post("/resign")
    assert (visitor.session["mover"], visitor.session["result"]) == (-1, "You resigned; South won")
    assert visitor.session["scene"]["heading"] == "player_1 resigned"
    for path in ("/act", "/reply", "/hint", "/skip", "/resign"):
        assert "the game is over" in visitor.rejection(path, action=0)
    visitor.post("/undo")
    assert (visitor.session["mover"], visitor.session["result"]) == (0, "")
    two = Visitor("diviyan_keliya")
    two.post("/resign")
    assert two.session["result"] == "The leopards resigned; the cattle won"
    many = Visitor("dongjintian", people=(2,))
    many.post("/resign")
    assert many.session["result"] == "You resigned"
    assert "agents play every seat" in Visitor("kalah", people=()).rejection("/resign")


def test_all_positions_are_evaluated(monkeypatch):
    monkeypatch.setattr("mancala_envs.play.session.EVALUATION_AGENT", "minimax:1")
    visitor = Visitor("kalah", people=(1,), seeds=1)
    visitor.post("/skip", to_end=True)
    found = visitor.post("/evaluations")
    played = len(visitor.session["decisions"])
    assert len(found["values"]) == len(found["words"]) == played + 1 and found["side"] == "you"
    result = visitor.session["result"].split()[1]
    assert found["values"][-1] == {"won": 1, "drew": 0, "lost": -1}[result]
    assert all(value is None or -1 <= value <= 1 for value in found["values"])
    assert [not word for word in found["words"]] == [value is None for value in found["values"]]


def test_values_are_those_of_the_viewed_side(monkeypatch):
    monkeypatch.setattr("mancala_envs.play.session.EVALUATION_AGENT", "minimax:1")
    south, north = (Visitor("kalah", people=(seat,), position=CAPTURE).post("/evaluations") for seat in (0, 1))
    assert south["values"][0] == -north["values"][0] > 0
    assert south["words"][0].endswith(" for you") and south["words"][0][0] == "+" and north["words"][0][0] == "-"
    both = Visitor("kalah", position=CAPTURE).post("/evaluations")
    assert both["values"] == south["values"] and both["side"] == "South"


def test_the_value_of_the_last_position_is_the_result():
    game = make_game("dongjintian")
    for store, values in (([40, 20, 20, 20], (1, -1)), ([10, 30, 30, 30], (-1, 1)), ([25, 25, 25, 25], (0, 0))):
        state = game.init(1, 0)
        state["store"], state["holes"], state["to_move"], state["ended"] = store, 0, -1, 1
        state["winner"] = 0 if store[0] == 40 else -1
        for seat, value in enumerate(values):
            session = Session(game, state, (seat,), "random", 1)
            session.evaluate()
            assert view.evaluations(session)["values"] == [value]
        assert view.evaluations(session)["words"] == [{-1: "lost for you", 0: "even", 1: "won for you"}[value]]


@pytest.mark.parametrize(("name", "campaign"), [(name, False) for name in REGISTRY] + [("qelat", True)])
def test_a_rematch_has_the_same_options(name, campaign):
    game = make_game(name, campaign)
    assert make_game(name, campaign, **json.loads(json.dumps(game.options))).header == game.header


def test_a_page_notices_that_the_server_was_restarted():
    before, after = Visitor("kalah"), Visitor("kalah")
    before.post("/act", action=0)
    after.session = before.session
    assert "the session has changed" in after.rejection("/act", status=409, action=1)


def test_requests_for_an_earlier_revision_are_rejected():
    visitor = Visitor("kalah")
    session = visitor.session
    visitor.post("/act", action=0)
    visitor.session = session
    assert "the session has changed: its revision is 1, not 0" in visitor.rejection("/act", status=409, action=1)
    assert visitor.rejection("/undo", status=409, revision=None)


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": HOME}, True),
        ({"Host": "127.0.0.1:9000", "Origin": "http://127.0.0.1:9000"}, True),
        ({"Host": "evil.example"}, False),
        ({"Host": "localhost.evil.example:8000"}, False),
        ({"Host": "evil.example:8000", "Origin": "http://evil.example:8000"}, False),
        ({"Host": ""}, False),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "http://localhost:3000"}, False),
        ({"Origin": "https://localhost:8000"}, False),
        ({"Origin": "null"}, False),
    ],
)
def test_requests_from_other_hosts_and_origins_are_rejected(headers, allowed):
    visitor = Visitor("kalah")
    got = visitor.client.get("/session", headers=headers)
    posted = visitor.client.post("/act", json={"revision": 0, "action": 0}, headers=headers)
    assert (got.status_code, posted.status_code) == ((200, 200) if allowed else (403, 403))
    assert len(visitor.get("/session")["decisions"]) == allowed
    if not allowed:
        assert " must be " in got.json()["error"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b'{"revision": 0, "action": 0}', "text/plain", 415),
        (b'{"revision": 0, "action": 0}', "application/x-www-form-urlencoded", 415),
        (b"{", "application/json", 400),
        (b"[0]", "application/json", 400),
        (b"[" * 10**5, "application/json", 400),
        (b"\xff", "application/json", 400),
        (b" " * (server.MAX_BODY + 1), "application/json", 413),
    ],
)
def test_the_body_of_a_post_must_be_a_json_object(content, kind, status):
    visitor = Visitor("kalah")
    answer = visitor.client.post("/act", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status and answer.json()["error"]
    assert visitor.get("/session") == visitor.session


def test_the_page_can_select_only_the_saved_model_of_the_command_line(tmp_path, monkeypatch):
    model, other = tmp_path / "model.zip", tmp_path / "other.zip"
    for path in (model, other):
        path.touch()
    policy = UniformPolicy(deterministic=True)
    monkeypatch.setattr("mancala_envs.agents.agent.load_policy", lambda path, deterministic: policy)
    visitor = Visitor("kalah", people=(1,), opponent=str(model))
    assert "opponent must be one of" in visitor.rejection("/new", game="kalah", opponent=str(other))
    # To load a file may run code.
    monkeypatch.setattr("mancala_envs.agents.agent.load_policy", lambda path, deterministic: pytest.fail("loaded"))
    assert "agent must be one of" in visitor.rejection("/hint", agent=str(other))
    monkeypatch.setattr("mancala_envs.agents.agent.load_policy", lambda path, deterministic: policy)
    visitor.post("/new", game="kalah", opponent="random")
    visitor.post("/new", game="kalah", opponent=str(model))
    assert visitor.post("/reply")["decisions"] == [f"player_0 ({model}): lift own hole 0"]


def test_the_page_can_name_only_the_database_of_the_command_line(tmp_path):
    visitor = Visitor("kalah")
    for path, name in (("/new", "opponent"), ("/hint", "agent")):
        for file in ("/etc/passwd", "a" * 300, str(tmp_path)):
            error = visitor.rejection(path, game="kalah", **{name: f"perfect:{file}"})
            assert error.startswith(f"{name} must be one of 'random'") and "when the program was started" in error


def test_the_page_may_not_ask_for_endless_explanations():
    visitor = Visitor("kalah")
    game = make_game("qelat", max_laps=1001)
    start = game.init(1, 1)
    for path, data in (
        ("/new", {"game": "qelat", "options": {"max_laps": 1001}}),
        ("/new", {"position": game.text(start)}),
        ("/recording", {"recording": json.dumps(recorded(game, start, [0]))}),
    ):
        assert visitor.rejection(path, **data) == "max_laps must be at most 1000 in the browser, got 1001"
    assert visitor.post("/new", game="qelat", options={"max_laps": 1000})["options"]["max_laps"] == 1000


# Computations that take long.


def endless(states, seed):
    """A search that never ends."""
    pace = Pace("simulations", 10**9)
    while True:
        time.sleep(0.005)
        pace.pause(100)


@pytest.fixture
def searching(monkeypatch):
    """A visitor whose request for the reply of an endless search is running, and the answer to come."""
    monkeypatch.setattr("mancala_envs.play.session.Agent", lambda game, agent: SimpleNamespace(act=endless))
    visitor = Visitor("kalah", people=(1,))
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(visitor.client.post, "/reply", json={"revision": 0})
        while not (found := visitor.get("/progress")) or not found["done"]:
            time.sleep(0.01)
        yield visitor, answer
        visitor.client.post("/cancel", json={})


def test_the_session_can_be_read_during_a_search(searching):
    visitor, answer = searching
    progress = visitor.get("/progress")
    assert progress["seconds"] >= 0 and progress["total"] == 10**9 and progress["unit"] == "simulations"
    assert visitor.get("/session")["mover"] == 0
    assert visitor.get("/scene/0") and visitor.get("/recording") and visitor.get("/games/kalah")
    assert "/cancel" in visitor.rejection("/reply", status=409) and "/cancel" in visitor.rejection("/undo", status=409)
    assert visitor.get("/progress")["done"] > progress["done"]
    assert not answer.done()


def test_a_search_is_cancelled(searching):
    visitor, answer = searching
    assert visitor.client.post("/cancel", json={}).json() == {"cancelled": True}
    cancelled = answer.result(timeout=5)
    assert (cancelled.status_code, cancelled.json()) == (400, {"error": "cancelled"})
    assert visitor.get("/progress") is None
    assert visitor.get("/session") == visitor.session
    assert visitor.client.post("/cancel", json={}).json() == {"cancelled": False}
    assert visitor.client.post("/cancel").status_code == 415
    visitor.post("/new", game="kalah", people=[0, 1])


def test_a_search_that_takes_too_long_is_cancelled(searching, monkeypatch):
    _, answer = searching
    monkeypatch.setattr(server, "MAX_SECONDS", 0.1)
    assert "cancelled, because it took longer than 0.1 seconds" in answer.result(timeout=5).json()["error"]


def test_stopping_answers_what_still_runs(searching):
    visitor, answer = searching
    visitor.client.app.stop()
    assert answer.result(timeout=5).status_code == 503
    while visitor.get("/progress"):
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["mcts:1000000000", "minimax:30", "perfect"])
def test_ctrl_c_stops_the_server_though_a_search_runs(opponent):
    with served("kalah", "--opponent", opponent, "--seat", "1") as (process, port), connection_to(port) as connection:
        connection.request("GET", "/session")
        body = json.dumps({"revision": json.load(connection.getresponse())["revision"]})
        connection.request("POST", "/reply", body, {"Content-Type": "application/json"})
        wait_for_search(port)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert connection.getresponse().status == 503
        assert time.monotonic() - begun < 5  # The search would take hours.
        # Python itself takes some tenths of a second to end, more on a busy machine.
        assert process.wait(timeout=10) == 0


def connection_to(port):
    return closing(http.client.HTTPConnection("localhost", port, timeout=60))


def wait_for_search(port):
    """Wait until a search has begun to count its work."""
    progress = None
    with connection_to(port) as connection:
        while not progress or not progress["done"]:
            time.sleep(0.02)
            connection.request("GET", "/progress")
            progress = json.load(connection.getresponse())


@pytest.mark.slow
def test_clients_that_disconnect_print_nothing():
    with served("kalah", "--opponent", "random", "--seat", "1") as (_, port):
        head = "POST /reply HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        requests = [
            b"",
            b"GET / HT",
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /session HTTP/1.1\r\nHost: localhost\r\n\r\n",
            f"{head}Content-Length: 1000\r\n\r\n{{".encode(),
            f"{head}Transfer-Encoding: chunked\r\n\r\n5\r\n{{".encode(),
            f'{head}Content-Length: 15\r\n\r\n{{"revision": 0}}'.encode(),
        ]
        for request in requests * 2:
            client = create_connection(("127.0.0.1", port))
            client.sendall(request)
            time.sleep(0.05)
            # Closing with unread or unsent data resets the connection.
            client.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        with connection_to(port) as connection:
            connection.request("GET", "/session")
            assert connection.getresponse().status == 200


# Other games, positions and recordings.


def test_another_game_is_started():
    visitor = Visitor("kalah")
    session = visitor.post("/new", game="nerenchi_keliya", people=[1], opponent="greedy", seed=5)
    assert session["game"] == "nerenchi_keliya" and session["people"] == [1] and session["seed"] == 5
    assert session["players"] == ["player_0 (greedy)", "player_1"] and not session["choices"]
    assert visitor.post("/new", game="kalah", people=[])["people"] == []


def test_a_position_is_restored_from_its_text():
    visitor = Visitor("kalah", columns=2, seeds=3)
    visitor.post("/act", action=0)
    text = visitor.session["position"]
    other = Visitor("kalah", people=(0,))
    session = other.post("/new", position=f" {text}\n")
    assert session["position"] == text and session["options"]["columns"] == 2 and session["people"] == [0]
    assert not session["decisions"]


@pytest.mark.parametrize(
    ("name", "campaign", "options"),
    [
        ("kalah", False, {}),
        ("qelat", True, {"columns": 4, "reading": "summary", "round_reward": 0.5}),
        ("dongjintian", False, {}),
    ],
)
def test_the_game_of_a_position_is_read_from_its_text(name, campaign, options):
    game = make_game(name, campaign, **options)
    assert game_of_position(game.text(game.init(1, 0))) == (name, campaign, options)
    assert game_of_position("game(a=1,b=(2,3),c=left,campaign=True) x=1") == (
        "game",
        True,
        {"a": 1, "b": (2, 3), "c": "left"},
    )


def test_a_recording_is_saved_and_resumed():
    visitor = Visitor("kalah", columns=2)
    visitor.play_on(np.random.default_rng(3), most=5)
    answer = visitor.client.get("/recording")
    assert answer.headers["content-disposition"] == 'attachment; filename="kalah.jsonl"'
    text = answer.text
    assert text.endswith("}\n") and "\n" not in text[:-1]
    assert len(list(replay(json.loads(text)))) == 6
    other = Visitor("nerenchi_keliya")
    session = other.post("/recording", recording=text)
    same = visitor.session.keys() - {"revision", "seed"}
    assert session.keys() == visitor.session.keys()
    assert all(session[name] == visitor.session[name] for name in same)
    other.post("/undo")
    assert len(other.session["decisions"]) < 5
    spoilt = text.replace('"action": ', '"action": 1')
    assert "the recording cannot be replayed" in other.rejection("/recording", recording=spoilt)
    without_list = json.dumps(json.loads(text) | {"decisions": 5})
    assert "decisions must be a list, got 5" in other.rejection("/recording", recording=without_list)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kalah", {"people": (0,), "opponent": "greedy"}),
        ("oware", {"people": (), "max_turns": 30}),
        ("qelat", {"campaign": True, "max_rounds": 2, "territory": "choice"}),
        ("puhulmutu", {"campaign": True, "max_rounds": 2, "max_turns": 30}),
        ("ceelkoqyuqkoqiji", {"campaign": True, "max_rounds": 2}),
        ("dongjintian", {"people": (0, 2), "max_turns": 20}),
        ("zigulzoqge", {"people": (1, 3), "max_turns": 20}),
        ("nerenchi_keliya", {"people": (0, 1), "max_turns": 60}),
        ("peralikatuma", {"max_turns": 30}),
        ("diviyan_keliya", {"max_turns": 40}),
        ("dam", {"max_turns": 30}),
        ("pancha_keliya", {"max_turns": 60}),
        ("sokkattan", {"people": (0, 3), "max_turns": 40}),
        ("saturankam", {"people": (0, 1), "max_turns": 40}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_game_of_every_family_is_played_to_its_end(name, options):
    visitor = Visitor(name, **options)
    visitor.play_on(np.random.default_rng(7))
    session = visitor.session
    assert re.search(r"\b([Yy]ou|South|North|player_\d|the \w+|The \w+) (won|lost|drew|is drawn)", session["result"])
    assert not session["choices"]
    assert len(list(replay(visitor.get("/recording")))) == len(session["decisions"]) + 1


# The page.


def test_the_page_loads_nothing_and_runs_only_its_own_script():
    visitor = Visitor("kalah")
    answer = visitor.client.get("/")
    assert answer.text == page() and answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["x-frame-options"] == "DENY" and answer.headers["cache-control"] == "no-store"
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', answer.text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and not re.search("#[A-Z]{3,}#", answer.text)
    assert not re.search(r'(src|href)\s*=\s*"?(https?:)?//|url\(|@import', answer.text)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_has_enough_contrast(theme):
    style = shared_style()
    found = re.findall(r"--([\w-]+): #([0-9a-f]{6});", style.split(":root")[theme + 1].split("}")[0])
    colours = {name: tuple(bytes.fromhex(colour)) for name, colour in found}
    pairs = [(ink, paper) for ink in ("ink", "quiet", "alert") for paper in ("paper", "panel", "button")]
    pairs += [("ink", "hover"), ("good", "button"), ("good", "hover"), ("on-accent", "accent")]
    for one, other in pairs:
        assert contrast(colours[one], colours[other]) >= 4.5, (one, other)
    for other in ("paper", "panel", "button"):
        assert contrast(colours["line"], colours[other]) >= 3, ("line", other)


# The program.


def test_the_program_listens_only_on_this_machine():
    listener = server.listen(0)
    try:
        assert listener.getsockname()[0] == "127.0.0.1"
        taken = listener.getsockname()[1]
        # The address is printed before the server runs: an early connection waits instead of failing.
        create_connection(listener.getsockname()).close()
        with pytest.raises(OSError):
            server.listen(taken)
    finally:
        listener.close()


def test_a_port_that_cannot_be_used_is_explained(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["board.py", "kalah", "--port", "70000"])
    with pytest.raises(SystemExit):
        main()
    assert "--port 70000 cannot be used" in capsys.readouterr().err


def test_a_missing_server_library_is_reported_with_its_extra(tmp_path):
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['play', 'kalah']\nimport runpy\n"
    program += "runpy.run_module('mancala_envs.scripts.board', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert done.returncode == 1
    assert done.stderr == 'uvicorn is not installed: pip install "mancala_envs[play]"\n'
