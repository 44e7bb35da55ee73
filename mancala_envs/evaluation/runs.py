"""Runs that write files: whole ones, whenever a run ends, from which the next call goes on."""

import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from tqdm import tqdm

Task = TypeVar("Task")

RESULTS, TABLE = "results.json", "table.md"
STOPPED = "stopped by hand; the same command goes on"


class Unusable(Exception):
    """Files of a run that are missing, broken or of another run, or a run that has come to nothing."""


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which takes the place of `path` once all is written; until then, and if that fails, the old
    one stays."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    with whole(path) as file:
        file.write(text.encode())


def write_json(path: Path, content: Any) -> None:
    write_text(path, json.dumps(content, indent=1) + "\n")


def read_json(path: Path) -> Any:
    """What a file of a run holds. Raises Unusable where it is missing or broken."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} is missing or broken: {error}") from error


def interruptible() -> None:
    """Let SIGTERM raise KeyboardInterrupt as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def go_on(
    out: Path,
    name: str,
    settings: dict[str, Any],
    missing: Callable[[dict[str, Any]], Iterable[Task]],
    do: Callable[[dict[str, Any], Task], None],
    describe: Callable[[Task], str],
) -> dict[str, Any]:
    """Do what the results in a folder lack, behind a progress bar, until Ctrl-C or SIGTERM; returns the results.

    Args:
        out: the folder, whose RESULTS are written after every task.
        name: of the results in that file.
        settings: what the results depend on.
        missing: the tasks that are still to be done.
        do: adds what comes of a task to the results.
        describe: a task for the progress bar.

    Raises:
        Unusable: if the folder holds something else, or results of other settings.
    """
    path = out / RESULTS
    former = read_json(path) if path.exists() else {"settings": settings, name: {}}
    if not isinstance(former, dict) or name not in former:
        raise Unusable(f"{path} holds no {name}")
    if former.get("settings") != settings:
        raise Unusable(f"{path} was made with {former.get('settings')}: choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = former[name]
    interruptible()
    try:
        for task in (bar := tqdm(list(missing(results)), dynamic_ncols=True)):
            bar.set_description(describe(task))
            do(results, task)
            write_json(path, former)
    except KeyboardInterrupt:
        print(STOPPED)
    return results


def conclude(out: Path, text: str) -> None:
    """Write a table beside the results of a folder, and print it."""
    write_text(out / TABLE, text)
    print(text)
    print(f"wrote {out}/{RESULTS}, {TABLE}")


def draw(path: Path, make: Callable[[Any], Any], **how: Any) -> list[str]:
    """Write the figure that `make` returns, given Matplotlib's pyplot; `how`: arguments of its `savefig`.

    Returns the name of the file, or nothing where Matplotlib is not installed, and says so.
    """
    try:
        import matplotlib
    except ModuleNotFoundError:
        print(f"{path} is not drawn: pip install matplotlib", file=sys.stderr)
        return []
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = make(pyplot)
    with whole(path) as file:
        figure.savefig(file, format=path.suffix[1:], **how)
    pyplot.close(figure)
    return [path.name]
