"""Files that programs write and read again: whole ones, whenever the program ends."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


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
    """What a file of a run holds. Ends the program where it is missing or broken."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"{path} is missing or broken: {error}")
