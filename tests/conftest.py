"""Marks slow tests, and distributes the tests to processes."""

import re

import pytest
from helpers.forms import SIZES

from mancala_envs.registry import REGISTRY

GENERIC = {
    "test_aec",
    "test_campaign",
    "test_contract",
    "test_open_spiel_adapter",
    "test_solo",
    "test_symmetry",
    "test_threads",
    "test_vector",
}
"""Modules that test game-independent code with every game; `make test` runs them for some games only."""

REPRESENTATIVES = {"kalah", "qelat", "ceelkoqyuqkoqiji", "dongjintian", "nerenchi_keliya", "pancha_keliya"}
"""Games that cover a plain game, a campaign, chance and secrets, many players, points, and dice."""

CAMPAIGN = "qelat"
"""The only game of which `make test` runs these modules with campaigns, too."""

RULES = {"test_contract", "test_symmetry", "test_threads"}
"""The generic modules without environments. Only these take Ceelkoqyuqkoqiji, whose environments compile for long."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark tests as slow that would compile further games or sizes, at some seconds each."""
    for item in items:
        quick = {CAMPAIGN} if is_campaign(item) else REPRESENTATIVES
        if item.path.stem not in RULES:
            quick = quick - {"ceelkoqyuqkoqiji"}
        if (item.path.stem in GENERIC and games_of(item) - quick) or sets_size(item):
            item.add_marker(pytest.mark.slow)


def sets_size(item):
    """Return whether a parameter of a test sets the size of a board."""
    arguments = item.callspec.params if hasattr(item, "callspec") else {}
    return any(SIZES & value.keys() for value in arguments.values() if isinstance(value, dict))


def is_campaign(item):
    """Return whether a parameter of a test says that it plays campaigns."""
    arguments = item.callspec.params if hasattr(item, "callspec") else {}
    return arguments.get("campaign") is True or getattr(arguments.get("case"), "campaign", False)


def games_of(item):
    """Return the names of the games among the parameters of a test."""
    arguments = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = (getattr(getattr(value, "entry", value), "name", value) for value in arguments)
    return {name for name in names if isinstance(name, str) and name in REGISTRY}


# Distribution to processes.

GAME = re.compile(rf"(?<![a-z_])({'|'.join(sorted(REGISTRY, key=len, reverse=True))})(?![a-z_])")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Run all tests of a game in one process, which compiles its rules once; group the others by file."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            game = GAME.search(test.partition("[")[2]) or GAME.search(re.sub(r".*/test_(fast_)?", "", file))
            return game[1] if game else file

    return ByGame(config, log)
