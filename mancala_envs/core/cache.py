"""The compile cache: Numba's cache on disk, with a key that covers everything that shapes a rule's machine code.

Numba stores the machine code of a function next to its source file, under ``NUMBA_CACHE_DIR``, or in the user's cache
folder. It compiles the function again when its source file changes, but not when a function that it calls changes, or
a constant in another file. Here the key is a hash of the rule's code, of the code of all rules that it calls, and of
the constants that they use. An edit therefore recompiles only the rules that it affects. The key is part of the file
names, so several versions of a rule can be stored at once, and processes can use different ones.
"""

import hashlib
import pickle
import time
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, BinaryIO

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

OLD = 30 * 24 * 3600.0
"""Seconds after which a stored version of a rule is removed when a newer one is stored."""


def keep(dispatcher: Any) -> None:
    """Make `dispatcher` load its machine code from disk, and store there what it compiles."""
    compile_or_load = dispatcher.compile

    # The key is computed at the first compilation, because most rules are never called.
    @cache
    def find_cache() -> None:
        found = _cache_of(dispatcher)
        if found:
            dispatcher._cache = found

    def compile_with_cache(signature: Any) -> Any:
        find_cache()
        return compile_or_load(signature)

    dispatcher.compile = compile_with_cache


def is_cached(function: Any) -> bool:
    """Return whether the cache has machine code for the present version of a rule and of all that it calls."""
    found = _cache_of(function) if isinstance(function, Dispatcher) else None
    return found is not None and found.has_entries()


def folder_of(function: Any) -> Path | None:
    """Return the folder that stores a rule's machine code; None if nothing is compiled or no folder is writable."""
    found = _cache_of(function) if isinstance(function, Dispatcher) else None
    return Path(found.cache_path) if found else None


def _cache_of(dispatcher: Any) -> "_Cache | None":
    """Return the cache entries of a rule; None if Numba finds no folder for them."""
    try:
        return _Cache(dispatcher)
    except RuntimeError:
        # Numba stores nothing for code without a source file, such as code typed at a prompt.
        if Path(dispatcher.py_func.__code__.co_filename).exists():
            _warn_of_no_folder()
        return None


@cache
def _warn_of_no_folder() -> None:
    warnings.warn(
        "mancala_envs compiles its rules again in every process, because neither the package's folder nor the user's "
        "cache folder is writable. Set NUMBA_CACHE_DIR to a writable folder.",
        stacklevel=2,
    )


class _ChecksummedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one rule, each with a checksum at its end: machine code with one wrong byte can do anything."""

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[BinaryIO]:
        with super()._open_for_write(path) as file:
            yield (content := BytesIO())
            file.write(content.getvalue() + _checksum(content.getvalue()))

    def _load_index(self) -> Any:
        with suppress(FileNotFoundError):
            _require_checksum(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _require_checksum(self._data_path(name))
        return super()._load_data(name)


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4)


def _require_checksum(path: str) -> None:
    content = Path(path).read_bytes()
    if _checksum(content[:-4]) != content[-4:]:
        raise ValueError(f"the checksum of {path} is wrong")


class _Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one rule. A broken file or a full disk costs a warning, and play goes on."""

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        key = fingerprint(dispatcher)
        self._version = f"{self._impl.filename_base}.{key}"
        self._cache_file = _ChecksummedFiles(self.cache_path, self._version, key)

    def has_entries(self) -> bool:
        """Return whether this version of the rule is stored, for any types."""
        return any(Path(self.cache_path).glob(f"{self._version}.*.nbc"))

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load the code for these types. Return None if there is none; warn if it cannot be read."""
        try:
            stored = super().load_overload(signature, context)
            # Two processes that compile for different types at the same moment may choose the same file name.
            if stored is not None and stored.signature.args != tuple(signature):
                raise ValueError(f"the code is for {stored.signature.args}")
            return stored
        # Unpickling broken bytes can raise any exception.
        except Exception as error:
            warnings.warn(
                f"a cache entry in {self.cache_path} is broken ({error!r}); {self._version} is compiled again",
                stacklevel=2,
            )
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Store the code for these types, or warn that it cannot be stored. Remove old versions."""
        try:
            super().save_overload(signature, compiled)
        except OSError as error:
            warnings.warn(
                f"compiled rules cannot be stored in {self.cache_path} ({error!r}); the next process compiles them "
                "again. Set NUMBA_CACHE_DIR to a folder with free space.",
                stacklevel=2,
            )
        name, _, _ = self._version.rpartition("-")
        for file in Path(self.cache_path).glob(f"{name}-*.nb[ic]"):
            with suppress(OSError):  # Another process may be removing it too.
                if file.stat().st_mtime < time.time() - OLD:
                    file.unlink()


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
    code = repr((_content(function.__code__), function.__defaults__, options)).encode()
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
    # Compiled code cannot call a function that is not compiled; such a name is that of an attribute. For an intrinsic
    # the name is enough, because its code changes only with its module.
    if isinstance(value, FunctionType | _Intrinsic):
        return f"{value.__module__}.{value.__qualname__}".encode()
    try:
        return pickle.dumps(value, protocol=5)
    except Exception as error:
        raise TypeError(
            f"{function.__module__}.{function.__qualname__} uses {name!r}, which cannot be hashed ({error}); "
            "a rule may use rules, NumPy, numbers and arrays"
        ) from error
