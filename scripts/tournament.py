"""Play a round-robin tournament, and rate the agents by Bradley-Terry ratings with 95% intervals.

    python scripts/tournament.py kalah random greedy minimax:4 mcts:400
    python scripts/tournament.py qelat greedy mcts:400 runs/*/model.zip --games 1000 --jobs 8
    python scripts/tournament.py qelat random greedy minimax:2 --campaign --option columns=4
    python scripts/tournament.py kalah greedy mcts:1000 mcts:10000 --ray auto
    python scripts/tournament.py all random greedy minimax:4 expert:400 'runs/{game}/model.zip' --out runs/elo

Agents are random, greedy, a search such as minimax:6, mcts:400 or mcts:50ms, or the path of a saved MaskablePPO model.
All pairs of agents play from the same random openings, each opening twice with the seats swapped. In a game with more
than two seats the two agents take alternate seats, so that partners are the same agent. The agent whose seats have the
higher mean reward wins; equal rewards are a draw.

Ratings are on the Elo scale with mean 0, and a draw counts as half a win (D. R. Hunter, Annals of Statistics 32, 2004,
"MM algorithms for generalized Bradley-Terry models"); intervals come from the Fisher information. One drawn game is
added between every two agents, so that an agent that has won all its games has a finite rating.

Writes results.json to the output folder after every batch of games, and ratings.json, table.md and ratings.png at the
end. Ctrl-C and SIGTERM end the tournament early without damaged files. A new call with the same folder continues the
tournament, also with more games or more agents. The results depend only on the seed, whatever the number of processes,
except for agents with a budget in milliseconds. With --ray the batches run as tasks on a Ray cluster: this needs
``pip install "mancala_envs[rllib]"`` on every node, and the checkout and the models at the same path on every node.

With `all` in place of a game there is a tournament in every game, each in a folder of its own, and a table of all
ratings. Models whose path contains `{game}` play the games that have them.
"""

from pathlib import Path

from mancala_envs.evaluation.every_game import play_all, tournaments
from mancala_envs.evaluation.tournament import Tournament
from mancala_envs.programs.arguments import (
    ALL,
    GAME,
    add_game_options,
    add_opening,
    add_seed,
    game_or_all,
    positive,
    program,
    usage_errors,
)


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument(
        "game", type=game_or_all, metavar="GAME", help=f"{GAME}, or {ALL} for a tournament in every game"
    )
    add_game_options(parser)
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="random, greedy, a search or a saved model")
    parser.add_argument(
        "--games", type=positive, default=400, help="games of each pairing, rounded up to an even number"
    )
    parser.add_argument("--batch", type=positive, default=50, help="games played in parallel, an even number")
    add_opening(parser)
    add_seed(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--jobs", type=positive, default=1, help="number of processes")
    where.add_argument("--ray", metavar="ADDRESS", help="address of a Ray cluster, or auto; local starts one")
    parser.add_argument("--out", type=Path, help="output folder (default tournaments/GAME)")
    args = parser.parse_args()
    if args.game == ALL:
        if args.campaign or args.options:
            parser.error(f"{ALL} takes neither --campaign nor --option")
        with usage_errors(parser, TypeError, ValueError):
            every = tournaments(args.agents, args.batch, args.opening, args.seed)
        with usage_errors(parser):
            play_all(args.out or Path("tournaments", ALL), args.agents, every, args.games, args.jobs, args.ray)
        return
    with usage_errors(parser, TypeError, ValueError):
        tournament = Tournament(
            args.game, args.agents, args.campaign, args.options, args.batch, args.opening, args.seed
        )
    with usage_errors(parser):
        out = args.out or Path("tournaments", tournament.name + "_campaign" * tournament.campaign)
        tournament.play(out, args.games, args.jobs, args.ray)


if __name__ == "__main__":
    main()
