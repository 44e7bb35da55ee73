"""What a game is like and what its options make of it: who is ahead by moving first, how long games are, how wide.

    python scripts/analyse.py daramutu
    python scripts/analyse.py kalah --option seeds=3 --strong minimax:4 --sizes
    python scripts/analyse.py --out docs/study

The game is played with its options as they are, or as `--option` says, and then with one of them changed at a time:
each other reading of the source and each other number that is near. Bounds of endless play, how rewards are counted,
and numbers that follow another option stay; so do sizes of the board, each of which must be compiled, without
`--sizes`. What the game does not allow by itself is left out. Without a GAME all games are played, which is the study
of the documentation.

Writes results.json into its folder after every match, and at the end index.md and a picture of each game; a new call
goes on where the last one ended. Ctrl-C and SIGTERM end it early, with whole files. The seed decides everything but
budgets in milliseconds.

The page explains the figures, and `--help` does.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import add_option, add_seed, positive, program, refusing
from mancala_envs.evaluation.study import EXPLAINED, Plan
from mancala_envs.registry import REGISTRY


def main() -> None:
    parser = program(f"{__doc__}\n{EXPLAINED}")
    parser.add_argument("game", nargs="?", choices=REGISTRY, metavar="GAME", help="its name (default: all games)")
    add_option(parser)
    parser.add_argument("--sizes", action="store_true", help="other sizes of the board too")
    parser.add_argument("--strong", default=Plan.strong, help="who plays well (default %(default)s)")
    parser.add_argument("--games", type=positive, default=Plan.games, help="of a match at most (%(default)s)")
    parser.add_argument("--decisions", type=positive, default=Plan.decisions, help="of random and greedy (%(default)s)")
    parser.add_argument(
        "--strong-decisions", type=positive, default=Plan.strong_decisions, help="of the strong one (%(default)s)"
    )
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("study"), help="folder (default %(default)s)")
    args = parser.parse_args()
    out = vars(args).pop("out")
    with refusing(parser, TypeError, ValueError):
        plan = Plan(**vars(args))
    with refusing(parser):
        plan.play(out)


if __name__ == "__main__":
    main()
