"""The environment variables of the library, and the errors that a mistake in a rule causes."""

from dataclasses import replace

import numba
import pytest
from books import tic_tac_toe
from numba.core.errors import NumbaError

from mancala_envs import make_game
from mancala_envs.core.binding import Edition
from mancala_envs.core.rule import rule
from mancala_envs.families.mancala import ledger
from mancala_envs.families.mancala.olinda import set_out
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY


@rule
def play_on_a_misspelt_board(s, action):
    s.bord[action] = 1 + s.to_move


@pytest.fixture
def mistaken():
    """A game with a mistake in one rule."""
    book = tic_tac_toe.RULE_BOOK
    book = replace(book, rules=replace(book.rules, play=play_on_a_misspelt_board))
    return Game(book, "tic_tac_toe", False, {})


def test_plain_python_names_a_misspelt_field(mistaken):
    with pytest.raises(AttributeError, match="bord"):
        mistaken.try_plain()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_compiler_error_mentions_the_debug_variable(mistaken):
    states = mistaken.init(2, 1)
    with pytest.raises((NumbaError, KeyError)) as caught:
        mistaken.step(states, [0, 0])
    assert any("MANCALA_ENVS_DEBUG=1" in note for note in caught.value.__notes__)


@pytest.mark.parametrize(("value", "tried"), [("1", ["kalah"]), ("0", []), ("", [])])
def test_the_debug_variable_runs_rules_in_plain_python(value, tried, monkeypatch):
    found = []
    monkeypatch.setattr(Game, "try_plain", lambda game: found.append(game.name))
    monkeypatch.setenv("MANCALA_ENVS_DEBUG", value)
    make_game("kalah")
    assert found == tried


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_plays_in_plain_python(name):
    make_game(name, campaign=REGISTRY[name].has_campaign).try_plain(40)


FITTING = {"sokkattan": {"players": 2}}
"""Options that the fast form of a game needs, other than the defaults."""


@pytest.mark.parametrize("name", [name for name, entry in REGISTRY.items() if entry.fast])
def test_the_fast_variable_disables_fast_forms(name, monkeypatch):
    options = FITTING.get(name, {})
    assert make_game(name, **options)._fast is not None
    monkeypatch.setenv("MANCALA_ENVS_FAST", "0")
    assert make_game(name, **options)._fast is None


def by_name(s):
    return begin(s)


def by_module(s):
    return set_out.begin(s)


def by_no_name(s):
    return ledger.ROWS


begin = set_out.begin


@pytest.mark.parametrize(("function", "exchanged"), [(by_name, True), (by_module, True), (by_no_name, False)])
def test_a_function_is_replaced_by_whichever_name_it_is_called(function, exchanged):
    def instead(s):
        return "instead"

    bound = Edition("test", {set_out.begin: instead}, compiled=False).bind(function)
    assert (bound(None) == "instead") == exchanged
    assert set_out.begin is begin
