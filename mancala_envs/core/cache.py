"""Where compiled functions are kept on disk: each in a folder named after a hash of all that shapes its code.

Numba's own cache notices when the file of a function changes. It does not notice when something that the function
calls changes, nor a constant, nor whether bounds are checked. So the folder of a function is named after a hash of its
code, of the code of all that it calls, and of the constants that they use. An edit thus compiles anew what it
concerns, and nothing else. The hash is taken when Python first calls the function, for most functions are never called.
"""

import hashlib
import math
import os
import pickle
import re
import shutil
import tempfile
import threading
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
from numba.core.caching import IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

from mancala_envs.core import parts

PACKAGE = Path(__file__).parents[1]

KEPT = 3
"""Folders of one function that stay, the most recently used: several versions and checkouts may share one home."""

AT_REST = 3600.0
"""Seconds after its last use before a folder may be removed: nobody is still writing into it."""

_numba_settings = threading.Lock()


def keep(dispatcher: Any) -> None:
    """From its first call on, take what is compiled of `dispatcher` from disk, and store there what is not."""
    compile_or_load = dispatcher.compile

    @cache
    def find_folder() -> None:
        folder = _folder(dispatcher)
        if folder is not None:
            # Numba reads this setting while it enables the cache; it has no argument for it.
            with _numba_settings:
                before = numba.config.CACHE_DIR
                numba.config.CACHE_DIR = str(folder)
                try:
                    dispatcher.enable_caching()
                finally:
                    numba.config.CACHE_DIR = before
            numbas = dispatcher._cache
            of_which = numbas._impl.filename_base, numbas._impl.locator.get_source_stamp()
            numbas._cache_file = _Summed(numbas.cache_path, *of_which)
            dispatcher._cache = _Kept(numbas, folder)

    def compile_with_cache(signature: Any) -> Any:
        find_folder()
        return compile_or_load(signature)

    dispatcher.compile = compile_with_cache


class _Summed(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's files of one function, each with a checksum at its end: machine code with a wrong byte does anything.

    Pickles, which the files are, end before it by themselves.
    """

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[BinaryIO]:
        with super()._open_for_write(path) as file:
            yield (content := BytesIO())
            file.write(content.getvalue() + _checksum(content.getvalue()))

    def _load_index(self) -> Any:
        with suppress(FileNotFoundError):
            self._check(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        self._check(self._data_path(name))
        return super()._load_data(name)

    def _check(self, path: str) -> None:
        content = Path(path).read_bytes()
        if _checksum(content[:-4]) != content[-4:]:
            raise ValueError(f"the checksum of {path} is wrong")


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4)


class _Kept:
    """Numba's cache of one function, in its folder; where the files are broken or the disk is full play goes on."""

    def __init__(self, numbas: Any, folder: Path) -> None:
        self._numbas, self._own = numbas, folder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._numbas, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """What was kept, or None; None too, with a warning, where it cannot be read: then it is compiled anew."""
        try:
            return self._numbas.load_overload(signature, context)
        # What broken bytes raise when they are unpickled depends on the bytes.
        except Exception as error:
            shutil.rmtree(self._own, ignore_errors=True)
            warnings.warn(
                f"what was compiled before in {self._own} is broken ({error!r}); it is removed and compiled anew",
                stacklevel=2,
            )
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled, or warn that there is no room."""
        try:
            self._numbas.save_overload(signature, compiled)
        except OSError as error:
            warnings.warn(
                f"what was just compiled cannot be kept in {self._own} ({error}); it will be compiled again another "
                "time. Set NUMBA_CACHE_DIR to a folder with room.",
                stacklevel=2,
            )


@cache
def cache_folder() -> Path | None:
    """The folder that has the folders of all compiled functions, or None (with one warning) if none is writable."""
    homes = list(_homes())
    for home in homes:
        folder = home / "mancala_envs"
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


def _homes() -> Iterator[Path]:
    """The folders that the cache may lie in, best first."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    yield PACKAGE / "__pycache__"
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"])
    else:
        yield Path(os.path.expanduser("~"), ".cache")


def _folder(dispatcher: Any) -> Path | None:
    """The folder of one compiled function, there and marked as used; None where nothing can be kept."""
    function = dispatcher.py_func
    file = Path(function.__code__.co_filename)
    # What is typed at a prompt has no file, and Numba keeps nothing without one.
    home = cache_folder() if file.exists() else None
    if home is None:
        return None
    folder = home / _folder_name(dispatcher)
    folder.mkdir(parents=True, exist_ok=True)
    # If another process removes it at this moment, Numba makes it again.
    with suppress(FileNotFoundError):
        os.utime(folder)
    _remove_old(home, folder.name.rpartition("-")[0])
    return folder


def _folder_name(dispatcher: Any) -> str:
    """Its name and a hash."""
    function = dispatcher.py_func
    stem = re.sub(r"[^\w.]", "", f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}")
    return f"{stem}-{fingerprint(dispatcher)}"


def is_kept(function: Any) -> bool:
    """Whether something compiled of a rule, as it and all that it calls are now, lies in the cache."""
    home = cache_folder() if isinstance(function, Dispatcher) else None
    return home is not None and any((home / _folder_name(function)).glob("*/*.nbc"))


def _remove_old(home: Path, stem: str) -> None:
    """Remove the folders of one function, except those used last. Other processes may be doing the same."""
    folders = home.glob(f"{stem}-{'[0-9a-f]' * 16}")
    for folder in sorted(folders, key=_last_use, reverse=True)[KEPT:]:
        if _last_use(folder) < time.time() - AT_REST:
            shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    """When the folder was last used, in seconds; before all others if another process has just removed it."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:
        return -math.inf


def fingerprint(dispatcher: Any) -> str:
    """A hash of the code of a compiled function and of all that it calls, and of the constants that they use."""
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
    """How functions are compiled in this process, apart from what Numba's own cache compares."""
    settings = (parts.ENABLED, numba.config.BOUNDSCHECK, numba.config.DEBUGINFO_DEFAULT)
    return repr(settings).encode() + b"".join(
        Path(__file__).with_name(name).read_bytes() for name in ("cache.py", "parts.py", "rule.py")
    )


@cache
def _described(dispatcher: Any) -> tuple[bytes, list[tuple[str, Any]]]:
    """Code and options of one compiled function; and what it uses by name, compiled functions apart in bytes."""
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
    """Everything in a code object that decides what it does."""
    constants = [_content(each) if isinstance(each, CodeType) else each for each in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_freevars
    return code.co_code, code.co_exceptiontable, constants, names, code.co_argcount


def _names_in(code: CodeType) -> set[str]:
    inner = [_names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)


def _globals_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function finds by name: globals, what lies in modules among these, and variables of outer functions."""
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
    # Compiled code has no use for a function that is not compiled; its name has been met as that of an attribute.
    # What a function makes of LLVM code is as lasting as its module.
    if isinstance(value, FunctionType | _Intrinsic):
        return f"{value.__module__}.{value.__qualname__}".encode()
    try:
        return pickle.dumps(value, protocol=5)
    except Exception as error:
        raise TypeError(
            f"{function.__module__}.{function.__qualname__} uses {name!r}, of which no hash can be taken ({error}); "
            "a rule may use rules, NumPy, numbers and arrays"
        ) from error
