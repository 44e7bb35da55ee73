"""Train the networks of experts: minimax plays itself, networks are fitted to its games, and matches choose the best.

In campaigns, another network learns by temporal differences. It looks further than a round, which helps where campaigns
last a few rounds.

If the expert loses to minimax or mcts in the same time, its network loses its weights, and the expert is the stronger
of these searches.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np

from mancala_envs.agents.agent import MEMORY
from mancala_envs.agents.common import Budget
from mancala_envs.agents.minimax import PARANOID, UNSEARCHED, Minimax
from mancala_envs.agents.network import EXPERTS, SEARCHES, ValueNetwork, expert_file
from mancala_envs.game import Game
from mancala_envs.learning.timed_matches import affordable, best_network, measured_network
from mancala_envs.learning.value_training import RECIPES, begin, fitted, self_play
from mancala_envs.learning.values import fit_values
from mancala_envs.programs.files import run_missing
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tables import Cell, Table, percent, write_table
from mancala_envs.registry import distinct, games_with_campaigns, make_game, title_of

MOST_TURNS_AHEAD, MOST_VISITED = 4, 3000
"""Self-play searches as many turns as visit no more than this number of positions for a decision, at most four."""

OPPONENTS = ("greedy", "minimax:1")
"""Opponents of the network that learns by temporal differences."""

CHOOSING_PAIRS = 10
"""Fewest pairs of games with which each network begins when the best one is chosen."""

DRAWS = 2
"""Draws with which self-play searches each action, in games with chance."""


def train(
    game: Game, number: int, seconds: float, epochs: int, seed: int, report: Callable[[str, float], None]
) -> list[ValueNetwork]:
    """Train a network for a game by each of RECIPES, all on the same games of self-play; in campaigns, another one.

    Those of RECIPES depend only on the arguments, unless self-play reaches its limit of time.

    Args:
        game: The game.
        number: The number of positions.
        seconds: The limit of CPU time for self-play, in seconds; as much again for temporal differences.
        epochs: How often the positions are used.
        seed: Seed of everything random.
        report: Called with the stage and its progress, from 0 to 1.
    """
    chance = np.random.default_rng(seed)
    search, turns = deepest(game, chance)
    played = self_play(game, search.act_with_values, number, seconds, chance, lambda done: report("self-play", done))
    values = played["values"]
    values[values != UNSEARCHED] //= DRAWS if game.has_chance else 1
    networks = []
    for recipe_number, recipe in enumerate(RECIPES, 1):
        fitting = partial(report, f"fitting {recipe_number}")
        networks.append(fitted(game, played, recipe, epochs, chance, fitting, turns=turns, seed=seed))
    if not game.campaign:
        return networks
    return [*networks, fit_values(game, seconds, OPPONENTS, seed, partial(report, "temporal differences"))]


def deepest(game: Game, chance: np.random.Generator) -> tuple[Minimax, int]:
    """Return the deepest minimax that is fast enough for self-play, and its depth in turns."""
    states = begin(game, 64, 3, chance)
    for turns in range(MOST_TURNS_AHEAD, 0, -1):
        search = Minimax(game, Budget(turns), MEMORY << 20, DRAWS, PARANOID)
        search.act(game.view(states), np.arange(len(states), dtype=np.uint64))
        if search.visited <= MOST_VISITED * len(states):
            break
    return search, turns


@dataclass
class ExpertSettings:
    """The settings of a run that trains experts."""

    positions: int = 600_000
    """Positions of self-play for each game."""
    minutes: float = 5.0
    """Limit of the CPU time of self-play for each game."""
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
        game, seed, milliseconds = make_game(name), settings.seed, settings.milliseconds
        with Bar(
            total=1.0, leave=False, mininterval=1, miniters=0, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}"
        ) as bar:

            def report(stage: str, part: float) -> None:
                bar.set_description_str(stage, refresh=False)
                bar.n = part
                bar.update(0)

            networks = train(game, settings.positions, 60 * settings.minutes, settings.epochs, seed, report)
            pairs = affordable(game, settings.pairs, milliseconds, seed)
            report("choosing", 0.0)
            network = best_network(game, networks, milliseconds, max(CHOOSING_PAIRS, pairs // 16), seed + 1)
            report("matches", 0.0)
            network, measured = measured_network(game, network, milliseconds, pairs, seed + 2)
        network.training["matches"] = measured
        network.save(out / expert_file(game))
        return {"search": network.search, "has_weights": network.has_weights, **network.training}

    tasks = {(name,): partial(make, name) for name in games}
    results = run_missing(out, "experts", {str: dict}, asdict(settings), tasks)
    write_table(out, table({name: found | found["matches"] for name, found in results.items()}))
    for name in filter(results.__contains__, games if install else ()):
        copy(out / expert_file(make_game(name)), EXPERTS)


def all_games() -> list[str]:
    """Return all games with their usual options, one for each rule book, and their campaigns."""
    return distinct() + [f"{name}(campaign=True)" for name in games_with_campaigns()]


CAPTION = """Points of the experts against minimax and mcts in the same time, each opening of six random decisions \
from both seats; later rounds of campaigns begin with two. Bold: not shown to be stronger. In parentheses: games, and \
the expert's CPU time a decision relative to the opponent's. *No weights*: a plain search."""


def table(results: dict[str, dict[str, Any]]) -> Table:
    """Return the experts' points against minimax and mcts, with a row for each game."""
    rows: list[list[Cell]] = []
    for name in filter(results.__contains__, all_games()):
        search = f"`{results[name]['search']}`" + ("" if results[name]["has_weights"] else ", no weights")
        row: list[Cell] = [title_of(name), search]
        for kind in SEARCHES:
            found = results[name][kind]
            points, note = percent(found["points"], found["interval"]), f"{found['games']}, {found['time']:.2f}"
            row.append(points | {"note": note, "bold": found["interval"][0] <= 0.5})
        rows.append(row)
    columns = ["game", "search", *(f"against {kind}" for kind in SEARCHES)]
    return Table("Experts", CAPTION, columns, rows, "make experts")
