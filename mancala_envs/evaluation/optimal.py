"""How often agents choose an optimal action, measured on solved endgame positions.

For each game of ENDINGS, random games provide one position each, sampled from the positions with at most a given number
of seeds in the holes and more than one legal action. Each is solved (`mancala_envs.agents.solve`): the value of an
action is the proven final lead in seeds. Positions in which all actions have the same value are left out. Each agent
then chooses once in each position. The choice is optimal by result if no other action leads to a better result (win,
draw or loss), which is what agents play for. It is optimal by lead if no other action leads to a larger lead.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from mancala_envs.agents import Searcher
from mancala_envs.agents.solve import solve
from mancala_envs.core.arguments import States
from mancala_envs.evaluation.runs import run_missing, write_table
from mancala_envs.evaluation.score import wilson
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game

AGENTS = ("greedy", "minimax:2", "minimax:4", "minimax:6", "minimax:8", "mcts:100", "mcts:1000", "mcts:10000")

RANDOM, POSITIONS = "random", "positions"
"""Further keys of `Counts`: the expected number of optimal choices of the random agent, and the number of positions."""

CRITERIA: dict[str, Callable[[int], int]] = {"result": lambda lead: (lead > 0) - (lead < 0), "lead": int}
"""Criteria for the value of an action: functions of the final lead."""

BATCH, MEMORY = 250, 4
"""Positions in a batch, and megabytes to solve one position."""


@dataclass(frozen=True)
class Ending:
    """The positions of a game to sample from."""

    options: Mapping[str, Any]
    """Options of the game."""
    seeds: int
    """Maximum number of seeds in the holes."""

    def title(self, name: str) -> str:
        """Return the title of game `name`, followed by the options."""
        return " ".join([REGISTRY[name].book.title, *(f"`{option}={value}`" for option, value in self.options.items())])


ENDINGS = {
    "kalah": Ending({}, 18),
    "qelat": Ending({"columns": 3}, 24),
    "daramutu": Ending({}, 36),
}
"""Endings whose positions are solved in a few milliseconds each."""

Counts = dict[str, list[float]]
"""By agent, the number of optimal choices under each of CRITERIA; under POSITIONS, the number of positions in which not
every action is optimal."""

Results = dict[str, list[Counts]]
"""By game, the counts of each batch."""


def positions(game: Game, most: int, n: int, seed: int) -> States:
    """Return (at most n,) positions with few seeds and a choice, sampled from random games.

    Args:
        game: the game.
        most: maximum number of seeds in the holes.
        n: number of random games; each provides at most one position.
        seed: random seed.
    """
    chance = np.random.default_rng(seed)
    states = np.asarray(game.init(n, int(chance.integers(2**63))))
    drawn, candidates = states.copy(), np.zeros(n, np.int64)
    while (states["to_move"] >= 0).any():
        fit = (states["holes"].sum(1) <= most) & (game.legal(states).sum(1) > 1)
        candidates += fit
        # Reservoir sampling: each of a game's k candidates is equally likely to stay.
        taken = fit & (chance.random(n) * candidates < 1)
        drawn[taken] = states[taken]
        game.step(states, game.sample(states, int(chance.integers(2**63))))
    return drawn[candidates > 0]


def values(counted: Game, state: States) -> dict[int, int]:
    """Return the proven final lead of the player to move after each action.

    Args:
        counted: the game with `reward="margin"`.
        state: (1,) state.

    Raises:
        ValueError: if an action's value is not proven.
    """
    found = solve(counted, state, memory=MEMORY, line=False)
    if not all(low == high for low, high in found.by_action.values()):
        raise ValueError(f"not solved: {counted.text(state)}")
    sign = 1 if found.to_move == 0 else -1
    return {action: sign * low for action, (low, _) in found.by_action.items()}


def paid_by_margin(counted: Game, state: States) -> States:
    """Return a copy of the (1,) state as a state of `counted`, the same game with `reward="margin"`."""
    same, fresh = state.copy(), counted.init(1, 0)
    for field in ("reward", "rules"):
        same[field] = fresh[field]
    return same


def batch(name: str, ending: Ending, agents: Sequence[str], number: int, seed: int) -> Counts:
    """Solve BATCH positions of a game, and count the agents' optimal choices.

    The counts depend only on the arguments, except for agents with a budget in milliseconds.
    """
    game, counted = (make_game(name, reward=reward, **ending.options) for reward in ("win", "margin"))
    chance = np.random.default_rng([seed, number, crc32(name.encode())])
    found: list[States] = []
    known: list[dict[int, int]] = []
    while len(known) < BATCH:
        for state in np.split(drawn := positions(game, ending.seeds, BATCH, int(chance.integers(2**63))), len(drawn)):
            leads = values(counted, paid_by_margin(counted, state))
            if len(set(leads.values())) > 1 and len(known) < BATCH:
                found.append(state)
                known.append(leads)
    states, step_seed = np.concatenate(found), int(chance.integers(2**63))
    choices = {agent: Searcher(game, agent).act(states, step_seed).tolist() for agent in agents}
    return counts(known, choices)


def counts(known: Sequence[Mapping[int, int]], choices: Mapping[str, Sequence[int]]) -> Counts:
    """Count the optimal choices.

    Args:
        known: for each position, the proven lead after each action.
        choices: for each agent, its action in each position.
    """
    found: Counts = {of: [] for of in (POSITIONS, RANDOM, *choices)}
    for criterion in CRITERIA.values():
        values = [{action: criterion(lead) for action, lead in leads.items()} for leads in known]
        best = [{action for action, value in one.items() if value == max(one.values())} for one in values]
        matters = [i for i, one in enumerate(values) if len(best[i]) < len(one)]
        found[POSITIONS].append(len(matters))
        found[RANDOM].append(sum(len(best[i]) / len(values[i]) for i in matters))
        for agent, actions in choices.items():
            found[agent].append(sum(actions[i] in best[i] for i in matters))
    return found


def table(results: Results, agents: Sequence[str]) -> str:
    """Return a Markdown table with a row for each agent and, for each game, a column for each of CRITERIA."""
    names = [name for name in ENDINGS if results.get(name)]
    columns = [
        (f"{ENDINGS[name].title(name)}, {criterion}", [{of: one[of][k] for of in one} for one in results[name]])
        for name in names
        for k, criterion in enumerate(CRITERIA)
    ]
    lines = [["", *(head for head, _ in columns)], ["---", *["--:"] * len(columns)]]
    lines.append(["positions", *(f"{sum(one[POSITIONS] for one in batches):,}" for _, batches in columns)])
    for agent in (RANDOM, *agents):
        lines.append([f"`{agent}`", *(cell(agent, batches) for _, batches in columns)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def cell(agent: str, batches: Sequence[Mapping[str, float]]) -> str:
    """Format an agent's share of optimal choices with its 95% interval."""
    of, optimal = round(sum(one[POSITIONS] for one in batches)), round(sum(one[agent] for one in batches))
    low, high = wilson(optimal, of)
    return f"{optimal / of:.1%} [{100 * low:.1f}, {100 * high:.1f}]"


def measure(out: Path, games: Sequence[str], agents: Sequence[str], number: int, seed: int) -> None:
    """Test the agents on the batches that the folder lacks, and write a table of all its results.

    Args:
        out: the folder.
        games: names of games, keys of ENDINGS.
        agents: names of the agents.
        number: positions of each game, rounded up to whole batches.
        seed: random seed; the results depend on nothing else, except for agents with a budget in milliseconds.

    Raises:
        RunError: if the folder was made with another seed or other agents.
    """

    def missing(results: Results) -> list[tuple[str, int]]:
        return [(name, k) for name in games for k in range(len(results.get(name, [])), -(-number // BATCH))]

    def run(results: Results, task: tuple[str, int]) -> None:
        name, number = task
        results.setdefault(name, []).append(batch(name, ENDINGS[name], agents, number, seed))

    settings = {"seed": seed, "agents": list(agents)}
    results = run_missing(out, "counts", {str: [{str: [float]}]}, settings, missing, run, lambda task: task[0])
    write_table(out, table(results, agents))
