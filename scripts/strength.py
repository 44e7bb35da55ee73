"""Play matches between built-in opponents in every game for two players: the deeper search should win.

    python scripts/strength.py
    python scripts/strength.py kalah oware --games 100

Games start from random openings. Each opening is played twice, with the seats swapped, as in scripts/tournament.py. The
table shows the share of the points that the stronger agent won, half a point for a draw, with a 95% interval. Results
whose interval does not lie entirely above 50% are in bold. The two games from an opening count as one result, because
the opening may be lost for one seat. For the interval, one won and one lost pair of games are added, so that it has a
width even if all games are won (A. Agresti, B. Coull, The American Statistician 52, 1998).

Writes results.json to the output folder after every batch of games, and table.md, of all results in it, at the end.
Ctrl-C and SIGTERM end the program early without damaged files; the same command continues. The results depend only on
the seed.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import add_opening, add_seed, game_name, positive, program, usage_errors
from mancala_envs.evaluation.strength import GAMES, games_for_two, measure


def main() -> None:
    """Run the program."""
    parser, known = program(__doc__), games_for_two()
    parser.add_argument(
        "chosen", nargs="*", type=game_name, metavar="GAME", help="name, such as kalah (default: all two-player games)"
    )
    parser.add_argument(
        "--games",
        type=positive,
        default=GAMES,
        help="games of each match, rounded up to batches of 50 (default %(default)s)",
    )
    add_opening(parser)
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/strength"), help="output folder (default %(default)s)")
    args = parser.parse_args()
    for name in args.chosen:
        if name not in known:
            parser.error(f"{name!r} is not a game for two players; choose from {', '.join(known)}")
    with usage_errors(parser, ValueError):
        games = {name: known[name] for name in args.chosen} or known
        measure(args.out, games, args.games, args.opening, args.seed)


if __name__ == "__main__":
    main()
