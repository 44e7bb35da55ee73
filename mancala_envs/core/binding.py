"""Copies of loops for one game, in which the rules of its book replace the functions that loops call.

A table maps functions to their replacements: the names of `core.contract` to the rules of a book, plain rules to their
fast forms, and, where there is no campaign, the rules that lead to another round to the end of the game.

`Edition.bind` follows the calls of a function, and copies every function that calls a replaced one, directly or through
others. Each copy is an ordinary function with different globals and a name of its own. Numba can therefore compile a
loop and its rules as one program and store it on disk. It cannot store closures, or functions passed as arguments.
"""

import dis
import hashlib
from collections.abc import Mapping
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numba

from mancala_envs.core.cache import is_cached
from mancala_envs.core.rule import Rule, entry_point, is_rule, options_of, rule


class Edition:
    """One version of a book's rules: for campaigns or for single rounds, with or without fast forms.

    The version is a map of functions to their replacements. `bind` makes a loop call the replacements.

    A replacement may call the function that it replaces, as a fast form does with positions that it cannot represent.
    In the replacement and in everything it calls, that name means the original.

    Args:
        name: Beginning of the names of copies.
        stand_ins: Function -> its replacement.
        compiled: Whether bound functions are compiled; otherwise they are ordinary Python.
    """

    def __init__(self, name: str, stand_ins: Mapping[Any, Any], compiled: bool = True) -> None:
        self._name = name
        self._stand_ins = stand_ins
        self._compiled = compiled and not numba.config.DISABLE_JIT
        self._bound: dict[tuple[Any, frozenset[Any]], Any] = {}

    def bind(self, function: Rule) -> Rule:
        """Return `function` with all replacements made in it and in what it calls; itself if there are none."""
        bound: Rule = self._called(function, frozenset())
        return bound

    def _called(self, function: Any, originals: frozenset[Any]) -> Any:
        """Return what a call of `function` is bound to. Functions in `originals` are not replaced again.

        `originals` are the functions whose replacements lead to this call.
        """
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
    """A loop bound to a game.

    After its first call, `call` enters the machine code without checking the types of the arguments, which halves the
    cost of a small batch. The caller must therefore always pass the same types.
    """

    def __init__(self, loop: Rule) -> None:
        self._loop = loop
        self.call: Rule = self._call_first

    @property
    def is_cached(self) -> bool:
        """Whether the cache on disk has the loop's machine code."""
        return is_cached(self._loop)

    def _call_first(self, *arguments: Any) -> Any:
        try:
            result = self._loop(*arguments)
        except Exception as error:
            # The compiler or a rule raised this.
            error.add_note("Run the rules as plain Python first, with MANCALA_ENVS_DEBUG=1: it names the faulty line.")
            error.add_note("A rule that creates arrays, lists or strings must be @rule(allocates=True).")
            raise
        self.call = entry_point(self._loop, arguments)
        return result


@cache
def in_python(rule: Rule) -> Rule:
    """Return a rule, with all that it calls, as ordinary Python. For a single record this avoids compilation."""
    return Edition("", {}, compiled=False).bind(rule)


@cache
def calls_of(function: Any) -> dict[str, Any]:
    """Return the functions that `function` calls directly, by `name` or `module.name`."""
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
    """Return the Python function of a rule; an ordinary function is returned as it is."""
    code = function.py_func if is_rule(function) else function
    assert isinstance(code, FunctionType)
    return code


@cache
def _copy(edition: str, function: Any, scope: tuple[tuple[str, Any], ...], compiled: bool) -> Any:
    """Copy `function` with the globals in `scope` replaced; equal requests return one copy."""
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
    return rule(**options_of(function))(copy)


def _digest(code: FunctionType, scope: tuple[tuple[str, Any], ...]) -> str:
    """Hash of what a copy calls, so that copies of one function have different names in the cache on disk."""
    called = [(name, code_of(thing).__module__, code_of(thing).__qualname__) for name, thing in scope]
    return hashlib.sha256(repr((code.__qualname__, called)).encode()).hexdigest()[:8]
