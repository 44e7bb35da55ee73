"""Command-line arguments shared by the programs for playing."""

import argparse

from mancala_envs.play.session import Session, begin_session
from mancala_envs.programs.arguments import add_game, usage_errors


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a session: the game and its options, the players, the seed and the start position."""
    add_game(parser)
    agents = "agent of all other seats: random, greedy, a search such as minimax:6, or the path of a saved model"
    parser.add_argument("--opponent", default="mcts:400", metavar="AGENT", help=agents)
    seats = "seats of people (default 0; with no number, agents play every seat)"
    parser.add_argument("--seat", type=int, nargs="*", default=[0], help=seats)
    parser.add_argument("--seed", type=int, help="random seed of chance and agents (default: drawn, and printed)")
    start = "start from this position, in the notation that `position` prints"
    parser.add_argument("--position", metavar="TEXT", help=start)


def session_of(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Session:
    """Start the session that `args` describe, or end the program with a usage error."""
    with usage_errors(parser, TypeError, ValueError):
        return begin_session(args.game, args.campaign, args.options, args.seat, args.opponent, args.seed, args.position)
