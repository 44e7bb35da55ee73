"""Campaigns that an agent plays against itself: how long they last, and what decides them."""

from functools import partial
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mancala_envs.agents import Agent
from mancala_envs.core.opening import EACH_ROUND, OPENING
from mancala_envs.evaluation.matches import steps
from mancala_envs.evaluation.score import wilson
from mancala_envs.game import Game
from mancala_envs.programs.files import draw, run_missing
from mancala_envs.programs.tables import Cell, Table, percent, rounded, write_table
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.studies.played import reasons

AGENTS = ("random", "greedy", "minimax:4", "mcts:400", "expert:400")
CAMPAIGNS = 400
"""Default number of campaigns of each agent in each game."""

PICTURE = "campaigns.webp"
COLOURS = ("#9a9a9a", "#2a6f97", "#bc4749", "#5b3a86", "#3f8f4f")

NONE = -1.0
"""The entry of a campaign in which a question does not arise."""

Measured: TypeAlias = dict[str, list[float]]
"""Of each campaign of a game and agent:

* `decisions` after the opening, and `rounds`;
* `changes`: how often the lead in worth changed hands, the result of the campaign included;
* `first_leader`: the points at the end of the player who led after the first round;
* `first_debtor`: the points at the end of the player who was the first to begin a round in debt, all debts counted;
* `limit`: whether it ended in the last round that `max_rounds` allows.
"""

HEADS = (
    "decisions",
    "rounds",
    "changes of the lead",
    "the first leader wins",
    "the first debtor wins",
    "limit of rounds",
)
"""The heads of the columns of the table with these figures."""

CAPTION = """{} campaigns of each agent against itself, after six random decisions and two more in each later round. \
*Decisions* and *rounds*: median, 90th percentile in parentheses. *The first leader* leads after the first round; *the \
first debtor* is the first to begin a round in debt."""


def play(game: Game, agent: str, campaigns: int, seed: int) -> Measured:
    """Let an agent, a name or the path of a saved model, play campaigns for two players, from random openings."""
    chance, choose = np.random.default_rng([seed, crc32(agent.encode())]), Agent(game, agent).act
    states, n = game.init(campaigns, seed, opening=OPENING), campaigns
    decisions, changes = np.zeros(n), np.zeros(n)
    leader, first_leader, first_debtor = np.zeros((3, n))
    rounds = states["round_number"].copy()
    for playing, _, _ in steps(game, states, np.zeros(n, np.int64), [choose, choose], chance, EACH_ROUND):
        decisions[playing] += 1
        over = states["to_move"][playing] < 0
        begun = playing[~over & (states["round_number"][playing] != rounds[playing])]
        rounds = states["round_number"].copy()
        standing = game.standing(states[begun])
        now = np.sign(standing["worth"][:, 0] - standing["worth"][:, 1])
        for which, leads in ((begun, now), (playing[over], result_of(states[playing[over]]))):
            changes[which] += leads * leader[which] < 0
            leader[which] = np.where(leads, leads, leader[which])
        second = rounds[begun] == 2
        first_leader[begun[second]] = now[second]
        if "debt" in standing:
            owed = standing["debt"][:, 0, 1] - standing["debt"][:, 1, 0]
            first_debtor[begun] = np.where(first_debtor[begun], first_debtor[begun], np.sign(owed))
    result = result_of(states)
    measured = {
        "decisions": decisions,
        "rounds": rounds,
        "changes": changes,
        "first_leader": np.where(first_leader, (1 + first_leader * result) / 2, NONE),
        "first_debtor": np.where(first_debtor, (1 + first_debtor * result) / 2, NONE),
        "limit": reasons(game, states)["at max_rounds"],
    }
    return {name: column.astype(np.float64).tolist() for name, column in measured.items()}


def result_of(states: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the results (n,) of campaigns for player 0: 1, 0 or -1."""
    return np.select([states["winner"] == 0, states["winner"] == 1], [1, -1], 0)


def measure(out: Path, games: list[str], agents: list[str], campaigns: int, seed: int) -> None:
    """Play the campaigns of each agent in each game that a folder lacks; write results.json, a table and a picture.

    Raises:
        RunError: The folder was made with another seed or number, or another program writes to it.
    """
    settings, kind = {"seed": seed, "campaigns": campaigns}, {str: {str: {str: [float]}}}
    tasks = {
        (name, agent): partial(play, make_game(name, campaign=True), agent, campaigns, seed)
        for name in games
        for agent in agents
    }
    results = run_missing(out, "campaigns", kind, settings, tasks)
    if results:
        draw(out / PICTURE, partial(figure_of, results), dpi=110)
        write_table(out, table(results, campaigns))


def table(results: dict[str, dict[str, Measured]], campaigns: int) -> Table:
    """Return a table with a row for each game and agent, each of this number of campaigns."""
    rows = list[list[Cell]]()
    for name in filter(results.__contains__, REGISTRY):
        for agent, found in results[name].items():
            cells: list[Cell] = [
                middle(found["decisions"]),
                middle(found["rounds"]),
                rounded(np.mean(found["changes"]), 1),
            ]
            cells += [share(found[column]) for column in ("first_leader", "first_debtor", "limit")]
            rows.append([REGISTRY[name].book.title, f"`{agent}`", *cells])
    command = f"python scripts/maintenance/campaigns.py --campaigns {campaigns}"
    return Table("Campaigns in numbers", CAPTION.format(campaigns), ["game", "agent", *HEADS], rows, command)


def middle(values: list[float]) -> dict[str, Any]:
    """Return the median and, as its note, the 90th percentile."""
    half, most = np.percentile(values, [50, 90])
    return {"value": round(half), "note": round(most)}


def known(values: list[float]) -> npt.NDArray[np.float64]:
    """Return the values of the campaigns in which the question arises."""
    return np.array([value for value in values if value != NONE], np.float64)


def share(values: list[float]) -> Cell:
    """Return the mean of shares with its 95% interval, or None if the question arises in no campaign."""
    if not len(found := known(values)):
        return None
    return percent(found.mean(), wilson(float(found.sum()), len(found)), 0)


def figure_of(results: dict[str, dict[str, Measured]], pyplot: Any) -> Any:
    """Draw a campaign's rounds and decisions, and how often the player who leads after the first round wins."""
    games = [name for name in REGISTRY if name in results]
    agents = list(dict.fromkeys(agent for name in games for agent in results[name]))
    figure, panels = pyplot.subplots(
        1, 3, figsize=(10, 1 + 0.62 * len(games)), sharey=True, squeeze=False, layout="constrained"
    )
    for number, agent in enumerate(agents):
        for row, name in enumerate(games):
            if agent not in results[name]:
                continue
            found, at = results[name][agent], row + (number - (len(agents) - 1) / 2) * 0.7 / len(agents)
            how = {"fmt": "o", "markersize": 4, "capsize": 2, "color": COLOURS[number % len(COLOURS)]}
            how["label"] = agent if row == 0 else None
            for panel, column in zip(panels[0], ("rounds", "decisions"), strict=False):
                low, half, most = np.percentile(found[column], [10, 50, 90])
                panel.errorbar(half, at, xerr=[[half - low], [most - half]], **how)
            if len(won := known(found["first_leader"])):
                mean, (low, high) = float(won.mean()), wilson(float(won.sum()), len(won))
                panels[0][2].errorbar(mean, at, xerr=[[mean - low], [high - mean]], **how)
    for panel, title in zip(panels[0], ("rounds", "decisions", "the first leader wins"), strict=True):
        panel.set_title(title, fontsize=10)
        panel.grid(axis="x", alpha=0.3)
    for panel in panels[0][:2]:
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:,.0f}")
    panels[0][2].set_xlim(0, 1.02)
    panels[0][2].xaxis.set_major_formatter("{x:.0%}")
    panels[0][0].set_yticks(range(len(games)), [REGISTRY[name].book.title for name in games])
    panels[0][0].invert_yaxis()
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=len(agents), fontsize=8)
    return figure
