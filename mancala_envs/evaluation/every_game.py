"""A tournament in every game, and a table of all ratings."""

from collections.abc import Mapping, Sequence
from os.path import isfile
from pathlib import Path
from shlex import quote
from typing import Any

from mancala_envs.core.arguments import short
from mancala_envs.core.opening import decisions, in_words
from mancala_envs.evaluation.tournament import RATINGS, NoGamesError, Tournament
from mancala_envs.programs.files import read_json
from mancala_envs.programs.tables import Cell, Table, write_table
from mancala_envs.registry import REGISTRY, distinct

GAME = "{game}"
"""Replaced by the name of the game in the path of a model."""


def entrants(agents: Sequence[str], game: str) -> list[str]:
    """Return the agents that can play a game: all but models that the game does not have."""
    named = [agent.replace(GAME, game) for agent in agents]
    return [agent for agent in named if agent in agents or isfile(agent)]


def tournaments(agents: Sequence[str], batch: int, opening: int | Sequence[int], seed: int) -> list[Tournament]:
    """Return a tournament in each game, one for each rule book.

    Args:
        agents: Agents as `Tournament` takes them. Paths with `{game}`, such as `runs/{game}/model.zip`, play only the
            games that have them.
        batch: Number of games played in parallel, even.
        opening: Number of random decisions before the agents take over, or a range (low, high) of it.
        seed: Random seed.

    Raises:
        ValueError: An agent is unknown or plays no game, or a game has fewer than two of the agents.
    """
    found = [Tournament(name, entrants(agents, name), False, {}, batch, opening, seed) for name in distinct()]
    for agent in agents:
        if not any(agent.replace(GAME, each.name) in each.agents for each in found):
            raise ValueError(f"no game has the agent {short(agent)}")
    return found


def play_all(
    out: Path, agents: Sequence[str], chosen: Sequence[Tournament], games: int, jobs: int = 1, ray: str | None = None
) -> None:
    """Play tournaments, each into OUT/GAME, and write a table of all ratings to `table.json` and `table.md`.

    Args:
        out: The folder.
        agents: The agents, in the order of the table's columns.
        chosen: What `tournaments` returned for these agents.
        games: Games of each pairing, rounded up to an even number.
        jobs: Number of processes.
        ray: Address of a Ray cluster to play on, instead of in processes.

    Raises:
        RunError: As of `Tournament.play`.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for each in chosen:
        try:
            complete = each.play(out / each.name, games, jobs, ray)
        except NoGamesError:
            if not found:
                raise
            break
        found[each.name] = read_json(out / each.name / RATINGS)
        if not complete:
            break
    opening = in_words(*decisions(chosen[0].opening))
    caption = f"Elo ratings from {games + games % 2} games of each pairing, fewer where the tournament ended early; "
    caption += f"{opening}. The highest of each game is bold."
    columns = ["game", *(f"`{agent}`" for agent in agents)]
    command = command_of(agents, chosen[0], games)
    write_table(out, Table("Ratings in every game", caption, columns, rows_of(agents, found), command))


def command_of(agents: Sequence[str], one: Tournament, games: int) -> str:
    """Return the command that plays tournaments like this one in every game."""
    opening = "-".join(map(str, dict.fromkeys(decisions(one.opening))))
    options = {"games": games, "opening": opening, "batch": one.batch, "seed": one.seed}
    words = [*agents, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
    return f"python scripts/tournament.py all {' '.join(map(quote, words))}"


def rows_of(agents: Sequence[str], found: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[list[Cell]]:
    """Return Elo ratings with the half widths of their 95% intervals, the highest in bold, with a row for each game."""
    table_rows = list[list[Cell]]()
    for name in filter(found.__contains__, REGISTRY):
        rated = {row["agent"]: row for row in found[name]}
        rows = [rated.get(agent.replace(GAME, name)) for agent in agents]
        best = max((row["rating"] for row in rows if row), default=None)
        cells = list[Cell]()
        for row in rows:
            if row is None:
                cells.append(None)
            else:
                value, half = row["rating"], row["interval_95"][1] - row["rating"]
                cells.append({"value": round(value), "half": round(half), "signed": True, "bold": value == best})
        table_rows.append([REGISTRY[name].book.title, *cells])
    return table_rows
