"""A round robin: how strong agents are, as Bradley-Terry ratings with 95% intervals.

    python scripts/tournament.py kalah random greedy minimax:4 mcts:400
    python scripts/tournament.py qelat greedy mcts:400 runs/*/model.zip --games 1000 --jobs 8
    python scripts/tournament.py qelat random greedy minimax:2 --campaign --option columns=4
    python scripts/tournament.py kalah greedy mcts:1000 mcts:10000 --ray auto

Agents: random, greedy, a search such as minimax:6, mcts:400 or mcts:50ms, or the path of a saved MaskablePPO model.
Every two of them meet from the same random openings, and play each of these twice, the seats exchanged; where there
are more seats than two they sit in turn, so that partners are of one mind. Who is paid more at the end has won, and
of whom both halves of a pair are paid alike, has drawn.

Ratings are on the scale of Elo, their mean 0, and take a draw for half a win (D. R. Hunter, Annals of Statistics 32,
2004, "MM algorithms for generalized Bradley-Terry models"); intervals come from the Fisher information. So that who
has won all his games has a rating too, one drawn game is added between every two agents.

Writes into its folder, a new call with which goes on where the last one ended, with more games or more agents too:
results.json after every batch of games, ratings.json, table.md and ratings.png at the end. Each file is whole before it
takes the old one's place; Ctrl-C and SIGTERM end the tournament early. The seed decides everything but budgets in
milliseconds, however many processes there are. With --ray the batches are tasks of a Ray cluster: that needs
``pip install "mancala_envs[rllib]"`` on every node, and checkout and models at the same path of each.
"""

from pathlib import Path

from mancala_envs.evaluation.arguments import add_game, add_seed, positive, program, refusing
from mancala_envs.evaluation.tournament import Tournament


def main() -> None:
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="random, greedy, a search or a saved model")
    parser.add_argument("--games", type=positive, default=400, help="of each pairing, in whole batches (%(default)s)")
    parser.add_argument("--batch", type=positive, default=50, help="games played at once, an even number (%(default)s)")
    parser.add_argument("--opening", type=int, default=4, help="random turns at the beginning (default %(default)s)")
    add_seed(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=positive, default=1, help="processes (default %(default)s)")
    where.add_argument("--ray", metavar="ADDRESS", help="of a running Ray cluster, or auto; local starts one")
    parser.add_argument("--out", type=Path, help="folder of the tournament (default tournaments/GAME)")
    args = parser.parse_args()
    with refusing(parser, TypeError, ValueError):
        tournament = Tournament(
            args.game, args.agents, args.campaign, args.options, args.batch, args.opening, args.seed
        )
    with refusing(parser):
        out = args.out or Path("tournaments", args.game + "_campaign" * args.campaign)
        tournament.play(out, args.games, args.jobs, args.ray)


if __name__ == "__main__":
    main()
