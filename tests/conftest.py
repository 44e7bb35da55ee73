"""Marks slow tests, and distributes the tests to processes."""

import re

import pytest
from helpers.forms import SIZES

from mancala_envs.registry import REGISTRY

RULES = {"test_contract", "test_jax", "test_symmetry", "test_threads"}
"""Modules that test what the rules of all games have in common; `make slow` runs them for every game."""

ENVIRONMENTS = {"test_aec", "test_open_spiel_adapter", "test_solo", "test_vector"}
"""Modules that test code without rules, in environments that take long to compile: games of every kind suffice."""

CAMPAIGNS = {"test_campaign"}
"""Modules that test the environments of campaigns; `make slow` runs them for every campaign."""

REPRESENTATIVES = {"kalah", "qelat", "ceelkoqyuqkoqiji", "dongjintian", "nerenchi_keliya", "pancha_keliya"}
"""Games that cover a plain game, a campaign, chance and secrets, many players, points, and dice."""

QUICK = {
    module: REPRESENTATIVES if module in RULES else {"kalah", "qelat"} for module in RULES | ENVIRONMENTS | CAMPAIGNS
}
"""The games for which `make test` runs these modules."""

RELATIVES = {
    *("magazeb_ii", "bestemshe", "baokujifunza", "puhulmutu", "walak_pussa", "kotu_baendum"),
    *("pahada_keliya", "asi_keliya", "tayam_sonalu", "kawade_kelia", "pancha_keliya_complex"),
}
"""Games with most of the code of another one, for which `make test` runs only `REPLAY`."""
REPLAY = "test_recorded_game_is_replayed_exactly"
"""The test that plays recorded games, in plain Python."""

CAMPAIGN = "qelat"
"""The only game of which `make test` runs these modules with campaigns, too."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests as slow that would compile further games or sizes, and leave out those that find no other faults."""
    left_out = [item for item in items if item.path.stem in ENVIRONMENTS and games_of(item) - REPRESENTATIVES]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    for item in items:
        module, games = item.path.stem, games_of(item)
        quick = QUICK.get(module, games) & ({CAMPAIGN} if is_campaign(item) else games)
        of_relative = item.originalname != REPLAY and subject_of(item.nodeid) in RELATIVES
        if (module in QUICK and games - quick) or of_relative or sets_size(item):
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


GAME = re.compile(rf"(?<![a-z_])({'|'.join(sorted(REGISTRY, key=len, reverse=True))})(?![a-z_])")


def subject_of(nodeid):
    """Return the game that a test is for, by its parameters or the name of its file; None if there is no such game."""
    file, _, test = nodeid.partition("::")
    game = GAME.search(test.partition("[")[2]) or GAME.search(re.sub(r".*/test_(fast_)?", "", file))
    return game and game[1]


# Distribution to processes.


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Run all tests of a game in one process, which compiles its rules once; group the others by file."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return subject_of(nodeid) or nodeid.partition("::")[0]

    return ByGame(config, log)
