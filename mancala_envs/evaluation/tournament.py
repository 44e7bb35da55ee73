"""A round robin: every two agents meet from the same random openings, and are rated by their results.

Where there are more seats than two they sit in turn, so that partners are of one mind. Who is paid more at the end has
won, and if both halves of a pair are paid alike, the game is a draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from tqdm import tqdm

from mancala_envs.evaluation.agents import require_agent
from mancala_envs.evaluation.matches import Batch, Floats, in_processes, in_this_process, on_cluster
from mancala_envs.evaluation.ratings import ratings
from mancala_envs.evaluation.runs import (
    RESULTS,
    STOPPED,
    TABLE,
    Unusable,
    draw,
    interruptible,
    read_json,
    write_json,
    write_text,
)
from mancala_envs.evaluation.score import Score
from mancala_envs.registry import REGISTRY, make_game

RATINGS, PICTURE = "ratings.json", "ratings.png"


@dataclass
class Tournament:
    """Who meets in which game. Raises ValueError or TypeError for what is not allowed.

    >>> Tournament("kalah", ["random", "greedy", "minimax:4"]).play(Path("tournaments/kalah"), games=400)
    """

    game: str
    agents: Sequence[str]
    """By name or path."""
    campaign: bool = False
    options: dict[str, Any] = field(default_factory=dict)
    batch: int = 50
    """Games played at once."""
    opening: int = 4
    """Random turns at the beginning."""
    seed: int = 0

    def __post_init__(self) -> None:
        game = make_game(self.game, self.campaign, **self.options)
        self.agents = list(dict.fromkeys(self.agents))
        for agent in self.agents:
            require_agent(agent, game)
        if len(self.agents) < 2:
            raise ValueError("a tournament needs at least two different agents")
        if self.batch % 2:
            raise ValueError(f"batch must be even, because every opening is played twice; got {self.batch}")
        if self.opening < 0:
            raise ValueError(f"opening must be at least 0, got {self.opening}")
        self.plays = game.header

    def batches(self, games: int) -> list[Batch]:
        """So many games of each pairing, in whole batches; every pairing begins before any is at its end."""
        return [
            Batch(self.game, self.campaign, self.options, pair, number, self.batch, self.opening, self.seed)
            for number in range(-(-games // self.batch))
            for pair in combinations(self.agents, 2)
        ]

    def play(self, out: Path, games: int, jobs: int = 1, ray: str | None = None) -> None:
        """Play what the folder `out` does not hold yet, and write ratings, a table and a picture there.

        Args:
            out: the folder. results.json is written after every batch.
            games: of each pairing.
            jobs: processes.
            ray: the address of a Ray cluster, which plays instead of processes.

        Raises:
            Unusable: if the folder holds another tournament, or nothing was played.
        """
        interruptible()
        settings = {"plays": self.plays, "batch": self.batch, "opening": self.opening, "seed": self.seed}
        checksums = {agent: crc32(Path(agent).read_bytes()) if Path(agent).is_file() else None for agent in self.agents}
        results = Results(settings, checksums)
        results.go_on(out / RESULTS)
        out.mkdir(parents=True, exist_ok=True)
        asked = self.batches(games)
        batches = results.missing(asked)
        if ray:
            played = on_cluster(batches, ray)
        elif jobs > 1:
            played = in_processes(batches, jobs)
        else:
            played = in_this_process(batches)
        try:
            with tqdm(total=len(asked) * self.batch, unit=" games", desc=self.game, dynamic_ncols=True) as bar:
                bar.update((len(asked) - len(batches)) * self.batch)
                for batch, scores in played:
                    results.note(batch, scores)
                    write_json(out / RESULTS, results.as_dict())
                    bar.update(self.batch)
        except KeyboardInterrupt:
            print(STOPPED)
        if not results.results:
            raise Unusable("nothing was played yet")
        rows = ranking(list(results.agents), results.scores())
        title = f"{self.plays}: {REGISTRY[self.game].book.title}"
        text = table(rows, title)
        write_json(out / RATINGS, rows)
        write_text(out / TABLE, text)
        drawn = draw(out / PICTURE, partial(figure_of, rows, title), dpi=150)
        print(text)
        print(f"wrote {out}/{', '.join([RESULTS, RATINGS, TABLE, *drawn])}")


@dataclass
class Results:
    """What was played, and with which settings."""

    settings: dict[str, Any]
    """What every result depends on besides its agents."""
    agents: dict[str, int | None]
    """By name or path; of a saved model the checksum of its file."""
    results: list[dict[str, Any]] = field(default_factory=list)
    """Of every batch `agents`, `number` and `scores`: wins, draws and losses of the first agent, by seating."""

    def as_dict(self) -> dict[str, Any]:
        return {"settings": self.settings, "agents": self.agents, "results": self.results}

    def go_on(self, path: Path) -> None:
        """Take over what an earlier call has written. Raises Unusable where that was another tournament."""
        if not path.exists():
            return
        former = read_json(path)
        try:
            settings, agents, results = (former[name] for name in ("settings", "agents", "results"))
        except (TypeError, KeyError):
            raise Unusable(f"{path} holds no tournament") from None
        for name, value in self.settings.items():
            if settings.get(name) != value:
                raise Unusable(
                    f"{path} is of another tournament, whose {name} is {settings.get(name)!r}, not {value!r}"
                )
        for agent, checksum in self.agents.items():
            if agents.get(agent, checksum) != checksum:
                raise Unusable(f"{agent} is another model than the one that played in {path}: choose another --out")
        self.agents, self.results = agents | self.agents, results

    def missing(self, asked: Sequence[Batch]) -> list[Batch]:
        """Those of `asked` that were not played yet."""
        known = {(*result["agents"], result["number"]) for result in self.results}
        return [
            batch for batch in asked if not {(*batch.agents, batch.number), (*batch.agents[::-1], batch.number)} & known
        ]

    def note(self, batch: Batch, scores: list[list[int]]) -> None:
        self.results.append({"agents": list(batch.agents), "number": batch.number, "scores": scores})

    def scores(self) -> dict[tuple[str, str], Score]:
        """How everyone did against everyone he met; seat 0 is that of who moves first, where players move in turn."""
        found: dict[tuple[str, str], Score] = {}
        for result in self.results:
            first, second = result["agents"]
            for seat, (wins, draws, losses) in enumerate(result["scores"]):
                ways = (
                    ((first, second), seat, (wins, draws, losses)),
                    ((second, first), 1 - seat, (losses, draws, wins)),
                )
                for pair, own_seat, counts in ways:
                    found[pair] = found.get(pair, Score(0, 0, 0)) + Score(*counts, {own_seat: Score(*counts)})
        return found


# What is told.


def ranking(agents: Sequence[str], scores: Mapping[tuple[str, str], Score]) -> list[dict[str, Any]]:
    """Every agent with its rating and how it did against each other, the strongest first; for a JSON file."""
    points = np.array([[of_points(scores.get((a, b), Score(0, 0, 0))) for b in agents] for a in agents])
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
                "points": of_points(overall),
                "against": {other: score.as_dict() for other, score in against.items()},
            }
        )
    return sorted(rows, key=lambda row: -row["rating"])


def of_points(score: Score) -> float:
    """Wins, and draws half."""
    return score.wins + score.draws / 2


def shares(rows: Sequence[Mapping[str, Any]]) -> Floats:
    """(n, n): of its games against each, what each has won, draws counting half; NaN where they have not met."""
    won = np.full((len(rows), len(rows)), np.nan)
    for i, row in enumerate(rows):
        for j, other in enumerate(rows):
            if counts := row["against"].get(other["agent"]):
                score = Score(counts["wins"], counts["draws"], counts["losses"])
                won[i, j] = of_points(score) / score.games
    return won


def table(rows: Sequence[Mapping[str, Any]], title: str) -> str:
    """Markdown: ratings, and what each has won against each."""
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
    """Paths by their last folders, as long as that tells them apart."""
    for parts in range(2, max((len(Path(agent).parts) for agent in agents), default=0) + 1):
        names = [str(Path(*Path(agent).parts[-parts:])) for agent in agents]
        if len(set(names)) == len(names):
            return names
    return list(agents)


def figure_of(rows: Sequence[Mapping[str, Any]], title: str, pyplot: Any) -> Any:
    """Ratings with their intervals, and beside them what each has won against each."""
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
