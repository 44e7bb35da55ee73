"""Write the leaderboard of the benchmark from the files in `docs/benchmark`: its page, its pictures, README's table.

python docs/leaderboard.py
"""

import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import mean
from typing import Any

from mancala_envs.benchmark import LADDER, SEEDS, TASKS, task, version
from mancala_envs.benchmark.report import CURVE_OPENINGS, read, scores_by_task
from mancala_envs.benchmark.score import another_seed, suite_score
from mancala_envs.benchmark.tasks import DECISIONS, LEARNERS, OPEN, OPENINGS
from mancala_envs.programs.files import draw, write_text
from mancala_envs.programs.tables import markdown_table

DOCS = Path(__file__).parent
FOLDER, PAGE, README = DOCS / "benchmark", DOCS / "leaderboard.md", DOCS.parent / "README.md"
BEGIN, END = "<!-- leaderboard -->\n", "<!-- end of leaderboard -->\n"
"""The marks around the table of README."""
MOST = 10
"""The most rows of the table of README."""
AGAIN = 3
"""The seed with which baselines were trained once more."""
COLOURS = ("#2a6f97", "#bc4b32", "#5b3a86", "#3f8f4f", "#7a7a7a", "#b8860b")

TEXT = """# Leaderboard

Version {version} of the benchmark: {tasks} tasks, and in each a ladder of {rungs} opponents: {ladder}. Every agent
plays {games} games against each of them with each of the seeds {seeds}, from the same random openings, each from both
seats.
The score of a task is the mean of the points over the ladder, from 0 to 100. The score of the suite is the
interquartile mean over tasks and seeds, with the 95% interval of a bootstrap stratified by task. The
[guide](guides/benchmark.md) shows how to report a result.

{reasons}
## Learners

At most {most:,} decisions of the learner in a task, and no search when playing. *Decisions* says how many the agent
learnt from. A column of a task is the mean over the seeds. *One seed* is the half-width of the 95% prediction interval
for the score of another seed in a task, with the variance within tasks pooled over the tasks.

{learners}
![Score of the suite by decisions](benchmark/decisions.webp)

The last point of a curve comes from all games, the others from {few} openings against each opponent. Bands are 95%
intervals.

## All agents

CPU time a decision is the mean over the tasks, on one core of the processor that the file of the result names.

{open}
![Score of the suite by CPU time a decision](benchmark/cpu.webp)

## The same with another seed

Each baseline was trained once more, with seed {again}. The table counts the tasks in which its score lies in the
prediction interval around the mean of the first seeds.

{reproduced}
## Add a result

1. Run `mancala-benchmark AGENT --name NAME`, or the loop of the [guide](guides/benchmark.md).
2. Copy the JSON file that it writes into `docs/benchmark/`.
3. Run `python docs/leaderboard.py`.
4. Commit the file, this page, the pictures and README.
5. A file of another version is refused: its rules or protocol differ.
"""


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
    def in_words(self) -> str:
        """The score with its interval."""
        assert self.interval
        low, high = self.interval
        return f"{self.score:.1f} [{low:.1f}, {high:.1f}]"


def rows() -> list[Row]:
    """Return all results, the best first."""
    found = [Row(read(path)) for path in sorted(FOLDER.glob("*.json"))]
    return sorted(found, key=lambda row: -row.score)


def title(name: str) -> str:
    """Return the head of a task's column."""
    game = task(name).game
    return game.book.title + ", campaign" * game.campaign


def table_of(track: str, all_rows: list[Row]) -> str:
    """Return the table of a track; that of OPEN has the agents of both."""
    named = ["decisions", "one seed"] if track == LEARNERS else ["CPU ms"]
    lines = []
    for row in all_rows:
        if track == OPEN or row.track == track:
            cells = [f"{row.cpu_ms:.3f}"]
            if track == LEARNERS:
                cells = [f"{row.decisions:,}", f"±{another_seed(row.scores):.1f}"]
            lines.append([row.name, row.in_words, *cells, *(f"{row.means[name]:.0f}" for name in TASKS)])
    return markdown_table(["agent", "score", *named, *map(title, TASKS)], lines)


def page(all_rows: list[Row]) -> str:
    """Return the page."""
    reasons = markdown_table(
        ["task", "game", "why it is there"],
        [[f"`{one.name}`", f"`{one.game.header}`", one.reason] for one in TASKS.values()],
        left=3,
    )
    again = [row for row in all_rows if row.again]
    reproduced = [[row.name, f"{row.reproduced} of {len(row.again)}"] for row in again]
    return TEXT.format(
        version=version(),
        tasks=len(TASKS),
        rungs=len(LADDER),
        ladder=", ".join(f"`{opponent}`" for opponent in LADDER),
        games=2 * OPENINGS,
        seeds=", ".join(map(str, SEEDS)),
        reasons=reasons,
        most=DECISIONS,
        few=CURVE_OPENINGS,
        learners=table_of(LEARNERS, all_rows),
        open=table_of(OPEN, all_rows),
        again=AGAIN,
        reproduced=markdown_table(["agent", "tasks"], reproduced),
    )


def readme(text: str, all_rows: list[Row]) -> str:
    """Return README with the table of the suite: the best agents of both tracks."""
    before, rest = text.split(BEGIN)
    lines = [[row.name, row.track, row.in_words] for row in all_rows[:MOST]]
    return (
        before
        + BEGIN
        + "\n"
        + markdown_table(["agent", "track", "score"], lines, left=2)
        + "\n"
        + END
        + rest.split(END)[1]
    )


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
    """Write the page, the pictures and the table of README."""
    all_rows = rows()
    write_text(PAGE, page(all_rows))
    write_text(README, readme(README.read_text(), all_rows))
    for name, figure in (("decisions.webp", curves), ("cpu.webp", by_cpu)):
        draw(FOLDER / name, partial(figure, all_rows), dpi=130)
    print(f"wrote {PAGE.name}, {README.name} and pictures of {len(all_rows)} results")


if __name__ == "__main__":
    sys.path.insert(0, str(DOCS))
    main()
