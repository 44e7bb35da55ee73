"""The tables of measured figures in `docs/results`, where they are shown, and what they say about a game."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from mancala_envs.agents import experts
from mancala_envs.agents.network import EXPERTS, expert_file
from mancala_envs.learning.experts import summary
from mancala_envs.learning.experts import table as table_of_experts
from mancala_envs.programs.files import read_json
from mancala_envs.programs.tables import Cell, Table
from mancala_envs.registry import Entry, make_game
from mancala_envs.studies import baselines, options

DOCS = Path(__file__).parent
RESULTS, STUDY = DOCS / "results", DOCS / "study"


def title_of(entry: Entry) -> str:
    """Return the title of a game. A second name of a rule book comes from the id, such as "Magazeb II"."""
    book = entry.book
    return book.title if entry.name == book.name else re.sub("(?<=[a-z])(?=[A-Z])", " ", entry.id_name)


def of_experts() -> Table:
    """Return the table of the experts, from the networks of the package."""
    return table_of_experts({name: summary(EXPERTS / expert_file(make_game(name))) for name in experts()})


def of_learning() -> Table:
    """Return the table of the learning curves."""
    saved = read_json(STUDY / "curves.json")
    return baselines.table(saved["curves"], saved["settings"]["minutes"], ("random", "greedy"))


@cache
def studies() -> dict[str, options.Study]:
    """Return the study of the options of every game."""
    return options.Plan().studies(read_json(STUDY / "results.json")["played"])


COMPUTED: dict[str, Callable[[], Table]] = {
    "experts": of_experts,
    "learning": of_learning,
    "options": lambda: options.overview(studies()),
}
"""Tables whose figures are stored elsewhere."""


@cache
def names() -> list[str]:
    """Return the names of all tables."""
    return sorted([*COMPUTED, *(path.stem for path in RESULTS.glob("*.json"))])


@cache
def table(name: str) -> Table:
    """Return a table.

    Raises:
        ValueError: if there is none of this name.
    """
    if name not in names():
        raise ValueError(f"there is no table {name!r}; there are {', '.join(names())}")
    return COMPUTED[name]() if name in COMPUTED else Table.read(RESULTS / f"{name}.json")


def about(games: set[str], found: Table) -> Table:
    """Return the rows of a table about a game with these titles: all of them if the whole table is about it."""
    return found if found.game in games else replace(found, rows=[row for row in found.rows if games & subjects(row)])


def subjects(row: list[Cell]) -> set[str]:
    """Return the titles of games in the first cell of a row; a row can be about campaigns."""
    return {title.removesuffix(" campaigns") for title in re.split(", | / ", str(row[0]))}


@cache
def places() -> dict[str, str]:
    """Return, for each table on a page, a link to the heading above its first directive."""
    found: dict[str, str] = {}
    for page in sorted(DOCS.rglob("*.md")):
        path = page.relative_to(DOCS)
        if path.parts[0] in ("_build", "games"):
            continue
        heading = ""
        # Code blocks are skipped, because their comments look like headings.
        for title, info in re.findall(r"^#+ (.+)$|^```(.*)\n(?:.*\n)*?```$", page.read_text(), re.MULTILINE):
            heading = title or heading
            if info.startswith("{results} "):
                found.setdefault(info.split()[1], f"/{path}#{anchor(heading)}")
    return found


def anchor(heading: str) -> str:
    """Return MyST's anchor of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def of_game(games: set[str]) -> dict[str, str]:
    """Return links to the tables with rows about a game with these titles.

    The table of options is left out, because the page of a game has more of it.
    """
    return {name: link for name, link in places().items() if name != "options" and about(games, table(name)).rows}
