"""Every game's page describes all of its actions, fields, columns and options, as the code declares them."""

import numpy as np
import pytest
from helpers.forms import InPython

from mancala_envs import make_game
from mancala_envs.core.page import span
from mancala_envs.registry import REGISTRY

every_game = pytest.mark.parametrize("name", REGISTRY)


def section(game, heading):
    """Return the text under a heading of the game's page."""
    assert game.book.page.count(f"\n## {heading}\n") == 1
    return game.book.page.split(f"\n## {heading}\n", 1)[1].split("\n## ")[0]


def rows(game, heading):
    """Return the cells of the table under a heading, row by row."""
    lines = [line for line in section(game, heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@every_game
def test_the_page_shows_every_action_with_the_phases_in_which_it_can_be_legal(name):
    game = make_game(name)
    shown = [(number, phase) for number, phases, _ in rows(game, "Actions") for phase in phases.split(", ")]
    first, declared = 0, []
    for kind in game.action_kinds:
        declared += [(span(first, len(kind)), str(phase)) for phase in kind.phases]
        first += len(kind)
    assert shown == declared and f"`Discrete({first})`" in section(game, "Actions")
    assert {phase for kind in game.action_kinds for phase in kind.phases} == set(game.book.presentation.phases)


@every_game
def test_actions_are_legal_only_in_their_phases(name):
    modes = (False, True) if REGISTRY[name].has_campaign else (False,)
    for game in (make_game(name, campaign) for campaign in modes):
        allowed = np.zeros((max(game.book.presentation.phases) + 1, game.num_actions), bool)
        allowed[:] = np.transpose([[p in k.phases for p in range(len(allowed))] for k in game.action_kinds for _ in k])
        states = game.init(8, 1)
        for decision in range(100):
            assert (game.legal(states) <= allowed[states.phase]).all()
            game.step(states, game.sample(states, decision), autoreset=True)


@every_game
def test_names_of_actions_are_distinct_and_contain_their_direction(name):
    game = make_game(name)
    assert len(set(game.action_names)) == len(set(game.actions)) == game.num_actions
    for action in game.actions[:100]:
        assert action.name and "{" not in action.name
        assert action.direction is None or action.direction in action.name


@every_game
def test_the_page_shows_every_column(name):
    game, number = make_game(name), 0
    for numbers, shown, high, meaning in rows(game, "Observation"):
        first, _, last = numbers.partition("..")
        columns = game.observation_fields[int(first) : int(last or first) + 1]
        assert int(first) == number and {(str(c.high), c.meaning) for c in columns} == {(high, meaning)}
        assert shown == " to ".join(f"`{c.name}`" for c in dict.fromkeys([columns[0], columns[-1]]))
        number += len(columns)
    assert number == len(game.observation_fields)
    assert f"`({number},)` {game.observation_dtype}" in section(game, "Observation")


@every_game
def test_columns_described_as_1_when_something_holds_are_at_most_one(name):
    for column in make_game(name).observation_fields:
        assert column.meaning and "{" not in column.meaning
        if column.meaning.startswith(("1 when ", "1 where ", "1 while ", "1 for ")):
            assert column.high == 1, column


@every_game
def test_a_book_writes_every_column_for_every_player(name):
    game = make_game(name)
    states = game.init(2, 1)
    for decision in range(20):
        game.step(states, game.sample(states, decision), autoreset=True)
    for player in range(game.num_players):
        one, other = (InPython(game).observe(states, player, filled) for filled in (0, 1))
        np.testing.assert_array_equal(one, other)


@every_game
def test_the_page_shows_every_field_of_a_position(name):
    game = make_game(name)
    fields = {field.name: field.shape for field in game.book.record(game.options)}
    shapes, phases = {}, {}
    for field, shape, meaning in rows(game, "Position"):
        assert meaning
        if field.startswith("phase "):
            phases[int(field.removeprefix("phase "))] = meaning
        else:
            shapes[field.strip("`")] = tuple(map(int, shape.split(" x "))) if shape else ()
    assert (
        shapes == {field: fields[field] for field in game.position_fields} and phases == game.book.presentation.phases
    )
    assert all(game.dtype[field].shape == shape for field, shape in shapes.items())


@every_game
def test_the_page_shows_every_option_with_its_default(name):
    game = make_game(name)
    book = game.book
    shown = {option: (default, allowed) for option, default, allowed in rows(game, "Options")}
    assert list(shown) == [f"`{option.name}`" for option in book.every_option]
    for option in book.every_option:
        default, allowed = shown[f"`{option.name}`"]
        assert default == (f"as `{option.like}`" if option.like else f"`{option.default!r}`")
        assert allowed.endswith("; in campaigns") == (option in book.campaign_options)


@every_game
def test_the_page_gives_versions_and_the_import(name):
    page, entry = REGISTRY[name].book.page, REGISTRY[name]
    assert f"* v{entry.version}: " in page
    assert f"from mancala_envs import {entry.module}" in page or f"`{entry.module}`" in page
