"""Solving two-player games without chance, with a progress bar, and reports as text or JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from mancala_envs.agents.solve import MEMORY, Bounds, Solution, most_left, solve, solve_by_graph
from mancala_envs.agents.solve.database import compute_database, most_left_within, read_file, write_file
from mancala_envs.core.options import require
from mancala_envs.game import Game
from mancala_envs.programs.progress import Bar
from mancala_envs.registry import REGISTRY, make_game, read_game


def game_to_solve(game: Game | str, campaign: bool, options: dict[str, Any]) -> Game:
    """Make a game whose reward is the lead, if it offers `reward="margin"` and `options` do not say otherwise.

    Args:
        game: the game, as `make_game` takes it.
        campaign: whether to make a campaign; its reward stays as it is.
        options: options of the game.
    """
    name, campaign, options = read_game(game, campaign, **options)
    choices = next((option.choices for option in REGISTRY[name].book.options if option.name == "reward"), ())
    default = {"reward": "margin"} if "margin" in choices and not campaign else {}
    return make_game(name, campaign, **default | options)


def solve_with_progress(
    game: Game,
    by_graph: bool = False,
    endless: bool = False,
    drawn: bool = False,
    memory: int = MEMORY,
    database: Path | None = None,
    left: int | None = None,
    quiet: bool = False,
) -> Solution:
    """Solve a game with a progress bar.

    Args:
        game: any game that `mancala_envs.agents.solve` takes.
        by_graph: whether to solve the graph of all reachable positions, instead of by proofs.
        endless: whether to lift the limit `quiet_turns` too.
        drawn: whether play that never ends counts as a draw; needs `by_graph`.
        memory: memory limit in megabytes.
        database: file of an endgame database, which is completed first. Not with `by_graph`.
        left: maximum number of seeds in play in the database (default: what the memory allows). Not with
            `by_graph`.
        quiet: whether to hide the progress bar.

    Raises:
        TooLarge: if the memory does not suffice.
        ValueError: if the game cannot be solved, or arguments do not go together.
    """
    if by_graph and (database or left):
        raise ValueError("database and left work only with proofs: the graph needs no endgame database")
    if left:
        allowed = most_left_within(game, memory * 2**20)
        require(left <= allowed, f"left must be at most {allowed} with {memory} megabytes of memory, got {left}")
    if drawn and not by_graph:
        raise ValueError("drawn needs the graph: proofs leave the value of endless play open")
    with Bar(unit=" positions", unit_scale=True, disable=quiet) as bar:

        def progress(stage: str, positions: int) -> None:
            bar.set_description_str(f"{game.name} {stage}", refresh=False)
            bar.update(positions - bar.n)

        def database_progress(positions: int) -> None:
            progress("endgame database", positions)

        if by_graph:
            return solve_by_graph(game, memory=memory, endless=endless, drawn=drawn, progress=progress)
        found = None
        if database or left:
            most = left or most_left(game, game.init(1, 0), memory)
            if database:
                write_file(database, game, most, database_progress)
            found = read_file(database, game) if database else compute_database(game, most, database_progress)
        return solve(game, memory=memory, endless=endless, database=found, progress=progress)


def format_bounds(bounds: Bounds) -> str:
    """Format a value, or its bounds if they differ."""
    low, high = bounds
    return f"{low:+d}" if low == high else f"from {low:+d} to {high:+d}"


def as_text(game: Game, found: Solution) -> str:
    """Return a report: the game's value, the values of its actions, and best play."""
    lines = [f"{game.header}: {format_bounds(found.bounds)}{'' if found.proven else ', not proven'}"]
    for action, bounds in found.by_action.items():
        mark = "  best" if action in found.best else ""
        lines.append(f"{action:6}  {format_bounds(bounds):16} {game.names_for(found.to_move)[action]}{mark}")
    if found.line:
        repeats = "" if found.repeats is None else f", the same position as after {found.repeats} decisions"
        lines.append("best play: " + " ".join(map(str, found.line)) + repeats)
    memory = "" if (used := megabytes()) is None else f", {used} MB"
    lines.append(f"{found.positions:,} positions, {found.seconds:.1f} s{memory}")
    return "\n".join(lines)


def as_json(found: Solution) -> str:
    """Return the report as a JSON object; an action whose value is not proven has the value null."""
    values = {action: low if low == high else None for action, (low, high) in found.by_action.items()}
    return json.dumps(
        {
            "value": found.value,
            "proven": found.proven,
            "bounds": found.bounds,
            "best": found.best,
            "values": values,
            "line": found.line,
            "repeats": found.repeats,
            "positions": found.positions,
            "seconds": round(found.seconds, 3),
            "megabytes": megabytes(),
        }
    )


def megabytes() -> int | None:
    """Return the peak memory of this process in megabytes, None on Windows."""
    if sys.platform == "win32":
        return None
    import resource  # Only POSIX has it.

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // 1024 if sys.platform == "linux" else most // 2**20
