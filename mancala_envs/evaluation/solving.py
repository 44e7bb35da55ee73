"""Solve a game of two without chance: what it is worth to its first player, and the best first actions.

    python scripts/solve.py daramutu
    python scripts/solve.py kalah --option seeds=3 --memory 800
    python scripts/solve.py kalah --database kalah.endings
    python scripts/solve.py qelat --option columns=3 --by graph --json
    python scripts/solve.py puhulmutu --option columns=4 --by graph --endless --drawn

What a game is worth is the first player's lead in its score under best play, in games of seeds, and else 1 where he
wins, 0 where it is drawn and -1 where he loses; `--option reward=win` asks the same of a game of seeds. Values are
proofs, whatever endless play is worth and without the bound `max_turns`. Where that is not proven, bounds are given.

Games whose seeds only leave play, such as kalah, have their endings valued first. `--database` keeps these in a file,
for the next time and for the opponent `perfect:FILE`; what an earlier run, finished or not, has written stays.

`--endless` lifts the bound `quiet_turns` too, which leaves fewer positions. `--by graph` looks at every position that
can be reached: another program, for small games. There `--drawn` makes play that never ends a draw, by which nobody
gains anything, whatever he has captured: everything is proven then, but by this judgement alone. `--json` writes one
object: `value` (null where it is not proven), `proven`, `bounds`, `best` (actions), `values` (by action; null or a
number), `line`, `positions`, `seconds`, `megabytes` (the most that the process took).
"""

import argparse
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from mancala_envs.agents.solve import MEMORY, Bounds, Endings, Solution, TooLarge, most_left, solve, solve_by_graph
from mancala_envs.agents.solve.endings import read_file, value_all, write_file
from mancala_envs.core.game import Game
from mancala_envs.registry import REGISTRY, make_game
from mancala_envs.scripts.arguments import add_game_options, positive


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


def endings_for(game: Game, args: argparse.Namespace, pause: Callable[[int], None]) -> Endings | None:
    """Those in the database, or of so many seeds left as are asked for; None where nothing is said of them."""
    most = args.left or most_left(game, game.init(1, 0), args.memory)
    if args.database:
        write_file(args.database, game, most, pause)
        return read_file(args.database, game)
    return value_all(game, most, pause) if args.left else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=REGISTRY, metavar="GAME", help="its name")
    add_game_options(parser)
    parser.add_argument("--by", choices=("proofs", "graph"), default="proofs", help="how (default %(default)s)")
    parser.add_argument("--endless", action="store_true", help="without a bound of quiet turns")
    parser.add_argument("--drawn", action="store_true", help="play that never ends is a draw; by the graph")
    parser.add_argument("--memory", type=positive, default=MEMORY, help="megabytes for it (default %(default)s)")
    parser.add_argument("--database", type=Path, metavar="FILE", help="of endings; what it lacks is written first")
    parser.add_argument("--left", type=positive, help="seeds left in endings, at most (default: by seeds and memory)")
    parser.add_argument("--json", action="store_true", help="one object, for other programs")
    args = parser.parse_args()
    if args.by == "graph" and (args.database or args.left):
        parser.error("--database and --left are for proofs: the graph has every position")
    if args.drawn and args.by != "graph":
        parser.error("--drawn is for the graph: proofs leave open what endless play is worth")
    options = dict(args.options)
    allowed = next((option.choices for option in REGISTRY[args.game].book.options if option.name == "reward"), ())
    if "margin" in allowed and not args.campaign:
        options = {"reward": "margin"} | options
    try:
        game = make_game(args.game, args.campaign, **options)
        with tqdm(unit=" positions", unit_scale=True, disable=args.json) as bar:

            def progress(known: str, positions: int) -> None:
                bar.set_description_str(f"{game.name} {known}", refresh=False)
                bar.update(positions - bar.n)

            if args.by == "graph":
                found = solve_by_graph(
                    game, memory=args.memory, endless=args.endless, drawn=args.drawn, progress=progress
                )
            else:
                endings = endings_for(game, args, lambda number: progress("endings", number))
                found = solve(game, memory=args.memory, endless=args.endless, endings=endings, progress=progress)
    except KeyboardInterrupt:
        sys.exit("stopped before it was solved")
    except (OSError, TooLarge, TypeError, ValueError) as error:
        parser.error(str(error))
    print(as_json(found) if args.json else as_text(game, found))


if __name__ == "__main__":
    main()
