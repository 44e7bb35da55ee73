"""The result of a game in words: `Game.result` of every game and campaign."""

import re

import numpy as np
import pytest
from helpers.forms import PlainGame

from mancala_envs.core.record import NOBODY
from mancala_envs.core.result import joined, side_names, sides
from mancala_envs.registry import REGISTRY

CASES = [(name, campaign) for name, entry in REGISTRY.items() for campaign in (False, True)[: 1 + entry.has_campaign]]


def finished(name, campaign=False, seed=3, **options):
    """Return a game and its state (1,) after random play to the end."""
    book = REGISTRY[name].book
    known = {option.name for option in (*book.options, *(book.campaign_options if campaign else ()))}
    short = {"max_turns": 6 if campaign or name == "dam" else 30, "max_rounds": 3 if campaign else 1}
    game = PlainGame(name, campaign, **{key: value for key, value in short.items() if key in known} | options)
    state = game.init(1, seed)
    for decision in range(5000):
        if state[0].to_move == NOBODY:
            return game, state
        game.step(state, game.sample(state, decision))
    raise AssertionError(f"{name} did not end")


def ended(name, *, winner=NOBODY, campaign=False, options=None, **fields):
    """Return the game and the record of a game that ended with these values of fields."""
    game = PlainGame(name, campaign, **options or {})
    state = game.init(1, 0)
    for key, value in (fields | {"winner": winner, "to_move": NOBODY, "ended": 1}).items():
        state[key] = value
    return game, state


@pytest.mark.parametrize(("name", "campaign"), CASES)
def test_every_game_has_a_result_in_words(name, campaign):
    game, state = finished(name, campaign)
    prize = " the campaign" if campaign else ""
    names, side_of = side_names(game), sides(game)
    for winner in range(NOBODY, len(names)):
        state["winner"] = winner
        told = game.result(state)
        if winner >= 0:
            assert told.lower().startswith(f"{names[winner].lower()} won{prize}")
        for player in range(game.num_deciding):
            mine = game.result(state, [player])
            if winner >= 0:
                assert mine.startswith(f"You {'won' if side_of[player] == winner else 'lost'}{prize}")
    numbers = re.findall(r"-?\d+", re.sub(r"player_\d", "", told))
    counts = bool(game.book.presentation.counted({**game.options, "campaign": campaign}))
    assert len(numbers) == (0 if not counts else 1 if "cattle" in told or "leopards" in told else len(names))


@pytest.mark.parametrize(
    ("people", "told"),
    [
        ((), "South won 31 : 17 (seeds in store and row)"),
        ((0,), "You won 31 : 17 (seeds in store and row)"),
        ((1,), "You lost 17 : 31 (seeds in store and row)"),
        ((0, 1), "South won 31 : 17 (seeds in store and row)"),
    ],
)
def test_seeds_left_in_holes_are_counted(people, told):
    game, state = ended("kalah", winner=0, holes=[0] * 6 + [5, 5, 5, 0, 0, 0], store=[31, 2])
    assert game.result(state, people) == told


def test_draws():
    game, state = ended("kalah", holes=[0] * 12, store=[24, 24])
    assert game.result(state) == "The game is drawn 24 : 24 (seeds in store and row)"
    assert game.result(state, [1]) == "You drew 24 : 24 (seeds in store and row)"
    game, state = ended("qelat", campaign=True, owned=[6, 6])
    assert game.result(state) == "The campaign is drawn 6 : 6 (holes)"


def test_sides_have_the_names_of_the_game():
    game, state = ended("diviyan_keliya", winner=0, taken=[8, 0])
    assert game.result(state) == "The leopards won; cattle taken: 8"
    game, state = ended("hat_diviyan_keliya", winner=1, taken=[2, 0])
    assert game.result(state) == "The leopards won; leopards taken: 2"
    assert game.result(state, [0]) == "You lost; leopards taken: 2"
    game, state = ended("koti_keliya", winner=1)
    assert game.result(state) == "The cattle won"


def test_a_win_that_does_not_depend_on_the_count_is_told_apart():
    game, state = ended("dam", winner=1, taken=[9, 4])
    assert game.result(state) == "player_1 won; men taken: 4 : 9"
    assert game.result(state, [0]) == "You lost; men taken: 9 : 4"


def test_many_players_and_teams():
    game, state = ended("dongjintian", winner=2, store=[20, 30, 45, 5])
    score = "seeds in store: player_0 20, player_1 30, player_2 45, player_3 5"
    assert game.result(state) == f"player_2 won; {score}"
    assert game.result(state, [1]) == f"You lost to player_2; {score.replace('player_1', 'you')}"
    state["store"] = [45, 5, 45, 5]
    state["winner"] = NOBODY
    assert game.result(state, [0]).startswith("You and player_2 won together; seeds in store: you 45, player_1 5")
    game, state = ended("zigulzoqge", options={"teams": True}, winner=1, holes=0, store=[10, 10, 40, 20])
    assert game.result(state) == "player_2 and player_3 won 60 : 20 (seeds in store and row)"
    assert game.result(state, [0, 1]) == "You lost 20 : 60 (seeds in store and row)"
    game, state = ended("sokkattan", options={"teams": True}, winner=0)
    assert game.result(state, [2]) == "You won; pieces home: 0 : 0"


@pytest.mark.parametrize("nobody", [2, -1, 1.0, True, "a"])
def test_only_players_can_be_addressed(nobody):
    game, state = ended("kalah", winner=0)
    with pytest.raises(ValueError, match="each of people must be an integer from 0 to 1, got"):
        game.result(state, [0, nobody])


def test_a_game_in_progress_has_no_result():
    game = PlainGame("kalah")
    with pytest.raises(ValueError, match="the game is not over"):
        game.result(game.init(1, 0))
    state = ended("kalah")[1]
    state["ended"] = 2
    assert game.result(state) == "The game was broken off"


def test_names_are_joined():
    assert [joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert np.array_equal(sides(PlainGame("kawade_kelia", players=4)), [0, 1, 0, 1])
