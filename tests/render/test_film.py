"""Output in notebooks, and the page of recorded games."""

import json
import re
import shutil
import subprocess
import sys
from html import unescape

import gymnasium as gym
import pytest

from mancala_envs import kalah_v0, make_game
from mancala_envs.core.board import Board, Place, Point
from mancala_envs.envs.vector import MancalaVectorEnv
from mancala_envs.render import Film, draw_film, draw_svg
from mancala_envs.scripts import replay as script
from mancala_envs.wrappers import RecordEpisodes, record, recordings

KALAH = make_game("kalah")


def record_random_game(path, seed=1, decisions=1000):
    """Record random decisions of a game of Kalah; return its last state and all actions."""
    state, actions = KALAH.init(1, seed), []
    while state["to_move"][0] >= 0 and len(actions) < decisions:
        actions.append(int(KALAH.sample(state, len(actions))[0]))
        KALAH.step(state, actions[-1:])
    record(path, KALAH, KALAH.init(1, seed), actions)
    return state, actions


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A file with two recorded games of Kalah."""
    path = tmp_path_factory.mktemp("recorded") / "games.jsonl"
    for seed in (1, 2):
        record_random_game(path, seed, decisions=9)
    return path


def data_of(page):
    """Return the JSON data embedded in a page."""
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(data)


def boards_of(page):
    """Return the boards of each film in a page as SVG."""
    data = data_of(page)
    return [
        ["\n".join(data["lines"][line] for line in board) + "\n" for board in film["boards"]] for film in data["films"]
    ]


def test_notebooks_show_states_and_environments():
    states = KALAH.init(6, 1)
    assert states[0]._repr_svg_() == KALAH.svg(states[0])
    shown = states._repr_html_()
    assert shown.count("<svg") == 4 and "6 states of kalah" in shown and shown.endswith("<p>...</p>")
    assert states[["store"]]._repr_html_() is None, "no states of a game"
    env = kalah_v0.env()
    env.reset(seed=1)
    assert env._repr_svg_() == env.unwrapped._repr_svg_() == KALAH.svg(env.unwrapped.record)
    assert RecordEpisodes(kalah_v0.env(), "nowhere.jsonl")._repr_svg_()[:4] == "<svg"
    solo = gym.make("mancala_envs/Kalah-v0").unwrapped
    solo.reset(seed=1)
    assert solo._repr_svg_() == KALAH.svg(solo.record)
    assert MancalaVectorEnv("kalah", 2)._repr_html_().count("<svg") == 2


def test_a_page_has_every_board_and_its_description(recorded):
    films = [one.film() for one in recordings(recorded)]
    page = draw_film(films)
    assert boards_of(page) == [[draw_svg(board) for board in film.boards] for film in films]
    for film, shown in zip(films, data_of(page)["films"], strict=True):
        assert shown["title"] == film.title == "kalah"
        assert shown["descriptions"] == list(film.descriptions) and film.descriptions[0] == "the start"
    first = json.loads(recorded.read_text().splitlines()[0])["decisions"][0]
    assert films[0].descriptions[1] == f"player_0: {KALAH.action_names[first['action']]}"


def test_a_film_of_a_finished_game_ends_with_the_result(tmp_path, capsys, monkeypatch):
    state, actions = record_random_game(tmp_path / "games.jsonl")
    film = recordings(tmp_path / "games.jsonl")[0].film()
    assert film.result == KALAH.result(state) and re.match(
        r"(South|North) won \d+ : \d+|The game is drawn", film.result
    )
    (shown,) = data_of(draw_film([film]))["films"]
    assert shown["descriptions"][-1] == f"{film.descriptions[-1]}. {film.result}"
    monkeypatch.setattr(sys, "argv", ["replay", str(tmp_path / "games.jsonl")])
    script.main()
    assert capsys.readouterr().out == f"episode 1: kalah, {len(actions)} decisions, {film.result}\n"


def test_a_page_loads_nothing_and_its_text_cannot_end_its_script():
    evil = "</script><script>alert(1)</script>"
    page = draw_film([Film(evil, [Board((Place(0, 0, 1, evil),), evil)], [evil])])
    assert page.count("</script>") == 2 and data_of(page)["films"][0]["title"] == evil
    assert set(re.findall(r"\w+://[^\"\\ ]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|href)=\"(?!#)|@import|url\((?!#)", page)
    assert "default-src 'none'" in page


def test_points_of_the_last_move_are_marked():
    empty, laid = (Board((), points=(Point(0, 0, "0"), Point(1, 0, "1", man, 0))) for man in ("", "o"))
    (film,) = boards_of(draw_film([Film("", [empty, laid], ["", ""])]))
    assert ["marked" in board for board in film] == [False, True]


def test_invalid_films_are_rejected():
    with pytest.raises(ValueError, match="at least one"):
        draw_film([])
    with pytest.raises(ValueError, match="'x' has 1 boards, but 2 descriptions"):
        draw_film([Film("x", [Board(())], ["", ""])])


def test_a_notebook_shows_the_same_page(recorded):
    one, _ = recordings(recorded)
    assert repr(one) == "Recording(kalah, 9 decisions)"
    (page,) = re.findall(r'srcdoc="([^"]*)"', one._repr_html_())
    assert unescape(page) == draw_film([one.film()])


def test_replay_writes_the_page(recorded, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out.html"
    monkeypatch.setattr(sys, "argv", ["replay", str(recorded), "--html", str(out)])
    script.main()
    assert out.read_text() == draw_film([one.film() for one in recordings(recorded)])
    assert "episode 2: kalah, 9 decisions" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium")
def test_buttons_keys_and_lists_step_through_the_page(recorded, tmp_path):
    page = draw_film([one.film() for one in recordings(recorded)])
    acts = """<script>
      const seen = [], note = () => seen.push([shown, element.status.textContent, element.board.innerHTML.length]);
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      note(); element.next.click(); note(); press("ArrowRight"); note(); press("ArrowLeft"); note();
      press("End"); note(); press("ArrowRight"); note(); element.first.click(); note();
      element.decisions.value = 4; element.decisions.onchange(); note();
      element.slider.value = 5; element.slider.oninput(); note();
      element.games.value = 1; element.games.onchange(); note();
      press(" "); seen.push(element.play.textContent); press(" "); seen.push(element.play.textContent);
      document.body.replaceChildren("seen:" + JSON.stringify(seen) + ":seen");
    </script>"""
    (tmp_path / "page.html").write_text(page.replace("</html>", acts + "</html>"))
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", str(tmp_path / "page.html")]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    (text,) = re.findall(r"seen:(.*):seen", unescape(shown))
    *seen, play, pause = json.loads(text)
    assert [now for now, _, _ in seen] == [0, 1, 2, 1, 9, 9, 0, 4, 5, 0]
    film = recordings(recorded)[0].film()
    assert seen[1][1] == f"1 of 9: {film.descriptions[1]}. Now: {film.boards[1].heading}"
    assert (play, pause) == ("Pause", "Play") and all(length > 5000 for _, _, length in seen)
