"""What the tables of the pages of numbers and of solved games say of one game."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PAGES = ("numbers.md", "solved.md")
TABLE = re.compile(r"^\|(.+)\|\n\|[-:| ]+\|\n((?:\|.*\n)+)", re.MULTILINE)


class Table(NamedTuple):
    """The part of a table that is about one game; `place`: its page and section, as links name them."""

    section: str
    place: str
    text: str


def of_game(names: set[str]) -> list[Table]:
    """The rows that begin with one of these names, and whole tables whose first column is headed by one."""
    return [table for page in PAGES for table in tables(page, names)]


def tables(page: str, names: set[str]) -> Iterator[Table]:
    """Those of one page."""
    # A section is its heading and what stands below it.
    for heading, text in re.findall(r"^#+ (.+)\n((?:(?!#+ ).*\n?)*)", (HERE / page).read_text(), re.MULTILINE):
        place = f"{page}#{anchor(heading)}"
        for found in TABLE.finditer(text):
            rows = found[2].splitlines()
            if not names & named(found[0]):
                rows = [row for row in rows if names & named(row)]
            if rows:
                head = found[0].splitlines()[:2]
                yield Table(heading, place, "\n".join([*head, *rows]))


def named(row: str) -> set[str]:
    """What a row, or the head of a table, may be about: its first cell, in parts."""
    return set(re.split(", | / ", row.split("|")[1].strip()))


def anchor(heading: str) -> str:
    """As MyST names a heading in links."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
