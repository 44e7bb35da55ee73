"""Learning curves and final evaluations, the same for every method of training."""

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from mancala_envs.agents import Policy, Search
from mancala_envs.evaluation import evaluate
from mancala_envs.evaluation.progress import Bar
from mancala_envs.evaluation.runs import RunError, read_json
from mancala_envs.evaluation.score import OPENING
from mancala_envs.learning.settings import CONFIG, CURVE, OPENINGS, OPPONENTS, PPO, Settings

POINTS = 12
"""Points of the learning curve of a run, at most."""

POINT_GAMES = (40, 200, 1000)
"""Games for a point of the learning curve, against each opponent, from random openings, the same for every point. A run
takes the largest of these numbers with which a point takes at most OF_TIME of the time between two points."""

OF_TIME = 0.2
"""Share of the time between two points that the games of a point take, at most."""

TRAINED = 9
"""Between two points a run trains for at least this number of times as long as the games of the first one took."""

BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}, {remaining} left{postfix}"


def scores_now(play: Policy | Search, settings: Settings, curve: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the scores of the next point of a learning curve by opponent, as JSON files keep them.

    Args:
        play: the model.
        settings: the settings of its run.
        curve: the points so far; the number of games is theirs.
    """

    def scores(games: int) -> dict[str, dict[str, Any]]:
        arguments = {"games": games, "seed": 0, **settings.evaluated_game}
        return {opponent: evaluate(play, opponent=opponent, **arguments).as_dict() for opponent in OPPONENTS}

    if curve:
        last = curve[-1][OPPONENTS[0]]
        return scores(last["wins"] + last["draws"] + last["losses"])
    scores(1)  # compiles
    limit = OF_TIME * 60 * settings.minutes / POINTS
    begun = time.monotonic()
    found = scores(POINT_GAMES[0])
    for games, more in pairwise(POINT_GAMES):
        if more / games * (time.monotonic() - begun) > limit:
            break
        begun = time.monotonic()
        found = scores(more)
    return found


def next_point(curve: list[dict[str, Any]], seconds: float, begun: float) -> float:
    """Return when the next point of a learning curve is due, on the clock of `time.monotonic`, see POINTS and TRAINED.

    Args:
        curve: the points so far.
        seconds: the time of the whole training.
        begun: when the games of the last point began.
    """
    now = time.monotonic()
    took = now - begun if len(curve) > 1 else 0.0  # The first games also compile.
    return now + max(seconds / POINTS, TRAINED * took)


def points_of(scores: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the points against each opponent in words, for a progress bar."""
    return {f"vs {opponent}": f"{score['points']:.0%}" for opponent, score in scores.items()}


def saved_curve(settings: Settings, is_whole: Callable[[Path], bool]) -> list[dict[str, Any]]:
    """Return the learning curve of the run to resume, and set `settings.observe` to what its model observes.

    Args:
        settings: the settings, with `resume`.
        is_whole: returns whether a file may be a model.

    Raises:
        RunError: if a file of the run is missing or broken, or its model plays another game, or was trained by another
            method.
    """
    folder = settings.resume
    assert folder is not None
    config = read_json(folder / CONFIG)
    plays = config.get("plays") if isinstance(config, dict) else None
    curve: list[dict[str, Any]] = read_json(folder / CURVE)
    if plays != settings.header:
        raise RunError(f"the model in {folder} plays {plays}, not {settings.header}")
    if (method := config.get("method", PPO)) != settings.method:
        raise RunError(f"the model in {folder} was trained by the method {method}, not {settings.method}")
    if not is_whole(folder / settings.model_file):
        raise RunError(f"{folder / settings.model_file} is missing or broken: the run cannot be resumed")
    settings.observe = config["observe"]
    return curve


def final_evaluation(play: Policy | Search, settings: Settings, about: str = "") -> dict[str, Any]:
    """Evaluate a model from every seat and all OPENINGS against each opponent; print and return the scores.

    Args:
        play: the model.
        settings: the settings of its run.
        about: what plays, if there is more than one way, for the first line.

    Returns:
        The results by opponent and opening.
    """
    results = dict[str, Any]()
    opponents = settings.evaluation_games
    bar = Bar(total=sum(opponents.values()) * len(OPENINGS), bar_format=BAR, leave=False)
    Bar.write(f"{about or 'points, draws half':19s}" + "".join(f"{name:>30s}" for name in OPENINGS))
    for opponent, games in opponents.items():
        results[opponent], line = {}, f"against {opponent:11s}"
        for name, opening in OPENINGS.items():
            bar.set_description_str(f"2 of 2, {games} games against {opponent}")
            arguments = {"games": games, "seed": 1_000_000, "opening": opening, **settings.evaluated_game}
            score = evaluate(play, opponent=opponent, **arguments)
            results[opponent][name] = score.as_dict()
            low, high = score.interval
            shown = f"{score.points:.1%} [{low:.1%}, {high:.1%}]"
            if 2 * score.repeated >= score.games:  # An interval would count repetitions as independent games.
                shown = f"{score.points:.1%} ({score.games - score.repeated} different games)"
            line += f"{shown:>30s}"
            bar.update(games)
        Bar.write(line)
    bar.close()
    return results


def figure_of(curve: list[dict[str, Any]], title: str, pyplot: Any) -> Any:
    """Plot points against decisions, with their 95% intervals."""
    from matplotlib.ticker import PercentFormatter

    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    decisions = [point["decisions"] / 1e6 for point in curve]
    for opponent, colour in zip(OPPONENTS, ("#2a6f97", "#bc4b32"), strict=True):
        points = [point[opponent]["points"] for point in curve]
        low, high = zip(*(point[opponent]["interval_95"] for point in curve), strict=True)
        axes.plot(decisions, points, "o-", color=colour, markersize=3.5, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.set(
        title=title, xlabel="decisions (millions)", ylabel=f"points after {OPENING} random decisions", ylim=(0, 1.02)
    )
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    return figure
