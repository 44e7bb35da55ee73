"""The `@rule` decorator: one source for compiled play and for plain Python.

A rule is a module-level function over one record of a game. Numba compiles it at its first call, and the result is
stored on disk (`core/cache.py`). Under ``NUMBA_DISABLE_JIT=1`` the same function runs as ordinary Python.
"""

import gc
import logging
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast, overload

import numba
from numba.core import event, types
from numba.core.dispatcher import Dispatcher

from mancala_envs.core.cache import keep, usable_folder
from mancala_envs.core.parts import KernelCompiler, PartCompiler

Rule = Callable[..., Any]
F = TypeVar("F", bound=Rule)

NOTICE_AFTER = 1.0
"""Seconds of compilation after which a notice is logged, once in a process."""


class _Compiling(event.Listener):  # type: ignore[misc]
    """While rules compile, log a notice after `NOTICE_AFTER` seconds and stop the garbage collector.

    The compiler creates many objects that all stay in use until it finishes. Searching them for garbage again and again
    would take a tenth of the time.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.timer = threading.Timer(0.0, self.give_notice)
        self.noticed = False
        self.collects_garbage = False

    def on_start(self, event: Any) -> None:
        if _is_ours(event):
            self.depth += 1
            if self.depth == 1:
                self.collects_garbage = gc.isenabled()
                gc.disable()
                if not self.noticed:
                    self.timer = threading.Timer(NOTICE_AFTER, self.give_notice, [event.data["dispatcher"]])
                    self.timer.daemon = True
                    self.timer.start()

    def on_end(self, event: Any) -> None:
        if _is_ours(event):
            self.depth -= 1
            if self.depth == 0:
                self.timer.cancel()
                if self.collects_garbage:
                    gc.enable()

    def give_notice(self, dispatcher: Any) -> None:
        self.noticed = True
        folder = usable_folder()
        logging.getLogger("mancala_envs").warning(
            "mancala_envs is compiling the rules of a game; this takes some seconds, and the result is %s",
            f"stored in {folder}" if folder else "not stored: no folder can be used",
        )


def _is_ours(event: Any) -> bool:
    return str(event.data["dispatcher"].py_func.__module__).startswith("mancala_envs.")


event.register("numba:compile", _Compiling())


@overload
def rule(function: F) -> F: ...
@overload
def rule(*, inline: bool = ..., allocates: bool = ...) -> Callable[[F], F]: ...
def rule(function: F | None = None, *, inline: bool = False, allocates: bool = False) -> F | Callable[[F], F]:
    """Make a function a rule, which Numba compiles at its first call and which runs without the GIL.

    CONTRIBUTING says what a rule may do. Under ``NUMBA_DISABLE_JIT=1`` the function is returned unchanged.

    Args:
        function: A module-level function.
        inline: Whether to inline the rule into its callers, which is worthwhile if it takes little longer than a call.
        allocates: Whether the rule creates arrays, lists or strings, such as an error message with a value in it. Other
            rules use the arrays of their callers, and count no references to them. Counting would take as long as a
            step of a search, for each array and call. Numba refuses to compile such a rule if it allocates memory.
    """
    if function is None:
        return lambda function: _compiled(function, inline, allocates)
    return _compiled(function, inline, allocates)


def is_rule(thing: Any) -> bool:
    """Return whether `thing` is a compiled rule; always False under ``NUMBA_DISABLE_JIT=1``."""
    return isinstance(thing, Dispatcher)


def options_of(thing: Any) -> dict[str, bool]:
    """Return the options of a compiled rule, as `rule` takes them; none for an ordinary function."""
    if not is_rule(thing):
        return {}
    return {"inline": bool(thing.targetoptions["forceinline"]), "allocates": bool(thing.targetoptions["_nrt"])}


def entry_point(kernel: Any, arguments: tuple[Any, ...]) -> Rule:
    """Return the machine code of `kernel` for arguments of these types, which does not check types.

    `kernel` must have been called with such arguments before. Calling the result with other types can crash Python.
    """
    # If Numba used code for other types, to which these convert, return the kernel itself.
    kinds = tuple(map(kernel.typeof_pyval, arguments)) if is_rule(kernel) else ()
    return cast(Rule, kernel.overloads[kinds].entry_point if kinds and kinds in kernel.overloads else kernel)


def _compiled(function: F, inline: bool, allocates: bool) -> F:
    """Make two dispatchers: the kernel that is returned, for Python, and a part, which compiled callers use."""
    if numba.config.DISABLE_JIT:
        return function
    settings = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": inline,
        "no_cfunc_wrapper": True,
        "_nrt": allocates,
    }
    kernel: Any = numba.njit(pipeline_class=KernelCompiler, **settings)(function)
    keep(kernel)

    # The dispatcher is made late, because that takes time and most rules are never called in a process.
    @cache
    def part() -> Any:
        return numba.njit(pipeline_class=PartCompiler, no_cpython_wrapper=True, **settings)(function)

    @cache
    def template(args: tuple[Any, ...], kws: tuple[tuple[str, Any], ...]) -> Any:
        return part().get_call_template(args, dict(kws))

    def widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return template(tuple(map(_widened, args)), tuple((name, _widened(kind)) for name, kind in kws.items()))

    kernel.get_call_template = widened
    kernel.get_overload = lambda signature: part().get_overload(signature)
    return cast(F, kernel)


def _widened(kind: Any) -> Any:
    """The type for which a part is compiled: int64 for all integers except uint64, constants included.

    Otherwise Numba would compile the part for every width of an integer and for every constant.
    """
    kind = getattr(kind, "literal_type", kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind
