"""Matches between built-in opponents in every game for two players: the deeper search should win.

In each game the agents of MATCHES play from random openings. Each opening is played twice, with the seats swapped. The
table shows the share of the points that the stronger agent won, half a point for a draw, with a 95% interval. Results
whose interval does not lie entirely above 50% are in bold. The two games from an opening count as one result, because
the opening may be lost for one seat. For the interval, one won and one lost pair of games are added, so that it has a
width even if all games are won (A. Agresti, B. Coull, The American Statistician 52, 1998).
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mancala_envs.evaluation.matches import Batch
from mancala_envs.evaluation.runs import run_missing, write_table
from mancala_envs.evaluation.score import Z95
from mancala_envs.registry import REGISTRY, distinct, make_game

MATCHES = (
    ("greedy", "random"),
    ("minimax:2", "greedy"),
    ("mcts:100", "greedy"),
    ("mcts:1000", "mcts:100"),
    ("minimax:6", "minimax:2"),
)
"""Pairs of agents; the first is expected to win."""

GAMES, BATCH = 400, 50
"""Default number of games in a match, and number of games played in parallel."""

Results = dict[str, dict[str, list[list[float]]]]
"""By game and match, for each batch the points of its pairs of games, from 0 to 1."""


def games_for_two() -> dict[str, dict[str, int]]:
    """Return every game that two players can play, with the options for two players.

    Games that share a rule book are listed once, under their first name.
    """
    found: dict[str, dict[str, int]] = {}
    for name in distinct():
        players = next((option for option in REGISTRY[name].book.options if option.name == "players"), None)
        if make_game(name).num_deciding == 2:
            found[name] = {}
        elif players and players.lowest <= 2:
            found[name] = {"players": 2}
    return found


def title_of(match: tuple[str, str]) -> str:
    """Return a match's key in the results, such as `greedy > random`."""
    return " > ".join(match)


def missing(
    results: Results, games: dict[str, dict[str, int]], batches: int, opening: int, seed: int
) -> Iterator[Batch]:
    """Yield the batches that the results lack, game by game."""
    for name, options in games.items():
        for match in MATCHES:
            for number in range(len(results.get(name, {}).get(title_of(match), [])), batches):
                yield Batch(name, False, options, match, number, BATCH, opening, seed)


def interval(points: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95% interval of the mean of the points (n,) of pairs of games, each from 0 to 1."""
    with_two_more = np.append(points, [0.0, 1.0])
    half = Z95 * with_two_more.std(ddof=1) / np.sqrt(len(with_two_more))
    return max(with_two_more.mean() - half, 0.0), min(with_two_more.mean() + half, 1.0)


def cell(batches: list[list[float]]) -> str:
    """Format a match's points with their interval, and the number of games if it is not GAMES."""
    points = np.concatenate(batches)
    low, high = interval(points)
    text = f"{points.mean():.1%} [{100 * low:.1f}, {100 * high:.1f}]"
    games = "" if 2 * len(points) == GAMES else f" of {2 * len(points)}"
    return (text if low > 0.5 else f"**{text}**") + games


def table(results: Results) -> str:
    """Return a Markdown table with a row for each game, in the order of the registry."""
    lines = [["game", *(f"`{first}` > `{second}`" for first, second in MATCHES)], ["---", *["--:"] * len(MATCHES)]]
    for name in filter(results.__contains__, REGISTRY):
        played = (results[name].get(title_of(match)) for match in MATCHES)
        lines.append([REGISTRY[name].book.title, *(cell(batches) if batches else "" for batches in played)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def measure(out: Path, games: dict[str, dict[str, int]], each: int, opening: int, seed: int) -> None:
    """Play the batches that the folder lacks, and write a table of all its results.

    Args:
        out: the folder.
        games: names of games with their options, as from `games_for_two`.
        each: games of each match, rounded up to whole batches.
        opening: number of random turns before the agents take over.
        seed: random seed; the results depend on nothing else.

    Raises:
        RunError: if the folder was made with another seed or opening.
    """

    def play(results: Results, batch: Batch) -> None:
        points = (batch.results().mean(axis=0) + 1) / 2
        results.setdefault(batch.game, {}).setdefault(title_of(batch.agents), []).append(points.tolist())

    results = run_missing(
        out,
        "points",
        {str: {str: [[float]]}},
        {"seed": seed, "opening": opening},
        lambda results: missing(results, games, -(-each // BATCH), opening, seed),
        play,
        lambda batch: f"{batch.game}, {title_of(batch.agents)}",
    )
    write_table(out, table(results))
