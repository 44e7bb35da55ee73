"""A table of how often the opponents choose what is best: in positions that are solved.

    python scripts/optimal.py
    python scripts/optimal.py qelat --positions 2000 --agents greedy mcts:100 mcts:400

In each game of ENDINGS random games give one position each, drawn from those with few enough seeds in the holes in
which it matters what is played. They are solved (mancala_envs.agents.solve): every action's value is proven, the final
lead in seeds. Then every agent is asked once. He is right by the result when no other action leads to a better one of
win, draw and loss, for which he plays; and right by the lead when no other is worth more seeds to him. The table tells
how often, of positions in which it matters, with a 95% interval; random is right as often as actions are best.

Writes results.json into its folder after every batch of positions, and table.md at the end, of all that was ever looked
at there; a new call goes on where the last one ended. Ctrl-C and SIGTERM end it early, with whole files. The seed
decides everything but budgets in milliseconds.
"""

import argparse
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from tqdm import tqdm

from mancala_envs.agents import Searcher
from mancala_envs.agents.solve import solve
from mancala_envs.core.game import Game, States
from mancala_envs.core.outcome import BY_MARGIN
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.scripts.arguments import positive
from mancala_envs.scripts.files import read_json, write_json, write_text
from mancala_envs.wrappers.evaluation import Score

AGENTS = ("greedy", "minimax:2", "minimax:4", "minimax:6", "minimax:8", "mcts:100", "mcts:1000", "mcts:10000")

RANDOM, POSITIONS = "random", "positions"
"""Of what else is counted: him, who is not asked, for it is known how often he is right, and how many there were."""

JUDGES: dict[str, Callable[[int], int]] = {"result": lambda lead: (lead > 0) - (lead < 0), "lead": int}
"""What counts of a lead at the end."""

BATCH, MEMORY = 250, 4
"""Positions looked at together, and megabytes to solve one."""

RESULTS, TABLE = "results.json", "table.md"


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chosen", nargs="*", metavar="GAME", help=f"of {', '.join(ENDINGS)} (default: all)")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="AGENT", help="who is asked")
    parser.add_argument("--positions", type=positive, default=10_000, help="of each game, in batches (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="decides everything (default %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("optimal"), help="folder (default %(default)s)")
    args = parser.parse_args()
    for name in args.chosen:
        if name not in ENDINGS:
            parser.error(f"of {name!r} nothing is solved here; there are {', '.join(ENDINGS)}")
    chosen = args.chosen or list(ENDINGS)
    try:
        for agent in args.agents:
            Searcher(make_game(chosen[0]), agent)
    except ValueError as error:
        parser.error(str(error))
    if args.seed < 0:
        parser.error("--seed must be at least 0")
    # Whoever ends the program from outside shall find the same as by Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    settings = {"seed": args.seed, "agents": list(args.agents)}
    path = args.out / RESULTS
    former = read_json(path) if path.exists() else {"settings": settings, "counts": {}}
    if former.get("settings") != settings:
        sys.exit(f"{path} was made with {former.get('settings')}: choose another --out")
    results: Results = former["counts"]
    args.out.mkdir(parents=True, exist_ok=True)
    batches = -(-args.positions // BATCH)
    missing = [(name, number) for name in chosen for number in range(len(results.get(name, [])), batches)]
    try:
        for name, number in (bar := tqdm(missing, unit=" batches", dynamic_ncols=True)):
            bar.set_description(name)
            results.setdefault(name, []).append(batch(name, ENDINGS[name], args.agents, number, args.seed))
            write_json(path, {"settings": settings, "counts": results})
    except KeyboardInterrupt:
        print("stopped by hand; the same command goes on")
    text = table(results, args.agents)
    write_text(args.out / TABLE, text)
    print(text)
    print(f"wrote {args.out}/{RESULTS}, {TABLE}")


if __name__ == "__main__":
    main()
