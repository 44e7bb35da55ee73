"""Pancha Keliya, its Complex, Kawade Kelia: the checks of their page, and a test of every rule."""

from fractions import Fraction

import numpy as np
import pytest
from helpers.point_positions import seen
from helpers.positions import legal
from helpers.race_positions import after, begun, cowries, perft, place, use, uses

from mancala_envs import make_game
from mancala_envs.games import kawade_kelia, pancha_keliya, pancha_keliya_complex

STREAM = cowries(5, 3, 1, 2, 6, 4)
APART = {"own": "apart", "safe": "shut"}
THREE = ["pancha_keliya", "pancha_keliya_complex", "kawade_kelia"]
every_one = pytest.mark.parametrize("name", THREE)


TWO = cowries(2)
"""A throw of 2, which the next player can always use in these tests."""


def played(game, states, number, piece, draws=TWO):
    """Return the game's state and the rewards after a use that ends the turn and these throws."""
    states = states.copy()
    rewards = game.step(states, [use(game, number, piece)], draws=[draws])
    return states[0], rewards[0].tolist()


# The checks of the page.


def stretch(first, last):
    """Return these two numbers and all between, upwards or downwards."""
    return range(first, last + 1) if first < last else range(first, last - 1, -1)


def circuits(*rings):
    """Return the stretches of both sides of Kawade Kelia, which go round the ring in these directions."""
    return [[own, (11, 15), ring, (15, 15), (59, 69)] for own, ring in zip([(0, 5), (10, 5)], rings, strict=True)]


@pytest.mark.parametrize(
    ("tracks", "sides"),
    [
        (pancha_keliya.TRACKS, [[(0, 4), (9, 33)], [(8, 4), (9, 33)]]),
        (
            pancha_keliya_complex.TRACKS,
            [
                [(0, 5), (11, 15), (16, 54), (15, 15), (55, 59), (60, 69)],
                [(10, 5), (11, 15), (54, 16), (15, 15), (55, 59), (70, 78), (69, 69)],
            ],
        ),
        (kawade_kelia.CIRCUITS[0], circuits((16, 58), (58, 16))),
        (kawade_kelia.CIRCUITS[1], circuits((58, 16), (16, 58))),
    ],
    ids=["pancha_keliya", "pancha_keliya_complex", "kawade_kelia right", "kawade_kelia left"],
)
def test_both_sides_go_over_these_squares(tracks, sides):
    assert [list(lane) for lane in tracks.lanes] == [
        [cell for ends in side for cell in stretch(*ends)] for side in sides
    ]


@pytest.mark.parametrize(
    ("tracks", "marked"),
    [
        (pancha_keliya.TRACKS, [{5, 10, 15, 20, 25}] * 2),
        (pancha_keliya.WITH_LAST, [{5, 10, 15, 20, 25, 30}] * 2),
        (pancha_keliya_complex.TRACKS, [set(range(1, 67, 5))] * 2),
        (
            kawade_kelia.CIRCUITS[0],
            [
                {6, 11, 17, 22, 23, 28, 33, 34, 39, 44, 45, 50, 55, 61},
                {6, 11, 16, 21, 22, 27, 32, 33, 38, 43, 44, 49, 55, 61},
            ],
        ),
    ],
    ids=["pancha_keliya", "pancha_keliya, the last too", "pancha_keliya_complex", "kawade_kelia"],
)
def test_these_places_are_marked(tracks, marked):
    assert [set(np.flatnonzero(safe)) for safe in tracks.is_marked] == marked


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        ("pancha_keliya", {}, [1, 1, 3, 7, 19, 51, 147]),
        ("pancha_keliya", {"enter": "first"}, [1, 1, 3, 7, 19, 49, 160]),
        ("pancha_keliya", APART, [1, 1, 3, 7, 19, 51, 142]),
        ("pancha_keliya", {"use": "may"}, [2, 4, 8, 20, 56, 148, 470]),
        ("pancha_keliya_complex", {}, [1, 1, 3, 7, 19, 51, 163]),
        ("pancha_keliya_complex", {"admit": "any", "again": "none"}, [1, 1, 2, 4, 10, 25, 64]),
        ("kawade_kelia", {}, [1, 1, 2, 4, 10, 25, 64]),
        ("kawade_kelia", APART, [1, 1, 2, 4, 8, 19, 41]),
        ("kawade_kelia", {"players": 4}, [1, 1, 1, 1, 2, 4, 8]),
    ],
)
def test_perft_from_the_start(name, options, counts):
    assert perft(make_game(name, **options), STREAM, len(counts)) == counts


@pytest.mark.parametrize(
    ("name", "pieces", "thrown", "options", "counts"),
    [
        ("pancha_keliya", [[0, 5, 12], [9, 14, 30]], (5, 3), {}, [5, 12, 60, 144, 700, 1840]),
        ("pancha_keliya", [[0, 5, 12], [9, 14, 30]], (5, 3), APART, [4, 9, 41, 96, 464, 1194]),
        ("pancha_keliya_complex", [[10, 20, 51], [9, 40, 62]], (5, 3), {}, [6, 18, 108, 324, 1860, 5444]),
        ("pancha_keliya_complex", [[10, 20, 51], [9, 40, 62]], (5, 3), APART, [6, 18, 100, 284, 1608, 4586]),
        ("kawade_kelia", [[10, 20, 55], [9, 42, 62]], (5,), {}, [3, 9, 27, 81, 243, 594]),
        ("kawade_kelia", [[10, 20, 55], [9, 42, 62]], (5,), APART, [3, 9, 24, 64, 183, 445]),
    ],
)
def test_perft_from_the_middle(name, pieces, thrown, options, counts):
    game, states = place(name, pieces, *thrown, **options)
    # The last depths take long and would show no more.
    assert perft(game, STREAM, 5, states, len(thrown)) == counts[:5]


@pytest.mark.parametrize(("name", "chance"), [("pancha_keliya", (64, 115)), ("kawade_kelia", (64, 65))])
def test_the_probability_that_player_0_decides_first(name, chance):
    """The game says for every first throw whether player 0 decides; all later throws have the same chances."""
    game = make_game(name)
    first = sum(begun(game, [["cowries", 64, shells], *cowries(1, 2)])[0][0].to_move == 0 for shells in range(64))
    p = Fraction(int(first), 64)
    # Player 0 decides first with probability x = p + (1 - p)^2 x.
    assert p / (1 - (1 - p) ** 2) == Fraction(*chance)


@pytest.mark.parametrize(
    ("name", "last", "chance"),
    # The page says 29/55 for games in which 6, 5 and 1 grant a throw, but that is the chance if a 6 grants none.
    [("pancha_keliya", 30, (19, 36)), ("pancha_keliya_complex", 66, (19, 36)), ("kawade_kelia", 66, (32, 61))],
)
def test_the_chance_of_the_last_piece(name, last, chance):
    """Both players have one piece left, at the last place: the first throw of 1 wins."""
    pieces = [[last] + [last + 1] * 2] * 2
    assert played(*place(name, pieces, 1), 1, 0, [])[0].winner == 0
    for mouths in range(2, 7):
        with pytest.raises(ValueError, match="no legal action"):
            place(name, pieces, mouths)
    more = sum(shells.bit_count() in (5, 6) for shells in range(64)) if name != "kawade_kelia" else 0
    x = Fraction(6, 64 - more)
    assert x / (1 - (1 - x) ** 2) == Fraction(*chance)


def test_the_legal_actions_of_all_throws_in_kawade_kelia():
    mouths = [shells.bit_count() for shells in range(1, 64)]
    assert sum(len(legal(*place("kawade_kelia", [[0, 5, 62], [8, 14, 30]], number))) for number in mouths) == 188


# The rules.


@every_one
def test_all_throws_are_made_before_anything_moves(name):
    game = make_game(name)
    states, taken = begun(game, cowries(6, 5, 1, 3))
    grants = name != "kawade_kelia"
    assert (states[0].throws.tolist(), taken) == (([1, 0, 1, 0, 1, 1], 4) if grants else ([0, 0, 0, 0, 0, 1], 1))


def test_bokka_ends_the_throwing_and_leaves_what_was_thrown():
    states, taken = begun(make_game("pancha_keliya"), cowries(6, 0))
    assert (states[0].throws.tolist(), taken, states[0].to_move) == ([0, 0, 0, 0, 0, 1], 2, 0)


def test_the_sixteenth_throw_grants_none():
    states, taken = begun(make_game("pancha_keliya"), cowries(5))
    assert (states[0].throws.tolist(), taken) == ([0, 0, 0, 0, 16, 0], 16)


def test_waiting_pieces_enter_by_6_5_and_1_to_the_place_of_that_number():
    game, states = place("pancha_keliya", [[0, 0, 7], [0, 0, 0]], 6, 5, 1, 4)
    assert uses(game, states) == {(n, k) for n in (6, 5, 1) for k in (0, 2)} | {(4, 2)}
    assert after(game, states, use(game, 5, 0), [])[0][0].pieces[0].tolist() == [5, 0, 7]
    game, states = place("pancha_keliya", [[0, 0, 7], [0, 0, 0]], 6, 5, 1, 4, enter="first")
    assert after(game, states, use(game, 5, 0), [])[0][0].pieces[0].tolist() == [1, 0, 7]


def test_in_kawade_kelia_any_number_admits_and_none_grants():
    assert uses(*place("kawade_kelia", [[0, 0, 0], [0, 0, 0]], 4)) == {(4, 0)}
    with pytest.raises(ValueError, match="throws must be at most 1 together"):
        place("kawade_kelia", [[0, 0, 0], [0, 0, 0]], 6, 1)
    assert uses(*place("kawade_kelia", [[9, 0, 0], [0, 0, 0]], 4, admit="special")) == {(4, 0)}


def test_a_piece_that_uses_two_throws_strikes_in_between_too():
    game, states = place("pancha_keliya", [[6, 0, 0], [8, 11, 11]], 2, 1, 1)
    states, _ = after(game, states, use(game, 2, 0), [])
    assert states[0].pieces.tolist() == [[8, 0, 0], [0, 11, 11]]
    s, _ = played(*place("pancha_keliya", [[8, 7, 0], [8, 11, 11]], 3), 3, 0)
    assert s.pieces.tolist() == [[11, 7, 0], [8, 0, 0]]


@pytest.mark.parametrize(
    ("name", "mine", "theirs", "number"),
    [
        # No lanes meet on a side's own squares; the sides go round the ring of Complex in opposite directions.
        ("pancha_keliya", 2, 4, 2),
        ("pancha_keliya_complex", 58, 60, 2),
        ("pancha_keliya_complex", 18, 62 - 20, 2),
        ("pancha_keliya_complex", 48, 12, 2),
        ("kawade_kelia", 12, 66 - 14, 2),
        ("kawade_kelia", 56, 58, 2),
    ],
)
def test_pieces_meet_where_their_lanes_do(name, mine, theirs, number):
    s, _ = played(*place(name, [[mine, 3, 3], [theirs, 1, 1]], number), number, 0)
    meets = (name, mine) not in (("pancha_keliya", 2), ("pancha_keliya_complex", 58))
    assert s.pieces[1].tolist() == [0 if meets else theirs, 1, 1]


def test_the_other_circuit_changes_the_marks_and_not_the_meetings():
    for circuit, struck in (("right", True), ("left", False)):
        # On the right circuit side 0's place 17 is marked, on the left one 16.
        s, _ = played(*place("kawade_kelia", [[14, 3, 3], [66 - 16, 1, 1]], 2, circuit=circuit), 2, 0)
        assert (s.pieces[1, 0] == 0) == struck


@every_one
def test_no_piece_is_sent_back_from_a_marked_square(name):
    marked = {"pancha_keliya": 10, "pancha_keliya_complex": 11, "kawade_kelia": 11}[name]
    s, _ = played(*place(name, [[marked - 2, 3, 3], [marked, 1, 1]], 2), 2, 0)
    assert s.pieces.tolist() == [[marked, 3, 3], [marked, 1, 1]]
    assert uses(*place(name, [[marked - 2, 3, 3], [marked, 1, 1]], 2, safe="shut")) == {(2, 1)}
    assert uses(*place(name, [[marked - 2, marked, 3], [marked - 1, 1, 2]], 2, own="apart")) == {(2, 1), (2, 2)}


def test_the_kenda_ge_is_safe_only_by_option():
    for last, there in (("plain", 0), ("safe", 30)):
        s, _ = played(*place("pancha_keliya", [[28, 3, 3], [30, 1, 1]], 2, last=last), 2, 0)
        assert s.pieces[1, 0] == there


def test_the_junction_is_one_square_in_both_passages():
    # A piece stands on the second passage, 51; another of the same side comes to the first, 11.
    assert uses(*place("pancha_keliya_complex", [[9, 51, 1], [1, 2, 3]], 2, own="apart")) == {(2, 1), (2, 2)}
    assert uses(*place("kawade_kelia", [[9, 3, 3], [55, 1, 1]], 2, safe="shut")) == {(2, 1)}


@every_one
def test_home_by_the_exact_number(name):
    last = 30 if name == "pancha_keliya" else 66
    assert uses(*place(name, [[last - 1, 3, 3], [1, 1, 1]], 3)) == {(3, 1)}
    assert played(*place(name, [[last - 1, 3, 3], [1, 1, 1]], 2), 2, 0)[0].pieces[0, 0] == last + 1
    if name != "pancha_keliya":
        assert played(*place(name, [[last - 1, 3, 3], [1, 1, 1]], 3, leave="beyond"), 3, 0)[0].pieces[0, 0] == last + 1


def test_a_single_choice_is_played_and_unusable_throws_are_lost():
    # The 1 takes the last piece but one home; no piece can use the 3.
    s, _ = played(*place("pancha_keliya", [[30, 30, 31], [1, 1, 1]], 1, 3), 1, 0)
    assert (s.pieces[0].tolist(), s.to_move, s.turn) == ([31, 30, 31], 1, 1)
    # After the 5 only the waiting piece can use the 1.
    s, _ = played(*place("pancha_keliya", [[26, 0, 31], [1, 1, 1]], 5, 1), 5, 0)
    assert (s.pieces[0].tolist(), s.to_move, s.turn) == ([31, 1, 31], 1, 1)


def test_a_player_who_may_stop_is_always_asked():
    game, states = place("pancha_keliya", [[26, 0, 31], [1, 1, 1]], 5, 1, use="may")
    assert legal(game, states) == [use(game, 1, 0), use(game, 1, 1), use(game, 5, 0), use(game, 5, 1), 18]
    states, _ = after(game, states, use(game, 5, 0), [])
    assert legal(game, states) == [use(game, 1, 1), 18]
    states, _ = after(game, states, 18, cowries(2))
    assert (states[0].turn, states[0].to_move, states[0].pieces[0].tolist()) == (1, 1, [31, 0, 31])


def test_a_pass_does_not_count_as_a_turn():
    # All pieces of player 1 wait: they pass with a 4 and a 3, and player 0 in between with no throw.
    s, _ = played(*place("pancha_keliya", [[1, 0, 0], [0, 0, 0]], 2), 2, 0, cowries(4, 0, 3, 2))
    assert (s.to_move, s.turn, s.throws.tolist()) == (0, 1, [0, 1, 0, 0, 0, 0])


@every_one
def test_the_side_with_all_pieces_home_wins_and_the_other_throws_are_dropped(name):
    last = 30 if name == "pancha_keliya" else 66
    throws = (1,) if name == "kawade_kelia" else (1, 6)
    s, rewards = played(*place(name, [[last, last + 1, last + 1], [4, 1, 1]], *throws, max_turns=1), 1, 0, [])
    assert (s.winner, s.ended, s.turn, s.to_move, s.throws.sum()) == (0, 1, 1, -1, 0)
    assert rewards == [1, -1]


def test_max_turns_is_a_draw_and_the_margin_counts_places():
    s, rewards = played(*place("pancha_keliya", [[5, 3, 2], [4, 1, 1]], 2, max_turns=1, reward="margin"), 2, 0, [])
    assert (s.winner, s.ended) == (-1, 1) and np.allclose(rewards, np.array([6, -6]) / (6 * 31))


def test_partners_share_the_counters_of_pancha_keliya():
    s, rewards = played(*place("pancha_keliya", [[30, 31, 31], [4, 1, 1]], 1, to_move=2, players=4), 1, 0, [])
    assert (s.winner, rewards) == (0, [1, -1, 1, -1])
    s, _ = played(*place("pancha_keliya", [[5, 6, 7], [4, 1, 1]], 2, to_move=3, players=4), 2, 0)
    assert (s.pieces[1].tolist(), s.to_move) == ([6, 1, 1], 0)


def test_four_players_of_kawade_kelia_have_pieces_of_their_own():
    home = [67] * 3
    pieces = [[20, 3, 3], [1, 1, 1], [22, 22, 1], [1, 1, 1]]
    s, _ = played(*place("kawade_kelia", pieces, 2, players=4), 2, 0)
    assert s.pieces[2].tolist() == [22, 22, 1]
    game, states = place("kawade_kelia", [home, [1, 1, 1], [66, 67, 67], [1, 1, 1]], 1, to_move=2, players=4)
    assert played(game, states, 1, 0, [])[1] == [1, -1, 1, -1]
    # A player with all pieces home is skipped.
    s, _ = played(*place("kawade_kelia", [home, [1, 1, 1], [60, 67, 67], [1, 1, 1]], 2, to_move=3, players=4), 2, 0)
    assert s.to_move == 1


# Positions.


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"pieces": [[32, 0, 0], [0, 0, 0]], "throws": [1, 0, 0, 0, 0, 0]}, r"pieces must hold 0\.\.31"),
        ({"pieces": [[31] * 3, [0] * 3], "throws": [1, 0, 0, 0, 0, 0], "to_move": 1}, "a side has won"),
        ({"throws": [0] * 6}, "throws must be left"),
        ({"throws": [9, 0, 0, 0, 9, 0]}, "at most 16 together"),
        ({"throws": [0, 1, 0, 0, 0, 0], "to_move": 0}, "no legal action"),
        ({"to_move": -1, "ended": 1, "winner": 0, "throws": [1, 0, 0, 0, 0, 0]}, "throws must be 0"),
        ({"phase": 1}, "phase must be one of"),
    ],
)
def test_impossible_positions_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        make_game("pancha_keliya").load(**fields)


def test_positions_that_share_squares_against_the_options_are_refused():
    with pytest.raises(ValueError, match="two pieces on one square"):
        place("pancha_keliya", [[7, 7, 0], [0, 0, 0]], 1, own="apart")
    with pytest.raises(ValueError, match=r"both sides stand on the marked squares \[4\]"):
        place("pancha_keliya", [[5, 7, 0], [5, 0, 0]], 1, safe="shut")
    with pytest.raises(ValueError, match=r"both sides stand on the marked squares \[5\]"):
        place("pancha_keliya_complex", [[6, 7, 0], [6, 0, 0]], 1, safe="shut")
    # On the left circuit another place is a corner of the ring.
    with pytest.raises(ValueError, match=r"both sides stand on the marked squares \[54\]"):
        place("kawade_kelia", [[16, 0, 0], [50, 0, 0]], 1, safe="shut", circuit="left")
    place("kawade_kelia", [[16, 0, 0], [50, 0, 0]], 1, safe="shut")
    # With last="safe" the last square is marked.
    with pytest.raises(ValueError, match=r"both sides stand on the marked squares \[33\]"):
        place("pancha_keliya", [[30, 7, 0], [30, 0, 0]], 1, safe="shut", last="safe")


def test_throws_given_without_a_player_are_player_0s():
    game = make_game("pancha_keliya")
    assert not any(game.load(seed, throws=[1, 0, 0, 0, 0, 0])[0].to_move for seed in range(9))


def test_observations_show_places_and_distances():
    game, states = place("pancha_keliya_complex", [[10, 20, 0], [9, 40, 62]], 5, 3)
    mine, other = seen(game, states, 0), seen(game, states, 1)
    assert columns_of(mine, "own_place") == [10, 20, 0]
    # The opponent's 40 is place 22 of side 0, two ahead of the second piece; the opponent's 9 is just behind the first.
    assert columns_of(mine, "own_prey") == [12, 2, 9]
    assert columns_of(mine, "own_threat") == [1, 2, 0]
    assert columns_of(mine, "own_refuge") == [1, 1, 1]
    assert columns_of(mine, "place_1") == columns_of(other, "own_place") == [9, 40, 62]
    assert mine["throws[2]"] == mine["throws[4]"] == mine["to_move[0]"] == other["to_move[1]"] == 1
    assert "to_move[1]" not in mine


def columns_of(look, name):
    return [look.get(f"{name}[{k}]", 0) for k in range(3)]
