"""`Game.bind` compiles only the rules that a game uses: rounds without the rules of campaigns."""

import dis
from types import FunctionType, ModuleType

import numba
import pytest

from mancala_envs import make_game
from mancala_envs.core.kernels import illegal_loop, init_loop, observe_loop, sample_loop, step_loop
from mancala_envs.registry import REGISTRY

CAMPAIGNS = [name for name, entry in REGISTRY.items() if entry.has_campaign]
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def functions_of(rule, found=None):
    """Return the code objects that a rule reaches through names and attributes of modules."""
    found = set() if found is None else found
    function = getattr(rule, "py_func", rule)
    if not isinstance(function, FunctionType) or not function.__module__.startswith("mancala_envs"):
        return found
    here = (function.__code__, function.__qualname__)
    if here in found:
        return found
    found.add(here)
    module = None
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL":
            thing = function.__globals__.get(step.argval)
            module = thing if isinstance(thing, ModuleType) else None
            functions_of(thing, found)
        elif module is not None and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            functions_of(getattr(module, step.argval, None), found)
            module = None
    return found


def codes(*rules):
    return {code for rule in rules for code, _ in functions_of(rule)}


@compiled
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_rounds_do_not_contain_rules_of_campaigns(name):
    between = {rule.py_func.__code__ for rule in REGISTRY[name].book.campaign.between_rounds}
    assert between
    loops = (init_loop, sample_loop, illegal_loop, step_loop)
    campaign, game = make_game(name, campaign=True), make_game(name)
    assert between <= codes(*map(campaign.bind, loops))
    assert not between & codes(*map(game.bind, loops))


@compiled
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_rules_common_to_rounds_and_campaigns_are_compiled_once(name):
    game, campaign = make_game(name), make_game(name, campaign=True)
    assert game.bind(step_loop) is not campaign.bind(step_loop)
    assert game.bind(init_loop) is campaign.bind(init_loop) and game.bind(observe_loop) is campaign.bind(observe_loop)
