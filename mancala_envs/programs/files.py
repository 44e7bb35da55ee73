"""Files of runs. They are never left half-written, so an interrupted run can always be continued."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from typing import IO, Any, TypeVar

from mancala_envs.core.extras import MissingExtra, needs_extra
from mancala_envs.programs.progress import Bar

Keys = TypeVar("Keys", bound=tuple[str, ...])

RESULTS, TABLE = "results.json", "table.md"
INTERRUPTED = "interrupted; run the same command again to continue"


class RunError(Exception):
    """The files of a run are missing, broken or from another run, or the run has no results."""


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces `path` at the end of the block. If an exception occurs, `path` is unchanged.

    Yields:
        The file, open for writing bytes.
    """
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write text to a file, atomically."""
    with atomic_write(path) as file:
        file.write(text.encode())


def write_json(path: Path, content: Any) -> None:
    """Write JSON to a file, atomically."""
    write_text(path, json.dumps(content, indent=1) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file of a run.

    Raises:
        RunError: if the file is missing or broken.
    """
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{path} is missing or broken: {error}") from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Create the folder of a run, and lock it for the block, which SIGTERM ends as Ctrl-C does.

    On Windows it is not locked.

    Raises:
        RunError: if another program has locked the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        try:
            held.enter_context(_lock(folder, os.O_RDONLY, wait=False))
        except BlockingIOError:
            raise RunError(f"another program writes to {folder}: wait for it, or choose another --out") from None
        with _interruptible():
            yield


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made if necessary, for the block; first wait until no other process holds it.

    On Windows nothing is locked.
    """
    with _lock(path, os.O_RDWR | os.O_CREAT, wait=True):
        yield


@contextmanager
def _lock(path: Path, flags: int, wait: bool) -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    import fcntl  # Only POSIX has it.

    descriptor = os.open(path, flags)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM raise KeyboardInterrupt in the block; in other threads than the main one no signal arrives."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_missing(
    out: Path, name: str, kind: Any, settings: dict[str, Any], tasks: Mapping[Keys, Callable[[], Any]]
) -> dict[str, Any]:
    """Run the tasks that the results in a folder lack, with a progress bar, until Ctrl-C or SIGTERM.

    Args:
        out: the folder. RESULTS in it is written after every task.
        name: key of the results in that file.
        kind: the kind of the results, see `fits`.
        settings: the settings that all results depend on, saved with them.
        tasks: what returns a result, by its keys in the results: ("kalah", "greedy") for `results["kalah"]["greedy"]`.

    Returns:
        All results, earlier ones included.

    Raises:
        RunError: if the folder's results are of another kind or were made with other settings, or if another program
            writes to it.
    """
    with locked(out):
        path = out / RESULTS
        saved = read_json(path) if path.exists() else {"settings": settings, name: {}}
        if not isinstance(saved, dict) or not fits(saved.get(name), kind):
            raise RunError(f"{path} holds no {name}")
        if saved.get("settings") != settings:
            raise RunError(f"{path} was made with {saved.get('settings')}: choose another --out")
        results: dict[str, Any] = saved[name]
        try:
            for keys in (bar := Bar([keys for keys in tasks if not _has(results, *keys)])):
                bar.set_description(", ".join(keys))
                _set(results, tasks[keys](), *keys)
                write_json(path, saved)
        except KeyboardInterrupt:
            print(INTERRUPTED)
        return results


def _has(results: dict[str, Any], key: str, *keys: str) -> bool:
    return key in results and (not keys or _has(results[key], *keys))


def _set(results: dict[str, Any], result: Any, key: str, *keys: str) -> None:
    if keys:
        _set(results.setdefault(key, {}), result, *keys)
    else:
        results[key] = result


def fits(content: Any, kind: Any) -> bool:
    """Return whether the content of a JSON file is of a kind.

    Args:
        content: the content.
        kind: a type, where float includes integers; `[kind]` for a list and `{str: kind}` for an object of that kind.
    """
    if isinstance(kind, dict):
        return isinstance(content, dict) and all(fits(value, kind[str]) for value in content.values())
    if isinstance(kind, list):
        return isinstance(content, list) and all(fits(value, kind[0]) for value in content)
    return type(content) is kind or (kind is float and type(content) is int)


def draw(path: Path, make: Callable[[Any], Any], **how: Any) -> list[str]:
    """Draw a figure and write it to a file. Without Matplotlib, print which extra has it.

    Args:
        path: the file.
        make: takes Matplotlib's pyplot module and returns the figure.
        how: arguments of the figure's `savefig`.

    Returns:
        A list with the name of the file, empty without Matplotlib.
    """
    try:
        with needs_extra():
            import matplotlib
    except MissingExtra as missing:
        print(f"{path} is not drawn: {missing}", file=sys.stderr)
        return []
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = make(pyplot)
    with atomic_write(path) as file:
        figure.savefig(file, format=path.suffix[1:], **how)
    pyplot.close(figure)
    return [path.name]
