"""Who sits at which game: arguments of the programs in which people play."""

import argparse

from mancala_envs.registry import REGISTRY
from mancala_envs.scripts.arguments import add_game_options
from mancala_envs.scripts.sitting import Sitting, sit_down


def add_seats(parser: argparse.ArgumentParser) -> None:
    """The game with its options, who plays it, and where it begins."""
    parser.add_argument("game", choices=REGISTRY, metavar="GAME", help="its name, such as kalah")
    add_game_options(parser)
    agents = "random, greedy, a search such as minimax:6, or a saved model (default %(default)s)"
    parser.add_argument("--opponent", default="mcts:400", metavar="AGENT", help=agents)
    parser.add_argument(
        "--seat", type=int, nargs="*", default=[0], help="of people (default 0; without number: nobody)"
    )
    parser.add_argument("--seed", type=int, help="of luck and of the agents (default: drawn, and told)")
    parser.add_argument("--position", metavar="TEXT", help="where the game begins, as `position` tells it")


def seated(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Sitting:
    """The game that `args` ask for; ends the program where there is none, saying why."""
    try:
        return sit_down(
            args.game, args.campaign, dict(args.options), args.seat, args.opponent, args.seed, args.position
        )
    except (TypeError, ValueError) as error:
        parser.error(str(error))
