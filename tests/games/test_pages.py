"""Every game's page says what the code does: its tables of actions and of the observation name every number."""

import re

import pytest

from mancala_envs import make_game
from mancala_envs.registry import REGISTRY

every_game = pytest.mark.parametrize("name", REGISTRY)


def rows(page, heading):
    """The cells of the table under a heading."""
    section = page.split(f"\n## {heading}\n", 1)[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def number(word, columns):
    """What `17`, `2W+4` or `3W-1` is on a board of so many columns."""
    times, more = re.fullmatch(r"(?:(\d*)W)?([+-]?\d+)?", word).groups()
    widths = 0 if times is None else int(times or 1)
    return widths * columns + int(more or 0)


def numbers(cell, columns):
    """All numbers of a cell such as `0..5, 7, 2W+1..3W`."""
    found = set()
    for part in cell.split(","):
        first, _, last = part.strip().partition("..")
        found |= set(range(number(first, columns), number(last or first, columns) + 1))
    return found


@every_game
def test_the_table_of_actions_names_all_actions(name):
    game = make_game(name)
    columns = game.options.get("columns", 0)
    said = [numbers(row[0], columns) for row in rows(game.book.page, "Actions")]
    assert set().union(*said) == set(range(game.num_actions))
    assert f"`Discrete({game.num_actions})`" in game.book.page


@every_game
def test_the_phases_of_the_table_of_actions_are_the_phases_of_the_game(name):
    page, phases = make_game(name).book.page, make_game(name).book.look.phases
    if len(phases) > 1:
        said = set().union(*(numbers(re.sub(r"\(.*?\)", "", row[1]), 0) for row in rows(page, "Actions")))
        assert said == set(phases)


@every_game
def test_the_table_of_the_observation_names_every_column_once(name):
    game = make_game(name)
    said = [numbers(row[0], game.options.get("columns", 0)) for row in rows(game.book.page, "Observation")]
    assert sum(map(len, said)) == len(set().union(*said)), "a column is named twice"
    assert set().union(*said) == set(range(len(game.observation_fields)))
    assert f"`({len(game.observation_fields)},)` {game.observation_dtype}" in game.book.page


@every_game
def test_columns_that_are_0_or_1_by_the_page_are_no_more(name):
    game = make_game(name)
    for row in rows(game.book.page, "Observation"):
        if re.match("1 (when|where|while|for|if) ", row[1]):
            said = numbers(row[0], game.options.get("columns", 0))
            assert {game.observation_fields[column].high for column in said} == {1}, row


@every_game
def test_the_page_names_every_option_with_its_default(name):
    book = REGISTRY[name].book
    section = book.page.split("\n## Options\n", 1)[1].split("\n## ")[0]
    for option in book.every_option:
        if option.name == "cutting" and option.choices == ("none",):
            continue  # asked for only to be refused
        assert f"`{option.name}`" in section, option.name


@every_game
def test_the_page_gives_versions_and_the_import(name):
    page, entry = REGISTRY[name].book.page, REGISTRY[name]
    assert f"* v{entry.version}: " in page
    assert f"from mancala_envs import {entry.module}" in page or f"`{entry.module}`" in page


@every_game
def test_the_table_of_positions_is_the_record(name):
    game = make_game(name)
    shapes, phases = {}, {}
    for field, shape, meaning in rows(game.book.page, "Position"):
        if field.startswith("phase "):
            phases[int(field.removeprefix("phase "))] = meaning
        for one in re.findall(r"`(\w+)`", field):
            assert one not in shapes and meaning
            shapes[one] = tuple(map(int, shape.split(" x "))) if shape else ()
    assert shapes == {field: game.dtype.fields[field][0].shape for field in game.position_fields}
    assert phases == game.book.look.phases
