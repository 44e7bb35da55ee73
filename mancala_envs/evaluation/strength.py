"""How strong the opponents are, in every game that two can play: who looks farther should win.

In each game the agents of MATCHES meet from random openings, each of which is played twice, the seats exchanged. The
table tells how many of the points the stronger one has won, a draw being half of one, with a 95% interval; in bold
where that is not above one half. Both games of a pair count as one result, because an opening may be lost for whoever
must play one of its sides. So that who has won all has an interval too, one pair more counts as won there and one as
lost (A. Agresti, B. Coull, The American Statistician 52, 1998).
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mancala_envs.evaluation.matches import Batch
from mancala_envs.evaluation.runs import conclude, go_on
from mancala_envs.evaluation.score import Z95
from mancala_envs.registry import REGISTRY, distinct, make_game

MATCHES = (
    ("greedy", "random"),
    ("minimax:2", "greedy"),
    ("mcts:100", "greedy"),
    ("mcts:1000", "mcts:100"),
    ("minimax:6", "minimax:2"),
)
"""Who should win, and against whom."""

GAMES, BATCH = 400, 50
"""Games of a match if nothing else is said, and how many are played at once."""

Results = dict[str, dict[str, list[list[float]]]]
"""By game and match, of every batch the points of its pairs, from 0 to 1."""


def games_for_two() -> dict[str, dict[str, int]]:
    """Every game that two can play, with the options by which they do; of several names of one game the first."""
    found: dict[str, dict[str, int]] = {}
    for name in distinct():
        players = next((option for option in REGISTRY[name].book.options if option.name == "players"), None)
        if make_game(name).num_deciding == 2:
            found[name] = {}
        elif players and players.lowest <= 2:
            found[name] = {"players": 2}
    return found


def called(match: tuple[str, str]) -> str:
    return " > ".join(match)


def missing(
    results: Results, games: dict[str, dict[str, int]], batches: int, opening: int, seed: int
) -> Iterator[Batch]:
    """What is still to be played, one game after the other."""
    for name, options in games.items():
        for match in MATCHES:
            for number in range(len(results.get(name, {}).get(called(match), [])), batches):
                yield Batch(name, False, options, match, number, BATCH, opening, seed)


def cell(batches: list[list[float]]) -> str:
    """The points of a match, as the table tells them, and how many games there were where not the usual number."""
    points = np.concatenate(batches)
    with_two_more = np.append(points, [0.0, 1.0])
    half = Z95 * with_two_more.std(ddof=1) / np.sqrt(len(with_two_more))
    low, high = with_two_more.mean() - half, min(with_two_more.mean() + half, 1.0)
    text = f"{points.mean():.1%} [{100 * low:.1f}, {100 * high:.1f}]"
    games = "" if 2 * len(points) == GAMES else f" of {2 * len(points)}"
    return (text if low > 0.5 else f"**{text}**") + games


def table(results: Results) -> str:
    """Markdown: a row for each game, in the order of the registry."""
    lines = [["game", *(f"`{first}` > `{second}`" for first, second in MATCHES)], ["---", *["--:"] * len(MATCHES)]]
    for name in filter(results.__contains__, REGISTRY):
        played = (results[name].get(called(match)) for match in MATCHES)
        lines.append([REGISTRY[name].book.title, *(cell(batches) if batches else "" for batches in played)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def measure(out: Path, games: dict[str, dict[str, int]], each: int, opening: int, seed: int) -> None:
    """Play what the folder `out` does not hold yet, and write a table of all that it holds.

    Args:
        out: the folder.
        games: names with options, as of `games_for_two`.
        each: games of a match, in whole batches.
        opening: random turns before a game.
        seed: decides everything.

    Raises:
        Unusable: if the folder was made with another seed or opening.
    """

    def play(results: Results, batch: Batch) -> None:
        points = (batch.results().mean(axis=0) + 1) / 2
        results.setdefault(batch.game, {}).setdefault(called(batch.agents), []).append(points.tolist())

    results = go_on(
        out,
        "points",
        {"seed": seed, "opening": opening},
        lambda results: missing(results, games, -(-each // BATCH), opening, seed),
        play,
        lambda batch: f"{batch.game}, {called(batch.agents)}",
    )
    conclude(out, table(results))
