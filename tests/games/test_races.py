"""Code that all races share: tracks, throws, scripts of draws, drawings, opponents, and Ludo by the same verbs."""

import math
import random
import re

import numpy as np
import pytest
from helpers.contract import check_contract, every_contract_test
from helpers.forms import PlainGame, slowly
from helpers.oracle_comparison import differences
from helpers.positions import legal
from helpers.race_positions import VALUES, cowries, position
from helpers.registered import registered
from oracles.catalogue import BOUNDS, ORACLES, VARIANTS

from mancala_envs import make_game
from mancala_envs.agents.compiled import act
from mancala_envs.core.board import Board, Point, Throw
from mancala_envs.families.races import turn, verbs
from mancala_envs.families.races.cross import ARMS, LARGE, MARKED_LARGE, SMALL
from mancala_envs.families.races.presentation import mouths, places_of
from mancala_envs.families.races.tracks import NOWHERE, Tracks, values_up_to
from mancala_envs.games import kawade_kelia, pancha_keliya, pancha_keliya_complex, saturankam
from mancala_envs.registry import Entry
from mancala_envs.render import draw_picture, draw_text

RACES = [
    *("pancha_keliya", "pancha_keliya_complex", "kawade_kelia"),
    *("sokkattan", "pahada_keliya", "asi_keliya", "tayam_sonalu", "saturankam"),
]
every_race = pytest.mark.parametrize("name", RACES)


@every_race
def test_throws_have_words_to_themselves(name):
    # The throws are written as one word, which would overwrite another field in the same word.
    game = make_game(name)
    kind, first = game.dtype.fields["throws"][:2]
    others = {at for other, (_, at, *_) in game.dtype.fields.items() if not other.startswith("padding") and at > first}
    assert first % 8 == 0 and 4 <= kind.itemsize <= 8 <= min(others) - first


@pytest.mark.parametrize("values", [3, 9])
def test_throws_of_too_few_or_too_many_values_for_a_word_are_refused(values):
    with pytest.raises(ValueError, match=f"throws must have 4 to 8 values, got {values}"):
        turn.fields(2, 3, "1" * values, 60)


# Tracks.


def members(words):
    low, high = (int(word) for word in words)
    return {place for place in range(128) if (low | high << 64) >> place & 1}


@pytest.mark.parametrize(
    "tracks",
    [
        *(pancha_keliya.TRACKS, pancha_keliya_complex.TRACKS, *kawade_kelia.CIRCUITS),
        *(LARGE.tracks, SMALL.tracks, *saturankam.TRACKS),
    ],
)
def test_places_meet_that_are_the_same_cell(tracks):
    lanes = range(len(tracks.lanes))
    assert {len(lane) for lane in tracks.lanes} == {tracks.length}
    for lane in lanes:
        marked = {place for place in range(1, tracks.length + 1) if tracks.lanes[lane][place - 1] in tracks.marked}
        assert members(tracks.marks[lane]) == marked == set(np.flatnonzero(tracks.is_marked[lane]))
        for other in lanes:
            for place, cell in enumerate(tracks.lanes[other], 1):
                here = {1 + i for i, c in enumerate(tracks.lanes[lane]) if c == cell}
                assert members(tracks.meets[lane, other, place]) == here
            assert not members(tracks.meets[lane, other, 0]) | members(tracks.meets[lane, other, tracks.length + 1])
    assert (tracks.cells[:, [0, -1]] == NOWHERE).all()


def test_the_cells_of_the_large_cross_are_those_of_its_page():
    tracks = MARKED_LARGE.tracks
    south = """
        73 76 79 82 85 88 91 94 95 92 89 86 83 80 77 74 64 65 66 67 68 69 70 71 55 39 38 37 36 35 34 33 32 23 20 17
        14 11 8 5 2 1 0 3 6 9 12 15 18 21 31 30 29 28 27 26 25 24 40 56 57 58 59 60 61 62 63 72 75 78 81 84 87 90 93 94
        91 88 85 82 79 76 73"""
    assert tracks.lanes[0] == tuple(map(int, south.split()))
    assert [lane[:8] for lane in tracks.lanes[1:]] == [
        (48, 49, 50, 51, 52, 53, 54, 55),
        (22, 19, 16, 13, 10, 7, 4, 1),
        (47, 46, 45, 44, 43, 42, 41, 40),
    ]
    ring, middle = {12, 21, 29, 38, 46, 55, 63, 72}, {4, 80}
    assert all(set(np.flatnonzero(tracks.is_marked[arm])) == ring | middle for arm in range(ARMS))
    for arm, other in ((a, b) for a in range(ARMS) for b in range(ARMS)):
        for p in range(8, 77):
            here = {q for q in range(8, 77) if (17 * other + p - 17 * arm - q) % 68 == 0}
            assert members(tracks.meets[arm, other, p]) == here


def test_the_cells_of_the_small_cross_are_those_of_its_page():
    tracks = SMALL.tracks
    south = """
        40 44 47 50 51 48 45 41 42 34 35 36 37 29 21 20 19 18 13 12 8 5 2 1 0 3 6 10 9 17 16 15 14 22 30 31 32 33 38
        39 43 46 49 50 47 44 40"""
    assert tracks.lanes[0] == tuple(map(int, south.split()))
    assert [lane[:4] for lane in tracks.lanes[1:]] == [(26, 27, 28, 29), (11, 7, 4, 1), (25, 24, 23, 22)]
    assert all(np.flatnonzero(tracks.is_marked[arm]).tolist() == [9, 19, 29, 39] for arm in range(ARMS))


def test_places_beyond_every_place_are_found():
    tracks = Tracks((tuple(range(83)),), frozenset({0, 5, 62, 63, 64, 70, 82}))
    for place in range(83):
        ahead = verbs.beyond((tracks.marks[0, 0], tracks.marks[0, 1]), place)
        there = [other for other in members(tracks.marks[0]) if place < other <= place + 64]
        assert int(ahead) == sum(1 << other - place - 1 for other in there)
        assert verbs.distance_to_first(np.uint64(ahead)) == (min(there) - place if there else 0)


def test_values_up_to_a_number_are_sets_of_their_indices():
    assert values_up_to((1, 3, 4, 6), 7).tolist() == [0, 1, 1, 3, 7, 7, 15, 15]


# Throws. Limits of 4.9 standard deviations fail once in a million times.


@every_race
def test_cowries_and_dice_fall_as_often_as_they_should(name):
    n, game = 1 << 15, make_game(name)
    sides = verbs.COWRIES if name in (*RACES[:4], "asi_keliya") else verbs.DICE
    throws = np.zeros(n, np.int64)
    game.bind(throw_loop)(game.records(game.init(n, 7)), sides, throws)
    counts, p = np.bincount(throws, minlength=sides), 1 / sides
    assert len(counts) == sides and (abs(counts - n * p) < 4.9 * math.sqrt(n * p * (1 - p)) + 1).all()
    # Throws are independent: every pair of successive throws is equally likely.
    pairs = np.bincount(throws[::2] % 4 * 4 + throws[1::2] % 4, minlength=16)
    assert (abs(pairs - n / 32) < 5.4 * math.sqrt(n / 32 * 15 / 16)).all()


def throw_loop(states, sides, throws):
    for i in range(len(throws)):
        throws[i] = verbs.throw_cowries(states[i]) if sides == verbs.COWRIES else verbs.throw_dice(states[i])


# Draws.


def test_draws_may_be_many_and_are_asked_with_their_sides():
    game = make_game("kawade_kelia")
    states = game.init(1, 0, draws=[cowries(*[0] * 501, 4)])
    assert (states[0].to_move, states[0].throws.tolist()) == (1, [0, 0, 0, 1, 0, 0])
    with pytest.raises(ValueError, match="draws of game 0 do not fit: too few: the next draw has 64 sides"):
        game.init(1, 0, draws=[cowries(0, 0)])
    with pytest.raises(ValueError, match="too many"):
        game.init(1, 0, draws=[cowries(1, 1)])
    for wrong in ([["dice", 16, 3]], [64], [["cowries", 64, 64]]):
        with pytest.raises(ValueError, match="out of range"):
            game.init(1, 0, draws=[wrong])
    for wrong in ([255], [-1], [True], [["cowries", 3]], ["3"], [1.0]):
        with pytest.raises(ValueError, match="draw"):
            game.init(1, 0, draws=[wrong])
    with pytest.raises(ValueError, match="one row for each of the 2 games"):
        game.init(2, 0, draws=[[1]])
    assert game.init(2, 0, draws=[[1], [0, 1]]).to_move.tolist() == [0, 1]


def test_draws_go_on_into_the_game_that_a_reset_begins():
    game = make_game("kawade_kelia", max_turns=1)
    states, final = game.init(1, 0, draws=[[1]]), np.zeros(1, game.dtype)
    game.step(states, legal(game, states), autoreset=True, draws=[cowries(0, 3)], final=final)
    assert (states[0].to_move, states[0].throws.tolist(), states[0].turn) == (1, [0, 0, 1, 0, 0, 0], 0)
    assert final[0]["ended"] == 1


def test_after_four_thousand_passes_in_a_row_it_is_a_draw():
    game = make_game("kawade_kelia")
    states = game.init(1, 0, draws=[[1]])
    rewards = game.step(states, legal(game, states), draws=[[0] * 4000])
    assert (states[0].winner, states[0].ended, states[0].turn) == (-1, 1, 1) and not rewards.any()
    assert game.init(1, 0, draws=[[0] * 3999 + [1]])[0].to_move == 1
    assert game.init(1, 0, draws=[[0] * 4000])[0].to_move == -1


# Observations and drawings.


@pytest.mark.parametrize("book", [pancha_keliya, pancha_keliya_complex, kawade_kelia], ids=lambda book: book.__name__)
def test_the_page_shows_the_board_that_is_drawn(book):
    assert book.DRAWING.strip("\n") in book.__doc__
    tracks = book.CIRCUITS[0] if book is kawade_kelia else book.TRACKS
    assert set(map(int, re.findall(r"(\d+)\*", book.DRAWING))) == tracks.marked
    assert set(places_of(book.DRAWING)) == {cell for lane in tracks.lanes for cell in lane}


def test_throws_are_shown_as_shells_and_dice():
    shown = Board((), throws=(*mouths(5, 0), Throw("6", dice=(6,)), Throw("Sonal", dice=(0, 4))))
    assert draw_text(shown) == "to use: 5 uuuuun, 0 nnnnnn, 6 [6], Sonal [0][4]"
    assert draw_text(Board((), throws=())) == "to use: nothing"
    different = (), mouths(5), mouths(4), (Throw("5", dice=(5,)),)
    pictures = [draw_picture(Board((), throws=throws)) for throws in different]
    assert len({picture.tobytes() for picture in pictures}) == 4 and len({p.shape for p in pictures}) == 1
    assert draw_picture(Board(())).shape < pictures[0].shape


@every_race
def test_the_text_has_the_board_in_80_columns_and_the_place_of_every_piece(name):
    game = make_game(name)
    states = game.init(1, 3)
    for decision in range(60):
        text = draw_text(game.board(states))
        assert max(map(len, text.splitlines())) <= 80
        s = states[0]
        for r, letter in enumerate("abcd"[: len(s.pieces)]):
            waiting, home, on_way = re.search(
                rf"^{letter}: (\d+) waiting, (\d+) home, (none on the track|on the track \d.*)$", text, re.M
            ).groups()
            last = int(game.observation_fields[0].high)
            assert (int(waiting), int(home)) == ((s.pieces[r] == 0).sum(), (s.pieces[r] == last).sum())
            assert [*map(int, re.findall(r"\d+", on_way))] == [p for p in sorted(s.pieces[r]) if 0 < p < last]
        if s.to_move >= 0:
            game.step(states, game.sample(states, decision))


PAST = [[35, 34, 40, 1], [84, 35, 36, 2], [35, 36, 0, 0], [33, 34, 84, 1]]
"""Pieces past the corner of the partner's arm: two of player 0, three of player 1, two of player 2, one of player 3."""
PAIRS = {"pairs": [0, 1, 0, 0]}
TWO_ARMS = [[1, 0, 2, 1, 0, 84], [1, 1, 0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("name", "options", "pieces", "standing"),
    [
        ("pancha_keliya", {}, [[1, 5, 31], [1, 5, 30]], "0a 8b 4ab 33b"),
        ("pancha_keliya", {"last": "safe"}, [[4, 30, 30], [4, 0, 6]], "3a 5b 33aa 9b"),
        ("pancha_keliya_complex", {}, [[1, 12, 66], [1, 12, 65]], "0a 16a 69a 10b 54b 78b"),
        ("pancha_keliya_complex", {"counters": 2}, [[61, 0], [61, 67]], "64a 74b"),
        ("kawade_kelia", {}, [[1, 12, 66], [1, 12, 67]], "0a 16a 69a 10b 58b"),
        ("kawade_kelia", {"circuit": "left"}, [[12, 0, 0], [12, 13, 0]], "58a 16b 17b"),
        ("kawade_kelia", {"players": 4}, [[1, 12, 0], [1, 12, 0], [1, 13, 67], [0, 1, 0]], "0ac 16a 17c 10bd 58b"),
        ("sokkattan", {}, [[1, 9, 84], [1, 0, 12], [0, 0, 8], [83, 1, 76]], "73a 95a 48b 36b 1c 47dd 40d"),
        ("sokkattan", {"players": 3}, [[1, 0, 0], [1, 2, 0], [83, 84, 82]], "73a 48b 49b 22c 19c"),
        ("sokkattan", {"players": 2}, TWO_ARMS, "73a 76a 22a 48bb 47b"),
        ("sokkattan", {"players": 2, "two": "arm"}, TWO_ARMS, "73aa 76a 22bbb"),
        ("pahada_keliya", {}, PAST, "20a 23a 5a 73a 30b 29b 49b 75c 78c 74d 64d 47d"),
        (
            *("asi_keliya", {}, [[1, 4, 44, 48], [4, 14, 0, 0], [0, 9, 19, 34], [25, 25, 25, 47]]),
            "40a 50aa 29bc 1b 9c 38c 21ddd 25d",
        ),
        ("asi_keliya", {"counters": 2}, [[1, 44], [4, 0], [48, 20], [9, 9]], "40a 50a 29b 39c 38dd"),
        (
            *("tayam_sonalu", {}, [[1, 9, 76, 83], [1, 0, 0, 0], [8, 42, 84, 0], [68, 76, 75, 2]]),
            "73aa 95a 94ac 48b 1c 31d 40d 24d 46d",
        ),
        ("tayam_sonalu", {"counters": 2, "teams": False}, [[5, 0], [0, 0], [84, 1], [8, 0]], "85a 22c 40d"),
        ("saturankam", {}, [[1, 81], [1, 80]], "1a 17b 76b"),
        ("saturankam", {"players": 3}, [[2, 0], [1, 25], [3, 0]], "2a 9b 1b 19c"),
        ("saturankam", {"track": "short"}, [[31, 78], [1, 79]], "35a 74a 17b"),
    ],
)
def test_the_board_has_the_cells_of_its_page_and_the_pieces_on_them(name, options, pieces, standing):
    throws = [0, 0] if name == "saturankam" else [0]
    game, states = position(name, pieces, throws, fields={"turn": 3}, **options)
    drawing, board = game.book.page.split("```")[1], game.board(states)
    cells = places_of(drawing.replace("#", " "))
    left = min(x for x, _ in cells.values()) - min(point.x for point in board.points)
    points = {(point.x + left, point.y): point for point in board.points}
    assert len(points) == len(board.points) == len(cells)
    crossed = {int(before or after) for before, after in re.findall(r"(\d+)\*|#(\d+)", drawing)}
    crossed |= {33} if options == {"last": "safe"} else set()
    letters_on = {int(number): letters for number, letters in re.findall(r"(\d+)([a-d]+)", standing)}
    for number, place in cells.items():
        point, letters = points[place], letters_on.get(number, "")
        men = [(letter, "abcd".index(letter)) for letter in letters] or [("", -1)]
        assert ([(point.piece, point.player), *point.others], point.crossed) == (men, number in crossed), number
    assert (board.heading, board.to_move) == ("turn 3, player_0 to move", 0)
    home = game.observation_fields[0].high
    assert all(f" {row.count(home)} home, " in line for row, line in zip(pieces, board.captions, strict=False))


@pytest.mark.parametrize(
    ("name", "options", "pieces", "fields", "notes"),
    [
        ("sokkattan", {}, [[1, 0, 0]] * 4, {}, []),
        ("pahada_keliya", {}, PAST, {}, ["gates: P0 open, P1 shut, P2 open, P3 open"]),
        ("pahada_keliya", {"past": 3}, PAST, {}, ["gates: P0 shut, P1 shut, P2 shut, P3 open"]),
        ("asi_keliya", {}, [[1, 0, 0, 0]] * 4, PAIRS, ["pairs: [0, 1, 0, 0]"]),
        ("tayam_sonalu", {}, [[1, 0, 0, 0]] * 4, PAIRS, ["pairs: [0, 1, 0, 0]", "opened: [1, 1, 1, 1]"]),
        (
            *("tayam_sonalu", {"teams": False}, [[5, 0, 0, 0], [0] * 4, [84, 1, 0, 0], [8, 0, 0, 0]], {}),
            ["pairs: [0, 0, 0, 0]", "opened: [1, 0, 1, 1]"],
        ),
    ],
)
def test_the_board_says_what_else_matters(name, options, pieces, fields, notes):
    game, states = position(name, pieces, [0], fields=fields, **options)
    assert list(game.board(states).captions[len(pieces) :]) == notes


WON = [
    ("pancha_keliya", {}, 2, "side"),
    ("pancha_keliya", {"players": 4}, 2, "side"),
    ("pancha_keliya_complex", {}, 2, "side"),
    ("kawade_kelia", {}, 2, "side"),
    ("kawade_kelia", {"players": 4}, 2, "side"),
    ("sokkattan", {}, 4, "player"),
    ("sokkattan", {"teams": True}, 2, "team"),
    ("sokkattan", {"players": 2}, 2, "player"),
    ("sokkattan", {"players": 3}, 3, "player"),
    ("pahada_keliya", {}, 2, "team"),
    ("asi_keliya", {}, 2, "team"),
    ("tayam_sonalu", {}, 2, "team"),
    ("tayam_sonalu", {"teams": False}, 4, "player"),
    ("saturankam", {}, 2, "player"),
    ("saturankam", {"track": "short"}, 2, "player"),
    ("saturankam", {"players": 3}, 3, "player"),
]


@pytest.mark.parametrize(("name", "options", "sides", "word"), WON)
def test_a_game_that_is_over_names_the_side_that_is_home(name, options, sides, word):
    game = PlainGame(name, **options)
    home = 79 if options == {"track": "short"} else int(re.search(r"; L is (\d+)", game.book.page)[1]) + 1
    pieces = np.ones(game.dtype["pieces"].shape, int)
    pieces[sides - 1 :: sides] = home
    states = game.init(1, 0)
    states.throws, states.ended, states.to_move = 0, 1, -1
    if name == "tayam_sonalu":
        states.opened = 1

    def over(winner):
        states.pieces, states.winner = pieces, winner
        return game.parse(game.text(states))

    assert game.board(over(sides - 1)).heading == f"turn 0, {word}_{sides - 1} wins"
    for winner in (0, -1, sides):
        with pytest.raises(ValueError, match="winner"):
            over(winner)
    with pytest.raises(ValueError, match="a side has won"):
        game.load(pieces=pieces, throws=two_ones(game), to_move=0)
    pieces[-1, 0] -= 1
    with pytest.raises(ValueError, match="winner"):
        over(sides - 1)
    assert game.board(over(-1)).heading == "turn 0, draw"
    pieces[-1, 0] += 2
    with pytest.raises(ValueError, match=rf"pieces must hold 0\.\.{home}"):
        over(-1)


def two_ones(game):
    """Return two throws of the lowest value, or one in the game that never has more."""
    return [1 if game.name == "kawade_kelia" else 2] + [0] * (game.dtype["throws"].shape[0] - 1)


SIDES_OF_TAYAM = (0, 1, 2, 4)


@every_race
def test_the_drawing_of_a_value_is_a_throw_of_that_value(name):
    game = PlainGame(name)
    states = game.load(pieces=np.full(game.dtype["pieces"].shape, 20), throws=two_ones(game), to_move=0)
    labels = list(map(str, VALUES[name]))
    for value, label in enumerate(labels):
        states.throws = 2 * np.eye(len(labels), dtype=int)[value]
        shown, other = game.board(states).throws
        assert shown == other and shown.label == label
        if name in ("pahada_keliya", "saturankam"):
            # Each die is a throw.
            assert shown.dice == (int(label),)
        elif (name, label) == ("sokkattan", "1"):
            # The extra 1 comes with a 10 or 25.
            assert not shown.shells
        elif name == "tayam_sonalu":
            one, other = map(SIDES_OF_TAYAM.index, shown.dice)
            assert thrown_next(game, ["dice", 16, 4 * one + other], ["dice", 16, 5])[value] > 0
        else:
            throw = sum(1 << shell for shell, up in enumerate(shown.shells) if up)
            assert thrown_next(game, ["cowries", 64, throw], *cowries(2))[value] > 0


def thrown_next(game, throw, then):
    """Return the throws that the next player has after `throw`; if it grants another, `then`, a 2, follows."""
    throws = np.eye(game.dtype["throws"].shape[0], dtype=int)[1]
    states = game.load(pieces=np.full(game.dtype["pieces"].shape, 20), throws=throws, to_move=0)
    (action, *_) = legal(game, states)
    try:
        game.step(states.copy(), [action], draws=[[throw]])
        draws = [throw]
    except ValueError as error:
        assert "too few" in str(error)
        draws = [throw, then]
    game.step(states, [action], draws=[draws])
    return states[0].throws - (len(draws) - 1) * throws


def cell(*men, crossed=False):
    first, *others = men or [("", -1)]
    point = Point(0.0, 0.0, "", *first, cell=True, crossed=crossed, others=tuple(others))
    return Board((), points=(point, Point(1.0, 0.0)))


@pytest.mark.parametrize(
    ("men", "word"),
    [
        ((), "*"),
        ((("a", 0),), "a"),
        ((("a", 0), ("a", 0)), "a2"),
        ((("b", 1), ("a", 0)), "ab"),
        ((("b", 1), ("a", 0), ("b", 1)), "ab"),
        ((("b", 1), ("a", 0), ("c", 2)), "a+"),
    ],
)
def test_several_men_on_a_cell_as_text(men, word):
    assert draw_text(cell(*men, crossed=True)).split()[0] == word


def test_cells_crosses_and_crowds_show_in_pictures():
    a, b = ("a", 0), ("b", 1)
    pictures = [draw_picture(cell(*men, crossed=crossed)) for crossed in (0, 1) for men in ((), (a,), (a, a), (a, b))]
    assert len({picture.tobytes() for picture in pictures}) == 8 and len({p.shape for p in pictures}) == 1


@pytest.mark.parametrize("name", [name if name == "saturankam" else slowly(name)[0] for name in RACES])
def test_pictures_are_of_one_size(name):
    game = make_game(name)
    states, shapes = game.init(1, 5), set()
    for decision in range(40):
        if decision % 39 == 0:
            shapes.add(draw_picture(game.board(states)).shape)
        game.step(states, game.sample(states, decision), autoreset=True)
    assert len(shapes) == 1


# Positions anywhere on the board.


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "options", "sizes"), [(v[0], *v[2:]) for v in VARIANTS if v[0] in RACES])
def test_pieces_anywhere_on_the_board_move_as_the_oracle_says(name, options, sizes, seed):
    chance = random.Random(f"{name} {seed}")
    agreed = {option: chance.choice(values) for option, values in options.items() if option not in BOUNDS}
    agreed |= chance.choice([{}, *sizes])
    game = PlainGame(name, **agreed)
    for _ in range(12):
        twin = ORACLES[name](chance, **agreed)
        twin.take_draws()
        fields = scatter(twin, chance)
        if not fields:
            continue
        try:
            states = game.load(**fields)
        except ValueError as error:
            assert "two pieces on one square" in str(error) or "stand on the marked squares" in str(error)
            continue
        differ = differences(game, states, twin, [0] * game.num_players)
        assert not differ, (agreed, fields, differ)
        action = chance.choice(twin.legal())
        twin.play(action)
        rewards = game.step(states, [action], draws=[twin.take_draws()])[0].tolist()
        differ = differences(game, states, twin, rewards)
        assert not differ, (agreed, fields, action, differ)


def scatter(twin, chance):
    """Scatter an oracle's pieces and give its mover two throws; return the fields, or none if that is impossible."""
    goal, values = twin.goal, twin.values
    anywhere = (lambda: 0, lambda: goal, lambda: goal - chance.randint(1, 8), lambda: chance.randrange(1, goal))
    twin.pieces = [[chance.choice(anywhere)() for _ in row] for row in twin.pieces]
    twin.to_move = chance.randrange(twin.players)
    left = [chance.randrange(values) for _ in range(2)]
    if twin.o.get("again") == "none":
        left.pop()
    twin.throws = [left.count(value) for value in range(values)]
    if "pairs" in twin.FIELDS:
        twin.pairs = [chance.randint(0, row.count(0) // 2) for row in twin.pieces]
    if "opened" in twin.FIELDS:
        on_track = [any(0 < place < goal for place in row) for row in twin.pieces]
        entered = [any(row) or chance.random() < 0.5 for row in twin.pieces]
        twin.opened = [int(is_open) for is_open in (on_track if twin.o["first"] == "always" else entered)]
    if any(twin.is_home(player) for player in range(twin.players)) or not twin.uses():
        return {}
    return {name: getattr(twin, name) for name in ("to_move", *twin.FIELDS)}


MOST_THROWS = {"sokkattan": 32, "pahada_keliya": 2, "asi_keliya": 80, "tayam_sonalu": 16} | dict.fromkeys(RACES[:3], 16)
"""The most throws in a turn. In Asi Keliya So-hatara, fourteen fives and a six make 4 + 14 * 5 + 6 ones."""


@pytest.mark.parametrize(("name", "most"), MOST_THROWS.items())
def test_the_throws_and_decisions_of_a_turn_are_bounded(name, most):
    game = PlainGame(name, max_turns=7, **({"again": "special"} if name == "kawade_kelia" else {}))
    throws, pieces = np.eye(game.dtype["throws"].shape[0], dtype=int)[0] * most, np.full(game.dtype["pieces"].shape, 20)
    game.load(pieces=pieces, throws=throws, to_move=0)
    with pytest.raises(ValueError, match=f"throws must be at most {most} together"):
        game.load(pieces=pieces, throws=throws + np.eye(len(throws), dtype=int)[1], to_move=0)
    assert {column.high for column in game.observation_fields if column.name.startswith("throws")} == {most}
    assert game.book.most_decisions(game.options) == 7 * most


@pytest.mark.parametrize(
    ("name", "option", "least", "most"),
    [
        ("sokkattan", "players", 2, 4),
        ("sokkattan", "counters", 1, 4),
        ("asi_keliya", "counters", 1, 4),
        ("tayam_sonalu", "counters", 1, 4),
        ("saturankam", "players", 2, 4),
        ("pancha_keliya", "players", 2, 4),
        ("pancha_keliya_complex", "counters", 2, 6),
        ("kawade_kelia", "players", 2, 4),
    ],
)
def test_the_numbers_of_players_and_counters_are_those_of_the_page(name, option, least, most):
    for number in (least, most):
        assert PlainGame(name, **{option: number}).init(1, 0).to_move[0] >= 0
    for number in (least - 1, most + 1):
        with pytest.raises(ValueError, match=f"option {option}={number} is not allowed"):
            PlainGame(name, **{option: number})


# Opponents.


@pytest.mark.parametrize("name", [RACES[0], *slowly(*RACES[1:])])
def test_greedy_beats_random(name):
    game, n = make_game(name, max_turns=1000), 300
    states, returns = game.init(n, 1), np.zeros((n, game.num_players))
    seats = np.arange(n) % 2
    for decision in range(20000):
        if (states.to_move < 0).all():
            break
        greedy, random = act(game, states, "greedy", decision), game.sample(states, decision)
        returns += game.step(states, np.where(states.to_move % 2 == seats, greedy, random))
    own = returns[np.arange(n), seats]
    if name in ("sokkattan",):
        own = np.maximum(own, returns[np.arange(n), seats + 2])
    # If both were equally strong, this would fail 2999 of 3000 times.
    assert (own > 0).sum() >= 180


# Ludo.

ENTRY = Entry("ludo", "Ludo", 0, book_module="books.ludo")


@pytest.fixture(scope="module", autouse=True)
def in_the_registry():
    with registered(ENTRY):
        yield


@pytest.mark.slow
def test_a_six_brings_a_token_in_and_throws_again():
    game = make_game("ludo")
    states = game.init(1, 0, draws=[[5, 2]])
    assert (states[0].throws.tolist(), legal(game, states)) == ([0, 0, 1, 0, 0, 1], [5 * 4])
    game.step(states, [20], draws=[[0, 0, 0, 5, 0]])
    # The engine plays the three; the other players cannot enter a piece, and pass.
    assert (states[0].pieces[0].tolist(), states[0].to_move, states[0].turn) == ([4, 0, 0, 0], 0, 1)
    assert legal(game, states) == [0, 20, 21]


def test_a_token_is_sent_back_but_not_from_a_marked_cell():
    game = make_game("ludo")
    pieces = [[12, 0, 0, 0], [1, 5, 0, 0], [0] * 4, [0] * 4]
    for value, draws, there in ((2, [5, 0], [1, 5, 0, 0]), (6, [0], [1, 0, 0, 0])):
        states = game.load(pieces=pieces, throws=np.eye(6, dtype=int)[value - 1], to_move=0)
        game.step(states, [(value - 1) * 4], draws=[draws])
        assert states[0].pieces[1].tolist() == there


@pytest.mark.slow
@every_contract_test
def test_ludo_keeps_the_contract_of_all_games(contract_test, tmp_path):
    check_contract(contract_test, "ludo", tmp_path)


# Chance in OpenSpiel.


@every_race
def test_throws_that_mean_the_same_are_one_outcome(name):
    sides = verbs.COWRIES if name in (*RACES[:4], "asi_keliya") else verbs.DICE
    game = make_game(name)
    lowest = game.book.equivalent_results(sides)
    assert len(lowest) == sides and all(lowest[least] == least <= throw for throw, least in enumerate(lowest))
    kinds = {"asi_keliya": 8, "tayam_sonalu": 9}.get(name, 7 if sides == verbs.COWRIES else 10)
    assert len(set(lowest)) == kinds
    for throw, least in enumerate(lowest):
        # Both throws have the same effect: the game needs further throws, or it begins.
        assert begins(game, throw) == begins(game, least)


def begins(game, throw):
    try:
        return game.init(1, 0, draws=[[throw]]).tobytes()
    except ValueError as error:
        return str(error)
