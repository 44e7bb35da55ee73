"""All tests of a game in one process, so that two processes do not compile it at the same time."""

import pytest

from mancala_envs.registry import REGISTRY


def game_of(item):
    """The game that a test is about, by its parameters; None where it is about none or several."""
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    for value in values:
        name = getattr(getattr(value, "entry", value), "name", value)
        if isinstance(name, str) and name in REGISTRY:
            return name
    return None


def pytest_collection_modifyitems(items):
    for item in items:
        if name := game_of(item):
            item.add_marker(pytest.mark.xdist_group(name))
