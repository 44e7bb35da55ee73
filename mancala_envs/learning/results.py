"""Learning curves and final evaluations, the same for every method of training."""

import textwrap
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mancala_envs.agents import Policy, Search
from mancala_envs.evaluation import Score, evaluate
from mancala_envs.learning.settings import AFTER_RANDOM, CONFIG, CURVE, MEASURED, OBSERVED, OPPONENTS, PPO, Settings
from mancala_envs.programs.files import TABLE, RunError, draw, fits, read_json, write_json
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tables import JSON, Cell, Table, in_markdown, percent

POINTS = 4
"""Points of the learning curve of a run after the first, at most."""

POINT_GAMES = (40, 100, 300)
"""Games for a point of the learning curve, against each opponent, from random openings, the same for every point. Each
opponent plays the largest of these numbers whose games take at most OF_TIME of the time between two points, and no
fewer than in the last point; what fast opponents leave of the time is for the slow ones. The smaller numbers, which are
played before, come on top. A search for which the first point has no time for 40 games is left out. With 300 games the
intervals are about +-5%."""

FEW_GAMES = 10
"""Games that are timed before those of a point: all games of a point are played at once, so 10 take hardly longer than
2, and on a busy machine 2 alone let a point seem too long."""

OF_TIME = 0.35
"""Share of the time between two points that the games of a point take, at most, without the smaller numbers of games
that are tried before."""

TRAINED = 2
"""Between two points a run trains for at least this number of times as long as the games of the first one took."""

EVALUATION, PICTURE = "evaluation.json", "learning_curve.png"

BAR = "{desc} {percentage:3.0f}%|{bar}| {elapsed}, {remaining} left{postfix}"


class Progress:
    """The clock, the progress bar and the learning curve of a training run.

    Args:
        settings: the settings of the run.
        curve: the points so far.
    """

    bar: Bar
    begun, due = 0.0, 0.0
    """When training began, 0.0 before that, and when the next point is due, on the clock of `time.monotonic`."""

    def __init__(self, settings: Settings, curve: list[dict[str, Any]]) -> None:
        self.settings, self.curve, self.seconds = settings, curve, 60 * settings.minutes

    def begin(self, decisions: int) -> None:
        """Begin to train a model that has learnt from this number of decisions."""
        # If the run was killed, the last point may belong to a model that was never saved.
        self.curve[:] = [point for point in self.curve if point["decisions"] <= decisions]
        self._first, self._before = decisions, self.curve[-1]["seconds"] if self.curve else 0.0
        self.bar = Bar(total=round(self.seconds), desc="1 of 2, training", bar_format=BAR)
        self.begun = self.due = time.monotonic()

    def share(self, decisions: int) -> float:
        """Show the time, and return which share of the training is done after this number of decisions."""
        elapsed, steps = time.monotonic() - self.begun, self.settings.steps
        self.bar.update(min(elapsed, self.seconds) - self.bar.n)
        return max(elapsed / self.seconds, (decisions - self._first) / steps if steps else 0.0)

    def measure(self, play: Policy | Search, decisions: int) -> dict[str, dict[str, Any]]:
        """Add a point to the learning curve, show it, and return the model's scores by opponent."""
        now = time.monotonic()
        elapsed = self._before + now - self.begun
        scores = scores_now(play, self.settings, self.curve)
        self._before -= time.monotonic() - now  # The curve shows the time of training.
        self.curve.append({"decisions": decisions, "seconds": elapsed, **scores})
        self.due = next_point(self.curve, self.seconds, now)
        self.bar.set_postfix(decisions=f"{decisions / 1e6:.2f}M", **points_of(scores))
        return scores

    def write(self, decisions: int) -> None:
        """Write the settings and the curve. The model comes after them: a folder with a model has the other files."""
        write_json(self.settings.out / CONFIG, {**self.settings.config, "decisions": decisions})
        write_json(self.settings.out / CURVE, self.curve)

    def conclude(self) -> None:
        """Draw the learning curve, and print what has been trained."""
        out, last = self.settings.out, self.curve[-1]
        draw(out / PICTURE, partial(figure_of, self.curve, self.settings), dpi=150)
        print(f"{last['decisions']:,} decisions in {last['seconds']:.0f} s; {out}/{self.settings.model_file} saved")

    def carry_out(self, learn: Callable[[], None], finish: Callable[[], None]) -> None:
        """Train until the time is up or somebody presses Ctrl-C, then save and evaluate the model.

        Raises:
            RunError: if Ctrl-C came before training began or during the final evaluation.
        """
        print(self.settings.plan)
        try:
            learn()
            self.bar.close()
        except KeyboardInterrupt:
            if not self.begun:
                raise RunError("stopped before training began") from None
            self.bar.close()
            print("interrupted; saving and evaluating the model so far", flush=True)
        try:
            finish()  # It takes time, in which another signal may come.
        except KeyboardInterrupt:
            out = self.settings.out
            raise RunError(f"interrupted before the evaluation was complete: {out} can be resumed") from None


def hardest(settings: Settings) -> tuple[int, int]:
    """Return the openings of the learning curve: those with the most different games."""
    return max(settings.openings.values(), key=sum)


def score(
    play: Policy | Search, opponent: str, settings: Settings, games: int, opening: tuple[int, int], seed: int
) -> Score:
    """Return the score of a model in this number of games, half of them from each seat; for `opening` see OPENINGS."""
    how = {"games": games, "seed": seed, "opening": opening[0], "each_round": opening[1], **settings.evaluated_game}
    return evaluate(play, opponent=opponent, **how)


def scores_now(play: Policy | Search, settings: Settings, curve: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the scores of a model by opponent, as JSON files keep them, in no fewer games than the last point has.

    Later points may have more: during the first one other processes compile, and a beginner plays long games.
    """
    opening = hardest(settings)

    def found(opponent: str, games: int) -> tuple[dict[str, Any], float]:
        begun = time.monotonic()
        played = score(play, opponent, settings, games, opening, 0).as_dict()
        return played, time.monotonic() - begun

    scores, left = dict[str, dict[str, Any]](), OF_TIME * 60 * settings.minutes / POINTS
    for number, opponent in enumerate(MEASURED):
        limit, games = left / (len(MEASURED) - number), 2
        if not curve:
            found(opponent, games)  # compiles
        elif opponent in curve[-1]:
            games = _games(curve[-1][opponent])
        else:
            continue
        played, took = found(opponent, games)
        if curve:
            scores[opponent] = played
        for more in (each for each in (FEW_GAMES, *POINT_GAMES) if each > games):
            needed = more <= POINT_GAMES[0] and opponent in OPPONENTS
            if more / games * took > limit and not needed:
                break
            (played, took), games = found(opponent, more), more
            if more in POINT_GAMES:
                scores[opponent] = played
        left -= took
    return scores


def _games(score: dict[str, Any]) -> int:
    return int(score["wins"] + score["draws"] + score["losses"])


def next_point(curve: list[dict[str, Any]], seconds: float, begun: float) -> float:
    """Return when the next point of a learning curve is due, on the clock of `time.monotonic`, see POINTS and TRAINED.

    Args:
        curve: the points so far.
        seconds: the time of the whole training.
        begun: when the games of the last point began.
    """
    now = time.monotonic()
    if len(curve) == 1:
        return now + seconds / POINTS  # The first games also compile.
    return max(begun + seconds / POINTS, now + TRAINED * (now - begun))


def points_of(scores: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the points against each opponent in words, for a progress bar."""
    return {f"vs {opponent}": f"{score['points']:.0%}" for opponent, score in scores.items()}


def saved_curve(settings: Settings, is_whole: Callable[[Path], bool]) -> list[dict[str, Any]]:
    """Return the learning curve of the run to resume, and take what its model observes, and by default `envs`, from it.

    The function `is_whole` returns whether a file may be a model.

    Raises:
        RunError: if a file of the run is missing or broken, or its model plays another game, or was trained by another
            method.
    """
    folder = settings.resume
    assert folder is not None
    config = read_json(folder / CONFIG)
    curve: list[dict[str, Any]] = read_json(folder / CURVE)
    if not (fits(config, dict) and config.get("observe") in OBSERVED and fits(config.get("envs"), int)):
        raise RunError(f"{folder / CONFIG} holds no settings of a run")
    if not fits(curve, [dict]):
        raise RunError(f"{folder / CURVE} holds no learning curve")
    plays = config.get("plays")
    if plays != settings.header:
        raise RunError(f"the model in {folder} plays {plays}, not {settings.header}")
    if (method := config.get("method", PPO)) != settings.method:
        raise RunError(f"the model in {folder} was trained by the method {method}, not {settings.method}")
    if not is_whole(folder / settings.model_file):
        raise RunError(f"{folder / settings.model_file} is missing or broken: the run cannot be resumed")
    settings.observe, settings.envs = config["observe"], settings.envs or config["envs"]
    return curve


def write_evaluation(ways: dict[str, Policy | Search], settings: Settings) -> None:
    """Evaluate a model in each of its ways to play; print the points, and write them to the run's folder."""
    scores = {way: final_evaluation(play, settings, way) for way, play in ways.items()}
    dicts = {
        way: {opponent: {name: score.as_dict() for name, score in row.items()} for opponent, row in rows.items()}
        for way, rows in scores.items()
    }
    write_json(settings.out / EVALUATION, dicts)
    table(scores, settings).save(settings.out)
    print(f"wrote {settings.out}/{EVALUATION}, {JSON}, {TABLE}, {CURVE}, {PICTURE}")


def final_evaluation(play: Policy | Search, settings: Settings, way: str) -> dict[str, dict[str, Score]]:
    """Evaluate a model from every seat; print its scores and return them, by opponent and opening."""
    scores, openings = dict[str, dict[str, Score]](), settings.openings
    opponents = settings.evaluation_games
    bar = Bar(total=sum(opponents.values()) * len(openings), bar_format=BAR, leave=False)
    Bar.write(f"{way:19s}" + "".join(f"{name:>30s}" for name in openings))
    for opponent, games in opponents.items():
        scores[opponent] = {}
        for name, opening in openings.items():
            bar.set_description_str(f"2 of 2, {games} games against {opponent}")
            scores[opponent][name] = score(play, opponent, settings, games, opening, 1_000_000)
            bar.update(games)
        row = "".join(f"{in_markdown(cell(found)):>30s}" for found in scores[opponent].values())
        Bar.write(f"against {opponent:11s}{row}")
    bar.close()
    return scores


def cell(score: Score) -> dict[str, Any]:
    """Return points with their interval or, if at least half of the games repeat others, the number of the others."""
    points = percent(score.points, score.interval)
    if 2 * score.repeated >= score.games:
        del points["interval"]
        points["note"] = f"{score.games - score.repeated} different games"
    return points


CAPTION = """Points in {} after {:.3g} minutes of training, each opening from every seat. Where at least half of the \
games repeated others, the number of different games stands in place of an interval."""


def table(scores: dict[str, dict[str, dict[str, Score]]], settings: Settings) -> Table:
    """Return the scores by way to play, opponent and opening."""
    ways, openings = list(scores), list(settings.openings)
    columns = ["against", *(f"{way}, {opening}" for opening in openings for way in ways)]
    rows: list[list[Cell]] = []
    for opponent in settings.evaluation_games:
        points = [cell(scores[way][opponent][opening]) for opening in openings for way in ways]
        rows.append([f"`{opponent}`", *points])
    title = f"Training on {settings.of_game}"
    return Table(title, CAPTION.format(settings.of_game, settings.minutes), columns, rows)


def figure_of(curve: list[dict[str, Any]], settings: Settings, pyplot: Any) -> Any:
    """Plot points against decisions, with their 95% intervals."""
    figure, axes = pyplot.subplots(figsize=(7, 4.4), layout="constrained")
    decisions = [point["decisions"] / 1e6 for point in curve]
    for opponent, colour in zip(MEASURED, ("#8a8a8a", "#2a6f97", "#bc4b32", "#5b3a86"), strict=True):
        if any(opponent not in point for point in curve):
            continue
        points = [point[opponent]["points"] for point in curve]
        low, high = zip(*(point[opponent]["interval_95"] for point in curve), strict=True)
        axes.plot(decisions, points, "o-", color=colour, markersize=3.5, label=f"against {opponent}")
        axes.fill_between(decisions, low, high, color=colour, alpha=0.15, linewidth=0)
    # A title with many options is longer than the picture is wide.
    axes.set_title(textwrap.fill(settings.title, 72), fontsize=10)
    name = ", ".join(settings.openings) if settings.campaign else AFTER_RANDOM
    axes.set(xlabel="decisions (millions)", ylabel="points", ylim=(0, 1.02))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=len(MEASURED), title=name, fontsize=8, title_fontsize=8)
    return figure
