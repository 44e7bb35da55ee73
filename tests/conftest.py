"""Which tests `make test` leaves to `make slow`, and which of them one process runs."""

import re

import pytest
from helpers.forms import SIZES

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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Compiling takes most of the time: some seconds a game, and as many again for each further size."""
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


# Several processes.

GAME = re.compile(rf"(?<![a-z_])({'|'.join(sorted(REGISTRY, key=len, reverse=True))})(?![a-z_])")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """All tests of a game go to one process, for compiled rules serve those that come after; the rest go by files."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            game = GAME.search(test.partition("[")[2]) or GAME.search(re.sub(r".*/test_(fast_)?", "", file))
            return game[1] if game else file

    return ByGame(config, log)
