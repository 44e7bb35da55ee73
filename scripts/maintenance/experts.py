"""Train the networks of the opponent `expert`, and measure them against minimax and mcts in the same time.

    python scripts/maintenance/experts.py kalah 'qelat(campaign=True)'
    python scripts/maintenance/experts.py --positions 400000 --out runs/small

Each game is trained in generations, beginning with the expert of the package or, where there is none, with the stronger
of minimax and mcts. In a generation, minimax with the expert's network plays itself from random openings, and three
networks are fitted to the positions; a fourth one learns by temporal differences. Matches choose the best network and
the search that plays better with it, minimax or mcts. It becomes the expert if it wins a match against the present one:
the 95% interval of its points must lie above 50%. Two generations in a row that win nothing end the training, as does
the limit of time. Then the expert plays the plain searches from random openings, each from both seats. If it loses to
one of them, its network loses its weights, and the expert is the stronger of these searches.

In campaigns the networks are fitted to the results of rounds, and the later rounds of matches also begin with random
decisions. In games with chance, such as races, the only network of a generation learns by temporal differences, and
matches leave luck out of the points. Without names, all games and all campaigns are trained, one for each rule book.

Writes GAME.network or GAME_campaign.network for each, results.json, table.md and table.json to the output folder. In
the table, intervals that do not lie entirely above 50% are in bold. Ctrl-C and SIGTERM end the program early without
damaged files; a new call with the same folder continues with the generation that was interrupted. `--install` copies
the networks into the package.
"""

from pathlib import Path

from mancala_envs.learning import ExpertSettings, train_experts
from mancala_envs.learning.experts import all_games
from mancala_envs.programs.arguments import (
    add_defaults,
    add_seed,
    duration,
    positive,
    program,
    usage_errors,
    usual_game,
)


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    parser.add_argument(
        "games", nargs="*", type=usual_game, metavar="GAME", help="name, or NAME(campaign=True) (default: all)"
    )
    parser.add_argument("--positions", type=positive, help="positions of self-play for each game")
    parser.add_argument(
        "--minutes",
        type=duration,
        help="limit of the CPU time of self-play and of temporal differences in a generation",
    )
    parser.add_argument("--total", type=duration, help="CPU time for a game after which no further generation begins")
    parser.add_argument("--epochs", type=positive, help="how often a position is used")
    parser.add_argument("--milliseconds", type=positive, help="time of a decision in the matches")
    parser.add_argument("--pairs", type=positive, help="pairs of games of each match, at most")
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/experts"), help="output folder")
    parser.add_argument("--install", action="store_true", help="copy the networks into the package")
    add_defaults(parser, ExpertSettings)
    args = parser.parse_args()
    out, games, install = (vars(args).pop(name) for name in ("out", "games", "install"))
    with usage_errors(parser, ValueError):
        train_experts(out, games or all_games(), ExpertSettings(**vars(args)), install)


if __name__ == "__main__":
    main()
