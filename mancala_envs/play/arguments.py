"""Arguments of the programs in which people play."""

import argparse

from mancala_envs.evaluation.arguments import add_game, refusing
from mancala_envs.play.session import Session, begin_session


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """The game with its options, who plays it, and where it begins."""
    add_game(parser)
    agents = "random, greedy, a search such as minimax:6, or a saved model (default %(default)s)"
    parser.add_argument("--opponent", default="mcts:400", metavar="AGENT", help=agents)
    parser.add_argument(
        "--seat", type=int, nargs="*", default=[0], help="of people (default 0; without number: nobody)"
    )
    parser.add_argument("--seed", type=int, help="of luck and of the agents (default: drawn, and told)")
    parser.add_argument("--position", metavar="TEXT", help="where the game begins, as `position` tells it")


def session_of(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Session:
    """The session that `args` ask for; ends the program where there is none, saying why."""
    with refusing(parser, TypeError, ValueError):
        return begin_session(args.game, args.campaign, args.options, args.seat, args.opponent, args.seed, args.position)
