"""Find the rows about one game in the tables of the pages on numbers and on solved games."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mancala_envs.registry import Entry

HERE = Path(__file__).parent
PAGES = ("numbers.md", "solved.md")
TABLE = re.compile(r"^\|(.+)\|\n\|[-:| ]+\|\n((?:\|.*\n)+)", re.MULTILINE)


class Table(NamedTuple):
    """The part of a table that is about one game.

    Attributes:
        section: The heading above the table.
        place: The page and the anchor of that heading, for links.
        caption: The paragraph above the table.
        text: The table in Markdown.
    """

    section: str
    place: str
    caption: str
    text: str


def title_of(entry: Entry) -> str:
    """Return the title of a game. A second name of a rule book comes from the id, such as "Magazeb II"."""
    book = entry.book
    return book.title if entry.name == book.name else re.sub("(?<=[a-z])(?=[A-Z])", " ", entry.id_name)


def of_game(names: set[str]) -> list[Table]:
    """Return the rows that start with one of a game's names, and whole tables headed by one, from all PAGES."""
    return [table for page in PAGES for table in tables(page, names)]


def tables(page: str, names: set[str]) -> Iterator[Table]:
    """Yield the tables of one page, as `of_game` does."""
    # A section is a heading and the text up to the next heading.
    for heading, text in re.findall(r"^#+ (.+)\n((?:(?!#+ ).*\n?)*)", (HERE / page).read_text(), re.MULTILINE):
        place = f"{page}#{anchor(heading)}"
        for found in TABLE.finditer(text):
            rows = found[2].splitlines()
            if not names & row_names(found[0]):
                rows = [row for row in rows if names & row_names(row)]
            if rows:
                caption = text[: found.start()].strip().rpartition("\n\n")[2]
                head = found[0].splitlines()[:2]
                yield Table(heading, place, caption, "\n".join([*head, *rows]))


def row_names(row: str) -> set[str]:
    """Return the names of games in the first cell of a row, or of a table's head; a row can be about campaigns."""
    return {name.removesuffix(" campaigns") for name in re.split(", | / ", row.split("|")[1].strip())}


def anchor(heading: str) -> str:
    """Return MyST's anchor of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
