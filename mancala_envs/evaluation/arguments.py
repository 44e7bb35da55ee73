"""Arguments that several programs take."""

import argparse
import ast
from typing import Any


def option(text: str) -> tuple[str, Any]:
    """`columns=4` as name and value; what is no Python literal is a word."""
    name, given, value = text.partition("=")
    if not given:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def positive(text: str) -> int:
    """An integer of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """`--campaign` and `--option`, of whatever game is asked for; the options come as a list of names and values."""
    parser.add_argument("--campaign", action="store_true", help="play campaigns, rounds tied together")
    parser.add_argument(
        "--option", action="append", default=[], type=option, metavar="NAME=VALUE", dest="options",
        help="of the game, see its page; may be given several times",
    )  # fmt: skip
