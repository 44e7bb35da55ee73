"""Write what the documentation says of every game: its row in games.md, its figures, counts and badges.

    python docs/game_rows.py             # what is missing
    python docs/game_rows.py kalah       # also measures this game again
    python docs/game_rows.py --games 50  # shorter matches

A row of games.md gets title, id and number of players from the code, and the source from the game's page. Edit it as
you like; rows that exist stay as they are. A game without rows in docs/results is measured: its matches as in
scripts/tournament.py (strength.json), which takes minutes to hours and continues if interrupted, and its speed as in
scripts/speed.py (speed.json). For a game that two players cannot play, greedy plays against random (races.json). The
counts of games in sentences and the badges follow from the registry.
"""

import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import badges
import tables

from mancala_envs.core.opening import OPENING
from mancala_envs.evaluation.score import evaluate
from mancala_envs.evaluation.tournament import RATINGS, Tournament
from mancala_envs.programs.arguments import positive, program, usage_errors
from mancala_envs.programs.files import read_json
from mancala_envs.programs.tables import Cell, Table, in_markdown, percent
from mancala_envs.registry import REGISTRY, Entry, distinct, make_game
from mancala_envs.speed.measure import Contender, count_drops, measure, quantity, step_loop

DOCS = Path(__file__).parent
LIST, COMPARISON = DOCS / "games.md", DOCS / "comparison.md"
README = DOCS.parent / "README.md"

KINDS = {"holes": "Sowing", "pieces": "Races"}
"""Section of games.md for the games whose positions have this field; all others are boards of points."""
POINTS = "Boards of points"
STRENGTH, RACES, SPEED = "strength", "races", "speed"
"""Tables of docs/results."""
MATCHES = (
    ("greedy", "random"),
    ("minimax:2", "greedy"),
    ("mcts:100", "greedy"),
    ("mcts:1000", "mcts:100"),
    ("minimax:6", "minimax:2"),
)
"""Pairs of agents; the first is expected to win."""
GAMES = 400
"""Default number of games in a match."""
SEED, RACE_GAMES, ROUNDS, SECONDS, BATCH = 0, 1000, 5, 0.3, 1024
"""How the figures are measured."""


def kind(known: Entry) -> str:
    """Return the section of games.md in which a game belongs."""
    fields = make_game(known.name).position_fields
    return next((section for field, section in KINDS.items() if field in fields), POINTS)


def linked(line: str) -> str | None:
    """Return the game to whose page a row or a line of contents of games.md links."""
    found = re.search(r"^\| \[.+?\]\(games/(\w+)\.md\)|^[^|]+ <games/(\w+)>$", line)
    return found and (found[1] or found[2])


def section(lines: list[str], heading: str) -> range:
    """Return the numbers of the lines from a heading to the next one."""
    start = next(i for i, line in enumerate(lines) if re.fullmatch(f"#+ {re.escape(heading)}", line))
    return range(start, next((i for i in range(start + 1, len(lines)) if lines[i].startswith("#")), len(lines)))


def add(page: str, heading: str, line: str) -> str:
    """Add a row or a line of contents to a section of games.md that has other such lines, in the order of the registry.

    Args:
        page: games.md.
        heading: the section's heading.
        line: the row or the line.
    """
    order, lines = list(REGISTRY), page.split("\n")
    alike = [i for i in section(lines, heading) if linked(lines[i]) and (lines[i][0] == "|") == (line[0] == "|")]
    place = order.index(linked(line) or "")
    before = [i for i in alike if order.index(linked(lines[i]) or "") <= place]
    lines.insert(before[-1] + 1 if before else alike[0], line)
    return "\n".join(lines)


# The list of games.


def listed(page: str) -> str:
    """Return games.md with a row and a line of contents for every game that lacks one."""
    for known in REGISTRY.values():
        if f"(games/{known.name}.md)" not in page:
            title, section = tables.title_of(known), kind(known)
            players = f"{make_game(known.name).num_players}{', campaign' * known.has_campaign}"
            special = [fact(known, r"^\| Board \| (.+?) \|$")] if section != KINDS["holes"] else []
            source = fact(known, r"^Sources?: (.+?)(?:;|\.?\n\n|\.?\s*\Z)")
            cells = (f"[{title}](games/{known.name}.md)", f"`{known.id}`", players, *special, source)
            for line in (f"| {' | '.join(cells)} |", f"{title} <games/{known.name}>"):
                page = add(page, section, line)
    return page


def fact(known: Entry, pattern: str) -> str:
    """Return what a pattern finds in the text of a game's page, on one line.

    Raises:
        ValueError: if it finds nothing.
    """
    found = re.search(pattern, known.book.text or "", re.MULTILINE | re.DOTALL)
    if not found:
        raise ValueError(f"the page of {known.name} has nothing like {pattern}, which its row in {LIST.name} needs")
    return " ".join(found[1].split())


# The numbers.


def measurements(again: list[str], games: int) -> Iterator[tuple[str, list[Cell]]]:
    """Measure the games that have no rows in docs/results; yield the name of the table and each row.

    Args:
        again: names of games to measure in any case.
        games: number of games in each match.
    """
    for_two = games_for_two()
    for name in distinct():
        which = STRENGTH if name in for_two else RACES
        if name in again or not has_row(which, name):
            yield which, matches(name, for_two[name], games) if name in for_two else against_random(name)
        if name in again or not has_row(SPEED, name):
            yield SPEED, speed(name)


def file_of(which: str) -> Path:
    """Return the file of a table."""
    return tables.RESULTS / f"{which}.json"


def has_row(which: str, name: str) -> bool:
    """Return whether a table has a row about a game."""
    return any(tables.title_of(REGISTRY[name]) in tables.subjects(row) for row in Table.read(file_of(which)).rows)


def insert(which: str, row: list[Cell]) -> None:
    """Write a row into a table, in the order of the registry; it replaces a row with the same first cell."""
    table, order = Table.read(file_of(which)), list(map(tables.title_of, REGISTRY.values()))
    rows = {str(known[0]): known for known in table.rows} | {str(row[0]): row}
    table.rows = sorted(rows.values(), key=lambda known: min(map(order.index, tables.subjects(known) & set(order))))
    table.write(file_of(which))


def games_for_two() -> dict[str, dict[str, int]]:
    """Return every game that two players can play, with the options for two players, once for each rule book."""
    found: dict[str, dict[str, int]] = {}
    for name in distinct():
        players = next((option for option in REGISTRY[name].book.options if option.name == "players"), None)
        if make_game(name).num_deciding == 2:
            found[name] = {}
        elif players and players.lowest <= 2:
            found[name] = {"players": 2}
    return found


def matches(name: str, options: dict[str, int], games: int) -> list[Cell]:
    """Play the matches of a game and return its row. They are saved, so an interrupted program continues them."""
    out = Path("runs/matches") / name
    tournament = Tournament(name, list(dict.fromkeys(chain(*MATCHES))), options=options, seed=SEED, pairs=MATCHES)
    if not tournament.play(out, games):
        sys.exit()
    against = {agent["agent"]: agent["against"] for agent in read_json(out / RATINGS)}
    return [tables.title_of(REGISTRY[name]), *(cell(against[first][second]) for first, second in MATCHES)]


def cell(score: dict[str, Any]) -> Cell:
    """Return points with their interval, in bold if it includes 50%, and the number of games if it is not GAMES."""
    games, interval = score["wins"] + score["draws"] + score["losses"], score["interval_95"]
    return percent(score["points"], interval, games=games * (games != GAMES), bold=interval[0] <= 0.5)


def against_random(name: str) -> list[Cell]:
    """Return a row with the points of greedy against random play, from random openings and from the usual one."""
    scores = [evaluate("greedy", name, games=RACE_GAMES, seed=SEED, opening=opening) for opening in (OPENING, 0)]
    return [tables.title_of(REGISTRY[name]), *(percent(score.points, score.interval) for score in scores)]


def speed(name: str) -> list[Cell]:
    """Return a row with the decisions and the dropped seeds per second on one core."""
    loop = Contender("", name, step_loop(make_game(name), BATCH), BATCH)
    rate, drops = median(measure([loop], ROUNDS, SECONDS)[loop]), count_drops(name)
    return [tables.title_of(REGISTRY[name]), quantity(rate), quantity(rate * drops) if drops else None]


# Counts.


def counted() -> dict[Path, dict[str, str]]:
    """Return, for each page with numbers of games, patterns of texts and what must stand there."""
    sowing = sum(kind(known) == KINDS["holes"] for known in REGISTRY.values())
    description = badges.description(badges.badges())
    return {
        COMPARISON: {r"(?<=\n\| games \| )\d+": str(len(REGISTRY)), r"(?<=\n\| sowing games \| )\d+": str(sowing)},
        README: {r"(?<=!\[)[^\]]*(?=\]\(docs/pictures/badges\.svg\))": description},
    }


def updated() -> dict[Path, str]:
    """Return the content that every file must have, measurements excepted."""
    pages = {LIST: listed(LIST.read_text()), badges.FILE: badges.draw(badges.badges())}
    for path, texts in counted().items():
        pages[path] = path.read_text()
        for pattern, text in texts.items():
            pages[path], found = re.subn(pattern, lambda _, text=text: text, pages[path])
            if found != 1:
                raise ValueError(f"{path.name} has {found} texts like {pattern}, not one")
    return pages


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("again", nargs="*", metavar="GAME", help="name of a game to measure again")
    parser.add_argument("--games", type=positive, default=GAMES, help="games of each match")
    args = parser.parse_args()
    with usage_errors(parser, ValueError):
        again = distinct(args.again)
        for path, text in updated().items():
            if text != path.read_text():
                path.write_text(text)
                print(f"wrote {path}")
        for which, row in measurements(again, args.games):
            insert(which, row)
            print(f"wrote to {file_of(which)}: {' | '.join(map(in_markdown, row))}")


if __name__ == "__main__":
    main()
