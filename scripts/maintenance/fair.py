"""Find fair starts: prove which positions near the start of a game are draws under best play.

    python scripts/maintenance/fair.py kalah --database kalah.endings --left 22 --memory 6000 --out fair.json
    python scripts/maintenance/fair.py qelat --option columns=3 --moved 1 --out fair.json

The starts differ from the usual one by `--moved` seeds, each moved from a hole to another hole or to a store. The file
has a character for each: + if the first player wins, 0 for a draw, - if the first player loses, and ? if it is not
proven. Ctrl-C ends the program, and the same command continues. mancala_envs.evaluation.fair has the starts of
`fair.json` in its folder. In Kalah `--database` completes an endgame database first, as scripts/solve.py does.
"""

import sys

from mancala_envs.agents.solve.database import has_database, read_file, write_file
from mancala_envs.evaluation.fair import Prover, prove_starts, starts
from mancala_envs.evaluation.solving import game_to_solve
from mancala_envs.programs.arguments import add_game, file_to_write, positive, program, usage_errors
from mancala_envs.programs.progress import Bar
from mancala_envs.registry import make_game


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument(
        "--moved", type=positive, nargs="+", default=[1, 2], help="numbers of moved seeds (default: 1 2)"
    )
    parser.add_argument("--memory", type=positive, default=512, help="megabytes for the transposition table")
    parser.add_argument("--database", type=file_to_write, metavar="FILE", help="file of an endgame database")
    parser.add_argument("--left", type=positive, default=18, help="maximum number of seeds in the database")
    parser.add_argument("--out", type=file_to_write, required=True, metavar="FILE", help="file to write")
    args = parser.parse_args()
    with usage_errors(parser, OSError, TypeError, ValueError):
        game = game_to_solve(args.game, args.campaign, args.options | {"reward": "margin"})
        name = make_game(args.game, args.campaign, **args.options).header
        database = None
        if args.database and not has_database(game):
            parser.error(f"--database: {name} has no endgame databases")
        if args.database:
            with Bar(desc="endgame database", unit=" positions", unit_scale=True) as bar:
                write_file(args.database, game, args.left, lambda number: bar.update(number - bar.n))
            database = read_file(args.database, game)
        prover = Prover(game, args.memory, database)
        for moved in args.moved:
            number = len(starts(game, moved))
            try:
                with Bar(desc=f"{moved} moved", total=number, unit=" starts") as bar:
                    found = prove_starts(args.out, name, game, moved, prover, bar.update)
            except KeyboardInterrupt:
                sys.exit("interrupted; the same command continues")
            counts = ", ".join(f"{found.count(result)} {result}" for result in "+0-?")
            print(f"{moved} moved: {number} starts, {counts}")


if __name__ == "__main__":
    main()
