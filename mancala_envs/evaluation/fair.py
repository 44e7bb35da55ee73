"""Fair starts: positions near the start of a game that are exact draws.

In Kalah the first player wins by 8 seeds. T. Neller and T. Neller ("FairKalah", 2022) look for starts that differ from
the usual one by one or two moved seeds and are draws under best play. A seed is moved from a hole to another hole or to
a store. The order of moves does not count: two ways to the same position are one start. Images are not put together,
because the player who moves first is different in them. `starts` lists these positions, and the file `fair.json`
holds for each whether the first player wins (+), draws (0) or loses (-), or that this is not proven yet (?).
`scripts/maintenance/fair.py` proves them; most results of Kalah with two moved seeds come from
tests/solvers/solve_kalah.py, which also found all others of Kalah.
"""

import json
from collections.abc import Callable
from importlib.resources import files
from itertools import combinations_with_replacement
from pathlib import Path
from time import monotonic

import numpy as np

from mancala_envs.agents.solve.database import Database, no_database
from mancala_envs.agents.solve.gains import Measure
from mancala_envs.agents.solve.proofs import Proofs
from mancala_envs.core.arguments import States
from mancala_envs.game import Game
from mancala_envs.programs.files import write_json
from mancala_envs.registry import make_game

FILE = "fair.json"

WIN, DRAW, LOSS, UNKNOWN = "+0-?"
"""The result of the first player in a start, or that it is not proven."""

SAVED_EVERY = 30
"""Seconds between writes of the file."""


def starts(game: Game, moved: int) -> States:
    """Return the starts that differ from the usual one by `moved` seeds, which are moved to other holes or to a store.

    Args:
        game: A game whose record has `holes` and `store`.
        moved: The number of seeds.

    Returns:
        (n,) states, in a fixed order.
    """
    first = game.init(1, 0)
    holes, places = first["holes"].shape[1], first["holes"].shape[1] + first["store"].shape[1]
    found: dict[tuple[int, ...], None] = {}
    for lifted in combinations_with_replacement(range(holes), moved):
        for laid in combinations_with_replacement(range(places), moved):
            counts = np.concatenate([first["holes"][0], first["store"][0]]).astype(np.int64)
            np.subtract.at(counts, list(lifted), 1)
            np.add.at(counts, list(laid), 1)
            if not set(lifted) & set(laid) and (counts >= 0).all():
                found[tuple(counts.tolist())] = None
    counts = np.array(list(found))
    states = np.asarray(first).repeat(len(counts))
    states["holes"], states["store"] = counts[:, :holes], counts[:, holes:]
    return states


def fair_starts(game: Game | str = "kalah") -> States:
    """Return the starts of a game that are proven draws and differ from the usual start by one or two moved seeds.

        starts = fair_starts("kalah")
        states = starts[np.random.default_rng(1).integers(len(starts), size=64)]

    Args:
        game: The game, as `make_game` takes it. `reward` and limits of turns may have any value.

    Returns:
        (n,) states, in a fixed order.

    Raises:
        ValueError: No starts of this game are known.
    """
    rules = make_game(game) if isinstance(game, str) else game
    found = known(rules)
    drawn = [starts(rules, moved)[np.array(list(results)) == DRAW] for moved, results in found.items()]
    return np.concatenate(drawn)


def known(game: Game) -> dict[int, str]:
    """Return the results of the starts of a game, by the number of moved seeds; ValueError if there are none."""
    saved = json.loads(files(__package__).joinpath(FILE).read_text())
    for name, results in saved.items():
        if not game.campaign and same_rules(game, make_game(name)):
            return {int(moved): text for moved, text in results.items()}
    raise ValueError(f"no fair starts of {game.header} are known; there are some of {', '.join(saved)}")


def same_rules(game: Game, other: Game) -> bool:
    """Return whether two games have the same name and, except for rewards and limits of turns, the same options."""
    free = {"reward", "max_turns"}
    options, others = (
        {name: value for name, value in one.options.items() if name not in free} for one in (game, other)
    )
    return game.name == other.name and options == others


class Prover:
    """Proves whether the first player wins starts.

    Args:
        game: The game, with `reward="margin"`.
        memory: Megabytes for the transposition table, which all starts share.
        database: An endgame database, in games that have one.
    """

    def __init__(self, game: Game, memory: float, database: Database | None = None) -> None:
        self._measure = Measure.of(game)
        self._game, self._proofs = game, Proofs(game, self._measure, int(memory * 2**20), database or no_database())

    def result(self, state: States) -> str:
        """Return the result of the first player in a (1,) start, in which player 0 moves first; see `WIN`."""
        first = self._measure.unbounded(self._game, state)
        for goal, result in ((1, WIN), (0, DRAW)):
            reached = self._proofs.reaches(first, goal, lambda: None)
            if reached is None:
                return UNKNOWN
            if reached:
                return result
        return LOSS


def prove_starts(
    path: Path, name: str, game: Game, moved: int, prover: Prover, progress: Callable[[], object] = lambda: None
) -> str:
    """Prove the starts that a file does not know yet, write them into the file from time to time, and return all.

    KeyboardInterrupt ends the work without damage to the file.

    Args:
        path: The file, which is made if it does not exist.
        name: The name under which the file has this game.
        game: The game, with `reward="margin"`.
        moved: The number of moved seeds.
        prover: Its prover.
        progress: Called after every start.
    """
    saved = json.loads(path.read_text()) if path.exists() else {}
    states = starts(game, moved)
    results = list(saved.setdefault(name, {}).get(str(moved), UNKNOWN * len(states)))
    at = monotonic()
    try:
        for index in range(len(states)):
            if results[index] == UNKNOWN:
                results[index] = prover.result(states[index : index + 1])
            progress()
            if monotonic() - at > SAVED_EVERY:
                at = monotonic()
                save(path, saved, name, moved, results)
    finally:
        save(path, saved, name, moved, results)
    return "".join(results)


def save(path: Path, saved: dict[str, dict[str, str]], name: str, moved: int, results: list[str]) -> None:
    """Write the results of starts into the file."""
    saved[name][str(moved)] = "".join(results)
    write_json(path, saved)
