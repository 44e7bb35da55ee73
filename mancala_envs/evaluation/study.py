"""What a game is like and what its options make of it: who is ahead by moving first, how long games are, how wide."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Searcher
from mancala_envs.core.arguments import States
from mancala_envs.core.contract import side
from mancala_envs.core.options import Option
from mancala_envs.evaluation.runs import RESULTS, Unusable, draw, go_on, write_text
from mancala_envs.evaluation.score import Z95
from mancala_envs.evaluation.survey import BY_RULES, reasons
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, distinct, make_game

Floats = npt.NDArray[np.float64]

NO_RULES = ("max_turns", "max_laps", "quiet_turns", "reward")
"""Options that bound endless play, and how rewards are counted."""

FEW = 5
"""Of a range of so many numbers all are tried, of a wider one those beside the value."""

FEWEST_GAMES, TYPICAL, TOLD = 20, 100, 1000
"""Games played at least; random ones by which it is seen how long they are; and decisions of which it is told, where
turns have laps, how they go, about."""

Z999 = 3.290527
"""Half-width of the central 99.9% of the normal distribution, in standard deviations."""

PAGE, ALL = "index.md", "all.webp"

EXPLAINED = """\
Each time three play with themselves: random, greedy and a strong one. So that no two games are alike, the first turn of
every player is drawn at random. Of each is told

- the points of the first player, or of his side: a game won is one, one that nobody won is shared by all sides;
- decisions and turns of a game, and branching, the legal actions of a decision;
- relays, the share of turns of more than one lap, where turns have laps, of turns drawn among all;
- unfinished: the share of games that a bound of endless play ended.

After ± is the half of a 95% interval, games being what varies; for shares one game more counts as won and one as lost
(A. Agresti, B. Coull, The American Statistician 52, 1998). In bold is what differs from the unchanged game by more than
chance makes of one in a thousand. How many games are played follows from how long random ones are: as many as come to
the decisions asked for, no more than `--games` and no less than 20. Pictures have these numbers at the right."""
"""What is measured, as the page and the program tell it."""

Measured = tuple[float, float]
"""A figure, and half of its 95% interval."""

Cell = dict[str, Any]
"""What came of the games of one agent: how many there were, and every figure."""


# Figures.


def ratio(above: npt.ArrayLike, below: npt.ArrayLike = 1.0) -> Measured:
    """The sum of `above` (n,) by that of `below` (n,) or by n; games vary and not what is in them."""
    above, below = np.broadcast_arrays(np.asarray(above, np.float64), below)
    value = above.sum() / below.sum()
    rest = above - value * below
    return float(value), float(Z95 * rest.std(ddof=1) * np.sqrt(len(rest)) / below.sum())


def share(points: npt.ArrayLike) -> Measured:
    """The mean of points (n,) from 0 to 1; its interval is that with one more won and one more lost."""
    points = np.asarray(points, np.float64)
    return float(points.mean()), ratio(np.append(points, [0.0, 1.0]))[1]


def differ(one: Measured, other: Measured) -> bool:
    """Whether two figures differ by more than chance explains."""
    return abs(one[0] - other[0]) > Z999 / Z95 * hypot(one[1], other[1])


# Playing.


@dataclass(frozen=True)
class Match:
    """Games of an agent with himself; what comes of them depends on nothing else."""

    name: str
    options: dict[str, Any]
    agent: str
    decisions: int
    games: int
    seed: int

    @property
    def header(self) -> str:
        """Name and options of the game."""
        return make_game(self.name, **self.options).header

    def play(self) -> Cell:
        """All figures of the games."""
        game = make_game(self.name, **self.options)
        typical = Played.to_the_end(game, "random", TYPICAL, 0.0, self.seed).decisions.mean()
        games = int(np.clip(self.decisions / typical, FEWEST_GAMES, max(self.games, FEWEST_GAMES)))
        told = min(1.0, TOLD / (games * typical)) if has_laps(game) else 0.0
        return Played.to_the_end(game, self.agent, games, told, self.seed).figures(game)


@dataclass(frozen=True)
class Played:
    """Games that are over, (n,) each."""

    last: States
    """Their last states."""
    first: npt.NDArray[np.int64]
    """The first player."""
    decisions: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int64]
    """Legal actions of all decisions."""
    told: npt.NDArray[np.int64]
    """Turns of which it was told how they went ..."""
    relays: npt.NDArray[np.int64]
    """... and those of more than one lap among them."""

    @classmethod
    def to_the_end(cls, game: Game, agent: str, games: int, telling: float, seed: int) -> "Played":
        """So many games of the agent with himself; of the part `telling` of their turns it is told how they go."""
        chance = np.random.default_rng([seed, crc32(game.header.encode()), crc32(agent.encode())])
        act = Searcher(game, agent).act
        last = np.asarray(game.init(games, int(chance.integers(2**63))))
        first, decisions, turns, legal, told, relays = (np.zeros(games, np.int64) for _ in range(6))
        tales: dict[int, list[str]] = {}
        begins = np.ones(games, np.bool_)
        while len(running := np.flatnonzero(last["to_move"] >= 0)):
            states = last[running]
            turn, luck = states["turn"].copy(), int(chance.integers(2**63))
            if not of_dice(game):
                # What comes before the first turn, such as to find out whose it is, belongs to it.
                first[running] = np.where(turn == 0, states["to_move"], first[running])
            drawn = turn < game.num_players
            actions = game.sample(states, luck)
            if not drawn.all():
                actions[~drawn] = act(states[~drawn], luck)
            decisions[running] += 1
            legal[running] += np.bitwise_count(game.legal_bits(states)).sum(1, dtype=np.int64)
            tales |= {i: [] for i in running[begins[running] & (chance.random(len(running)) < telling)].tolist()}
            for i in tales:
                k = int(np.searchsorted(running, i))
                tales[i] += game.explain(states[k : k + 1], int(actions[k]))
            game.step(states, actions)
            last[running] = states
            begins[running] = (states["turn"] != turn) | (states["to_move"] < 0)
            over = running[begins[running]]
            turns[over] += 1
            for i in tales.keys() & set(over.tolist()):
                told[i] += 1
                relays[i] += laps(tales.pop(i)) > 1
        return cls(last, first, decisions, turns, legal, told, relays)

    def figures(self, game: Game) -> Cell:
        """All that is told of them."""
        of, winner = np.array(sides(game)), self.last["winner"]
        number = len(set(of.tolist()))
        points = np.where(winner < 0, 1 / number, winner == of[self.first])
        laps = {"relays": ratio(self.relays, self.told)} if self.told.any() else {}
        return {
            "games": len(self.last),
            "sides": number,
            "points": share(points),
            "drawn": share(winner < 0),
            "decisions": ratio(self.decisions),
            "turns": ratio(self.turns),
            "branching": ratio(self.legal, self.decisions),
            **laps,
            "unfinished": share(~reasons(game, self.last)[BY_RULES]),
        }


def sides(game: Game) -> list[int]:
    """The side that each player is of."""
    side_of, s = game.plain.bind(side), game.init(1, 0)[0]
    return [int(side_of(s, p)) for p in range(game.num_players)]


def of_dice(game: Game) -> bool:
    """Whether players throw, in turn from player 0 on: he is first, even if he can use no throw and is passed over."""
    return "throws" in game.position_fields


def has_laps(game: Game) -> bool:
    """Whether turns can have several laps."""
    return "max_laps" in game.options


def laps(tale: Sequence[str]) -> int:
    """How often seeds were lifted in a turn, by what is told of it; large stones with the others count once."""
    lifts = [line.startswith("lifts ") for line in tale]
    return sum(now and not before for before, now in pairwise([False, *lifts]))


# What is played.


@dataclass(frozen=True)
class Subject:
    """A game as it is, and with one option changed at a time."""

    name: str
    options: dict[str, Any]
    sizes: bool

    def variants(self) -> dict[str, dict[str, Any]]:
        """By what is changed in words, "" first, the options that are not the default."""
        game = make_game(self.name, **self.options)
        found = {"": self.options}
        for one in game.book.options:
            if one.name in NO_RULES or one.like or (one.size and not self.sizes):
                continue
            for value in others(one, game.options[one.name]):
                changed = self.options | {one.name: value}
                if is_allowed(self.name, changed):
                    found[f"{one.name}={value!r}"] = changed
        return found


def others(option: Option, value: Any) -> list[Any]:
    """What else this option can be, or which numbers near."""
    if option.length or option.real:
        return []
    choices: Sequence[Any] = option.choices
    if not choices:
        wide = option.highest - option.lowest >= FEW
        near = (value - 1, value + 1) if wide else range(option.lowest, option.highest + 1)
        choices = [number for number in near if option.lowest <= number <= option.highest]
    return [other for other in choices if other != value]


def is_allowed(name: str, options: dict[str, Any]) -> bool:
    """Whether these options go together."""
    try:
        make_game(name, **options)
    except ValueError:
        return False
    return True


# What is told.

COLUMNS = ("points", "drawn", "decisions", "turns", "branching", "relays", "unfinished")
IN_PERCENT = ("points", "drawn", "relays", "unfinished")
OR_SO = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"
HEADS = {"points": "first player's points"}

Study = dict[str, dict[str, Cell]]
"""What came of games: by variant or header, and by agent."""


def in_words(name: str, measured: Measured) -> str:
    value, half = measured
    if name in IN_PERCENT:
        return f"{value:.1%}{OR_SO}{100 * half:.1f}"
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f}{OR_SO}{half:.{digits}f}"


def lines_of(rows: Sequence[Sequence[str]], left: int) -> str:
    """A table of Markdown, its first columns to the left."""
    aligned = ["---"] * left + ["--:"] * (len(rows[0]) - left)
    return "\n".join("| " + " | ".join(row) + " |" for row in [rows[0], aligned, *rows[1:]]) + "\n"


def table(study: Study) -> str:
    """A row for each variant and agent."""
    usual = study[""]
    columns = [name for name in COLUMNS if name in next(iter(usual.values()))]
    rows = [["options", "who plays", "games", *(HEADS.get(name, name) for name in columns)]]
    for variant, cells in study.items():
        for number, (agent, cell) in enumerate(cells.items()):
            told = [bold(in_words(name, cell[name]), differ(cell[name], usual[agent][name])) for name in columns]
            called = "" if number else f"`{variant}`" if variant else "unchanged"
            rows.append([called, agent, f"{cell['games']:,}", *told])
    return lines_of(rows, 2)


def bold(text: str, really: bool) -> str:
    return f"**{text}**" if really else text


def overview(studies: dict[str, Study]) -> str:
    """The unchanged games beside each other."""
    agents = list(next(iter(studies.values()))[""])
    strong = agents[-1]
    rows = [["game", "sides", *agents, "decisions", "branching", "relays", "unfinished"]]
    for name, study in studies.items():
        usual = study[""]
        last = usual[strong]
        points = [in_words("points", usual[agent]["points"]) for agent in agents]
        more = [in_words(kind, last[kind]) if kind in last else "" for kind in COLUMNS if kind in rows[0]]
        rows.append([title_of(name), str(last["sides"]), *points, *more])
    return lines_of(rows, 1)


def page(studies: dict[str, Study], settings: dict[str, Any]) -> str:
    """All tables and pictures."""
    strong = settings["strong"]
    parts = [
        "# The study",
        "What moving first is worth in each game, how long and how wide it is, and what each option and each reading\n"
        "of the source makes of it. `python scripts/analyse.py` has written this page, and `make study` writes it\n"
        "anew; what was found stands in [the numbers](../numbers.md#effects-of-options-and-rule-readings).",
        EXPLAINED,
        f"Here up to {settings['games']:,} games of at most {settings['decisions']:,} decisions were played by random\n"
        f"and greedy, and of {settings['strong_decisions']:,} by {strong}; the seed is {settings['seed']}.",
    ]
    if len(studies) > 1:
        parts += [
            "## All games",
            "The points of the first player by who plays, and the rest as it is between strong ones. If nothing\n"
            "comes of moving first, these points are 50% in a game of two sides and 25% in one of four. In the hunts\n"
            "the sides are unlike, so that they tell which of them wins. Four players in two teams are two sides.",
            shown("All games: points of the first player, and decisions", ALL, overview(studies)),
        ]
    for name, study in studies.items():
        title = title_of(name)
        parts += [f"## {title}", shown(f"{title}: what its options make of it", f"{name}.webp", table(study))]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def shown(what: str, picture: str, table: str) -> str:
    """A picture and its table, as large and as small as is good to read."""
    return f":::{{container}} numbers small\n\n![{what}]({picture})\n\n{table}:::"


def title_of(name: str) -> str:
    return REGISTRY[name].book.title


# Pictures.

COLOURS = ("#9a9a9a", "#2a6f97", "#bc4749")
"""Of random, greedy and the strong one."""

APART = 0.27
"""Of a row, between two of them."""


def figure_of(study: Study, title: str, pyplot: Any) -> Any:
    """Points of the first player, decisions, branching, and relays if there are any, of every variant and agent."""
    kinds = {"points": "first player's points", "decisions": "decisions of a game", "branching": "legal actions"}
    if "relays" in next(iter(study[""].values())):
        kinds["relays"] = "turns of several laps"
    labels = {variant or "unchanged": cells for variant, cells in study.items()}
    return _figure(labels, kinds, title, pyplot)


def overview_of(studies: dict[str, Study], pyplot: Any) -> Any:
    """Points of the first player and decisions of all games as they are."""
    kinds = {"points": "first player's points", "decisions": "decisions of a game"}
    rows = {title_of(name): study[""] for name, study in studies.items()}
    return _figure(rows, kinds, "All games, unchanged", pyplot, wide=("decisions",))


def _figure(
    rows: dict[str, dict[str, Cell]], kinds: dict[str, str], title: str, pyplot: Any, wide: Sequence[str] = ()
) -> Any:
    """A panel for each of `kinds` of figures, of which `wide` ones differ too much for an even scale; and at the right
    how many games there were."""
    from matplotlib.ticker import PercentFormatter

    agents = list(next(iter(rows.values())))
    size = (9, 1.35 + 0.4 * len(rows))
    figure, panels = pyplot.subplots(1, len(kinds), sharey=True, figsize=size, layout="constrained")
    for panel, (kind, label) in zip(panels, kinds.items(), strict=True):
        for number, (agent, colour) in enumerate(zip(agents, COLOURS, strict=True)):
            at = np.array([row for row, cells in enumerate(rows.values()) if agent in cells]) + APART * (number - 1)
            values, halves = np.array([cells[agent][kind] for cells in rows.values() if agent in cells]).T
            panel.errorbar(values, at, xerr=halves, fmt="o", color=colour, markersize=4, capsize=2, label=agent)
        panel.set_xlabel(label)
        panel.grid(axis="x", alpha=0.3)
        if kind in IN_PERCENT:
            panel.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
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
                beside = 1, row + APART * (number - 1)
                panels[-1].annotate(f"{cells[agent]['games']:,}", beside, (30, 0), color=colour, **note)
    panels[0].set_yticks(range(len(rows)), list(rows))
    panels[0].set_ylim(len(rows) - 0.5, -0.5)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(agents), frameon=False)
    figure.suptitle(title, fontsize=11)
    return figure


# The whole.


@dataclass(frozen=True)
class Plan:
    """What is played: all games, or one, with itself. Raises ValueError or TypeError for what is not allowed."""

    game: str | None = None
    """Its name; None for all."""
    options: dict[str, Any] = field(default_factory=dict)
    """Of the one game."""
    sizes: bool = False
    """Whether other sizes of the board are played too."""
    strong: str = "mcts:100"
    """Who plays well."""
    games: int = 2000
    """Of a match, at most."""
    decisions: int = 200_000
    """Of random and greedy in a match, about."""
    strong_decisions: int = 10_000
    """Of the strong one."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.options and not self.game:
            raise ValueError("options need the GAME that has them")
        for subject in self.subjects:
            Searcher(make_game(subject.name, **subject.options), self.strong)
        if self.strong in ("random", "greedy"):
            raise ValueError(f"{self.strong} plays in any case: choose a search, such as mcts:100")

    @property
    def settings(self) -> dict[str, Any]:
        """What every result depends on besides the game."""
        return {name: getattr(self, name) for name in ("strong", "games", "decisions", "strong_decisions", "seed")}

    @property
    def subjects(self) -> list[Subject]:
        """The games."""
        return [Subject(name, self.options, self.sizes) for name in ([self.game] if self.game else distinct())]

    def matches(self, subject: Subject) -> list[tuple[str, Match]]:
        """All that is to be played of a game, each with its variant."""
        budgets = {"random": self.decisions, "greedy": self.decisions, self.strong: self.strong_decisions}
        return [
            (variant, Match(subject.name, options, agent, decisions, self.games, self.seed))
            for variant, options in subject.variants().items()
            for agent, decisions in budgets.items()
        ]

    def play(self, out: Path) -> None:
        """Play what the folder `out` does not hold yet, and write a page and pictures; results.json after every match.

        Raises Unusable if the folder was made with other settings, or no game was played by all.
        """
        asked = {subject.name: self.matches(subject) for subject in self.subjects}

        def play(played: Study, match: Match) -> None:
            played.setdefault(match.header, {})[match.agent] = match.play()

        played = go_on(
            out,
            "played",
            self.settings,
            lambda played: missing(asked, played),
            play,
            lambda match: f"{match.header}, {match.agent}",
        )
        studies = {name: study for name, some in asked.items() if (study := so_far(some, played))}
        if not studies:
            raise Unusable("no game was played by all yet")
        pictures = {f"{name}.webp": partial(figure_of, study, title_of(name)) for name, study in studies.items()}
        if len(studies) > 1:
            pictures[ALL] = partial(overview_of, studies)
        for name, make in pictures.items():
            draw(out / name, make, dpi=90, pil_kwargs={"lossless": True})
        write_text(out / PAGE, page(studies, self.settings))
        print(f"wrote {out}/{RESULTS}, {PAGE} and pictures")


def missing(asked: dict[str, list[tuple[str, Match]]], played: Study) -> Iterator[Match]:
    """What was not played yet."""
    for some in asked.values():
        yield from (match for _, match in some if match.agent not in played.get(match.header, {}))


def so_far(some: list[tuple[str, Match]], played: Study) -> Study:
    """What was played of a subject; nothing as long as not all have played it unchanged."""
    study: Study = {}
    for variant, match in some:
        cell = played.get(match.header, {}).get(match.agent)
        if cell:
            study.setdefault(variant, {})[match.agent] = cell
        elif not variant:
            return {}
    return study
