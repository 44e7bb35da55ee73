"""What a game of two without chance is worth, solved with a progress bar and told as text or JSON."""

import json
import resource
import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from mancala_envs.agents.solve import MEMORY, Bounds, Solution, most_left, solve, solve_by_graph
from mancala_envs.agents.solve.database import compute_database, read_file, write_file
from mancala_envs.game import Game
from mancala_envs.registry import REGISTRY, make_game


def scored(name: str, campaign: bool, options: dict[str, Any]) -> Game:
    """A game in which leads are paid, where it has them and nothing else is asked for."""
    choices = next((option.choices for option in REGISTRY[name].book.options if option.name == "reward"), ())
    usual = {"reward": "margin"} if "margin" in choices and not campaign else {}
    return make_game(name, campaign, **usual | options)


def solve_shown(
    game: Game,
    by_graph: bool = False,
    endless: bool = False,
    drawn: bool = False,
    memory: int = MEMORY,
    database: Path | None = None,
    left: int | None = None,
    quiet: bool = False,
) -> Solution:
    """Solve a game behind a progress bar.

    Args:
        game: any that `mancala_envs.agents.solve` takes.
        by_graph: look at every position that can be reached, instead of proofs.
        endless: lift the bound of quiet turns too.
        drawn: count play that never ends as a draw; by the graph only.
        memory: megabytes.
        database: the file of an endgame database, which is completed first. For proofs only.
        left: the most seeds left in the database (default: as many as the memory allows). For proofs only.
        quiet: whether to leave out the bar.

    Raises:
        TooLarge: if the memory does not suffice.
        ValueError: for a game that cannot be solved, and for arguments of the other way of solving.
    """
    if by_graph and (database or left):
        raise ValueError("a database and seeds left are for proofs: the graph has every position")
    if drawn and not by_graph:
        raise ValueError("drawn is for the graph: proofs leave open what endless play is worth")
    with tqdm(unit=" positions", unit_scale=True, disable=quiet) as bar:

        def progress(known: str, positions: int) -> None:
            bar.set_description_str(f"{game.name} {known}", refresh=False)
            bar.update(positions - bar.n)

        def pause(number: int) -> None:
            progress("endings", number)

        if by_graph:
            return solve_by_graph(game, memory=memory, endless=endless, drawn=drawn, progress=progress)
        found = None
        if database or left:
            most = left or most_left(game, game.init(1, 0), memory)
            if database:
                write_file(database, game, most, pause)
            found = read_file(database, game) if database else compute_database(game, most, pause)
        return solve(game, memory=memory, endless=endless, database=found, progress=progress)


def in_words(bounds: Bounds) -> str:
    """A value, or between what it lies."""
    low, high = bounds
    return f"{low:+d}" if low == high else f"from {low:+d} to {high:+d}"


def as_text(game: Game, found: Solution) -> str:
    lines = [f"{game.header}: {in_words(found.bounds)}{'' if found.proven else ', not proven'}"]
    for action, bounds in found.by_action.items():
        mark = "  best" if action in found.best else ""
        lines.append(f"{action:6}  {in_words(bounds):16} {game.names_for(found.to_move)[action]}{mark}")
    if found.line:
        lines.append("best play: " + " ".join(map(str, found.line)))
    lines.append(f"{found.positions:,} positions, {found.seconds:.1f} s, {megabytes()} MB")
    return "\n".join(lines)


def as_json(found: Solution) -> str:
    values = {action: low if low == high else None for action, (low, high) in found.by_action.items()}
    return json.dumps(
        {
            "value": found.value,
            "proven": found.proven,
            "bounds": found.bounds,
            "best": found.best,
            "values": values,
            "line": found.line,
            "positions": found.positions,
            "seconds": round(found.seconds, 3),
            "megabytes": megabytes(),
        }
    )


def megabytes() -> int:
    """The most memory that this process has had."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "linux" else most // 2**20
