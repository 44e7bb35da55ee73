"""What programs share: their arguments, and how they end where something is not allowed or not installed."""

import argparse
import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from gymnasium.error import DependencyNotInstalled

from mancala_envs.evaluation.runs import Unusable
from mancala_envs.registry import REGISTRY

EXTRAS = {
    "matplotlib": "train",
    "ray": "rllib",
    "sb3_contrib": "train",
    "stable_baselines3": "train",
    "starlette": "play",
    "torch": "train",
    "uvicorn": "play",
}
"""Packages that programs import, and the extra of this package that installs each."""


def program(about: str | None, name: str | None = None) -> argparse.ArgumentParser:
    """The parser of a program that `about` describes, a text laid out by hand."""
    return argparse.ArgumentParser(name, description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


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


def natural(text: str) -> int:
    """An integer of at least 0."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be at least 0, got {number}")
    return number


def minutes(text: str) -> float:
    """A number above 0."""
    number = float(text)
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"must be above 0, got {text}")
    return number


def add_game(parser: argparse.ArgumentParser) -> None:
    """`GAME`, any of the registry, with `--campaign` and `--option`."""
    parser.add_argument("game", choices=REGISTRY, metavar="GAME", help="its name, such as kalah")
    add_game_options(parser)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """`--campaign` and `--option`, of whatever game is asked for; `options` is a dictionary."""
    parser.add_argument("--campaign", action="store_true", help="play campaigns, rounds tied together")
    add_option(parser)


class _Options(argparse.Action):
    """Collects names and values in a dictionary."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        name, value = values
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), name: value})


def add_option(parser: argparse.ArgumentParser) -> None:
    """`--option` of the game; `options` is a dictionary."""
    parser.add_argument(
        "--option", action=_Options, default={}, type=option, metavar="NAME=VALUE", dest="options",
        help="of the game, see its page; may be given several times",
    )  # fmt: skip


def add_seed(parser: argparse.ArgumentParser) -> None:
    """`--seed`, of all luck."""
    parser.add_argument("--seed", type=natural, default=0, help="decides everything (default %(default)s)")


@contextmanager
def refusing(parser: argparse.ArgumentParser, *errors: type[Exception]) -> Iterator[None]:
    """End the program with a message instead of a traceback: a usage error for `errors`, and one line where the files
    of a run cannot be used (`Unusable`) or a package of EXTRAS is not installed."""
    try:
        yield
    except (Unusable, DependencyNotInstalled) as error:
        sys.exit(str(error))
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        sys.exit(f'{error.name} is not installed: pip install "mancala_envs[{EXTRAS[error.name]}]"')
    except errors as error:
        parser.error(str(error))
