"""Togyz Kumalak: a position for every rule of its page. South 0..8, North 9..17, sowing by increasing number.

`test_kumalak` has the rules that it shares with Bestemshe.
"""

import numpy as np
import pytest
from helpers import hole_positions
from helpers.forms import PlainGame
from helpers.kumalak_games import replay
from helpers.positions import seeds, seen
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mancala_envs import make_game
from mancala_envs.core import contract

TOGYZ = make_game("togyz_kumalak")
position, played, sown, outcome = hole_positions.of(TOGYZ)

BEGINNING = "f1e2 d2e1 i1a2 b2i1 b1g2"
WHOLE = (
    "g1d2 a2h1 f1d2 c2f1 a1h2 b2h1 b1e2 b2a2 i1c1 g2f1 d1a2 f2i1 h1i2 h2f2 i1g2 d2a1 e1c1 b2d1 g1d2 a2i2 i1g2 i2e2 "
    "a1c1 a2a1 h1h2 c2d1 a1b1 b2a2 b1h2 f2b2 b1c1 c2b2 f1i2 c2b2 f1g1 a2a1 a1b1 b2b1 a1b1 b2a2 i1g2 h2g2 h1i2 a2b1 "
    "a1b1 e2c1 a1b1 b2a2 b1d1 a2b1 a1b1 g2b2 i1i2 i2h2 g1h2 i2h2 g1h1 h2g2 h1i2 f2e2 e1g1 b2a2 g1h1 c2b2 f1g1 c2b2 "
    "g1h1 b2a2 h1i2 b2a2 c1i2 b2a2 h1i2 i2h2 i1d2"
)


# Recorded games.


def test_the_recorded_beginning_in_which_north_makes_a_tuzdyk():
    before = replay(TOGYZ, BEGINNING)
    assert (before.store.tolist(), before.tuzdyk.tolist()) == ([22, 12], [-1, -1])
    state = replay(TOGYZ, f"{BEGINNING} f2e1")
    assert (state.store.tolist(), state.tuzdyk.tolist(), state.holes[4]) == ([22, 15], [-1, 4], 0)


def test_a_whole_recorded_game():
    state = replay(TOGYZ, WHOLE)
    assert (state.turn, state.ended, state.winner, state.to_move) == (75, 1, 0, -1)
    assert (state.store.tolist(), state.tuzdyk.tolist()) == ([82, 43], [14, 3])
    assert state.holes.tolist() == [1, 2, 2, 0, 3, 2, 2, 1, 1, 1, 3, 4, 3, 5, 0, 1, 0, 6]
    counts = state.store + state.holes.reshape(2, 9).sum(axis=1)
    assert counts.tolist() == [96, 66]


# Sowing.


def test_seeds_in_the_tuzdyks_go_to_their_players_at_once():
    # The position of the page: one seed falls into each tuzdyk, and the last one makes three in hole 9.
    state, _ = played(8, h8=20, h17=2, tuzdyk=(10, 0))
    assert state.holes.tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 3]
    assert state.store.tolist() == [3, 1]


@pytest.mark.parametrize(("mover", "tuzdyk", "lifted", "store"), [(0, (9, -1), 8, [1, 0]), (1, (-1, 0), 17, [0, 1])])
def test_a_last_seed_in_the_own_tuzdyk_goes_to_the_store_and_captures_nothing(mover, tuzdyk, lifted, store):
    state, _ = played(8, to_move=mover, tuzdyk=tuzdyk, **{f"h{lifted}": 2, "h4": 1, "h13": 1})
    assert (state.store.tolist(), state.tuzdyk.tolist()) == (store, list(tuzdyk))
    assert seeds(state) == {4: 1, 13: 1, lifted: 1}


def test_a_last_seed_in_the_others_tuzdyk_goes_to_the_other():
    assert sown(2, h2=2, h12=1, tuzdyk=(-1, 3)) == ({2: 1, 12: 1}, [0, 1])
    # A single seed, too.
    assert sown(2, h2=1, h5=1, h12=1, tuzdyk=(-1, 3)) == ({5: 1, 12: 1}, [0, 1])


# Captures and the tuzdyk.


@pytest.mark.parametrize(("held", "taken"), [(1, 0), (3, 4), (5, 6)])
def test_least_four_does_not_capture_two(held, taken):
    game = make_game("togyz_kumalak", least=4)
    assert sown(8, game=game, h8=2, h9=held, h12=1)[1] == [taken, 0]


def test_a_tuzdyk_beyond_the_first_128_holes():
    game = PlainGame("togyz_kumalak", columns=70, seeds=1)
    assert game.load(holes=[1] * 135 + [0] + [1] * 4, tuzdyk=(135, -1))["tuzdyk"].tolist() == [[135, -1]]


@pytest.mark.parametrize("mover", [0, 1])
def test_three_make_a_tuzdyk(mover):
    other = 9 * (1 - mover)
    state, _ = played(8, to_move=mover, **{f"h{8 + 9 * mover}": 2, f"h{other}": 2, f"h{other + 3}": 1})
    assert state.tuzdyk[mover] == other and state.tuzdyk[1 - mover] == -1
    assert state.store[mover] == 3
    assert seeds(state) == {8 + 9 * mover: 1, other + 3: 1}


def make_three(game, number, theirs=-1, own=-1, mover=0):
    """Return the tuzdyks after the mover's last seed has made three in the opponent's hole `number`."""
    lifted, reached = 8 + 9 * mover, number + 9 * (1 - mover)
    tuzdyk = (own, theirs) if mover == 0 else (theirs, own)
    holes = {f"h{lifted}": number + 2, f"h{reached}": 2, "h0": 1, "h9": 1}
    return played(8, game=game, to_move=mover, tuzdyk=tuzdyk, **holes)[0].tuzdyk.tolist()


@pytest.mark.parametrize("mover", [0, 1])
def test_only_one_tuzdyk_a_round(mover):
    own = 11 if mover == 0 else 2
    before = [own, -1] if mover == 0 else [-1, own]
    for twin in ("number", "free"):
        assert make_three(make_game("togyz_kumalak", twin=twin), 4, own=own, mover=mover) == before


@pytest.mark.parametrize("mover", [0, 1])
def test_the_opponents_last_hole_is_barred(mover):
    other = 9 * (1 - mover)
    made = [other + 8 if p == mover else -1 for p in (0, 1)]
    assert make_three(TOGYZ, 8, mover=mover) == [-1, -1]
    assert make_three(make_game("togyz_kumalak", last_hole="open"), 8, mover=mover) == made
    assert make_three(TOGYZ, 7, mover=mover)[mover] == other + 7


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize(("twin", "barred"), [("number", 2), ("opposite", 6), ("free", None)])
def test_the_twin_of_the_opponents_tuzdyk_is_barred(twin, barred, mover):
    # The opponent's tuzdyk is number 2 of the mover's row; number 6 of the other row lies opposite.
    game, theirs = make_game("togyz_kumalak", twin=twin), 2 + 9 * mover
    for number in (1, 2, 3, 5, 6, 7):
        made = make_three(game, number, theirs=theirs, mover=mover)
        assert made[1 - mover] == theirs
        assert made[mover] == (-1 if number == barred else number + 9 * (1 - mover)), number


def test_seeds_that_may_not_become_a_tuzdyk_stay():
    state, _ = played(8, h8=2, h9=2, h12=1, tuzdyk=(-1, 0))
    assert (seeds(state), state.store.tolist()) == ({8: 1, 9: 3, 12: 1}, [0, 0])
    assert (state.turn, state.to_move) == (1, 1)
    # Nor is one made in the own row.
    state, _ = played(0, h0=2, h1=2, h12=1)
    assert (seeds(state), state.tuzdyk.tolist()) == ({0: 1, 1: 3, 12: 1}, [-1, -1])


# The end.


def test_a_tuzdyk_can_give_the_opponent_the_majority():
    state, rewards = played(2, store=(40, 81), h2=2, h5=1, h12=1, tuzdyk=(-1, 3))
    assert (state.store.tolist(), state.ended, state.winner, rewards) == ([40, 82], 1, 1, [-1, 1])


# Positions, options, and what players see.


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tuzdyk": (3, -1)}, "the tuzdyk of player_0 must be -1 or in the other row"),
        ({"tuzdyk": (-1, 9)}, "the tuzdyk of player_1 must be -1 or in the other row"),
        ({"tuzdyk": (18, -1)}, "the tuzdyk of player_0 must be -1 or in the other row"),
        ({"tuzdyk": (-2, -1)}, "the tuzdyk of player_0 must be -1 or in the other row"),
        ({"tuzdyk": (9, -1), "h9": 1}, "the tuzdyk of player_0 must hold no seeds"),
        ({"tuzdyk": (17, -1)}, "the tuzdyk of player_0 must not be the last hole of its row"),
        ({"tuzdyk": (-1, 8)}, "the tuzdyk of player_1 must not be the last hole of its row"),
        ({"tuzdyk": (10, 1)}, "the two tuzdyks must not have the same number"),
        ({"h3": 163}, "the seeds must be 1 to 162 in all, got 164"),
        ({"h4": 0, "h13": 2}, "no legal action"),
    ],
)
def test_positions_that_no_game_has_are_refused(fields, words):
    with pytest.raises(ValueError, match=f"^togyz_kumalak: .*{words}"):
        position(**{"h4": 1} | fields)


def test_options_allow_other_tuzdyks():
    opposite = make_game("togyz_kumalak", twin="opposite")
    assert position(game=opposite, h4=1, tuzdyk=(10, 1))[0].tuzdyk.tolist() == [10, 1]
    with pytest.raises(ValueError, match="the two tuzdyks must not lie opposite each other"):
        position(game=opposite, h4=1, tuzdyk=(16, 1))
    assert position(h4=1, tuzdyk=(16, 1))[0].tuzdyk.tolist() == [16, 1]
    free = make_game("togyz_kumalak", twin="free", last_hole="open")
    for tuzdyk in ((10, 1), (16, 1), (17, 8), (9, 8)):
        assert position(game=free, h4=1, tuzdyk=tuzdyk)[0].tuzdyk.tolist() == list(tuzdyk)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"least": 3}, "least=3 is not allowed; it must be one of 2, 4"),
        ({"twin": "none"}, "twin='none' is not allowed; it must be one of 'number', 'opposite', 'free'"),
        ({"last_hole": True}, "last_hole=True is not allowed; it must be one of 'barred', 'open'"),
    ],
)
def test_options_that_are_not_allowed(options, words):
    with pytest.raises(ValueError, match=words):
        make_game("togyz_kumalak", **options)


def test_a_game_begun_anew_has_no_tuzdyk():
    states = position(turn=399, h3=1, h12=1, tuzdyk=(14, 2))
    TOGYZ.step(states, [3], autoreset=True)
    assert (states[0].turn, states[0].tuzdyk.tolist(), states[0].holes.tolist()) == (0, [-1, -1], [9] * 18)


@pytest.mark.parametrize("mover", [0, 1])
def test_each_player_sees_whose_tuzdyk_is_where(mover):
    # South's in hole 14, number 5 of North's row; North's in hole 2.
    columns = seen(TOGYZ, position(h3=1, h12=1, tuzdyk=(14, 2), to_move=mover))
    own, other = (5, 2) if mover == 0 else (2, 5)
    shown = {name for name, value in columns.items() if "tuzdyk" in name and value}
    assert shown == {f"own_tuzdyk[{own}]", f"other_tuzdyk[{other}]"}
    none = seen(TOGYZ, position(h3=1, h12=1, to_move=mover))
    assert not any(value for name, value in none.items() if "tuzdyk" in name)


def test_a_tuzdyk_is_drawn_in_its_players_colour():
    board = TOGYZ.board(position(h3=1, h12=1, tuzdyk=(14, 2)))
    marked = {(place.owner, place.label): place.mark for place in board.places if place.mark >= 0}
    assert marked == {(1, "5"): 0, (0, "2"): 1}


def test_what_is_explained_of_tuzdyks():
    lines = TOGYZ.explain(position(h8=2, h9=2, h12=1), 8)
    assert lines == [
        "player_0: lift own hole 8",
        "lifts 2 from own hole 8",
        "sows 2 from own hole 8 to other hole 0",
        "makes other hole 0 a tuzdyk and takes the 3 in it",
        "turn 1, player_1 to move: lift a hole",
    ]
    lines = TOGYZ.explain(position(h8=20, h17=2, tuzdyk=(10, 0), store=(40, 50)), 8)
    assert lines[1:-1] == [
        "lifts 20 from own hole 8",
        "sows 20 from own hole 8 to other hole 0",
        "player_0's tuzdyk takes 1",
        "player_1's tuzdyk takes 1",
        "captures 2 from other hole 0",
    ]


def test_what_searches_add_for_a_tuzdyk():
    # Eighths of a seed: a tuzdyk counts as 30 seeds or so.
    bonus = TOGYZ.plain.bind(contract.positional_bonus)
    state = position(h0=7, h8=1, h17=3, tuzdyk=(11, -1))[0]
    assert (bonus(state, 0), bonus(state, 1)) == (2 * 8 + 8 * 2 + 243, 8 + 3 * 2)


# Invariants.


@st.composite
def loaded(draw):
    """Return a position with any tuzdyks."""
    tuzdyk = [draw(st.sampled_from([-1, *range(9, 17)])), draw(st.sampled_from([-1, *range(8)]))]
    assume(-1 in tuzdyk or tuzdyk[0] - 9 != tuzdyk[1])
    weights = np.array(draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 3, 9]), min_size=20, max_size=20)))
    weights[[hole for hole in tuzdyk if hole >= 0]] = 0
    mover = draw(st.integers(0, 1))
    assume(weights[9 * mover : 9 * mover + 9].any())
    total = draw(st.integers(int(weights.sum()), 162))
    held = weights * total // weights.sum()
    assume(held[9 * mover : 9 * mover + 9].any())
    return TOGYZ.load(holes=held[:18], store=held[18:], tuzdyk=tuzdyk, to_move=mover)


@given(loaded())
@settings(deadline=None, max_examples=30)
def test_seeds_are_conserved_and_tuzdyks_stay_empty(states):
    total, before = int(states.holes.sum()) + int(states.store.sum()), states.copy()
    for step in range(40):
        assert TOGYZ.parse(TOGYZ.text(states)).tobytes() == states.tobytes()
        TOGYZ.step(states, TOGYZ.sample(states, step))
        assert int(states.holes.sum()) + int(states.store.sum()) == total
        for p, hole in enumerate(states.tuzdyk[0].tolist()):
            assert hole < 0 or (states.holes[0, hole] == 0 and hole // 9 == 1 - p)
            assert before.tuzdyk[0, p] in (-1, hole) and states.store[0, p] >= before.store[0, p]
        before = states.copy()
