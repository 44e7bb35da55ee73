"""Write the leaderboard of the benchmark from the files in `docs/benchmark`: its tables, its pictures, README's table.

python docs/leaderboard.py
"""

from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import mean
from typing import Any

from mancala_envs.benchmark import LADDER, SEEDS, TASKS, task, version
from mancala_envs.benchmark.report import read, scores_by_task
from mancala_envs.benchmark.score import another_seed, suite_score
from mancala_envs.benchmark.tasks import LEARNERS, OPENINGS
from mancala_envs.programs.files import draw, write_text
from mancala_envs.programs.tables import Cell, Table, markdown_table, rounded

DOCS = Path(__file__).parent
FOLDER, RESULTS, README = DOCS / "benchmark", DOCS / "results", DOCS.parent / "README.md"
BEGIN, END = "<!-- leaderboard -->\n", "<!-- end of leaderboard -->\n"
"""The marks around the table of README."""
MOST = 10
"""The most rows of the table of README."""
AGAIN = 3
"""The seed with which baselines were trained once more."""
COLOURS = ("#2a6f97", "#bc4b32", "#5b3a86", "#3f8f4f", "#7a7a7a", "#b8860b")


class Row:
    """A result.

    Args:
        content: The content of its file.
    """

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content
        self.name, self.track = content["name"], content["track"]
        self.scores = scores_by_task(content, SEEDS)
        self.score, self.interval = suite_score(self.scores)
        self.means = {name: mean(scores) for name, scores in self.scores.items()}

    def results(self) -> Iterator[dict[str, Any]]:
        """Yield the results of all tasks and seeds."""
        for name in TASKS:
            for seed in SEEDS:
                yield self.content["results"][name][str(seed)]

    @property
    def cells(self) -> list[Cell]:
        """The scores of the tasks, for a table."""
        return [round(self.means[name]) for name in TASKS]

    @property
    def decisions(self) -> int:
        """The most decisions that the agent has learnt from in a task."""
        return max(result["learnt"] for result in self.results())

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of CPU time a decision."""
        return mean(result["cpu_ms"] for result in self.results())

    @property
    def again(self) -> dict[str, float]:
        """The scores of the seed AGAIN by task, where it has been played."""
        rows = self.content["results"]
        return {name: rows[name][str(AGAIN)]["score"] for name in TASKS if str(AGAIN) in rows[name]}

    @property
    def reproduced(self) -> int:
        """The number of tasks in which the score of AGAIN is in the prediction interval of another seed."""
        half = another_seed(self.scores)
        return sum(abs(score - self.means[name]) <= half for name, score in self.again.items())

    @property
    def cell(self) -> Cell:
        """The score with its interval, for a table."""
        assert self.interval
        return {"value": rounded(self.score, 1), "interval": [rounded(end, 1) for end in self.interval]}


def rows() -> list[Row]:
    """Return all results, the best first."""
    found = [Row(read(path)) for path in sorted(FOLDER.glob("*.json"))]
    return sorted(found, key=lambda row: -row.score)


def title(name: str) -> str:
    """Return the head of a task's column."""
    game = task(name).game
    return game.book.title + ", campaign" * game.campaign


def tables(all_rows: list[Row]) -> dict[str, Table]:
    """Return the tables of the page by the names of their files."""
    again = [row for row in all_rows if row.again]
    ladder = ", ".join(f"`{opponent}`" for opponent in LADDER)
    found = {
        "tasks": Table(
            "Tasks",
            f"Tasks of version {version()}. In each task an agent plays {2 * OPENINGS} games with each of the seeds "
            f"{', '.join(map(str, SEEDS))} against each of {ladder}, from the same random openings, each from "
            "both seats.",
            ["task", "game", "why it is there"],
            [[f"`{one.name}`", f"`{one.game.header}`", one.reason] for one in TASKS.values()],
        ),
        "learners": Table(
            "Learners",
            "Score of the suite, and of each task the mean over the seeds. *Decisions* says how many the agent learnt "
            "from. *One seed* is half of the 95% prediction interval for the score of another seed in a task, with the "
            "variance within tasks pooled.",
            ["agent", "score", "decisions", "one seed", *map(title, TASKS)],
            [
                [row.name, row.cell, row.decisions, rounded(another_seed(row.scores), 1), *row.cells]
                for row in all_rows
                if row.track == LEARNERS
            ],
        ),
        "open": Table(
            "All agents",
            "Score of the suite, CPU time a decision in milliseconds, the mean over the tasks on one core of the "
            "processor that the file of the result names, and of each task the mean over the seeds.",
            ["agent", "score", "CPU ms", *map(title, TASKS)],
            [[row.name, row.cell, rounded(row.cpu_ms, 3), *row.cells] for row in all_rows],
        ),
        "again": Table(
            "Another seed",
            f"Number of tasks, and of those in which the score of one more training, with seed {AGAIN}, lies in the "
            "prediction interval around the mean of the first seeds.",
            ["agent", "tasks", "in the interval"],
            [[row.name, len(row.again), row.reproduced] for row in again],
        ),
    }
    return {f"leaderboard-{name}": table for name, table in found.items()}


def readme(text: str, all_rows: list[Row]) -> str:
    """Return README with the table of the suite: the best agents of both tracks."""
    before, rest = text.split(BEGIN)
    table = markdown_table(["agent", "track", "score"], [[row.name, row.track, row.cell] for row in all_rows[:MOST]])
    return f"{before}{BEGIN}\n{table}\n{END}{rest.split(END)[1]}"


def curves(all_rows: list[Row], pyplot: Any) -> Any:
    """Plot the score of the suite by decisions."""
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    for row, colour in zip((row for row in all_rows if row.track == LEARNERS), cycle(COLOURS), strict=False):
        # The points that all tasks and seeds have.
        measured = [
            {name: [] for name in TASKS} for _ in range(min(len(one.get("curve", [])) for one in row.results()))
        ]
        for name in TASKS:
            for seed in SEEDS:
                for place, by_task in enumerate(measured):
                    by_task[name].append(row.content["results"][name][str(seed)]["curve"][place])
        points = []
        for by_task in measured:
            decisions = mean(point[0] for one in by_task.values() for point in one)
            points.append(
                (decisions, *suite_score({name: [point[1] for point in one] for name, one in by_task.items()}))
            )
        points.append((row.decisions, row.score, row.interval))
        x, y, intervals = zip(*points, strict=True)
        low, high = zip(*intervals, strict=True)
        axes.plot(x, y, "o-", color=colour, markersize=4, label=row.name)
        axes.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(xlabel="decisions of the learner in a task", ylabel="score of the suite", xlim=(0, None), ylim=(0, None))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def by_cpu(all_rows: list[Row], pyplot: Any) -> Any:
    """Plot the score of the suite by CPU time a decision: squares for learners, circles for others."""
    figure, axes = pyplot.subplots(figsize=(8, 4.2), layout="constrained")
    for row, colour in zip(all_rows, cycle(pyplot.get_cmap("tab10").colors), strict=False):
        error = [[abs(end - row.score)] for end in row.interval]
        marker = "s" if row.track == LEARNERS else "o"
        axes.errorbar([row.cpu_ms], [row.score], error, fmt=marker, color=colour, capsize=3, label=row.name)
    axes.set(xscale="log", xlabel="CPU time a decision, in milliseconds", ylabel="score of the suite", ylim=(0, 100))
    axes.grid(alpha=0.3)
    figure.legend(fontsize=8, loc="outside right upper")
    return figure


def main() -> None:
    """Write the tables, the pictures and the table of README."""
    all_rows = rows()
    for name, table in tables(all_rows).items():
        table.write(RESULTS / f"{name}.json")
    write_text(README, readme(README.read_text(), all_rows))
    for name, figure in (("decisions.webp", curves), ("cpu.webp", by_cpu)):
        draw(FOLDER / name, partial(figure, all_rows), dpi=130)
    print(f"wrote tables, {README.name} and pictures of {len(all_rows)} results")


if __name__ == "__main__":
    main()
