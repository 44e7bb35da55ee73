"""How often agents choose what is best: in positions that are solved.

In each game of ENDINGS random games give one position each, drawn from those with few enough seeds in the holes in
which it matters what is played. They are solved (`mancala_envs.agents.solve`): every action's value is proven, the
final lead in seeds. Then every agent is asked once. It is right by the result when no other action leads to a better
one of win, draw and loss, for which it plays; and right by the lead when no other is worth more seeds.
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
from mancala_envs.core.outcome import BY_MARGIN
from mancala_envs.evaluation.runs import conclude, go_on
from mancala_envs.evaluation.score import Score
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game

AGENTS = ("greedy", "minimax:2", "minimax:4", "minimax:6", "minimax:8", "mcts:100", "mcts:1000", "mcts:10000")

RANDOM, POSITIONS = "random", "positions"
"""Of what else is counted: him, who is not asked, for it is known how often he is right, and how many there were."""

JUDGES: dict[str, Callable[[int], int]] = {"result": lambda lead: (lead > 0) - (lead < 0), "lead": int}
"""What counts of a lead at the end."""

BATCH, MEMORY = 250, 4
"""Positions looked at together, and megabytes to solve one."""


@dataclass(frozen=True)
class Ending:
    """Positions of a game with at most so many seeds in the holes."""

    options: Mapping[str, Any]
    seeds: int

    def title(self, name: str) -> str:
        return " ".join([REGISTRY[name].book.title, *(f"`{option}={value}`" for option, value in self.options.items())])


ENDINGS = {
    "kalah": Ending({}, 18),
    "qelat": Ending({"columns": 3}, 24),
    "daramutu": Ending({}, 36),
}
"""What is solved in some milliseconds."""

Counts = dict[str, list[float]]
"""By agent how often he was right, by each of JUDGES; and in how many positions he could be wrong."""

Results = dict[str, list[Counts]]
"""By game, of every batch."""


def positions(game: Game, most: int, n: int, seed: int) -> States:
    """(n',) positions from n random games, at most one of each, with so many seeds in the holes and a choice."""
    chance = np.random.default_rng(seed)
    states = np.asarray(game.init(n, int(chance.integers(2**63))))
    drawn, seen = states.copy(), np.zeros(n, np.int64)
    while (states["to_move"] >= 0).any():
        fit = (states["holes"].sum(1) <= most) & (game.legal(states).sum(1) > 1)
        seen += fit
        # Of k positions of a game each stays with the same chance.
        taken = fit & (chance.random(n) * seen < 1)
        drawn[taken] = states[taken]
        game.step(states, game.sample(states, int(chance.integers(2**63))))
    return drawn[seen > 0]


def values(counted: Game, state: States) -> dict[int, int]:
    """By what each action lets the player to move lead in `counted`, where leads are paid. ValueError where that is not
    proven."""
    found = solve(counted, state, memory=MEMORY, line=False)
    if not all(low == high for low, high in found.by_action.values()):
        raise ValueError(f"not solved: {counted.text(state)}")
    sign = 1 if found.to_move == 0 else -1
    return {action: sign * low for action, (low, _) in found.by_action.items()}


def batch(name: str, ending: Ending, agents: Sequence[str], number: int, seed: int) -> Counts:
    """What comes of BATCH positions; nothing else decides it."""
    game, counted = (make_game(name, reward=reward, **ending.options) for reward in ("win", "margin"))
    chance = np.random.default_rng([seed, number, crc32(name.encode())])
    found: list[States] = []
    known: list[dict[int, int]] = []
    while len(known) < BATCH:
        for state in np.split(drawn := positions(game, ending.seeds, BATCH, int(chance.integers(2**63))), len(drawn)):
            same = state.copy()
            same["reward"] = BY_MARGIN
            leads = values(counted, same)
            if len(set(leads.values())) > 1 and len(known) < BATCH:
                found.append(state)
                known.append(leads)
    states, luck = np.concatenate(found), int(chance.integers(2**63))
    asked = {agent: Searcher(game, agent).act(states, luck).tolist() for agent in agents}
    return counts(known, asked)


def counts(known: Sequence[Mapping[int, int]], asked: Mapping[str, Sequence[int]]) -> Counts:
    """Of positions with the leads by action `known`, and what agents play in them."""
    found: Counts = {of: [] for of in (POSITIONS, RANDOM, *asked)}
    for judge in JUDGES.values():
        judged = [{action: judge(lead) for action, lead in leads.items()} for leads in known]
        best = [{action for action, worth in one.items() if worth == max(one.values())} for one in judged]
        matters = [i for i, one in enumerate(judged) if len(best[i]) < len(one)]
        found[POSITIONS].append(len(matters))
        found[RANDOM].append(sum(len(best[i]) / len(judged[i]) for i in matters))
        for agent, actions in asked.items():
            found[agent].append(sum(actions[i] in best[i] for i in matters))
    return found


def table(results: Results, agents: Sequence[str]) -> str:
    """Markdown: a row for each agent, and for each game a column by each of JUDGES."""
    names = [name for name in ENDINGS if results.get(name)]
    columns = [
        (f"{ENDINGS[name].title(name)}, {judge}", [{of: one[of][k] for of in one} for one in results[name]])
        for name in names
        for k, judge in enumerate(JUDGES)
    ]
    lines = [["", *(head for head, _ in columns)], ["---", *["--:"] * len(columns)]]
    lines.append(["positions", *(f"{sum(one[POSITIONS] for one in batches):,}" for _, batches in columns)])
    for agent in (RANDOM, *agents):
        lines.append([f"`{agent}`", *(cell(agent, batches) for _, batches in columns)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def cell(agent: str, batches: Sequence[Mapping[str, float]]) -> str:
    """How often an agent was right in batches, as the table tells it."""
    of, right = round(sum(one[POSITIONS] for one in batches)), round(sum(one[agent] for one in batches))
    low, high = Score(right, 0, of - right).interval
    return f"{right / of:.1%} [{100 * low:.1f}, {100 * high:.1f}]"


def measure(out: Path, games: Sequence[str], agents: Sequence[str], number: int, seed: int) -> None:
    """Look at what the folder `out` does not hold yet, and write a table of all that it holds.

    Args:
        out: the folder.
        games: names, of ENDINGS.
        agents: who is asked.
        number: positions of each game, in whole batches.
        seed: decides everything but budgets in milliseconds.

    Raises:
        Unusable: if the folder was made with another seed or other agents.
    """

    def missing(results: Results) -> list[tuple[str, int]]:
        return [(name, k) for name in games for k in range(len(results.get(name, [])), -(-number // BATCH))]

    def look(results: Results, task: tuple[str, int]) -> None:
        name, number = task
        results.setdefault(name, []).append(batch(name, ENDINGS[name], agents, number, seed))

    settings = {"seed": seed, "agents": list(agents)}
    results = go_on(out, "counts", settings, missing, look, lambda task: task[0])
    conclude(out, table(results, agents))
