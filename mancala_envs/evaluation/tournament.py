"""Round-robin tournaments: all agents play each other from the same random openings, and get ratings.

In a game with more than two seats the two agents take alternate seats, so that partners are the same agent. The agent
whose seats have the higher mean reward wins; equal rewards are a draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from mancala_envs.agents import Agent
from mancala_envs.agents.agent import checksum_of
from mancala_envs.core.arguments import require_some
from mancala_envs.core.opening import OPENING, decisions, in_words, saved
from mancala_envs.evaluation.matches import Batch, Floats, in_processes, in_this_process, on_cluster
from mancala_envs.evaluation.ratings import ratings
from mancala_envs.evaluation.score import Score
from mancala_envs.game import Game
from mancala_envs.programs.files import (
    INTERRUPTED,
    RESULTS,
    TABLE,
    RunError,
    draw,
    fits,
    locked,
    read_json,
    write_json,
    write_text,
)
from mancala_envs.programs.progress import Bar
from mancala_envs.registry import REGISTRY, make_game, read_game

RATINGS, PICTURE = "ratings.json", "ratings.png"


class NoGamesError(RunError):
    """Ctrl-C ended a tournament before its first games did."""


@dataclass
class Tournament:
    """A round-robin tournament between agents in one game.

    >>> Tournament("kalah", ["random", "greedy", "minimax:4"]).play(Path("tournaments/kalah"), games=400)

    Raises:
        ValueError: if a value is not allowed, such as fewer than two different agents.
        TypeError: if the game does not have one of the options.
    """

    game: Game | str
    """The game, as `make_game` takes it."""
    agents: Sequence[str]
    """Agents by name, or saved models by path."""
    campaign: bool = False
    """Whether to play campaigns of several rounds."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""
    batch: int = 50
    """Number of games played in parallel, even."""
    opening: int | Sequence[int] = OPENING
    """Number of random decisions before the agents take over, or a range (low, high) of it."""
    seed: int = 0
    """Random seed; the results depend on nothing else, except for agents with a budget in milliseconds."""
    pairs: Sequence[tuple[str, str]] = ()
    """The pairings of agents that are played; by default all."""
    name: str = field(init=False)
    """Name of the game."""

    def __post_init__(self) -> None:
        self.name, self.campaign, self.options = read_game(self.game, self.campaign, **self.options)
        game = make_game(self.name, self.campaign, **self.options)
        self.agents = list(dict.fromkeys(self.agents))
        for agent in self.agents:
            Agent(game, agent)  # raises for what cannot play
        if len(self.agents) < 2:
            raise ValueError("a tournament needs at least two different agents")
        require_some(self.batch, "batch")
        if self.batch % 2:
            raise ValueError(f"batch must be even, because every opening is played twice; got {self.batch}")
        self.opening = saved(self.opening)
        game.init(1, 0, opening=self.opening)  # raises if the opening is too long
        self.plays = game.header

    def batches(self, games: int) -> list[Batch]:
        """Return the batches for `games` games of each pairing; batch 0 of all pairings comes first.

        `games` is rounded up to an even number. The last batch can be smaller than the others.
        """
        games += games % 2
        return [
            Batch(self.name, self.campaign, self.options, pair, first // self.batch, size, self.opening, self.seed)
            for first in range(0, games, self.batch)
            for size in [min(self.batch, games - first)]
            for pair in self.pairs or combinations(self.agents, 2)
        ]

    def play(self, out: Path, games: int, jobs: int = 1, ray: str | None = None) -> bool:
        """Play the games that the folder lacks, and write ratings, a table and a plot.

        Args:
            out: the folder. results.json in it is written after every batch.
            games: games of each pairing, rounded up to an even number, because every opening is played twice.
            jobs: number of processes.
            ray: address of a Ray cluster to play on, instead of in processes.

        Returns:
            Whether all games were played, and Ctrl-C did not end them early.

        Raises:
            RunError: if the folder holds another tournament or another program writes to it.
            NoGamesError: Ctrl-C came before any games ended.
        """
        settings = {"plays": self.plays, "batch": self.batch, "opening": self.opening, "seed": self.seed}
        game = make_game(self.name, self.campaign, **self.options)
        checksums = {agent: checksum_of(game, agent) for agent in self.agents}
        results = Results(settings, checksums)
        with locked(out):
            results.resume(out / RESULTS)
            return self._play(out, results, games, jobs, ray)

    def _play(self, out: Path, results: "Results", games: int, jobs: int, ray: str | None) -> bool:
        """Continue from `results`, in a locked folder."""
        wanted = self.batches(games)
        batches = results.missing(wanted)
        if games % 2:
            print(f"playing {games + 1} games of each pairing: every opening is played twice")
        if ray:
            played = on_cluster(batches, ray)
        elif jobs > 1:
            played = in_processes(batches, jobs)
        else:
            played = in_this_process(batches)
        try:
            total, left = (sum(batch.games for batch in those) for those in (wanted, batches))
            with Bar(total=total, unit=" games", desc=self.name) as bar:
                bar.update(total - left)
                for batch, scores in played:
                    results.add(batch, scores)
                    write_json(out / RESULTS, vars(results))
                    bar.update(batch.games)
        except KeyboardInterrupt:
            print(INTERRUPTED)
        if not results.results:
            raise NoGamesError("no games were played")
        rows = ranking(list(results.agents), results.scores())
        opening = in_words(*decisions(self.opening))
        title = f"{self.plays}: {REGISTRY[self.name].book.title}, {opening}"
        text = table(rows, title)
        write_json(out / RATINGS, rows)
        write_text(out / TABLE, text)
        drawn = draw(out / PICTURE, partial(figure_of, rows, title), dpi=150)
        print(text)
        print(f"wrote {out}/{', '.join([RESULTS, RATINGS, TABLE, *drawn])}")
        return not results.missing(wanted)


@dataclass
class Results:
    """The results of a tournament so far, with its settings."""

    settings: dict[str, Any]
    """The settings that all results depend on."""
    agents: dict[str, int | None]
    """The agents by name or path, with their checksums, see `checksum_of`."""
    results: list[dict[str, Any]] = field(default_factory=list)
    """For each batch: `agents`, `number`, and `results`, those of the first agent (`matches.Results`)."""

    def resume(self, path: Path) -> None:
        """Load the results of an earlier call, if there are any.

        Raises:
            RunError: if the file holds another tournament, or an agent's network has changed.
        """
        if not path.exists():
            return
        saved = read_json(path)
        if not is_tournament(saved):
            raise RunError(f"{path} holds no tournament")
        settings, agents, results = saved["settings"], saved["agents"], saved["results"]
        for name, value in self.settings.items():
            if settings.get(name) != value:
                raise RunError(f"{path} is another tournament, whose {name} is {settings.get(name)!r}, not {value!r}")
        for agent, checksum in self.agents.items():
            if agents.get(agent, checksum) != checksum:
                raise RunError(f"{agent} is not the agent that played in {path}: choose another --out")
        self.agents, self.results = agents | self.agents, results

    def missing(self, wanted: Sequence[Batch]) -> list[Batch]:
        """Return the batches that have not been played, or with fewer games.

        The order of a pair of agents does not matter.
        """
        done = {key_of(played["agents"], played["number"]): sum(map(len, played["results"])) for played in self.results}
        return [batch for batch in wanted if done.get(key_of(batch.agents, batch.number), 0) < batch.games]

    def add(self, batch: Batch, results: list[list[int]]) -> None:
        """Add the result of a batch. It replaces the result of the same batch with fewer games."""
        key = key_of(batch.agents, batch.number)
        self.results = [result for result in self.results if key_of(result["agents"], result["number"]) != key]
        self.results.append({"agents": list(batch.agents), "number": batch.number, "results": results})

    def scores(self) -> dict[tuple[str, str], Score]:
        """Return the score of each agent against each opponent; by seat, 0 for seats 0, 2, ... and 1 for the others."""
        found: dict[tuple[str, str], Score] = {}
        for played in self.results:
            (first, second), results = played["agents"], np.array(played["results"])
            for pair, own in (((first, second), results), ((second, first), -results[::-1])):
                found[pair] = found.get(pair, Score(0, 0, 0)) + Score.of(own, (0, 1))
        return found


def key_of(agents: Sequence[str], number: int) -> tuple[frozenset[str], int]:
    """Return the key of a batch: its pair of agents, in any order, and its number."""
    return frozenset(agents), number


def is_tournament(saved: Any) -> bool:
    """Return whether the content of a JSON file has the form of `Results`."""
    if not isinstance(saved, dict):
        return False
    values: list[Any] = [saved.get(name) for name in ("settings", "agents", "results")]
    settings, agents, results = values
    return (
        fits(settings, dict)
        and fits(agents, dict)
        and all(checksum is None or fits(checksum, int) for checksum in agents.values())
        and fits(results, [dict])
        and all(is_result(result, agents) for result in results)
    )


def is_result(result: dict[str, Any], agents: Mapping[str, Any]) -> bool:
    """Return whether this is the result of a batch between two of the agents."""
    pair: Any = result.get("agents")
    results: Any = result.get("results")
    return (
        fits(result.get("number"), int)
        and (fits(pair, [str]) and len(pair) == 2 and set(pair) <= set(agents))
        and (fits(results, [[int]]) and len(results) == 2 and len(results[0]) == len(results[1]) > 0)
        and {*results[0], *results[1]} <= {-1, 0, 1}
    )


# Reports.


def ranking(agents: Sequence[str], scores: Mapping[tuple[str, str], Score]) -> list[dict[str, Any]]:
    """Rate the agents.

    Args:
        agents: names or paths.
        scores: the score of the first agent of each pair against the second.

    Returns:
        For each agent a dict for a JSON file with its rating, interval, games, points and scores, strongest first.
    """
    points = np.array([[points_of(scores.get((a, b), Score(0, 0, 0))) for b in agents] for a in agents])
    rated, half_widths = ratings(points)
    rows = []
    for agent, rating, half in zip(agents, rated.tolist(), half_widths.tolist(), strict=True):
        against = {other: scores[agent, other] for other in agents if (agent, other) in scores}
        overall = sum(against.values(), Score(0, 0, 0))
        rows.append(
            {
                "agent": agent,
                "rating": rating,
                "interval_95": [rating - half, rating + half],
                "games": overall.games,
                "points": points_of(overall),
                "against": {other: score.as_dict() for other, score in against.items()},
            }
        )
    return sorted(rows, key=lambda row: -row["rating"])


def points_of(score: Score) -> float:
    """Return a score's points: one for a win, half for a draw."""
    return score.wins + score.draws / 2


def shares(rows: Sequence[Mapping[str, Any]]) -> Floats:
    """Return the share (n, n) of the points that agent i won against agent j; NaN if they have not played."""
    won = np.full((len(rows), len(rows)), np.nan)
    for i, row in enumerate(rows):
        for j, other in enumerate(rows):
            if score := row["against"].get(other["agent"]):
                won[i, j] = score["points"]
    return won


def table(rows: Sequence[Mapping[str, Any]], title: str) -> str:
    """Return a Markdown table of ratings, and of the points of each agent against each other agent."""
    names = short_names([row["agent"] for row in rows])
    head = ["", "agent", "Elo", "95%", "games", "points", *(str(number) for number in range(1, len(rows) + 1))]
    lines = [head, ["--:", "---", *["--:"] * (len(head) - 2)]]
    for number, (row, name, won) in enumerate(zip(rows, names, shares(rows), strict=True), 1):
        low, high = row["interval_95"]
        cells = ("" if np.isnan(share) else f"{share:.1%}" for share in won)
        points = f"{row['points'] / row['games']:.1%}" if row["games"] else ""
        rating = [f"{row['rating']:+.0f}", f"[{low:+.0f}, {high:+.0f}]"]
        lines.append([str(number), name, *rating, str(row["games"]), points, *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    body = ("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)
    return "\n".join([f"# {title}", "", *body, ""])


def short_names(agents: Sequence[str]) -> list[str]:
    """Shorten paths to their last two parts, or to as many more as keep them distinct."""
    for parts in range(2, max((len(Path(agent).parts) for agent in agents), default=0) + 1):
        names = [str(Path(*Path(agent).parts[-parts:])) for agent in agents]
        if len(set(names)) == len(names):
            return names
    return list(agents)


def figure_of(rows: Sequence[Mapping[str, Any]], title: str, pyplot: Any) -> Any:
    """Plot the ratings with their intervals, and the points of each agent against each other agent."""
    n, names = len(rows), short_names([row["agent"] for row in rows])
    size = (6.5 + 0.62 * n, 1.7 + 0.42 * n)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=size, layout="constrained", width_ratios=(4, 1 + 0.62 * n))
    rated = [row["rating"] for row in rows]
    half = [row["interval_95"][1] - row["rating"] for row in rows]
    left.errorbar(rated, range(n), xerr=half, fmt="o", color="#2a6f97", capsize=3, markersize=5)
    left.set_yticks(range(n), names)
    left.set(ylim=(n - 0.5, -0.5), xlabel="rating (Elo, mean 0) with 95% interval")
    left.grid(axis="x", alpha=0.3)
    won = shares(rows)
    right.imshow(won, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    for i, j in np.argwhere(~np.isnan(won)):
        dark = abs(won[i, j] - 0.5) > 0.3
        right.text(j, i, f"{won[i, j]:.0%}", ha="center", va="center", fontsize=8, color="white" if dark else "black")
    right.set_xticks(range(n), [str(number) for number in range(1, n + 1)])
    right.set_yticks(range(n), [str(number) for number in range(1, n + 1)])
    right.set(xlabel="points won by the row against the column", ylim=(n - 0.5, -0.5))
    figure.suptitle(title, fontsize=11)
    return figure
