"""Loops bound to one game: copies in which the rules of its book stand in place of the names that loops call.

Everything is done by exchanging functions. A table says what stands in for what: the rules of a book for the names of
core.contract, a packed form for the plain rule it plays, the end of the game for the rules that lead to another round.
`Edition.bind` follows the names that a function uses, and what they use in turn, and copies whatever calls, directly or
not, something that is exchanged. Each copy is an ordinary function with other globals, compiled under a name of its
own. So Numba can make one program of a loop and its rules, and keep it on disk: it can do neither with closures and
with functions that are passed as arguments.
"""

import dis
import hashlib
from collections.abc import Mapping
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numba

from mancala_envs.core.cache import is_kept
from mancala_envs.core.rule import Rule, entry_point, is_inlined, is_rule, rule


class Edition:
    """A book's rules for one kind of its games. `stand_ins`: function -> what is called in its place.

    A stand-in may call what it stands in for, as a packed form does with positions that it cannot hold: there, and in
    all that it calls, the original is meant. Not `compiled`, everything that is bound is ordinary Python.
    """

    def __init__(self, name: str, stand_ins: Mapping[Any, Any], compiled: bool = True) -> None:
        self._name = name
        self._stand_ins = stand_ins
        self._compiled = compiled and not numba.config.DISABLE_JIT
        self._bound: dict[tuple[Any, frozenset[Any]], Any] = {}

    def bind(self, function: Rule) -> Rule:
        """`function` with all that is exchanged in it and in what it calls; itself where that is nothing."""
        bound: Rule = self._called(function, frozenset())
        return bound

    def _called(self, function: Any, originals: frozenset[Any]) -> Any:
        """What is called in place of `function` by those that stand in for `originals`."""
        while function in self._stand_ins and function not in originals:
            originals |= {function}
            function = self._stand_ins[function]
        key = function, originals
        if key not in self._bound:
            self._bound[key] = self._made(function, originals)
        return self._bound[key]

    def _made(self, function: Any, originals: frozenset[Any]) -> Any:
        called = calls_of(function)
        scope = {name: self._called(thing, originals) for name, thing in called.items()}
        if scope == called and is_rule(function) == self._compiled:
            return function
        return _copy(self._name, function, tuple(sorted(scope.items())), self._compiled)


class Kernel:
    """A loop bound to a game. After its first call `call` enters it without Numba asking what it is given, which halves
    the cost of a small batch; so what it is given must always be of the same types."""

    def __init__(self, loop: Rule) -> None:
        self._loop = loop
        self.call: Rule = self._call_first

    @property
    def is_kept(self) -> bool:
        """Whether it lies compiled in the cache on disk."""
        return is_kept(self._loop)

    def _call_first(self, *arguments: Any) -> Any:
        try:
            result = self._loop(*arguments)
        except Exception as error:
            # From the compiler, or from a rule.
            error.add_note("Run the rules as plain Python first, with MANCALA_ENVS_DEBUG=1: it names the faulty line.")
            raise
        self.call = entry_point(self._loop, arguments)
        return result


@cache
def in_python(rule: Rule) -> Rule:
    """A rule and all that it calls as ordinary Python, for a single record: nothing is compiled for that."""
    return Edition("", {}, compiled=False).bind(rule)


@cache
def calls_of(function: Any) -> dict[str, Any]:
    """The functions that `function` itself calls, by the names it has for them: `name`, or `module.name`."""
    code = code_of(function)
    found: dict[str, Any] = {}
    module = ""
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            thing = code.__globals__.get(step.argval)
            module = step.argval if _is_ours(thing) else ""
            found[step.argval] = thing
        elif module and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            found[f"{module}.{step.argval}"] = getattr(code.__globals__[module], step.argval, None)
            module = ""
    return {name: thing for name, thing in found.items() if is_rule(thing) or isinstance(thing, FunctionType)}


def _is_ours(thing: Any) -> bool:
    return isinstance(thing, ModuleType) and thing.__name__.startswith("mancala_envs.")


def code_of(function: Any) -> FunctionType:
    """The ordinary function that a rule was made of."""
    code = function.py_func if is_rule(function) else function
    assert isinstance(code, FunctionType)
    return code


@cache
def _copy(edition: str, function: Any, scope: tuple[tuple[str, Any], ...], compiled: bool) -> Any:
    """A copy of `function` which finds the things of `scope` by these names; equal copies are one."""
    code = code_of(function)
    names = dict(code.__globals__)
    for name, thing in scope:
        module, _, attribute = name.rpartition(".")
        if not module:
            names[name] = thing
            continue
        if names[module] is code.__globals__[module]:
            names[module] = ModuleType(names[module].__name__)
            vars(names[module]).update(vars(code.__globals__[module]))
        setattr(names[module], attribute, thing)
    copy = FunctionType(code.__code__, names, code.__name__, code.__defaults__)
    copy.__qualname__ = f"{edition}_{code.__name__}_{_digest(code, scope)}"
    copy.__module__ = code.__module__
    copy.__doc__ = code.__doc__
    if not compiled:
        return copy
    return rule(inline=is_inlined(function))(copy)


def _digest(code: FunctionType, scope: tuple[tuple[str, Any], ...]) -> str:
    """Tells the copies of a function apart by what they call, so that each has its own name in the cache on disk."""
    called = [(name, code_of(thing).__module__, code_of(thing).__qualname__) for name, thing in scope]
    return hashlib.sha256(repr((code.__qualname__, called)).encode()).hexdigest()[:8]
