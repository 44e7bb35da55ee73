"""A table of how often the opponents choose what is best: in positions that are solved.

    python scripts/optimal.py
    python scripts/optimal.py qelat --positions 2000 --agents greedy mcts:100 mcts:400

In each game of ENDINGS random games give one position each, drawn from those with few enough seeds in the holes in
which it matters what is played. They are solved (mancala_envs.agents.solve): every action's value is proven, the final
lead in seeds. Then every agent is asked once. He is right by the result when no other action leads to a better one of
win, draw and loss, for which he plays; and right by the lead when no other is worth more seeds to him. The table tells
how often, of positions in which it matters, with a 95% interval; random is right as often as actions are best.

Writes results.json into its folder after every batch of positions, and table.md at the end, of all that was ever looked
at there; a new call goes on where the last one ended. Ctrl-C and SIGTERM end it early, with whole files. The seed
decides everything but budgets in milliseconds.
"""

from pathlib import Path

from mancala_envs.agents import Searcher
from mancala_envs.evaluation.arguments import add_seed, positive, program, refusing
from mancala_envs.evaluation.optimal import AGENTS, ENDINGS, measure
from mancala_envs.registry import make_game


def main() -> None:
    parser = program(__doc__)
    parser.add_argument("chosen", nargs="*", metavar="GAME", help=f"of {', '.join(ENDINGS)} (default: all)")
    parser.add_argument("--agents", nargs="+", default=AGENTS, metavar="AGENT", help="who is asked")
    parser.add_argument("--positions", type=positive, default=10_000, help="of each game, in batches (%(default)s)")
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("optimal"), help="folder (default %(default)s)")
    args = parser.parse_args()
    for name in args.chosen:
        if name not in ENDINGS:
            parser.error(f"of {name!r} nothing is solved here; there are {', '.join(ENDINGS)}")
    chosen = args.chosen or list(ENDINGS)
    with refusing(parser, ValueError):
        for agent in args.agents:
            Searcher(make_game(chosen[0]), agent)
    with refusing(parser):
        measure(args.out, chosen, args.agents, args.positions, args.seed)


if __name__ == "__main__":
    main()
