"""Boards of points and lines: their tables, verbs and drawings, and a further game that uses them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from books import bagh_chal
from helpers import mill_positions
from helpers.contract import check_contract, every_contract_test
from helpers.players import play_greedy_against_random
from helpers.positions import after, legal, perft
from helpers.registered import registered

import mancala_envs
from mancala_envs.core.board import Board, Place, Point
from mancala_envs.families.points import bits, forty_nine, mills, verbs
from mancala_envs.families.points.board import DIRECTIONS, NOWHERE, PointBoard, lines_of, points_of
from mancala_envs.families.points.presentation import symmetries
from mancala_envs.games import hat_diviyan_keliya
from mancala_envs.games.nerenchi_keliya import MOVE
from mancala_envs.registry import Entry, make_game
from mancala_envs.render import draw_picture, draw_text

every_board = pytest.mark.parametrize("board", [*mills.BOARDS, forty_nine.BOARD, bagh_chal.BOARD])


# Tables.


@every_board
def test_every_neighbour_has_a_neighbour_in_the_opposite_direction(board):
    for point, direction in np.argwhere(board.neighbours != NOWHERE):
        other = board.neighbours[point, direction]
        assert board.neighbours[other, (direction + 4) % 8] == point
        (row, column), (other_row, other_column) = board.places[point], board.places[other]
        name = DIRECTIONS[direction]
        assert (other_row < row, other_row > row) == ("north" in name, "south" in name)
        assert (other_column < column, other_column > column) == ("west" in name, "east" in name)
    assert (board.neighbours != NOWHERE).sum() == 2 * sum(len(line) - 1 for line in board.lines)


@every_board
def test_rows_are_three_neighbours_on_a_line(board):
    found = {frozenset({point, *row}) for point, rows in enumerate(board.rows.tolist()) for row in rows}
    assert found == {frozenset(line[i : i + 3]) for line in board.lines for i in range(len(line) - 2)}


def test_the_board_of_mills_has_sixteen_lines_and_four_more():
    assert [len(board.lines) for board in mills.BOARDS] == [16, 20]
    assert mills.NEIGHBOURS[0, 0].tolist() == [-1, -1, 1, -1, 9, -1, -1, -1]
    assert mills.NEIGHBOURS[1, 0].tolist() == [-1, -1, 1, 3, 9, -1, -1, -1]


def test_the_board_of_49_points_is_that_of_its_page():
    table = forty_nine.NEIGHBOURS
    assert forty_nine.POINTS == 49 and len(forty_nine.LINES) == 24 and (table != NOWHERE).sum() == 2 * 96
    assert set(np.flatnonzero((table != NOWHERE).all(axis=1))) == {9, 15, 17, 22, 24, 26, 31, 33, 39}
    assert 14 not in table[13] and 13 not in table[14]
    assert (table[16, 1::2] == NOWHERE).all()
    for start, over, end in ((15, 9, 5), (16, 9, 4), (0, 1, 2)):
        direction = table[start].tolist().index(over)
        assert table[over, direction] == end
    # A rotation by 180 degrees maps point p to 48 - p.
    turned = np.where(table == NOWHERE, NOWHERE, 48 - table)
    assert np.array_equal(np.roll(turned[::-1], 4, axis=1), table)


def test_lines_that_turn_or_meet_in_one_direction_are_refused():
    places = points_of("***\n*")
    with pytest.raises(ValueError, match="turns"):
        _ = PointBoard(places, ((0, 1, 3),)).neighbours
    with pytest.raises(ValueError, match="two lines lead east from point 0"):
        _ = PointBoard(places, ((0, 1), (0, 2))).neighbours
    with pytest.raises(ValueError, match=r"points \[3\] are in no row"):
        _ = PointBoard(places, lines_of("0 1 2, 0 3")).rows


@every_board
def test_sets_of_points_say_what_the_neighbours_say(board):
    into, from_where = bits.steps_into(board), bits.steppers_into(board)
    for end in range(len(board.places)):
        group, empty = end // 8, 1 << end % 8
        starts = {point for point in range(len(board.places)) if end in board.neighbours[point]}
        assert {p for p in range(64) if int(from_where[group, empty]) >> p & 1} == starts
        steps = {8 * p + int(np.flatnonzero(board.neighbours[p] == end)[0]) for p in starts}
        found = {
            64 * word + bit
            for word in range(into.shape[2])
            for bit in range(64)
            if int(into[group, empty, word]) >> bit & 1
        }
        assert found == steps


@every_board
def test_shifted_sets_of_points_say_what_the_neighbours_say(board):
    points = range(len(board.places))
    for direction, rows in enumerate(bits.shifts(board).tolist()):
        ends = {start: (start + higher) % 64 for higher, starts in rows for start in points if starts >> start & 1}
        assert [ends.get(point, NOWHERE) for point in points] == board.neighbours[:, direction].tolist()


@every_board
def test_threes_are_all_neighbours_on_a_line(board):
    found = {
        (low, low + middle, low + high)
        for middle, high, lowest in bits.threes(board).tolist()
        for low in range(64)
        if lowest >> low & 1
    }
    lines = [sorted(line) for line in board.lines]
    assert found == {tuple(line[i : i + 3]) for line in lines for i in range(len(line) - 2)}


# Verbs that no registered game uses yet.


def test_a_run_ends_at_a_man_and_at_the_edge():
    game = make_game("niranchy")
    states = game.init(1, 0)
    states.board[0, 22] = 1
    slide = game.bind(run_loop)
    found = np.zeros((24, 8), np.int64)
    slide(game.records(states), found)
    north, east, south = (DIRECTIONS.index(name) for name in ("north", "east", "south"))
    assert found[0, east] == 2 and found[9, east] == 2 and found[21, east] == 0
    assert found[16, south] == 1 and found[0, south] == 2 and found[0, north] == 0


def run_loop(states, found):
    for point in range(24):
        for direction in range(8):
            found[point, direction] = verbs.free_run(states[0], mills.NEIGHBOURS[1], point, direction)


# Bagh-chal: placing, steps and jumps.


ENTRY = Entry("bagh_chal", "BaghChal", 0, book_module="books.bagh_chal")


@pytest.fixture(scope="module", autouse=True)
def in_the_registry():
    with registered(ENTRY):
        yield


@pytest.mark.slow
def test_bagh_chal_begins_with_252_turns_of_both():
    # A goat placed beside a tiger blocks one step of the tiger and gives it one jump instead.
    game = make_game("bagh_chal")
    assert perft(game, game.init(1, 0), 2) == [21, 21 * 12]


def test_a_tiger_takes_a_goat():
    game = make_game("bagh_chal")
    states = after(game, game.init(1, 0), 6, 25 + 8 * 0 + DIRECTIONS.index("south-east"))
    s = states[0]
    assert (s.board[0], s.board[6], s.board[12], s.taken, s.to_move) == (0, 0, 2, 1, 0)
    assert legal(game, states) == [point for point in range(25) if s.board[point] == 0]


def test_tigers_that_cannot_move_have_lost():
    game = make_game("bagh_chal")
    board = np.zeros(25, int)
    board[[0, 4, 20, 24]] = 2
    board[[1, 5, 6, 3, 8, 9, 15, 16, 21, 18, 19, 23, 2, 10, 12, 22, 14]] = 1
    board[14] = 0
    assert after(game, game.load(board=board, hand=1, to_move=0), 14)[0].winner == 0


@pytest.mark.slow
@every_contract_test
def test_bagh_chal_keeps_the_contract_of_all_games(contract_test, tmp_path):
    check_contract(contract_test, "bagh_chal", tmp_path)


# Opponents of hunts.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "player", "wins", "losses"),
    [
        # In random play player 0 wins 97 of 100 games.
        ("diviyan_keliya", {}, 0, 0.9, 0),
        ("diviyan_keliya", {}, 1, 0.1, 0),
        # In random play player 0 wins 78 of 100 games.
        ("hat_diviyan_keliya", {}, 0, 0.85, 1),
        ("hat_diviyan_keliya", {}, 1, 0.9, 1),
        # In random play player 1 wins 8 of 100 games, or fewer.
        ("koti_keliya", {"size": 8, "reach": 1}, 0, 0.9, 1),
        ("koti_keliya", {"size": 8, "reach": 1}, 1, 0.3, 1),
    ],
)
def test_greedy_does_better_than_random(name, options, player, wins, losses):
    states = play_greedy_against_random(make_game(name, **options), player, 100, 400)
    assert (states.winner == player).mean() > wins and (states.winner == 1 - player).mean() <= losses


# Symmetries.


@every_board
def test_the_square_boards_have_all_symmetries_of_the_square(board):
    found = symmetries(board)
    assert len({tuple(way.places) for way in found}) == len(found) == 7


def test_a_triangle_has_one_symmetry():
    (mirror,) = symmetries(hat_diviyan_keliya.BOARD)
    assert mirror.places == [0, 3, 2, 1, 6, 5, 4, 9, 8, 7] and mirror.directions["south-west"] == "south-east"


# Drawings.

CROSS = Board(
    (Place(0.0, 0.0, 3, "to lay", 0, tray=True),),
    "heading",
    ("caption",),
    points=(
        *(Point(x, y, str(3 * y + x)) for y in range(3) for x in range(3) if x + y != 4),
        Point(2.0, 2.0, "8", "x", 1, marked=True),
    ),
    lines=((0, 1), (1, 2), (0, 3), (3, 6), (4, 8), (2, 4)),
)


def test_points_lines_and_men_as_text():
    assert draw_text(CROSS).splitlines() == [
        "heading",
        "",
        " .0 - .1 - .2",
        " |      /",
        " .3   .4   .5",
        " |      \\",
        " .6   .7  [x8]",
        "",
        " | 3|",
        "to lay",
        "",
        "caption",
        "x player_1",
    ]


MEN = dict.fromkeys(["nerenchi_keliya", "niranchy", "peralikatuma", "kotu_ellima", "dam"], "ox") | {
    "diviyan_keliya": "Lc",
    "hat_diviyan_keliya": "Tl",
    "koti_keliya": "Lc",
}
"""The letters of the pieces, by game."""


@pytest.mark.parametrize("name", MEN)
def test_text_has_every_man_at_its_point_in_80_columns(name):
    game = make_game(name)
    states = game.init(1, 3)
    for decision in range(30):
        text = draw_text(game.board(states))
        assert max(map(len, text.splitlines())) <= 80
        for point, man in enumerate(states[0].board):
            assert f"{('.' + MEN[name])[man]}{point}" in re.sub(r"[-\[\]]", " ", text).split()
        if states[0].to_move >= 0:
            game.step(states, game.sample(states, decision))


def changed(**changes):
    """Return the cross with its last point changed."""
    return replace(CROSS, points=(*CROSS.points[:-1], replace(CROSS.points[-1], **changes)))


@pytest.mark.parametrize(
    "change", [{"piece": "o"}, {"piece": ""}, {"player": 0}, {"marked": False}, {"label": "9"}, {"doubled": True}]
)
def test_every_difference_of_a_point_is_visible(change):
    one, other = draw_picture(CROSS), draw_picture(changed(**change))
    assert one.shape == other.shape and (one != other).any()
    assert draw_text(CROSS) != draw_text(changed(**change))


@pytest.mark.parametrize("change", [{"piece": "o"}, {"doubled": True}], ids=str)
def test_men_and_kings_look_different_without_colours(change):
    pictures = (draw_picture(changed(player=0, **each)) for each in ({}, change))
    one, other = (picture.astype(int).sum(axis=2) for picture in pictures)
    assert abs(one - other).max() > 100


def test_lines_and_squares_show():
    without = replace(CROSS, lines=())
    squares = replace(CROSS, points=tuple(replace(point, square=True) for point in CROSS.points))
    pictures = [draw_picture(board) for board in (CROSS, without, squares)]
    assert len({picture.tobytes() for picture in pictures}) == 3 and len({p.shape for p in pictures}) == 1


def test_the_last_move_is_marked_in_its_picture_and_not_in_the_first_of_a_game():
    env = mancala_envs.nerenchi_keliya_v0.raw_env(render_mode="ansi")
    men = mill_positions.position((0, 9, 21), (4, 5, 14))
    env.reset(options={"position": {"board": men, "hand": [0, 0], "phase": MOVE, "to_move": 0}})
    assert "[" not in env.render()
    env.step(mill_positions.step(env.game, 0, 1))
    shown = env.render()
    assert {word.strip() for word in re.findall(r"\[(.*?)\]", shown)} == {".0", "o1"}
    # A second drawing of the same board is the same.
    assert env.render() == shown
    env.reset(seed=1)
    assert "[" not in env.render()


# Planes, for convolutions.


@pytest.mark.parametrize("name", ["nerenchi_keliya", "peralikatuma", "koti_keliya", "dam"])
def test_planes_lay_the_observation_on_the_board(name):
    game = make_game(name)
    states = game.init(20, 0)
    for decision in range(12):
        game.step(states, game.sample(states, decision))
    observations = game.observe(states, 0)
    planes = game.planes(observations)
    places = game.book.presentation.grid(game.options)
    height, width = (max(numbers) + 1 for numbers in zip(*places, strict=True))
    assert planes.shape == (20, len(game.plane_names), height, width) and planes.dtype == observations.dtype
    named = dict(zip(game.plane_names, planes.swapaxes(0, 1), strict=True))
    for name, code in (("own_man", 1), ("other_man", 2)):
        board = np.zeros((20, height, width), bool)
        board[(slice(None), *np.transpose(places))] = states.board == code
        assert board.any() and np.array_equal(named[name], board)
    left = [column.name for column in game.observation_fields].index("turns_left")
    assert (named["turns_left"] == observations[:, left, None, None]).all()
    assert np.array_equal(game.planes(observations[3]), planes[3])


def test_planes_refuse_what_has_none():
    with pytest.raises(ValueError, match="kalah has no planes: its board is not a grid"):
        make_game("kalah").planes(np.zeros((1, 20)))
    with pytest.raises(ValueError, match=r"must have shape \(n, 59\), got \(1, 58\)"):
        make_game("nerenchi_keliya").planes(np.zeros((1, 58)))


def test_planes_of_a_grid_of_holes():
    game = make_game("dongjintian")
    states = game.init(3, 0)
    planes = game.planes(game.observe(states))
    assert game.plane_names[0] == "hole" and np.array_equal(planes[:, 0], states.holes.reshape(3, 4, 5))
