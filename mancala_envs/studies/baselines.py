"""Learning curves of every method of training with several seeds: what a new method has to be compared with.

Each run trains in a process of its own with one PyTorch thread and, for AlphaZero, one actor. The curves show the
points of the policy or network alone, without a search.
"""

import json
import os
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np

from mancala_envs.agents import Agent, Search
from mancala_envs.learning.results import hardest, score
from mancala_envs.learning.settings import ALPHAZERO, CURVE, MEASURED, Settings
from mancala_envs.learning.training import train
from mancala_envs.programs.files import RunError, draw, run_missing
from mancala_envs.programs.processes import process_pool, sigint_blocked
from mancala_envs.programs.tables import Cell, Table, rounded, write_table
from mancala_envs.registry import REGISTRY, make_game, read_game, title_of

METHODS: dict[str, dict[str, Any]] = {
    "PPO": {"observe": "position"},
    "PPO over afterstates": {"observe": "afterstates"},
    "AlphaZero": {"method": "alphazero", "actors": 1},
}
"""The settings of each method in single rounds."""

CAMPAIGN_METHODS: dict[str, dict[str, Any]] = {
    "PPO over afterstates": {},
    "with round_reward": {"options": {"round_reward": 0.1}},
    "with ChangeOfWorth": {"shaping": 0.5},
    "with Curriculum": {"curriculum": True},
    "AlphaZero": METHODS["AlphaZero"],
}
"""The settings of each method in campaigns: without and with each of the wrappers that share out the result."""

COLOURS = ("#2a6f97", "#bc4b32", "#5b3a86", "#3f8f4f", "#7a7a7a")

GAMES = ("qelat", "bao", "niranchy", "hat_diviyan_keliya", "pancha_keliya")
"""A sowing game with relays, one on four rows, a game of mills, a hunt and a race with cowries."""

CAMPAIGNS = (
    "qelat(columns=4,max_rounds=20,campaign=True)",
    "ceelkoqyuqkoqiji(campaign=True)",
    "congkak(campaign=True)",
)
"""A campaign for holes, one with debts and hidden throws, and one that the first round nearly decides."""

COMPARED = ("greedy", "minimax:2")
"""The opponents of the last points, in FINAL_GAMES games; those of the other points are in the results, too."""
FINAL_GAMES = 400

PICTURE = "curves.webp"

Curve: TypeAlias = list[dict[str, float]]
"""The points of a run: the learner's `decisions` so far, `seconds` of training, and its points against opponents."""


def methods_of(game: str) -> dict[str, dict[str, Any]]:
    """Return the methods that train in a game or campaign."""
    return CAMPAIGN_METHODS if read_game(game)[1] else METHODS


def run_name(game: str, method: str, seed: int) -> str:
    """Return the key of a run in the results."""
    return f"{game}, {method}, seed {seed}"


def train_all(out: Path, games: list[str], seeds: int, minutes: float) -> None:
    """Train the runs that a folder lacks, one after the other; write results.json, a table and the picture.

    Each method has `seeds` runs in each game, all of the same wall-clock time.

    Raises:
        RunError: A run failed, the folder was made with another time, or another program writes to it.
    """
    runs = [(game, method, seed) for seed in range(seeds) for game in games for method in methods_of(game)]
    tasks = {(run_name(*run),): partial(train_one, *run, minutes) for run in runs}
    results = run_missing(out, "curves", {str: [{str: float}]}, {"minutes": minutes}, tasks)
    if results:
        draw(out / PICTURE, partial(figure_of, results), dpi=110)
        write_table(out, table(results, minutes))


def train_one(game: str, method: str, seed: int, minutes: float) -> Curve:
    """Train once, in a process of its own, and return the learning curve.

    Raises:
        RunError: Training failed, and why.
    """
    with TemporaryDirectory() as folder:
        run = Path(folder, "run")
        try:
            settings = Settings(game, seed=seed, minutes=minutes, games=1, out=run, **methods_of(game)[method])
            with process_pool(1) as process:
                with sigint_blocked():
                    task = process.submit(train_silently, settings)
                last = task.result()
        except Exception as error:
            raise RunError(f"{run_name(game, method, seed)} failed: {error}") from error
        curve = json.loads((run / CURVE).read_text())
    return [
        {
            "decisions": point["decisions"],
            "seconds": round(point["seconds"], 1),
            **{opponent: round(point[opponent]["points"], 4) for opponent in MEASURED if opponent in point},
        }
        for point in [*curve[:-1], curve[-1] | last]
    ]


def train_silently(settings: Settings) -> dict[str, dict[str, Any]]:
    """Train with one PyTorch thread and without output, and return the scores of the model against COMPARED.

    The caller shows the progress of all runs.
    """
    os.environ["OMP_NUM_THREADS"] = "1"  # PyTorch, which is imported later, reads it.
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        train(settings)
        play = model_of(settings)
        arguments = settings, FINAL_GAMES, hardest(settings), 1_000_000
        return {opponent: score(play, opponent, *arguments).as_dict() for opponent in COMPARED}


def model_of(settings: Settings) -> Search:
    """Return the trained policy or network of a run, without a search."""
    game, path = make_game(**settings.evaluated_game), settings.out / settings.model_file
    if settings.method != ALPHAZERO:
        return Agent(game, str(path))
    from mancala_envs.learning.afterstate_network import AfterstateNetwork, PolicyAgent  # It needs the extra [train].

    return PolicyAgent(AfterstateNetwork.load(path, game)[0])


def by_method(results: dict[str, Curve], game: str) -> dict[str, list[Curve]]:
    """Return the curves of a game by method, in the order of the seeds; methods without runs are left out.

    Short runs in slow games have a score against `shown(game)` only at their end; other points without it are left out.
    """
    found = {
        method: [
            [point for point in curve if shown(game) in point]
            for name, curve in results.items()
            if name.startswith(f"{game}, {method}, seed ")
        ]
        for method in methods_of(game)
    }
    return {method: curves for method, curves in found.items() if curves}


def games_in(results: dict[str, Curve]) -> list[str]:
    """Return the games of the results, in the order of the registry."""
    games = {name.rsplit(", ", 2)[0] for name in results}
    order = list(REGISTRY)
    return sorted(games, key=lambda game: (order.index(read_game(game)[0]), game))


def shown(game: str) -> str:
    """Return the opponent of the curves: one that good policies do not always beat."""
    return COMPARED[-1] if read_game(game)[1] else COMPARED[0]


def mean_curve(curves: list[Curve], axis: str, opponent: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return 50 places (50,) on an axis that all curves cover, and the mean points (50,) against an opponent there."""
    places = [[point[axis] for point in curve] for curve in curves]
    spaced = np.geomspace if axis == "decisions" else np.linspace  # as on the axes
    covered = spaced(max(map(min, places)), min(map(max, places)), 50)
    points = [[point[opponent] for point in curve] for curve in curves]
    return covered, np.mean([np.interp(covered, *pair) for pair in zip(places, points, strict=True)], axis=0)


def figure_of(results: dict[str, Curve], pyplot: Any) -> Any:
    """Plot the points of all runs, by decisions and by time; the mean of the seeds is bold."""
    games = games_in(results)
    figure, grid = pyplot.subplots(
        len(games), 2, figsize=(9, 2.6 * len(games)), layout="constrained", sharey=True, squeeze=False
    )
    for game, row in zip(games, grid, strict=True):
        for axes, axis in zip(row, ("decisions", "seconds"), strict=True):
            for colour, (method, curves) in zip(COLOURS, by_method(results, game).items(), strict=False):
                for curve in curves:
                    places, points = ([point[name] for point in curve] for name in (axis, shown(game)))
                    axes.plot(places, points, color=colour, linewidth=0.8, alpha=0.5)
                axes.plot(*mean_curve(curves, axis, shown(game)), color=colour, linewidth=2.2, label=method)
            axes.set(xlabel=axis, ylim=(0, 1.02))
            axes.set_title(title_of(game), fontsize=9)
            axes.set_xscale("log" if axis == "decisions" else "linear")
            axes.yaxis.set_major_formatter("{x:.0%}")
            axes.grid(alpha=0.3)
        row[0].set_ylabel(f"points against {shown(game)}")
        row[0].legend(loc="upper left", fontsize=7)
    return figure


CAPTION = """Points after {:.0f} seconds of training, of the policy or network alone, in at least {} games of each run \
from random openings, each from both seats: the mean of the seeds, in parentheses the lowest and the highest. Each run \
had one PyTorch thread."""


def table(results: dict[str, Curve], minutes: float, opponents: Sequence[str] = COMPARED) -> Table:
    """Return a table of the last points of the runs, of these minutes each, against some opponents."""
    columns = ["game", "method", "seeds", "decisions", *(f"`{name}`" for name in opponents)]
    rows = list[list[Cell]]()
    for game in games_in(results):
        for method, curves in by_method(results, game).items():
            last = [curve[-1] for curve in curves]
            decisions = np.mean([point["decisions"] for point in last]) / 1e6
            cells: list[Cell] = [len(curves), {"value": rounded(decisions, 2), "unit": "M"}]
            for opponent in opponents:
                points = [100 * point[opponent] for point in last]
                mean, low, high = (rounded(points, 1) for points in (np.mean(points), min(points), max(points)))
                cells.append({"value": mean, "range": [low, high], "unit": "%"})
            rows.append([title_of(game), method, *cells])
    campaigns = "--campaigns " * all(methods_of(game) is CAMPAIGN_METHODS for game in games_in(results))
    command = f"python scripts/maintenance/baselines.py {campaigns}--minutes {minutes}"
    return Table("Learning curves", CAPTION.format(60 * minutes, FINAL_GAMES), columns, rows, command)
