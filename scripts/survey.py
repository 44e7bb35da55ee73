"""Print statistics of random play: how long games last, how they end and who wins.

    python scripts/survey.py puhulmutu
    python scripts/survey.py daramutu --campaign --games 500

Every player chooses uniformly among the legal actions. The same seed gives the same figures.
"""

from mancala_envs.evaluation.arguments import add_game, add_seed, positive, program, usage_errors
from mancala_envs.evaluation.survey import survey
from mancala_envs.registry import make_game


def main() -> None:
    """Run the program."""
    parser = program(__doc__)
    add_game(parser)
    parser.add_argument("--games", type=positive, default=2000, help="number of games (default %(default)s)")
    add_seed(parser)
    args = parser.parse_args()
    with usage_errors(parser, TypeError, ValueError):
        game = make_game(args.game, args.campaign, **args.options)
    print(survey(game, args.games, args.seed))


if __name__ == "__main__":
    main()
