"""The compile cache: machine code of rules on disk, in one folder for each user.

The name of an entry is a hash of everything that shapes its machine code: the rule's code, the code of all rules that
it calls, the constants that they use, the types of the arguments, the compiler and the processor. All installations of
a user can therefore share the folder, and an edit recompiles only the rules that it affects.

Entries are executed, so the cache never reads those that another user owns or may change.
"""

import hashlib
import os
import pickle
import re
import sys
import time
import uuid
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import platformdirs
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.serialize import dumps

LIMIT = 2 * 2**30
"""Maximum size of the folder in bytes. When it is exceeded, the least recently used entries are removed."""

_SUFFIX = ".kernel"
_STORES_PER_COUNT = 50
"""A process counts the size of the folder at its first store, and then once for this many."""
_HOUR = 3600.0
"""A use of an entry is recorded once in this many seconds."""


def keep(dispatcher: Any) -> None:
    """Make `dispatcher` load its machine code from disk, and store there what it compiles."""
    dispatcher._cache = _Entries(dispatcher)


def is_cached(function: Any) -> bool:
    """Return whether the cache has machine code for the present version of a rule and of all that it calls."""
    return isinstance(function, Dispatcher) and _Entries(function).exist()


def place() -> Path:
    """Return the cache folder, which may not exist: `mancala_envs` in NUMBA_CACHE_DIR or in the user's cache folder."""
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / "mancala_envs"
    return platformdirs.user_cache_path("mancala_envs", appauthor=False)


def size() -> int:
    """Return the total size of the cache's entries in bytes."""
    return sum(about.st_size for _, about in _files())


def clear() -> int:
    """Remove all entries of the cache. Return their total size in bytes."""
    return _remove(_files(), 0)


def usable_folder() -> Path | None:
    """Return the cache folder, which is made if necessary; None, with a warning, if it cannot be used."""
    folder = place()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _require_own(folder, folder.stat())
    except OSError as error:
        _warn_once(str(error))
        return None
    return folder


@cache
def _warn_once(reason: str) -> None:
    warnings.warn(
        f"mancala_envs compiles its rules again in every process, because its cache folder cannot be used ({reason}). "
        "Set NUMBA_CACHE_DIR to a folder that only you can write to.",
        stacklevel=2,
    )


def _require_own(path: Path, about: os.stat_result) -> None:
    """Raise PermissionError unless this user owns a file or folder and nobody else may change it."""
    if not hasattr(os, "getuid"):  # Windows: the folder is in the user's profile, where others may not write.
        return
    if about.st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to another user")
    if about.st_mode & 0o022:
        raise PermissionError(f"other users may write to {path}")


def _files() -> list[tuple[Path, os.stat_result]]:
    """List the files of the cache, the least recently used first."""
    found = []
    for path in place().glob(f"*{_SUFFIX}"):
        with suppress(FileNotFoundError):  # Another process may be removing it.
            found.append((path, path.stat()))
    return sorted(found, key=lambda file: file[1].st_mtime)


def _remove(files: list[tuple[Path, os.stat_result]], limit: int) -> int:
    """Remove files, the first ones first, until the rest has at most `limit` bytes. Return the bytes removed."""
    whole = left = sum(about.st_size for _, about in files)
    for path, about in files:
        if left <= limit:
            break
        with suppress(OSError):  # Another process may be removing it, or, on Windows, reading it.
            path.unlink()
            left -= about.st_size
    return whole - left


class _Entries:
    """The entries of one rule, one for each combination of argument types. Numba calls this its cache.

    A broken entry or a full disk costs a warning, and play goes on.
    """

    _stores = 0
    """How many entries this process has stored."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher

    # Most rules are never called in a process, so the hash is computed at the first compilation.
    @cached_property
    def _name(self) -> str:
        function = self._dispatcher.py_func
        readable = re.sub(r"\W+", "_", f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}")
        return f"{readable[:100]}-{fingerprint(self._dispatcher)}"

    @property
    def cache_path(self) -> str | None:
        """The cache folder for Numba's statistics; None if it cannot be used."""
        folder = usable_folder()
        return str(folder) if folder else None

    def exist(self) -> bool:
        """Return whether this version of the rule is stored, for any types."""
        return any(place().glob(f"{self._name}-*{_SUFFIX}"))

    def load_overload(self, signature: Any, context: Any) -> CompileResult | None:
        """Load the code for these types. Return None if there is none; warn if it cannot be read."""
        context.refresh()
        folder = usable_folder()
        if folder is None:
            return None
        path = self._path(folder, signature, context.codegen())
        try:
            with path.open("rb") as file:
                about = os.fstat(file.fileno())
                _require_own(path, about)
                content = file.read()
            compiled = self._loaded(content, signature, context)
        except FileNotFoundError:
            return None
        # Unpickling broken bytes can raise any exception.
        except Exception as error:
            warnings.warn(f"the cache entry {path} is broken ({error!r}); it is compiled again", stacklevel=2)
            with suppress(OSError):
                path.unlink()
            return None
        if about.st_mtime < time.time() - _HOUR:
            with suppress(OSError):  # The folder may be read-only.
                os.utime(path)
        return compiled

    def _loaded(self, content: bytes, signature: Any, context: Any) -> CompileResult:
        """Return the compiled code in the content of an entry. Raise ValueError if it is not that of these types."""
        if zlib.crc32(content[4:]).to_bytes(4) != content[:4]:  # Machine code with one wrong byte can do anything.
            raise ValueError("its checksum is wrong")
        name, compiled = pickle.loads(content[4:])
        if name != self._name or compiled[3].args != tuple(signature):
            raise ValueError(f"the code is for {name} {compiled[3].args}")
        return CompileResult._rebuild(context, *compiled)

    def save_overload(self, signature: Any, compiled: CompileResult) -> None:
        """Store the code for these types, or warn that it cannot be stored; remove old entries if they are too many."""
        folder = usable_folder()
        if folder is None:
            return
        if compiled.library.has_dynamic_globals:
            warnings.warn(f"{self._name} uses large arrays or pointers, so its code cannot be stored", stacklevel=2)
            return
        content = dumps((self._name, compiled._reduce()))
        # Processes may store the same entry at once, so each writes a file of its own first.
        unfinished = folder / f"{uuid.uuid4().hex}{_SUFFIX}"
        try:
            with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(zlib.crc32(content).to_bytes(4) + content)
            unfinished.replace(self._path(folder, signature, compiled.codegen))
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            warnings.warn(
                f"compiled rules cannot be stored in {folder} ({error!r}); the next process compiles them "
                "again. Set NUMBA_CACHE_DIR to a folder with free space.",
                stacklevel=2,
            )
        if _Entries._stores % _STORES_PER_COUNT == 0:
            _remove(_files(), LIMIT)
        _Entries._stores += 1

    def flush(self) -> None:
        """Do nothing: an entry never becomes outdated, because its name changes with the code."""

    def _path(self, folder: Path, signature: Any, codegen: Any) -> Path:
        compiler = numba.__version__, sys.version, codegen.magic_tuple()
        types = hashlib.sha256(repr((str(signature), compiler)).encode()).hexdigest()[:16]
        return folder / f"{self._name}-{types}{_SUFFIX}"


def fingerprint(dispatcher: Any) -> str:
    """Return a hash of the code of a compiled function and of all that it calls, and of the constants that they use."""
    digest = hashlib.sha256(_settings())
    numbers = {dispatcher: 0}
    for reached in (order := [dispatcher]):
        code, used = _described(reached)
        digest.update(code)
        for name, value in used:
            if isinstance(value, Dispatcher):
                if value not in numbers:
                    numbers[value] = len(order)
                    order.append(value)
                value = str(numbers[value]).encode()
            digest.update(f"\0{name}\0".encode() + value)
    return digest.hexdigest()[:16]


@cache
def _settings() -> bytes:
    """The settings of the compiler in this process that Numba's own cache does not compare."""
    settings = (numba.config.BOUNDSCHECK, numba.config.DEBUGINFO_DEFAULT)
    return repr(settings).encode() + b"".join(
        Path(__file__).with_name(name).read_bytes() for name in ("cache.py", "parts.py", "rule.py")
    )


@cache
def _described(dispatcher: Any) -> tuple[bytes, list[tuple[str, Any]]]:
    """Code and options of one compiled function, and the values it uses, by name: compiled functions or bytes."""
    function = dispatcher.py_func
    options = sorted((name, str(value)) for name, value in dispatcher.targetoptions.items())
    # Stored code names the modules of its functions, and they are imported when it is loaded.
    code = repr((function.__module__, _content(function.__code__), function.__defaults__, options)).encode()
    used = []
    for name, value in _globals_of(function):
        if not isinstance(value, Dispatcher):
            value = _bytes_of(function, name, value)
        used.append((name, value))
    return code, used


def _content(code: CodeType) -> tuple[Any, ...]:
    """The parts of a code object that decide what it does."""
    constants = [_content(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_freevars
    return code.co_code, code.co_exceptiontable, constants, names, code.co_argcount


def _names_in(code: CodeType) -> set[str]:
    inner = [_names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)


def _globals_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names and values that a function uses: globals, attributes of modules, variables of outer functions."""
    names = sorted(_names_in(function.__code__))
    scopes, modules = [("", function.__globals__)], set()
    for prefix, scope in scopes:
        for name in filter(scope.__contains__, names):
            value = scope[name]
            if not isinstance(value, ModuleType):
                yield prefix + name, value
            elif value not in modules:
                modules.add(value)
                scopes.append((f"{prefix}{name}.", vars(value)))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _bytes_of(function: FunctionType, name: str, value: Any) -> bytes:
    if isinstance(value, _Intrinsic):
        constants = [pair for pair in _globals_of(value._defn) if isinstance(pair[1], int | float | str)]
        return repr((_content(value._defn.__code__), constants)).encode()
    # Compiled code cannot call a function that is not compiled; such a name is that of an attribute.
    if isinstance(value, FunctionType):
        return f"{value.__module__}.{value.__qualname__}".encode()
    try:
        return pickle.dumps(value, protocol=5)
    except Exception as error:
        raise TypeError(
            f"{function.__module__}.{function.__qualname__} uses {name!r}, which cannot be hashed ({error}); "
            "a rule may use rules, NumPy, numbers and arrays"
        ) from error
