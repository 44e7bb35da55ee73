"""Command-line arguments and error messages that the programs share."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from importlib.metadata import PackageNotFoundError, distribution
from math import inf
from pathlib import Path
from typing import Any

from gymnasium.error import DependencyNotInstalled

from mancala_envs.core.extras import MissingExtra, needs_extra
from mancala_envs.core.opening import FAIR, OPENING, saved
from mancala_envs.core.options import parse_value
from mancala_envs.programs.files import RunError
from mancala_envs.registry import REGISTRY, games_with_campaigns, read_game

FOLDERS = ("docs", "scripts", "tests")
"""Folders of a checkout with programs that are called by their path."""

MAINTENANCE = "maintenance"
"""The folder of scripts/ whose programs nobody needs who uses the package."""


class Help(argparse.RawDescriptionHelpFormatter):
    """Shows the default of every option that has one, unless the option's help says it in words."""

    def _get_help_string(self, action: argparse.Action) -> str:
        text, default = action.help or "", action.default
        has_one = isinstance(default, int | float | str | Path) and default not in ("", argparse.SUPPRESS)
        if not has_one or default is False or not action.option_strings or "default" in text:
            return text
        return f"{text} (default %(default)s)"


def program(about: str | None) -> argparse.ArgumentParser:
    """Make a program's argument parser. Its help shows commands as the user called the program.

    Args:
        about: description of the program; its line breaks are kept. It names programs as one calls them in a checkout,
            such as `python scripts/play.py`.
    """
    module = getattr(getattr(sys.modules["__main__"], "__spec__", None), "name", None) or ""
    parts = Path(sys.argv[0]).resolve().parts
    start = max((at for at, part in enumerate(parts) if part in FOLDERS), default=None)
    command = f"python {'scripts/' + parts[-1] if start is None else '/'.join(parts[start:])}"
    if module.startswith("mancala_envs."):
        command = f"python -m {module.removesuffix('.__main__')}"
    makes = "This program makes figures of the documentation or files of the package." * (MAINTENANCE in parts)
    return argparse.ArgumentParser(
        as_called(command), description=as_called(about or ""), epilog=makes, formatter_class=Help
    )


def add_defaults(parser: argparse.ArgumentParser, settings: Any) -> None:
    """Give the options of a parser the defaults of a dataclass of settings."""
    parser.set_defaults(**{one.name: one.default for one in fields(settings) if one.default is not MISSING})


def as_called(text: str) -> str:
    """Replace the commands of a checkout by the installed ones if the user called an installed command."""
    try:
        scripts = distribution("mancala_envs").entry_points.select(group="console_scripts")
    except PackageNotFoundError:
        return text
    called = Path(sys.argv[0]).name
    if called not in scripts.names:
        return text
    text = text.replace(f"python scripts/{called}", called)
    for script in scripts:
        file = f"scripts/{script.module.rpartition('.')[2]}.py"
        for command in (f"python {file}", file, f"python -m {script.module.removesuffix('.__main__')}"):
            text = text.replace(command, script.name)
    return text


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


def duration(text: str) -> float:
    """Parse a finite number above 0."""
    number = float(text)
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"must be above 0, got {text}")
    return number


def file_to_write(text: str) -> Path:
    """Return the path of a file that a program writes at its end, and check that its folder exists."""
    path = Path(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{path} cannot be written: there is no folder {path.parent}")
    return path


def game(text: str) -> str:
    """Check that a text means a game, as `make_game` takes it, and return it."""
    try:
        read_game(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


ALL = "all"
"""Every game, where a program allows it in place of a game."""


def game_or_all(text: str) -> str:
    """Return ALL or a game, as `game` does."""
    return text if text == ALL else game(text)


def game_name(text: str) -> str:
    """Return the name of the game that a text means, a name or an id without options."""
    name, campaign, options = read_game(game(text))
    if campaign or options:
        raise argparse.ArgumentTypeError(f"must be a game without options, got {text}")
    return name


def usual_game(text: str) -> str:
    """Return the game or campaign that a text means, as `make_game` takes it, if its options are the usual ones."""
    name, campaign, options = read_game(game(text))
    if options:
        raise argparse.ArgumentTypeError(f"must be a game or campaign with its usual options, got {text}")
    if campaign and not REGISTRY[name].book.campaign:
        raise argparse.ArgumentTypeError(f"{name} has no campaign")
    return f"{name}(campaign=True)" if campaign else name


GAME = "name of the game, such as kalah or 'kalah(seeds=3)', or its id"


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the argument `GAME`, as `make_game` takes it, with `--campaign` and `--option`."""
    parser.add_argument("game", type=game, metavar="GAME", help=GAME)
    add_game_options(parser)


def add_campaign_games(parser: argparse.ArgumentParser) -> None:
    """Add the arguments `GAME`, games with campaigns for two players; without them the parsed `games` are all."""
    known = games_with_campaigns()

    def of_campaign(text: str) -> str:
        if (name := game_name(text)) not in known:
            allowed = f"choose from {', '.join(known)}"
            raise argparse.ArgumentTypeError(f"{name!r} is not a game with campaigns for two players; {allowed}")
        return name

    names = f"name of a game (default: {' '.join(known)})"
    parser.add_argument("games", nargs="*", type=of_campaign, default=known, metavar="GAME", help=names)


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


def opening(text: str) -> int | list[int]:
    """Parse a number of random decisions, or a range of it such as `2-8`."""
    low, _, high = text.partition("-")
    try:
        return saved((int(low), int(high or low)))
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number such as 6 or a range such as 2-8, got {text!r}") from None


def opening_or_fair(text: str) -> int | list[int] | str:
    """Parse an opening as `opening` does, or `fair`."""
    return text if text == FAIR else opening(text)


def add_opening(parser: argparse.ArgumentParser, default: int = OPENING, fair: bool = False) -> None:
    """Add `--opening`, a number or range of random decisions, or, if `fair` is set, the fair starts of a game."""
    parser.add_argument(
        "--opening", type=opening_or_fair if fair else opening, default=default, metavar="DECISIONS",
        help="random decisions of all players before every game, such as 6 or 2-8; 0 for the usual opening"
        f"{'; fair for starts that are exact draws, in games that have some' if fair else ''}",
    )  # fmt: skip


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add `--seed`."""
    parser.add_argument("--seed", type=natural, default=0, help="random seed")


@contextmanager
def usage_errors(parser: argparse.ArgumentParser, *errors: type[Exception]) -> Iterator[None]:
    """End the program with a message instead of a traceback when an expected error occurs.

    The exceptions `errors` are reported as usage errors. A `RunError`, a missing optional package, or an unexpected
    KeyboardInterrupt, such as a second Ctrl-C, ends the program with a message of one line.

    Args:
        parser: the program's parser, which reports usage errors.
        errors: exceptions that arguments of the program can cause.
    """
    try:
        with needs_extra():
            yield
    except (RunError, DependencyNotInstalled, MissingExtra) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted")
    except errors as error:
        parser.error(str(error))
