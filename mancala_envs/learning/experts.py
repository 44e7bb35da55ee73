"""Train the networks of experts in generations, each from games that the present expert plays against itself.

A generation begins with self-play of minimax with the expert's network. Networks are fitted to the positions, and
another one learns by temporal differences. Matches choose the best of them, and it becomes the expert if it wins a
match against the present one. In campaigns the other one looks further than a round, which helps where campaigns last a
few rounds. In games with chance it is the only one, because the result of a game is mostly luck.

If the last expert loses to minimax or mcts in the same time, its network loses its weights, and the expert is the
stronger of these searches.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from shutil import copy
from time import process_time
from typing import Any, TypeAlias

import numpy as np

from mancala_envs.agents.agent import MEMORY
from mancala_envs.agents.common import Budget
from mancala_envs.agents.minimax import PARANOID, UNSEARCHED, Minimax
from mancala_envs.agents.network import EXPERTS, SEARCHES, ValueNetwork, expert_file, expert_for, load_network
from mancala_envs.game import Game
from mancala_envs.learning.timed_matches import (
    affordable,
    best_network,
    expert_of,
    match,
    measured_network,
    points_and_interval,
    stronger_search,
)
from mancala_envs.learning.value_training import RECIPES, begin, fitted, plain_network, self_play
from mancala_envs.learning.values import fit_values, save
from mancala_envs.programs.files import run_missing
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tables import Cell, Table, in_markdown, percent, write_table
from mancala_envs.registry import distinct, games_with_campaigns, make_game, title_of

MOST_TURNS_AHEAD, MOST_VISITED = 4, 3000
"""Self-play searches as many turns as visit no more than this number of positions for a decision, at most four."""

OPPONENTS = ("greedy", "minimax:1")
"""Opponents of the network that learns by temporal differences."""

CHOOSING_PAIRS = 10
"""Fewest pairs of games with which each network begins when the best one is chosen."""

DRAWS = 2
"""Draws with which self-play searches each action, in games with chance."""

PATIENCE = 2
"""Generations in a row that win nothing before the training of a game ends."""

Report: TypeAlias = Callable[[str, float], None]
"""Called with the stage of a training and its progress, from 0 to 1."""


def improved(
    game: Game, expert: ValueNetwork, first: ValueNetwork, settings: "ExpertSettings", report: Report
) -> ValueNetwork:
    """Return the expert after one more generation, with what the generation won in `training["generations"]`.

    Args:
        game: The game.
        expert: The present expert, with its earlier generations.
        first: The expert before the first generation.
        settings: The settings.
        report: Called with the stage and its progress, from 0 to 1.
    """
    begun, generations, milliseconds = process_time(), generations_of(expert), settings.milliseconds
    seed = int(np.random.SeedSequence([settings.seed, len(generations) + 1]).generate_state(1)[0])
    networks = candidates(game, expert, settings, seed, report)
    pairs = affordable(game, settings.pairs, milliseconds, seed)
    report("choosing", 0.0)
    best = best_network(game, networks, milliseconds, max(CHOOSING_PAIRS, pairs // 16), seed + 1)

    def match_against(other: ValueNetwork) -> dict[str, Any]:
        agents = [expert_of(game, each, milliseconds) for each in (best, other)]
        return points_and_interval(match(game, agents, pairs, seed + 2, best))

    report("matches", 0.0)
    found: dict[str, Any] = {"games": 2 * pairs, "against_expert": match_against(expert)}
    found["won"] = found["against_expert"]["interval"][0] > 0.5
    if found["won"]:
        is_second = any(earlier["won"] for earlier in generations)
        found["against_first"] = match_against(first) if is_second else found["against_expert"]
        expert = best
    found["seconds"] = round(process_time() - begun)
    return replace(expert, training=expert.training | {"generations": [*generations, found]})


def generations_of(expert: ValueNetwork) -> list[dict[str, Any]]:
    """Return what the generations of an expert have won."""
    found: list[dict[str, Any]] = expert.training.get("generations", [])
    return found


def without_generations(expert: ValueNetwork) -> ValueNetwork:
    """Return the expert before its first generation in this run."""
    return replace(expert, training=expert.training | {"generations": []})


def is_finished(expert: ValueNetwork, settings: "ExpertSettings") -> bool:
    """Return whether PATIENCE generations in a row have won nothing, or the time for the game is over."""
    generations = generations_of(expert)
    spent = sum(generation["seconds"] for generation in generations)
    lost = len(generations) >= PATIENCE and not any(generation["won"] for generation in generations[-PATIENCE:])
    return lost or spent >= 60 * settings.total


def is_measured(expert: ValueNetwork, milliseconds: int) -> bool:
    """Return whether the expert has played the plain searches in this time. The winner of a generation has not."""
    matches = expert.training.get("matches", {})
    return [found["opponent"] for found in matches.values()] == [f"{kind}:{milliseconds}ms" for kind in SEARCHES]


def candidates(
    game: Game, expert: ValueNetwork, settings: "ExpertSettings", seed: int, report: Report
) -> list[ValueNetwork]:
    """Return networks that learn from the expert, for the arguments see `improved`.

    One by each of RECIPES is fitted to self-play of minimax with the expert's network, except in games with chance that
    are no campaigns. The last one learns by temporal differences, in the first generation from the start, later from
    the expert's network on, without pairs of holes, which do not help experts (docs/notes/values.md).
    """
    networks, seconds = [], 60 * settings.minutes
    known = expert if expert.has_weights else None
    if game.campaign or not game.has_chance:
        chance = np.random.default_rng(seed)
        search, turns = deepest(game, chance, known)
        playing = partial(report, "self-play")
        played = self_play(game, search.act_with_values, settings.positions, seconds, chance, playing)
        values = played["values"]
        values[values != UNSEARCHED] //= DRAWS if game.has_chance else 1
        scale = known.scale if known else None
        for recipe_number, recipe in enumerate(RECIPES, 1):
            fitting = partial(report, f"fitting {recipe_number}")
            networks.append(
                fitted(game, played, recipe, settings.epochs, chance, fitting, scale, turns=turns, seed=seed)
            )
    opponents, learning = OPPONENTS if game.campaign else (), partial(report, "temporal differences")
    begun = known if generations_of(expert) else None
    return [*networks, fit_values(game, seconds, opponents, seed, learning, begun, pairs=False)]


def deepest(game: Game, chance: np.random.Generator, network: ValueNetwork | None = None) -> tuple[Minimax, int]:
    """Return the deepest minimax that is fast enough for self-play, and its depth in turns."""
    states = begin(game, 64, 3, chance)
    for turns in range(MOST_TURNS_AHEAD, 0, -1):
        search = Minimax(game, Budget(turns), MEMORY << 20, DRAWS, PARANOID, network)
        search.act(game.view(states), np.arange(len(states), dtype=np.uint64))
        if search.visited <= MOST_VISITED * len(states):
            break
    return search, turns


def first_expert(game: Game, milliseconds: int, seed: int) -> ValueNetwork:
    """Return the expert of the package or, if it has none that fits the game, say so and return the stronger search."""
    try:
        return expert_for(game)
    except ValueError as error:
        Bar.write(f"{error}: the first expert is the stronger of {' and '.join(SEARCHES)}")
        return stronger_search(game, plain_network(game), milliseconds, CHOOSING_PAIRS, seed)


@dataclass
class ExpertSettings:
    """The settings of a run that trains experts."""

    positions: int = 600_000
    """Positions of self-play for each game."""
    minutes: float = 5.0
    """Limit of the CPU time of self-play in a generation, and of learning by temporal differences."""
    total: float = 30.0
    """Minutes of CPU time for a game after which no further generation begins."""
    epochs: int = 12
    """How often a position is used."""
    milliseconds: int = 1
    """Time of a decision in the matches."""
    pairs: int = 2000
    """Pairs of games of each match, at most, see MATCH_SECONDS."""
    seed: int = 0
    """Seed of everything random."""


def train_experts(out: Path, games: list[str], settings: ExpertSettings, install: bool = False) -> None:
    """Train and measure the experts that a folder lacks; write their networks, results.json and a table.

    Args:
        out: The folder. Networks are written there as `GAME.network` and `GAME_campaign.network`.
        games: Games and campaigns with their usual options, as `make_game` takes them.
        settings: The settings.
        install: Whether to copy the networks into the package.

    Raises:
        RunError: The folder was made with other settings, or another program writes to it.
    """

    def make(name: str) -> dict[str, Any]:
        game = make_game(name)
        path, seed, milliseconds = out / expert_file(game), settings.seed, settings.milliseconds
        with Bar(
            total=1.0, leave=False, mininterval=1, miniters=0, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}"
        ) as bar:
            first = first_expert(game, milliseconds, seed)
            expert = load_network(path) if path.exists() else without_generations(first)

            def report(stage: str, part: float) -> None:
                bar.set_description_str(f"generation {len(generations_of(expert)) + 1}: {stage}", refresh=False)
                bar.n = bar.last_print_n = part  # A stage begins again at 0, which tqdm does not show otherwise.
                bar.update(0)

            while not is_finished(expert, settings):
                expert = improved(game, expert, first, settings, report)
                save(expert, path)
            if not is_measured(expert, milliseconds):
                report("against plain searches", 0.0)
                pairs = affordable(game, settings.pairs, milliseconds, seed)
                network, measured = measured_network(game, expert, milliseconds, pairs, seed)
                save(replace(network, training=network.training | {"matches": measured}), path)
        return summary(path)

    tasks = {(name,): partial(make, name) for name in games}
    results = run_missing(out, "experts", {str: dict}, asdict(settings), tasks)
    write_table(out, table(results))
    for name in filter(results.__contains__, games if install else ()):
        copy(out / expert_file(make_game(name)), EXPERTS)


def all_games() -> list[str]:
    """Return all games with their usual options, one for each rule book, and their campaigns."""
    return distinct() + [f"{name}(campaign=True)" for name in games_with_campaigns()]


CAPTION = """Points of the experts against minimax and mcts in the same time, each opening of six random decisions \
from both seats; later rounds of campaigns begin with two. Bold: not shown to be stronger. In parentheses: games, and \
the expert's CPU time relative to the opponent's. *Generations*: points against the first expert; - won nothing."""


def summary(path: Path) -> dict[str, Any]:
    """Return the row of results of the expert in a file."""
    network = load_network(path)
    of_file = {"search": network.search, "has_weights": network.has_weights, "bytes": path.stat().st_size}
    return of_file | network.training


def table(results: dict[str, dict[str, Any]]) -> Table:
    """Return the experts' points against minimax and mcts, with a row for each game."""
    rows: list[list[Cell]] = []
    for name in filter(results.__contains__, all_games()):
        expert = results[name]
        search = ("" if expert["has_weights"] else "plain ") + f"`{expert['search']}`"
        against_first = [generation.get("against_first") for generation in expert.get("generations", ())]
        generations = [in_markdown(points_of(found)) if found else "-" for found in against_first]
        row: list[Cell] = [title_of(name), search, ", ".join(generations)]
        for kind in SEARCHES:
            found = expert["matches"][kind]
            note = f"{found['games']}, {found['time']:.2f}"
            row.append(points_of(found) | {"note": note, "bold": found["interval"][0] <= 0.5})
        rows.append([*row, {"value": round(expert["bytes"] / 1000), "unit": "kB"}])
    columns = ["game", "search", "generations", *(f"against {kind}" for kind in SEARCHES), "size"]
    return Table("Experts", CAPTION, columns, rows, "make experts")


def points_of(found: dict[str, Any]) -> dict[str, Any]:
    """Return the points of a match as a cell of a table."""
    return percent(found["points"], found["interval"])
