"""Command-line arguments and error messages that the programs share."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from gymnasium.error import DependencyNotInstalled

from mancala_envs.core.options import parse_value
from mancala_envs.evaluation.runs import RunError
from mancala_envs.registry import REGISTRY

EXTRAS = {
    "matplotlib": "train",
    "pyarrow": "text",
    "ray": "rllib",
    "sb3_contrib": "train",
    "stable_baselines3": "train",
    "starlette": "play",
    "torch": "train",
    "uvicorn": "play",
}
"""The extra of mancala_envs that installs each package, by package name."""


def program(about: str | None, name: str | None = None) -> argparse.ArgumentParser:
    """Make a program's argument parser.

    Args:
        about: description of the program; its line breaks are kept.
        name: name of the program (default: that of the script).
    """
    return argparse.ArgumentParser(name, description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def option(text: str) -> tuple[str, Any]:
    """Parse `NAME=VALUE`, see `parse_value`."""
    name, given, value = text.partition("=")
    if not given:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, parse_value(value)


def positive(text: str) -> int:
    """Parse an integer of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def natural(text: str) -> int:
    """Parse an integer of at least 0."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be at least 0, got {number}")
    return number


def minutes(text: str) -> float:
    """Parse a finite number above 0."""
    number = float(text)
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"must be above 0, got {text}")
    return number


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the argument `GAME`, the name of a registered game, with `--campaign` and `--option`."""
    parser.add_argument("game", choices=REGISTRY, metavar="GAME", help="name of the game, such as kalah")
    add_game_options(parser)


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """Add `--campaign` and `--option`; the parsed `options` are a dictionary."""
    parser.add_argument("--campaign", action="store_true", help="play campaigns: rounds with carry-over between them")
    add_option(parser)


class _Options(argparse.Action):
    """Collect the names and values of repeated options in a dictionary."""

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        name, value = values
        setattr(namespace, self.dest, {**getattr(namespace, self.dest), name: value})


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add `--option NAME=VALUE`; the parsed `options` are a dictionary."""
    parser.add_argument(
        "--option", action=_Options, default={}, type=option, metavar="NAME=VALUE", dest="options",
        help="option of the game, see its page; can be repeated",
    )  # fmt: skip


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add `--seed`."""
    parser.add_argument("--seed", type=natural, default=0, help="random seed (default %(default)s)")


@contextmanager
def usage_errors(parser: argparse.ArgumentParser, *errors: type[Exception]) -> Iterator[None]:
    """End the program with a message instead of a traceback when an expected error occurs.

    The exceptions `errors` are reported as usage errors. A `RunError`, a missing package of EXTRAS, or an unexpected
    KeyboardInterrupt, such as a second Ctrl-C, ends the program with a message of one line.

    Args:
        parser: the program's parser, which reports usage errors.
        errors: exceptions that arguments of the program can cause.
    """
    try:
        yield
    except (RunError, DependencyNotInstalled) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted")
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        sys.exit(f'{error.name} is not installed: pip install "mancala_envs[{EXTRAS[error.name]}]"')
    except errors as error:
        parser.error(str(error))
