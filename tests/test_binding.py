"""What `Game.bind` compiles: rounds without the rules of campaigns, and rules as parts of kernels."""

import dis
import os
import subprocess
import sys
from types import FunctionType, ModuleType

import numba
import pytest

from mancala_envs import make_game
from mancala_envs.core import parts
from mancala_envs.core.kernels import illegal_loop, init_loop, observe_loop, sample_loop, step_loop
from mancala_envs.core.rule import rule
from mancala_envs.registry import REGISTRY

CAMPAIGNS = [name for name, entry in REGISTRY.items() if entry.has_campaign]
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


def functions_of(rule, found=None):
    """The code objects that a rule can reach, by names and by attributes of modules."""
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
def test_rounds_are_compiled_without_what_only_campaigns_reach(name):
    between = {rule.py_func.__code__ for rule in REGISTRY[name].book.campaign.between_rounds}
    assert between
    loops = (init_loop, sample_loop, illegal_loop, step_loop)
    campaign, game = make_game(name, campaign=True), make_game(name)
    assert between <= codes(*map(campaign.bind, loops))
    assert not between & codes(*map(game.bind, loops))


@compiled
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_what_is_alike_in_rounds_and_campaigns_is_compiled_once(name):
    game, campaign = make_game(name), make_game(name, campaign=True)
    assert game.bind(step_loop) is not campaign.bind(step_loop)
    assert game.bind(init_loop) is campaign.bind(init_loop) and game.bind(observe_loop) is campaign.bind(observe_loop)


@compiled
def test_this_numba_makes_parts():
    assert parts.KNOWN


PROGRAM = """
import sys
from mancala_envs.core import parts
parts.KNOWN = sys.argv[1] == "parts"
from mancala_envs import make_game
game = make_game("kalah", columns=5)
states = game.init(3, 5)
for step in range(200):
    game.step(states, game.sample(states, step), autoreset=True)
print(states.tobytes().hex())
"""


def test_rules_that_are_no_parts_play_the_same(tmp_path):
    played = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, kind],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / kind)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for kind in ("parts", "whole")
    ]
    assert played[0] == played[1] != ""


@rule
def asserts_much(number):
    assert number > 0
    return number


@numba.njit
def calls_it(number):
    return asserts_much(number)


@compiled
def test_a_rule_must_not_raise():
    with pytest.raises(TypeError, match="asserts_much raises or asserts, which no rule may"):
        calls_it(1)
