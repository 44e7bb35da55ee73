"""Text and pixel pictures show the board; the window shows pictures."""

import copy
import pickle
import re
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.contrast import contrast
from helpers.drawn_boards import midgame
from helpers.programs import stdout_of

from mancala_envs.core.board import Arrow, Board, Place
from mancala_envs.families.mancala.board import grid, two_rows
from mancala_envs.registry import REGISTRY
from mancala_envs.render import MODES, Renderer, draw_picture, draw_svg, draw_text, layout
from mancala_envs.render.layout import ARROW, PITCH, PLAYERS, RADIUS, _lattice, length_of, measure, pebble_positions

WHITE = (255, 255, 255)
without_a_screen = partial(stdout_of, SDL_VIDEODRIVER="dummy")
ROW = """
from mancala_envs.core.board import Board, Place
from mancala_envs.render import Renderer, draw_picture
def row(places):
    return Board(tuple(Place(x, 0.0, 5 * x, str(x), x % 2) for x in range(places)), 'heading')
"""
"""The beginning of programs that draw rows of places in a process of their own."""

STATE = SimpleNamespace(holes=np.arange(10, 24), store=np.array([3, 130]), to_move=1, winner=-2, turn=9, round_number=2)
FOUR = SimpleNamespace(
    holes=np.arange(40, 60), store=np.array([7, 0, 12, 3]), to_move=2, winner=-2, turn=9, round_number=1
)
RING = Board(
    tuple(Place(3 * np.sin(angle), -3 * np.cos(angle), 20 + i) for i, angle in enumerate(np.arange(9) * 2 * np.pi / 9))
)
BOARDS = {
    "two rows": two_rows(STATE),
    "grid": grid(FOUR, 5, captions=("a word", "and another")),
    "ring": RING,
    "one hole": Board((Place(0.0, 0.0, 1),)),
    "nothing": Board(()),
}


def numbers_by_line(text):
    """Return the numbers of seeds in holes and stores, line by line from left to right."""
    lines = [re.findall(r"[({|] *(-?\d+)[)}|]", line) for line in text.splitlines()]
    return [[int(number) for number in line] for line in lines if line]


def test_text_has_every_count_at_its_place():
    upper, stores, lower = numbers_by_line(draw_text(two_rows(STATE)))
    assert upper == list(range(23, 16, -1))
    assert lower == list(range(10, 17))
    assert stores == [130, 3]


def test_text_of_a_grid_has_every_count_at_its_place():
    rows = numbers_by_line(draw_text(grid(FOUR, 5)))
    assert [row[:5] for row in rows] == FOUR.holes.reshape(4, 5).tolist()
    assert [row[5] for row in rows] == FOUR.store.tolist()


@pytest.mark.parametrize("name", REGISTRY)
def test_text_of_a_game_has_every_count_from_left_to_right(name):
    board = midgame(name)
    rows = {}
    for place in board.places:
        rows.setdefault(place.y, []).append((place.x, place.pieces))
    expected = [[seeds for _, seeds in sorted(rows[y])] for y in sorted(rows)]
    assert numbers_by_line(draw_text(board)) == expected


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_text_is_tidy(board):
    text = draw_text(board)
    assert text == text.strip("\n") and "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert sorted(number for line in numbers_by_line(text) for number in line) == sorted(
        place.pieces for place in board.places
    )


def test_text_names_heading_captions_labels_marks_and_owners():
    board = two_rows(
        STATE,
        owners=[0] * 6 + [1] * 8,
        marks=[1] + [-1] * 13,
        captions=("direction: clockwise",),
        large=[0, 0, 2] + [0] * 11,
    )
    text = draw_text(board)
    assert text.startswith("round 2, turn 9, player_1 to move\n")
    assert "direction: clockwise" in text
    assert "{ 10}P1" in text and "( 12)**" in text
    assert " 5:P0" in text and "6:P1" in text, "owners, because a row has several"
    assert re.search(r"\b6:P1.*\b0:P1", text), "a row that has one owner may be another player's"
    assert ":P" not in draw_text(two_rows(STATE, owners=[0] * 7 + [1] * 7)), "no owners, where each row has one"


def test_text_shows_blind_holes():
    holes = SimpleNamespace(**{**vars(STATE), "holes": np.zeros(14, int)})
    text = draw_text(two_rows(holes, blind=[True] + [False] * 13))
    assert re.search(r"^ +-  +\( +0\)", text.splitlines()[-4], re.M), text
    assert "- out of play" in text


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_picture_is_a_deterministic_rgb_array_of_even_size(board):
    picture = draw_picture(board)
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    assert picture.shape[0] % 2 == 0 and picture.shape[1] % 2 == 0
    assert picture.flags.writeable and picture.flags.owndata
    assert (picture == draw_picture(board)).all()


@pytest.mark.slow
def test_picture_is_the_same_in_another_process():
    program = ROW + "import hashlib; print(hashlib.sha256(draw_picture(row(5)).tobytes()).hexdigest())"
    prints = {stdout_of(program) for _ in "ab"}
    assert len(prints) == 1


def test_picture_keeps_its_size_while_the_position_changes():
    shapes = {draw_picture(midgame("qelat", decisions)).shape for decisions in (0, 3, 11, 30)}
    assert len(shapes) == 1


@pytest.mark.parametrize("change", ["pieces", "owner", "mark", "label", "large", "blind"])
def test_a_changed_place_changes_only_its_part_of_the_picture(change):
    board = two_rows(STATE)
    was = board.places[3]
    value = {"pieces": was.pieces + 1, "owner": 1, "mark": 1, "label": "x", "large": 1, "blind": True}[change]
    places = [*board.places[:3], replace(was, **{change: value}), *board.places[4:]]
    differs = (draw_picture(board) != draw_picture(replace(board, places=tuple(places)))).any(axis=2)
    assert differs.any()
    _, _, (left, top) = measure(board)
    rows, columns = np.nonzero(differs)
    assert abs(columns - (left + was.x * PITCH[0])).max() < PITCH[0] / 2
    # The label is below the hole, above the rim of the next one.
    assert abs(rows - (top + was.y * PITCH[1])).max() < PITCH[1] - RADIUS - 5


@pytest.mark.parametrize("change", [{"heading": "other"}, {"captions": ("other",)}, {"to_move": 0}])
def test_heading_captions_and_mover_are_drawn(change):
    board = two_rows(STATE, captions=("some",))
    picture, other = draw_picture(board), draw_picture(replace(board, **change))
    assert picture.shape == other.shape and (picture != other).any()


def test_every_number_of_seeds_up_to_255_looks_different():
    pictures = {draw_picture(Board((Place(0.0, 0.0, seeds),))).tobytes() for seeds in range(256)}
    assert len(pictures) == 256


@pytest.mark.parametrize("length", [0, 124])
def test_every_seed_is_a_pebble_within_the_hollow(length):
    for seeds in range(256):
        at = np.array(list(pebble_positions(seeds, length, 1.0))).reshape(-1, 2)
        assert len(at) == seeds
        over = np.maximum(abs(at[:, 1]) - length / 2, 0)
        assert (np.hypot(at[:, 0], over) < RADIUS - 5).all()


def test_pebbles_of_one_layer_do_not_hide_each_other():
    for seeds in range(2, len(_lattice(27.0, 0, 1.0, 0)) + 1):
        at = np.array(list(pebble_positions(seeds, 0, 1.0)))
        apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + 100 * np.eye(seeds)
        assert apart.min() > 14


def test_rims_have_the_colours_of_their_owners():
    board = grid(FOUR, 5)
    picture = draw_picture(board)
    _, _, (left, top) = measure(board)
    for place in board.places[-4:]:
        at_the_rim = picture[round(top + place.y * PITCH[1]), round(left + place.x * PITCH[0]) + RADIUS + 2]
        nearest = abs(np.array(PLAYERS) - at_the_rim.astype(int)).sum(axis=1).argmin()
        assert nearest == place.owner


def test_long_text_stays_within_the_picture():
    board = Board((Place(0.0, 0.0, 4, label="a very long label indeed"),), "word " * 40, ("word " * 60,))
    assert draw_picture(board).shape[1] == draw_picture(Board(board.places)).shape[1]


def test_places_have_the_given_length():
    assert length_of(Place(0.0, 0.0, 0, height=2.0)) == PITCH[1]
    assert length_of(Place(0.0, 0.0, 0)) == 0


def test_a_debt_is_shown_as_a_negative_number():
    assert "|-3|" in draw_text(Board((Place(0.0, 0.0, -3, tray=True),)))
    assert draw_picture(Board((Place(0.0, 0.0, -3),))).shape == draw_picture(Board((Place(0.0, 0.0, 3),))).shape


# The renderer and its window.


def test_renderer_modes():
    board = midgame("kalah")
    assert Renderer("ansi").render(board) == draw_text(board)
    assert (Renderer("rgb_array").render(board) == draw_picture(board)).all()
    assert Renderer("svg").render(board) == draw_svg(board)
    with pytest.raises(ValueError, match=r"'png'.*ansi, rgb_array, svg, human"):
        Renderer("png")


@pytest.mark.parametrize("mode", MODES)
def test_renderer_can_be_copied_pickled_and_closed_twice(mode):
    renderer = Renderer(mode)
    for other in (copy.copy(renderer), copy.deepcopy(renderer), pickle.loads(pickle.dumps(renderer))):
        assert other.mode == mode
        other.close()
        other.close()


def test_importing_the_renderer_imports_neither_pygame_nor_pillow():
    assert not without_a_screen(
        "import sys, mancala_envs.core.board as board\n"
        "before = set(sys.modules)\n"
        "from mancala_envs.render import Renderer, draw_text\n"
        "Renderer('human'), draw_text(board.Board((board.Place(0.0, 0.0, 4),)))\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "assert not new & {'pygame', 'PIL'}, new"
    )


@pytest.mark.slow
def test_window_limits_its_frame_rate_and_stays_closed():
    pytest.importorskip("pygame")
    assert not without_a_screen(
        f"{ROW}import copy, pickle, time\n"
        "from mancala_envs.render import FPS\n"
        "board, renderer = row(5), Renderer('human')\n"
        "start = time.monotonic()\n"
        "for _ in range(3):\n"
        "    assert renderer.render(board) is None\n"
        "assert time.monotonic() - start > 1.6 / FPS\n"
        "import pygame\n"
        "shown = pygame.surfarray.array3d(pygame.display.get_surface()).transpose(1, 0, 2)\n"
        "assert (shown == draw_picture(board)).all()\n"
        "for other in (copy.deepcopy(renderer), pickle.loads(pickle.dumps(renderer))):\n"
        "    assert other._window is None and renderer._window is not None\n"
        "pygame.event.post(pygame.event.Event(pygame.QUIT))\n"
        "renderer.render(board)\n"
        "assert not pygame.display.get_init()\n"
        "renderer.render(board)\n"
        "assert not pygame.display.get_init()\n"
        "renderer.close()\n"
        "renderer.render(board)\n"
        "assert pygame.display.get_init()\n"
        "renderer.close()\n"
        "renderer.close()\n"
        "assert not pygame.display.get_init()"
    )


@pytest.mark.slow
def test_closing_one_of_two_windows_keeps_the_other_open():
    pytest.importorskip("pygame")
    assert not without_a_screen(
        f"{ROW}import pygame\n"
        "small, large, one, other = row(3), row(9), Renderer('human'), Renderer('human')\n"
        "one.render(small), other.render(large), one.render(small)\n"
        "one.close()\n"
        "assert pygame.display.get_init()\n"
        "other.render(large)\n"
        "pygame.display.quit()\n"
        "other.render(large)\n"
        "other.close()\n"
        "assert not pygame.display.get_init()"
    )


@pytest.mark.slow
def test_a_window_without_a_display_does_not_break_pytorch():
    pytest.importorskip("pygame")
    # Importing Triton, which PyTorch's CUDA build needs, would end in SIGSEGV if Mesa's LLVM were loaded.
    assert not stdout_of(
        f"{ROW}import importlib.util, os\n"
        "from pathlib import Path\n"
        "for name in ('DISPLAY', 'WAYLAND_DISPLAY', 'SDL_VIDEODRIVER', 'SDL_FRAMEBUFFER_ACCELERATION'):\n"
        "    os.environ.pop(name, None)\n"
        "renderer = Renderer('human')\n"
        "renderer.render(row(1))\n"
        "maps = Path('/proc/self/maps')\n"
        "assert not maps.is_file() or 'libLLVM' not in maps.read_text()\n"
        "renderer.close()\n"
        "if importlib.util.find_spec('triton'):\n"
        "    import triton\n"
    )


def test_a_missing_pygame_is_reported_with_its_extra():
    assert "mancala_envs[render]" in without_a_screen(
        f"{ROW}import sys\n"
        "sys.modules['pygame'] = None\n"
        "from gymnasium.error import DependencyNotInstalled\n"
        "try:\n"
        "    Renderer('human').render(row(1))\n"
        "except DependencyNotInstalled as error:\n"
        "    print(error)\n"
    )


def test_text_has_enough_contrast():
    for player in range(-1, len(PLAYERS)):
        colour = layout.player_colour(player)
        assert contrast(layout.letter_colour(colour), colour) >= 4.5, player
        assert contrast(WHITE, layout.PLATE * np.array(colour)) >= 4.5, player
    assert contrast(layout.ENGRAVED, layout.WOOD) >= 4.5 and contrast(layout.INK, layout.PAPER) >= 4.5
    dark = layout.SHADED / 255
    square = (1 - dark) * np.array(layout.WOOD) + dark * np.array(layout.ENGRAVED)
    assert contrast(layout.ENGRAVED, square) >= 3.6


@pytest.mark.parametrize(
    ("dx", "dy", "letter", "word"), [(1, 0, ">", "right"), (-1, 0, "<", "left"), (0, -1, "^", "up")]
)
def test_an_arrow_between_places_points_where_sowing_goes(dx, dy, letter, word):
    places = (Place(0.0, 0.0, 1), Place(1.0, 0.0, 1), Place(0.0, 1.0, 1))
    bare, board = Board(places), Board(places, arrows=(Arrow(0.5, 0.5, dx, dy),))
    assert letter in draw_text(board) and letter not in draw_text(bare)
    assert f"sowing runs {word} here" in draw_svg(board)
    ys, xs = np.nonzero((draw_picture(board) != draw_picture(bare)).any(axis=2))
    x, y = measure(board)[2]
    assert abs(xs - x - 0.5 * PITCH[0]).max() <= ARROW and abs(ys - y - 0.5 * PITCH[1]).max() <= ARROW
    # A triangle is wide at its tail.
    along = xs * dx + ys * dy
    assert (along == along.min()).sum() > (along == along.max()).sum()


def test_square_and_blocked_places_are_drawn_and_named():
    plain = Place(0.0, 0.0, 4, "3", 1)
    for change, letters, word in (
        ({"square": True}, "[ 4]", "hole 3 of player_1: 4, square"),
        ({"blocked": True}, "( 4)x", "hole 3 of player_1: 4, blocked"),
        ({"square": True, "blocked": True}, "[ 4]x", "hole 3 of player_1: 4, square, blocked"),
    ):
        board = Board((replace(plain, **change),))
        assert letters in draw_text(board) and ("x blocked" in draw_text(board)) == ("blocked" in change)
        assert word in draw_svg(board)
        differ = (draw_picture(board) != draw_picture(Board((plain,)))).any(axis=2)
        x, y = measure(board)[2]
        corner = differ[round(y) - RADIUS + 2, round(x) - RADIUS + 6]
        middle = (draw_picture(board)[round(y), round(x)] == layout.MARKED).all()
        assert (corner, middle) == ("square" in change, "blocked" in change)
