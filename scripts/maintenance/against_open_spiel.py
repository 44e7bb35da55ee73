"""Play our searches against OpenSpiel's Monte-Carlo tree search on Kalah and Oware.

    python scripts/maintenance/against_open_spiel.py kalah mcts:1000 minimax:6 --games 400

OpenSpiel's search is its C++ MCTSBot with random rollouts. Games start from random openings, and each opening is played
from both seats. Prints points with a 95% confidence interval, half a point for a draw, and CPU time per decision, and
writes them to table.md and table.json in the output folder.
"""

from pathlib import Path

from mancala_envs.programs.arguments import add_opening, add_seed, positive, program, usage_errors


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument("game", choices=("kalah", "oware"))
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="minimax:TURNS, mcts:SIMULATIONS, ...")
    parser.add_argument("--simulations", type=positive, default=1000, help="OpenSpiel's simulations per decision")
    parser.add_argument("--games", type=positive, default=400, help="games of each agent")
    add_opening(parser)
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/open_spiel"), help="output folder")
    args = parser.parse_args()
    with usage_errors(parser, ValueError):
        from mancala_envs.studies.open_spiel import compare  # Needs OpenSpiel.

        compare(args.out, args.game, args.agents, args.simulations, args.games, args.opening, args.seed)


if __name__ == "__main__":
    main()
