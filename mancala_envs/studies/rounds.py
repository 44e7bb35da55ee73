"""Estimate the chances of winning a campaign from its standings, by rounds that an agent plays against itself.

The agent plays rounds from every standing that comes up, which shows how often each leads to each other one. Backward
induction from the last round then gives the chance of winning from each standing. That takes far fewer games than whole
campaigns from each. It assumes a Markov chain: play depends on the standing alone, not on earlier rounds or on the
number of rounds left.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.agents.network import plays_of
from mancala_envs.core.arguments import States
from mancala_envs.core.opening import EACH_ROUND, OPENING
from mancala_envs.evaluation.matches import Actor, decides_at_random
from mancala_envs.evaluation.score import wilson
from mancala_envs.evaluation.standings import SUFFIX, TABLES, Chances, Standings, load_standings, standings_of
from mancala_envs.game import Game
from mancala_envs.programs.files import draw, run_missing
from mancala_envs.programs.progress import Bar
from mancala_envs.programs.tables import Cell, Table, percent, rounded, write_table
from mancala_envs.registry import REGISTRY, make_game

AGENT, ROUNDS, CAMPAIGNS = "expert:400", 300, 1000
"""The agent, the rounds that it plays from each standing, and the campaigns that test the chances, by default."""

MOST_LEFT = 30
"""The most rounds left with chances of their own."""

SHOWN = 1, 3, MOST_LEFT
"""Numbers of rounds left in pictures."""
COLOURS = ("#bc4749", "#8a8a8a", "#2a6f97")

SAMPLES = 200
"""Samples of the bootstrap from which the intervals come."""

OVER = -1
"""The next standing of a round that ends the campaign."""

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rounds from each of K standings.

    Attributes:
        standings: (K, 4) int64, see `standings_of`.
        first: (N,), the number of the standing from which each round was played.
        then: (N,), the number of the standing after it, or OVER.
        result: (N,), for rounds that ended the campaign: 1.0 if the player who started the round won, 0.5 for a draw.
        swaps: (N,) bool, whether the other player starts the next round.
    """

    standings: Integers
    first: Integers
    then: Integers
    result: npt.NDArray[np.float64]
    swaps: npt.NDArray[np.bool_]


def play_round(game: Game, states: States, choose: Actor, chance: np.random.Generator) -> None:
    """Play the present round of all states (n,) to its end, in place: EACH_ROUND random decisions, then the agent."""
    rounds, at_random = states["round_number"].copy(), np.full(len(states), EACH_ROUND)
    while len(playing := np.flatnonzero((states["to_move"] >= 0) & (states["round_number"] == rounds))):
        now, seed = states[playing], int(chance.integers(2**63))
        drawn = decides_at_random(now, at_random[playing])
        at_random[playing[drawn]] -= 1
        actions = np.empty(len(now), np.int64)
        actions[drawn], actions[~drawn] = game.sample(now[drawn], seed), choose(now[~drawn], seed)
        game.step(now, actions)
        states[playing] = now


def explore(game: Game, agent: str, rounds: int, chance: np.random.Generator, report: Callable[[int], None]) -> Rounds:
    """Play this number of rounds from each standing that comes up in a campaign for two players.

    `report` is called with the number of standings from which rounds have been played.

    Raises:
        ValueError: The campaign can have fewer than 4 rounds, so that no round is far from the limit.
    """
    if game.options["max_rounds"] < 4:
        raise ValueError(f"max_rounds must be at least 4, got {game.header}")
    choose, numbers = Agent(game, agent).act, dict[tuple[int, ...], int]()
    begun, ended = list[States](), list[States]()
    reached: States = game.init(rounds, int(chance.integers(2**63)))
    play_round(game, reached, choose, chance)
    while len(reached := reached[reached["to_move"] >= 0]):
        new, place = np.unique(standings_of(game, reached), axis=0, return_inverse=True)
        later = [reached[:0]]
        for number, standing in enumerate(map(tuple, new.tolist())):
            if standing in numbers:
                continue
            numbers[standing] = len(numbers)
            states = reached[chance.choice(np.flatnonzero(place.ravel() == number), rounds)]
            # Copies of a state must not repeat its chance.
            game.reseed(states, int(chance.integers(2**63)))
            # Far from the limit of rounds. The player who starts the next one may depend on whether the number is even.
            states["round_number"] = 2 + states["round_number"] % 2
            begun.append(states.copy())
            play_round(game, states, choose, chance)
            ended.append(states)
            later.append(states)
            report(len(numbers))
        reached = np.concatenate(later)
    before, after = np.concatenate(begun), np.concatenate(ended)
    starter, over = before["to_move"].astype(np.int64), after["to_move"] < 0
    first, then = np.repeat(np.arange(len(numbers)), rounds), np.full(len(after), OVER)
    then[~over] = [numbers[tuple(standing)] for standing in standings_of(game, after[~over]).tolist()]
    return Rounds(np.array(list(numbers)), first, then, points_of(after, starter), after["to_move"] != starter)


def points_of(states: States, player: Integers) -> npt.NDArray[np.float64]:
    """Return the points (n,) of a player (n,) of each campaign that is over; a draw is 0.5."""
    return np.select([states["winner"] == player, states["winner"] == 1 - player], [1.0, 0.0], 0.5)


def chances_of(played: Rounds, weights: npt.NDArray[np.float64]) -> Chances:
    """Return the chances (MOST_LEFT, K), see `Standings`, if the rounds have these weights (N,)."""
    number = len(played.standings)
    total, is_last = np.bincount(played.first, weights, number), played.then == OVER
    # After the last round the player with the higher worth wins.
    chances, now = np.empty((MOST_LEFT, number)), (1 + np.sign(played.standings[:, 2])) / 2
    for left in range(MOST_LEFT):
        later = now[played.then]
        value = np.where(is_last, played.result, np.where(played.swaps, 1 - later, later))
        chances[left] = now = np.bincount(played.first, weights * value, number) / total
    return chances


def estimate(
    game: Game, agent: str, rounds: int, seed: int, report: Callable[[int], None] = lambda number: None
) -> Standings:
    """Estimate the chances of winning from all standings; the arguments are those of `explore`."""
    chance = np.random.default_rng(seed)
    played = explore(game, agent, rounds, chance, report)
    number = len(played.first)
    # The small weight keeps every standing in every sample.
    weights = (1e-9 + chance.poisson(1.0, number).astype(np.float64) for _ in range(SAMPLES))
    samples = np.array([chances_of(played, each) for each in weights])
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    return Standings(plays_of(game), agent, played.standings, rounds, chances_of(played, np.ones(number)), low, high)


def favourites(game: Game, standings: Standings, campaigns: int, seed: int) -> dict[str, float]:
    """Play whole campaigns, and compare the chances after the first round with the results.

    Returns:
        The mean chance of the player with the higher one (`expected`), the mean points of this player, half a point
        for a draw (`won`), and the number of campaigns (`campaigns`), without those that ended in the first round or
        reached a standing that is not in the table.
    """
    chance, choose = np.random.default_rng([seed, 1]), Agent(game, standings.agent).act
    states: States = game.init(campaigns, int(chance.integers(2**63)), opening=OPENING)
    play_round(game, states, choose, chance)
    states = states[states["to_move"] >= 0]
    found, starter = standings.chance(game, states), states["to_move"].astype(np.int64)
    while len(playing := np.flatnonzero(states["to_move"] >= 0)):
        now = states[playing]
        play_round(game, now, choose, chance)
        states[playing] = now
    known, points = ~np.isnan(found), points_of(states, starter)
    expected, won = np.maximum(found, 1 - found)[known], np.where(found > 0.5, points, 1 - points)[known]
    return {"expected": float(expected.mean()), "won": float(won.mean()), "campaigns": int(known.sum())}


def measure(
    out: Path, games: list[str], agent: str, rounds: int, campaigns: int, seed: int, install: bool = False
) -> None:
    """Estimate the standings that a folder lacks; write the standings of each game, results.json, a table and pictures.

    The agent plays `rounds` from each standing, and `campaigns` that test the chances. With `install` the tables are
    also copied into the package.

    Raises:
        RunError: The folder was made with other settings, or another program writes to it.
    """

    def measured(name: str) -> dict[str, float]:
        game = make_game(name, campaign=True)
        with Bar(desc=name, unit=" standings", leave=False) as bar:
            standings = estimate(game, agent, rounds, seed, lambda number: bar.update(number - bar.n))
        standings.save(out / f"{name}{SUFFIX}")
        return {"standings": len(standings.standings), **favourites(game, standings, campaigns, seed)}

    settings: dict[str, Any] = {"agent": agent, "rounds": rounds, "campaigns": campaigns, "seed": seed}
    tasks = {(name,): partial(measured, name) for name in games}
    results = run_missing(out, "standings", {str: {str: float}}, settings, tasks)
    if install:
        for name in filter(results.__contains__, games):
            copy(out / f"{name}{SUFFIX}", TABLES)
    for name in results:
        standings = load_standings(out / f"{name}{SUFFIX}")
        draw(out / f"{name}.webp", partial(figure_of, standings), dpi=110)
    if results:
        write_table(out, table(results, agent, campaigns))


CAPTION = """Mean chance of the favourite, the player with the higher chance after the first round, and the \
favourite's points in {} campaigns of `{}`; a draw counts half. Campaigns that ended in the first round, or reached an \
unknown standing, are left out."""


def table(results: dict[str, dict[str, float]], agent: str, campaigns: int) -> Table:
    """Return a table that compares the chances with whole campaigns of an agent, with a row for each game."""
    columns = ["game", "standings", "chance of the favourite", "points of the favourite", "campaigns"]
    rows = list[list[Cell]]()
    for name in filter(results.__contains__, REGISTRY):
        found = results[name]
        won = percent(found["won"], wilson(found["won"] * found["campaigns"], found["campaigns"]))
        expected = {"value": rounded(100 * found["expected"], 1), "unit": "%"}
        rows.append([REGISTRY[name].book.title, found["standings"], expected, won, found["campaigns"]])
    command = "python scripts/maintenance/standings.py"
    return Table("Standings and whole campaigns", CAPTION.format(campaigns, agent), columns, rows, command)


def figure_of(standings: Standings, pyplot: Any) -> Any:
    """Draw the chances by the parts of the board owned and by the lead in worth; in games with debts also by debts."""
    from matplotlib.ticker import MaxNLocator

    owned, other, lead, owes = standings.standings.T
    holes, every, debts = owned - other, np.arange(len(lead)), standings.by_debt
    panels = [("holes owned, less those of the other player", holes, every)]
    if not holes.any():  # The players set out their holes later.
        panels = []
    if (lead != holes).any():
        panels.append(("lead in worth", lead, every))
    if len(debts) > 1:
        panels.append(("stones owed, all else even", owes, debts))
    size = max(4.5, 3.6 * len(panels)), 3.2
    figure, grid = pyplot.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False, layout="constrained")
    row = grid[0]
    for axes, (title, place, which) in zip(row, panels, strict=True):
        for left, colour in zip(SHOWN, COLOURS, strict=True):
            places = np.unique(place[which])
            means = [standings.chances[left - 1, which[place[which] == at]].mean() for at in places]
            name = "1 round left" if left == 1 else f"{left} rounds left"
            axes.plot(places, means, "-", color=colour, linewidth=1.5, label=name)
        middle = standings.chances[-1, which]
        bars = middle - standings.low[-1, which], standings.high[-1, which] - middle
        axes.errorbar(place[which], middle, np.maximum(bars, 0), fmt=".", color=COLOURS[-1], alpha=0.5, markersize=3)
        axes.set(xlabel=title, ylim=(0, 1.0))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter("{x:.0%}")
        axes.grid(alpha=0.3)
    row[0].set_ylabel("chance of the player who starts")
    figure.legend(*row[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(SHOWN), fontsize=8)
    return figure
