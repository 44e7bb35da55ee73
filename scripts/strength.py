"""A table of how strong the opponents are, in every game that two can play: who looks farther should win.

    python scripts/strength.py
    python scripts/strength.py kalah oware --games 100

In each game the agents of MATCHES meet from random openings, each of which is played twice, the seats exchanged, as in
scripts/tournament.py. The table tells how many of the points the stronger one has won, a draw being half of one, with a
95% interval; in bold where that is not above one half. Both games of a pair count as one result, for an opening may be
lost for whoever must play one of its sides. So that who has won all has an interval too, one pair more counts as won
there and one as lost (A. Agresti, B. Coull, The American Statistician 52, 1998).

Writes results.json into its folder after every batch of games, and table.md at the end, of all that was ever played
there; a new call goes on where the last one ended. Ctrl-C and SIGTERM end it early, with whole files. The seed decides
everything.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import add_seed, positive, program, refusing
from mancala_envs.evaluation.strength import GAMES, games_for_two, measure


def main() -> None:
    parser, known = program(__doc__), games_for_two()
    parser.add_argument("chosen", nargs="*", metavar="GAME", help="its name, such as kalah (default: all, for two)")
    parser.add_argument("--games", type=positive, default=GAMES, help="of each match, in batches of 50 (%(default)s)")
    parser.add_argument("--opening", type=positive, default=4, help="random turns before a game (%(default)s)")
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("strength"), help="folder (default %(default)s)")
    args = parser.parse_args()
    for name in args.chosen:
        if name not in known:
            parser.error(f"{name!r} is no game that two can play; there are {', '.join(known)}")
    with refusing(parser):
        games = {name: known[name] for name in args.chosen} or known
        measure(args.out, games, args.games, args.opening, args.seed)


if __name__ == "__main__":
    main()
