"""Solve a game of two without chance: what it is worth to its first player, and the best first actions.

    python scripts/solve.py daramutu
    python scripts/solve.py kalah --option seeds=3 --memory 800
    python scripts/solve.py kalah --database kalah.endings
    python scripts/solve.py qelat --option columns=3 --by graph --json
    python scripts/solve.py puhulmutu --option columns=4 --by graph --endless --drawn

What a game is worth is the first player's lead in its score under best play, in games of seeds, and else 1 where he
wins, 0 where it is drawn and -1 where he loses; `--option reward=win` asks the same of a game of seeds. Values are
proofs, whatever endless play is worth and without the bound `max_turns`. Where that is not proven, bounds are given.

For games whose seeds only leave play, such as kalah, it computes an endgame database first. `--database` keeps that in
a file, for the next time and for the opponent `perfect:FILE`; layers that an earlier run has completed stay.

`--endless` lifts the bound `quiet_turns` too, which leaves fewer positions. `--by graph` looks at every position that
can be reached: another program, for small games. There `--drawn` makes play that never ends a draw, by which nobody
gains anything, whatever he has captured: everything is proven then, but by this judgement alone. `--json` writes one
object: `value` (null where it is not proven), `proven`, `bounds`, `best` (actions), `values` (by action; null or a
number), `line`, `positions`, `seconds`, `megabytes` (the most that the process took).
"""

import sys
from pathlib import Path

from mancala_envs.agents.solve import MEMORY, TooLarge
from mancala_envs.evaluation.arguments import add_game, positive, program, refusing
from mancala_envs.evaluation.solving import as_json, as_text, scored, solve_shown


def main() -> None:
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument("--by", choices=("proofs", "graph"), default="proofs", help="how (default %(default)s)")
    parser.add_argument("--endless", action="store_true", help="without a bound of quiet turns")
    parser.add_argument("--drawn", action="store_true", help="play that never ends is a draw; by the graph")
    parser.add_argument("--memory", type=positive, default=MEMORY, help="megabytes for it (default %(default)s)")
    parser.add_argument("--database", type=Path, metavar="FILE", help="an endgame database; it is completed first")
    parser.add_argument("--left", type=positive, help="the most seeds left in the database (default: by memory)")
    parser.add_argument("--json", action="store_true", help="one object, for other programs")
    args = parser.parse_args()
    with refusing(parser, OSError, TooLarge, TypeError, ValueError):
        game = scored(args.game, args.campaign, args.options)
        try:
            found = solve_shown(
                game, args.by == "graph", args.endless, args.drawn, args.memory, args.database, args.left, args.json
            )
        except KeyboardInterrupt:
            sys.exit("stopped before it was solved")
    print(as_json(found) if args.json else as_text(game, found))


if __name__ == "__main__":
    main()
