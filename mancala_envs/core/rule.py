"""The `@rule` decorator: one source for compiled play and for plain Python.

A rule is a module-level function over one record of a game, compiled by Numba and cached on disk. Under
``NUMBA_DISABLE_JIT=1`` the same function runs as ordinary Python.

Numba's own cache notices edits in the file of a function, not in the files of its helpers. So the cache lives in a
folder named after a hash of all sources of this package: any edit starts a new folder.
"""

import gc
import hashlib
import logging
import os
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event, types
from numba.core.dispatcher import Dispatcher

from mancala_envs.core import parts

Rule = Callable[..., Any]
F = TypeVar("F", bound=Rule)

PACKAGE = Path(__file__).parents[1]


@cache
def _sources_hash() -> str:
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(PACKAGE):
        # Caches may be many.
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for path in (Path(folder, name) for name in sorted(files) if name.endswith(".py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _homes() -> Iterator[Path]:
    """The folders a cache may live in, best first."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    yield PACKAGE / "__pycache__"
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"])
    else:
        yield Path(os.path.expanduser("~"), ".cache")


@cache
def cache_folder() -> Path | None:
    """The folder of compiled rules, or None (with one warning) where nothing is writable."""
    homes = list(_homes())
    for home in homes:
        folder = home / f"mancala_envs-{_sources_hash()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    tried = ", ".join(map(str, homes))
    warnings.warn(
        f"mancala_envs compiles without a cache, anew in every process: none of {tried} is writable. "
        "Set NUMBA_CACHE_DIR to a writable folder.",
        stacklevel=2,
    )
    return None


@contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    # Numba reads this setting while it decorates; it has no per-function argument for it.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


NOTICE_AFTER = 1.0
"""Seconds of compiling after which a notice is given, once in a process."""


class _Compiling(event.Listener):  # type: ignore[misc]
    """Tells who waits for the first step of a game what he is waiting for, and shortens it by a tenth.

    For compilers make so many objects, to be thrown away together, that Python would look through them over and over.
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
                    self.timer = threading.Timer(NOTICE_AFTER, self.give_notice)
                    self.timer.daemon = True
                    self.timer.start()

    def on_end(self, event: Any) -> None:
        if _is_ours(event):
            self.depth -= 1
            if self.depth == 0:
                self.timer.cancel()
                if self.collects_garbage:
                    gc.enable()

    def give_notice(self) -> None:
        self.noticed = True
        kept = f"kept in {cache_folder()}" if cache_folder() else "not kept: no folder is writable"
        logging.getLogger("mancala_envs").warning(
            "mancala_envs compiles the rules of a game; it takes some seconds, and the result is %s", kept
        )


def _is_ours(event: Any) -> bool:
    return str(event.data["dispatcher"].py_func.__module__).startswith("mancala_envs.")


event.register("numba:compile", _Compiling())


def rule(function: F) -> F:
    """Compile `function` (lazily, without the GIL, cached on disk); plain Python under ``NUMBA_DISABLE_JIT=1``."""
    return _compile(function, inlined=False)


def inlined_rule(function: F) -> F:
    """`rule`, but always a part of its callers: for what is quick beside a call and called at few places."""
    return _compile(function, inlined=True)


def is_rule(thing: Any) -> bool:
    """Whether it is a compiled rule; under ``NUMBA_DISABLE_JIT=1`` nothing is."""
    return isinstance(thing, Dispatcher)


def entry(kernel: Any, arguments: tuple[Any, ...]) -> Rule:
    """What `kernel` calls for such arguments, once it has been called with them; any of other types would crash it."""
    # Where another overload fits as well Numba may not have compiled this one.
    kinds = tuple(map(kernel.typeof_pyval, arguments)) if is_rule(kernel) else ()
    return cast(Rule, kernel.overloads[kinds].entry_point if kinds and kinds in kernel.overloads else kernel)


def is_inlined(thing: Any) -> bool:
    """Whether it is an `inlined_rule`."""
    return is_rule(thing) and bool(thing.targetoptions["forceinline"])


def _compile(function: F, inlined: bool) -> F:
    if numba.config.DISABLE_JIT:
        return function
    settings = {"nogil": True, "error_model": "numpy", "forceinline": inlined, "no_cfunc_wrapper": True}
    settings |= parts.kernel_settings()
    folder = cache_folder()
    if folder is None:
        dispatcher = numba.njit(**settings)(function)
    else:
        with _numba_cache_in(folder):
            dispatcher = numba.njit(**settings, cache=True)(function)
    _give_to_callers(dispatcher, lambda: parts.part(function, inlined))
    return cast(F, dispatcher)


def _give_to_callers(dispatcher: Any, part: Callable[[], Any]) -> None:
    """Let rules that call `dispatcher` take in its `part`, and hand it integers as int64, save uint64.

    Else Numba compiles it anew for every width of an integer and for every constant that it is called with.
    """
    whole = dispatcher.get_call_template, dispatcher.get_overload

    # Made when it is asked for: most rules of this package no process ever calls.
    @cache
    def given() -> tuple[Any, Any]:
        if not parts.KNOWN:
            return whole
        made = part()
        return made.get_call_template, made.get_overload

    @cache
    def template(args: tuple[Any, ...], kws: tuple[tuple[str, Any], ...]) -> Any:
        return given()[0](args, dict(kws))

    def widened(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return template(tuple(map(_widened, args)), tuple((name, _widened(kind)) for name, kind in kws.items()))

    dispatcher.get_call_template = widened
    dispatcher.get_overload = lambda signature: given()[1](signature)


def _widened(kind: Any) -> Any:
    kind = getattr(kind, "literal_type", kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind
