"""A study of games and their options: the advantage of the first player, the length of games and their branching."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import hypot, inf
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.core.options import Option
from mancala_envs.core.result import sides
from mancala_envs.evaluation.score import Z95
from mancala_envs.game import Game
from mancala_envs.programs.files import RESULTS, RunError, draw, run_missing
from mancala_envs.programs.tables import Cell, Table, percent, rounded
from mancala_envs.registry import distinct, make_game, read_game, title_of
from mancala_envs.studies.played import BY_RULES, Played, has_laps, reasons

Floats = npt.NDArray[np.float64]

NO_RULES = ("max_turns", "max_laps", "quiet_turns", "reward")
"""Options that are not varied: limits on endless play, and the kind of reward."""

FEW = 5
"""A numeric option with at most this many values is tried with all of them. Of a wider range, only the two values next
to the game's own are tried."""

FEWEST_GAMES, SAMPLE_GAMES, EXPLAINED_DECISIONS = 20, 100, 1000
"""Minimum number of games of a match; random games that estimate the length of a game; and the approximate number of
decisions that are explained to count laps, in games whose turns have several."""

Z999 = 3.290527
"""Half-width of the central 99.9% of the normal distribution, in standard deviations."""

ALL = "all.webp"

METHOD = """\
Three agents play the game against themselves: random, greedy and a strong one. The first turn of every player is
random, so that games differ. The figures of a match are

- points of the first player, or of their side: one for a win; a game without a winner is shared by all sides;
- drawn, the share of games without a winner;
- decisions and turns of a game, and branching, the number of legal actions of a decision;
- relays, the share of turns with more than one lap, from a sample of the turns, in games where turns have laps;
- unfinished, the share of games ended by a limit on endless play.

Shares have their 95% confidence interval over games in brackets, for which one won and one lost game are added (A.
Agresti, B. Coull, The American Statistician 52, 1998); for other figures the number after ± is half of the interval.
Figures that differ significantly from those of the unchanged game (p < 0.001) are in bold. The number of games is the
given number of decisions divided by the mean length of a random game, at least 20 and at most `--games`; the pictures
show it on the right."""
"""The figures and how they are measured, for the program's help."""

Measured = tuple[float, float]
"""A figure and half of its 95% interval."""

Figures = dict[str, Any]
"""The figures of one agent's games, and their number."""


# Figures.


def ratio(above: npt.ArrayLike, below: npt.ArrayLike = 1.0) -> Measured:
    """Return the sum of `above` divided by that of `below`, with the confidence interval of a ratio estimator.

    Args:
        above: (n,) a value for each game.
        below: (n,) a value for each game, or 1 for the mean of `above`.
    """
    above, below = np.broadcast_arrays(np.asarray(above, np.float64), below)
    value = above.sum() / below.sum()
    rest = above - value * below
    return float(value), float(Z95 * rest.std(ddof=1) * np.sqrt(len(rest)) / below.sum())


def share(points: npt.ArrayLike) -> Measured:
    """Return the mean of points (n,) from 0 to 1, with an interval to which a win and a loss are added."""
    points = np.asarray(points, np.float64)
    return float(points.mean()), ratio(np.append(points, [0.0, 1.0]))[1]


def effect(one: Measured, other: Measured) -> float:
    """Return the difference of two figures, divided by the half-width of its 99.9% interval."""
    apart, half = abs(one[0] - other[0]), Z999 / Z95 * hypot(one[1], other[1])
    return apart / half if half else inf if apart else 0.0


def differ(one: Measured, other: Measured) -> bool:
    """Return whether two figures differ significantly, at p < 0.001."""
    return effect(one, other) > 1


# Playing.


@dataclass(frozen=True)
class Match:
    """Games of an agent against itself. The results depend only on these fields."""

    name: str
    """Name of the game."""
    options: dict[str, Any]
    """Options of the game."""
    agent: str
    """Name of the agent."""
    decisions: int
    """Approximate number of decisions, which sets the number of games."""
    games: int
    """Maximum number of games."""
    seed: int

    @property
    def header(self) -> str:
        """Name and options of the game."""
        return make_game(self.name, **self.options).header

    def play(self) -> Figures:
        """Play the games and return their figures."""
        game = make_game(self.name, **self.options)
        length = Played.play(game, "random", SAMPLE_GAMES, 0.0, self.seed).decisions.mean()
        games = int(np.clip(self.decisions / length, FEWEST_GAMES, max(self.games, FEWEST_GAMES)))
        explained = min(1.0, EXPLAINED_DECISIONS / (games * length)) if has_laps(game) else 0.0
        return figures_of(Played.play(game, self.agent, games, explained, self.seed), game)


def figures_of(played: Played, game: Game) -> Figures:
    """Return the figures of finished games."""
    side_of, winner = np.array(sides(game)), played.last["winner"]
    number = len(set(side_of.tolist()))
    points = np.where(winner < 0, 1 / number, winner == side_of[played.first])
    laps = {"relays": ratio(played.relays, played.explained)} if played.explained.any() else {}
    return {
        "games": len(played.last),
        "sides": number,
        "points": share(points),
        "drawn": share(winner < 0),
        "decisions": ratio(played.decisions),
        "turns": ratio(played.turns),
        "branching": ratio(played.legal, played.decisions),
        **laps,
        "unfinished": share(~reasons(game, played.last)[BY_RULES]),
    }


# Games and their variants.


def variants(name: str, options: dict[str, Any], sizes: bool) -> dict[str, dict[str, Any]]:
    """Return the options of a game with one of them changed at a time, by what is changed, such as `seeds=3`.

    The first is "", the unchanged game. Options for the size of the board are varied only if `sizes` is set.
    """
    game = make_game(name, **options)
    found = {"": options}
    for one in game.book.options:
        if one.name in NO_RULES or one.like or (one.size and not sizes):
            continue
        for value in others(one, game.options[one.name]):
            changed = options | {one.name: value}
            if is_allowed(name, changed):
                found[f"{one.name}={value!r}"] = changed
    return found


def others(option: Option, value: Any) -> list[Any]:
    """Return the other values of an option to try."""
    if option.length or option.real:
        return []
    choices: Sequence[Any] = option.choices
    if not choices:
        wide = option.highest - option.lowest >= FEW
        near = (value - 1, value + 1) if wide else range(option.lowest, option.highest + 1)
        choices = [number for number in near if option.lowest <= number <= option.highest]
    return [other for other in choices if other != value]


def is_allowed(name: str, options: dict[str, Any]) -> bool:
    """Return whether the game accepts these options together."""
    try:
        make_game(name, **options)
    except ValueError:
        return False
    return True


# Tables.

COLUMNS = ("points", "drawn", "decisions", "turns", "branching", "relays", "unfinished")
IN_PERCENT = ("points", "drawn", "relays", "unfinished")
HEADS = {"points": "first player's points"}

Study = dict[str, dict[str, Figures]]
"""Figures by variant (or header of the game), then by agent."""


def bounds(measured: Measured) -> tuple[float, float]:
    """Return the interval of a share, within 0 and 1."""
    value, half = measured
    return max(value - half, 0.0), min(value + half, 1.0)


def cell(name: str, measured: Measured, **more: Any) -> Cell:
    """Return a figure for a table: a share with both bounds, other figures with half of the interval's width."""
    value, half = measured
    if name in IN_PERCENT:
        return percent(value, bounds(measured), **more)
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return {"value": rounded(value, digits), "half": rounded(half, digits), **more}


CAPTION = """Each agent plays against itself: unchanged, and with one option changed at a time. Bold: differs from the \
unchanged game (p < 0.001). *Drawn*: without a winner; *relays*: turns with several laps; *unfinished*: ended by a \
limit on endless play."""


def table(study: Study, title: str) -> Table:
    """Return a table with a row for each variant and agent."""
    unchanged = study[""]
    columns = [name for name in COLUMNS if name in next(iter(unchanged.values()))]
    rows = list[list[Cell]]()
    for variant, cells in study.items():
        for agent, found in cells.items():
            figures = [cell(name, found[name], bold=differ(found[name], unchanged[agent][name])) for name in columns]
            rows.append([f"`{variant}`" if variant else "unchanged", f"`{agent}`", found["games"], *figures])
    return Table(title, CAPTION, ["option", "agent", "games", *(HEADS.get(name, name) for name in columns)], rows)


def effects(study: Study) -> tuple[Study, list[str]]:
    """Return the unchanged game with the variants of significant effects, the largest first, and the other variants.

    Of the variants only the games of the strong agent count and are returned.
    """
    unchanged = study[""]
    strong = list(unchanged)[-1]
    sizes = {}
    for variant, cells in study.items():
        if variant and strong in cells:
            kinds = [name for name in COLUMNS if name in cells[strong]]
            sizes[variant] = max(effect(cells[strong][kind], unchanged[strong][kind]) for kind in kinds)
    significant = sorted((variant for variant in sizes if sizes[variant] > 1), key=lambda variant: -sizes[variant])
    changed = {variant: {strong: study[variant][strong]} for variant in significant}
    return {"": unchanged, **changed}, [variant for variant in sizes if sizes[variant] <= 1]


CAPTION_OF_ALL = """Points of the first player when each agent plays itself; the other figures are those of `{}`. \
Without an advantage the points would be 50% with two sides and 25% with four. *Unfinished*: ended by a limit on \
endless play."""


def overview(studies: dict[str, Study]) -> Table:
    """Return a table with a row for each unchanged game."""
    agents = list(next(iter(studies.values()))[""])
    kinds = ("decisions", "branching", "relays", "unfinished")
    rows = list[list[Cell]]()
    for name, study in studies.items():
        unchanged = study[""]
        strong = unchanged[agents[-1]]
        points = [cell("points", unchanged[agent]["points"]) for agent in agents]
        more = [cell(kind, strong[kind]) if kind in strong else None for kind in kinds]
        rows.append([title_of(name), strong["sides"], *points, *more])
    columns = ["game", "sides", *(f"`{agent}`" for agent in agents), *kinds]
    return Table("All games", CAPTION_OF_ALL.format(agents[-1]), columns, rows, "make study")


# Pictures.

COLOURS = ("#9a9a9a", "#2a6f97", "#bc4749")
"""Colours of random, greedy and the strong agent."""

SPACING = 0.27
"""Vertical distance between agents, as a fraction of a row."""


def figure_of(study: Study, title: str, pyplot: Any) -> Any:
    """Plot points, decisions, branching and, if measured, relays of every variant and agent."""
    kinds = {"points": "first player's points", "decisions": "decisions of a game", "branching": "legal actions"}
    if "relays" in next(iter(study[""].values())):
        kinds["relays"] = "turns with several laps"
    labels = {variant or "unchanged": cells for variant, cells in study.items()}
    return _figure(labels, kinds, title, pyplot)


def overview_of(studies: dict[str, Study], pyplot: Any) -> Any:
    """Plot points and decisions of all unchanged games."""
    kinds = {"points": "first player's points", "decisions": "decisions of a game"}
    rows = {title_of(name): study[""] for name, study in studies.items()}
    return _figure(rows, kinds, "All games, unchanged", pyplot, wide=("decisions",))


def _figure(
    rows: dict[str, dict[str, Figures]], kinds: dict[str, str], title: str, pyplot: Any, wide: Sequence[str] = ()
) -> Any:
    """Plot a panel for each kind of figure, on a logarithmic scale for those in `wide`, and the numbers of games."""
    agents = list(next(iter(rows.values())))
    size = (9, 1.35 + 0.4 * len(rows))
    figure, panels = pyplot.subplots(1, len(kinds), sharey=True, figsize=size, layout="constrained")
    for panel, (kind, label) in zip(panels, kinds.items(), strict=True):
        for number, (agent, colour) in enumerate(zip(agents, COLOURS, strict=True)):
            at = np.array([row for row, cells in enumerate(rows.values()) if agent in cells]) + SPACING * (number - 1)
            values, halves = np.array([cells[agent][kind] for cells in rows.values() if agent in cells]).T
            bars = np.array([halves, halves])
            if kind in IN_PERCENT:
                bars = np.minimum(bars, np.clip([values, 1 - values], 0, 1))
            panel.errorbar(values, at, xerr=bars, fmt="o", color=colour, markersize=4, capsize=2, label=agent)
        panel.set_xlabel(label)
        panel.grid(axis="x", alpha=0.3)
        if kind in IN_PERCENT:
            panel.xaxis.set_major_formatter("{x:.0%}")
            panel.set_xlim(-0.05, 1.05)
        if kind == "points":
            for row, cells in enumerate(rows.values()):
                even = 1 / next(iter(cells.values()))["sides"]
                panel.vlines(even, row - 0.45, row + 0.45, color="black", linewidth=0.8)
        elif kind in wide:
            panel.set_xscale("log")
        elif kind not in IN_PERCENT:
            panel.set_xlim(0, 1.08 * panel.get_xlim()[1])
    note: dict[str, Any] = {"textcoords": "offset points", "fontsize": 6.5, "ha": "right"}
    panels[-1].annotate("games", (1, 1), (30, 2), xycoords="axes fraction", **note)
    note |= {"xycoords": ("axes fraction", "data"), "va": "center"}
    for row, cells in enumerate(rows.values()):
        for number, (agent, colour) in enumerate(zip(agents, COLOURS, strict=True)):
            if agent in cells:
                at_the_edge = 1, row + SPACING * (number - 1)
                panels[-1].annotate(f"{cells[agent]['games']:,}", at_the_edge, (30, 0), color=colour, **note)
    panels[0].set_yticks(range(len(rows)), list(rows))
    panels[0].set_ylim(len(rows) - 0.5, -0.5)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(agents), frameon=False)
    figure.suptitle(title, fontsize=11)
    return figure


# The study.


@dataclass(frozen=True)
class Plan:
    """The plan of a study of one game or of all games.

    Raises:
        ValueError: if a value is not allowed.
        TypeError: if the game does not have one of the options.
    """

    game: Game | str | None = None
    """The game, as `make_game` takes it; None for all games."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the one game."""
    sizes: bool = False
    """Whether options for the size of the board are varied too."""
    strong: str = "mcts:100"
    """Name of the strong agent, a search."""
    games: int = 2000
    """Maximum number of games in a match."""
    decisions: int = 200_000
    """Approximate number of decisions in a match of random or greedy."""
    strong_decisions: int = 10_000
    """The same for the strong agent."""
    seed: int = 0
    """Random seed."""

    def __post_init__(self) -> None:
        if self.options and not self.game:
            raise ValueError("options need a GAME")
        for name, options in self.subjects.items():
            Agent(make_game(name, **options), self.strong)  # raises for what cannot play
        if self.strong in ("random", "greedy"):
            raise ValueError(f"{self.strong} is measured anyway: choose a search, such as mcts:100")

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that all results depend on."""
        return {name: getattr(self, name) for name in ("strong", "games", "decisions", "strong_decisions", "seed")}

    @property
    def subjects(self) -> dict[str, dict[str, Any]]:
        """The games to study, by name, with their options."""
        if not self.game:
            return {name: {} for name in distinct()}
        name, campaign, options = read_game(self.game, **self.options)
        if campaign:
            raise ValueError(f"campaigns are not studied, only single rounds of {name}")
        return {name: options}

    def matches(self, name: str, options: dict[str, Any]) -> list[tuple[str, Match]]:
        """Return all matches of a game, each with the name of its variant."""
        budgets = {"random": self.decisions, "greedy": self.decisions, self.strong: self.strong_decisions}
        return [
            (variant, Match(name, changed, agent, decisions, self.games, self.seed))
            for variant, changed in variants(name, options, self.sizes).items()
            for agent, decisions in budgets.items()
        ]

    def play(self, out: Path) -> None:
        """Play the matches that the folder lacks, draw pictures, and print the table of a single game.

        Args:
            out: the folder. results.json in it is written after every match.

        Raises:
            RunError: if the folder was made with other settings, or no game has been played by all three agents.
        """
        matches = [match for name, options in self.subjects.items() for _, match in self.matches(name, options)]
        tasks = {(match.header, match.agent): match.play for match in matches}
        studies = self.studies(run_missing(out, "played", {str: {str: dict}}, self.settings, tasks))
        if not studies:
            raise RunError("no game has been played by all three agents yet")
        pictures = {f"{name}.webp": partial(figure_of, study, title_of(name)) for name, study in studies.items()}
        if len(studies) > 1:
            pictures[ALL] = partial(overview_of, studies)
        for name, make in pictures.items():
            draw(out / name, make, dpi=90, pil_kwargs={"lossless": True})
        if len(studies) == 1:
            ((name, study),) = studies.items()
            print(table(study, title_of(name)).text)
        print(f"wrote {out}/{RESULTS} and pictures")

    def studies(self, played: Study) -> dict[str, Study]:
        """Return the figures of the games that all agents have played, by name."""
        found = {name: study_of(self.matches(name, options), played) for name, options in self.subjects.items()}
        return {name: study for name, study in found.items() if study}


def study_of(matches: list[tuple[str, Match]], played: Study) -> Study:
    """Return the figures of a game by variant; nothing until all agents have played the unchanged game."""
    study: Study = {}
    for variant, match in matches:
        cell = played.get(match.header, {}).get(match.agent)
        if cell:
            study.setdefault(variant, {})[match.agent] = cell
        elif not variant:
            return {}
    return study
