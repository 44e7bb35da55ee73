"""Which tests `make test` leaves to `make slow`."""

import pytest

from mancala_envs.registry import REGISTRY

OF_GAMES_ALIKE = {
    "test_aec",
    "test_campaign",
    "test_contract",
    "test_open_spiel_adapter",
    "test_solo",
    "test_symmetry",
    "test_threads",
    "test_vector",
}
"""Modules that ask the same of every game, of what knows none: some show it."""

SHOWN_BY = {"kalah", "qelat", "ceelkoqyuqkoqiji", "dongjintian", "nerenchi_keliya", "pancha_keliya"}
"""A plain game, a campaign, chance and secrets, many players, points, dice."""

SIZES = {"columns", "rows", "players"}
"""Options that shape the record, so that every value of them is compiled anew."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Compiling takes most of the time: half a minute a game, and some seconds a size."""
    for item in items:
        if (item.path.stem in OF_GAMES_ALIKE and named(item) - SHOWN_BY) or is_of_a_size(item):
            item.add_marker(pytest.mark.slow)


def is_of_a_size(item):
    """Whether a test is given another size of a board than the usual one."""
    arguments = item.callspec.params if hasattr(item, "callspec") else {}
    return any(SIZES & value.keys() for value in arguments.values() if isinstance(value, dict))


def named(item):
    """The games that a test is given, by their names among its arguments."""
    arguments = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = (getattr(getattr(value, "entry", value), "name", value) for value in arguments)
    return {name for name in names if isinstance(name, str) and name in REGISTRY}
