"""Our searches against OpenSpiel's Monte-Carlo tree search on Kalah and Oware: points, and time a decision.

    python scripts/against_open_spiel.py kalah mcts:1000 minimax:6 --games 400

Both programs play the same game side by side, from random openings, with every opening from both seats. OpenSpiel's
search is its C++ MCTSBot with random rollouts. Points count draws as halves; the interval is 95%.
"""

from mancala_envs.evaluation.arguments import add_seed, positive, program, refusing


def main() -> None:
    parser = program(__doc__)
    parser.add_argument("game", choices=("kalah", "oware"))
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="minimax:TURNS, mcts:SIMULATIONS, ...")
    parser.add_argument("--simulations", type=positive, default=1000, help="of OpenSpiel (default %(default)s)")
    parser.add_argument("--games", type=positive, default=400, help="for each agent (default %(default)s)")
    add_seed(parser)
    args = parser.parse_args()
    with refusing(parser, ValueError):
        from mancala_envs.evaluation.open_spiel import compare  # Needs OpenSpiel.

        compare(args.game, args.agents, args.simulations, args.games, args.seed)


if __name__ == "__main__":
    main()
