"""Measure how often the agents choose an optimal action, on solved endgame positions.

    python scripts/optimal.py
    python scripts/optimal.py qelat --positions 2000 --agents greedy mcts:100 mcts:400

Random games provide one position each, sampled from the positions with few seeds in the holes and more than one legal
action. Each is solved (mancala_envs.agents.solve): the value of an action is the proven final lead in seeds. Positions
in which all actions have the same value are left out. Each agent then chooses once in each position. The choice is
optimal by result if no other action leads to a better result (win, draw or loss), which is what agents play for. It is
optimal by lead if no other action leads to a larger lead. The table shows the share of optimal choices among positions
in which not every action is optimal, with a 95% confidence interval; for random it is the expected share.

Writes results.json to the output folder after every batch of positions, and table.md, of all results in it, at the end.
Ctrl-C and SIGTERM end the program early without damaged files; the same command continues. The results depend only on
the seed, except for agents with a budget in milliseconds.
"""

from pathlib import Path

from mancala_envs.agents import Searcher
from mancala_envs.evaluation.arguments import add_seed, game_name, positive, program, usage_errors
from mancala_envs.evaluation.optimal import AGENTS, ENDINGS, measure
from mancala_envs.registry import make_game


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument(
        "chosen", nargs="*", type=game_name, metavar="GAME", help=f"any of {', '.join(ENDINGS)} (default: all)"
    )
    parser.add_argument(
        "--agents", nargs="+", default=AGENTS, metavar="AGENT", help=f"agents to test (default: {' '.join(AGENTS)})"
    )
    parser.add_argument(
        "--positions",
        type=positive,
        default=10_000,
        help="positions of each game, rounded up to batches of 250 (default %(default)s)",
    )
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/optimal"), help="output folder (default %(default)s)")
    args = parser.parse_args()
    for name in args.chosen:
        if name not in ENDINGS:
            parser.error(f"there are no solved positions of {name!r}; there are some of {', '.join(ENDINGS)}")
    chosen = args.chosen or list(ENDINGS)
    with usage_errors(parser, ValueError):
        for agent in args.agents:
            Searcher(make_game(chosen[0]), agent)
    with usage_errors(parser):
        measure(args.out, chosen, args.agents, args.positions, args.seed)


if __name__ == "__main__":
    main()
