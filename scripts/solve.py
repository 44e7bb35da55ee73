"""Solve a two-player game without chance: its value for the first player and the best first actions.

    python scripts/solve.py daramutu
    python scripts/solve.py kalah --option seeds=3 --memory 800
    python scripts/solve.py kalah --database kalah.endings
    python scripts/solve.py qelat --option columns=3 --by graph --json
    python scripts/solve.py puhulmutu --option columns=4 --by graph --endless --drawn

In games of seeds the value is the first player's lead under best play; in others, and with `--option reward=win`, it is
1 for a win, 0 for a draw and -1 for a loss. The limit `max_turns` is lifted. A value is proven if it is the same for
every value that one may give to play that never ends; otherwise its bounds are reported.

For games whose seeds can only leave play, such as kalah, an endgame database is computed first. `--database` saves it
to a file, which later runs and the opponent `perfect:FILE` use; layers that an earlier run has completed are kept.

`--endless` lifts the limit `quiet_turns` too, which leaves fewer distinct positions. `--by graph` solves the graph of
all reachable positions with another algorithm, for small games. With it, `--drawn` counts play that never ends as a
draw with a lead of zero, whatever has been captured; all values are then proven under this assumption. `--json` prints
one object: `value` (null if not proven), `proven`, `bounds`, `best` (actions), `values` (by action; a number or null),
`line`, `repeats` (the number of decisions after which the last position of the line occurred before, or null),
`positions`, `seconds`, `megabytes` (peak memory of the process, null on Windows).
"""

import sys
from pathlib import Path

from mancala_envs.agents.solve import MEMORY, TooLarge
from mancala_envs.evaluation.solving import as_json, as_text, game_to_solve, solve_with_progress
from mancala_envs.programs.arguments import add_game, positive, program, usage_errors


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument("--by", choices=("proofs", "graph"), default="proofs", help="algorithm")
    parser.add_argument("--endless", action="store_true", help="lift the limit quiet_turns")
    parser.add_argument("--drawn", action="store_true", help="count play that never ends as a draw; needs --by graph")
    parser.add_argument("--memory", type=positive, default=MEMORY, help="memory limit in megabytes")
    parser.add_argument(
        "--database", type=Path, metavar="FILE", help="file of an endgame database, which is completed first"
    )
    parser.add_argument(
        "--left", type=positive, help="maximum number of seeds in the database (default: what the memory allows)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")
    args = parser.parse_args()
    with usage_errors(parser, OSError, TooLarge, TypeError, ValueError):
        game = game_to_solve(args.game, args.campaign, args.options)
        try:
            found = solve_with_progress(
                game, args.by == "graph", args.endless, args.drawn, args.memory, args.database, args.left, args.json
            )
        except KeyboardInterrupt:
            sys.exit("interrupted before the game was solved")
    print(as_json(found) if args.json else as_text(game, found))


if __name__ == "__main__":
    main()
