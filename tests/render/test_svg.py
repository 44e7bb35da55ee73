"""SVG pictures show and describe the boards of all games."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from helpers.drawn_boards import midgame

from mancala_envs import kalah_v0
from mancala_envs.core.board import Board, Place, Point, Throw
from mancala_envs.registry import REGISTRY
from mancala_envs.render import draw_picture, draw_svg
from mancala_envs.render.svg import place_in_words, point_in_words, throw_in_words

TAG = "{http://www.w3.org/2000/svg}"


def groups(svg):
    """Return the groups with a title, in order: (title, name of the spot, texts, elements used)."""
    found = []
    for group in ElementTree.fromstring(svg).findall(f"{TAG}g"):
        title = group[0]
        assert title.tag == f"{TAG}title" and group.get("role") == "img"
        words = [text.text for text in group.iter(f"{TAG}text")]
        used = [use.get("href") for use in group.iter(f"{TAG}use")]
        found.append((title.text, group.get("data-spot"), words, used))
    return found


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_shows_all_pieces_text_and_spots(name):
    board = midgame(name, 8, campaign=True)
    svg = draw_svg(board)
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label") == board.heading
    spots = groups(svg)
    points, places = spots[: len(board.spots)], spots[len(board.spots) :][: len(board.places)]
    for number, (point, (said, spot, words, used)) in enumerate(zip(board.spots, points, strict=True)):
        assert spot == f"point-{number}" and said == point_in_words(board, number)
        men = [point.letter, *(man for man, _ in point.others)] if point.piece else []
        if point.numbers:
            men = [f"{man}{number}" for man, number in zip(men, point.numbers, strict=True)]
        assert sorted(words) == sorted([*men, point.label] if point.label else men)
        assert used == ["#mancala-man"] * len(men)
    for number, (place, (said, spot, words, used)) in enumerate(zip(board.places, places, strict=True)):
        assert spot == (None if place.tray else f"place-{number}") and said == place_in_words(place)
        count = [] if place.blind and not place.pieces else [str(place.pieces)]
        assert words == [*count, place.label]
        assert len(used) == max(0, place.pieces) + place.large
    shown = len(spots) - len(board.spots) - len(board.places)
    assert shown == len(board.throws or ()) + len(board.arrows)
    words = [text.text for text in root.findall(f"{TAG}text")]
    assert words == [*(note.words for note in board.notes), board.heading, *filter(None, board.captions)]


def test_svg_is_as_large_as_the_picture_and_self_contained():
    board = replace(midgame("kawade_kelia", 8), captions=("a word", "and another"))
    svg = draw_svg(board)
    height, width, _ = draw_picture(board).shape
    assert ElementTree.fromstring(svg).get("viewBox") == f"0 0 {width} {height}"
    ids, used = re.findall(r' id="([^"]*)"', svg), re.findall(r"#(mancala-[\w-]+)", svg)
    assert set(used) <= set(ids) and len(set(ids)) == len(ids)
    assert all(name.startswith("mancala-") for name in ids)
    assert re.findall(r"\w+://[^\" ]*", svg) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("change", ["pieces", "owner", "mark", "label", "large", "blind"])
def test_a_changed_place_changes_only_its_line(change):
    board = midgame("kalah")
    value = {"pieces": 99, "owner": 1, "mark": 1, "label": "x", "large": 1, "blind": True}[change]
    places = (*board.places[:3], replace(board.places[3], **{change: value}), *board.places[4:])
    lines, others = (draw_svg(each).splitlines() for each in (board, replace(board, places=places)))
    differ = [line for line, other in zip(lines, others, strict=True) if line != other]
    assert len(differ) == 1 and 'data-spot="place-3"' in differ[0]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(0, 0, 4, "3", 1), "hole 3 of player_1: 4"),
        (Place(0, 0, 4, "3", 1, mark=0), "hole 3 of player_1: 4, marked as player_0's"),
        (Place(0, 0, 1, "12", large=2), "hole 12: 1, 2 large stones"),
        (Place(0, 0, 0, "3", 1, blind=True), "hole 3 of player_1: out of play"),
        (Place(0, 0, 2, "3", 1, blind=True), "hole 3 of player_1: 2, out of play"),
        (Place(0, 0, -5, "P3", 3, tray=True), "store of player_3: owes 5"),
        (Place(0, 0, 5, "P1 took", 1, tray=True), "player_1 took: 5"),
        (Place(0, 0, 5, "to lay", tray=True), "to lay: 5"),
    ],
)
def test_places_in_words(place, words):
    assert place_in_words(place) == words


@pytest.mark.parametrize(
    ("point", "words"),
    [
        (Point(3, 1, "7"), "point 7: empty"),
        (Point(3, 1, "7", "x", 1, marked=True), "point 7: x of player_1, marked"),
        (Point(3, 1, "7", "x", 1, doubled=True), "point 7: X of player_1, two men high"),
        (Point(3, 1, cell=True, crossed=True), "column 2, row 1: empty, crossed"),
        (Point(3, 1, "", "a", 0, others=(("b", 1), ("a", 0))), "column 2, row 1: 2 times a of player_0, b of player_1"),
    ],
)
def test_points_in_words(point, words):
    assert point_in_words(Board((), points=(Point(1, 1.5), point)), 1) == words


def test_throws_in_words_and_drawn():
    throws = Throw("5", shells=(True, False, True)), Throw("2", dice=(1, 6))
    said = ["to use: 5 (2 of 3 cowries mouth up)", "to use: 2 (dice 1 and 6)"]
    assert list(map(throw_in_words, throws)) == said
    svg = draw_svg(Board(tuple(Place(x, 0, 1) for x in range(5)), throws=throws))
    assert [title for title, _, _, _ in groups(svg)][-2:] == said
    dice = ElementTree.fromstring(svg).findall(f"{TAG}g")[-1]
    assert len(dice.findall(f"{TAG}circle")) == 1 + 6, "pips"


def test_text_is_escaped_and_stays_within_the_picture():
    board = Board((Place(0, 0, 4, "a very <long> label & more"),), 'turn "1" < 2', ("word " * 60,))
    root = ElementTree.fromstring(draw_svg(board))
    assert root.get("aria-label") == 'turn "1" < 2'
    assert "<long> label & more" in root.find(f"{TAG}g/{TAG}title").text
    for text in root.iter(f"{TAG}text"):
        assert len(text.text) * 0.56 * int(text.get("font-size")) < int(root.get("width"))


def test_games_and_environments_draw_themselves():
    env = kalah_v0.env(render_mode="svg")
    env.reset(seed=1)
    game = env.unwrapped.game
    assert env.render() == game.svg(env.unwrapped.record) == draw_svg(game.board(env.unwrapped.record))
