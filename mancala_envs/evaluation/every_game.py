"""A tournament in every game, and a table of all ratings."""

from collections.abc import Mapping, Sequence
from os.path import isfile
from pathlib import Path
from typing import Any

from mancala_envs.agents import experts
from mancala_envs.agents.searcher import EXPERT
from mancala_envs.core.opening import decisions, in_words
from mancala_envs.evaluation.runs import read_json, write_table
from mancala_envs.evaluation.tournament import RATINGS, Tournament
from mancala_envs.registry import REGISTRY, distinct

GAME = "{game}"
"""Replaced by the name of the game in the path of a model."""

Ratings = dict[str, list[dict[str, Any]]]
"""By game, the content of its ratings.json."""


def entrants(agents: Sequence[str], game: str) -> list[str]:
    """Return the agents that can play a game: all but experts and models that the game does not have."""
    have_expert = game in experts()
    named = [agent.replace(GAME, game) for agent in agents if have_expert or agent.partition(":")[0] != EXPERT]
    return [agent for agent in named if agent in agents or isfile(agent)]


def play_every_game(
    out: Path,
    agents: Sequence[str],
    games: int,
    batch: int,
    opening: int | Sequence[int],
    seed: int,
    jobs: int = 1,
    ray: str | None = None,
) -> None:
    """Play a tournament in each game, one for each rule book, into OUT/GAME, and write a table of all ratings.

    Args:
        out: The folder.
        agents: Agents as `Tournament` takes them. Experts and paths with `{game}`, such as `runs/{game}/model.zip`,
            play only the games that have them.
        games: Games of each pairing, rounded up to an even number.
        batch: Number of games played in parallel, even.
        opening: Number of random decisions before the agents take over, or a range (low, high) of it.
        seed: Random seed.
        jobs: Number of processes.
        ray: Address of a Ray cluster to play on, instead of in processes.

    Raises:
        RunError: As of `Tournament.play`.
        ValueError: An agent is unknown, or a game has fewer than two of the agents.
    """
    tournaments = [Tournament(name, entrants(agents, name), False, {}, batch, opening, seed) for name in distinct()]
    found: Ratings = {}
    for tournament in tournaments:
        name = tournament.name
        complete = tournament.play(out / name, games, jobs, ray)
        found[name] = read_json(out / name / RATINGS)
        if not complete:
            break
    write_table(out, f"Ratings after {in_words(*decisions(opening))}.\n\n{table(agents, found)}")


def table(agents: Sequence[str], found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return a Markdown table of Elo ratings with the half widths of their 95% intervals, the highest in bold."""
    lines = [["game", *(f"`{agent}`" for agent in agents)], ["---", *["--:"] * len(agents)]]
    for name in filter(found.__contains__, REGISTRY):
        rows = {row["agent"]: row for row in found[name]}
        best = max(row["rating"] for row in rows.values())
        cells = []
        for agent in agents:
            row = rows.get(agent.replace(GAME, name))
            text = f"{row['rating']:+.0f} ± {row['interval_95'][1] - row['rating']:.0f}" if row else ""
            cells.append(f"**{text}**" if row and row["rating"] == best else text)
        lines.append([REGISTRY[name].book.title, *cells])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
