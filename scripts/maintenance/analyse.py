"""Measure the first player's advantage, the length and the branching of games, and the effect of each option.

    python scripts/maintenance/analyse.py daramutu
    python scripts/maintenance/analyse.py daramutu --random --campaign
    python scripts/maintenance/analyse.py kalah --option seeds=3 --strong minimax:4 --sizes
    python scripts/maintenance/analyse.py --out docs/study

The game is played with its default options, or those of `--option`, and then with one option changed at a time: to each
other choice or, for a number with a wide range, to the next lower and the next higher number. Limits on endless play,
the kind of reward, and options that by default equal another option are not varied. Sizes of the board are varied only
with `--sizes`, because each size must be compiled. Combinations that the game does not allow are skipped. Without GAME
all games are played; this is the study in the documentation. `--random` prints statistics of random play instead.

Writes results.json to the output folder after every match, and a picture of each game at the end; with GAME it then
prints the table. Ctrl-C and SIGTERM end the program early without damaged files; the same command continues. The
results depend only on the seed, except with a budget in milliseconds.

The end of `--help` explains the figures.
"""

from pathlib import Path

from mancala_envs.programs.arguments import GAME, add_option, add_seed, game, positive, program, usage_errors
from mancala_envs.registry import make_game
from mancala_envs.studies.options import METHOD, Plan
from mancala_envs.studies.played import statistics_of_random_play


def main() -> None:
    """Run the program."""
    parser = program(f"{__doc__}\n{METHOD}")
    parser.add_argument("game", nargs="?", type=game, metavar="GAME", help=f"{GAME} (default: all games)")
    add_option(parser)
    parser.add_argument("--random", action="store_true", help="only print statistics of random play")
    parser.add_argument("--campaign", action="store_true", help="play campaigns; needs --random")
    parser.add_argument("--sizes", action="store_true", help="vary sizes of the board too")
    parser.add_argument("--strong", default=Plan.strong, help="strong agent, a search")
    parser.add_argument("--games", type=positive, default=Plan.games, help="maximum number of games in a match")
    parser.add_argument(
        "--decisions",
        type=positive,
        default=Plan.decisions,
        help="approximate number of decisions in a match of random or greedy",
    )
    parser.add_argument(
        "--strong-decisions", type=positive, default=Plan.strong_decisions, help="the same for the strong agent"
    )
    add_seed(parser)
    parser.add_argument("--out", type=Path, default=Path("runs/study"), help="output folder")
    args = parser.parse_args()
    out, random, campaign = (vars(args).pop(name) for name in ("out", "random", "campaign"))
    if (campaign and not random) or (random and args.game is None):
        parser.error("--campaign needs --random, and --random needs a GAME")
    with usage_errors(parser, TypeError, ValueError):
        if random:
            played = make_game(args.game, campaign, **args.options)
            print(statistics_of_random_play(played, args.games, args.seed))
            return
        plan = Plan(**vars(args))
    with usage_errors(parser):
        plan.play(out)


if __name__ == "__main__":
    main()
