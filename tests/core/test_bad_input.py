"""Wrong input raises the right exception, whose message names what was wrong and what is allowed; nothing changes."""

import pickle
import re
from functools import reduce
from time import process_time

import numpy as np
import pytest

from mancala_envs import make_game
from mancala_envs.agents import Agent
from mancala_envs.core.engine import IllegalAction
from mancala_envs.core.notation import game_of_position
from mancala_envs.core.options import parse_value
from mancala_envs.registry import REGISTRY

KALAH = make_game("kalah")
QELAT = make_game("qelat")
CAMPAIGN = make_game("qelat", campaign=True)
CHOICE = make_game("qelat", campaign=True, territory="choice")


def refused(error, words, function, *args, **kwargs):
    """`function` raises exactly `error`, and its message has all the words."""
    with pytest.raises(error) as caught:
        function(*args, **kwargs)
    assert caught.type is error
    for word in words:
        assert word in str(caught.value), f"{word!r} is not in {caught.value!s}"


# Making a game.


@pytest.mark.parametrize(
    ("error", "words", "name", "options"),
    [
        (ValueError, ["chess", *REGISTRY], "chess", {}),
        (TypeError, ["colums", "columns", "max_turns", "reward"], "kalah", {"colums": 6}),
        (TypeError, ["colums", "columns", "max_turns", "reward"], "qelat", {"colums": 6}),
        (ValueError, ["campaign", "'yes'", "False", "True"], "qelat", {"campaign": "yes"}),
        (ValueError, ["territory", "campaign=True"], "qelat", {"territory": "choice"}),
        # At most 255 seeds are allowed.
        (ValueError, ["255", "256"], "kalah", {"columns": 8, "seeds": 16}),
        (ValueError, ["255", "256"], "qelat", {"columns": 32}),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_game_that_cannot_be_made_is_refused(error, words, name, options):
    refused(error, words, make_game, name, **options)


def test_255_seeds_are_allowed():
    assert make_game("kalah", columns=1, seeds=127).options["seeds"] == 127
    assert make_game("qelat", columns=31).num_actions == 62


@pytest.mark.parametrize(
    ("name", "option", "value", "allowed"),
    [
        ("kalah", "columns", 0, ["at least 1"]),
        ("kalah", "columns", -6, ["at least 1"]),
        ("kalah", "columns", 2.0, ["integer", "at least 1"]),
        ("kalah", "columns", True, ["integer", "at least 1"]),
        ("kalah", "columns", "6", ["integer", "at least 1"]),
        ("kalah", "seeds", 0, ["at least 1"]),
        ("kalah", "seeds", None, ["integer", "at least 1"]),
        ("kalah", "max_turns", 0, ["at least 1"]),
        ("kalah", "max_turns", 2**31, ["at most 2147483647"]),
        ("kalah", "reward", "points", ["'win'", "'margin'"]),
        ("oware", "max_turns", 0, ["from 1 to 1000000"]),
        ("oware", "max_turns", 1_000_001, ["from 1 to 1000000"]),
        ("oware", "reward", 1, ["'win'", "'margin'"]),
        ("qelat", "columns", 1, ["at least 2"]),
        ("qelat", "max_laps", 0, ["from 1 to 1000000"]),
        ("qelat", "reading", "txt", ["'text'", "'summary'"]),
        ("qelat(campaign=True)", "territory", "borders", ["'border'", "'choice'"]),
        ("qelat(campaign=True)", "first", "random", ["'alternate'", "'loser'", "'winner'"]),
        ("qelat(campaign=True)", "max_rounds", 0, ["at least 1"]),
    ],
)
def test_a_wrong_value_of_an_option_is_refused(name, option, value, allowed):
    refused(ValueError, [option, repr(value), *allowed], make_game, name, **{option: value})


def test_a_game_with_two_names_has_the_requested_one():
    game = make_game("magazeb_ii")
    text = game.text(game.init(1, 0))
    for refused_call in (
        lambda: make_game("magazeb_ii", columns=32),
        lambda: game.load(owner=[2] * 12),
        lambda: game.load(holes=[30] * 12),
        lambda: game.parse(text.replace("phase=0", "phase=4")),
    ):
        with pytest.raises(ValueError) as caught:
            refused_call()
        assert str(caught.value).startswith("magazeb_ii: ")


@pytest.mark.parametrize("name", [name for name, entry in REGISTRY.items() if not entry.has_campaign])
def test_a_game_without_a_campaign_refuses_one(name):
    refused(ValueError, ["campaign"], make_game, name, campaign=True)


# Making states.


@pytest.mark.parametrize("n", [0, -1, 2.0, "3", None])
def test_n_must_be_a_positive_integer(n):
    refused(ValueError, ["n", repr(n), "at least 1"], KALAH.init, n)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True])
def test_a_seed_must_be_none_or_an_unsigned_64_bit_integer(seed):
    states = KALAH.init(1, seed=2)
    for function in (lambda: KALAH.init(2, seed=seed), lambda: KALAH.sample(states, seed=seed)):
        refused(ValueError, ["seed", repr(seed), "None", "2^64"], function)


# Loading positions.


def test_load_lists_the_fields_of_a_position():
    for name in ("hole", "max_turns", "chance", "rules", "filler", "end"):
        refused(TypeError, [repr(name), "holes", "store", "to_move"], KALAH.load, **{name: 1})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"holes": [4] * 11}, ["holes", "(12,)"]),
        ({"holes": [[4] * 12]}, ["holes", "(12,)"]),
        ({"holes": 4}, ["holes", "(12,)"]),
        ({"holes": [4.0] * 12}, ["holes", "integers"]),
        ({"holes": "444444444444"}, ["holes", "integers"]),
        ({"holes": [[1], 2] * 6}, ["holes"]),
        ({"holes": None}, ["holes"]),
        ({"holes": [-1] + [4] * 11}, ["holes", "0..255"]),
        ({"holes": [256] + [0] * 11}, ["holes", "0..255"]),
        ({"holes": [0] * 12}, ["seeds", "1 to 48", "0"]),
        ({"holes": [5] + [4] * 11}, ["seeds", "1 to 48", "49"]),
        ({"store": [1, 0]}, ["seeds", "1 to 48", "49"]),
        ({"store": 3}, ["store", "(2,)"]),
        ({"to_move": 2}, ["to_move", "0..1"]),
        ({"to_move": -2}, ["to_move", "0..1"]),
        ({"to_move": [0]}, ["to_move", "one integer"]),
        ({"to_move": -1}, ["-1"]),
        ({"to_move": -1, "winner": 0, "ended": 1}, ["to_move", "over"]),
        ({"phase": 3}, ["phase", "[0]"]),
        ({"turn": -1}, ["turn", "at least 0"]),
        ({"turn": 500}, ["turn", "below 500"]),
        ({"turn": 2**40}, ["turn"]),
        ({"round_number": 0}, ["round_number", "at least 1"]),
        ({"round_number": 2}, ["round_number", "campaign"]),
        ({"winner": 0}, ["winner", "-2"]),
        ({"ended": 1}, ["ended", "0"]),
        ({"holes": [0] * 6 + [4] * 6}, ["player 0", "no legal action"]),
        ({"holes": [4] * 6 + [0] * 6, "to_move": 1}, ["player 1", "no legal action"]),
    ],
    ids=str,
)
def test_a_bad_position_is_refused(fields, words):
    refused(ValueError, ["kalah", *words], KALAH.load, **fields)


def test_the_end_of_the_game_before_is_one_that_games_have():
    text = KALAH.text(KALAH.init(1, 1))
    assert KALAH.parse(text.replace("ended=0", "ended=1"))["ended"] == 1
    refused(ValueError, ["ended", "0, 1 or 2"], KALAH.parse, text.replace("ended=0", "ended=3"))


SPLIT = [0] * 6 + [1] * 6


@pytest.mark.parametrize(
    ("game", "fields", "words"),
    [
        (QELAT, {"owner": [2] * 12}, ["owner", "0 or 1"]),
        (QELAT, {"child": [3] + [0] * 11}, ["child 3", "hole 0"]),
        # A player cannot own a child in their own row: hole 0 can be the child of player 1 only, hole 6 of player 0.
        (QELAT, {"child": [1] + [0] * 11}, ["child 1", "hole 0"]),
        (QELAT, {"child": [0] * 6 + [2] + [0] * 5}, ["child 2", "hole 6"]),
        (QELAT, {"child": [-1] + [0] * 11}, ["hole 0", "only one"]),
        (QELAT, {"owned": [7, 5]}, ["owned", "owner"]),
        (CAMPAIGN, {"owned": [6, 7]}, ["owned", "12"]),
        (CAMPAIGN, {"owner": [*SPLIT[1:], 1], "owned": [6, 6]}, ["owned", "owner"]),
        (CAMPAIGN, {"round_number": 301}, ["round_number", "300"]),
        (QELAT, {"round_number": 2}, ["round_number", "campaign"]),
        (QELAT, {"phase": 1}, ["phase", "[0, 3, 4]"]),
        (QELAT, {"phase": 4}, ["phase 4"]),
        (CAMPAIGN, {"phase": 4, "owned": [7, 5]}, ["phase 4", "choice"]),
        (CHOICE, {"phase": 4}, ["phase 4"]),
        (CHOICE, {"phase": 4, "owned": [7, 5], "to_move": 1}, ["phase 4"]),
        # No decision is left once the campaign is over.
        (CHOICE, {"phase": 4, "owned": [12, 0]}, []),
        (CHOICE, {"phase": 4, "owned": [7, 5], "round_number": 300}, []),
        # Seeds in the opponent's children cannot be lifted.
        (QELAT, {"holes": [4] + [0] * 5 + [4] * 6, "child": [2] + [0] * 11}, ["player 0", "no legal action"]),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else None,
)
def test_a_contradictory_position_of_qelat_is_refused(game, fields, words):
    refused(ValueError, ["qelat", *words], game.load, **fields)


# Playing.


@pytest.mark.parametrize("function", ["legal", "legal_bits", "sample", "observe"])
@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: [1, 2], TypeError, ["states", "kalah", "list"]),
        (lambda: None, TypeError, ["states", "kalah"]),
        (lambda: np.zeros(3), ValueError, ["dtype", "kalah", "float64"]),
        (lambda: QELAT.init(2, seed=1), ValueError, ["dtype", "kalah"]),
        (lambda: KALAH.init(4, seed=1).reshape(2, 2), ValueError, ["shape", "(n,)", "(2, 2)"]),
        (lambda: np.array(KALAH.init(1, seed=1)[0]), ValueError, ["shape", "(n,)", "()"]),
    ],
    ids=["list", "None", "floats", "other game", "two axes", "no axis"],
)
def test_states_must_be_one_axis_of_the_games_records(function, make, error, words):
    refused(error, words, getattr(KALAH, function), make())


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0.0, 1.0, 2.0], TypeError, ["actions", "integers", "float64"]),
        ([True, False, True], TypeError, ["actions", "integers", "bool"]),
        (["0", "1", "2"], TypeError, ["actions", "integers"]),
        (None, TypeError, ["actions", "integers"]),
        ([0, 1], ValueError, ["actions", "(3,)", "(2,)"]),
        (0, ValueError, ["actions", "(3,)", "()"]),
        ([[0, 1, 2]], ValueError, ["actions", "(3,)", "(1, 3)"]),
        ([0, 6, 9], IllegalAction, ["action 6", "game 1", "[0, 1, 2, 3, 4, 5]"]),
        ([0, 1, -1], IllegalAction, ["action -1", "game 2", "[0, 1, 2, 3, 4, 5]"]),
    ],
    ids=str,
)
def test_actions_must_be_one_legal_integer_per_game(actions, error, words):
    states = KALAH.init(3, seed=1)
    before = states.tobytes()
    refused(error, words, KALAH.step, states, actions)
    assert states.tobytes() == before


def test_a_large_unsigned_number_is_not_minus_one():
    states = KALAH.load(holes=[0] * 5 + [1] + [1] + [0] * 5)
    KALAH.step(states, [5])
    assert states[0].to_move == -1
    with pytest.raises(IllegalAction):
        KALAH.step(states, np.array([2**64 - 1], np.uint64))


def test_illegal_action_is_a_value_error_and_survives_pickle():
    error = pickle.loads(pickle.dumps(IllegalAction(3, 7, [1, 2])))
    assert isinstance(error, ValueError)
    assert (error.index, error.action, error.legal) == (3, 7, [1, 2])


# Draws given by the caller.

LOTS = {"holes": [0] * 4 + [1] + [0] * 7, "child": [0] * 5 + [2] + [0] * 6, "store": [25, 22]}
"""Player 0 ends the round by eating from hole 5, with 26 seeds to 22: one draw with two sides decides a hole."""


@pytest.mark.parametrize(
    "draws",
    [[[]], [[0, 0]], [[0, 1, 0]], [[2]], [[15]], [[16]], [[-1]], [[["lots", 2, 2]]], [[0] * 16], [], [[0], [0]]],
    ids=str,
)
def test_draws_that_do_not_fit_are_refused_and_change_nothing(draws):
    game = make_game("qelat", campaign=True, max_rounds=1)
    states, final = game.load(**LOTS), np.zeros(1, game.dtype)
    before = states.tobytes()
    refused(ValueError, ["draws"], game.step, states, [4], draws=draws, final=final)
    assert states.tobytes() == before
    assert not any(final.tobytes())


def test_a_draw_for_an_action_without_chance_is_refused():
    states = KALAH.init(2, seed=1)
    before = states.tobytes()
    refused(ValueError, ["draws", "game 1"], KALAH.step, states, [0, 0], draws=[[], [0]])
    assert states.tobytes() == before


# Methods that only read.


@pytest.mark.parametrize("players", [2, -1, [0, 1], [0, 2, 0], 1.0, "0", [[0, 0, 0]]], ids=str)
def test_observe_refuses_players_that_do_not_exist(players):
    refused(ValueError, ["players", repr(players)], KALAH.observe, KALAH.init(3, seed=1), players)


@pytest.mark.parametrize("player", [2, -1, 0.5, True, "0"], ids=str)
def test_text_refuses_a_player_that_does_not_exist(player):
    refused(ValueError, ["player", "0..1", repr(player)], KALAH.text, KALAH.init(1, seed=1), player)


@pytest.mark.parametrize("seed", [[1, 2], (1, 2)])
def test_seeds_may_be_a_list(seed):
    states = KALAH.init(2, seed=3)
    found, expected = (KALAH.afterstates(states, 1, each) for each in (seed, np.array(seed)))
    np.testing.assert_array_equal(found.observations, expected.observations)


def test_text_and_board_take_one_game():
    refused(TypeError, ["states", "array", "int"], KALAH.text, 5)
    for look in (KALAH.text, KALAH.board):
        refused(ValueError, ["one game", "3"], look, KALAH.init(3, seed=1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("kalah", "oware", ["oware", "kalah"]),
        ("kalah", "kalah(seeds=3)", ["kalah(seeds=3)"]),
        (" turn=0", "", ["turn"]),
        (" turn=0", " turn=0 turn=0", ["turn"]),
        (" turn=0", " turns=0", ["turn"]),
        (" turn=0", " turn", ["turn"]),
        (" turn=0", "  turn=0", ["once"]),
        (" turn=0", " turn=", ["turn"]),
        (" turn=0", " turn=0,0", ["turn", "one integer"]),
        (" turn=0", " turn=x", ["turn", "'x'"]),
        (" turn=0", " turn=0.0", ["turn", "'0.0'"]),
        (" turn=0", " turn=-1", ["turn", "at least 0"]),
        (" turn=0", " turn=99999999999999999999", ["turn"]),
        ("holes=4,", "holes=", ["holes", "(12,)"]),
        ("holes=4,", "holes=,", ["holes"]),
        ("holes=4,", "holes=5,", ["seeds", "49"]),
        ("holes=4,", "holes=-4,", ["holes", "0..255"]),
        ("to_move=0", "to_move=-1", ["winner"]),
        ("winner=-2", "winner=0", ["winner", "-2"]),
        ("chance=", "chance=fffffffffffffffff", ["chance", "64 bits"]),
        ("chance=", "chance=-", ["chance"]),
    ],
)
def test_a_bad_text_is_refused(old, new, words):
    text = KALAH.text(KALAH.init(1, seed=1))
    assert text.count(old) >= 1
    refused(ValueError, words, KALAH.parse, text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (" turn=0", " turn=" + "9" * 100, ["turn", "integers of 64 bits", "'9999"]),
        (" turn=0", " turn=" + "9" * 5000, ["at most", "characters", "kalah"]),
        (" turn=0", " turn=0" + ",0" * 300_000, ["at most", "characters", "kalah"]),
        (" turn=0", " turn=0" + " a=1" * 300_000, ["at most", "characters", "kalah"]),
        ("kalah", "k" * 300_000, ["at most", "characters", "kalah"]),
        ("chance=", "chance=" + "0" * 300_000, ["at most", "characters", "kalah"]),
    ],
    ids=["100 digits", "5000 digits", "numbers", "fields", "name", "zeros"],
)
def test_a_long_text_is_refused_at_once(old, new, words):
    begun = process_time()
    refused(ValueError, words, KALAH.parse, KALAH.text(KALAH.init(1, seed=1)).replace(old, new, 1))
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["NAME", "''"]),
        ("(", ["NAME", "'('"]),
        ("kalah(", ["NAME(OPTION=VALUE,...)", "'kalah('"]),
        ("kalah()", ["NAME(OPTION=VALUE,...)"]),
        ("kalah(columns)", ["NAME(OPTION=VALUE,...)"]),
        ("kalah(columns=4", ["NAME(OPTION=VALUE,...)"]),
        ("kalah(columns=(1,2)", ["NAME(OPTION=VALUE,...)"]),
        ("kalah(columns=4))", ["NAME(OPTION=VALUE,...)"]),
        ("kalah(" + "a" * 300_000, ["at most 1000 characters", "300006"]),
        ("kalah(columns=" + "-" * 100_000, ["at most 1000 characters", "100014"]),
        ("kalah(columns=" + "[" * 4096, ["at most 1000 characters", "4110"]),
    ],
    ids=lambda value: value[:25] if isinstance(value, str) else "",
)
def test_a_text_that_does_not_begin_with_a_game_is_refused_at_once(text, words):
    begun = process_time()
    refused(ValueError, words, game_of_position, text)
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    "value", ["-" * 100_000, "[" * 4096, "-" * 900 + "1", "{[]}", "-'a'", "9" * 5000, "\0", ""], ids=len
)
def test_the_value_of_an_option_that_is_no_literal_is_a_string(value):
    assert parse_value(value) == value


NESTED = reduce(lambda inner, _: [inner], range(10_000), [])


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda: make_game("kalah", columns=10**5000), ["columns", "type int", "at most 2147483647"]),
        (lambda: make_game("kalah", columns=NESTED), ["columns", "at least 1"]),
        (lambda: make_game("kalah", columns="a" * 10**6), ["columns", "'aaa", "at least 1"]),
        (lambda: make_game(["kalah"]), ["there is no game ['kalah']", "kalah, oware"]),
        (lambda: make_game("a" * 10**6), ["there is no game 'aaa", "kalah, oware"]),
        (lambda: KALAH.load(turn=10**5000), ["turn", "type int"]),
        (lambda: KALAH.load(holes=NESTED), ["holes"]),
        (lambda: KALAH.init(1, seed=10**5000), ["seed", "type int"]),
        (lambda: KALAH.init(-(10**5000)), ["n must be", "type int"]),
        (lambda: Agent(KALAH, "perfect:" + "a" * 300), ["no endgame database 'aaa"]),
        (lambda: Agent(KALAH, "perfect:\0"), ["no endgame database"]),
        (lambda: Agent(KALAH, "mcts:" + "9" * 10**6), ["there is no agent 'mcts:999", "1 to"]),
        (lambda: Agent(KALAH, "a" * 10**6), ["an agent must be one of", "got 'aaa", "there is no such file"]),
    ],
)  # fmt: skip
def test_a_value_too_long_to_print_is_refused_by_name(function, words):
    with pytest.raises(ValueError) as caught:
        function()
    assert len(str(caught.value)) < 1000
    for word in words:
        assert word in str(caught.value)


def test_no_text_and_that_of_another_option_are_refused():
    refused(ValueError, ["kalah"], KALAH.parse, "")
    text = KALAH.text(KALAH.init(1, seed=1))
    refused(ValueError, ["kalah", "seeds=3"], make_game("kalah", seeds=3).parse, text)


def test_the_text_of_a_state_with_other_options_is_refused():
    other = make_game("kalah", seeds=3)
    state = KALAH.init(1, seed=1)
    refused(ValueError, ["kalah", "state 0 belongs to kalah, not to kalah(seeds=3)"], other.text, state)
    # Its repr shows fields instead of text.
    state.seeds = 3
    for shown in (repr(state), repr(state[0])):
        assert "kalah" not in shown and "4, 4, 4" in shown


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("max_turns", 5, "max_turns differs from that of Game(kalah)"),
        ("rules", 1, "rules differs from that of Game(kalah)"),
        ("turn", -1, "turn must be at least 0"),
        ("to_move", 2, "to_move must be 0..1"),
        ("phase", 1, "phase must be one of"),
    ],
)
def test_check_finds_wrong_fields_of_records(field, value, said):
    game = make_game("kalah")
    states = game.init(3, 0)
    game.check(states)
    states[field][1] = value
    before = states.tobytes()
    with pytest.raises(ValueError, match=f"state 1: .*{re.escape(said)}"):
        game.check(states)
    assert states.tobytes() == before
